"""What covers is not what is covered: an element's fill and picture are read from pixels of its own."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.elements import Element

# As Bootstrap 5.3 has them.
BOOTSTRAP = """
body { margin: 0; background: #fff; font: 16px/1.5 sans-serif } * { box-sizing: border-box }
.fixed-bottom { position: fixed; right: 0; bottom: 0; left: 0; z-index: 1030; }
.sticky-top { position: sticky; top: 0; z-index: 1020; }
.modal-backdrop { position: fixed; top: 0; left: 0; z-index: 1050; width: 100vw; height: 100vh;
  background-color: #000; opacity: .5; }
.modal { position: fixed; top: 0; left: 0; z-index: 1055; width: 100%; height: 100%; }
.modal-dialog { position: relative; width: 500px; margin: 100px auto; }
.modal-content { position: relative; background-color: #fff; border: 1px solid #0000002d; border-radius: 8px;
  height: 300px }
.card { position: relative; background-color: #fff; border: 1px solid #0000002d; border-radius: 6px; }
.btn { display: inline-block; padding: 6px 12px; border: 1px solid #0d6efd; background: #0d6efd; color: #fff;
  border-radius: 6px; }
.bg-primary { background-color: #0d6efd } .bg-warning { background-color: #ffc107 }
.carousel-caption { position: absolute; inset: 0; background: rgba(0, 0, 0, .4) }
"""
PHOTO = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{0}'><defs>"
    "<pattern id='p' width='20' height='20' patternUnits='userSpaceOnUse'><rect width='10' height='10' "
    "fill='{1}'/><rect x='10' y='10' width='10' height='10' fill='{2}'/></pattern></defs>"
    "<rect width='{0}' height='{0}' fill='url(%23p)'/></svg>"
)


def photo(*colors: str) -> str:
    return PHOTO.format(400, *colors)


def elements(renderer: Renderer, body: str) -> dict[str, Element]:
    """Return elements by their ids, which are their labels."""
    html = f"<!doctype html><title>x</title><style>{BOOTSTRAP}</style>{body}"
    capture = renderer.capture(Document(label="x", html=html.encode()), role="candidate", audit=None)
    return {one.label: one for one in capture.elements or ()}


BLUE, WHITE, AMBER = (13, 110, 253), (255, 255, 255), (255, 193, 7)


@pytest.mark.parametrize("bar", ["fixed-bottom", "sticky-top"])
def test_a_bar_over_a_panel_leaves_the_panel_its_color(renderer: Renderer, bar: str) -> None:
    place = "margin: -60px 0 0; position: sticky; top: 0" if bar == "sticky-top" else ""
    found = elements(
        renderer,
        f"<div class='bg-primary' aria-label=panel style='height: 700px; margin: 20px'></div>"
        f"<div class='{bar} bg-warning' aria-label=bar style='height: 500px; {place}'>"
        "<a class=btn aria-label=buy href=#>Buy</a></div>",
    )

    assert (found["panel"].fill, found["panel"].is_fill_seen) == (BLUE, True)
    assert (found["bar"].fill, found["bar"].covers, found["buy"].covers) == (AMBER, True, True)
    assert found["panel"].covers is False


def test_a_gradient_has_the_colors_of_its_ends_whatever_lies_on_it(renderer: Renderer) -> None:
    panel = (
        "<div aria-label=panel style='margin: 40px; height: 300px; background: "
        "linear-gradient(90deg, #00c, #c00)'>"
        "<div style='height: 100px; background: #fff; margin: 0 50px' aria-label=card></div></div>"
    )
    first, second = elements(renderer, panel)["panel"].fills

    assert max(abs(one - other) for one, other in zip(first, (0, 0, 204), strict=True)) < 12
    assert max(abs(one - other) for one, other in zip(second, (204, 0, 0), strict=True)) < 12
    assert elements(renderer, panel)["card"].fills == ()


def test_a_dialog_and_its_backdrop_leave_the_page_its_colors(renderer: Renderer) -> None:
    page = (
        "<div class=card aria-label=wide style='margin: 20px; height: 500px; background: #ffc107'></div>"
        "<div class=card aria-label=under style='position: absolute; left: 500px; top: 150px; width: 200px;"
        "height: 100px; background: #ffc107'></div>"
    )
    dialog = (
        "<div class=modal-backdrop></div><div class=modal role=dialog><div class=modal-dialog>"
        "<div class=modal-content aria-label=dialog><button class=btn>Save</button></div></div></div>"
    )
    found = elements(renderer, page + dialog)

    assert (found["wide"].fill, found["wide"].is_fill_seen) == (AMBER, False)
    assert 0.6 < found["wide"].shown < 0.95
    assert "under" not in found
    assert (found["dialog"].fill, found["dialog"].is_fill_seen, found["dialog"].covers) == (WHITE, True, True)
    assert (found["Save"].fill, found["Save"].region) == (BLUE, "dialog")


def test_a_dialog_in_the_top_layer_lies_over_any_z_index(renderer: Renderer) -> None:
    found = elements(
        renderer,
        "<dialog id=d aria-label=dialog style='width: 300px; height: 200px; padding: 0; border: 0'></dialog>"
        "<div aria-label=panel style='position: absolute; z-index: 9999; left: 490px; top: 260px;"
        "width: 220px; height: 400px; background: #0d6efd'></div><script>d.showModal()</script>",
    )

    assert (found["dialog"].fill, found["dialog"].states) == (WHITE, ("open",))
    assert (found["panel"].fill, found["panel"].is_fill_seen) == (BLUE, False)


def test_a_veil_over_a_picture_is_not_the_picture(renderer: Renderer) -> None:
    def picture(veil: str) -> Element:
        body = (
            "<div style='position: relative; width: 400px; height: 300px; margin: 30px'>"
            f"<img aria-label=photo style='width: 400px; height: 300px' src=\"{photo('black', 'tan')}\">"
            f"<div class=carousel-caption style='{veil}'></div></div>"
        )
        return elements(renderer, body)["photo"]

    half = picture("top: 50%")

    assert half.kind == "picture"
    assert (half.thumbnail or ())[:12] == (picture("display: none").thumbnail or ())[:12]
    assert abs(sum((half.thumbnail or ())[-1]) - sum((picture("display: none").thumbnail or ())[-1])) < 30
    # A drawing fits itself into its box.
    assert half.natural_size is None


@pytest.mark.parametrize(("fit", "is_loose"), [("fill", False), ("cover", True), ("contain", True)])
def test_a_picture_tells_its_own_size_and_whether_it_keeps_its_shape(
    renderer: Renderer, fit: str, is_loose: bool
) -> None:
    file = io.BytesIO()
    Image.effect_noise((40, 20), 90).save(file, "PNG")
    source = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    body = f'<img alt=it style="width: 200px; height: 200px; object-fit: {fit}" src="{source}">'

    picture = elements(renderer, body)["it"]

    assert (picture.natural_size, picture.is_loose_fit) == ((40, 20), is_loose)


def test_a_picture_behind_a_half_transparent_button_does_not_recolor_it(renderer: Renderer) -> None:
    def button(source: str) -> Element:
        body = (
            f'<div style="padding: 60px; background: url(&quot;{source}&quot;)">'
            "<button class=btn style='opacity: .65' aria-label=send>Send</button></div>"
        )
        return elements(renderer, body)["send"]

    first, second = button(photo("black", "navy")), button(photo("white", "tan"))

    assert first.fill == second.fill
    assert (first.is_fill_seen, second.is_fill_seen) == (False, False)


@pytest.mark.parametrize(
    ("style", "is_on_top"),
    [
        pytest.param("position: relative", True, id="placed over what is not"),
        pytest.param("position: relative; z-index: -1", False, id="behind"),
        pytest.param("opacity: .99", True, id="a stacking context"),
        pytest.param("transform: translate(0)", True, id="moved"),
        pytest.param("float: left; width: 100%", True, id="floating over blocks"),
        pytest.param("display: flow-root", False, id="in the order of the document"),
    ],
)
def test_what_is_painted_later_covers(renderer: Renderer, style: str, is_on_top: bool) -> None:
    up = "margin-top: -200px"
    found = elements(
        renderer,
        f"<div aria-label=first style='height: 200px; background: #0d6efd; {style}'></div>"
        f"<div aria-label=second style='height: 200px; background: #ffc107; {'' if 'float' in style else up}"
        "'></div><div style='clear: both; height: 300px'></div>",
    )
    name, color = ("first", BLUE) if is_on_top else ("second", AMBER)

    assert list(found) == [name]
    assert max(abs(one - other) for one, other in zip(found[name].fill, color, strict=True)) <= 3


def test_a_picture_of_one_color_is_a_box_of_that_color(renderer: Renderer) -> None:
    flat = photo("tan", "tan").replace("url(%23p)", "%23ffc107")
    size = "width: 200px; height: 150px; display: block; margin: 20px"
    picture = elements(renderer, f'<img alt=it style="{size}" src="{flat}">')["it"]
    box = elements(renderer, f'<div aria-label=it style="{size}; background: #ffc107"></div>')["it"]

    assert (picture.kind, picture.box, picture.fill, picture.has_fill) == (
        box.kind,
        box.box,
        box.fill,
        box.has_fill,
    )
