"""Markup that nobody sees changes nothing: a page written otherwise that looks the same is the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.accessibility.delivered import Delivered
from pytest_design2a11y.measuring.checks import delivered_text
from pytest_design2a11y.measuring.measures import Work, measure_visual
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

DESIGNS = Path(__file__).parents[2] / "examples" / "designs"
# Every letter begins at a whole pixel, so that words of several nodes stand where those of one do.
WHOLE = "<style>* { font-family: 'Liberation Mono', monospace; font-size: 20px; line-height: 30px }</style>"
PAGE = f"""<!doctype html><html lang=en><meta charset=utf-8><title>Harbour</title>{WHOLE}<style>
body {{ margin: 20px; width: 1200px }} .row {{ display: flex; gap: 12px }} td {{ padding: 4px }}
strong, b {{ font-weight: bold }} em, i {{ font-style: italic }}
</style><body><main><h1>Harbour office</h1>
<p>The boats leave at <strong>noon</strong> and the crew goes <em>home</em> at five, as it has for years.</p>
<p>Order NL-20418 was roasted on <a href=#a>Tuesday</a> and comes to <strong>12.40 euros</strong>.</p>
<div class=row><span>Name</span><span>Pieces</span><span>Price</span></div>
<table><tr><td>Kettle</td><td>2</td><td>19 euros</td></tr>
<tr><td>Pan</td><td>1</td><td>35 euros</td></tr></table>
<ul><li>First of them</li><li>Second of them</li></ul><p><button>Send it</button></p></main></body></html>"""

_TEXT = re.compile(r">([^<>]*\w[^<>]*)<(?!/(?:style|title|script|option|textarea))")


def within_texts(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return what changes the texts of a page's body, and leaves its tags as they are."""

    def rewritten(html: str) -> str:
        head, start, body = html.partition("<body")
        return head + start + _TEXT.sub(lambda found: f">{change(found[1])}<", body)

    return rewritten


def with_tags(html: str, **others: str) -> str:
    for tag, other in others.items():
        style = " style='font-weight: bold'" if tag == "strong" and other != "b" else ""
        style = " style='font-style: italic'" if tag == "em" and other != "i" else style
        html = re.sub(rf"<{tag}>(.*?)</{tag}>", rf"<{other}{style}>\1</{other}>", html)
    return html


def some_words_in(before: str, after: str) -> Callable[[str], str]:
    chance = Random(7)

    def change(text: str) -> str:
        return re.sub(
            r"\w+", lambda word: f"{before}{word[0]}{after}" if chance.random() < 0.4 else word[0], text
        )

    return within_texts(change)


REWRITES: dict[str, Callable[[str], str]] = {
    "b for strong, i for em": lambda html: with_tags(html, strong="b", em="i"),
    "spans with a style": lambda html: with_tags(html, strong="span", em="span"),
    "comments before tags": lambda html: re.sub(
        r"(?<=\w)<(?!/(?:style|title|script|option|textarea))", "<!-- a --><", html
    ),
    "spans around words": some_words_in("<span>", "</span>"),
    "comments within texts": some_words_in("<!-- a -->", "<!-- b -->"),
    "an empty tag within texts": some_words_in("<wbr>", ""),
    "a no-break space": within_texts(
        lambda text: text.replace(" of ", "&nbsp;of ").replace(" at ", "&nbsp;at ")
    ),
    "a wrapper": lambda html: html.replace("<main>", "<main><div>").replace("</main>", "</div></main>"),
    "wrapped lines": within_texts(lambda text: text.replace(" ", "\n   ")),
    "another block": lambda html: html.replace("<p>", "<div style='margin: 1em 0'>").replace(
        "</p>", "</div>"
    ),
    "one text for several": lambda html: re.sub(
        r"<li>(.*?)</li>",
        r"<li><span>\1</span></li>",
        html.replace("<td>", "<td><b style='font-weight: normal'>"),
    ),
}


ON_ANY_PAGE = (
    *("b for strong, i for em", "comments before tags", "spans around words"),
    *("comments within texts", "wrapped lines", "a no-break space"),
)
SHARED = sorted((Path(__file__).parents[3] / "shared" / "corpus" / "references").glob("*5.html"))
DIVIDING = {"spans around words", "comments within texts", "an empty tag within texts"}


def captured(
    renderer: Renderer, html: str, audit: AuditChoice | None = None, folder: Path = DESIGNS
) -> Capture:
    document = Document(label="page", html=html.encode(), folder=str(folder))
    return renderer.capture(document, role="candidate", audit=audit)


def change(design: Capture, page: Capture) -> int:
    """Return the largest change of a pixel, in levels of 255."""
    first, second = (capture.screenshot.pixels.astype(int) for capture in (design, page))
    assert first.shape == second.shape
    return int(abs(first - second).max())


@pytest.mark.parametrize("name", REWRITES)
def test_a_page_written_otherwise_is_the_same(renderer: Renderer, name: str) -> None:
    written = REWRITES[name](PAGE)
    assert written != PAGE
    design, page = captured(renderer, PAGE), captured(renderer, written)
    most = change(design, page)

    score = measure_visual(design, page, settings=Settings())

    # Words of several text nodes are rounded otherwise than those of one, by a quarter of a pixel.
    assert most == 0 or (name in DIVIDING and most <= 72)
    assert score.fidelity == pytest.approx(1.0, abs=1e-4 if most else 0)
    assert {one.severity for one in score.differences} <= ({"minor"} if most else set())


@pytest.mark.parametrize("design", ["signup", "landing", "dashboard"])
def test_so_is_a_design_with_all_of_it(renderer: Renderer, design: str) -> None:
    html = (DESIGNS / f"{design}.html").read_text(encoding="utf-8").replace("</head>", f"{WHOLE}</head>")
    written = html
    for rewrite in ("comments before tags", "wrapped lines"):
        written = REWRITES[rewrite](written)
    pages = captured(renderer, html), captured(renderer, written)
    assert written != html
    assert change(*pages) == 0

    score = measure_visual(*pages, settings=Settings())

    assert (score.fidelity, score.differences) == (1.0, ())


@pytest.mark.slow
@pytest.mark.parametrize("path", SHARED[:3] or [None], ids=lambda path: path and "-".join(path.parts[-2:]))
def test_where_no_pixel_changes_nothing_is_told(renderer: Renderer, path: Path | None) -> None:
    if path is None:
        pytest.skip("no designs in ../shared")
    html = path.read_text(encoding="utf-8", errors="replace")
    design = captured(renderer, html, folder=path.parent)
    told = {}
    for name in ON_ANY_PAGE:
        page = captured(renderer, REWRITES[name](html), folder=path.parent)
        if page.page_size == design.page_size and change(design, page) == 0:
            score = measure_visual(design, page, settings=Settings())
            told[name] = (score.fidelity, *map(in_words, score.differences))

    assert told == dict.fromkeys(told, (1.0,))
    assert told


def test_lines_that_other_elements_write_too_stay_one_paragraph(renderer: Renderer) -> None:
    lines = "<s>for</s> row <s>in</s> rows:\n    <s>print</s>(row)\n<s>print</s>(rows)".replace("s>", "span>")
    office = "<section><strong>Harbour office</strong></section>"
    page = f"<!doctype html><title>x</title>{WHOLE}<div><pre>{lines}</pre>{office}</div>"
    design, written = (captured(renderer, html) for html in (page, with_tags(page, strong="b")))
    assert change(design, written) == 0

    score = measure_visual(design, written, settings=Settings())

    assert (score.fidelity, score.typography, score.differences) == (1.0, 1.0, ())


def test_as_much_of_it_is_delivered(renderer: Renderer) -> None:
    faint = PAGE.replace("<h1>", "<h1 style='color: #aaa'>")
    written = REWRITES["spans around words"](REWRITES["b for strong, i for em"](faint))
    design = captured(renderer, faint)
    pages = [captured(renderer, html, AuditChoice()) for html in (faint, written)]

    parts = [delivered_text(Work(page, design, Settings())) for page in pages]

    values = [part.value for part in parts if isinstance(part, Delivered)]
    assert values == [values[0]] * 2
    assert values[0] < 1.0


def test_what_is_seen_is_told_beside_it(renderer: Renderer) -> None:
    written = REWRITES["b for strong, i for em"](PAGE)

    changed, alone = (
        measure_visual(captured(renderer, PAGE), captured(renderer, html), settings=Settings())
        for html in (written.replace("35 euros", "53 euros"), PAGE.replace("35 euros", "53 euros"))
    )

    assert changed.differences == alone.differences
    assert changed.fidelity == alone.fidelity
    assert changed.score < alone.score
