"""What was not loaded is named with what follows: a picture keeps its box, a script leaves out its icons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

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


#: Outlines of icons, by name.
ICONS = {
    "house": "M3 10 L12 3 L21 10 V20 H3 Z",
    "mail": "M2 5 h20 v14 h-20 z M2 5 l10 8 l10 -8",
    "search": "M10 3 a7 7 0 1 0 .1 0 M15 15 l6 6",
    "user": "M12 4 a4 4 0 1 0 .1 0 M4 21 c0-8 16-8 16 0",
}
MENU = """<!doctype html><html lang=en><meta charset=utf-8><title>Menu</title>{head}
<style>body {{ margin: 20px; font: 16px/1.5 sans-serif }} ul {{ list-style: none; padding: 0 }}
li {{ {row}; padding: 6px }}</style><h1>Harbor office</h1><ul>{items}</ul></html>"""
DRAWN = """<svg width=24 height=24 viewBox="0 0 24 24" fill=none stroke=navy><path d="{}"/></svg>"""
IN_A_ROW = "display: flex; gap: 8px; align-items: center"
SCRIPT = "<script src='https://cdn.example/icons@1/icons.js'></script>"
SHEET = "<link rel=stylesheet href=icons/icons.css>"


def menu(renderer: Renderer, icon: str, head: str = "", row: str = IN_A_ROW) -> Capture:
    """Capture a list of links, each after an icon of its name and outline."""
    items = "".join(f"<li>{icon.format(path, name=name)} {name.title()}</li>" for name, path in ICONS.items())
    document = Document(label="menu", html=MENU.format(head=head, row=row, items=items).encode())
    return replace(renderer.capture(document, role="candidate", audit=None), document=document)


@pytest.mark.parametrize(
    ("head", "row", "cause"),
    [
        (SCRIPT, IN_A_ROW, "script cdn.example/…/icons.js was not loaded (blocked)"),
        (SCRIPT, "display: block", "script cdn.example/…/icons.js was not loaded (blocked)"),
        (SHEET, IN_A_ROW, "style sheet icons/icons.css was not loaded (its file is missing)"),
    ],
)
def test_icons_that_a_file_would_have_drawn_follow_from_it(
    renderer: Renderer, head: str, row: str, cause: str
) -> None:
    design = menu(renderer, DRAWN, row=row)

    first, *rest = told(design, menu(renderer, "<i data-icon={name}></i>", head, row))

    icon, _, end = in_words(first).partition(" and 3 more are missing: ")
    assert icon.startswith("icon ")
    assert end == cause
    assert first.severity == "serious"
    assert {one.property for one in rest} <= {"appearance"}  # No label moved by itself.


def test_icons_that_nothing_stands_for_do_not_follow_from_a_file(renderer: Renderer) -> None:
    design = menu(renderer, DRAWN)

    first, *_ = told(design, menu(renderer, "", SCRIPT))

    assert in_words(first).endswith(" and 3 more are missing")


def test_an_unstyled_page_names_the_style_sheet_that_was_not_loaded(renderer: Renderer) -> None:
    cards = "<style>li { border: 1px solid navy; background: #eef; margin: 9px; border-radius: 9px }</style>"
    design = menu(renderer, "", cards)
    bare = MENU.replace("font: 16px/1.5 sans-serif", "").replace("padding: 6px", "")
    head = "<link rel=stylesheet href=https://cdn.example/style.css>"
    items = "".join(f"<li>{name.title()}</li>" for name in ICONS)
    document = Document(label="menu", html=bare.format(head=head, row="color: black", items=items).encode())
    page = replace(renderer.capture(document, role="candidate", audit=None), document=document)

    first, *_ = told(design, page)

    assert first.property == "style"
    assert in_words(first).endswith(": style sheet cdn.example/style.css was not loaded (blocked)")
