"""What counts as a page, what is fixed, and in which words the rest is refused."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pytest_design2a11y.exceptions import (
    EmptyDocument,
    InputTooLarge,
    NotHtml,
    SourceError,
    SourceNotFound,
)
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.files import read_file
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.source.soundness import to_utf8
from tests.posix import make_pipe

LIMIT = 5_000_000
PAGE = (
    "<!DOCTYPE html>\n<html lang='en'>\n<head><title>Menu</title></head>\n"
    "<body><main><h1>Soup of the day</h1></main></body>\n</html>"
)


def read(source: str | os.PathLike[str], base: Path | None = None) -> Document:
    return read_document(source, max_bytes=LIMIT, folders=() if base is None else (base,))


def read_bytes(data: bytes, folder: Path) -> Document:
    path = folder / "page.html"
    path.write_bytes(data)
    return read(path)


def codes(document: Document) -> list[str]:
    return [warning.code for warning in document.warnings]


# --- what a source is meant as


@pytest.mark.parametrize(
    "url", ["http://localhost:8000/", "https://example.org/a?b=c", "HTTPS://EXAMPLE.ORG", " http://x.test "]
)
def test_an_address_is_left_to_the_browser(url: str) -> None:
    document = read(url)

    assert (document.html, document.url, document.label) == (None, url.strip(), url.strip())


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://", "names no host"),
        ("https:///path", "names no host"),
        ("ftp://example.org/page.html", "ftp: is not http or https"),
        ("about:blank", "about: is not http or https"),
        ("javascript:alert(1)", "javascript: is not http or https"),
        ("http://[::1", "Invalid IPv6 URL"),
        ("http://host:port/", "Port could not be cast"),
    ],
)
def test_an_address_that_cannot_be_loaded_is_refused(url: str, problem: str) -> None:
    with pytest.raises(SourceNotFound, match="is not an address to load a page from") as caught:
        read(url)

    assert problem in str(caught.value)


def test_html_text_is_handed_on_unchanged() -> None:
    document = read(PAGE)

    assert document == Document(label="<html>", html=PAGE.encode())


@pytest.mark.parametrize("lead", ["\ufeff", "\n\n  ", "\ufeff\r\n\t", "<!-- saved -->\n"])
def test_white_space_marks_and_comments_may_stand_before_html_text(lead: str) -> None:
    assert read(lead + PAGE).html == (lead + PAGE).encode()


def test_a_file_is_read_and_its_folder_may_be_loaded_from(tmp_path: Path) -> None:
    page = tmp_path / "designs" / "menu.html"
    page.parent.mkdir()
    page.write_text(PAGE)

    for source in ("designs/menu.html", Path("designs/menu.html")):
        document = read(source, base=tmp_path)

        assert document.html == PAGE.encode()
        assert (document.label, document.folder) == ("designs/menu.html", str(page.parent.resolve()))


def test_relative_paths_start_in_the_current_folder_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "menu.html").write_text(PAGE)
    monkeypatch.chdir(tmp_path)

    assert read("menu.html").html == PAGE.encode()


def test_a_file_address_names_a_file(tmp_path: Path) -> None:
    (tmp_path / "two words.html").write_text(PAGE)

    assert read((tmp_path / "two words.html").as_uri()).html == PAGE.encode()


def test_a_path_object_is_never_taken_for_html_text(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="There is no file '<p>hi</p>'"):
        read(Path("<p>hi</p>"), base=tmp_path)


def test_the_input_file_is_not_touched(tmp_path: Path) -> None:
    data = f"Here you are:\n```html\n{PAGE}\n```".encode()
    read_bytes(data, tmp_path)

    assert (tmp_path / "page.html").read_bytes() == data


# --- files that are not there


def test_a_missing_file_names_what_was_looked_for_and_what_is_near(tmp_path: Path) -> None:
    (tmp_path / "checkout.html").write_text(PAGE)

    with pytest.raises(SourceNotFound) as caught:
        read("chekout.html", base=tmp_path)

    message = str(caught.value)
    assert f"There is no file 'chekout.html': looked for {tmp_path / 'chekout.html'}." in message
    assert "Near it there is checkout.html." in message
    assert caught.value.stage == "source"


def test_names_that_are_not_near_are_not_named(tmp_path: Path) -> None:
    (tmp_path / "first.html").write_text(PAGE)

    with pytest.raises(SourceNotFound) as caught:
        read("missing.html", base=tmp_path)

    assert "first.html" not in str(caught.value)


def test_what_was_looked_for_is_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SourceNotFound) as caught:
        read("missing.html", base=Path())

    assert f"looked for {tmp_path / 'missing.html'}" in str(caught.value)


def test_a_missing_folder_names_the_one_that_exists(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="does not exist either") as caught:
        read("generated/v2/checkout.html", base=tmp_path)

    assert f"; {tmp_path} does." in str(caught.value)


def test_a_folder_is_refused_with_the_pages_in_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "home.html").write_text(PAGE)

    with pytest.raises(SourceNotFound, match=r"'site' is a folder, not a page.*such as home\.html"):
        read("site", base=tmp_path)


def test_a_device_is_refused() -> None:
    with pytest.raises(SourceNotFound, match="is not a regular file"):
        read(Path(os.devnull))


def test_a_named_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    make_pipe(tmp_path / "pipe.html")

    with pytest.raises(SourceNotFound, match="is not a regular file"):
        read("pipe.html", base=tmp_path)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a" * 300 + ".html", r" \(File name too long\)\. "),
        ("nul\0.html", r" \(.*null byte\)\. "),
        ("page.html/more.html", r" \(Not a directory\)\. "),
        ("nope.html", r"nope\.html\. "),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_what_the_system_says(
    name: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(PAGE)

    with pytest.raises(SourceNotFound, match=rf"^There is no file .*: looked for .*{why}"):
        read(Path(name), base=tmp_path)


@pytest.mark.parametrize("source", ["localhost:8000/menu", "www.example.org", "127.0.0.1:80"])
def test_an_address_without_scheme_is_told_how_to_be_written(source: str, tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match=f"write http://{source}"):
        read(source, base=tmp_path)


def test_a_file_whose_name_reads_like_prose_is_still_a_file(tmp_path: Path) -> None:
    (tmp_path / "what the model wrote today").write_text(PAGE)

    assert read("what the model wrote today", base=tmp_path).html == PAGE.encode()


@pytest.mark.parametrize("name", ["checkout", "pages/check out.html", "my page of the day.html", "a.b"])
def test_names_without_a_file_are_paths_not_prose(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="There is no file"):
        read(name, base=tmp_path)


# --- sizes


def test_a_file_over_the_limit_names_the_limit_and_the_option(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE + " " * 2000)

    with pytest.raises(InputTooLarge, match=r"the limit is 1,000.*-o design2a11y_max_bytes"):
        read_document("page.html", max_bytes=1000, folders=(tmp_path,))


def test_html_text_over_the_limit_is_refused() -> None:
    with pytest.raises(InputTooLarge, match="The HTML text has 1,0"):
        read_document(PAGE.ljust(1024), max_bytes=1000)


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)

    assert read_document("page.html", max_bytes=len(PAGE), folders=(tmp_path,)).html == PAGE.encode()


# --- input that is not a page


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", b"\0\0"])
def test_an_empty_file_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(EmptyDocument, match=r"page\.html is empty"):
        read_bytes(data, tmp_path)


@pytest.mark.parametrize("text", ["", "  \n "])
def test_empty_text_is_refused(text: str) -> None:
    with pytest.raises(EmptyDocument, match="The HTML text is empty"):
        read(text)


NOT_PAGES: dict[str, tuple[str | bytes, str]] = {
    "refusal": ("I'm sorry, but I can't help with recreating this page.", "reads like a model's refusal"),
    "refusal with typographic apostrophe": ("I can\u2019t assist with that request.", "a model's refusal"),
    "short refusal": ("I can't comply.", "a model's refusal"),
    "refusal in lines": ("As an AI language model,\nI cannot see pictures.\n", "a model's refusal"),
    "plain text": ("Soup of the day: tomato\nBread and butter\n", "is plain text"),
    "talk about tags": ("Use a <header> for the top and\nput <nav> into it.\n", "is plain text"),
    "JSON": (json.dumps({"title": "Soup"}), "is JSON, not a page.*hand over that value, decoded"),
    "JSON list": (json.dumps(["Soup"]), "is JSON"),
    "JSON string": (json.dumps("Soup"), "is JSON"),
    "broken JSON": ('{"html": "<!DOCTYPE html><html', "is JSON"),
    "JSON in a fence": ('```json\n{"title": "<p>hi</p>"}\n```', "is JSON"),
    "escaped HTML": ("&lt;!DOCTYPE html&gt;&lt;html&gt;&lt;body&gt;hi", r"markup escaped.*html\.unescape"),
    "escaped line ends": (PAGE.replace("\n", "\\n"), r"line ends escaped.*json\.loads"),
    "React": (
        "import React from 'react';\nexport default () => (\n<div className='a'>x</div>\n);",
        "component",
    ),
    "React in a fence": ("```jsx\n<div className='a'>x</div>\n```", "component's source code"),
    "style sheet": ("body { color: red }\nmain { margin: 0 }\n", "is plain text"),
    "XML": ("<?xml version='1.0'?><rss><channel/></rss>", "is XML without any HTML element|without any HTML"),
    "unknown tags": ("<soup><bowl>tomato</bowl></soup>", "markup without any HTML element"),
    "SVG": ("<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>", "an SVG picture"),
    "PNG": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a PNG picture"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3", "is a PDF file"),
    "binary": (bytes(range(256)) * 8, "is binary data"),
    "zeros": (b"\0" * 99 + b"\x01", "is binary data"),
}


@pytest.mark.parametrize(("data", "message"), NOT_PAGES.values(), ids=NOT_PAGES.keys())
def test_what_is_no_page_is_refused_by_name(data: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(NotHtml, match=message) as caught:
        read_bytes(data if isinstance(data, bytes) else data.encode(), tmp_path)

    assert caught.value.advice


@pytest.mark.parametrize(
    "name",
    ["refusal", "plain text", "JSON", "escaped HTML", "React in a fence", "unknown tags", "JSON string"],
)
def test_text_that_is_no_page_is_refused_alike(name: str) -> None:
    data, message = NOT_PAGES[name]
    assert isinstance(data, str)

    with pytest.raises(NotHtml, match=message):
        read(data)


def test_a_refusal_quotes_the_start_without_control_characters(tmp_path: Path) -> None:
    with pytest.raises(NotHtml) as caught:
        read_bytes(b"No page \x1b[2J\nhere, " + b"and on " * 99, tmp_path)

    message = str(caught.value)
    assert "It starts with: 'No page [2J here, and on and on" in message
    assert "…'." in message
    assert len(caught.value.what) < 200 + len(str(tmp_path))


# --- a model's raw answer


def test_a_fence_is_stripped_with_a_warning() -> None:
    document = read(f"```html\n{PAGE}\n```")

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    assert codes(document) == ["markdown_fence_stripped"]


@pytest.mark.parametrize(
    "answer",
    [
        f"Here is the page:\n\n```html\n{PAGE}\n```\n\nIt has a heading.",
        f"~~~html\n{PAGE}\n~~~",
        f"````html\n{PAGE}\n````",
        f"```HTML5\r\n{PAGE}\r\n```\r\n",
        f"```\n{PAGE}\n```",
        f"```html {PAGE}```",
        f"1. First:\n   ```html\n{PAGE}\n   ```",
        f"Sure: ```html\n{PAGE}\n```",
        f"{PAGE}\n```\nThis page has a heading.",
        f"{PAGE}\n```",
    ],
)
def test_fences_come_in_many_forms(answer: str) -> None:
    document = read(answer)

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    assert codes(document) == ["markdown_fence_stripped"]


def test_the_longest_html_block_wins() -> None:
    answer = f"""Start with:
```html
<p>Hello</p>
```
then the whole:
```html
{PAGE}
```
and its style:
```css
{"main { margin: 0 }" * 50}
```
"""
    document = read(answer)

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    assert codes(document) == ["markdown_fence_stripped", "several_code_blocks"]
    assert document.warnings[1].count == 3
    assert "not: html (13 bytes), css (" in document.warnings[1].message


def test_a_page_that_shows_fences_of_its_own_is_whole() -> None:
    page = PAGE.replace("Soup", "Write\n<pre>\n```\ncode\n```\n</pre>\nSoup")

    for answer in (page, f"```html\n{page}\n```"):
        document = read(answer)

        assert document.html is not None
        assert document.html.strip() == page.encode()


def test_a_block_cut_off_before_its_fence_closes_is_used() -> None:
    cut = PAGE[: PAGE.index("</h1>")]
    document = read(f"```html\n{cut}")

    assert document.html == cut.encode()
    assert codes(document) == ["markdown_fence_stripped", "truncated_html"]


@pytest.mark.parametrize(
    "answer",
    [
        f"Here is the page you asked for:\n{PAGE}",
        f"{PAGE}\n\nI hope that this helps!",
        f"Here it is:\n\n{PAGE}\n\nTell me if you need changes.",
        f"<think>The page has <b>one</b> heading.</think>\n{PAGE}",
    ],
)
def test_chat_around_a_page_is_dropped_with_a_warning(answer: str) -> None:
    document = read(answer)

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    assert codes(document) == ["chat_text_stripped"]


@pytest.mark.parametrize("lead", ["", "Here it is:\n"])
def test_code_blocks_behind_a_bare_page_are_dropped(lead: str) -> None:
    document = read(f"{lead}{PAGE}\n\nOr, with `main` only:\n\n```html\n<html><p>Soup</p></html>\n```\n")

    assert document.html == PAGE.encode()
    assert codes(document) == [*(["chat_text_stripped"] if lead else []), "markdown_fence_stripped"]


def test_thoughts_before_a_fence_are_dropped() -> None:
    document = read(f"<think>\nWhat of ```html\n<p>x</p>\n```?\n</think>\n```html\n{PAGE}\n```")

    assert document.html is not None
    assert document.html.strip() == PAGE.encode()
    assert codes(document) == ["chat_text_stripped", "markdown_fence_stripped"]


def test_a_fragment_between_words_is_found() -> None:
    document = read("The header:\n<header>\n<h1>Soup</h1>\n</header>\n")

    assert document.html == b"<header>\n<h1>Soup</h1>\n</header>\n"
    assert codes(document) == ["chat_text_stripped"]


def test_stray_characters_before_the_page_stay_since_a_browser_shows_them() -> None:
    document = read(f"9{PAGE}")

    assert document.html == f"9{PAGE}".encode()
    assert codes(document) == ["stray_text"]


@pytest.mark.parametrize(
    "tail", ["<!-- page by soup.example -->", "<script>track('a page')</script>", "\n\n"]
)
def test_markup_behind_the_page_stays(tail: str) -> None:
    document = read(PAGE + tail)

    assert document.html == (PAGE + tail).encode()
    assert document.warnings == ()


def test_a_script_that_writes_markup_line_by_line_is_no_escaped_page() -> None:
    page = PAGE.replace("\n", "").replace("</main>", r"</main><script>a='<p>\n<b>\n</b>\n</p>\n'</script>")

    assert read(page).html == page.encode()


# --- encodings


def page_with(text: str, charset: str = "utf-8") -> str:
    return PAGE.replace("<head>", f"<head><meta charset={charset}>").replace("Soup", text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_byte_order_marks_decide(encoding: str, tmp_path: Path) -> None:
    document = read_bytes(page_with("Crème brûlée").encode(encoding), tmp_path)

    assert document.html is not None
    assert document.html.decode("utf-8-sig") == page_with("Crème brûlée")
    assert document.warnings == ()


def test_utf8_with_a_mark_is_handed_on_unchanged(tmp_path: Path) -> None:
    data = page_with("Crème").encode("utf-8-sig")

    assert read_bytes(data, tmp_path).html == data


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognised(encoding: str, tmp_path: Path) -> None:
    document = read_bytes(PAGE.encode(encoding), tmp_path)

    assert document.html == PAGE.encode()
    assert codes(document) == ["encoding"]


@pytest.mark.parametrize(
    ("declared", "actual"),
    [
        ("utf-8", "windows-1252"),
        ("iso-8859-1", "windows-1252"),
        ("no-such-charset", "windows-1252"),
        ("koi8-r", "koi8-r"),
        ("shift_jis", "shift_jis"),
        ("utf-8", "latin-1"),
    ],
)
def test_other_encodings_are_read_as_declared_else_as_windows_1252(
    declared: str, actual: str, tmp_path: Path
) -> None:
    text = {"koi8-r": "Суп дня", "shift_jis": "本日のスープ"}.get(actual, "Crème brûlée")
    document = read_bytes(page_with(text, declared).encode(actual), tmp_path)

    assert document.html is not None
    assert text in document.html.decode()
    assert codes(document) == ["encoding"]


def test_a_wrong_declaration_over_utf8_bytes_changes_nothing(tmp_path: Path) -> None:
    data = page_with("Crème", "iso-8859-1").encode()
    document = read_bytes(data, tmp_path)

    assert (document.html, document.warnings) == (data, ())


def test_one_damaged_byte_does_not_turn_utf8_into_something_else(tmp_path: Path) -> None:
    document = read_bytes(page_with("Crème brûlée, tôt").encode().replace(b"day", b"d\xffy"), tmp_path)

    assert document.html is not None
    assert "Crème brûlée, tôt" in document.html.decode()
    assert "replacement characters" in document.warnings[0].message


def test_a_lone_surrogate_in_text_is_replaced() -> None:
    document = read(page_with("So\ud800up"))

    assert document.html is not None
    assert "\ufffd" in document.html.decode()
    assert codes(document) == ["encoding"]


def test_a_few_nul_bytes_are_left_to_the_parser(tmp_path: Path) -> None:
    data = PAGE.replace("Soup", "So\0up").encode()

    assert read_bytes(data, tmp_path).html == data


# --- nothing but input may end in a type of its own


@pytest.mark.alike(6)
@pytest.mark.parametrize(
    "unit",
    ["<", '<a b="', "<!--", "a", "```\n", " ", "<a ", "`", "\n", "&lt;", "<style>", "{"],
)
def test_five_megabytes_of_anything_are_judged_in_linear_time(unit: str) -> None:
    text = "<p>" + unit * (4_000_000 // len(unit)) if unit == "a" else unit * (4_000_000 // len(unit))
    start = time.process_time()

    with contextlib.suppress(SourceError):
        read(text)

    assert time.process_time() - start < 5


PIECES = [
    *[
        "<!DOCTYPE html>",
        "<html>",
        "</html>",
        "<body>",
        "<style>",
        "</style>",
        "<script/>",
        "<title>",
        "</title>",
    ],
    *["<p>soup</p>", "<!--", "-->", "<svg>", "<![CDATA[", "```html\n", "\n```\n", "~~~", "Here it is:\n"],
    *[
        "<a href='",
        '"',
        "&lt;html&gt;",
        "\\n",
        "{",
        "</",
        "<think>",
        "</think>",
        "é",
        "\0",
        "\ud800",
        "\ufeff",
    ],
    "I'm sorry",
]


def outcome(text: str) -> Document | SourceError:
    try:
        return read(text)
    except SourceError as error:
        return error


@given(some.lists(some.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_mixture_is_a_document_or_a_named_error(text: str) -> None:
    found = outcome(text)

    if isinstance(found, Document):
        assert found.html or found.url
    else:
        assert found.stage == "source"
        assert found.advice


@given(some.binary(min_size=1, max_size=300).map(lambda data: b"<p>" + data))
@settings(max_examples=300, deadline=None)
def test_any_bytes_end_as_utf8_or_as_a_named_error(data: bytes) -> None:
    try:
        converted, _ = to_utf8(data, "input")
    except NotHtml as error:
        shown = error.advice
    else:
        shown = converted.decode("utf-8")

    assert shown


@pytest.mark.parametrize(
    "name", ["undefined", "a\0b", "hex", "punycode", "unicode_escape", "utf-16", "idna", "x" * 900, "base64"]
)
def test_a_name_that_is_no_encoding_means_windows_1252(name: str, tmp_path: Path) -> None:
    """`undefined` and a NUL in the name ended the whole run."""
    page = tmp_path / "page.html"
    page.write_bytes(f"<!DOCTYPE html><meta charset={name}><p>caf\xe9".encode("latin-1"))

    document = read_document(page, max_bytes=10_000)

    assert "café" in (document.html or b"").decode()
    assert [warning.message for warning in document.warnings if warning.code == "encoding"] == [
        "The input is not UTF-8; it was read as windows-1252."
    ]


@pytest.mark.parametrize(
    "source",
    [
        "~nosuchuser/x",
        "~/x.html",
        "/",
        ".",
        "..",
        "a\0b",
        "\ud800.html",
        "n" * 4_000,
        "x/" * 2_000,
        "?",
        "#",
        "//",
        "\udcff",
    ],
)
def test_a_path_that_cannot_be_is_a_missing_file(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No home folder is known either, as in a container with a user id only."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", _no_user)

    with pytest.raises(SourceError):
        read_document(source, max_bytes=10_000, folders=(tmp_path,))


def _no_user(_: int) -> None:
    raise KeyError("uid not found")


@pytest.mark.parametrize(
    "answer",
    [
        b"Here it is:\n" + b"<div " * 200_000,
        b"<!doctype html><p>x" + b'<a b="' * 200_000,
        b"```\n" * 250_000,
        b"a\n```html\n<!doctype html>\n```\nb\n" * 40_000,
        b"<p>" + b"</html>" * 150_000,
        b"<think>" * 150_000,
        b"> " * 500_000 + b"```",
        b"<div>" * 200_000,
        b"[" * 1_000_000,
    ],
    ids=["tags", "quotes", "fences", "pages", "ends", "thoughts", "quoted", "nested", "json"],
)
def test_a_megabyte_of_anything_is_read_in_a_second(answer: bytes, tmp_path: Path) -> None:
    """Reading is linear in the input, so that ten megabytes, the limit, take seconds."""
    (tmp_path / "answer.html").write_bytes(answer)
    start = time.process_time()

    with contextlib.suppress(SourceError):
        read_document("answer.html", max_bytes=10_000_000, folders=(tmp_path,))

    assert time.process_time() - start < 2


def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    make_pipe(tmp_path / "page.html")

    with pytest.raises(SourceNotFound, match="is not a regular file"):
        read_file(tmp_path / "page.html", LIMIT)


@pytest.mark.parametrize("suffix", [".svelte", ".vue", ".astro", ".tsx", ".mdx", ".hbs"])
def test_a_components_file_is_no_page(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"page{suffix}"
    path.write_text("<main><h1>Hello {name}</h1></main>")

    with pytest.raises(NotHtml, match=r"is a component's source code, not a page.*Build it"):
        read_document(path, max_bytes=1000)


def test_a_design_tools_file_is_to_be_exported(tmp_path: Path) -> None:
    path = tmp_path / "design.fig"
    path.write_bytes(b"fig-kiwi")

    with pytest.raises(NotHtml, match=r"design.fig is a file of Figma.*Export a PNG.*assets figma"):
        read_document(path, max_bytes=1000, is_design=True)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("design.HEIC", b"\0\0\0\x18ftypheic", r"a camera \(HEIC\)"),
        ("design.bmp", b"BM60* and more words in it", r"Windows \(BMP\)"),
        ("design.jxl", b"\xff\x0a\0\0", "JPEG XL"),
    ],
)
def test_a_picture_that_is_not_read_is_to_be_exported(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(NotHtml, match=rf"{name} is a file of {what}\. .*Export a PNG from it\."):
        read_document(path, max_bytes=1000, is_design=True)


@pytest.mark.skipif(os.sep != "/", reason="backslashes separate folders there")
@pytest.mark.parametrize(
    ("source", "written"), [(r"designs\login.html", "designs/login.html"), (r".\a.png", "./a.png")]
)
def test_backslashes_are_no_folders_here(source: str, written: str) -> None:
    with pytest.raises(
        SourceNotFound, match=rf"a backslash is a part of a name; .* slash: {re.escape(written)}"
    ):
        read_document(source, max_bytes=1000)


@pytest.mark.parametrize("text", ["</h ", "<b>y</b>"])
def test_an_answer_of_many_fences_is_read_in_one_way(text: str) -> None:
    """Each page without its end was looked for to the end of the answer: 41 s for 10 MB."""
    block = "```html\n<!doctype html><html><body><p>Words</p>" + text * (19_000 // len(text)) + "\n```\n"
    began = time.process_time()

    read_document(block * 500, max_bytes=10_000_000)

    assert time.process_time() - began < 4
