"""A picture whose host was refused keeps its box, and is told as not loaded; nothing else follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings.values import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.visual import Difference

STRIPES = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>"
    "<rect width='30' height='20' fill='navy'/><circle cx='9' cy='9' r='7' fill='gold'/></svg>"
)
PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>Harbor</title>
<style>body {{ margin: 20px; font: 16px/1.5 sans-serif }}</style>
<h1>Harbor office</h1><div><img src="{src}" {written}></div>
<p>Tickets are sold on board, and at the kiosk near the bridge.</p></html>"""


def captured(renderer: Renderer, src: str, written: str) -> Capture:
    document = Document(label="page", html=PAGE.format(src=src, written=written).encode())
    return renderer.capture(document, role="candidate", audit=None)


def told(design: Capture, page: Capture) -> list[Difference]:
    return [*measure_visual(design, page, settings=Settings()).differences]


@pytest.mark.parametrize(
    "written",
    [
        "alt=Harbor width=300 height=183",
        "alt=Harbor style='width: 300px; height: 183px'",
        "alt='' width=300 height=183",
        "alt=Harbor style='display: block' width=300 height=183",
    ],
)
def test_a_refused_picture_is_told_as_not_loaded_at_its_size(renderer: Renderer, written: str) -> None:
    design = captured(renderer, STRIPES, written)

    page = captured(renderer, "https://pictures.example/harbor.png", written)

    [picture] = [element for element in page.elements or () if element.kind == "picture"]
    assert picture.box[2:] == (300, 183)
    assert page.page_size == design.page_size
    first, *rest = told(design, page)
    assert in_words(first).endswith("was not loaded (blocked)")
    assert first.severity == "critical"
    assert {one.property for one in rest} <= {"appearance"}


def test_one_that_neither_page_could_load_is_no_difference(renderer: Renderer) -> None:
    written = "alt=Harbor width=300 height=183"
    design = captured(renderer, "https://pictures.example/harbor.png", written)

    assert told(design, captured(renderer, "https://pictures.example/pier.png", written)) == []


def test_a_file_that_the_site_lacks_is_told_as_missing(renderer: Renderer) -> None:
    written = "alt='' width=300 height=183"
    design = captured(renderer, STRIPES, written)

    first, *_ = told(design, captured(renderer, "harbor.png", written))

    assert in_words(first).endswith("was not loaded (its file is missing)")


def test_without_a_given_size_it_is_its_text_as_in_a_browser(renderer: Renderer) -> None:
    page = captured(renderer, "https://pictures.example/harbor.png", "alt='Boats at the pier'")

    assert [element for element in page.elements or () if element.kind == "picture"] == []
