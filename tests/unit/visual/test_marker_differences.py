"""Markers of list items, which the browser draws: lost, of another kind, number or color."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture, Marker
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.markers import marker_differences
from pytest_design2a11y.visual.scene.places import widened
from tests.pages_by_hand import BLACK, box, page, text

RED: Color = (200, 0, 0)
WORDS = ("Rinse", "Soak", "Drain", "Boil", "Serve")
NUMBERS = [("number", f"{at}.") for at in (1, 2, 3, 4, 5)]
BARE: list[None] = [None] * 5


def items(
    *marks: tuple[str, str] | None,
    is_drawn: bool | None = None,
    x: float = 80,
    ink: Color = BLACK,
    words: tuple[str, ...] = WORDS,
) -> Capture:
    """Make items of a list, and a square beside each that has a marker, or beside all or none."""
    runs, squares = [], []
    for at, mark in enumerate(marks):
        place = (x, 46.0 + 30 * at, 6.0, 6.0)
        marker = mark and Marker(*mark, ink, widened(place, 3))
        runs.append(replace(text(words[at], 100, 40 + 30 * at), marker=marker))
        if mark if is_drawn is None else is_drawn:
            squares.append(box(*place, fill=ink))
    return page(runs, squares, height=400)


def told(design: Capture, made: Capture) -> list[tuple[Any, ...]]:
    compared = Compared(match_pages(design, made), score_matching(match_blocks([], [])))
    found = marker_differences(compared)
    return [(one.property, one.expected, one.actual, one.design["text"], len(one.members)) for one in found]


def test_markers_that_items_lost_are_one_difference() -> None:
    assert told(items(*NUMBERS), items(*BARE)) == [("marker", "number", None, "Rinse", 5)]
    assert told(items(*BARE), items(*NUMBERS)) == [("marker", None, "number", "Rinse", 5)]
    assert told(items(*NUMBERS, x=150), items(*BARE)) == [("marker", "number", None, "Rinse", 5)]
    # As far from its text as a style sheet likes.
    assert told(items(*NUMBERS, x=20), items(*BARE)) == [("marker", "number", None, "Rinse", 5)]


def test_what_is_drawn_by_other_means_is_a_marker_and_what_nobody_sees_is_none() -> None:
    disc, square = ("disc", "•"), ("square", "■")
    assert told(items(disc), items(square, x=84)) == [("marker", "disc", "square", "Rinse", 0)]
    assert told(items(disc), items(square)) == []
    assert told(items(*NUMBERS), items(*BARE, is_drawn=True, x=80)) == []


def test_markers_in_another_color_are_told_as_such() -> None:
    discs = [("disc", "•")] * 5
    assert told(items(*discs), items(*discs, ink=RED)) == [("marker_color", "#000000", "#c80000", "Rinse", 5)]
    assert told(items(*discs), items(*discs, ink=(4, 4, 4))) == []
    red = items(*discs, ink=RED)
    of_texts = replace(red, text_runs=tuple(replace(run, color=RED) for run in red.text_runs))
    assert told(items(*discs), of_texts) == [], "they have the color of their texts"


@pytest.mark.parametrize(
    ("numbers", "words", "is_told"),
    [
        ((4, 5, 6, 7, 8), WORDS, True),
        ((5, 4, 3, 2, 1), WORDS, True),
        pytest.param((1, 2, 3, 4, 5, 6), ("Wash", *WORDS), False, id="an item is new"),
        pytest.param((1, 2, 3, 4, 5), WORDS[::-1], False, id="their order is another"),
    ],
)
def test_items_have_other_numbers_if_they_are_the_same_items_in_their_order(
    numbers: tuple[int, ...], words: tuple[str, ...], is_told: bool
) -> None:
    made = items(*(("number", f"{at}.") for at in numbers), x=78, words=words)

    found = told(items(*NUMBERS), made)

    assert bool(found) == is_told
    if found:
        ((property, expected, actual, *_),) = found
        assert (property, expected, actual) == ("number", "1.", f"{numbers[0]}.")


def test_what_a_page_has_written_there_cannot_write_into_the_terminal() -> None:
    compared = Compared(
        match_pages(items(('"\x1b[31m"', "\x1b[31m")), items(None)), score_matching(match_blocks([], []))
    )
    (found,) = marker_differences(compared)
    assert in_words(found) == 'text "Rinse" lost the "\\x1b[31m" before it'
