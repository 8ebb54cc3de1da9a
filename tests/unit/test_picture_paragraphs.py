"""Which pieces of lines make a paragraph, in which order a person reads them, and who owns which text."""

from __future__ import annotations

import numpy as np

from pytest_design2a11y.capture.picture.ink import Piece, Run, pieces_of
from pytest_design2a11y.capture.picture.lines import Line, Word, is_plausible
from pytest_design2a11y.capture.picture.paragraphs import group_pieces, text_runs_of
from pytest_design2a11y.capture.picture.reading_order import in_reading_order
from pytest_design2a11y.models.geometry import Color

INK, LINK = (20, 20, 20), (0, 0, 238)


def piece(text: str, left: float, top: float, *, width: float = 400, color: Color = INK) -> Piece:
    box = (left, top, width, 20.0)
    return Piece(box, (Run(text, box, color),), first_word=60)


def texts(*pieces: Piece) -> list[list[str]]:
    return [[one.text for one in paragraph.pieces] for paragraph in group_pieces(pieces)]


def test_lines_below_each_other_are_one_paragraph() -> None:
    lines = [piece(f"a line of running text, number {n}", 100, 100 + 22 * n) for n in range(3)]

    assert texts(*lines) == [[line.text for line in lines]]


def test_a_menu_is_no_paragraph() -> None:
    assert texts(piece("Home", 100, 100, width=50), piece("Prices", 100, 122, width=60)) == [
        ["Home"],
        ["Prices"],
    ]


def test_a_line_that_was_ended_goes_on_nowhere() -> None:
    short = piece("the end of a paragraph of some length.", 100, 100, width=250)
    long = piece("Another one begins, and is a good deal longer", 100, 122)

    assert texts(short, long) == [[short.text], [long.text]]


def test_another_colour_or_a_wide_gap_parts_them() -> None:
    above = piece("a line of running text, number one", 100, 100)
    coloured = piece("a line of running text, number two", 100, 122, color=(200, 0, 0))
    far = piece("a line of running text, number six", 100, 180)

    assert texts(above, coloured, far) == [[above.text], [coloured.text], [far.text]]


def test_columns_are_read_one_after_the_other() -> None:
    left = [piece(f"left {n}", 0, 40 * n, width=300) for n in range(3)]
    right = [piece(f"right {n}", 600, 40 * n, width=300) for n in range(3)]

    assert [line for lines in texts(*left, *right) for line in lines] == [
        *(f"left {n}" for n in range(3)),
        *(f"right {n}" for n in range(3)),
    ]


def test_what_overlaps_is_read_from_the_top() -> None:
    boxes = [(0.0, 10.0, 50.0, 60.0), (0.0, 0.0, 50.0, 55.0)]

    assert in_reading_order(boxes, box=lambda box: box) == [boxes[1], boxes[0]]


def test_a_link_within_a_paragraph_owns_its_text() -> None:
    box = (100.0, 100.0, 400.0, 20.0)
    runs = (Run("see the", box, INK), Run("price list", box, LINK), Run("for more", box, INK))
    owned = text_runs_of(group_pieces([Piece(box, runs, first_word=30)]))

    assert [(run.text, run.owner) for run in owned] == [("see the", 0), ("price list", 1), ("for more", 0)]


def test_a_line_with_a_wide_gap_is_two_pieces_and_words_keep_their_colours() -> None:
    pixels = np.full((40, 400, 3), 255, dtype=np.uint8)
    pixels[10:25:2, 10:60] = (20, 20, 20)
    pixels[10:25:2, 66:110] = (0, 0, 238)
    pixels[10:25:2, 300:350] = (20, 20, 20)
    words = tuple(
        Word(text, (left, 8.0, width, 20.0))
        for text, left, width in (("dark", 10.0, 50.0), ("link", 66.0, 44.0), ("far", 300.0, 50.0))
    )
    first, second = pieces_of(Line("dark link far", (8.0, 8.0, 345.0, 20.0), 0.99, words), pixels)

    assert [(run.text, run.color) for run in first.runs] == [("dark", INK), ("link", LINK)]
    assert second.text == "far"


def test_text_without_contrast_makes_no_piece() -> None:
    pixels = np.full((40, 100, 3), 250, dtype=np.uint8)
    line = Line("ghost", (0.0, 0.0, 90.0, 20.0), 0.99, (Word("ghost", (0.0, 0.0, 90.0, 20.0)),))

    assert list(pieces_of(line, pixels)) == []


def test_a_letter_as_large_as_a_picture_is_no_text() -> None:
    def line(text: str, width: float, height: float) -> Line:
        return Line(text, (0.0, 0.0, width, height), 0.9, ())

    assert not is_plausible(line("1", 1279, 959))
    assert not is_plausible(line("_", 1263, 573))
    assert not is_plausible(line("-", 60, 50))
    assert is_plausible(line("A", 60, 80))
    assert is_plausible(line("swimming-pool-5", 238, 39))
