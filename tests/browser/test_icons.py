"""Icons are seen as small pictures, whatever draws them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.elements import Element
    from pytest_design2a11y.models.page import Capture

ICONS = Path(__file__).parent.parent / "apps" / "cdn" / "icons"
HEAD = """<!doctype html><title>x</title><link rel=stylesheet href=icons.css>
<style>body { margin: 20px; font: 16px sans-serif } a { color: #0d6efd }</style>"""
STAR = (
    "<svg viewBox='0 0 16 16' width=16 height=16><path d='M8 0l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z' {}/></svg>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in ICONS.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def capture(renderer: Renderer, body: str, folder: Path | None = None) -> Capture:
    own = None if folder is None else str(folder)
    return renderer.capture(Document("x", (HEAD + body).encode(), folder=own), role="candidate", audit=None)


def icons(renderer: Renderer, body: str, folder: Path | None = None) -> list[Element]:
    return [one for one in capture(renderer, body, folder).elements or () if one.kind == "icon"]


def test_a_glyph_of_an_icon_font_is_an_icon_of_the_link_that_it_stands_in(
    renderer: Renderer, folder: Path
) -> None:
    (icon,) = icons(renderer, '<a href=/ aria-label="Your basket"><i class=house></i></a>', folder)

    assert (icon.tag, icon.role, icon.label) == ("i::before", "link", "Your basket")
    assert icon.fill == (13, 110, 253)
    assert 24 < icon.box[2] <= 32
    assert len(icon.texture or ()) == 576
    assert len(icon.thumbnail or ()) == 36


def test_a_lost_font_or_another_glyph_is_another_icon(renderer: Renderer, folder: Path) -> None:
    body = '<a href=/><i class="{}"></i> Home</a>'
    (house,) = icons(renderer, body.format("house"), folder)
    (gear,) = icons(renderer, body.format("gear"), folder)
    (folder / "icons.woff2").unlink()
    (lost,) = icons(renderer, body.format("house"), folder)

    def difference(one: Element, other: Element) -> float:
        pairs = zip(one.texture or (), other.texture or (), strict=True)
        return sum(abs(first - second) for first, second in pairs) / 576

    assert difference(house, gear) > 20
    assert difference(house, lost) > 20
    assert icons(renderer, body.format("nothing"), folder) == []


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(STAR.format("fill='red'"), id="an inline SVG"),
        pytest.param(
            "<span style=\"display: block; width: 16px; height: 16px; background: url('data:image/svg+xml,"
            "<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2216%22 height=%2216%22><path fill=%22red%22 "
            "d=%22M8 0l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z%22/></svg>')\"></span>",
            id="a background image",
        ),
        pytest.param(
            "<span style=\"display: block; width: 16px; height: 16px; background: red; mask: url('data:image/"
            "svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2216%22 height=%2216%22><path "
            "d=%22M8 0l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z%22/></svg>')\"></span>",
            id="a mask",
        ),
        pytest.param("<span style='font-size: 16px; color: red'>\N{BLACK STAR}</span>", id="a symbol"),
    ],
)
def test_icons_are_icons_whatever_draws_them(renderer: Renderer, drawing: str) -> None:
    (icon,) = icons(renderer, drawing)

    assert icon.fill == (255, 0, 0)
    assert max(icon.box[2:]) <= 16


def test_a_star_that_is_filled_is_not_one_that_is_empty(renderer: Renderer) -> None:
    full, empty = "fill='#e0a100'", "fill=none stroke='#e0a100'"
    stars = icons(renderer, "".join(STAR.format(one) for one in (full, full, empty)))

    assert len(stars) == 3
    assert stars[0].texture == stars[1].texture != stars[2].texture
    assert sum(stars[2].texture or ()) > sum(stars[0].texture or ()) + 576 * 10


def test_the_mark_of_a_control_is_an_icon_in_a_box(renderer: Renderer) -> None:
    """As Bootstrap draws its menus and boxes to tick."""
    arrow = (
        "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22>"
        "<path fill=%22none%22 stroke=%22black%22 stroke-width=%222%22 d=%22m2 5 6 6 6-6%22/></svg>"
    )
    style = (
        "appearance: none; width: 240px; height: 38px; border: 1px solid #dee2e6; border-radius: 6px;"
        f"background: #fff url('{arrow}') no-repeat right 12px center / 16px 12px"
    )
    page = capture(renderer, f'<select style="{style}" aria-label=Country><option>Chile</select>')

    assert [(one.kind, one.tag, one.role, one.value) for one in page.elements or ()] == [
        ("box", "select", "combobox", "Chile"),
        ("icon", "select", "combobox", "Chile"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<ul style='list-style: none'><li style='{} 0 center / 16px; padding-left: 24px'>Free delivery</ul>",
        "<p>Read <a href=# style='{} 100% 50% / 16px; padding-right: 20px'>all of it</a> here</p>",
        "<select style='appearance: none; border: 0; width: 240px; height: 38px; {} right center / 16px'>"
        "<option>Chile</select>",
    ],
    ids=["before an item", "after a link", "in a bare menu"],
)
def test_the_words_beside_an_icon_of_the_background_are_no_part_of_it(renderer: Renderer, body: str) -> None:
    tick = (
        "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 16 16%22>"
        "<path fill=%22none%22 stroke=%22%23080%22 stroke-width=%223%22 d=%22m2 8 4 5 8-10%22/></svg>"
    )

    (icon,) = icons(renderer, body.replace("{}", f'background: url("{tick}") no-repeat'))

    assert max(icon.box[2:]) <= 16
    assert icon.fill == (0, 136, 0)


def test_words_and_bullets_are_no_icons(renderer: Renderer) -> None:
    body = "<ul><li>one</ul><p>add home menu<p>12 * 3 = 36<p>50 %"

    assert icons(renderer, body) == []


def test_texts_stay_as_they_are_beside_icons(renderer: Renderer, folder: Path) -> None:
    page = capture(renderer, "<a href=/><i class=house></i> Home</a><p>\N{BLACK STAR} Best", folder)

    assert [run.text for run in page.text_runs] == ["Home", "\N{BLACK STAR} Best"]


def test_a_glyph_on_a_photograph_is_as_large_as_its_ink(renderer: Renderer, folder: Path) -> None:
    noise = np.random.default_rng(1).integers(20, 120, (40, 200, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "photo.png")
    body = "<div style='background: {} 0 0 / 200px 40px; width: 200px; color: #fff'><i class=house></i></div>"
    (plain,) = icons(renderer, body.format("#333"), folder)
    (icon,) = icons(renderer, body.format("url(photo.png)"), folder)

    assert icon.box == pytest.approx(plain.box, abs=1)
    assert icon.fill == (255, 255, 255)


@pytest.mark.parametrize("color", ["rgb(33 37 41 / 0.75)", "rgb(33 37 41); opacity: 0.75"])
def test_a_thin_glyph_has_its_own_color_wherever_between_pixels_it_stands(
    renderer: Renderer, color: str
) -> None:
    place = "<p style='position: absolute; top: 40px; left: {}px; font-size: 13px; color: {}'>©</p>"

    fills = {icons(renderer, place.format(left, color))[0].fill for left in (20, 20.3, 20.5)}

    assert fills == {(88, 92, 94)}  # 255 - 0.75 * (255 - 33), ...
