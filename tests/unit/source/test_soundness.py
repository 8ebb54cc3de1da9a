"""What of a page's markup is cut off, swallowed, doubled, repeated or left to quirks."""

from __future__ import annotations

import pytest

from pytest_design2a11y.exceptions import EmptyDocument
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.source.scanning import scan

HEAD = "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Menu</title>"
BODY = "</head><body><main><h1>Soup</h1><p>Tomato</p></main></body></html>"


def warnings_of(html: str) -> dict[str, CaptureWarning]:
    return {warning.code: warning for warning in read_document(html, max_bytes=10_000_000).warnings}


def error_of(html: str) -> str:
    with pytest.raises(EmptyDocument) as caught:
        read_document(html, max_bytes=10_000_000)
    return str(caught.value)


# --- nothing reaches the page


@pytest.mark.parametrize(
    ("opening", "hint"),
    [
        ("<style>body { color: red }", "an unclosed <style>"),
        ("<style>body { color: red } /style>", "an unclosed <style>"),
        ("<script>let soup = 1;", "an unclosed <script>"),
        ("<script src='menu.js'>", "an unclosed <script>"),
        ("<!-- head", "an unclosed comment"),
        ("<textarea>", "an unclosed <textarea>"),
        ("<STYLE>", "an unclosed <style>"),
        ("<noframes>", "an unclosed <noframes>"),
    ],
)
def test_an_element_that_swallows_all_is_named(opening: str, hint: str) -> None:
    assert f"The HTML text shows nothing: {hint} swallows the rest" in error_of(HEAD + opening + BODY)


def test_an_unclosed_title_swallows_all() -> None:
    message = error_of("<!DOCTYPE html><html><head><title>Menu" + BODY)

    assert "an unclosed <title> swallows the rest" in message
    assert message.endswith("Close it where its content ends.")


@pytest.mark.parametrize("name", ["script", "title", "style"])
def test_a_self_closed_element_that_swallows_all_is_named(name: str) -> None:
    message = error_of(f"<!DOCTYPE html><html><head><{name}/>{BODY}")

    assert f"self-closed <{name}/> (HTML ignores the slash) swallows the rest" in message
    assert message.endswith(f"Write <{name}></{name}>.")


def test_a_self_closed_script_that_swallows_up_to_the_next_one_is_named() -> None:
    page = f"{HEAD}<script src='a.js'/></head><body><h1>Soup</h1><script>x()</script></body></html>"

    assert "self-closed <script/>" in error_of(page)


def test_a_style_sheet_cut_off_is_told_from_one_left_open() -> None:
    message = error_of(HEAD + "<style>body { color: red } main { margin")

    assert "an unclosed <style>" in message
    assert "cut off there: let the model write more tokens" in message


@pytest.mark.parametrize("body", ["<body></body>", "<body>  \n</body>", "", "<body><!-- soup --></body>"])
def test_an_empty_body_is_refused(body: str) -> None:
    assert "The HTML text has an empty body." in error_of(f"{HEAD}</head>{body}</html>")


def test_a_component_inside_a_template_is_refused() -> None:
    message = error_of("<template><main><h1>Soup</h1></main></template><script>export default {}</script>")

    assert "all of its content is inside <template>" in message


@pytest.mark.parametrize(
    "body",
    [
        "<body><script>document.write('soup')</script></body>",
        "<body>soup</body>",
        "<body><img src='soup.png' alt='Soup'></body>",
        "<body><template><p>x</p></template><p>soup</p></body>",
        "<frameset><frame src='a.html'></frameset>",
    ],
)
def test_a_body_with_anything_to_show_is_accepted(body: str) -> None:
    assert warnings_of(f"{HEAD}</head>{body}</html>") == {}


# --- part of it is lost


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("<style>a { color: red }", "The last 37 bytes are lost in an unclosed <style>."),
        ("<textarea rows='3'>", "The last 33 bytes are lost in an unclosed <textarea>."),
        ("<iframe src='a.html'/>", "The last 36 bytes are lost in self-closed <iframe/>"),
        ("<!-- soup", "The last 23 bytes are lost in an unclosed comment."),
    ],
)
def test_an_element_that_swallows_the_rest_is_warned_of(part: str, message: str) -> None:
    found = warnings_of(f"{HEAD}</head><body><h1>Soup</h1>{part}</body></html>")

    assert list(found) == ["swallowed_content"]
    assert found["swallowed_content"].message.startswith(message)


def test_an_element_that_swallows_the_middle_is_warned_of() -> None:
    page = f"{HEAD}<style>a {{}} </head><body><h1>Soup</h1><style>b {{}}</style><p>Bread</p></body></html>"

    assert (
        warnings_of(page)["swallowed_content"].message == "Part of the page is lost in an unclosed <style>."
    )


@pytest.mark.parametrize(
    "script",
    [
        "document.write('<body><p>soup</p></body></html>')",
        "if (a < b) { c = '<p' }",
        "let comment = '<!-- ';",
        "s = '<script src=a.js><\\/script>'",
    ],
)
def test_markup_in_the_strings_of_a_script_is_no_loss(script: str) -> None:
    assert warnings_of(f"{HEAD}<script>{script}</script>{BODY}") == {}


@pytest.mark.parametrize(
    "part",
    [
        "<svg viewBox='0 0 9 9'><title>Soup</title><style>a{}</style><path d='M0 0'/></svg>",
        "<svg><title/><script/><style/><rect/></svg><p>x</p>",
        "<svg><![CDATA[ <style> ]]></svg>",
        "<svg/><p>x</p>",
        "<p title=\"a > b\">x</p><p title='</p>'>y</p>",
        "<a href=/soup/>Soup</a>",
        "<p title=it's>x</p>",
        "<p>1 < 2 and 3 > 2 <> </></p>",
        "<!----><!--x--><!-->",
        "<img src='a.png' alt='' /><br/><input/>",
    ],
)
def test_odd_but_whole_markup_is_not_warned_of(part: str) -> None:
    assert warnings_of(f"{HEAD}</head><body><h1>Soup</h1>{part}</body></html>") == {}


# --- the end is missing


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("<main><p>Tomato</p>", "The page ends with <main> still open."),
        ("<p>Tomato and bre", "The page ends with <body> still open."),
        ("<main><p class='so", "The page ends inside a tag."),
        ("<main><p class=", "The page ends inside a tag."),
        ("<main><p>Tomato</", "The page ends inside a tag."),
        ("<script>let soup", "The page ends inside <script>."),
        ("<!-- the foot", "The page ends inside a comment."),
        ("<textarea>Tom", "The page ends inside <textarea>."),
    ],
)
def test_a_page_without_its_end_is_warned_of(end: str, message: str) -> None:
    found = warnings_of(f"{HEAD}</head><body><h1>Soup</h1>{end}")

    assert list(found) == ["truncated_html"]
    assert found["truncated_html"].message == message


@pytest.mark.parametrize(
    "page",
    [
        HEAD + BODY,
        f"{HEAD}<h1>Soup</h1><p>Tomato<p>Bread",
        f"{HEAD}<body><div><p>a missing end tag, but a whole page</body>",
        "<!doctype html><title>Soup</title><ul><li>Tomato<li>Bread</ul>",
    ],
)
def test_optional_end_tags_are_no_truncation(page: str) -> None:
    if page.endswith("Bread"):
        page += "</p>"

    assert warnings_of(page) == {}


def test_cutting_a_page_anywhere_is_noticed() -> None:
    body = "<body><main><h1>Soup</h1><p>Tomato</p><ul><li>Bread</li></ul></main></body></html>"
    page = f"{HEAD}</head>{body}"
    first = page.index("<h1>") + len("<h1>S")
    last = page.index("</main>") + len("</main>")

    for end in range(first, last - 1):
        assert "truncated_html" in warnings_of(page[:end]), page[:end]


# --- doubled documents


def test_two_documents_in_one_are_warned_of() -> None:
    found = warnings_of(HEAD + BODY.replace("</html>", "") + HEAD + BODY)

    assert found["merged_documents"].count == 2


def test_of_two_whole_documents_the_last_is_taken_and_told() -> None:
    found = warnings_of(HEAD + BODY + HEAD + BODY)

    assert found["several_pages"].count == 2
    assert "merged_documents" not in found


# --- the scan itself


def test_the_scan_counts_tags_outside_of_text_only_elements() -> None:
    outline = scan(b"<!doctype html><P>a</p><script>'<p>'</script><!--<p>--><textarea><p></textarea>")

    assert outline.starts == {b"p": 1, b"script": 1, b"textarea": 1}
    assert outline.ends == {b"p": 1, b"script": 1, b"textarea": 1}


def test_a_slash_closes_a_drawing_but_no_box() -> None:
    start = HEAD.replace("<html lang='en'>", "").replace("<head>", "")

    assert "truncated_html" not in warnings_of(f"{start}<svg/><p>Soup")
    assert "<div>" in warnings_of(f"{start}<div/><p>Soup")["truncated_html"].message
