"""Text that nobody sees buys no score, whatever is painted beside, behind or above it."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.blocks import find_blocks
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.capture.text.doubts import decoys_of, doubtful
from pytest_design2a11y.capture.text.read_text import OWNING_TAGS, _runs, _script
from pytest_design2a11y.models.page import Capture, Document
from trials.attack_table import BARS, make_tricks, painted_elsewhere, row, score

DOCUMENTATION = Path(__file__).parents[3] / "studies" / "attacks.md"

GIVEN = [list(OWNING_TAGS), True, True, [], 0, True]


def _bars(dark: int, light: int) -> str:
    """Return the address of a picture of upright bars, which letters could be."""
    pixels = np.full((40, 300, 3), light, dtype=np.uint8)
    pixels[8:32, 4::10] = pixels[8:32, 5::10] = pixels[8:32, 6::10] = dark
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"


STYLE = f"""<!doctype html><html lang=en><title>Case</title><style>
.cell {{ position: relative; width: 300px; height: 40px; margin: 5px; background: url({_bars(0, 255)}) }}
.cell.calm {{ background: url({_bars(90, 60)}) }}
p {{ position: absolute; inset: 0; margin: 0; font: 20px/40px sans-serif; white-space: nowrap }}
.before::before {{ content: "seen generated" }} .calm {{ color: #fff }}
svg {{ position: absolute; fill: #fff }}
input {{ position: absolute; font: inherit; color: inherit; background: none }}
</style>"""

# How a text is hidden: a style, or what lies on it.
HIDDEN = [
    "opacity: .03",
    "clip-path: path('M0 0')",
    "mask-image: linear-gradient(transparent, transparent)",
    "mix-blend-mode: darken; color: #fff",
    "filter: opacity(.01)",
    "transform: rotateY(180deg); backface-visibility: hidden",
    "-webkit-text-fill-color: rgb(0 0 0 / 3%)",
    "color: transparent; background: linear-gradient(#0000, #0000) text",
    "color: transparent; -webkit-text-stroke: 1px rgb(0 0 0 / 3%)",
    "font-size: 1px",
    "opacity: .04; transition: all 3s",
    "opacity: .3; filter: opacity(.1)",
    "scale: 0",
    "transform: scaleX(.001)",
    "rotate: y 90deg",
    "zoom: .01",
    "visibility: collapse",
    "content-visibility: hidden",
    "clip: rect(0 0 0 0)",
    "translate: -9999px",
    "text-indent: -999px; overflow: hidden",
    "mask: radial-gradient(#0000, #0000)",
    "filter: contrast(0) opacity(.02)",
    "color: color-mix(in srgb, #000 3%, transparent)",
    "height: 0; overflow: clip",
    "width: 0; overflow: hidden",
]
LID = f"<img alt='' src='{_bars(0, 255)}' style='position: absolute'>"
COVERED = f"<div class=cell><p>hidden under</p>{LID}</div>"
FAINT = "<p style='opacity: .04'>hidden stacked</p>"
STACKED = f"<div class=cell style='background: none'>{FAINT}<p>seen stacked</p></div>"

SEEN = [
    "<p>seen plainly</p>",
    "<p style='color: #ff0 !important; -webkit-text-stroke: 1px #ff0'>seen stroked</p>",
    "<p style='color: transparent; background: linear-gradient(#fff, #fed) text'>seen filled</p>",
    "<p style='opacity: .6'>seen through</p>",
    "<p style='transition: all 3s'>seen soon</p>",
    "<p class=before></p>",
    "<svg width=300 height=40><text y=26 font-size=20>seen drawn</text></svg>",
    "<input value='seen typed'>",
    "<input placeholder='seen hint' style='background: #333'>",
    "<p style='writing-mode: vertical-rl; font: 12px sans-serif'>seen</p>",
]


@pytest.fixture(scope="module")
def capture(renderer: Any) -> Capture:
    tricks = [f'<div class=cell><p style="{css}">hidden by {css}</p></div>' for css in HIDDEN]
    honest = [f"<div class='cell calm'>{body}</div>" for body in SEEN]
    html = f"{STYLE}<div>{''.join([*tricks, COVERED, STACKED, *honest])}</div>"
    captured: Capture = renderer.capture(
        Document(label="x", html=html.encode()), role="candidate", audit=None
    )
    return captured


def test_text_counts_where_its_own_painting_is_seen(capture: Capture) -> None:
    blocks = find_blocks(text_runs=capture.text_runs, screenshot=capture.screenshot)

    expected = [re.sub(r"<[^>]*?(?:value|placeholder)='([^']*)'[^>]*>|<[^>]*>", r"\1", body) for body in SEEN]
    assert [block.text for block in blocks] == [
        "seen stacked",
        *(text or "seen generated" for text in expected),
    ]


def test_a_page_is_left_as_it_was_after_its_text_was_hidden(chromium: Any) -> None:
    page = chromium.new_page()
    cell = "<div class='cell calm'><p style='transition: all 3s; text-shadow: 1px 1px red'>seen</p></div>"
    page.set_content(f"{STYLE}{cell}<p style='inset: 60px 0'>stacked</p><p style='inset: 60px 0'>on it</p>")
    before = page.content(), page.screenshot()

    captured = capture_page(page, role="candidate", audit=None)

    assert "seen" in [run.text for run in captured.text_runs]
    assert (page.content(), page.screenshot()) == before
    assert page.evaluate("document.adoptedStyleSheets.length") == 0
    page.close()


def test_a_page_that_is_mostly_one_picture_says_so(renderer: Any) -> None:
    def warned(html: str) -> list[str]:
        document = Document(label="x", html=f"<!doctype html><title>x</title><h1>Shown</h1>{html}".encode())
        found = renderer.capture(document, role="candidate", audit=None).warnings
        return [each.message for each in found if each.code == "mostly_picture"]

    whole = "style='position: absolute; inset: 0; width: 100%; height: 90%'"
    image = f"<img alt='' src='{_bars(0, 255)}' {whole}>"
    lost = f"<img alt='' src='gone.png' {whole}><div style='background: url(gone.png)'>{'x<br>' * 35}</div>"

    drawing = f"<svg viewBox='0 0 9 9' {whole}><path d='M0 0h9v9'/>{{}}</svg>"

    assert warned(drawing.format("<text y='5' font-size='2'>Read</text>")) == []
    assert len(warned(drawing.format(""))) == 1
    assert warned(image) == [
        "One picture fills 90% of the page: words that it shows are not text, and count as none."
    ]
    assert warned(lost) == []


PICTURE = _bars(0, 255)
# What paints where no box of an element tells, beside what the table of attacks has.
ELSEWHERE = {
    **painted_elsewhere(PICTURE),
    "a first line": f"<style>p::first-line {{ background: url({PICTURE}) }}</style><p>x</p>",
    "a dialog's backdrop": f"<style>::backdrop {{ background: url({PICTURE}) }}</style>"
    "<dialog id=box>x</dialog><script>box.showModal()</script>",
    "generated list marker": f"<style>i::before {{ content: ''; display: list-item;"
    f" list-style-image: url({PICTURE}) }}</style><i></i>",
    "a picture's shadow": f"<img alt='' src='{PICTURE}' style='filter: drop-shadow(0 300px #000)'>",
    "a black box": "<i style='width: 99px; height: 9px; background: #000; left: 7px; top: 7px'></i>",
    "a column's rule": "<div style='columns: 9; column-rule: 9px solid'>x</div>",
    "a thick line": "<p style='text-decoration: underline 9px'>x</p>",
    "a far line": "<p style='text-decoration: underline; text-underline-offset: 99px'>x</p>",
    "small generated bars": "<style>i::before { content: ''; display: block; width: 5px; height: 7px;"
    " background: #000 }</style>" + "<i></i>" * 21,
    "content beyond its box": f"<div style='content: url({PICTURE}); width: 9px; object-fit: none'></div>",
    "a rule in a layer": "<style>@layer a { p { &::first-letter { background: red } } }</style>",
    "an adopted sheet": "<script>const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet];"
    f"sheet.replaceSync('p::first-line {{ background: url({PICTURE}) }}')</script>",
    "a shadow root's sheet": "<p><template shadowrootmode=open><style>b::first-line { background: red }"
    "</style></template></p>",
    "a document's outline": "<iframe style='outline: 9px solid; outline-offset: 99px'></iframe>",
}
PLAIN = """<style>li::marker { color: red } ::selection { background: red } p::before { content: "x" }
::placeholder { color: red } a { text-decoration: underline }</style><ul><li>x</ul><p><a href=x>x</a>
<input placeholder=x><img alt='' src=x.png><svg width=9 height=9><path d="M0 0h9v9z" /></svg>"""


def decoys(page: Any, html: str) -> tuple[list[list[float]], bool]:
    """Return the boxes of what could be taken for text, and whether there is more of it anywhere."""
    page.evaluate("document.adoptedStyleSheets = []")
    page.set_content(f"<!doctype html><title>Case</title>{html}")
    answer = page.evaluate(f"(given) => ({_script()})(...given)", GIVEN)
    return [box for _, *box, _, _ in answer["decoys"]], answer["isAnywhere"]


def test_what_paints_beyond_every_box_is_looked_for_everywhere(chromium: Any) -> None:
    page = chromium.new_page()
    placed = {
        "a picture in 100 tiles": [0, 0, 128, 72],
        "the page's ground": [0, 0, 1280, 720],
        "bars that are shadows": [60, 118, 600, 30],
        "bars that are outlines": [244, 117, 132, 32],
        "a black box": [7, 7, 99, 9],
        "a document's outline": None,
    }

    for name, html in ELSEWHERE.items():
        boxes, is_anywhere = decoys(page, f"<style>i, div, svg, img {{ position: absolute }}</style>{html}")
        if name not in placed:
            assert is_anywhere, name
        elif placed[name]:
            assert placed[name] in boxes, (name, boxes)
        else:
            assert any(width > 400 for _, _, width, _ in boxes), (name, boxes)
    assert decoys(page, PLAIN)[1] is False
    page.close()


# What hides a text, or paints over it, where no box says that something other than the text is painted.
WORDS = "<p class=own>A few words here</p>"
SIGN = f"<i></i>{WORDS}"
GENERATED = "<style>i::before { content: '' }"
HIDES = {
    "first line": "<style>p::first-line { color: #0000 }</style>" + WORDS,
    "first letter": "<style>@layer a { p { &:first-letter { -webkit-text-fill-color: #0000 } } }</style>"
    + WORDS,
    "content of details": "<style>::details-content { opacity: .03 }</style><details open>" + WORDS,
    "below its ground": f"<div style='background: #fff'><div style='position: relative; z-index: -1'>{WORDS}",
    "containment": f"<div style='contain: paint; height: 1px'>{WORDS}",
    "turned and cut off": f"<div style='rotate: 45deg; overflow: hidden; height: 2px'>{WORDS}",
    "round and cut off": f"<div style='border-radius: 50%; overflow: hidden'>{WORDS}",
    "stroke": f"<div style='-webkit-text-stroke: 1px #fff'>{WORDS}",
    "anchor out of sight": f"<div style='position: fixed; position-anchor: --gone'>{WORDS}",
    "no room at its anchor": f"<div style='position: absolute; position-visibility: no-overflow'>{WORDS}",
    "shape of a border": f"<div style='border-shape: circle(2px); overflow: hidden'>{WORDS}",
    "notched corners": f"<div style='border-radius: 30px; corner-shape: notch; overflow: hidden'>{WORDS}",
    "palette": f"<div style='font-palette: dark'>{WORDS}",
    "translucent": f"<div style='opacity: .3'>{WORDS}",
    "translucent colour": f"<div style='color: rgb(0 0 0 / 30%)'>{WORDS}",
    "plain box": f"{WORDS}<div style='position: absolute; inset: 0; background: #fff'></div>",
    "plain box before it": f"<div style='position: absolute; inset: 0; background: #fff'></div>{WORDS}",
    "dialog": f"{WORDS}<dialog open style='position: absolute; inset: 0; margin: 0; width: 90%'></dialog>",
    "player": f"{WORDS}<audio controls style='position: absolute; inset: 0'></audio>",
    "list box": f"{WORDS}<select size=9 style='position: absolute; inset: 0; width: 300px'></select>",
    "own menu": f"{WORDS}<select style='appearance: base-select'><option>x</select>",
    "marker of words": f"{WORDS}<i style='display: list-item; list-style: \"nnnn\"'></i>",
    "marker of a block": f"{WORDS}<i style='display: list-item; position: absolute; inset: 0;"
    " font-size: 99px;"
    ' list-style: inside "\u2588"\'></i>',
    "content of markers": f"<style>i {{ display: list-item }} i::marker {{ content: 'nn' }}</style>{SIGN}",
    "marks above letters": f"{WORDS}<p style='text-emphasis: \"n\"'>x</p>",
    "hyphens": f"{WORDS}<p style='hyphenate-character: \"nnnn\"'>x</p>",
    "lines between rows": f"{WORDS}<p style='display: grid; row-rule: 2px solid'>x</p>",
    "columns of a table": f"{WORDS}<table><col style='background: red'><tr><td>x</table>",
    "collapsed borders": f"{WORDS}<table style='border-collapse: collapse; border: 9px solid'><td>x</table>",
    "outline inside": f"{WORDS}<p style='outline: 99px solid #fff; outline-offset: -99px'>x</p>",
    "lines through blanks": f"<p style='position: absolute; margin: 0; inset: 0; text-decoration: underline'>"
    f"{'&nbsp;' * 99}</p>{WORDS}",
    "inline generated box": f"{GENERATED} i::before {{ padding: 99px; background: #fff }}</style>{SIGN}",
    "generated border": f"{GENERATED} i::before {{ display: block; border: 99px solid #fff }}</style>{SIGN}",
    "generated shadow": f"{GENERATED} i::before {{ display: block; width: 5px; height: 5px; color: #fff;"
    f" box-shadow: 0 0 0 99px; background: red }}</style>{SIGN}",
    "near shadow": f"<p style='text-shadow: 0 14px'>x</p>{WORDS}",
    "selection": f"{WORDS}<script>getSelection().selectAllChildren(document.body)</script>",
}
SHOWS = {
    "plain": WORDS,
    "list": f"<ul><li>x<li>{WORDS}</ul><ol><li>x</ol>",
    "on its ground": f"<div style='background: #eee; padding: 9px; border-radius: 9px'>{WORDS}</div><p>x</p>",
    "controls": f"{WORDS}<input value=x><button>x</button><select><option>x</select><input type=checkbox>",
    "table": f"<table style='border-collapse: collapse'><tr><td style='border: 1px solid'>{WORDS}</table>",
    "moved": f"<div style='transform: translate(9px, 9px) scale(2); transform-origin: 0 0'>{WORDS}</div>",
    "links": f"<a href=x>\n<u> {WORDS} </u></a>",
    "placed": f"<div style='position: absolute; top: 9px; border-radius: 9px; overflow: hidden'>{WORDS}",
}


def test_a_text_that_may_be_hidden_is_doubtful(chromium: Any) -> None:
    page = chromium.new_page()
    world: Any = SimpleNamespace(offset=(0.0, 0.0), clip=None)

    def is_doubtful(html: str) -> bool:
        """Return whether the words are looked at twice, or not taken for text in the first place."""
        page.set_content(f"<!doctype html><title>Case</title><style>.own {{ margin: 9px }}</style>{html}")
        answer = page.evaluate(f"(given) => ({_script()})(...given)", GIVEN)
        found = list(_runs(answer, world, (1280, 720)))
        doubts = doubtful(found, decoys_of([answer], [(0.0, 0.0)]))
        return not any(one.run.text == "A few words here" for at, one in enumerate(found) if at not in doubts)

    assert [name for name, html in HIDES.items() if not is_doubtful(html)] == []
    assert [name for name, html in SHOWS.items() if is_doubtful(html)] == []
    page.close()


SMEARED = [
    "filter: blur(5px)",
    "-webkit-text-stroke: 5px",
    "letter-spacing: -.55em",
    "transform: scaleX(.05)",
    "font-size: 4px",
]


def test_text_that_is_smeared_is_no_text(renderer: Any) -> None:
    smeared = "".join(f"<div style='{css}'>never read this</div>" for css in SMEARED)
    legible = (
        "<div style='-webkit-text-stroke: 5px #fff; paint-order: stroke; filter: blur(1px)'>read this</div>"
    )
    turned = "<div style='rotate: 90deg; width: 90px'>and this</div>"
    html = f"{STYLE}<div style='font: 20px sans-serif'>{smeared}{legible}{turned}</div>"
    document = Document(label="x", html=html.encode())

    found = renderer.capture(document, role="candidate", audit=None).text_runs

    assert [run.text for run in found] == ["read this", "and this"]


def test_letters_that_a_font_draws_alike_are_no_text(renderer: Any) -> None:
    face = f"@font-face {{ font-family: bars; src: url({BARS}) }}"
    html = f"""{STYLE}<style>{face}</style>
    <div>read this</div><div style='font: 20px bars'>never read this</div>
    <div style='font: 20px bars'>III</div>"""
    document = Document(label="x", html=html.encode())
    captured = renderer.capture(document, role="candidate", audit=None)

    assert [run.text for run in captured.text_runs] == ["read this", "III"]


@pytest.mark.slow
def test_no_trick_scores_more_than_the_page_without_what_nobody_sees(renderer: Any) -> None:
    design, tricks = make_tricks(renderer)
    documented = DOCUMENTATION.read_text(encoding="utf-8")

    for trick in tricks:
        own, seen = (score(renderer, design, html) for html in (trick.html, trick.seen))
        # White text may wipe out a picture's words, which changes what is behind.
        assert own <= seen + 0.01, trick.name
        assert row(trick, own, seen) in documented, "Run `python -m trials.attack_table`."
