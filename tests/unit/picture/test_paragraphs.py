"""Which pieces of lines make a paragraph, in which order a person reads them, and who owns which text."""

from __future__ import annotations

import pytest

from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.picture.ink import TextLine, is_plausible
from pytest_design2a11y.picture.paragraphs import group_pieces, in_reading_order, text_runs_of
from pytest_design2a11y.picture.pieces import Piece, StyleRun

INK, LINK = (20, 20, 20), (0, 0, 238)
SIZE = 16.0


def piece(
    text: str, left: float, top: float, *, width: float = 400, color: Color = INK, size: float = SIZE
) -> Piece:
    box = (left, top, width, 0.93 * size)
    return Piece(box, (StyleRun(text, box, color),), size)


def texts(*pieces: Piece) -> list[list[str]]:
    return [[one.text for one in paragraph.pieces] for paragraph in group_pieces(pieces)]


def owned(*runs: StyleRun) -> list[tuple[str, int]]:
    return [(run.text, run.owner) for run in text_runs_of(group_pieces([Piece(runs[0].box, runs, SIZE)]))]


def run(
    text: str, left: float, color: Color = INK, *, is_underlined: bool = False, is_apart: bool = False
) -> StyleRun:
    return StyleRun(text, (left, 100.0, 50.0, 15.0), color, is_underlined, is_apart)


def test_lines_below_each_other_are_one_paragraph() -> None:
    lines = [piece(f"and a line of running text, number {n}", 100, 100 + 22 * n) for n in range(3)]

    assert texts(*lines) == [[line.text for line in lines]]


def test_a_menu_is_not_a_paragraph() -> None:
    entries = [piece(text, 100, 100 + 24 * n, width=60) for n, text in enumerate(["Home", "Prices", "About"])]

    assert texts(*entries) == [["Home"], ["Prices"], ["About"]]


@pytest.mark.parametrize(
    "changed",
    [
        {"top": 160},
        {"color": (200, 0, 0)},
        {"size": 30},
    ],
    ids=["far below", "another colour", "another size"],
)
def test_what_parts_two_lines(changed: dict[str, float]) -> None:
    above = piece("The first line goes on", 100, 100)
    below = {"left": 100, "top": 122} | changed

    assert texts(above, piece("where the next begins", 100, 122)) == [[above.text, "where the next begins"]]
    assert texts(above, piece("where the next begins", **below)) == [[above.text], ["where the next begins"]]  # type: ignore[arg-type]


def test_a_small_letter_goes_on_where_a_capital_begins_anew() -> None:
    above, far = piece("Vintage and antique", 100, 100), 128

    assert texts(above, piece("linens of all kinds", 100, far)) == [[above.text, "linens of all kinds"]]
    assert texts(above, piece("Linens of all kinds", 100, far)) == [[above.text], ["Linens of all kinds"]]


def test_a_sentence_that_ended_begins_anew_at_another_distance() -> None:
    lines = [piece("a line of running text, and", 100, 100 + 22 * n) for n in range(2)]
    end, new = piece("this is where it ends.", 100, 144, width=200), piece("Here begins another", 100, 182)

    assert texts(*lines, end, new) == [[*(line.text for line in lines), end.text], [new.text]]


def test_columns_are_read_one_after_the_other() -> None:
    left = [piece(f"left {n}", 0, 60 * n, width=300) for n in range(3)]
    right = [piece(f"right {n}", 600, 60 * n, width=300) for n in range(3)]

    assert [line for lines in texts(*left, *right) for line in lines] == [
        *(f"left {n}" for n in range(3)),
        *(f"right {n}" for n in range(3)),
    ]


def test_what_overlaps_is_read_from_the_top() -> None:
    boxes = [(0.0, 10.0, 50.0, 60.0), (0.0, 0.0, 50.0, 55.0)]

    assert in_reading_order(boxes, box=lambda box: box) == [boxes[1], boxes[0]]


def test_a_link_within_a_paragraph_owns_its_text() -> None:
    assert owned(run("see the", 100), run("price list", 160, LINK), run("for more", 220)) == [
        ("see the", 0),
        ("price list", 1),
        ("for more", 0),
    ]


def test_what_is_underlined_is_a_link_though_its_colour_is_the_texts() -> None:
    assert owned(run("see the", 100), run("price list", 160, is_underlined=True), run("for more", 220)) == [
        ("see the", 0),
        ("price list", 1),
        ("for more", 0),
    ]


def test_links_side_by_side_own_their_texts() -> None:
    links = [
        run(text, 100 + 60 * n, LINK, is_underlined=True, is_apart=n > 0) for n, text in enumerate("abc")
    ]

    assert owned(*links) == [("a", 0), ("b", 1), ("c", 2)]


def test_marks_between_links_are_the_paragraphs() -> None:
    runs = (
        run("one", 100, LINK),
        run("|", 160),
        run("two", 170, LINK),
        run("|", 230),
        run("three", 240, LINK),
    )

    assert owned(*runs) == [("one", 0), ("|", 1), ("two", 2), ("|", 1), ("three", 3)]


def test_a_letter_as_large_as_a_picture_is_not_text() -> None:
    def line(text: str, width: float, height: float) -> TextLine:
        return TextLine(text, (0.0, 0.0, width, height), 0.9, ())

    assert not is_plausible(line("1", 1279, 959))
    assert not is_plausible(line("_", 1263, 573))
    assert not is_plausible(line("-", 60, 50))
    assert is_plausible(line("A", 60, 80))
    assert is_plausible(line("swimming-pool-5", 238, 39))
