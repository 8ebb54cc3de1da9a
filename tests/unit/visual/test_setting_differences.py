"""How texts are set, and what hides them: in which direction, in how many lines, how far indented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Trouble
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.setting import setting_differences
from pytest_design2a11y.visual.differences.troubles import trouble_differences
from tests.pages_by_hand import BLACK, SANS, WHITE, box, page, text

CODE = replace(SANS, size=10, advances=(0.6,) * 8)


def compared(design: Capture, made: Capture) -> Compared:
    return Compared(match_pages(design, made), score_matching(match_blocks([], [])))


def lines(*words: tuple[str, float, float], **changes: Any) -> list[TextRun]:
    """Make one paragraph of runs, each with its place."""
    return [replace(text(run, x, y), paragraph=1, **changes) for run, x, y in words]


SOUP = [("Soup of the", 100, 100), ("day with bread", 100, 124)]
FLAT = [("Soup of the", 100, 100), ("day with bread", 196, 100)]


def set_as(
    design: Sequence[TextRun], made: Sequence[TextRun], *boxes: tuple[Box, Box]
) -> list[tuple[str | None, Any, Any]]:
    sides = [
        page(runs, [box(*pair[at], fill=WHITE, has_border=True) for pair in boxes], height=300)
        for at, runs in enumerate((design, made))
    ]
    found = [*setting_differences(compared(*sides))]
    for one in found:
        words = " ".join(run.text for run in design)
        assert (one.kind, one.what, one.design["text"], one.made["text"]) == ("font", "text", words, words)
    return [(one.property, one.expected, one.actual) for one in found]


def test_a_direction_is_that_of_all_letters_but_of_more_than_one() -> None:
    across, down = (lines(("Soup", 100, 100), is_vertical=is_down) for is_down in (False, True))
    below = [replace(run, boxes=((103, 100, 20, 32),)) for run in down]
    mixed = [*lines(("So", 100, 100), is_vertical=True), *lines(("up", 119, 100))]

    assert set_as(across, below) == [("direction", "horizontal", "vertical")]
    assert set_as(below, across) == [("direction", "vertical", "horizontal")]
    assert set_as(across, mixed) == []
    assert set_as(lines(("S", 100, 100)), lines(("S", 103, 100), is_vertical=True)) == []


@pytest.mark.parametrize(
    ("sides", "boxes", "told"),
    [
        ((SOUP, FLAT), [], False),  # The text itself is wider.
        ((SOUP, FLAT), [((90, 90, 300, 80), (90, 90, 300, 80))], True),
        ((SOUP, FLAT), [((90, 90, 300, 80), (90, 90, 302, 80))], True),
        ((SOUP, FLAT), [((90, 90, 300, 80), (90, 90, 303, 80))], False),
        (
            (SOUP, FLAT),
            [((10, 10, 800, 200), (10, 10, 900, 200)), ((90, 90, 300, 80), (90, 90, 300, 80))],
            True,
        ),
        (
            (SOUP, FLAT),
            [((10, 10, 800, 200), (10, 10, 800, 200)), ((90, 90, 300, 80), (90, 90, 310, 80))],
            False,
        ),
        ((SOUP, [(SOUP[0]), ("day with bread", 100, 110)]), [((90, 90, 300, 80),) * 2], True),
        ((SOUP, [(SOUP[0]), ("day with bread", 100, 111)]), [((90, 90, 300, 80),) * 2], False),
        ((SOUP, SOUP), [((90, 90, 300, 80),) * 2], False),
    ],
)
def test_other_lines_are_told_where_neither_letters_nor_room_explain_them(
    sides: Sequence[Any], boxes: list[tuple[Box, Box]], told: bool
) -> None:
    """Half of a line's height of 20 px begins no new line."""
    design, made = (lines(*side) for side in sides)

    assert set_as(design, made, *boxes) == [("lines", 2, 1)] * told
    assert set_as(made, design, *boxes) == [("lines", 1, 2)] * told
    larger = [replace(run, font=CODE) for run in made]
    assert set_as(design, larger, *boxes) == []


def code(*indents: int, font: Any = CODE, ink: int = 1) -> list[TextRun]:
    """Make lines of code that begin so many letters of 6 px to the right."""
    words = ("if it is so:", "go there;", "and come back")
    return [
        replace(text(f"{words[at]}", 100 + 6 * indent, 100 + 24 * at), paragraph=1, font=font)
        for at, indent in enumerate(indents)
    ]


def test_lines_of_code_are_indented_by_letters() -> None:
    assert set_as(code(0, 4, 0), code(0, 2, 0)) == [("indent", 4, 2)]
    assert set_as(code(0, 4, 4), code(0, 4, 8)) == [("indent", 4, 8)]
    assert set_as(code(4, 0, 0), code(0, 0, 0)) == [("indent", 4, 0)]
    assert set_as(code(0, 4, 0), code(0, 4, 0)) == []
    assert set_as(code(0, 4, 0, font=SANS), code(0, 2, 0, font=SANS)) == []
    assert set_as(code(0, 4, 0, font=None), code(0, 2, 0, font=None)) == []
    # A line may begin with blanks, in a box that holds these.
    blank, bare = ([replace(run, boxes=((60, 100, 160, 16),)) for run in code(at)[:1]] for at in (0, 1))
    assert set_as(blank, bare) == []
    nothing = replace(CODE, advances=(0.0,) * 8)
    assert set_as(code(0, 4, 0, font=nothing), code(0, 2, 0, font=nothing)) == []


def test_the_line_that_is_indented_otherwise_is_named() -> None:
    sides = (page(runs, height=300) for runs in (code(0, 4, 4), code(0, 4, 8)))
    (found,) = setting_differences(compared(*sides))

    assert found.design["line"] == 3
    assert found.design["text"] == "if it is so: go there; and come back"


SALE = text("Sale of the year", 100, 100)
PLACE = SALE.boxes[0]


def troubles(
    *found: Trouble,
    before: Sequence[Trouble] = (),
    elements: Sequence[Element] = (),
    over: Sequence[Element] = (),
    designs: Sequence[Element] | None = None,
) -> list[tuple[str, str, str | None, Any]]:
    known = elements if designs is None else designs
    design = replace(page([SALE], known, height=300), overlaps=tuple(before))
    made = replace(page([SALE], [*elements, *over], height=300), elements=tuple(elements), overlaps=found)
    pixels = made.screenshot.pixels.copy()
    for one in over:
        x, y, width, height = map(int, one.box)
        pixels[y : y + height, x : x + width] = one.fill
    vars(made.screenshot)["pixels"] = pixels
    return [
        (one.kind, one.what, one.property, one.actual) for one in trouble_differences(compared(design, made))
    ]


COVERED = Trouble("covered", PLACE, "Sale of the year", by_box=(100, 90, 64, 40), share=0.5)
OVER = [box(100, 90, 64, 40)]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (COVERED, ("covered", "text", "cover", 0.5)),
        (replace(COVERED, share=0.1), ("covered", "text", "cover", 0.1)),
        (replace(COVERED, share=0.09), None),
        (replace(COVERED, by_box=None), ("covered", "text", "cover", 0.5)),
        # Of its letters, 11.2 of 20 px high and 128 wide, at least a twentieth is hidden: 6.4 px across.
        (replace(COVERED, by_box=(93, 90, 14, 40)), ("covered", "text", "cover", 0.5)),
        (replace(COVERED, by_box=(93, 90, 13, 40)), None),
        (replace(COVERED, by_box=(100, 90, 64, 14)), None),
        (replace(COVERED, by_box=(100, 90, 64, 17)), ("covered", "text", "cover", 0.5)),
        (replace(COVERED, by_box=(300, 90, 64, 40)), None),
        (replace(COVERED, kind="overflowing"), ("overflowing", "text", "box", 0.5)),
        (replace(COVERED, kind="clipped", cut="length"), ("overflowing", "text", "cut", 0.5)),
        (replace(COVERED, kind="unreadable", by_box=None), ("unreadable", "text", "contrast", 0.5)),
        (replace(COVERED, box=(400, 200, 90, 20), by_box=None), None),
        (replace(COVERED, kind="overflowing", text=""), ("overflowing", "panel", "box", 0.5)),
    ],
)
def test_troubles_that_the_design_has_not_are_told(trouble: Trouble, told: Any) -> None:
    assert troubles(trouble, over=OVER) == ([] if told is None else [told])


@pytest.mark.parametrize(
    ("known", "is_new"),
    [
        (COVERED, False),
        (replace(COVERED, kind="clipped"), True),
        (replace(COVERED, share=0.41), False),
        (replace(COVERED, share=0.39), True),
        (replace(COVERED, text="SALE of the week"), False),
        (replace(COVERED, text="Bread and water"), True),
        (replace(COVERED, text=""), True),
    ],
)
def test_a_trouble_of_the_design_is_not_new(known: Trouble, is_new: bool) -> None:
    assert troubles(COVERED, before=[known], over=OVER) == [("covered", "text", "cover", 0.5)] * is_new


@pytest.mark.parametrize(("left", "is_new"), [(100, False), (164, False), (165, True), (400, True)])
def test_a_trouble_of_a_box_is_known_by_half_of_its_place(left: int, is_new: bool) -> None:
    """It is 128 px wide."""
    own = Trouble("overflowing", PLACE, "", share=0.5)
    known = replace(own, box=(left, *PLACE[1:]))

    assert bool(troubles(own, before=[known], over=OVER)) == is_new


def test_what_is_covered_is_known_as_the_element_that_it_is() -> None:
    panel = box(80, 80, 300, 90, fill=WHITE, has_border=True, label="Sale")
    covered = Trouble("covered", panel.box, "Sale", by_box=(60, 90, 104, 40), share=0.3)

    assert troubles(covered, elements=[panel], over=OVER) == [("covered", "panel", "cover", 0.3)]
    # What lies in it is its content, unless it is as large.
    for place, is_told in (((90, 90, 104, 40), False), ((80, 82, 300, 86), True)):
        assert bool(troubles(replace(covered, by_box=place), elements=[panel], over=OVER)) == is_told
    shown = [replace(panel, shown=share) for share in (0.81, 0.79)]
    assert [bool(troubles(covered, elements=[panel], designs=[one], over=OVER)) for one in shown] == [
        True,
        False,
    ]


def test_the_facts_of_a_trouble_are_told() -> None:
    design, made = page([SALE], height=300), page([SALE], OVER, height=300)
    cut = Trouble("clipped", PLACE, "Sale of the year", by_box=(100, 90, 64, 40), share=0.256, cut="height")
    strange = Trouble("unreadable", PLACE, "Bread", share=0.5)
    found = trouble_differences(compared(design, replace(made, elements=(), overlaps=(cut, strange))))

    first, second = (one.made for one in found)
    assert first == {
        "box": [100, 100, 128, 20],
        "text": "Sale of the year",
        "share": 0.26,
        "cut": "height",
        "by_box": [100, 90, 64, 40],
    }
    assert second == {"box": [100, 100, 128, 20], "text": "Bread", "share": 0.5, "is_extra": True}


def test_a_text_that_looks_as_in_the_design_is_not_hidden() -> None:
    moved = text("Sale of the year", 400, 200)
    hidden = replace(COVERED, box=moved.boxes[0], by_box=None)
    for over, is_told in (([], False), ([box(400, 200, 16, 20, fill=BLACK)], True)):
        made = page([moved], over, height=300)
        shown = replace(made, elements=(), overlaps=(hidden,))
        found = [*trouble_differences(compared(page([SALE], height=300), shown))]
        assert bool(found) == is_told
