"""Answers that wrap a page: unwrapped where it is clear what is meant, refused where it is not."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import NotHtml
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.read_document import read_document

PAGE = "<!DOCTYPE html>\n<html>\n<head><title>Soup</title></head>\n<body>\n<h1>Soup</h1>\n</body>\n</html>"
LINKED = PAGE.replace("</head>", '<link rel="stylesheet" href="styles.css"></head>').replace(
    "</body>", '<script src="./js/app.js"></script></body>'
)


def read(answer: str) -> Document:
    return read_document(answer, max_bytes=20_000_000)


def page_in(document: Document) -> str:
    return (document.html or b"").decode().strip()


def codes(document: Document) -> list[str]:
    return [warning.code for warning in document.warnings]


def fenced(language: str, content: str) -> str:
    return f"```{language}\n{content}\n```\n"


CALL = json.dumps({"name": "write_file", "arguments": {"path": "index.html", "content": PAGE}})
CALL_IN_TEXT = json.dumps({"name": "write_file", "arguments": json.dumps({"html": PAGE})})
WRAPPED = {
    "json fence": fenced("json", json.dumps({"html": PAGE})),
    "json fence with words": "Here it is:\n" + fenced("json", json.dumps({"notes": "x", "content": PAGE})),
    "json fence, a fragment": fenced("json", json.dumps({"html": "<h1>Soup</h1>"})),
    "answer": f"<answer>\n{PAGE}\n</answer>",
    "answer after words": f"I made it.\n\n<answer>{PAGE}</answer> Enjoy!",
    "answer with a fence": f"<answer>\n{fenced('html', PAGE)}</answer>",
    "answer, cut off": f"<answer>\n{PAGE}",
    "answer, escaped": f"<answer>{PAGE.replace('<', '&lt;')}</answer>",
    "artifact": f'<antArtifact identifier="soup" type="text/html" title="Soup">\n{PAGE}\n</antArtifact>',
    "tool call": (
        '<function_calls>\n<invoke name="create_file">\n<parameter name="path">index.html</parameter>\n'
        f'<parameter name="content">{PAGE}</parameter>\n</invoke>\n</function_calls>'
    ),
    "tool call with a prefix": (
        f'<x:invoke name="a"><x:parameter name="html"><![CDATA[{PAGE}]]></x:parameter></x:invoke>'
    ),
    "tool call in JSON": f"<tool_call>\n{CALL}\n</tool_call>",
    "tool call in JSON in JSON": f"<tool_call>{CALL_IN_TEXT}</tool_call>",
    "bare JSON": json.dumps({"html": PAGE}),
    "bare JSON, indented": json.dumps({"notes": "x", "page": {"title": "Soup", "html": PAGE}}, indent=2),
    "bare JSON after words": "Here is the page:\n\n" + json.dumps({"html": PAGE}) + "\n\nEnjoy!",
    "bare JSON with raw line ends": '{"html": "' + PAGE.replace('"', '\\"') + '"}',
    "a JSON string": json.dumps(PAGE),
    "bare JSON, a fragment": json.dumps({"html": "<h1>Soup</h1>"}),
    "bare JSON with a fence": json.dumps({"content": fenced("html", PAGE)}),
    "files": json.dumps({"files": [{"path": "src/index.html", "content": PAGE}]}),
    "tool_use": json.dumps(
        [
            {"type": "text", "text": "I write it."},
            {
                "type": "tool_use",
                "id": "1",
                "name": "write_file",
                "input": {"path": "index.html", "content": PAGE},
            },
        ]
    ),
    "tool_calls": json.dumps(
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {
                                "id": "c",
                                "type": "function",
                                "function": {"name": "save", "arguments": json.dumps({"html": PAGE})},
                            }
                        ],
                    }
                }
            ]
        }
    ),
    "name and content": json.dumps({"name": "index.html", "content": PAGE}),
    "output of a responses API": json.dumps(
        {"output": [{"type": "message", "content": [{"type": "output_text", "text": fenced("html", PAGE)}]}]}
    ),
}


FENCED = f"Here it is:\n{fenced('html', PAGE)}Enjoy!"
DRAFT = PAGE.replace("Soup", "Draft")
#: Replies of models' interfaces as they come, by the documentation of each.
REPLIES: dict[str, object] = {
    "chat": {"choices": [{"message": {"role": "assistant", "content": FENCED}}]},
    "chat, with thoughts": {"choices": [{"message": {"reasoning_content": DRAFT, "content": FENCED}}]},
    "responses": {
        "instructions": f"Better than {DRAFT}",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": DRAFT}]},
            {"type": "message", "content": [{"type": "output_text", "text": FENCED}]},
        ],
    },
    "responses, a call": {
        "output": [{"type": "function_call", "name": "write", "arguments": json.dumps({"html": PAGE})}]
    },
    "messages": {
        "content": [{"type": "thinking", "thinking": DRAFT}, {"type": "text", "text": FENCED}],
        "role": "assistant",
    },
    "the whole conversation": {
        "messages": [{"role": "assistant", "content": FENCED}, {"role": "user", "content": DRAFT}]
    },
    "candidates": {
        "candidates": [{"content": {"parts": [{"text": DRAFT, "thought": True}, {"text": FENCED}]}}]
    },
    "generated_text": [{"generated_text": FENCED}],
}


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES.keys())
def test_a_page_is_taken_out_of_a_reply_as_it_came(reply: object) -> None:
    document = read(json.dumps(reply))

    assert page_in(document) == PAGE
    assert "several_pages" not in codes(document)


def test_pages_side_by_side_are_not_pieces() -> None:
    document = read(json.dumps({"choices": [{"text": PAGE.replace("Soup", "Fish")}, {"text": PAGE}]}))

    assert (page_in(document), "several_pages" in codes(document)) == (PAGE, True)


@pytest.mark.parametrize("name", WRAPPED)
def test_a_page_is_taken_out_of_its_wrapper_with_a_warning(name: str) -> None:
    document = read(WRAPPED[name])

    assert document.html is not None
    assert document.html.strip() in (PAGE.encode(), b"<h1>Soup</h1>")
    assert "wrapper_stripped" in codes(document)


OTHER = PAGE.replace("Soup", "Bread")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (f"<answer>\n{PAGE}\n</answer>", ["<answer>"]),
        (
            f'<boltArtifact id="a"><boltAction filePath="index.html">{PAGE}</boltAction></boltArtifact>',
            ["<boltArtifact>"],
        ),
        (json.dumps({"html": PAGE}), ["JSON"]),
        (json.dumps({"about.html": OTHER, "index.html": PAGE}), ["JSON"]),
        (
            json.dumps([{"html": OTHER}, {"html": PAGE}]),
            ["JSON", "The answer holds 2 whole pages; the last one was used."],
        ),
        (
            json.dumps(
                {
                    "files": [
                        {"path": "index.html", "content": LINKED},
                        {"path": "styles.css", "content": "p{}"},
                    ]
                }
            ),
            ["JSON", "Files of the same answer were served with the page: styles.css."],
        ),
    ],
    ids=["tag", "tags", "JSON", "index", "last", "files"],
)
def test_what_is_unwrapped_and_chosen_is_told(answer: str, told: list[str]) -> None:
    document = read(answer)

    wrapper, *more = told
    messages = [warning.message for warning in document.warnings]
    assert messages == [f"The page was taken out of {wrapper} that the answer wraps it in.", *more]
    assert b"Soup" in (document.html or b"")


REFUSED = {
    "JSON that is cut off": (json.dumps({"html": PAGE})[:-9], "is JSON that is cut off or broken"),
    "a dictionary of Python": (
        str({"html": PAGE.replace(">\n", ">")}).replace("html>", "html>\\n"),
        "line ends escaped",
    ),
    "two named pages": (
        f"<file name='home.html'>{PAGE}</file><file name='fish.html'>{PAGE.replace('Soup', 'Fish')}</file>",
        "holds 2 pages.*name it index.html",
    ),
    "JSON with two named pages": (
        fenced("json", json.dumps({"home.html": PAGE, "fish.html": PAGE.replace("Soup", "Fish")})),
        "holds 2 pages",
    ),
    "a Python program that builds the page": (
        fenced("python", f'print(f"""{PAGE}{{name}}""")'),
        "is a program that writes a page.*Run it",
    ),
    "a Python program that holds the page": (
        fenced("python", f'html = """{PAGE}"""\nopen("index.html", "w").write(html)'),
        "is a program that writes a page.*Run it",
    ),
    "a Python program that is cut off": (fenced("python", f'html = """{PAGE}'), "a program that writes"),
    "a script that builds the page": (
        fenced("javascript", f"const html = `{PAGE}`;"),
        "a program that writes",
    ),
    "a shell script": (fenced("bash", f"cat > index.html <<EOF\n{PAGE}\nEOF"), "a program that writes"),
    "PHP": (fenced("php", f"<?php echo 1 ?>{PAGE}"), "a program that writes"),
    "JSON without a page": (fenced("json", '{"title": "Soup", "price": 3}'), "is JSON"),
    "a component": (
        '<antArtifact type="application/vnd.ant.react">\nexport default () => <div className="a">x</div>\n'
        "</antArtifact>",
        "component's source code",
    ),
}


@pytest.mark.parametrize(("answer", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_clear_is_refused(answer: str, message: str) -> None:
    with pytest.raises(NotHtml, match=message):
        read(answer)


FISH = PAGE.replace("Soup", "Fish")
LAST_IS_MEANT = {
    "fences": f"A draft:\n{fenced('html', FISH * 1)}\nBetter:\n{fenced('html', PAGE)}",
    "a longer draft": (
        f"Draft:\n{fenced('html', FISH.replace('</body>', '<p>And much more</p></body>'))}\nOr:\n"
        + fenced("html", PAGE)
    ),
    "no fences": f"{FISH}\n\nWait, the heading was wrong. Here is the corrected page:\n\n{PAGE}",
    "no fences after words": f"Here it is:\n\n{FISH}\n\nOn second thoughts:\n\n{PAGE}\n\nDone.",
    "a draft in a fence": f"A draft:\n{fenced('html', FISH)}\nThe final version:\n{PAGE}",
    "tags": f"<answer>{FISH}</answer><answer>{PAGE}</answer>",
    "JSON": json.dumps([{"html": FISH}, {"html": PAGE}]),
}


@pytest.mark.parametrize("name", LAST_IS_MEANT)
def test_of_several_whole_pages_the_last_one_is_taken_and_told(name: str) -> None:
    document = read(LAST_IS_MEANT[name])

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    (told,) = [warning.message for warning in document.warnings if warning.code == "several_pages"]
    assert "whole pages; the last one" in told


def test_a_draft_in_its_tag_is_no_part_of_the_page() -> None:
    document = read(f"<draft>{FISH}</draft>\n{PAGE}")

    assert (document.html, codes(document)) == (f"\n{PAGE}".encode(), ["chat_text_stripped"])
    assert read(f"<draft>{FISH}</draft>").html == f"<draft>{FISH}</draft>".encode()


def test_a_page_that_holds_a_page_in_a_string_is_one_page() -> None:
    page = PAGE.replace("</body>", "<script>frame.srcdoc = '<html><body>x</body></html>'</script></body>")

    assert read(page).html == page.encode()


STYLE, SCRIPT = "h1 { color: red }", "document.title = 'x'"
TOGETHER = {
    "named before": (
        f"**index.html**\n{fenced('html', LINKED)}\n`styles.css`:\n{fenced('css', STYLE)}\n"
        f"### js/app.js\n{fenced('js', SCRIPT)}"
    ),
    "named in the fence": (
        fenced("html index.html", LINKED)
        + fenced("css:styles.css", STYLE)
        + fenced('js title="app.js"', SCRIPT)
    ),
    "named at the top": fenced("html", LINKED)
    + fenced("css", f"/* styles.css */\n{STYLE}")
    + fenced("js", f"// app.js\n{SCRIPT}"),
    "not named": fenced("html", LINKED) + fenced("css", STYLE) + fenced("javascript", SCRIPT),
    "in JSON": fenced("json", json.dumps({"index.html": LINKED, "styles.css": STYLE, "js/app.js": SCRIPT})),
    "in JSON by kind": fenced("json", json.dumps({"html": LINKED, "css": STYLE, "js": SCRIPT})),
    "in a list of files": fenced(
        "json",
        json.dumps(
            {
                "files": [
                    {"path": "index.html", "content": LINKED},
                    {"path": "styles.css", "content": STYLE},
                    {"path": "js/app.js", "content": SCRIPT},
                ]
            }
        ),
    ),
    "in tags": (
        f'<boltArtifact><boltAction type="file" filePath="index.html">{LINKED}</boltAction>'
        f'<boltAction type="file" filePath="styles.css">{STYLE}</boltAction>'
        f'<boltAction type="file" filePath="js/app.js">{SCRIPT}</boltAction></boltArtifact>'
    ),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_the_files_of_one_answer_belong_together(name: str) -> None:
    document = read(TOGETHER[name])

    assert document.html is not None
    assert document.html.strip() == LINKED.encode()
    assert document.site is not None
    files = {path: content.decode() for path, content in document.site.files}
    assert set(files) >= {"styles.css", "js/app.js"}
    assert STYLE in files["styles.css"]
    assert SCRIPT in files["js/app.js"]
    assert "answer_files" in codes(document)
    assert "several_code_blocks" not in codes(document)


def test_styles_that_the_page_does_not_ask_for_are_left_out_as_before() -> None:
    document = read(fenced("html", PAGE) + fenced("css", STYLE))

    assert document.site is None
    assert codes(document) == ["markdown_fence_stripped", "several_code_blocks"]


def test_two_style_sheets_for_one_link_are_not_guessed() -> None:
    document = read(fenced("html", LINKED) + fenced("css", STYLE) + fenced("css", STYLE * 2))

    assert document.site is None
    assert "several_code_blocks" in codes(document)


def test_names_that_lead_out_of_the_folder_are_not_taken() -> None:
    answer = fenced("json", json.dumps({"index.html": LINKED, "../styles.css": STYLE, "/js/app.js": SCRIPT}))

    assert read(answer).site is None


def test_the_files_of_a_saved_answer_lie_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "answers" / "answer.md"
    path.parent.mkdir()
    path.write_text(TOGETHER["not named"])

    document = read_document(path, max_bytes=10**6)

    assert document.site is not None
    assert [name for name, _ in document.site.files] == ["js/app.js", "styles.css"]


def test_a_page_of_its_own_elements_is_no_wrapper() -> None:
    page = "<main><answer>Forty-two</answer></main>"

    assert read(page).html == page.encode()


@pytest.mark.parametrize(
    "part", ["<answer>", "<parameter name='a'>", "<file>x</file>", "<answer", "x <", "[1,"]
)
def test_unfinished_wrappers_take_no_time(part: str) -> None:
    began = time.process_time()

    with pytest.raises(NotHtml):
        read("<answer>" + part * (1_000_000 // len(part)))

    assert time.process_time() - began < 10
