"""Drawings are scenes of parts, controls are one thing each, and pictures are as large as their boxes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

Read = Callable[[str], tuple[Element, ...]]

BARS = (
    '<svg role="img" aria-label="Load" width="300" height="200" style="display:block">{}'
    '<rect x="20" y="120" width="40" height="80" fill="#0b5fa5"/>'
    '<rect x="100" y="90" width="40" height="110" fill="#0b5fa5"/></svg>'
)
ROUND = "position: absolute; width: 20px; height: 20px; border-radius: 50%; background: #fff; top: 2px;"
PILL = "position: relative; width: 44px; height: 24px; border-radius: 12px; background: #ccc;"


@pytest.fixture(scope="module")
def read(renderer: Renderer) -> Read:
    """Return what lists the elements of a page."""

    @cache
    def elements(body: str) -> tuple[Element, ...]:
        html = f"<!doctype html><title>x</title><style>body {{ margin: 0 }}</style><p>Load</p>{body}"
        document = Document(label="x", html=html.encode())
        return renderer.capture(document, role="candidate", audit=None).elements or ()

    return elements


def parts(read: Read, inner: str) -> list[tuple[str, tuple[int, ...], tuple[int, int, int]]]:
    """Return kind, width and height, and color of the parts of a drawing."""
    svg = f'<svg width="200" height="100" style="display: block">{inner}</svg>'
    (drawing,) = (element for element in read(svg) if element.tag == "svg")
    return [(part.kind, tuple(round(side) for side in part.box[2:]), part.color) for part in drawing.parts]


def test_a_drawing_has_the_shapes_that_show_with_strokes_and_colors(read: Read) -> None:
    shown = (
        '<path d="M10 50H90" stroke="#cf222e" stroke-width="4" fill="none"/>'
        '<circle cx="120" cy="50" r="10" fill="green"/><rect x="150" y="20" width="20" height="60"/>'
    )
    hidden = (
        '<defs><rect id="r" width="30" height="30" fill="red"/></defs>'
        '<rect width="9" height="9" fill="none"/><rect width="9" height="9" opacity="0"/>'
        '<circle cx="160" cy="50" r="5" fill="blue" visibility="hidden"/>'
        '<rect x="300" width="9" height="9" fill="blue"/>'
    )
    expected = [
        ("line", (84, 4), (207, 34, 46)),  # Its box has its stroke on all sides.
        ("circle", (20, 20), (0, 128, 0)),
        ("box", (20, 60), (0, 0, 0)),
    ]
    assert parts(read, shown + hidden) == expected


def test_a_shape_under_another_one_is_no_part(read: Read) -> None:
    under = '<circle cx="50" cy="50" r="10" fill="green"/>'
    over = '<rect width="100" height="100" fill="#cf222e"/>'
    assert [kind for kind, *_ in parts(read, under + over)] == ["box"]
    assert [kind for kind, *_ in parts(read, over + under)] == ["box", "circle"]


def test_what_shines_through_has_the_color_that_it_shows(read: Read) -> None:
    half = '<rect width="150" height="100" fill="red" fill-opacity=".5"/>'
    ((_, _, color),) = parts(read, half)
    assert max(abs(one - other) for one, other in zip(color, (255, 128, 128), strict=True)) <= 1


def test_a_picture_has_the_place_and_size_of_its_box_whatever_it_shows(read: Read) -> None:
    low, high = (
        next(element for element in read(BARS.format(bar)) if element.tag == "svg")
        for bar in ("", '<rect x="180" y="10" width="40" height="190" fill="#0b5fa5"/>')
    )
    assert low.box[2:] == high.box[2:] == (300, 200)
    assert (len(low.parts), len(high.parts)) == (2, 3)


@pytest.mark.parametrize(("left", "states"), [(2, ()), (22, ("checked",))])
def test_a_knob_in_a_pill_is_a_switch_whose_state_its_place_shows(
    read: Read, left: int, states: tuple[str, ...]
) -> None:
    pill, knob = read(f'<div style="{PILL}"><i style="{ROUND} left: {left}px"></i></div>')
    assert (pill.box[2:], pill.role, pill.states) == ((44, 24), "switch", states)
    assert (knob.is_part, pill.is_part) == (True, False)


def test_what_stands_in_a_control_or_for_a_hidden_one_is_a_part_of_it(read: Read) -> None:
    switch = (
        f'<button role="switch" aria-checked="true" style="{PILL}"><i style="{ROUND} left: 2px"></i></button>'
    )
    style = (
        "<style>input { position: absolute; opacity: 0 } .a { display: inline-block; width: 18px;"
        "height: 18px; border: 1px solid; border-radius: 50% }"
        "input:checked + label .a::before { content: ''; display: block;"
        "width: 8px; height: 8px; margin: 5px; border-radius: 50%; background: #000 }</style>"
    )
    radio = f'{style}<input type="radio" id="a" checked><label for="a"><span class="a"></span>Metres</label>'
    for body, role in ((switch, "switch"), (radio, "radio")):
        whole, part = read(body)
        assert (whole.role, whole.states, whole.is_part) == (role, ("checked",), False)
        assert (part.role, part.states, part.is_part) == (role, ("checked",), True)


@pytest.mark.parametrize("appearance", ["auto", "none"])
def test_a_progress_bar_is_one_control_with_a_value_whatever_draws_it(read: Read, appearance: str) -> None:
    own = (
        f"<style>progress {{ appearance: {appearance}; width: 280px; height: 16px; display: block }}</style>"
    )
    native = f'{own}<progress value="40" max="100"></progress>'
    drawn = (
        '<div role="progressbar" aria-valuenow="40" style="width: 280px; height: 16px; background: #ddd">'
        '<div style="width: 40%; height: 100%; background: #04c"></div></div>'
    )
    for body in (native, drawn):
        whole, *inner = read(body)
        assert (whole.role, whole.value) == ("progressbar", "40")
        assert all(part.is_part for part in inner)


def test_a_box_has_the_lines_of_its_border_or_ring_side_by_side(read: Read) -> None:
    red, gray = (218, 30, 40), (141, 141, 141)
    styles = {
        "outline: 2px solid #da1e28; outline-offset: -2px": (red,) * 4,
        "box-shadow: 0 0 0 2px #da1e28": (red,) * 4,
        "border-bottom: 1px solid #8d8d8d": (None, None, gray, None),
        "border-left: 5px solid #da1e28": (None, None, None, red),
    }
    for style, lines in styles.items():
        (field,) = read(
            f'<div style="margin: 9px; width: 280px; height: 40px; background: #f4f4f4; {style}"></div>'
        )
        assert field.lines == lines, style


Say = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def say(keeping_renderer: Renderer) -> Say:
    """Return what lists the differences of two pages in words, the worst first."""

    @cache
    def capture(body: str) -> Capture:
        html = f"<!doctype html><title>x</title><p>The boats leave at noon.</p>{body}"
        return keeping_renderer.capture(Document(label="x", html=html.encode()), role="reference", audit=None)

    def said(design: str, made: str) -> list[str]:
        score = measure_visual(capture(design), capture(made), settings=Settings())
        return [f"{one.severity}: {in_words(one)}" for one in score.differences]

    return said


LINE = '<polyline points="20,150 90,60 170,110 280,30" fill="none" stroke="{}" stroke-width="4"{}/>'
TREES = "".join(f'<circle cx="{20 + 18 * at}" cy="180" r="5" fill="#8fbf8a"/>' for at in range(6))
GRID = "".join(f'<path d="M10 {y}H290" stroke="#d0d7de"/>' for y in (30, 80, 130))
KEYS = (
    '<rect x="20" y="180" width="14" height="14" fill="{}"/><text x="40" y="192">spring</text>'
    '<rect x="150" y="180" width="14" height="14" fill="{}"/><text x="170" y="192">summer</text>'
)
MANY = "".join(f'<rect x="{at % 100 * 3}" y="{at // 100 * 3}" width="2" height="2"/>' for at in range(500))
NEEDLE = (
    '<g transform="translate(250 150){}"><path d="M0-20L5 0H-5z" fill="#cf222e"/>'
    '<path d="M0 10L5 0H-5z"/></g>'
)


def chart(inner: str) -> str:
    return f'<svg role="img" aria-label="Tides" width="300" height="200">{GRID}{inner}</svg>'


DRAWN = {
    "a line is gone": (
        chart(LINE.format("#cf222e", "")),
        chart(""),
        'serious: red line of 264 px in picture "Tides" is missing',
    ),
    "a line is gone that was drawn after hundreds of shapes": (
        chart(MANY + LINE.format("#cf222e", "")),
        chart(MANY),
        'serious: red line of 264 px in picture "Tides" is missing',
    ),
    "a column is shorter": (
        BARS.format('<rect x="180" y="10" width="40" height="190" fill="#0b5fa5"/>'),
        BARS.format('<rect x="180" y="70" width="40" height="130" fill="#0b5fa5"/>'),
        'serious: bar 3 of 3 in picture "Load" is 130 px high instead of 190 px',
    ),
    "two keys of a legend are exchanged": (
        chart(KEYS.format("#8fb8de", "#0b5fa5")),
        chart(KEYS.format("#0b5fa5", "#8fb8de")),
        'serious: box "spring" and box "summer" in picture "Tides" have each other\'s color',
    ),
    "dots are gone": (
        chart(TREES),
        chart(TREES[: TREES.index("<circle", 1)]),
        'moderate: green dot of 10 px in picture "Tides" and 4 more are missing',
    ),
    "a line is dashed": (
        chart(LINE.format("#0969da", "")),
        chart(LINE.format("#0969da", ' stroke-dasharray="3 9"')),
        'serious: blue line of 264 px in picture "Tides" is dashed instead of solid',
    ),
    "a needle points down": (
        chart(NEEDLE.format("")),
        chart(NEEDLE.format(" rotate(180)")),
        'moderate: 2 shapes at 253, 180 in picture "Tides" are upside down',
    ),
}


@pytest.mark.alike(4, is_long=True)
@pytest.mark.parametrize("name", DRAWN)
def test_what_differs_in_a_drawing_is_told_first_and_alone(say: Say, name: str) -> None:
    design, made, sentence = DRAWN[name]
    first, *others = say(design, made)
    assert first == sentence
    assert not [one for one in others if "small" not in one and "without its text" not in one]


def test_other_markup_of_one_drawing_is_no_difference(say: Say) -> None:
    whole = '<path d="M20 60h40v30h-40zM120 60h40v30h-40z" fill="#0b5fa5"/>'
    halves = (
        '<g><rect x="20" y="60" width="40" height="30" fill="#0b5fa5"/></g>'
        '<polygon points="120,60 160,60 160,90 120,90" style="fill: #0b5fa5"/>'
    )
    assert say(chart(whole), chart(halves)) == []


CHEVRON = (
    '<p>Home <svg width="10" height="12" style="{}">'
    '<path d="M2 1l6 5-6 5" fill="none" stroke="#777"/></svg> Tides</p>'
)


def test_an_icon_is_mirrored_or_turned(say: Say) -> None:
    mirrored, turned = (
        say(CHEVRON.format(""), CHEVRON.format(f"transform: {way}"))
        for way in ("scaleX(-1)", "rotate(90deg)")
    )
    assert mirrored == ["serious: icon 6 x 12 at 53, 52 is mirrored"]
    assert turned[0].endswith(" is turned right")


FIELD = "width: 280px; height: 40px; border: 0; border-bottom: 1px solid #8d8d8d; background: #f4f4f4;"
RING = "outline: 2px solid #da1e28; outline-offset: -2px"
STAMP = "display: inline-block; margin: 40px; border: 3px solid #2a9d54; padding: 4px 16px; transform: {}"
NOTE = "background: #ebfffc; width: 600px; padding: 12px; border-{}: 5px solid #00947e"
RADIO = (
    '<p><input class="i" type="radio" id="{0}" {1}><label for="{0}"><span class="a"></span>{0}</label></p>'
)
DOTS = (
    "<style>.i { position: absolute; opacity: 0 } .a { display: inline-block; width: 18px; height: 18px;"
    " margin: 8px; border: 1px solid; border-radius: 50% }"
    " .i:checked + label .a::before { content: ''; display: block; width: 8px; height: 8px; margin: 5px;"
    " border-radius: 50%; background: #161616 }</style>"
)


def test_a_ring_that_is_gone_is_told_by_its_color(say: Say) -> None:
    field = '<label>Port <input value="OH-" style="{}"></label>'
    first, *_ = say(field.format(FIELD + RING), field.format(FIELD))
    assert first == 'serious: text field "Port" lost its outline of 2 px #da1e28'


def test_a_border_is_told_by_its_side(say: Say) -> None:
    note = '<div style="{}">The boats stay in today</div>'
    first, *_ = say(note.format(NOTE.format("left")), note.format(NOTE.format("right")))
    assert first == (
        'serious: panel "The boats stay in today" has a border of 5 px #00947e at the right '
        "instead of 5 px #00947e at the left"
    )


def test_what_stood_askew_is_straight(say: Say) -> None:
    stamp = '<div style="{}">APPROVED</div>'
    first, *_ = say(stamp.format(STAMP.format("rotate(-9deg)")), stamp.format(STAMP.format("none")))
    assert first == 'moderate: box "APPROVED" is straight instead of turned 9° to the left'


def test_the_dot_of_a_drawn_radio_button_is_its_state_and_nothing_else(say: Say) -> None:
    design, made = (
        DOTS + RADIO.format("Metres", first) + RADIO.format("Fathoms", second)
        for first, second in (("checked", ""), ("", "checked"))
    )
    found = say(design, made)
    states = [one.partition(": ")[2] for one in found if "state" in one or "checked" in one]
    assert states == ['radio button "Fathoms" is checked instead of radio button "Metres"']
    assert not [one for one in found if "moved" in one or "missing" in one]


def test_faded_texts_are_told_by_their_opacity(say: Say) -> None:
    days = "".join(f'<span style="opacity: {{}}; margin-right: 30px">{day}</span>' for day in (23, 24, 25))
    pale, strong = (days.format(*[level] * 3) for level in (0.3, 0.6))
    assert say(pale, strong)[0] == 'moderate: text "23" and 2 more are at 60% instead of 30% (opacity)'


def test_letters_are_told_by_both_ends_of_their_gradient_and_by_their_shadow(say: Say) -> None:
    fill = "background: linear-gradient(90deg, #0b5fa5, #cf222e); background-clip: text; color: transparent"
    text = '<p style="font: 700 40px sans-serif; {}">Tides of May</p>'
    plain, filled, shaded = (
        text.format(style) for style in ("color: #000", fill, "color: #000; text-shadow: 3px 3px 0 #f80")
    )
    assert say(filled, plain)[0] == (
        'moderate: text "Tides of May" is #000000 instead of a gradient from #0b5fa5 to #cf222e'
    )
    assert (
        say(shaded, plain)[0] == 'moderate: text "Tides of May" is without a shadow instead of with a shadow'
    )
