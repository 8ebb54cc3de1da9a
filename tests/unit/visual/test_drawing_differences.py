"""What differs within a drawing of 200 x 100 px: which part, and how it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Part
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.drawings import _difference, _joined, _Names, drawing_differences
from pytest_design2a11y.visual.drawings import PartChange
from tests.pages_by_hand import BLUE, WHITE, blocks, box, messages, page, text

RED: Color = (207, 34, 46)
GREY: Color = (240, 240, 240)
WITHIN = "in picture 200 x 100 at 100, 300"


def part(x: float, y: float, width: float, height: float, color: Color = BLUE) -> Part:
    return Part("box", (100 + x, 300 + y, width, height), color, 0)


def drawing(*parts: Part, words: Sequence[TextRun] = (), width: int = 200) -> Capture:
    whole = Element("picture", "svg", (100, 300, width, 100), WHITE, parts=parts)
    painted = page(words, [box(*one.box, fill=one.color) for one in parts])
    return replace(painted, elements=(whole,))


def found(design: Capture, made: Capture, over: Sequence[Box] = ()) -> list[Difference]:
    score = score_matching(match_blocks(blocks(design), blocks(made)))
    pictures = [side.elements[0] for side in (design, made) if side.elements]
    return drawing_differences(Compared(match_pages(design, made), score), pictures[0], pictures[1], over)


COLUMNS = part(10, 40, 20, 60), part(60, 20, 20, 80), part(110, 70, 20, 30)
ROWS = part(0, 10, 60, 20), part(0, 40, 80, 20), part(0, 70, 30, 20)
SQUARES = part(10, 10, 12, 12), part(10, 40, 12, 12, RED)
DOTS = [part(10 + 30 * at, 10, 10, 10, RED) for at in range(5)]
BASE = part(10, 60, 50, 30)
LEGEND = [text("Sales", 130, 306), text("Costs", 130, 336)]


@pytest.mark.parametrize(
    ("design", "made", "sentences"),
    [
        (drawing(*COLUMNS), drawing(*COLUMNS[:2]), [f"bar 3 of 3 {WITHIN} is missing"]),
        (
            drawing(*COLUMNS),
            drawing(*COLUMNS, part(150, 30, 20, 70, RED)),
            [f"bar 4 of 4 {WITHIN} is not in the design"],
        ),
        (
            drawing(*COLUMNS),
            drawing(*COLUMNS[:2], part(110, 40, 20, 60)),
            [f"bar 3 of 3 {WITHIN} is 60 px high instead of 30 px"],
        ),
        (
            drawing(*COLUMNS),
            drawing(*COLUMNS[:1]),
            [f"bar 2 of 3 {WITHIN} and 1 more are missing"],
        ),
        (
            drawing(*ROWS),
            drawing(*ROWS[:2], part(0, 70, 70, 20)),
            [f"bar 3 of 3 {WITHIN} is 70 px wide instead of 30 px"],
        ),
        (
            drawing(*COLUMNS),
            drawing(*COLUMNS[:2], part(130, 70, 20, 30)),
            [f"bar 3 of 3 {WITHIN} moved 20 px right"],
        ),
        (
            drawing(*COLUMNS),
            drawing(*COLUMNS[:2], part(110, 70, 20, 30, RED)),
            [f"bar 3 of 3 {WITHIN} is #cf222e instead of #143cc8"],
        ),
        (
            drawing(part(10, 40, 20, 60, RED), *COLUMNS[1:]),
            drawing(COLUMNS[0], part(60, 20, 20, 80, RED), COLUMNS[2]),
            [f"bar 1 of 3 and bar 2 of 3 {WITHIN} have each other's color"],
        ),
        (
            drawing(part(10, 40, 40, 20)),
            drawing(part(10, 40, 80, 50)),
            [f"blue box of 40 x 20 px {WITHIN} is 80 x 50 instead of 40 x 20"],
        ),
        (
            drawing(*SQUARES, words=LEGEND),
            drawing(replace(SQUARES[0], color=RED), SQUARES[1], words=LEGEND),
            [f'blue box "Sales" {WITHIN} is #cf222e instead of #143cc8'],
        ),
        (drawing(*DOTS, BASE), drawing(BASE), [f"red box of 10 x 10 px {WITHIN} and 4 more are missing"]),
        (drawing(*COLUMNS), drawing(*COLUMNS), []),
        (drawing(*COLUMNS), drawing(*COLUMNS[:2], width=203), []),
    ],
)
def test_a_part_that_differs_is_named(design: Capture, made: Capture, sentences: list[str]) -> None:
    told = found(design, made)
    assert [in_words(one) for one in told] == sentences
    assert {one.what for one in told} <= {"picture"}
    for one in told:
        assert all(side["within_box"][:2] == [100, 300] for side in (one.design, one.made) if side)


def test_what_lies_over_a_drawing_is_not_compared() -> None:
    design, made = drawing(*COLUMNS), drawing(*COLUMNS[:2])

    assert found(design, made, [(205, 360, 40, 45)]) == []
    assert [one.kind for one in found(design, made, [(205, 360, 40, 12)])] == ["missing"]
    assert [one.kind for one in found(design, made, [(100, 300, 100, 100)])] == ["missing"]


def test_a_part_is_as_large_as_its_longer_side_of_the_drawings() -> None:
    def reach(*parts: Part) -> float:
        (lost,) = found(drawing(*parts, BASE), drawing(BASE))
        return float(lost.design["reach"])

    assert reach(part(100, 0, 50, 10)) == 0.25
    assert reach(part(180, 0, 10, 40)) == 0.2


@pytest.mark.parametrize(
    ("words", "side", "label"),
    [
        (text("Sales", 138, 306), 12, "Sales"),
        (text("Sales", 139, 306), 12, None),
        (text("Sales", 122, 304), 12, "Sales"),
        (text("Sales", 121, 304), 12, None),
        (text("Sales", 140, 306), 24, "Sales"),
        (text("Sales", 140, 306), 25, None),
    ],
)
def test_a_key_is_called_by_the_words_beside_it(words: TextRun, side: int, label: str | None) -> None:
    """They begin at most 16 px to the right of it, and its sides are at most 24 px."""
    (lost,) = found(drawing(part(10, 10, side, side), BASE, words=[words]), drawing(BASE, words=[words]))

    assert lost.design.get("label") == label


def test_two_bars_and_bars_of_one_height_have_no_numbers() -> None:
    even = [part(10 + 40 * at, 40, 20, 60) for at in range(3)]

    for parts in (COLUMNS[:2], even):
        (lost,) = found(drawing(*parts, part(180, 0, 9, 9)), drawing(*parts))
        assert "number" not in lost.design
        (lost,) = found(drawing(*parts, part(180, 0, 9, 9)), drawing(*parts[1:], part(180, 0, 9, 9)))
        assert (lost.design["name"], "number" in lost.design) == ("box", False)


def test_two_drawings_that_show_each_others_content_were_exchanged() -> None:
    def logos(left: Color, right: Color) -> Capture:
        boxes = [box(40, 300, 80, 80, fill=GREY), box(640, 300, 80, 80, fill=GREY)]
        marks = [box(60 + x, 320, 30, 40, fill=color) for x, color in ((0, left), (600, right))]
        painted = page([], [*boxes, *marks])
        drawings = [
            Element("picture", "svg", frame.box, GREY, parts=(Part("box", mark.box, mark.fill, 0),))
            for frame, mark in zip(boxes, marks, strict=True)
        ]
        return replace(painted, elements=tuple(drawings))

    assert messages(logos(RED, BLUE), logos(BLUE, RED)) == [
        "picture 80 x 80 at 40, 300 and picture 80 x 80 at 640, 300 show each other's picture"
    ]


LINE = Part("line", (110, 310, 80, 2), BLUE, 0)
DASHED = replace(LINE, is_dashed=True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (PartChange("posed", (BASE,), (BASE,), pose="mirrored"), ("mirrored", "pose", None, "mirrored")),
        (PartChange("posed", (BASE,), (BASE,), pose="turned left"), ("turned", "pose", None, "turned left")),
        (PartChange("posed", (BASE,), (BASE,)), ("turned", "pose", None, None)),
        (PartChange("reshaped", (LINE,), (DASHED,)), ("restyled", "dashes", "solid", "dashed")),
        (PartChange("reshaped", (DASHED,), (LINE,)), ("restyled", "dashes", "dashed", "solid")),
        (PartChange("reshaped", (DASHED,), (DASHED,)), ("restyled", "dashes", "dashed", "dashed otherwise")),
        (PartChange("reshaped", (LINE,), (LINE,), length=0.894), ("restyled", "length", 1.0, 0.89)),
        (PartChange("reshaped", (LINE,), (LINE,), length=0.912), ("restyled", "shape", None, None)),
        (PartChange("reshaped", (LINE,), (LINE,), length=1.254), ("restyled", "length", 1.0, 1.25)),
        (PartChange("reshaped", (BASE,), (BASE,), length=0.5), ("restyled", "shape", None, None)),
        (PartChange("moved", (BASE,), (BASE,)), ("moved", "part", None, None)),
        (PartChange("missing", (BASE,), ()), ("missing", "part", None, None)),
        (PartChange("extra", (), (BASE,)), ("extra", "part", None, None)),
        (
            PartChange("recolored", (BASE,), (replace(BASE, color=RED),)),
            ("recolored", "fill", "#143cc8", "#cf222e"),
        ),
        (
            PartChange("resized", (part(10, 60, 50, 30),), (part(10, 60, 51.5, 33),)),
            ("resized", "height", 30, 33),
        ),
        (
            PartChange("resized", (part(10, 60, 50, 30),), (part(10, 60, 52, 31.5),)),
            ("resized", "width", 50, 52),
        ),
        (
            PartChange("resized", (part(10, 60, 50, 30),), (part(10, 60, 52, 32),)),
            ("resized", "size", "50 x 30", "52 x 32"),
        ),
    ],
)
def test_each_change_of_a_part_is_told(change: PartChange, told: tuple[object, ...]) -> None:
    shown = drawing(BASE)
    assert shown.elements
    namers = [_Names(shown, shown.elements[0])] * 2
    one = _difference(namers, change)

    assert (one.kind, one.property, one.expected, one.actual) == told
    assert one.what == "picture"
    assert [side is not None for side in (one.reference, one.candidate)] == [
        bool(change.design),
        bool(change.made),
    ]


def test_several_parts_have_the_place_of_all_and_no_label_of_their_own() -> None:
    shown = drawing(BASE)
    assert shown.elements
    parts = part(10, 10, 20, 20, RED), replace(part(60, 20, 40, 60), label="Sales")
    namer = _Names(shown, shown.elements[0])

    assert namer.facts(parts) == {
        "box": [110, 310, 90, 70],
        "name": "box",
        "within": "picture 200 x 100 at 100, 300",
        "within_box": [100, 300, 200, 100],
        "fill": "#cf222e",
        "reach": 0.45,
        "several": 2,
    }
    assert namer.facts(parts[1:])["label"] == "Sales"


def test_exchanged_colors_have_both_parts() -> None:
    first = replace(COLUMNS[0], color=RED)
    design, made = (
        drawing(first, *COLUMNS[1:]),
        drawing(COLUMNS[0], replace(COLUMNS[1], color=RED), COLUMNS[2]),
    )
    (crossed,) = found(design, made)

    assert (crossed.kind, crossed.what, crossed.property) == ("exchanged", "picture", "color")
    assert (crossed.design["fill"], crossed.design["other"]["fill"]) == ("#cf222e", "#143cc8")
    assert (crossed.made["fill"], crossed.made["number"]) == ("#143cc8", [1, 3])
    assert [member.property for member in crossed.members] == ["fill", "fill"]


def test_lines_of_one_color_that_are_all_thinner_are_one_difference() -> None:
    shown = drawing(BASE)
    assert shown.elements
    namers = [_Names(shown, shown.elements[0])] * 2
    lines = [replace(part(0, y, 200, 2), kind="line") for y in (20, 60)]
    changes = [PartChange("reshaped", (line,), (line,), weight=0.7) for line in lines]
    (one,) = _joined([_difference(namers, change) for change in changes])
    assert in_words(one) == f"blue line of 200 px {WITHIN} and 1 more are thinner than in the design"
