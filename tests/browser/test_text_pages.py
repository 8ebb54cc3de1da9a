"""What a person sees on a page is what its blocks say: one page a case under tests/pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.blocks import find_published_blocks, find_seen_text
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.visual import Block

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

PAGES = Path(__file__).parents[1] / "pages"
CASES = sorted(folder.name for folder in PAGES.iterdir())
PIXELS = 3
LEVELS = 6


def captured(renderer: Renderer, html: bytes) -> Capture:
    return renderer.capture(Document(label="page", html=html), role="reference", audit=None)


def found_in(capture: Capture) -> tuple[Block, ...]:
    return find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0]


def expectation(case: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((PAGES / case / "expected.json").read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("case", CASES)
def test_blocks_are_what_a_person_sees(renderer: Renderer, case: str) -> None:
    expected = expectation(case)

    capture = captured(renderer, (PAGES / case / "page.html").read_bytes())
    blocks, (width, height) = found_in(capture), capture.page_size

    assert [block.text for block in blocks] == expected["blocks"], expected["about"]
    by_text = {block.text: block for block in blocks}
    for text, box in expected.get("boxes", {}).items():
        x, y, w, h = by_text[text].box
        assert (x * width, y * height, w * width, h * height) == pytest.approx(box, abs=PIXELS)
    for text, color in expected.get("colors", {}).items():
        assert by_text[text].color == pytest.approx(color, abs=LEVELS)
    if "published" in expected:
        published = find_published_blocks(text_runs=capture.text_runs, screenshot=capture.screenshot)
        assert [block.text for block in published] == expected["published"], (
            "as the published code finds them"
        )


def test_a_script_that_reads_a_frame_twice_finds_the_same(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content(
        "<style>b::before {content: 'Now '}</style><h1>Tea</h1><ul><li>Green<li>Black</ul><b>Order</b>"
        "<button>Buy</button><div style='height: 20px; overflow: auto'>"
        "<p>In sight<p>Out of sight<p>For now</div>"
    )
    question = {
        "owningTags": ["h1", "li", "b", "p"], "isMain": True, "isAudited": True, "unserved": [],
        "firstOwner": 0, "findsElements": True, "height": 800, "generated": [],
    }  # fmt: skip
    script = f"question => {{ const text = {namespace_of('capture/text/read_text.js')};"
    first, second = page.evaluate(
        script + " return [text.readText(question), text.readText(question)] }", question
    )
    page.close()

    assert [run["text"].strip() for run in first["runs"]][:3] == ["Tea", "Green", "Black"]
    assert first["candidates"]
    assert first["unseen"]
    assert first["fonts"]
    assert second == first
