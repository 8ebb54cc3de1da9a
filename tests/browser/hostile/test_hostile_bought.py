"""Text that nobody sees buys no score, whatever is painted beside, behind or above it."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.models.page import Capture, Document
from studies.trials.attack_table import BARS, make_tricks, row, score

DOCUMENTATION = Path(__file__).parents[3] / "studies" / "attacks.md"


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
    blocks = find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0]

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
        "One picture fills 90% of the page: words that it shows are not read as text, and do not count."
    ]
    assert warned(lost) == []


PICTURE = _bars(0, 255)
# What hides a text or paints over it, and what does not.
WORDS = "<p class=own>A few words here</p>"
HIDES = {
    "first line": "<style>p::first-line { color: #0000 }</style>" + WORDS,
    "below its ground": f"<div style='background: #fff'><div style='position: relative; z-index: -1'>{WORDS}",
    "containment": f"<div style='contain: paint; height: 1px'>{WORDS}",
    "turned and cut off": f"<div style='rotate: 45deg; overflow: hidden; height: 2px'>{WORDS}",
    "shape of a border": f"<div style='border-shape: circle(2px); overflow: hidden'>{WORDS}",
    "notched corners": f"<div style='border-radius: 50%; corner-shape: notch; overflow: hidden'>{WORDS}",
    "plain box": f"{WORDS}<div style='position: absolute; inset: 0; background: #fff'></div>",
    "plain box before it": f"<div style='position: absolute; inset: 0; background: #fff'></div>{WORDS}",
    "dialog": f"{WORDS}<dialog open style='position: absolute; inset: 0; margin: 0; width: 90%'></dialog>",
    "player": f"{WORDS}<audio controls style='position: absolute; inset: 0'></audio>",
    "list box": f"{WORDS}<select size=9 style='position: absolute; inset: 0; width: 300px'></select>",
    "outline inside": f"{WORDS}<p style='outline: 99px solid #fff; outline-offset: -99px'>x</p>",
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


@pytest.mark.slow
def test_text_is_read_where_its_own_painting_is_seen(renderer: Any) -> None:
    def is_read(html: str) -> bool:
        page = f"<!doctype html><title>Case</title><style>.own {{ margin: 9px }}</style>{html}"
        document = Document(label="x", html=page.encode())
        captured = renderer.capture(document, role="candidate", audit=None, finds_elements=False)
        return any(run.text == "A few words here" for run in captured.text_runs)

    assert [name for name, html in HIDES.items() if is_read(html)] == []
    assert [name for name, html in SHOWS.items() if not is_read(html)] == []


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
        assert row(trick, own, seen) in documented, "Run `python -m studies.trials.attack_table`."
