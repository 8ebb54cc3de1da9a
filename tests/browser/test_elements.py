"""What a page shows besides its text is found where it shows, whatever its styles say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.elements import DesignBlocks, DesignShape, DesignText, Element, Font
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT, PageState, Viewport
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.picture import write_blocks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

SQUARE = (
    "url(&quot;data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    "<rect width='9' height='9' fill='{}'/></svg>&quot;)"
)
RED = SQUARE.format("red")
IMAGE = RED.replace("&quot;", '"')
PANEL = "position: absolute; left: 30px; top: 30px; width: 300px; height: 120px;"
LID = (
    "<p style='position: absolute; left: 0; top: 0; margin: 0; width: 500px; height: {}px; background: #eee'>"
)


def document(body: str) -> Document:
    html = f"<!doctype html><title>x</title><style>body {{ margin: 0 }}</style>{body}"
    return Document(label="x", html=html.encode())


def capture(renderer: Renderer, body: str, **more: Any) -> Capture:
    return renderer.capture(document(body), role="candidate", **{"audit": None, **more})


def told(element: Element) -> tuple[str, str, tuple[int, ...], str]:
    marks = "F" * element.has_fill + "B" * element.has_border + "S" * element.has_shadow
    return element.kind, element.tag, tuple(round(side) for side in element.box), marks


def found(renderer: Renderer, body: str) -> list[tuple[str, str, tuple[int, ...], str]]:
    return [told(element) for element in capture(renderer, body).elements or ()]


WHOLE = (30, 30, 300, 120)


def beside(bodies: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """One page with all of these, each in a place of its own; and where the places begin."""
    places = [(400 * (number % 3), 300 * (number // 3)) for number in range(len(bodies))]
    started = (f'<div style="position: absolute; left: {x}px; top: {y}px">' for x, y in places)
    return "".join(f"{start}{body}</div>" for start, body in zip(started, bodies, strict=True)), places


PANELS: dict[str, tuple[str, tuple[str, tuple[int, ...], str] | None]] = {
    "a fill": ("background: red", ("box", WHOLE, "F")),
    "a pale fill": ("background: #fbfbfb", ("box", WHOLE, "F")),
    "a gradient": ("background: linear-gradient(red, blue)", ("box", WHOLE, "F")),
    "a border": ("border: 1px solid #ccc; box-sizing: border-box", ("box", WHOLE, "B")),
    "a ring of shadow": ("box-shadow: 0 0 0 1px #ccc", ("box", (29, 29, 302, 122), "B")),
    "an outline": ("outline: 2px solid red", ("box", (28, 28, 304, 124), "B")),
    "dashes": ("border: 1px dashed #888; box-sizing: border-box", ("box", WHOLE, "B")),
    "a border image": (
        "border: 4px solid; border-image: linear-gradient(red, blue) 1",
        ("box", (30, 30, 308, 128), "B"),
    ),
    "a shadow": ("box-shadow: 0 1px 3px rgb(0 0 0 / .1)", ("box", WHOLE, "S")),
    "a line of shadow": ("box-shadow: 0 1px 0 #ccc", ("line", (30, 150, 300, 1), "")),
    "a border below": ("border-bottom: 1px solid #ddd", ("line", (30, 150, 300, 1), "")),
    "dots below": ("border-bottom: 1px dotted #888", ("line", (30, 150, 300, 1), "")),
    "two borders": ("border-block: 1px solid #ddd", ("box", (30, 30, 300, 122), "B")),
    "round corners": ("background: red; border-radius: 60px", ("box", WHOLE, "F")),
    "clipped": ("background: red; clip-path: inset(20px)", ("box", (50, 50, 260, 80), "F")),
    "a triangle": ("background: red; clip-path: polygon(50% 0, 100% 100%, 0 100%)", ("box", WHOLE, "F")),
    "made smaller by a transform": ("background: red; scale: .5", ("box", (105, 60, 150, 60), "F")),
    "a background image of one colour": (f"background: {RED}", ("box", WHOLE, "F")),
    "a fill like its ground": ("background: white", None),
    "next to transparent": ("background: red; opacity: .03", None),
    "blended away": ("background: white; mix-blend-mode: multiply", None),
    "hidden": ("background: red; visibility: hidden", None),
    "without a box": ("background: red; display: contents", None),
    "a border like its ground": ("border: 1px solid white", None),
    "a shadow like its ground": ("box-shadow: 0 1px 3px white", None),
}


def test_a_panel_is_what_its_pixels_show(renderer: Renderer) -> None:
    body, places = beside([f'<div style="{PANEL} {style}"></div>' for style, _ in PANELS.values()])

    elements = {(kind, box, marks) for kind, _, box, marks in found(renderer, body)}

    expected = {
        name: (kind, (left + x, top + y, width, height), marks)
        for (name, (_, shown)), (x, y) in zip(PANELS.items(), places, strict=True)
        if shown is not None
        for kind, (left, top, width, height), marks in [shown]
    }
    assert {name for name, one in expected.items() if one not in elements} == set()
    assert elements <= set(expected.values())


@pytest.mark.parametrize(("left", "expected"), [(-100, [("box", (0, 30, 200, 120), "F")]), (-900, [])])
def test_a_panel_shows_as_far_as_it_is_on_the_page(
    renderer: Renderer, left: int, expected: list[tuple[str, tuple[int, ...], str]]
) -> None:
    panel = f'<div style="{PANEL} background: red; left: {left}px"></div>'

    assert [(kind, box, marks) for kind, _, box, marks in found(renderer, panel)] == expected


def test_what_is_covered_counts_as_far_as_it_shows(renderer: Renderer) -> None:
    panel = f"<div style='{PANEL} background: red'></div>"

    assert found(renderer, panel + LID.format(400)) == [("box", "p", (0, 0, 500, 400), "F")]
    partly = capture(renderer, panel + LID.format(90)).elements or ()
    assert [told(element)[2] for element in partly] == [(30, 90, 300, 60), (0, 0, 500, 90)]
    assert partly[0].fill == (255, 0, 0)


CONTROLS = """<p style="margin: 40px"><input type=checkbox> <input type=checkbox checked> <input type=radio>
    <input> <input type=range> <input type=color> <select><option>a</select> <textarea></textarea>
    <progress value=.5></progress> <meter value=.5></meter> <button>Go</button>"""


@pytest.mark.parametrize("size", [9, 12])
def test_a_small_round_badge_has_its_own_colour_beside_its_text(renderer: Renderer, size: int) -> None:
    style = f"display: inline-block; padding: 2px 3px; border-radius: 99px; font: bold {size}px/1 sans-serif"
    body = f"<span style='{style}; background: #e74a3b; color: #fff'>7</span>"
    (badge,) = capture(renderer, body).elements or ()

    assert (badge.kind, badge.fill) == ("box", (231, 74, 59))


def test_native_controls_are_boxes(renderer: Renderer) -> None:
    tags = ("checkbox", "checkbox", "radio", "text", "range", "color")

    assert [(kind, tag) for kind, tag, _, _ in found(renderer, CONTROLS)] == [
        *(("box", f"input[type={kind}]") for kind in tags),
        *(("box", tag) for tag in ("select", "textarea", "progress", "meter", "button")),
    ]


def test_a_control_that_shows_nothing_is_not_there(renderer: Renderer) -> None:
    body = "<input style='appearance: none; border: 0; margin: 40px; background: none' value=x>"

    assert found(renderer, body) == []


PAINTS_NOTHING = [
    "background: #0000; border: 1px solid #0000",
    "background: #ffffff05; outline: 1px solid #0000",
    "background: linear-gradient(#0000, #fff0); box-shadow: 0 0 9px #0000",
    "backdrop-filter: blur(0)",
]


@pytest.mark.parametrize("tag", ["div", "button", "input", "textarea"])
def test_what_paints_nothing_is_not_there_whatever_shows_through_it(renderer: Renderer, tag: str) -> None:
    """Of a picture of the whole design, such boxes would be its buttons and fields."""
    below = f"<p style='{PANEL} margin: 0; background: red'></p>"
    plain = PANEL if tag == "div" else f"{PANEL} border: 0; background: none;"
    body, places = beside([f"{below}<{tag} style='{plain} {style}'></{tag}>" for style in PAINTS_NOTHING])

    assert found(renderer, body) == [("box", "p", (30 + x, 30 + y, 300, 120), "F") for x, y in places]


def test_pictures_are_trimmed_to_what_shows(renderer: Renderer) -> None:
    body = """<p style="margin: 40px"><svg width=50 height=50><circle cx=25 cy=25 r=15 fill=green /></svg>
    <svg width=50 height=50><circle cx=25 cy=25 r=20 fill=white /></svg>"""

    (element,) = capture(renderer, body).elements or ()

    assert told(element) == ("icon", "svg", (50, 50, 30, 30), "")
    thumbnail = element.thumbnail or ()
    assert len(thumbnail) == 36
    assert thumbnail[14] == (0, 128, 0)
    assert thumbnail[0] != (0, 128, 0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "<button style='background: #06c; border: 0; padding: 10px; display: block'>"
            "<svg width=16 height=16><path d='M0 0L16 8L0 16Z' fill=white /></svg></button>",
            [("box", "button", "F"), ("icon", "svg", "")],
            id="an icon in a button",
        ),
        pytest.param(
            f'<ul style="list-style-image: {RED}"><li>one<li>two</ul>',
            [("box", "li::marker", "F")] * 2,
            id="list markers",
        ),
        pytest.param(
            "<style>p::before { content: ''; display: block; width: 40px; height: 9px; background: red }"
            "h2::after { content: ''; display: block; width: 60px; height: 3px; background: red }</style>"
            "<p>x</p><h2>Title</h2>",
            [("box", "p::before", "F"), ("line", "h2::after", "")],
            id="pseudo-elements",
        ),
        pytest.param(
            "<div><template shadowrootmode=open><p style='height: 9px; background: red'></template></div>"
            "<div><template shadowrootmode=closed><p style='height: 9px; background: tan'></template></div>",
            [("box", "p", "F"), ("box", "p", "F")],
            id="shadow roots",
        ),
        pytest.param(
            "<iframe style='margin: 40px' srcdoc=\"<p style='height: 40px; background: red'></p>\"></iframe>",
            [("picture", "iframe", ""), ("box", "p", "F")],
            id="frames",
        ),
        pytest.param(
            "<table style='border-collapse: collapse; margin: 40px'>"
            + "<tr><td style='border-bottom: 1px solid #999; padding: 9px'>a"
            "<td style='border-bottom: 1px solid #999; padding: 9px'>b" * 2 + "</table>",
            [("line", "td", "")] * 2,
            id="lines under cells go on",
        ),
        pytest.param(
            "<hr><hr style='border: 0; height: 1px; background: #ddd'>"
            "<hr style='border: 0; border-top: 1px solid #ddd'>",
            [("line", "hr", "")] * 3,
            id="rules",
        ),
        pytest.param(
            "<p style='margin: 40px'>Some <mark>marked words</mark> here",
            [("box", "mark", "F")],
            id="marked text",
        ),
        pytest.param(
            "<div style='background: #fff'><div style='background: #fff; height: 99px'></div></div>",
            [],
            id="white on white",
        ),
        pytest.param(
            "<div style='margin: 9px; background: tan'><div style='background: tan; height: 9px; width: 9px'>"
            "</div></div>",
            [("box", "div", "F")],
            id="a part of a panel in its colour",
        ),
        pytest.param(
            "<div style='margin: 40px; background: #06c'><section style='background: #06c; height: 99px'>"
            "</section></div>",
            [("box", "div", "F")],
            id="two boxes in one place",
        ),
    ],
)
def test_what_pages_are_made_of(renderer: Renderer, body: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(kind, tag, marks) for kind, tag, _, marks in found(renderer, body)] == expected


@pytest.mark.parametrize(
    ("body", "ground"),
    [
        pytest.param("<p>x", (255, 255, 255), id="nothing said"),
        pytest.param("<style>body { background: #eef }</style><p>x", (238, 238, 255), id="a colour"),
        pytest.param(
            "<div style='min-height: 100vh; background: #eef'><p style='margin: 0'>x</div>",
            (238, 238, 255),
            id="a wrapper as large as the page",
        ),
        pytest.param(
            f"<style>body {{ background: {IMAGE} }}</style><p>x",
            (255, 0, 0),
            id="a picture",
        ),
        pytest.param(
            "<div style='position: fixed; inset: 0; background: #0008'></div>",
            (255, 255, 255),
            id="beneath a veil",
        ),
        pytest.param("<meta name=color-scheme content=dark><p>x", (18, 18, 18), id="the browser's dark"),
    ],
)
def test_the_ground_is_what_is_behind_everything(
    renderer: Renderer, body: str, ground: tuple[int, int, int]
) -> None:
    page = capture(renderer, body)

    assert page.ground == ground
    assert page.elements == ()


def test_a_background_image_of_a_wrapper_is_a_picture(renderer: Renderer) -> None:
    image = SQUARE.format("red").replace("</svg>", "<rect width='4' height='9' fill='blue'/></svg>")

    assert found(renderer, f'<div style="{PANEL} background: {image}">') == [("picture", "div", WHOLE, "")]


def test_fonts_are_as_painted(renderer: Renderer) -> None:
    body = """<p style="font: 16px serif">plain <b>bold</b> <i>italic</i></p>
    <div style="zoom: 2"><p style="font: 16px sans-serif">zoomed</p></div>
    <p style="font: 16px monospace; transform: scale(.75)">scaled</p>
    <svg viewBox="0 0 10 10" width=200 height=200><text x=1 y=5 font-size=2>drawn</text></svg>"""

    runs = {run.text: run for run in capture(renderer, body).text_runs}
    fonts = {text: run.font for text, run in runs.items() if run.font is not None}

    assert {text: (font.size, font.weight, font.is_italic) for text, font in fonts.items()} == {
        "plain": (16, 400, False),
        "bold": (16, 700, False),
        "italic": (16, 400, True),
        "zoomed": (32, 400, False),
        "scaled": (12, 400, False),
        "drawn": (40, 400, False),
    }
    assert len(set(fonts["scaled"].advances)) == 1
    assert len(set(fonts["plain"].advances)) > 4
    assert fonts["plain"].advances != fonts["zoomed"].advances
    assert runs["plain"].paragraph == runs["bold"].paragraph != runs["scaled"].paragraph


SPLIT = """<style>@font-face { font-family: split; src: local("Liberation Sans");
unicode-range: U+30-39, U+57, U+61-6D } p { font: 16px split, "Liberation Serif" }</style>"""


def test_a_font_counts_by_letters_that_the_text_is_drawn_with(renderer: Renderer) -> None:
    body = f"""{SPLIT}<p>Vegetables from four farms</p><p>1234</p><p>Post</p>
    <p style="font-family: Liberation Sans">sans</p><p style="font-family: Liberation Serif">serif</p>"""

    page = capture(renderer, body)
    mixed, digits, capitals, sans, serif = (run.font.advances for run in page.text_runs if run.font)

    # i m W a g 0 e R: all but the last are in the range; of the third text nothing is.
    assert mixed == (0.0,) * 8
    assert capitals == serif
    assert digits == pytest.approx((*sans[:7], 0.0), abs=0.01)
    assert measure_visual(page, capture(renderer, body), settings=Settings()).typography == 1.0


def test_letters_of_another_script_are_drawn_by_another_font(renderer: Renderer) -> None:
    latin = """<style>@font-face { font-family: latin; src: local("Liberation Sans"); unicode-range: U+0-7F }
    p { font: 16px latin, "Liberation Serif" }</style>"""
    body = f"""{latin}<p>Vegetables</p><p>Овощи с четырёх ферм</p><p>Овощи, a few</p>
    <p style="font-family: Liberation Serif">Овощи</p>"""

    own, cyrillic, both, serif = (run.font.advances for run in capture(renderer, body).text_runs if run.font)

    assert own != serif
    assert cyrillic == both == serif


def test_letters_drawn_otherwise_in_words_tell_no_family(renderer: Renderer) -> None:
    body = """<p style="font: 16px Liberation Sans">Vegetables</p>
    <p style="font: 16px Liberation Sans; letter-spacing: 3px">Vegetables</p>
    <p style="font: 16px Liberation Sans">TOTAL</p>
    <p style="font: small-caps 16px Liberation Sans">Vegetables</p>
    <p style="font: 16px Liberation Sans; font-variant-caps: all-small-caps">Vegetables</p>
    <p style="font: 16px Liberation Sans; font-size-adjust: .3">Vegetables</p>"""

    plain, spaced, kerned, caps, small, adjusted = (
        run.font.advances for run in capture(renderer, body).text_runs if run.font
    )

    assert plain == spaced == kerned
    assert 0 < caps[0] < plain[0]
    assert caps[2] == plain[2]
    assert small == adjusted == (0.0,) * 8


def test_a_part_is_written_in_its_own_font(renderer: Renderer) -> None:
    body = """<style>p { font: 16px serif } p::before { content: "New"; display: block; font: 30px serif }
    </style><p>text</p>"""

    sizes = {run.text: run.font.size for run in capture(renderer, body).text_runs if run.font}

    assert sizes == {"New": 30, "text": 16}


def test_a_font_of_some_letters_is_not_that_of_all(renderer: Renderer) -> None:
    body = """<p style="font: 10px Liberation Serif">{}ine letter</p>"""
    drop = '<big style="font: bold 20px Liberation Sans">N</big>'

    (mixed,), (serif,), (bold,) = (
        [run.font for run in capture(renderer, html).text_runs]
        for html in (body.format(drop), body.format("N"), drop)
    )

    assert mixed
    assert serif
    assert bold
    assert (mixed.size, mixed.weight) == (10.0, 400)
    assert mixed.advances[0] == pytest.approx(0.9 * serif.advances[0] + 0.1 * bold.advances[0], abs=0.002)


BOX = "<i style='float: left; width: 9px; height: 9px; margin: 1px; border: 1px solid {}'></i>"


@pytest.mark.slow
def test_of_very_many_the_largest_are_looked_at(renderer: Renderer) -> None:
    large = "<div style='height: 99px; background: red'></div>"
    body = BOX.format("teal") * 5010 + f"<div style='clear: both'>{large}</div>"

    page = capture(renderer, body)

    assert len(page.elements or ()) == 5000
    assert (page.elements or ())[-1].fill == (255, 0, 0)
    (warning,) = page.warnings
    assert (warning.code, warning.count) == ("elements_limit", 11)
    assert warning.message.startswith("The page has very many boxes and pictures: the smallest 11 of them")


SOME = CONTROLS + "".join(BOX.format(color) for color in ("red", "teal", "#ddd"))


@pytest.fixture(scope="module")
def fresh(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer with a browser of its own."""
    return make_renderer(is_fresh=True)


@pytest.mark.alike(1)
@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(STANDARD_VIEWPORT, id="standard"),
        pytest.param(replace(STANDARD_VIEWPORT, width=390), id="narrow"),
        pytest.param(replace(STANDARD_VIEWPORT, scale=2), id="fine"),
        pytest.param(replace(STANDARD_VIEWPORT, scheme="dark"), id="dark"),
    ],
)
def test_two_captures_are_equal(renderer: Renderer, fresh: Renderer, viewport: Viewport) -> None:
    one, other = (capture(each, SOME, viewport=viewport) for each in (renderer, fresh))

    assert one.elements
    assert (one.elements, one.ground, one.text_runs) == (other.elements, other.ground, other.text_runs)


def test_a_footer_of_the_color_at_the_edges_of_what_holds_it_is_found(renderer: Renderer) -> None:
    """What holds it shows the page's own color, though black parts reach its edges."""
    body = (
        "<body style='background: #010066'><div style='width: 900px; box-shadow: 0 0 9px #fff'>"
        "<p style='margin: 0; height: 200px; background: #000'></p><div style='height: 90px'></div>"
        "<div id='footer' style='height: 300px; background: #000'></div></div>"
    )
    found = [told(element) for element in capture(renderer, body).elements or ()]
    assert ("box", "div", (0, 290, 900, 300), "F") in found


def test_an_icon_with_a_ground_of_its_own_is_as_large_as_that_round_or_square(renderer: Renderer) -> None:
    face = (
        "<svg width='40' height='40'><rect width='40' height='40' fill='#fd8'/>"
        "<circle cx='20' cy='20' r='9'/></svg>"
    )
    shape = "margin: 20px; width: 40px; height: 40px; overflow: hidden; border-radius"
    body = "".join(f"<p style='{shape}: {radius}'>{face}</p>" for radius in ("50%", "0"))
    found = [told(element)[::2] for element in capture(renderer, body).elements or ()]
    assert found == [("icon", (20, 20, 40, 40)), ("icon", (20, 80, 40, 40))]


def test_a_live_page_shows_the_same(renderer: Renderer, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_content((document(SOME).html or b"").decode())

    live = capture_page(page, role="candidate", audit=None)
    page.close()

    rendered = capture(renderer, SOME)
    assert live.elements
    assert (live.elements, live.ground) == (rendered.elements, rendered.ground)
    assert [run.font for run in live.text_runs] == [run.font for run in rendered.text_runs]


def test_a_capture_from_the_cache_has_the_same(
    make_renderer: Callable[..., Renderer], tmp_path: Path
) -> None:
    rendered, kept = (
        make_renderer(cache_folder=tmp_path).capture(document(SOME), role="reference", audit=None)
        for _ in range(2)
    )

    assert rendered.elements
    assert (kept.elements, kept.ground, kept.text_runs) == (
        rendered.elements,
        rendered.ground,
        rendered.text_runs,
    )


def test_what_is_masked_is_left_out(renderer: Renderer) -> None:
    state = PageState(mask=(".ad",))
    body = f"{BOX.format('teal')}<div class=ad style='clear: both; height: 99px; background: red'></div>"

    page = capture(renderer, body, state=state)

    assert [element.tag for element in page.elements or ()] == ["i"]


def test_a_design_that_tells_its_shapes_shows_what_its_page_shows(renderer: Renderer, tmp_path: Path) -> None:
    body = (
        f"<div style='{PANEL} left: 40px; top: 40px; width: 400px; height: 200px; border: 1px solid #ddd;"
        "box-shadow: 0 4px 12px #0003; box-sizing: border-box'></div>"
        f"<div style='{PANEL} left: 60px; top: 80px; background: #2563eb'></div>"
        "<h1 style='position: absolute; top: 260px; font: bold 24px sans-serif; margin: 0'>Hello</h1>"
    )
    page = capture(renderer, body)
    (run,) = page.text_runs
    text = DesignText("Hello", run.boxes, (0, 0, 0), font=Font(24.0, 700, False, ()))
    hidden = DesignShape("box", "Hidden", (500.0, 300.0, 90.0, 90.0), line=1.0)
    shapes = (
        DesignShape("box", "Card", (40.0, 40.0, 400.0, 200.0), inside=1, line=1.0, shadow=12.0),
        DesignShape("box", "Button", (60.0, 80.0, 300.0, 120.0)),
        hidden,
    )
    (tmp_path / "a.png").write_bytes(page.screenshot.png)
    (tmp_path / "a.blocks.json").write_text(write_blocks(DesignBlocks(page.page_size, (text,), "", shapes)))

    design = capture_source(
        tmp_path / "a.png", role="reference", renderer=renderer, settings=Settings(audit=False)
    )

    assert design.ground == page.ground
    assert [told(one)[2:] for one in design.elements or ()] == [told(one)[2:] for one in page.elements or ()]
    assert design.text_runs[0].font == replace(run.font or text.font or Font(0, 0, False, ()), advances=())


@pytest.mark.slow
def test_nobody_looks_where_nothing_is_compared(renderer: Renderer) -> None:
    for more in ({"has_image": False}, {"finds_elements": False}):
        page = capture(renderer, SOME, **{"audit": AuditChoice(), **more})

        assert page.elements is None
        assert page.ground is None
        assert {run.font for run in page.text_runs} == {None}
