"""Pages from right to left begin at their right edge, and are read as well as those from left to right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import PageState
from pytest_design2a11y.settings import Settings
from tests.twins import mirrored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

DESIGNS = Path(__file__).parents[2] / "examples" / "designs"
# A part of a public corpus, where it is at hand.
REFERENCES = Path(__file__).parents[3] / "shared" / "corpus" / "references"
SHARED = sorted(REFERENCES.glob("1[015].html"))
RED, BLUE, WHITE = (200, 0, 0), (0, 0, 200), (255, 255, 255)
FILL = "linear-gradient(90deg, #c80000 50%, #0000c8 50%)"
STRIP = f"<div style='width: 1700px; height: 40px; background: {FILL}'></div>"
HEBREW = "\u05d8\u05dc\u05e4\u05d5\u05df"


def written(body: str, direction: str = "rtl") -> str:
    return (
        f"<!doctype html><html lang=he dir={direction}><meta charset=utf-8><title>x</title>"
        f"<style>body {{ margin: 0; font: 16px/1.5 sans-serif }}</style>{body}</html>"
    )


def captured(renderer: Renderer, body: str, direction: str = "rtl", part: str | None = None) -> Capture:
    document = Document(label="page", html=written(body, direction).encode())
    state = PageState(part=part)
    return renderer.capture(document, role="candidate", audit=None, state=state)


def rendered(renderer: Renderer, html: str) -> Capture:
    document = Document(label="page", html=html.encode(), folder=str(DESIGNS))
    return renderer.capture(document, role="candidate", audit=None)


def colors_at(capture: Capture, *places: int) -> list[tuple[int, ...]]:
    return [tuple(int(level) for level in capture.screenshot.pixels[20, place]) for place in places]


def test_what_reaches_out_to_the_left_is_part_of_the_page(renderer: Renderer) -> None:
    page = captured(renderer, f"{STRIP}<p style='margin: 0'>Words of it</p>")

    assert page.page_size == (1700, 720)
    assert colors_at(page, 5, 840, 860, 1695) == [RED, RED, BLUE, BLUE]
    [strip] = page.elements or ()
    [run] = page.text_runs
    assert strip.box == (0, 0, 1700, 40)
    assert run.boxes[0][0] + run.boxes[0][2] == 1700


def test_a_live_page_begins_there_too(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_content(written(f"{STRIP}<p>Words of it</p>"))
    page.evaluate("scrollTo(-200, 0)")

    capture = capture_page(page, role="candidate", audit=None)
    page.close()

    assert capture.page_size == (1700, 720)
    assert colors_at(capture, 5, 840, 860, 1695) == [RED, RED, BLUE, BLUE]
    assert [element.box for element in capture.elements or ()] == [(0, 0, 1700, 40)]


def test_what_cannot_be_scrolled_to_is_not(renderer: Renderer) -> None:
    aside = (
        "<p style='position: absolute; {}: -300px; width: 300px; margin: 0'>Skip to content</p><p>Words</p>"
    )

    sizes = {
        (direction, side): captured(renderer, aside.format(side), direction).page_size[0]
        for direction in ("ltr", "rtl")
        for side in ("left", "right")
    }

    assert sizes == {
        ("ltr", "left"): 1280,
        ("ltr", "right"): 1580,
        ("rtl", "left"): 1580,
        ("rtl", "right"): 1280,
    }


def test_a_page_that_is_too_wide_is_cut_to_where_it_begins(renderer: Renderer) -> None:
    link = "<a href=# style='position: absolute; top: 0; left: -9999px'>Skip to content</a>"

    page = captured(renderer, f"<h1>Heading of it</h1><p>Words</p>{link}")
    plain = captured(renderer, "<h1>Heading of it</h1><p>Words</p>")

    assert [run.text for run in page.text_runs] == ["Heading of it", "Words"]
    assert (page.screenshot.pixels == plain.screenshot.pixels).all()
    assert [warning.code for warning in page.warnings] == ["page_clipped"]


def test_parts_frames_and_pictures_lie_where_they_are_seen(renderer: Renderer) -> None:
    inner = "<p style=&quot;margin: 0&quot;>Framed words</p>"
    frame = f"<iframe style='border: 0; height: 60px' srcdoc='{inner}'></iframe>"
    page = captured(renderer, f"{STRIP}{frame}")
    part = captured(renderer, f"{STRIP}<p class=a>First words</p><p class=a>Second words</p>", part=".a")

    [run] = page.text_runs
    x, y, width, height = (round(side) for side in run.boxes[0])
    assert x == 1700 - 300 + 8
    assert (page.screenshot.pixels[y : y + height, x : x + width] < 100).any()
    assert [run.text for run in part.text_runs] == ["First words"]
    assert part.page_size == (1280, 24)


LAYOUT = """<style>
nav { inline-size: 220px; float: inline-start; background: #0f2240; color: white; padding: 10px }
main { margin-inline-start: 260px; text-align: start }
.card { border: 1px solid #888; inline-size: 300px; padding: 8px }
.wide { inline-size: 1500px; block-size: 30px; background: #cde }
button { background: #1a5fb4; color: white; border: 0; padding: 6px 18px }
</style>
<nav>Overview<br>Orders<br>Customers</nav>
<main><h1>Orders of this week</h1><div class=wide></div><p>Nine of them wait for an answer.</p>
<div class=card>Kettle, 2 litres<br>19 euros</div><p><button>Send</button></p></main>"""


@pytest.mark.alike(2, is_long=True)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda html: html.replace("19 euros", "91 euros"), id="a price"),
        pytest.param(lambda html: html.replace("<p><button>Send</button></p>", ""), id="a lost button"),
        pytest.param(lambda html: html.replace("#0f2240", "#402210"), id="another colour"),
        pytest.param(lambda html: html.replace("<p><", "<p style='margin-inline-start: 60px'><"), id="moved"),
    ],
)
def test_a_mirrored_page_scores_as_its_twin(renderer: Renderer, change: Callable[[str], str]) -> None:
    assert change(LAYOUT) != LAYOUT
    scores = [
        measure_visual(
            captured(renderer, LAYOUT, direction),
            captured(renderer, change(LAYOUT), direction),
            settings=Settings(),
        )
        for direction in ("ltr", "rtl")
    ]

    twins = [(score.fidelity, score.score, score.elements, score.typography) for score in scores]
    assert twins[1] == pytest.approx(twins[0], abs=0.002)
    assert [one.kind for one in scores[0].differences] == [one.kind for one in scores[1].differences]


def test_fields_that_were_exchanged_are_as_serious_in_either_direction(renderer: Renderer) -> None:
    day, month, year = (
        f"<div><label>{label}<br><input style='width: 60px' value={value}></label></div>"
        for label, value in (("Day", 14), ("Month", 4), ("Year", 2026))
    )
    head = "<h2>Harbour office</h2><p>The boats leave at noon.</p><div style='display: flex; gap: 20px'>"
    design, page = (f"{head}{fields}</div>" for fields in (day + month + year, month + day + year))

    severities = [
        measure_visual(*(captured(renderer, body, way) for body in (design, page)), settings=Settings())
        .differences[0]
        .severity
        for way in ("ltr", "rtl")
    ]

    assert severities[0] == severities[1]


def test_a_switch_lost_the_color_of_its_border_in_either_direction(renderer: Renderer) -> None:
    """At its round ends, which are not drawn alike, it mixes with its ground."""
    switch = (
        "<style>i { display: block; position: relative; box-sizing: border-box; margin: 20px; width: 32px; "
        "height: 18px; border: 1px solid #5755d9; border-radius: 9px; background: #5755d9 } i::before "
        "{ content: ''; position: absolute; inset-inline-end: 0; width: 16px; height: 16px; background: #fff;"
        "border-radius: 50% }</style><h2>Harbour office</h2><i></i>"
    )
    pages = switch, switch.replace("solid #5755d9", "solid #b0b0b0")

    scores = [
        measure_visual(*(captured(renderer, body, way) for body in pages), settings=Settings())
        for way in ("ltr", "rtl")
    ]

    assert scores[1].fidelity == pytest.approx(scores[0].fidelity, abs=0.002)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*sorted(DESIGNS.glob("*.html")), *SHARED], ids=lambda path: path.stem)
def test_so_does_a_design_mirrored_by_script(renderer: Renderer, path: Path) -> None:
    html = path.read_text(encoding="utf-8", errors="replace")
    damaged = [
        re.sub("(<h[1-4][^>]*>)[^<]*", r"\1Other words", html, count=1),
        re.sub(r"<(button|footer|h2).*?</\1>", "", html, count=1, flags=re.DOTALL),
        re.sub("color: ?#[0-9a-f]+", "color: #b0b0b0", html),
    ]
    assert damaged[0] != html
    for page in (page for page in damaged if page != html):
        scores = [
            measure_visual(rendered(renderer, one), rendered(renderer, other), settings=Settings())
            for one, other in ((html, page), (mirrored(html), mirrored(page)))
        ]
        assert scores[1].fidelity == pytest.approx(scores[0].fidelity, abs=0.002)


@pytest.mark.parametrize(
    ("markup", "stands"),
    [
        (f"<p>{HEBREW} 03 555 0142</p>", f"{HEBREW} 0142 555 03"),
        (f"<p>{HEBREW} <bdi dir=ltr>03 555 0142</bdi></p>", f"{HEBREW} 03 555 0142"),
        (f"<p>{HEBREW} 03-555-0142</p>", f"{HEBREW} 03-555-0142"),
        ("<p>Room 12, 3 beds</p>", "Room 12, 3 beds"),
        (f"<p dir=ltr>{HEBREW} 2024</p>", f"{HEBREW} 2024"),
        ("<p dir=ltr>Call <bdo dir=rtl>2410-555-30</bdo></p>", "Call 03-555-0142"),
        (f"<p>{HEBREW} <bdo dir=rtl>2410-555-30</bdo></p>", f"{HEBREW} 03-555-0142"),
        (f"<p><bdo dir=rtl><u>{HEBREW} moc.elpmaxe@nna</u></bdo></p>", f"{HEBREW} ann@example.com"),
        ("<p><bdo dir=ltr>03-555-0142</bdo></p>", "03-555-0142"),
        (f"<p dir=ltr><bdo dir=ltr>{HEBREW} 12</bdo></p>", f"{HEBREW[::-1]} 12"),
        (
            "<p style='width: min-content; unicode-bidi: bidi-override'>srettel fo senil</p>",
            "letters of lines",
        ),
        ("<p style='unicode-bidi: bidi-override'><bdi>03-555</bdi></p>", "03-555"),
    ],
)
def test_numbers_are_read_in_the_order_in_which_they_stand(
    renderer: Renderer, markup: str, stands: str
) -> None:
    assert [run.text for run in captured(renderer, markup).text_runs] == [stands]


def test_lines_of_vertical_writing_are_columns(renderer: Renderer) -> None:
    body = "<p>Level words</p><p style='writing-mode: vertical-rl; height: 60px'>Words in columns</p>"

    level, upright = captured(renderer, body).text_runs

    assert (level.is_vertical, upright.is_vertical) == (False, True)
    assert len(upright.boxes) > 1
    assert [box[0] for box in upright.boxes] == sorted((box[0] for box in upright.boxes), reverse=True)
