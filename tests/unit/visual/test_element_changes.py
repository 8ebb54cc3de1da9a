"""What changed between an element and its counterpart, on both sides of each limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Part
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.element_changes import pair_differences
from pytest_design2a11y.visual.differences.picture_changes import color_there, what_is_same
from pytest_design2a11y.visual.scene.element_facts import details_of, subject_of
from tests.pages_by_hand import BLACK, BLUE, WHITE, box, page

RED, GRAY, PALE = (200, 0, 0), (90, 90, 90), (250, 250, 250)
FIELD: dict[str, Any] = {"tag": "input[type=text]", "role": "textbox"}
CHECKBOX: dict[str, Any] = {"tag": "input[type=checkbox]", "role": "checkbox"}
#: Sixteen of 36 parts are blue, or every second one.
PART, STRIPES = (BLUE,) * 16 + (WHITE,) * 20, (BLUE, WHITE) * 18
DOTS, LINES = (0, 255) * 288, ((0,) * 24 + (255,) * 24) * 12


@cache
def score() -> VisualScore:
    return score_matching(match_blocks([], []))


def found(
    design: Element,
    made: Element,
    painted: Sequence[Element] | None = None,
    before: Sequence[Element] = (),
    over: Sequence[Element] = (),
) -> list[Difference]:
    """Return what changed.

    Pages show other elements too: behind it in the design (`before`) and on the page (`painted`). What is
    painted `over` it on the page is none.
    """
    pages = [
        replace(page([], [*drawn, own, *drawn_over], height=300), elements=(*drawn, own))
        for drawn, own, drawn_over in (
            (before, design, ()),
            (before if painted is None else painted, made, over),
        )
    ]
    compared = Compared(match_pages(pages[0], pages[1]), score())
    changed = [*pair_differences(compared, design, made)]
    for one in changed:
        own, there = (details_of(side, shown) for side, shown in zip((design, made), pages, strict=True))
        assert one.what == subject_of(design)
        there = {**there, "has_fill": one.made.get("has_fill")}  # One of the page's own color is still there.
        assert one.property == "part" or (own == one.design and there.items() <= one.made.items())
    return changed


def told(*sides: Any, **how: Any) -> list[tuple[str, str | None, Any, Any]]:
    return [(one.kind, one.property, one.expected, one.actual) for one in found(*sides, **how)]


def panel(place: Box = (100, 100, 200, 100), **changes: Any) -> Element:
    return box(*place, **changes)


def picture(place: Box = (100, 100, 200, 100), **changes: Any) -> Element:
    return box(*place, **{"kind": "picture", "tag": "img", "thumbnail": STRIPES, "texture": DOTS} | changes)


MOVED = ("moved", "place", None, None)
MARKS = ("restyled", "marks", None, None)
LINED: dict[str, Any] = {"has_border": True, "border": RED, "border_width": 1, "lines": (RED,) * 4}
RINGED: dict[str, Any] = {**LINED, "border_width": 4}


@pytest.mark.parametrize(
    ("design", "made", "changes"),
    [
        pytest.param(panel(), panel(), [], id="nothing"),
        pytest.param(panel(), panel((103, 100, 200, 100)), [], id="3 px beside"),
        pytest.param(panel(), panel((104, 100, 200, 100)), [MOVED], id="4 px beside"),
        pytest.param(panel(), panel((100, 96, 200, 100)), [MOVED], id="4 px higher"),
        pytest.param(panel(), panel((100, 100, 203, 103)), [], id="3 px larger"),
        pytest.param(
            panel(),
            panel((100, 100, 204, 100)),
            [("resized", "size", "200 x 100", "204 x 100")],
            id="4 px wider",
        ),
        pytest.param(
            panel(),
            panel((100, 100, 200, 96)),
            [("resized", "size", "200 x 100", "200 x 96")],
            id="4 px lower",
        ),
        pytest.param(
            panel(),
            panel((120, 100, 210, 100)),
            [MOVED, ("resized", "size", "200 x 100", "210 x 100")],
            id="moved and wider",
        ),
        pytest.param(
            panel(),
            panel((92, 92, 216, 116), has_border=True, border_width=8),
            [MARKS],
            id="a line around it is no size",
        ),
        pytest.param(
            panel(),
            panel((100, 100, 216, 116), has_border=True, border_width=8),
            [("resized", "size", "200 x 100", "216 x 116"), MARKS],
            id="a line at two sides",
        ),
        pytest.param(
            panel(),
            panel((85, 85, 230, 230), has_border=True, border_width=8),
            [("resized", "size", "200 x 100", "230 x 230"), MARKS],
            id="a line around it, and larger",
        ),
        pytest.param(
            panel(**LINED),
            panel((96, 96, 208, 108), **RINGED),
            [("restyled", "border", "#c80000", "#c80000")],
            id="a ring around a border is no size",
        ),
        pytest.param(
            panel(**LINED),
            panel((100, 100, 208, 104), **RINGED),
            [("resized", "size", "200 x 100", "208 x 104")],
            id="a wider border is no ring",
        ),
        pytest.param(
            panel(), panel(angle=2, fill=RED), [("turned", "angle", 0.0, 2)], id="turned by two degrees"
        ),
        pytest.param(
            panel(),
            panel(angle=1.9, fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="turned by less",
        ),
        pytest.param(
            panel(angle=-30), panel(fill=RED), [("turned", "angle", -30, 0.0)], id="no longer turned"
        ),
        pytest.param(
            panel(),
            panel((100, 100, 190, 100), whole=(100, 100, 200, 100)),
            [("overflowing", "cut", None, 0.05)],
            id="a twentieth is cut off",
        ),
        pytest.param(
            panel(),
            panel((100, 100, 191, 100), whole=(100, 100, 200, 100)),
            [("resized", "size", "200 x 100", "191 x 100")],
            id="less is cut off",
        ),
        pytest.param(
            panel(),
            panel((100, 100, 150, 100), whole=(100, 100, 220, 100)),
            [("overflowing", "cut", None, 0.3182)],
            id="cut off a tenth more",
        ),
        pytest.param(
            panel(),
            panel((100, 100, 150, 100), whole=(100, 100, 221, 100)),
            [("resized", "size", "200 x 100", "150 x 100")],
            id="cut off something larger",
        ),
        pytest.param(
            panel(), panel((100, 100, 220, 100), shown=0.69, fill=RED), [], id="less than seven tenths show"
        ),
        pytest.param(
            panel(shown=0.69), panel((100, 100, 220, 100)), [], id="less than seven tenths of the design's"
        ),
        pytest.param(
            panel(),
            panel((100, 100, 220, 100), shown=0.7),
            [("resized", "size", "200 x 100", "220 x 100")],
            id="seven tenths show",
        ),
        pytest.param(
            panel(**CHECKBOX),
            panel(**CHECKBOX, shown=0.5, fill=RED, states=("checked",)),
            [("state", "checked", "not checked", "checked")],
            id="a state shows in a part",
        ),
        pytest.param(
            picture(tag="svg"),
            picture((100, 100, 220, 100), tag="svg", shown=0.97),
            [],
            id="most of a drawing",
        ),
        pytest.param(
            picture(tag="svg"),
            picture((100, 100, 220, 100), tag="svg", shown=0.98),
            [("resized", "size", "200 x 100", "220 x 100")],
            id="nearly all of a drawing",
        ),
        pytest.param(
            panel(), panel(opacity=0.95, fill=RED), [("restyled", "opacity", 1.0, 0.95)], id="paler"
        ),
        pytest.param(
            panel(),
            panel(opacity=0.96, fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="a little paler",
        ),
        pytest.param(
            panel(**CHECKBOX),
            panel(**CHECKBOX, opacity=0.5, fill=RED, states=("disabled",)),
            [("state", "disabled", "not disabled", "disabled")],
            id="a state makes it paler",
        ),
    ],
)
def test_place_and_size_are_told(design: Element, made: Element, changes: list[Any]) -> None:
    assert told(design, made) == changes


@pytest.mark.parametrize(
    ("design", "made", "changes"),
    [
        pytest.param(
            panel(**FIELD, value="a"),
            panel(**FIELD, value="b", fill=RED),
            [("state", "value", "a", "b")],
            id="value",
        ),
        pytest.param(
            panel(**FIELD, placeholder="Town"),
            panel(**FIELD, fill=RED),
            [("state", "placeholder", "Town", None)],
            id="placeholder",
        ),
        pytest.param(
            panel(**FIELD),
            panel(**FIELD, value="b", placeholder="c", fill=RED),
            [("state", "value", None, "b"), ("state", "placeholder", None, "c")],
            id="both",
        ),
        pytest.param(
            panel((100, 100, 200, 40), tag="button", value="a"),
            panel((100, 100, 200, 40), tag="button", value="b", fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="a button's value is its text",
        ),
        pytest.param(
            panel(**CHECKBOX, states=("checked", "disabled")),
            panel(**CHECKBOX, states=("disabled", "expanded"), fill=RED),
            [
                ("state", "checked", "checked", "not checked"),
                ("state", "expanded", "not expanded", "expanded"),
            ],
            id="states",
        ),
        pytest.param(
            panel(),
            replace(picture(), fill=RED),
            [("restyled", "kind", "a panel", "a picture")],
            id="a picture in its place",
        ),
        pytest.param(
            picture(),
            panel(fill=RED),
            [("blank", "picture", None, "#c80000")],
            id="a box in the place of a picture",
        ),
        pytest.param(
            picture(thumbnail=(BLUE,) * 36, texture=None),
            panel(fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="a box in the place of a plain picture",
        ),
        pytest.param(
            picture(thumbnail=(BLUE,) * 36, texture=None),
            panel((120, 100, 200, 100)),
            [MOVED],
            id="a box in its color",
        ),
        pytest.param(
            panel(**CHECKBOX),
            picture((120, 100, 200, 100), tag="div", states=("checked",)),
            [MOVED, ("state", "checked", "not checked", "checked")],
            id="a picture for another state",
        ),
        pytest.param(
            panel(kind="line"), panel((120, 100, 200, 100)), [MOVED], id="a line and a box are alike"
        ),
        pytest.param(
            panel(tag="svg"), picture((120, 100, 200, 100)), [MOVED], id="a plain drawing and a picture"
        ),
        pytest.param(
            picture(),
            box(100, 100, 200, 100, kind="line", fill=RED, fills=(RED, WHITE)),
            [("restyled", "kind", "a picture", "a line")],
            id="a line in the place of a picture",
        ),
        pytest.param(
            panel(),
            panel(fills=(RED, WHITE), fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="a gradient for a fill",
        ),
        pytest.param(
            panel(fills=(BLUE, WHITE)),
            panel(fills=(WHITE, RED), fill=RED),
            [],
            id="gradients with one color in common",
        ),
        pytest.param(
            panel(fills=(BLUE, WHITE)),
            panel(fills=(BLACK, RED), fill=RED),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="gradients of other colors",
        ),
        pytest.param(panel(), panel(fill=RED, is_fill_seen=False), [], id="a fill that nobody saw"),
        pytest.param(
            panel(is_fill_seen=False), panel(fill=RED), [], id="a fill of the design that nobody saw"
        ),
        pytest.param(
            panel(is_fill_seen=False),
            panel(fill=RED, is_fill_seen=False),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="a tint of what is behind both",
        ),
        pytest.param(
            panel(is_fill_seen=False),
            panel((120, 100, 200, 100), fill=RED, is_fill_seen=False),
            [MOVED],
            id="a tint of what is behind both, elsewhere",
        ),
        pytest.param(panel(), panel(fill=(22, 60, 200)), [], id="a color that looks the same"),
        pytest.param(
            panel(has_fill=False, fill=PALE, has_border=True),
            panel(fill=RED),
            [MARKS],
            id="a border became a fill",
        ),
        pytest.param(panel(fill=PALE), panel(fill=PALE, has_shadow=True), [MARKS], id="a shadow"),
        pytest.param(panel(), panel((120, 100, 200, 100), has_fill=False), [MOVED], id="a fill of one color"),
    ],
)
def test_kind_state_and_color_are_told(design: Element, made: Element, changes: list[Any]) -> None:
    assert told(design, made) == changes


def bordered(*lines: Color | None, **changes: Any) -> Element:
    """Make a pale panel with lines at its top, right, bottom and left."""
    sides: dict[str, Any] = {"fill": PALE, "has_border": True, "border": lines[0] or BLACK, "lines": lines}
    return panel(**sides | changes)


@pytest.mark.parametrize(
    ("over", "is_told"),
    [((280, 120, 200, 170), False), ((280, 160, 200, 130), True)],
    ids=["most of its right edge", "less than half of it"],
)
def test_a_border_that_another_box_covers_is_not_another_one(over: Box, is_told: bool) -> None:
    sides = bordered(RED, RED, RED, RED), bordered(RED, None, RED, RED)
    cover = box(*over, fill=WHITE)
    assert bool(told(*sides, [box(100, 97, 200, 3, fill=BLACK), cover])) == is_told


@pytest.mark.parametrize(
    ("design", "made", "changes"),
    [
        pytest.param(
            bordered(RED, RED, RED, RED),
            bordered(BLUE, BLUE, BLUE, BLUE),
            [("restyled", "border", "#c80000", "#143cc8")],
            id="a color",
        ),
        pytest.param(
            bordered(RED, RED, RED, RED),
            bordered(RED, RED, RED, None),
            [("restyled", "border", "#c80000", None)],
            id="a side less",
        ),
        pytest.param(
            bordered(RED, None, RED, RED),
            bordered(RED, BLACK, RED, RED),
            [("restyled", "border", None, "#000000")],
            id="a side more",
        ),
        pytest.param(
            bordered(RED, (190, 0, 0), RED, RED),
            bordered(RED, BLUE, BLACK, RED),
            [("restyled", "border", "#be0000", "#143cc8")],
            id="most at one side",
        ),
        pytest.param(bordered(RED, RED), bordered((202, 0, 0), RED), [], id="a color that looks the same"),
        pytest.param(
            bordered(RED, RED, RED, RED, border=(234, 250, 250), fill=PALE),
            bordered(BLUE, BLUE, BLUE, BLUE, border=(234, 250, 250), fill=PALE),
            [],
            id="of the color of its fill",
        ),
        pytest.param(
            bordered(RED, RED, RED, RED, border=(233, 250, 250), fill=PALE),
            bordered(BLUE, BLUE, BLUE, BLUE, border=(233, 250, 250), fill=PALE),
            [("restyled", "border", "#c80000", "#143cc8")],
            id="just not of the color of its fill",
        ),
        pytest.param(
            bordered(RED, RED, RED, RED, border=PALE, has_fill=False),
            bordered(BLUE, BLUE, BLUE, BLUE, border=PALE, has_fill=False),
            [("restyled", "border", "#c80000", "#143cc8")],
            id="of the color of a fill that it has not",
        ),
    ],
)
def test_a_border_is_told_by_the_side_that_differs_most(
    design: Element, made: Element, changes: list[Any]
) -> None:
    """Something dark at the upper edge of the page differs."""
    dark = [box(100, 97, 200, 3, fill=BLACK)]
    assert told(design, made, dark) == changes


def test_a_border_on_a_picture_comes_and_goes() -> None:
    behind = picture((80, 80, 300, 180), fill=GRAY)
    sides = panel(fill=PALE), panel(fill=PALE, has_border=True, lines=(BLACK,) * 4)

    assert told(*sides, before=[behind]) == []
    assert told(*sides, before=[replace(behind, box=(100, 100, 200, 100))]) == [MARKS]
    assert told(*sides, before=[replace(behind, box=(205, 80, 200, 180))]) == [MARKS]
    # The fill of a button over a photograph does not, unless that is no longer behind it.
    button, outlined = panel(fill=RED), panel(has_fill=False, fill=GRAY, has_border=True, lines=(WHITE,) * 4)
    assert told(button, outlined, before=[behind]) == [MARKS]
    assert told(outlined, button, before=[behind]) == [MARKS]
    assert told(button, replace(outlined, fill=WHITE), before=[behind], painted=[]) == []


@pytest.mark.parametrize(("level", "changes"), [(116, []), (117, [MARKS])])
def test_a_fill_of_very_different_color_is_new_wherever_it_shows(level: int, changes: list[Any]) -> None:
    """A button on a dark band got a fill; both are far from the white of the page."""
    dark, filled = panel(has_fill=False, fill=(60, 60, 60)), panel(fill=(level, level, level))
    assert told(dark, filled) == changes


@pytest.mark.parametrize(
    ("radii", "corners", "changes"),
    [
        ((0, 3), 2, [("restyled", "corner", 0, 3)]),
        ((0, 2.9), 2, []),
        ((0, 20), 2, [("restyled", "corner", 0, 20)]),
        ((20, 0), 4, [("restyled", "corner", 20, 0)]),
        ((0, 20), 1, []),
        ((50, 99), 2, []),  # Half of its height is the most.
        ((40, 99), 2, [("restyled", "corner", 40, 99)]),
    ],
)
def test_corners_are_told_where_two_of_them_look_different(
    radii: tuple[float, float], corners: int, changes: list[Any]
) -> None:
    places = [(100, 100), (297, 100), (100, 197), (297, 197)][:corners]
    design, made = (panel(radius=radius) for radius in radii)
    there = [box(x, y, 3, 3, fill=WHITE) for x, y in places]
    pages = [page([], own, height=300) for own in ([design], [made, *there])]
    compared = Compared(match_pages(pages[0], pages[1]), score())

    changed = [*pair_differences(compared, design, made)]
    assert [(one.kind, one.property, one.expected, one.actual) for one in changed] == changes


GIF: dict[str, Any] = {"natural_size": (200, 100)}
DRAWN: dict[str, Any] = {"tag": "svg", "parts": (Part("box", (0, 0, 9, 9), BLUE, 0),) * 4}
NOW: dict[str, Any] = {"thumbnail": PART, "fill": RED}
ICON: dict[str, Any] = {"kind": "icon", "tag": "svg"}
#: Nearly the same as DOTS: a quarter of it is 10 levels, or a bit less of it, darker: 2.5 levels in all.
NEAR_DOTS, NEARER_DOTS = (
    tuple(level - 10 if level and at < 2 * count else level for at, level in enumerate(DOTS))
    for count in (144, 143)
)


@pytest.mark.parametrize(
    ("design", "made", "changes"),
    [
        pytest.param(
            picture(), picture(unloaded="missing", **NOW), [("blank", "file", None, "missing")], id="no file"
        ),
        pytest.param(
            picture(unloaded="missing"),
            picture(unloaded="missing", fill=RED),
            [],
            id="no file on either page",
        ),
        pytest.param(
            picture(**GIF),
            picture((100, 100, 212, 100), **GIF),
            [("distorted", "aspect", "200 x 100", "212 x 100")],
            id="stretched",
        ),
        pytest.param(
            picture(**GIF),
            picture((100, 100, 211, 100), **GIF),
            [("resized", "size", "200 x 100", "211 x 100")],
            id="hardly stretched",
        ),
        pytest.param(
            picture(natural_size=(100, 100)),
            picture((100, 100, 212, 100), natural_size=(100, 100)),
            [("resized", "size", "200 x 100", "212 x 100")],
            id="stretched before",
        ),
        pytest.param(
            picture(**GIF),
            picture((100, 100, 300, 100), **GIF, is_loose_fit=True),
            [("resized", "size", "200 x 100", "300 x 100")],
            id="cut to its frame",
        ),
        pytest.param(
            picture(**GIF, is_loose_fit=True),
            picture((100, 100, 203, 100), **GIF, fill=RED),
            [("distorted", "aspect", "200 x 100", "203 x 100")],
            id="cut no more",
        ),
        pytest.param(
            picture(**GIF, is_loose_fit=True),
            picture((100, 100, 202, 100), **GIF, is_loose_fit=True, fill=RED),
            [],
            id="still cut",
        ),
        pytest.param(
            picture(**GIF),
            picture((100, 100, 203, 100), **GIF, fill=RED),
            [],
            id="slightly stretched and never cut",
        ),
        pytest.param(
            picture(natural_size=(400, 200), is_loose_fit=True),
            picture((100, 100, 203, 100), **GIF, fill=RED),
            [],
            id="another file",
        ),
        pytest.param(
            picture(),
            picture(thumbnail=(RED,) * 36, texture=None, fill=RED),
            [("blank", "picture", None, "#c80000")],
            id="blank",
        ),
        pytest.param(
            picture(),
            picture((100, 100, 300, 100), thumbnail=(RED,) * 36, texture=None, fill=RED),
            [("resized", "size", "200 x 100", "300 x 100"), ("blank", "picture", None, "#c80000")],
            id="blank and larger",
        ),
        pytest.param(
            picture(tag="svg"),
            picture((100, 100, 300, 100), tag="svg", thumbnail=(RED,) * 36, texture=None, fill=RED),
            [("blank", "picture", None, "#c80000")],
            id="a blank drawing has no size",
        ),
        pytest.param(
            picture(**DRAWN),
            picture(**DRAWN | {"parts": DRAWN["parts"][:3]}, thumbnail=(RED,) * 36, texture=None, fill=RED),
            [("missing", "part", None, None)],
            id="a drawing with most of its parts",
        ),
        pytest.param(
            picture(), picture(**NOW), [("recolored", "picture", "#143cc8", "#c80000")], id="another"
        ),
        pytest.param(picture(), picture(fill=RED), [], id="drawn anew"),
        pytest.param(picture(), picture(texture=NEARER_DOTS, fill=RED), [], id="drawn anew, a bit otherwise"),
        pytest.param(
            picture(),
            picture(texture=NEAR_DOTS, fill=RED),
            [("recolored", "picture", "#143cc8", "#c80000")],
            id="drawn otherwise",
        ),
        pytest.param(
            picture(),
            picture(texture=None, fill=RED),
            [("recolored", "picture", "#143cc8", "#c80000")],
            id="of unknown structure",
        ),
        pytest.param(picture(thumbnail=None, texture=None), picture(**NOW), [], id="of unknown look"),
        pytest.param(
            picture(),
            picture((101, 100, 200, 100), **NOW),
            [("recolored", "picture", "#143cc8", "#c80000")],
            id="another, 1 px beside",
        ),
        pytest.param(
            picture(),
            picture((120, 100, 200, 100), texture=LINES, fill=RED),
            [MOVED],
            id="of the same colors elsewhere",
        ),
        pytest.param(
            picture((100, 100, 40, 40), **ICON),
            picture((100, 100, 52, 40), **ICON, texture=LINES),
            [("icon", "picture", None, None)],
            id="an icon of another form",
        ),
        pytest.param(
            picture((100, 100, 40, 40), **ICON),
            picture((100, 100, 50, 40), **ICON, texture=LINES),
            [("resized", "size", "40 x 40", "50 x 40")],
            id="an icon of nearly the same form",
        ),
        pytest.param(
            picture((100, 100, 40, 9), **ICON),
            picture((100, 100, 52, 9), **ICON, texture=LINES),
            [("resized", "size", "40 x 9", "52 x 9")],
            id="a flat icon",
        ),
        pytest.param(
            picture((100, 100, 40, 40), **ICON),
            picture((100, 100, 60, 40), **ICON),
            [("resized", "size", "40 x 40", "60 x 40")],
            id="a wider icon of one form",
        ),
        pytest.param(
            picture((100, 100, 40, 40), **ICON),
            picture((100, 100, 40, 40), **ICON, **NOW),
            [("recolored", "fill", "#143cc8", "#c80000")],
            id="an icon in another color",
        ),
        pytest.param(
            picture((100, 100, 40, 40), **ICON),
            picture((100, 100, 40, 40), **ICON, **NOW, texture=LINES),
            [("icon", "picture", "#143cc8", "#c80000")],
            id="another icon",
        ),
    ],
)
def test_changes_of_pictures_are_told(design: Element, made: Element, changes: list[Any]) -> None:
    assert told(design, made) == changes


def test_a_picture_that_shows_another_in_a_part_is_another_one() -> None:
    """From one pixel in a hundred; a middle that is as it was says that only corners are cut."""
    for width, is_other in ((20, True), (19, False)):
        over = [box(190, 145, width, 10, fill=BLACK)]
        changed = found(picture(), picture(thumbnail=PART), over=over)
        assert [(one.property, one.actual) for one in changed] == [("picture", None)] * is_other
    (one,) = found(picture(), picture(thumbnail=PART), over=[box(110, 110, 40, 30, fill=BLACK)])
    # 40 of 200 px by 30 of 100.
    assert one.made["changed"] == "at the top left, in 6% of it, mostly #000000 instead of #143cc8"


@pytest.mark.parametrize(
    ("radii", "change"),
    [
        ((0, 0), ("corner", None, None)),
        ((0, 12), ("corner", 0, 12)),
        ((12, 12), ("edge", None, "around")),
        ((12, 11.5), ("corner", None, None)),
        ((12, 11), ("corner", 12, 11)),
    ],
)
def test_a_picture_cut_at_its_corners_is_the_same(
    radii: tuple[float, float], change: tuple[Any, ...]
) -> None:
    design, made = (picture(radius=radius) for radius in radii)
    corners = [box(x, y, 12, 12, fill=WHITE) for x in (100, 288) for y in (100, 188)]

    assert told(design, replace(made, thumbnail=PART), over=corners) == [("restyled", *change)]
    assert told(
        design, replace(made, thumbnail=PART), over=[*corners, box(150, 130, 99, 30, fill=WHITE)]
    ) == [("recolored", "picture", None, None)]


def test_what_lies_over_a_picture_is_not_its_change() -> None:
    badge = box(150, 120, 60, 40, fill=BLACK)
    sides = picture(thumbnail=STRIPES), picture(thumbnail=PART)
    pages = [page([], own, height=300) for own in ([sides[0]], [sides[1], badge])]
    compared = Compared(match_pages(pages[0], pages[1]), score())

    assert [*pair_differences(compared, *sides)] == []


def test_the_color_of_an_icon_is_that_in_which_it_is_drawn_there() -> None:
    def shown(color: Color, *marks: Box, ground: Color = WHITE) -> Any:
        return page([], [box(*mark, fill=color) for mark in marks], ground=ground, height=200)

    icon, mark, other = box(100, 100, 20, 20, fill=BLUE), (105, 105, 6, 10), (104, 116, 10, 3)
    design = shown(BLUE, mark)

    assert color_there(design, shown(RED, mark), icon) == RED
    assert color_there(design, shown(WHITE, mark, ground=BLACK), icon) == WHITE
    assert color_there(design, shown(RED, other), icon) is None
    assert color_there(design, shown(RED), icon) is None
    assert color_there(design, shown(RED, mark), replace(icon, box=(100, 190, 20, 20))) is None


@pytest.mark.parametrize(
    ("fill", "ground", "mark", "same"),
    [
        (GRAY, WHITE, (105, 105, 6, 10), {"has_same_edges", "has_same_lines"}),
        (WHITE, BLACK, (105, 105, 6, 10), {"has_same_lines"}),
        (BLUE, WHITE, (107, 105, 6, 10), set()),
    ],
)
def test_another_drawing_may_have_the_same_lines(
    fill: Color, ground: Color, mark: Box, same: set[str]
) -> None:
    """Of another color; light on dark, which turns each edge; somewhere else."""
    icon = box(100, 100, 20, 20, **ICON)
    pages = [
        page([], [box(*place, fill=color)], ground=behind, height=200)
        for place, color, behind in (((105, 105, 6, 10), BLUE, WHITE), (mark, fill, ground))
    ]
    compared = Compared(match_pages(pages[0], pages[1]), score())

    assert what_is_same(compared, icon, icon) == dict.fromkeys(same, True)


@pytest.mark.parametrize(
    ("size", "measure"),
    [((190, 100), "width"), ((200, 90), "height"), ((190, 95), "area"), ((191, 90), "height")],
)
def test_what_is_cut_off_is_measured(size: tuple[int, int], measure: str) -> None:
    (one,) = found(panel(), panel((100, 100, *size), whole=(100, 100, 200, 100)))

    assert (one.property, one.made["cut"]) == ("cut", measure)
    assert one.actual == round(1 - size[0] * size[1] / 20_000, 4)


def _line(fill: Color = GRAY, weight: float = 1, dash: int = 0) -> tuple[Element, list[Element]]:
    """Return a line of 200 px, and what is painted over it: a gap of 4 px in so many."""
    line = box(100, 100, 200, weight, kind="line", fill=fill, has_fill=False)
    gaps = [box(100 + at, 100, 4, weight, fill=WHITE) for at in range(5, 200, dash)] if dash else []
    return line, gaps


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        (_line(), _line(), []),
        (_line(), _line(RED), [("#5a5a5a", "#c80000")]),
        (_line(), _line((92, 90, 90)), []),
        (_line(), _line(weight=3), [("1 px", "3 px")]),
        (_line(), _line(dash=39), [("solid", "dashed")]),
        (_line(), _line(dash=50), []),
        (_line(dash=10), _line(RED, 2), [("1 px dashed #5a5a5a", "2 px solid #c80000")]),
    ],
)
def test_lines_have_a_weight_a_color_and_dashes(old: Any, new: Any, changes: list[Any]) -> None:
    (design, gaps), (made, gaps_now) = old, new
    pages = [page([], [line, *over], height=300) for line, over in ((design, gaps), (made, gaps_now))]
    pages = [replace(one, elements=(line,)) for one, line in zip(pages, (design, made), strict=True)]
    compared = Compared(match_pages(pages[0], pages[1]), score())
    found = [one for one in pair_differences(compared, design, made) if one.property == "line"]
    assert [(one.expected, one.actual) for one in found] == changes
