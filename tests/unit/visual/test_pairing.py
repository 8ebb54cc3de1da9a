"""Which elements of two pages are compared, and which are missing and extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual import match_pages
from pytest_design2a11y.visual.assignment import boxes_of
from pytest_design2a11y.visual.match.elements import _captions
from pytest_design2a11y.visual.match.tables import have_words, shift_near
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import BLUE, WHITE, box, page, text

PHOTO: dict[str, Any] = {"kind": "picture", "tag": "img", "thumbnail": (BLUE, WHITE) * 18}
FIELD: dict[str, Any] = {"tag": "input[type=text]", "fill": WHITE, "has_border": True}
BAR: dict[str, Any] = {"role": "progressbar"}
CELL: dict[str, Any] = {"tag": "td", "fill": WHITE, "has_border": True}
ICON: dict[str, Any] = {"kind": "icon", "tag": "svg", "thumbnail": (BLUE, WHITE) * 18}


def are_compared(design: Sequence[Element | TextRun], made: Sequence[Element | TextRun]) -> bool:
    pages = [
        page(
            [one for one in side if isinstance(one, TextRun)],
            [one for one in side if isinstance(one, Element)],
        )
        for side in (design, made)
    ]
    (first, *others) = match_pages(pages[0], pages[1]).things
    return None not in first and not others


@pytest.mark.parametrize(
    ("design", "made"),
    [
        pytest.param(
            [box(40, 100, 900, 220, **PHOTO)],
            [box(680, 100, 260, 110, fill=WHITE), text("Tasks done", 700, 120)],
            id="a picture and a card with words",
        ),
        pytest.param(
            [box(40, 100, 900, 236, fill=WHITE)], [box(390, 118, 200, 200)], id="a panel and what lay in it"
        ),
        pytest.param(
            [box(400, 400, 9, 20, **CELL), text("1", 400, 400)],
            [box(380, 330, 25, 90, **CELL)],
            id="a cell with a word and an empty one",
        ),
        pytest.param(
            [box(400, 400, 60, 27, **CELL), text("2 4 6", 404, 400)],
            [
                box(700, 600, 72, 40, **CELL),
                *(text(one, x, 600) for one, x in (("2", 604), ("4", 704), ("6", 804))),
            ],
            id="a cell, and one with a part of its words",
        ),
        pytest.param(
            [box(40, 400, 720, 80), text("Prices of other categories", 60, 430)],
            [box(40, 380, 140, 43, tag="th"), text("Year", 60, 390)],
            id="a panel and a cell with other words",
        ),
        pytest.param(
            [box(40, 400, 300, 40, **FIELD)],
            [box(40, 440, 120, 40, tag="button"), text("Send", 60, 450)],
            id="a field and a button",
        ),
        pytest.param(
            [box(40, 100, 220, 370), text("Tent for two", 60, 300)],
            [box(40, 100, 490, 380), text("Projects", 60, 120)],
            id="cards with other words and sizes",
        ),
        pytest.param(
            [box(90, 100, 422, 40, fill=WHITE)], [box(70, 120, 200, 30)], id="boxes of other sizes and colors"
        ),
    ],
)
def test_unlike_things_are_not_compared(
    design: list[Element | TextRun], made: list[Element | TextRun]
) -> None:
    assert not are_compared(design, made)


@pytest.mark.parametrize(
    ("design", "made"),
    [
        pytest.param(
            [box(40, 100, 300, 200), text("Tent for two", 60, 120)],
            [box(40, 130, 900, 90), text("Tent for two", 60, 150)],
            id="the same words in a card of another size",
        ),
        pytest.param(
            [box(40, 100, 300, 40, tag="button"), text("Pay now", 60, 110)],
            [box(40, 100, 300, 40, tag="button")],
            id="a button in its place that lost its words",
        ),
        pytest.param(
            [box(40, 400, 900, 40, **FIELD)], [box(40, 410, 190, 27, **FIELD)], id="fields of other sizes"
        ),
        pytest.param([box(40, 400, 424, 16, **BAR)], [box(40, 400, 53, 16, **BAR)], id="progress bars"),
        pytest.param([box(40, 400, 32, 32, **ICON)], [box(49, 405, 14, 23, **ICON)], id="icons in one place"),
        pytest.param(
            [box(40, 100, 30, 30, tag="img")],
            [box(128, 112, 30, 30, **ICON)],
            id="a square picture and a round",
        ),
        pytest.param(
            [box(40, 100, 300, 200, **PHOTO)], [box(40, 100, 300, 200)], id="a picture and a box in its place"
        ),
        pytest.param(
            [box(40, 100, 300, 200, **PHOTO, label="Tent")],
            [box(60, 160, 90, 60, **PHOTO, label="Tent")],
            id="a picture with its name",
        ),
    ],
)
def test_like_things_are_compared(design: list[Element | TextRun], made: list[Element | TextRun]) -> None:
    assert are_compared(design, made)


@pytest.mark.parametrize(
    ("places", "captions"),
    [
        pytest.param([(180, 100, 300, 24)], ["Town"], id="beside"),
        pytest.param([(312, 100, 300, 24)], ["Town"], id="farthest beside"),
        pytest.param([(313, 100, 300, 24)], [""], id="too far beside"),
        pytest.param([(69, 100, 300, 16)], ["Town"], id="beside, a little over it"),
        pytest.param([(68, 100, 300, 16)], [""], id="over it"),
        pytest.param([(180, 110, 300, 24)], ["Town"], id="beside, lower by half"),
        pytest.param([(180, 111, 300, 24)], [""], id="in the next line"),
        pytest.param([(180, 86, 300, 24)], ["Town"], id="beside, higher by half"),
        pytest.param([(180, 85, 300, 24)], [""], id="in the line before"),
        pytest.param([(71, 144, 300, 24)], ["Town"], id="below by its height"),
        pytest.param([(71, 145, 300, 24)], [""], id="too far below"),
        pytest.param([(72, 130, 300, 24)], [""], id="below and beside"),
        pytest.param([(20, 130, 21, 24)], ["Town"], id="below, reaching under it"),
        pytest.param([(20, 130, 20, 24)], [""], id="below, ending before it"),
        pytest.param([(180, 100, 300, 24), (40, 125, 300, 24)], ["Town", ""], id="one beside, one below"),
    ],
)
def test_a_field_is_called_by_the_words_before_or_above_it(
    places: list[tuple[int, int, int, int]], captions: list[str]
) -> None:
    """The word goes from 40 to 72 px, and from 100 to 120."""
    fields = [box(*place, **FIELD) for place in places]

    assert _captions(fields, [""] * len(fields), units_of([text("Town", 40, 100)])) == captions


def test_a_field_is_called_by_the_nearest_words_unless_it_has_a_name() -> None:
    units = units_of([text("Town", 40, 100), text("City", 180, 100)])
    named = [box(250, 100, 300, 24, **FIELD), box(250, 100, 300, 24, **FIELD), box(250, 100, 300, 24)]

    assert _captions(named, ["", "Place", ""], units) == ["City", "Place", ""]
    assert _captions(named, ["", "Place", ""], []) == ["", "Place", ""]


def test_a_badge_is_not_the_band_around_it_whatever_they_share() -> None:
    word = text("FETCH 5.8", 350, 120)
    badge = box(335, 94, 148, 73, tag="a", fill=(7, 25, 48), label="FETCH 5.8")

    assert are_compared([word, badge], [word, replace(badge, box=(320, 90, 500, 90))])
    assert not are_compared([word, badge], [word, replace(badge, box=(0, 0, 1000, 245), fill=(25, 69, 105))])


def test_a_button_of_one_color_without_a_name_is_not_a_panel_elsewhere() -> None:
    button = box(64, 245, 120, 32, tag="button", role="button", fill=(239, 239, 239))

    assert are_compared([button], [replace(button, tag="div", role="", box=(40, 500, 160, 40))])
    assert not are_compared([button], [replace(button, tag="div", role="", box=(40, 300, 760, 440))])


def pairs(design: Sequence[Element | TextRun], made: Sequence[Element | TextRun]) -> list[tuple[int, int]]:
    """Return which elements are compared, by their numbers."""
    sides = [
        (
            [one for one in side if isinstance(one, TextRun)],
            [one for one in side if isinstance(one, Element)],
        )
        for side in (design, made)
    ]
    return [*(match_pages(page(*sides[0]), page(*sides[1])).indices or ())]


GRAY, LIGHTER, TINT = (90, 90, 90), (105, 105, 105), (140, 70, 70)


def flat(x: int, y: int, width: int, height: int, fill: tuple[int, int, int] = GRAY) -> Element:
    """Make a picture of one color."""
    return box(x, y, width, height, tag="img", fill=fill)


def drawn(x: int, y: int, width: int, height: int, change: int = 0) -> Element:
    cells = (tuple(value + change for value in BLUE), tuple(value - change for value in WHITE))
    return box(x, y, width, height, **PHOTO | {"thumbnail": cells * 18})


def button(y: int, height: int, fill: tuple[int, int, int], **changes: Any) -> Element:
    return box(64, y, 120, height, tag="button", role="button", fill=fill, **changes)


@pytest.mark.parametrize(
    ("design", "last", "first_beyond"),
    [
        pytest.param(
            flat(100, 100, 200, 100),
            flat(590, 100, 100, 100, LIGHTER),
            flat(610, 100, 100, 100, LIGHTER),
            id="of another shape: near",
        ),
        pytest.param(
            flat(100, 100, 200, 100),
            flat(800, 600, 120, 100, LIGHTER),
            flat(800, 600, 119, 100, LIGHTER),
            id="far: of a similar shape",
        ),
        pytest.param(
            flat(100, 100, 100, 100),
            flat(700, 600, 100, 100, (109,) * 3),
            flat(700, 600, 100, 100, (110,) * 3),
            id="gray: of a like gray",
        ),
        pytest.param(
            flat(100, 100, 100, 100, (200, 40, 40)),
            flat(700, 600, 100, 100, (255, 0, 117)),
            flat(700, 600, 100, 100, (255, 0, 118)),
            id="tinted: of a like tint",
        ),
        pytest.param(
            flat(100, 100, 100, 100),
            flat(400, 150, 15, 15, LIGHTER),
            flat(400, 150, 14, 14, LIGHTER),
            id="not tiny",
        ),
        pytest.param(
            drawn(100, 100, 100, 100),
            drawn(700, 600, 90, 90, 6),
            drawn(700, 600, 90, 90, 7),
            id="drawn: of one look",
        ),
        pytest.param(
            drawn(100, 100, 100, 100),
            drawn(700, 600, 90, 90),
            flat(700, 600, 90, 90),
            id="drawn: not of one color",
        ),
        pytest.param(
            replace(drawn(0, 0, 200, 100), fill=GRAY),
            replace(drawn(800, 850, 100, 100, 6), fill=GRAY),
            replace(drawn(800, 850, 100, 100, 7), fill=GRAY),
            id="drawn: far and of another shape",
        ),
        pytest.param(
            box(40, 100, 300, 40, **FIELD),
            box(600, 800, 186, 40, fill=WHITE, has_border=True),
            box(600, 800, 174, 40, fill=WHITE, has_border=True),
            id="a field: a frame of a similar shape",
        ),
        pytest.param(
            box(40, 100, 300, 40, **FIELD, label="Town"),
            box(600, 900, 90, 30, **FIELD, label="Town"),
            box(600, 900, 90, 30, **FIELD, label="Mail"),
            id="a field: of its name",
        ),
        pytest.param(
            button(245, 32, (239,) * 3),
            box(40, 500, 160, 266, fill=(239,) * 3),
            box(40, 500, 160, 268, fill=(239,) * 3),
            id="a button: a panel not ten times as large",
        ),
        pytest.param(
            button(50, 40, BLUE, label="Pay now"),
            button(900, 10, (200, 0, 0), label="Pay now"),
            button(900, 9, (200, 0, 0), label="Pay now"),
            id="by name: not four times as large",
        ),
        pytest.param(
            button(50, 40, BLUE, label="Pay now"),
            button(900, 24, (200, 0, 0), label="Pay now"),
            button(900, 24, (200, 0, 0), label="Pay later"),
            id="by name: another name",
        ),
    ],
)
def test_what_is_found_elsewhere_is_alike(design: Element, last: Element, first_beyond: Element) -> None:
    around = box(0, 0, 1000, 1000, fill=WHITE, has_border=True)

    assert pairs([around, design], [around, last]) == [(0, 0), (1, 1)]
    assert pairs([around, design], [around, first_beyond]) == [(0, 0)]


def test_pictures_of_one_tint_are_found_whatever_their_shape() -> None:
    """Sixty levels between the channels make a tint."""
    around, far = box(0, 0, 1000, 1000, fill=WHITE, has_border=True), flat(700, 100, 100, 100, TINT)

    assert pairs([around, flat(100, 100, 200, 100, (120, 60, 60))], [around, far]) == [(0, 0), (1, 1)]
    assert pairs([around, flat(100, 100, 200, 100, (119, 60, 60))], [around, far]) == [(0, 0)]


@pytest.mark.parametrize(
    ("x", "y", "is_one"), [(286, 406, True), (287, 406, False), (100, 422, True), (100, 423, False)]
)
def test_another_icon_is_found_in_the_row(x: int, y: int, is_one: bool) -> None:
    """At most 240 px aside, and half of the higher one's height below, from center to center."""
    other = box(x, y, 20, 20, **ICON | {"thumbnail": (WHITE, BLUE) * 18})

    assert pairs([box(40, 400, 32, 32, **ICON)], [other]) == [(0, 0)] * is_one


@pytest.mark.parametrize(
    ("other", "is_one"),
    [
        (box(200, 400, 32, 32, fill=GRAY), True),
        (box(200, 400, 33, 33, fill=GRAY), False),
        (box(200, 400, 32, 32, fill=GRAY, label="Menu"), False),
        (drawn(200, 406, 20, 20), True),
    ],
)
def test_a_small_box_without_a_name_or_a_small_picture_may_be_an_icon_of_the_row(
    other: Element, is_one: bool
) -> None:
    assert pairs([box(40, 400, 32, 32, **ICON)], [other]) == [(0, 0)] * is_one


def test_another_icon_is_found_in_the_row_that_moved_with_its_words() -> None:
    other = box(200, 706, 20, 20, **ICON | {"thumbnail": (WHITE, BLUE) * 18})
    stays = text("omega", 300, 700)
    design: list[Element | TextRun] = [box(40, 400, 32, 32, **ICON), text("alpha", 90, 405), stays]

    assert pairs(design, [other, text("alpha", 90, 705), stays]) == [(0, 0)]
    assert pairs(design, [other, text("alpha", 90, 405), stays]) == []


def test_boxes_of_one_look_are_the_same_wherever_they_are() -> None:
    def two(height: int, change: int, *places: tuple[int, int]) -> list[Element]:
        fill = tuple(value + change for value in BLUE)
        return [box(x, y, 300, height, fill=fill) for x, y in places]

    design, made = ((40, 50), (40, 300)), ((600, 600), (300, 760))
    found = {
        change: pairs(two(200, 0, *design), two(*change, *made))
        for change in ((200, 0), (182, 0), (179, 0), (200, 6), (200, 7))
    }

    assert [change for change, one in found.items() if one == [(0, 0), (1, 1)]] == [
        (200, 0),
        (182, 0),
        (200, 6),
    ]
    assert [change for change, one in found.items() if not one] == [(179, 0), (200, 7)]


@pytest.mark.parametrize(
    ("x", "y", "change", "is_one"),
    [(0, 0, 0, True), (4, 4, 0, True), (5, 0, 0, False), (0, 5, 0, False), (0, 0, 6, True), (0, 0, 7, False)],
)
def test_a_box_that_shrank_is_known_by_its_corner_and_its_color(
    x: int, y: int, change: int, is_one: bool
) -> None:
    fill = tuple(value + change for value in BLUE)
    other = box(700, 800, 90, 90)
    made = [box(40 + x, 100 + y, 300, 55, fill=fill), other, box(600, 600, 60, 12, fill=fill)]

    assert pairs([box(40, 100, 300, 200), other], made) == [(0, 0)] * is_one + [(1, 1)]


@pytest.mark.parametrize(
    ("changes", "is_by_place"),
    [
        ({}, True),
        ({"box": (40, 200, 300, 64)}, True),
        ({"box": (40, 200, 300, 65)}, False),
        ({"tag": "a"}, False),
        ({"value": "x"}, False),
    ],
)
def test_of_like_boxes_whose_words_were_exchanged_each_keeps_its_place(
    changes: dict[str, Any], is_by_place: bool
) -> None:
    design = [box(40, 100, 300, 60), replace(box(40, 200, 300, 60), **changes)]
    made = [replace(one, box=(one.box[0] + 1, *one.box[1:])) for one in design]
    words = [text("alpha", 60, 120), text("omega", 60, 220)]
    swapped = [text("omega", 60, 120), text("alpha", 60, 220)]

    found = pairs([*design, *words], [*made, *swapped])
    assert found == ([(0, 0), (1, 1)] if is_by_place else [(0, 1), (1, 0)])


def test_a_frame_is_no_field_elsewhere() -> None:
    around, frame = (
        box(*place, fill=WHITE, has_border=True) for place in ((0, 0, 1000, 1000), (40, 100, 300, 40))
    )

    assert pairs([around, frame], [around, replace(frame, box=(600, 800, 186, 40))]) == [(0, 0)]


@pytest.mark.parametrize(
    ("place", "has_any"),
    [
        pytest.param((200, 200, 50, 20), True, id="within it"),
        pytest.param((50, 50, 400, 400), True, id="around it"),
        pytest.param((50, 200, 300, 20), False, id="across its left edge"),
        pytest.param((200, 50, 50, 300), False, id="across its upper edge"),
        pytest.param((200, 200, 300, 20), False, id="across its right edge"),
        pytest.param((200, 200, 201, 20), False, id="beyond its right edge by a pixel"),
        pytest.param((99, 200, 150, 20), False, id="beyond its left edge by a pixel"),
        pytest.param((200, 200, 50, 300), False, id="across its lower edge"),
    ],
)
def test_words_of_what_lies_across_an_edge_are_not_on_a_box(
    place: tuple[int, int, int, int], has_any: bool
) -> None:
    panel = box(100, 100, 300, 300)
    units = units_of([text("Soup", 205, 200)])

    assert have_words(boxes_of([panel]), units, [panel, box(*place)]).tolist() == [has_any]
    assert have_words(boxes_of([panel]), units, [panel, box(*place, has_fill=False)]).tolist() == [True]


def test_what_holds_a_text_moves_with_it_and_what_holds_none_with_the_nearest() -> None:
    """A text 40 px to the right counts as a third of one 40 px below."""
    texts = [
        (units_of([text("a", x, y)])[0], units_of([text("a", x + across, y + down)])[0])
        for x, y, across, down in ((100, 100, 7, 9), (196, 100, 1, 30), (500, 500, 0, 60))
    ]
    # The first text's middle is at 104, 110, the second one's at 200, 110.
    assert shift_near((104, 110, 50, 50), texts) == (7, 9)
    assert shift_near((0, 0, 104, 110), texts) == (7, 9)
    assert shift_near((104, 110, 96, 10), texts) == (4, 19.5)
    assert shift_near((300, 100, 20, 20), texts) == (1, 30)
    assert shift_near((400, 420, 20, 20), texts) == (0, 60)
    assert shift_near((300, 100, 20, 20), []) == (0, 0)
    wide = [
        (units_of([text("a", x, y)])[0], units_of([text("a", x + 7, y + at)])[0])
        for at, (x, y) in enumerate(((6, 40), (146, 40)))
    ]
    assert shift_near((0, 0, 300, 20), wide) == (7, 1)


def test_a_control_near_its_place_is_the_same_if_enough_is_alike() -> None:
    """Of 1.7, 0.6 for its size, 0.5 for its kind, 0.4 * 0.5 for its color and 0.2 for a control: 0.2 is left.

    That is a distance of 192 of 240 px.
    """
    first, second = (box(x, 100, 100, 40, fill=fill) for x, fill in ((40, GRAY), (230, (122, 122, 122))))

    assert pairs([first], [second]) == [(0, 0)]
    assert pairs([first], [replace(second, box=(234, 100, 100, 40))]) == []
    assert pairs([first, box(700, 500, 30, 400)], [second]) == [(0, 0)]


def test_the_only_thing_of_a_name_is_that_and_not_what_was_in_its_place() -> None:
    pay, other = (
        button(245, 40, BLUE, label="Pay now"),
        replace(button(245, 40, BLUE), box=(600, 245, 120, 40)),
    )

    assert pairs([pay, other], [replace(other, label="Pay now")]) == [(0, 0)]
    assert pairs([pay, other, replace(pay, box=(64, 900, 120, 40))], [replace(other, label="Pay now")]) == [
        (1, 0)
    ]


def test_of_pictures_elsewhere_those_of_the_nearest_colors_are_the_same() -> None:
    """They are 40 px apart, which says less than 6 levels of 64."""
    around = box(0, 0, 1000, 1000, fill=WHITE, has_border=True)
    design = [around, flat(100, 100, 36, 36, (90,) * 3), flat(100, 140, 36, 36, (110,) * 3)]
    made = [around, flat(700, 100, 36, 36, (103,) * 3), flat(700, 140, 36, 36, (97,) * 3)]

    assert pairs(design, made) == [(0, 0), (1, 2), (2, 1)]


def test_of_pictures_elsewhere_one_of_the_same_shape_is_the_same() -> None:
    """Half as long in proportion says a quarter less, and 50 px of 1000 farther only a twentieth."""
    around = box(0, 0, 1000, 1000, fill=WHITE, has_border=True)
    near, alike = flat(700, 100, 71, 70, LIGHTER), flat(700, 150, 100, 50, LIGHTER)

    assert pairs([around, flat(100, 100, 100, 50)], [around, near, alike]) == [(0, 0), (1, 2)]


def test_a_text_beside_a_box_is_not_in_it() -> None:
    texts = [
        (units_of([text("a", x, y)])[0], units_of([text("a", x + 7 * at, y)])[0])
        for at, (x, y) in enumerate(((296, 300), (106, 320), (100, 700)))
    ]
    assert shift_near((100, 300, 20, 20), texts) == (7, 0)
    assert shift_near((300, 100, 20, 20), [texts[2], texts[0]]) == (0, 0)


def test_a_box_without_words_moves_with_the_nearest_text() -> None:
    """One 90 px below it is nearer than one 300 px beside it."""
    made = box(100, 600, 60, 40, fill=(35, 75, 215))

    assert pairs(
        [box(100, 100, 60, 40), text("near", 84, 200), text("aside", 440, 110)],
        [made, text("near", 84, 700), text("aside", 440, 110)],
    ) == [(0, 0)]


def test_of_things_with_one_name_none_is_known_by_it_elsewhere() -> None:
    def two(height: int, fill: tuple[int, int, int], *tops: int) -> list[Element]:
        return [button(top, height, fill, label="Pay now") for top in tops]

    assert pairs(two(40, BLUE, 50, 150), two(24, (200, 0, 0), 600, 800)) == []
    assert pairs(two(40, BLUE, 50), two(24, (200, 0, 0), 600)) == [(0, 0)]


def test_a_field_that_moved_is_the_same_if_its_name_is_like_it() -> None:
    """Three letters of five are enough."""
    field, moved = (
        box(40, 100, 300, 40, **FIELD, label="abcde"),
        box(40, 180, 170, 44, **FIELD, label="abcxy"),
    )

    assert pairs([field], [moved]) == [(0, 0)]
    assert pairs([field], [replace(moved, label="abxyz")]) == []


def test_a_panel_that_moved_a_little_may_have_another_name() -> None:
    """By a fifth of 240 px at most."""
    pay, send = box(64, 100, 120, 40, label="Pay now"), box(64, 148, 120, 40, label="Send it")

    assert pairs([pay], [send]) == [(0, 0)]
    assert pairs([pay], [replace(send, box=(64, 149, 120, 40))]) == []


def test_a_bar_that_covers_others_is_the_same_unless_it_has_another_name() -> None:
    bar, over = box(0, 0, 1000, 60), box(0, 0, 1000, 70, fill=(35, 75, 215), covers=True)

    assert pairs([bar], [over]) == [(0, 0)]
    assert pairs([replace(bar, label="Shop")], [replace(over, label="Cookies")]) == []
    assert pairs([replace(bar, label="Shop")], [replace(over, label="Cookies", covers=False)]) == [(0, 0)]


def test_bands_of_like_colors_across_the_content_that_begin_or_end_it_are_one() -> None:
    ground = box(300, 300, 40, 40)
    foot, tall = box(0, 780, 1000, 20, fill=(20, 20, 20)), box(0, 500, 1000, 300, fill=(0, 0, 0))
    end = box(300, 760, 40, 40)

    assert pairs([ground, end, foot], [ground, end, tall]) == [(0, 0), (1, 1), (2, 2)]
    for other in (
        replace(tall, box=(0, 490, 1000, 300)),
        replace(tall, fill=(240, 240, 240)),
        replace(tall, box=(0, 0, 1000, 800)),  # It begins the page, too.
    ):
        assert pairs([ground, end, foot], [ground, end, other]) == [(0, 0), (1, 1)]
    narrow = [replace(one, box=(150, one.box[1], 700, one.box[3])) for one in (foot, tall)]
    assert pairs([ground, end, narrow[0]], [ground, end, narrow[1]]) == [(0, 0), (1, 1), (2, 2)]
    aside = replace(tall, box=(5, 500, 990, 300))
    edges = [box(0, 300, 4, 4), box(996, 300, 4, 4)]
    assert pairs([*edges, end, foot], [*edges, end, aside]) == [(0, 0), (1, 1), (2, 2)]
    head, high = box(0, 0, 1000, 30, fill=(20, 20, 20)), box(0, 4, 1000, 400, fill=(0, 0, 0))
    assert pairs([ground, end, head], [ground, end, high]) == [(0, 0), (1, 1), (2, 2)]
    words = [text("Meet somebody today", 40, 200)]
    lower = [text("Meet somebody today", 40, 560)]
    named = [
        box(0, 0, 1000, high, label="Ada", fill=fill) for high, fill in ((410, BLUE), (236, (144, 238, 144)))
    ]
    under = [text("Ada", 40, 100), text("Notes on engines", 40, 160)]
    after = [text("Ada", 40, 100), text("Notes on engines", 40, 260)]
    assert pairs([*under, ground, end, named[0]], [*after, ground, end, named[1]])[-1] == (2, 2)
    apart: list[Element | TextRun] = [*after, ground, end, replace(named[1], label="Bea")]
    assert pairs([*under, ground, end, named[0]], apart)[-1] != (2, 2)
    middle, other = box(0, 150, 1000, 100, fill=(20, 20, 20)), box(0, 400, 1000, 330, fill=(240, 240, 240))
    assert pairs([*words, ground, middle, end], [*lower, ground, other, end]) == [(0, 0), (1, 1), (2, 2)]


def test_pictures_of_one_color_and_other_sizes_are_paired_in_their_order() -> None:
    large = [flat(100, y, 280 - at * 20, 280 - at * 20) for at, y in enumerate((20, 340, 660))]
    small = [flat(100, y, 140 + at * 20, 140 + at * 20) for at, y in enumerate((20, 200, 380))]
    assert pairs(large, small) == [(0, 0), (1, 1), (2, 2)]
    as_large = [replace(one, box=(400, *one.box[1:])) for one in reversed(large)]
    assert pairs(large, as_large) == [(0, 2), (1, 1), (2, 0)], "sizes tell which is which"


def test_a_control_is_not_the_dot_in_it() -> None:
    radio = {"tag": "input[type=radio]", "role": "radio", "label": "Beaufort"}
    ring = box(100, 100, 16, 16, has_border=True, fill=WHITE, states=("checked",), **radio)
    dot = replace(box(105, 105, 6, 6, **radio), is_part=True)
    empty = replace(ring, states=())
    assert pairs([ring, dot], [empty]) == [(0, 0)]


def test_of_pictures_of_one_look_elsewhere_the_nearest_is_the_same() -> None:
    around = box(0, 0, 1000, 1000, fill=WHITE, has_border=True)
    near, far = (flat(700, y, 36, 36, LIGHTER) for y in (100, 500))

    assert pairs([around, flat(100, 100, 36, 36)], [around, near, far]) == [(0, 0), (1, 1)]
    assert pairs([around, flat(100, 100, 36, 36)], [around, far, near]) == [(0, 0), (1, 2)]


def test_a_panel_is_known_by_all_of_its_words_and_not_by_the_first_alone() -> None:
    """The band is called by what the logo in it is called."""
    words = ("Fetch", "Your best friend for file transfer", "Support")

    def side(names: tuple[str, str], band: Any, logo: Any) -> Any:
        texts = [text(word, 320, band.box[1] + 20 + 60 * at) for at, word in enumerate(words)]
        return page(
            texts, [replace(band, label=names[0])] + ([replace(logo, label=names[1])] if logo else [])
        )

    wide, narrow = box(0, 0, 1000, 220), box(200, 90, 600, 240)
    design = side((words[1], words[0]), narrow, box(300, 100, 90, 50, fill=(7, 25, 48)))
    things = match_pages(design, side((words[0], ""), wide, None)).things
    pairs = {(one and one.box, other and other.box) for one, other in things}
    assert pairs == {(narrow.box, wide.box), ((300, 100, 90, 50), None)}


def test_a_panel_that_lost_words_is_known_by_its_name_unless_another_holds_them() -> None:
    """A card that the page's edge cuts has fewer words; the words of its head stand above it now."""
    card = box(500, 100, 400, 300, label="Approach")
    inside = [text("Approach", 520, 110), text("The theme uses fonts and icons of its own", 520, 200)]
    things = match_pages(
        page(inside, [card]), page(inside[:1], [replace(card, box=(800, 120, 200, 300))])
    ).things
    assert [None in pair for pair in things] == [False]


def test_things_that_look_alike_follow_their_texts_and_do_not_stay_for_another() -> None:
    """What was above four bars is gone, so that the third stands where the first was."""

    def bars(tops: Sequence[int], names: str = "abcd") -> Any:
        texts = [text(name * 3, 100, top - 24) for name, top in zip(names, tops, strict=True)]
        return page(texts, [box(100, top, 300, 16) for top in tops])

    def paired(design: Any, made: Any) -> list[tuple[float, float]]:
        return [
            (one.box[1], other.box[1]) for one, other in match_pages(design, made).things if one and other
        ]

    tops = (300, 360, 420, 480)
    assert paired(bars(tops), bars([top - 120 for top in tops])) == [(top, top - 120) for top in tops]
    assert paired(bars(tops), bars(tops[:3], "abc")) == [(top, top) for top in tops[:3]]
