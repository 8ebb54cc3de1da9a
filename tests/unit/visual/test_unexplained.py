"""What looks different and has no other difference: in which text, in which place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.unexplained import unexplained
from tests.pages_by_hand import BLACK, WHITE, box, page, text

RED, GRAY = (200, 0, 0), (128, 128, 128)
PANEL = box(104, 104, 200, 96)
LOOK = ("unexplained", "page", "look")


def left_over(design: Capture, made: Capture, found: Sequence[Difference] = ()) -> list[Difference]:
    match = match_pages(design, made)
    return [*unexplained(Compared(match, score_matching(match_blocks([], []))), found)]


def marked(*places: Box, fill: Color = RED) -> Capture:
    """Return a page with a panel, on which something is painted that is no element."""
    painted = page([], [PANEL, *(box(*place, fill=fill) for place in places)], height=304)
    return replace(painted, elements=(PANEL,))


def test_little_that_differs_at_the_corners_of_a_box_is_not_told() -> None:
    """Wrappers around a button round it otherwise by a few pixels, which nobody sees."""
    assert left_over(marked(), marked((104, 104, 6, 6), (298, 104, 6, 6))) == []
    (one,) = left_over(marked(), marked((104, 104, 7, 6)))
    assert (one.kind, one.what, one.property) == LOOK


@pytest.mark.parametrize(("place", "is_still"), [((0, 0, 1000, 304), True), ((0, 1, 1000, 304), False)])
def test_what_lies_over_a_picture_is_not_drawn_anew_with_it(place: Box, is_still: bool) -> None:
    """The page behind a hero's buttons is a photograph, most of which is equal."""
    behind, label = box(0, 0, 1000, 304, kind="picture", tag="img", fill=GRAY), box(160, 136, 32, 16)
    pages = [
        replace(
            page([], [one, label, *(box(160, 136, 32, 16, fill=RED),) * is_made], height=304),
            elements=(one, label),
        )
        for one, is_made in ((behind, False), (replace(behind, box=place), True))
    ]
    assert [one.made["box"] for one in left_over(pages[0], pages[1])] == [[160, 136, 32, 16]] * is_still


@pytest.mark.parametrize("is_first", [True, False])
def test_a_picture_over_a_larger_one_is_drawn_anew_whichever_comes_first(is_first: bool) -> None:
    behind = box(0, 0, 1000, 304, kind="picture", tag="img", fill=GRAY)
    badge = box(160, 96, 80, 80, kind="picture", tag="img")
    parts = [badge, behind] if is_first else [behind, badge]
    wavering = box(184, 120, 14, 14, fill=RED)
    design, made = (
        replace(page([], [behind, badge, *painted], height=304), elements=(*parts,))
        for painted in ([], [wavering])
    )
    assert left_over(design, made) == []


@pytest.mark.parametrize(("by", "is_told"), [(7, False), (8, True)])
def test_a_line_of_another_length_is_told_unless_all_letters_changed(by: int, is_told: bool) -> None:
    """Blanks within a line of code were lost."""
    design = text("total = 0", 100, 100, color=BLACK)
    left, top, width, height = design.boxes[0]
    made = replace(design, boxes=((left, top, width - by, height),))
    pages = [page([run], height=304) for run in (design, made)]
    lost = box(150, 104, 24, 8, fill=RED)
    shown = replace(page([made], [lost], height=304), elements=())
    assert bool(left_over(pages[0], shown)) == is_told
    letters = claim("font", "text", "letter_spacing", reference={"box": [0, 0, 9, 9], "is_most": True})
    assert left_over(pages[0], shown, [letters]) == []


def test_what_is_left_over_has_its_place_color_and_share() -> None:
    (one,) = left_over(marked(), marked((160, 136, 32, 16)))

    # Of a screen of 1000 x 800 px, 512 are striking, and of squares of 8 px that hold it, all.
    assert one.actual == 1.0
    assert one.design == {"box": [160, 136, 32, 16], "striking": 0.00064, "fill": "#143cc8"}
    assert one.made == {"box": [160, 136, 32, 16], "striking": 0.00064, "fill": "#c80000"}
    assert left_over(marked(), marked((160, 136, 6, 6))) == []
    assert len(left_over(marked(), marked((160, 136, 8, 5)))) == 1


def test_the_largest_twelve_places_in_one_color_are_one_difference() -> None:
    places: list[Box] = [(16 + 64 * at, 240, 8 + 8 * (at % 3), 16) for at in range(14)]
    (found,) = left_over(marked(), marked(*places))

    assert [one.made["box"][2] for one in found.members] == [24] * 4 + [16] * 5 + [8] * 3
    assert found.made["striking"] == pytest.approx(sum(one.made["striking"] for one in found.members))
    assert "and 11 more are mostly #c80000 instead of #" in in_words(found)


@pytest.mark.parametrize("property", ["style", "theme", "mirrored", "fill", "height"])
def test_what_differs_on_the_whole_page_explains_all(property: str) -> None:
    cause = claim("ground", "page", property)
    assert len(left_over(marked(), marked((160, 136, 32, 16)), [cause])) == (property == "height")
    of_panel = claim(
        "ground", "panel", property, reference={"box": [0, 0, 8, 8]}, candidate={"box": [0, 0, 8, 8]}
    )
    assert len(left_over(marked(), marked((160, 136, 32, 16)), [of_panel])) == 1


def test_another_height_explains_what_is_below_the_end() -> None:
    made = page([], [PANEL, box(16, 336, 64, 32, fill=RED)], height=400)
    made = replace(made, elements=(PANEL,))

    assert [one.made["box"] for one in left_over(marked(), made)] == [[16, 336, 64, 32]]
    for property in ("height", "size", "gap"):
        assert left_over(marked(), made, [claim("resized", "page", property)]) == []


def letters(color: Color = BLACK, *, words: str = "Soup of today", y: float = 100, **facts: Any) -> TextRun:
    return replace(text(words, 104, y, color), **facts)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (letters(GRAY, alpha=0.5), ("restyled", "opacity", 1.0, 0.5)),
        (letters(GRAY, alpha=0.95), ("restyled", "opacity", 1.0, 0.95)),
        (letters(GRAY, alpha=0.96), ("unexplained", "look", None, None)),
        (letters(GRAY, has_shadow=True), ("restyled", "letters", "without a shadow", "with a shadow")),
        (
            letters(GRAY, fills=(RED, WHITE)),
            ("restyled", "letters", "#000000", "a gradient from #c80000 to #ffffff"),
        ),
        (letters(GRAY), ("unexplained", "look", None, None)),
        (letters((31, 31, 31)), None),
        (letters((32, 32, 32), alpha=0.5), ("restyled", "opacity", 1.0, 0.5)),
        (letters(BLACK, alpha=0.5), None),
    ],
)
def test_a_text_in_its_place_that_looks_different_is_named(made: TextRun, told: Any) -> None:
    found = left_over(page([letters()], height=200), page([made], height=200))
    assert [(one.kind, one.property, one.expected, one.actual) for one in found] == ([told] if told else [])
    for one in found:
        assert (one.what, one.design["text"], one.made["text"]) == ("text", "Soup of today", "Soup of today")
        assert one.made["striking"] > 0


def test_texts_painted_alike_are_one_difference_unless_their_group_is_paler() -> None:
    words = ("Soup of today", 40), ("Bread and so", 100)
    pages = [
        page([letters(color, words=word, y=y, alpha=alpha) for word, y in words], height=200)
        for color, alpha in ((BLACK, 1.0), (GRAY, 0.5))
    ]
    (one,) = left_over(pages[0], pages[1])
    assert [member.design["text"] for member in one.members] == ["Soup of today", "Bread and so"]
    sides = {"box": [90, 90, 400, 40]}
    group = claim("restyled", "panel", "opacity", 1.0, 0.5, sides, sides)
    (other,) = left_over(pages[0], pages[1], [group])
    assert (other.design["text"], other.members) == ("Soup of today", ())
