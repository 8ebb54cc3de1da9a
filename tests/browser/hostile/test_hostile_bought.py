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

from pytest_design2a11y.blocks import find_blocks
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.models.page import Capture, Document
from studies.attack_table import make_tricks, row, score

DOCUMENTATION = Path(__file__).parents[3] / "studies" / "attacks.md"


def _bars(dark: int, light: int) -> str:
    """Give the address of a picture of upright bars, which letters could be."""
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

    assert warned(image) == [
        "One picture fills 90% of the page: words that it shows are not text, and count as none."
    ]
    assert warned(lost) == []


@pytest.mark.slow
def test_no_trick_scores_more_than_the_page_without_what_nobody_sees(renderer: Any) -> None:
    design, tricks = make_tricks(renderer)
    documented = DOCUMENTATION.read_text(encoding="utf-8")

    for trick in tricks:
        own, seen = (score(renderer, design, html) for html in (trick.html, trick.seen))
        # White text may wipe out a picture's words, which changes what is behind.
        assert own <= seen + 0.01, trick.name
        assert row(trick, own, seen) in documented, "Run `python -m studies.attack_table`."
