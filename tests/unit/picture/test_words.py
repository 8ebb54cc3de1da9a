"""The ink of made-up lines: where words begin, which colour they have, what does not belong to the line."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.picture.ink import TextLine, color_of, line_ink
from pytest_design2a11y.picture.ocr import unread_regions
from pytest_design2a11y.picture.pieces import Piece, pieces_of

INK, LINK, WHITE = (20, 20, 20), (0, 0, 238), (255, 255, 255)
TOP, FOOT = 12, 26
LETTER, STEP = 6, 8


class Sheet:
    """A picture that letters are drawn on: each a bar with a notch, 6 px wide, every 8 px."""

    def __init__(self, ground: Color = WHITE, width: int = 400) -> None:
        self.pixels: NDArray[np.uint8] = np.full((44, width, 3), ground, dtype=np.uint8)
        self.words: list[str] = []
        self.middles: list[float] = []

    def write(self, word: str, left: int, color: Color = INK, *, step: int = STEP) -> int:
        """Draw a word, and give where it ends."""
        for number in range(len(word)):
            start = left + number * step
            self.pixels[TOP:FOOT, start : start + LETTER] = color
            self.pixels[TOP + 4 : FOOT - 4, start + 2 : start + LETTER] = self.pixels[0, 0]
            self.middles.append(start + LETTER / 2)
        self.words.append(word)
        return left + (len(word) - 1) * step + LETTER

    def rule(self, left: int, right: int, color: Color = LINK) -> None:
        self.pixels[FOOT + 2, left:right] = color

    def line(
        self, *, text: str | None = None, box: tuple[float, float, float, float] | None = None
    ) -> TextLine:
        left, right = self.middles[0] - 5, self.middles[-1] + 5
        return TextLine(
            text or " ".join(self.words), box or (left, 9.0, right - left, 22.0), 0.99, tuple(self.middles)
        )

    def pieces(self, line: TextLine | None = None) -> list[Piece]:
        return list(pieces_of(line or self.line(), self.pixels))


def looks(pieces: list[Piece]) -> list[list[tuple[str, Color]]]:
    return [[(run.text, run.color) for run in piece.runs] for piece in pieces]


def test_words_keep_their_colours_and_a_wide_gap_parts_a_line() -> None:
    sheet = Sheet()
    end = sheet.write("dark", 10)
    end = sheet.write("link", end + 6, LINK)
    sheet.write("far", end + 60)

    assert looks(sheet.pieces()) == [[("dark", INK), ("link", LINK)], [("far", INK)]]


def test_boxes_lie_close_around_the_ink_though_letters_were_placed_roughly() -> None:
    sheet = Sheet()
    end = sheet.write("letters", 50)
    line = TextLine(
        "letters", (40.0, 6.0, end - 30.0, 28.0), 0.99, tuple(middle + 1.4 for middle in sheet.middles)
    )

    assert [piece.box for piece in sheet.pieces(line)] == [(50, TOP, end - 50, FOOT - TOP)]


def test_widely_set_letters_are_one_word() -> None:
    sheet = Sheet()
    sheet.write("WIDE", 20, step=20)

    assert looks(sheet.pieces()) == [[("WIDE", INK)]]


def test_a_space_that_the_reader_missed_is_found() -> None:
    sheet = Sheet()
    end = sheet.write("two", 20)
    end = sheet.write("words", end + 7)
    end = sheet.write("and", end + 7)
    sheet.write("more", end + 7)

    assert looks(sheet.pieces(sheet.line(text="two wordsand more"))) == [[("two words and more", INK)]]


def test_links_that_touch_are_parted_where_the_rule_under_them_is() -> None:
    sheet = Sheet()
    end = sheet.write("home", 20, LINK)
    start = end + 2
    last = sheet.write("news", start, LINK)
    sheet.rule(20, end)
    sheet.rule(start, last)
    (piece,) = sheet.pieces(sheet.line(text="homenews"))

    assert [(run.text, run.is_underlined, run.is_apart) for run in piece.runs] == [
        ("home", True, False),
        ("news", True, True),
    ]


def test_one_link_of_two_words_is_one_run() -> None:
    sheet = Sheet()
    end = sheet.write("site", 20, LINK)
    last = sheet.write("news", end + 6, LINK)
    sheet.rule(20, last)
    (piece,) = sheet.pieces()

    assert [(run.text, run.is_underlined) for run in piece.runs] == [("site news", True)]


def test_text_on_a_button_is_not_the_buttons_colour() -> None:
    sheet = Sheet(ground=(10, 120, 40))
    sheet.pixels[:4] = sheet.pixels[40:] = sheet.pixels[:, :8] = sheet.pixels[:, 120:] = WHITE
    sheet.write("follow", 40, WHITE)
    line = sheet.line(box=(6.0, 2.0, 116.0, 40.0))

    assert looks(sheet.pieces(line)) == [[("follow", WHITE)]]
    assert sheet.pieces(line)[0].box == (40, TOP, 46, FOOT - TOP)


def test_the_line_above_does_not_make_a_box_higher() -> None:
    sheet = Sheet()
    sheet.write("below", 20)
    sheet.pixels[:8, 20:60:3] = INK

    assert sheet.pieces(sheet.line(box=(15.0, 5.0, 60.0, 26.0)))[0].box[1] == TOP


def test_a_border_parts_a_line() -> None:
    sheet = Sheet()
    end = sheet.write("cell", 20)
    sheet.pixels[:, end + 4] = (120, 120, 120)
    sheet.write("next", end + 9)

    assert looks(sheet.pieces()) == [[("cell", INK)], [("next", INK)]]


def test_a_bullet_is_not_text_but_lies_in_its_lines_box() -> None:
    sheet = Sheet()
    sheet.write("•", 20)
    sheet.write("item", 36)
    (piece,) = sheet.pieces()

    assert (piece.text, piece.box[0]) == ("item", 20)


@pytest.mark.parametrize("text", ["·", ":", "-"])
def test_dust_is_not_text(text: str) -> None:
    sheet = Sheet()
    sheet.write(text, 20)

    assert sheet.pieces() == []


def test_a_small_picture_is_not_a_letter() -> None:
    sheet = Sheet()
    end = sheet.write("fire", 20)
    sheet.write("i", end + 6)
    sheet.pixels[TOP:FOOT, end + 6 : end + 9] = (230, 90, 20)
    sheet.pixels[TOP:FOOT, end + 9 : end + 12] = (20, 60, 160)

    assert looks(sheet.pieces()) == [[("fire", INK)]]


def test_text_without_contrast_makes_no_piece() -> None:
    sheet = Sheet(ground=(250, 250, 250))
    sheet.write("ghost", 20, (245, 245, 245))

    assert sheet.pieces() == []
    assert line_ink(TextLine("x", (0.0, 0.0, 1.0, 1.0), 0.9, (0.5,)), sheet.pixels) is None


def test_a_colour_is_that_of_the_strongest_pixels() -> None:
    pixels = np.full((10, 10, 3), 255, dtype=np.uint8)
    pixels[4:6, 1:9] = 140
    pixels[4, 2:8] = 40
    distance = 255.0 - pixels[..., 0].astype(np.float64)

    assert color_of(pixels, distance) == (40, 40, 40)
    assert color_of(pixels, np.zeros((10, 10))) is None


def test_what_looks_like_text_and_was_not_read_is_found_once() -> None:
    sheet = Sheet(width=300)
    sheet.write("button", 100)
    line = sheet.line()
    sheet.pixels[40, :] = INK

    assert [(rows.start, columns.start) for rows, columns in unread_regions(sheet.pixels, ())] == [(0, 80)]
    assert unread_regions(sheet.pixels, (line,)) == []
