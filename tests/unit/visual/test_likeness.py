"""Pictures that are the same on another ground, or differ in one part, made with Pillow."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pytest_design2a11y.visual.likeness import changed_part, is_on_another_ground


def drawn(ground: str, ink: str = "crimson", *, start: int = 20, size: int = 80) -> NDArray[np.uint8]:
    picture = Image.new("RGB", (size, size), ground)
    ImageDraw.Draw(picture).ellipse((start, 20, start + 30, 60), fill=ink)
    return np.asarray(picture)


def test_a_drawing_on_another_ground_is_the_same() -> None:
    assert is_on_another_ground(drawn("white"), drawn("bisque"))
    assert is_on_another_ground(drawn("midnightblue"), drawn("white"))


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(drawn("white"), id="the same ground"),
        pytest.param(drawn("bisque", "green"), id="another color"),
        pytest.param(drawn("bisque", start=40), id="another place"),
        pytest.param(drawn("bisque", size=90), id="another size"),
        pytest.param(drawn("bisque", "bisque"), id="nothing drawn"),
    ],
)
def test_any_other_change_is_not(made: NDArray[np.uint8]) -> None:
    assert not is_on_another_ground(drawn("white"), made)


@pytest.mark.parametrize(
    ("box", "place", "share"),
    [
        ((60, 0, 79, 79), "at the right", 20 * 80 / 6400),
        ((0, 0, 39, 19), "at the top left", 40 * 20 / 6400),
        ((30, 30, 49, 49), "in the middle", 20 * 20 / 6400),
        ((0, 70, 79, 79), "at the bottom", 10 * 80 / 6400),
    ],
)
def test_the_part_that_changed_has_a_place_and_a_share(
    box: tuple[int, int, int, int], place: str, share: float
) -> None:
    picture = Image.new("RGB", (80, 80), "white")
    ImageDraw.Draw(picture).rectangle(box, fill="navy")

    assert changed_part(np.full((80, 80, 3), 255, np.uint8), np.asarray(picture)) == (place, share)


def test_a_picture_that_differs_all_over_has_no_such_part() -> None:
    assert changed_part(drawn("white"), drawn("navy", "gold")) is None
    assert changed_part(drawn("white"), drawn("white", size=90)) is None
