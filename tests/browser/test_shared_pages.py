"""Pages that run no script share a browser page: each is captured as if it were alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pytest_design2a11y.capture import renderer as renderer_module
from pytest_design2a11y.capture.browser import pages
from pytest_design2a11y.capture.browser.processes import command_line, descendants, kill
from pytest_design2a11y.capture.page import frozen, screenshot
from pytest_design2a11y.capture.page.markup import language_of
from pytest_design2a11y.exceptions import EmptyDocument, MemoryLimit, RenderTimeout
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Document, Site

if TYPE_CHECKING:
    from pytest_design2a11y.capture.browser.pages import PagePool
    from pytest_design2a11y.capture.renderer import Renderer

HEAD = "<!doctype html><html lang=en><title>Case</title>"
#: It shows what may be left, and may share a page.
LATER = HEAD + (
    "<style>a:visited { color: red } i { animation: turn 1s } @keyframes turn { to { rotate: 9deg } }"
    "html:hover { background: red }</style>"
    "<h1>Later</h1><img src=shown.png><a href=/>Start</a> <a href=>Here</a><i>Turning</i>"
    "<img srcset='shown.png 1x, other.png 2x'><picture><source media='(min-height: 900px)' srcset=other.png>"
    "<img src=shown.png></picture>"
    "<details><summary>More</summary>Told</details><input autofocus placeholder=Name>"
)
#: It has what no page may share, for itself or after others.
RISKY = LATER + (
    "<style>@media (max-device-width: 1000px) { h1 { color: red } }</style>\u2713 \u2764 \u6b7b \U0001f1e9"
)
#: Characters that not every font has, each drawn in one way.
ODD = "\u2192 \u2713 \u2605 \u2601 \u2764 \u6b7b \U0001f4bb"
#: The language that is told of a document with such characters, and nothing else.
ONE_WAY = "" if sys.platform == "linux" else None
#: What comes before it on the same page.
BEFORE = {
    "other-language": HEAD.replace("en", "ja") + "<h1>\u6b7b \u2713</h1>",
    "same-picture": HEAD + "<h1>Before</h1><img src=shown.png>",
    "same-address-scrolled": HEAD + "<h1>Before</h1><p style='height: 5000px'><input autofocus value=typed>",
    "view-transition": HEAD + "<style>@view-transition { navigation: auto }</style><h1>Before</h1>",
    "language-within": HEAD + "<h1 lang=ja>\u6b7b</h1>",
    "emoji": HEAD + "<h1>\u2764\ufe0f \u2713\ufe0f</h1>",
    "emoji-reference": HEAD + "<h1>&#x2764;&#65039;</h1>",
    "emoji-style": HEAD + "<style>h1::after { content: '\\2764\\FE0F' }</style><h1>Before</h1>",
    "emoji-variant-in-short": HEAD + "<style>h1 { font-variant: emoji }</style><h1>\u2764</h1>",
    "flag": HEAD + "<h1>\U0001f1e9\U0001f1ea</h1>",
    "emoji-variant": HEAD + "<style>h1 { font-variant-emoji: emoji }</style><h1>\u2764</h1>",
    "locale": HEAD + "<style>h1 { -webkit-locale: 'ja' }</style><h1>\u6b7b</h1>",
    "same-font-name": HEAD
    + "<style>@font-face { font-family: serif; src: local(Arial) }</style><h1>Before</h1>",
    "leaving": HEAD + "<meta http-equiv=refresh content='0; url=/other'><h1>Before</h1>",
    "tall": HEAD + "<h1 style='height: 300vh'>Before</h1>",
    "clipped": HEAD + "<h1 style='height: 20000px'>Before</h1>",
    "marquee": HEAD + "<marquee>Before</marquee><h1>Before</h1>",
    "fragment": HEAD + "<base href='#there'><h1 id=there>Before</h1>",
}


def document(html: str, folder: Path | None = None) -> Document:
    return Document(label="<html>", html=html.encode(), folder=None if folder is None else str(folder))


def captured(renderer: Renderer, html: str, folder: Path | None = None) -> Capture:
    return renderer.capture(document(html, folder), role="candidate", audit=AuditChoice())


def seen(capture: Capture) -> dict[str, Any]:
    assert capture.image is not None
    return {**vars(capture), "image": capture.image.png, "seconds": 0.0}


def contexts(renderer: Renderer) -> list[Any]:
    pages: PagePool = renderer._browsers.get(is_hermetic=True).pages
    return pages.browser.contexts


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two sites, each with another picture under the same address."""
    folder = tmp_path_factory.mktemp("sites")
    for name, color in (("first", "red"), ("second", "blue")):
        (folder / name).mkdir()
        Image.new("RGB", (40, 30), color).save(folder / name / "shown.png")
        Image.new("RGB", (20, 70), "green").save(folder / name / "other.png")
    return folder / "first", folder / "second"


@pytest.fixture(scope="module")
def alone(make_renderer: Callable[..., Renderer], folders: tuple[Path, Path]) -> dict[str, dict[str, Any]]:
    """What is captured of each later page where none came before it."""
    return {html: seen(captured(make_renderer(is_fresh=True), html, folders[1])) for html in (LATER, RISKY)}


@pytest.fixture(scope="module")
def used(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer that every page before has used."""
    return make_renderer(is_fresh=True)


@pytest.mark.alike(1)
@pytest.mark.parametrize("name", BEFORE)
def test_a_page_shows_nothing_of_the_one_before(
    used: Renderer, folders: tuple[Path, Path], alone: dict[str, Any], name: str
) -> None:
    used.capture(document(BEFORE[name], folders[0]), role="candidate", audit=None)

    for html in (LATER, RISKY, LATER):
        assert seen(captured(used, html, folders[1])) == alone[html]


def test_a_character_is_drawn_in_the_same_font_after_other_pages(
    make_renderer: Callable[..., Renderer],
) -> None:
    later = HEAD + f"<p>{ODD} <b style='font-family: monospace'>{ODD}</b>"
    alone = seen(captured(make_renderer(is_fresh=True), later))
    used = make_renderer(is_fresh=True)
    for style in ("italic 700 30px serif", "9px monospace"):
        captured(used, HEAD + f"<h1 style='font: {style}'>{ODD}</h1>")

    assert seen(captured(used, later)) == alone


@pytest.mark.parametrize("address", ["/#there", "/"])
def test_a_page_that_is_shown_from_a_place_on_it_is_loaded_all_the_same(
    renderer: Renderer, address: str
) -> None:
    captured(renderer, HEAD + "<h1 id=there>Before</h1>")

    for told in ("First", "Second"):
        there = replace(document(HEAD + f"<h1 id=there>{told}</h1>"), site=Site(address=address))
        shown = renderer.capture(there, role="candidate", audit=None)
        assert [run.text for run in shown.text_runs] == [told]


def test_no_mouse_lies_on_a_page(renderer: Renderer) -> None:
    html = "<!doctype html><style>:hover { background: red }</style><p id=heard>Heard: <script>"
    html += "addEventListener('mouseover', () => heard.append('mouse'), true)</script>"

    shown = captured(renderer, html)

    assert shown.screenshot.pixels[20, 600].tolist() == [255, 255, 255]
    assert [run.text for run in shown.text_runs] == ["Heard:"]


@pytest.mark.parametrize("is_painted", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_page_that_goes_on_is_not_shared(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch, is_painted: bool
) -> None:
    def shot(*_: Any, seconds: float, **__: Any) -> bytes:
        time.sleep(seconds)
        raise RenderTimeout("The page could not be painted.", stage="screenshot")

    if not is_painted:
        monkeypatch.setattr(screenshot, "shot", shot)

    renderer = make_renderer(is_fresh=True, timeout=6.0)
    shown = captured(renderer, HEAD + "<h1>Before</h1>")

    assert (shown.image_error is None) == is_painted
    assert bool(contexts(renderer)) == is_painted


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("", id="shared"),
        pytest.param("<script>1</script>", id="beside", marks=pytest.mark.slow),
    ],
)
def test_a_page_that_others_leave_too_little_memory_is_tried_again(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    captured(renderer, HEAD + "<h1>First</h1>")
    failures = [MemoryLimit("Too much.", stage="freeze")]

    def full(*given: Any) -> Any:
        if failures:
            raise failures.pop()
        return frozen(*given)

    monkeypatch.setattr(renderer_module, "frozen", full)
    again = captured(renderer, HEAD + "<h1>Second</h1>" + more)

    assert [run.text for run in again.text_runs] == ["Second"]
    assert [warning.code for warning in again.warnings] == ["retried"]


def test_pages_without_scripts_share_one_context_until_it_is_renewed(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_VISITS", 5)
    renderer = make_renderer(is_fresh=True)
    captured(renderer, HEAD + "<h1>First</h1>")
    (shared,) = contexts(renderer)

    captured(renderer, HEAD + "<h1>Second</h1>")
    assert contexts(renderer) == [shared]

    for number in range(2, 5):
        assert contexts(renderer) == [shared]
        renderer.capture(document(HEAD + f"<h1>{number}</h1>"), role="candidate", audit=None)
    assert contexts(renderer) == []


@pytest.mark.slow
def test_what_may_leave_something_has_a_page_for_itself(
    make_renderer: Callable[..., Renderer], folders: tuple[Path, Path]
) -> None:
    renderer = make_renderer(is_fresh=True)
    (folders[0] / "shown.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><text y=9>x</text></svg>")

    for html, is_kept in (
        ("<h1>Scripted</h1><script>1</script>", False),
        ("<h1>Leaving</h1><meta http-equiv=refresh content='0; url=/other'>", False),
        ("<h1>Shown</h1><img src=shown.svg>", False),
        ("<h1>Shown</h1><img src=shown.png>", True),
    ):
        captured(renderer, HEAD + html, folders[0])

        # Where a page is not kept, the next one may have been opened ahead.
        shown = [page.url for context in contexts(renderer) for page in context.pages]
        assert any(address.startswith("http") for address in shown) == is_kept, html


def test_a_page_that_fails_is_not_shared_any_further(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(is_fresh=True)
    captured(renderer, "<!doctype html><h1>First</h1>")

    with pytest.raises(EmptyDocument):
        captured(renderer, "<!doctype html>")

    assert contexts(renderer) == []
    assert captured(renderer, "<!doctype html><h1>Second</h1>").text_runs[0].text == "Second"


@pytest.mark.slow
@pytest.mark.parametrize("is_noticed", [pytest.param(True, marks=pytest.mark.slow), False])
def test_a_renderer_that_ends_while_it_waits_costs_no_page(
    make_renderer: Callable[..., Renderer], is_noticed: bool
) -> None:
    renderer = make_renderer(is_fresh=True)
    first = captured(renderer, HEAD + "<h1>First</h1>")
    browser = renderer.browser_process_id()
    assert browser is not None
    for process in descendants(browser):
        if "--type=renderer" in command_line(process):
            kill(process)
    if is_noticed:
        captured(renderer, HEAD + "<h1>Scripted</h1><script>1</script>")

    again = captured(renderer, HEAD + "<h1>First</h1>")

    assert (again.image, again.text_runs, again.audits) == (first.image, first.text_runs, first.audits)
    assert [warning.code for warning in again.warnings] == ([] if is_noticed else ["retried"])


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<p>x", ""),
        ("<html lang='en-GB'><p>x", "en-gb"),
        ("<html class=a lang=de><p lang=de>x", "de"),
        ("<html><p lang=de>x", None),
        ("<html lang=de><p lang=en>x", None),
        ("<p>x<script></script>", None),
        ("<html xml:lang=de><p>x", None),
        ("<html xml:lang=de lang=en><p>x", "en"),
        ("<svg><text xml:lang=de>x", None),
        ("<p>\u2013 \u2019 \u2026 \u2022 \u20ac \xe9", ""),
        ("<p>\u2605 \u2764 \u6b7b \ue001 \U0001f4bb", ONE_WAY),
        ("<p>\u2764\ufe0f", None),
        ("<p>\U0001f1e9\U0001f1ea", None),
        ("<p style='font-variant: small-caps emoji'>\u2764", None),
        ("<p style='font-variant-emoji: text'>\u2764", None),
        ("<p style='font-variant: small-caps'>Text", ""),
        ("<img src=x.svg>", ""),
        ("<meta name=viewport content='width=device-width'>", ""),
        ("<style>@media (min-device-width: 9px) { p { color: red } }</style>", None),
        ("<style>@media (width<=device-width) { p { color: red } }</style>", None),
        ("<p>&zwj;", None),
        ("<p>\U0001f44d\U0001f3fd", None),
        (r"<style>p::after { content: '\01f44d\1F3FD' }</style>", None),
        ("<link rel=stylesheet href=x.css>", None),
        ("<style>@\\69mport 'x.css'</style>", None),
        ("<style>p::after { content: '\\2713' }</style>", ONE_WAY),
        ("<style>p::after { content: '\\2022' }</style>", ""),
    ],
)
def test_a_document_of_one_language_that_asks_for_nothing_else_is_told_apart(
    html: str, language: str | None
) -> None:
    assert language_of(html.encode()) == language
