"""Pictures that are the same on another ground, or differ in one part, made with Pillow."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from pytest_design2a11y.visual.likeness import (
    changed_part,
    is_drawn_alike,
    is_on_another_ground,
    is_round,
    strength_of,
)


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

    told = changed_part(np.full((80, 80, 3), 255, np.uint8), np.asarray(picture))
    assert told == f"{place}, in {share:.0%} of it, mostly #000080 instead of #ffffff"


def test_a_part_of_several_colors_has_none() -> None:
    picture = Image.new("RGB", (80, 80), "white")
    ImageDraw.Draw(picture).rectangle((30, 30, 49, 49), fill="navy")
    ImageDraw.Draw(picture).rectangle((30, 30, 49, 39), fill="gold")

    told = changed_part(np.full((80, 80, 3), 255, np.uint8), np.asarray(picture))
    assert told == "in the middle, in 6% of it"


def test_a_picture_that_differs_all_over_has_no_such_part() -> None:
    assert changed_part(drawn("white"), drawn("navy", "gold")) is None
    assert changed_part(drawn("white"), drawn("white", size=90)) is None


def thin(ground: str, ink: str, *, end: int = 70) -> NDArray[np.uint8]:
    """Draw a slanting line, most of whose pixels are mixed with their ground."""
    picture = Image.new("RGB", (320, 320), ground)
    ImageDraw.Draw(picture).line((40, 40, 4 * end, 200), fill=ink, width=4)
    return np.asarray(picture.resize((80, 80), Image.Resampling.BOX))


def test_thin_lines_are_the_same_in_any_ink_on_any_ground() -> None:
    assert is_drawn_alike(thin("navy", "white"), thin("skyblue", "white"))
    assert is_drawn_alike(thin("white", "black"), thin("skyblue", "crimson"))


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(thin("skyblue", "white", end=60), id="another place"),
        pytest.param(thin("skyblue", "white")[:70], id="another size"),
        pytest.param(np.asarray(Image.radial_gradient("L").convert("RGB").resize((80, 80))), id="no ground"),
    ],
)
def test_other_lines_are_not(made: NDArray[np.uint8]) -> None:
    assert not is_drawn_alike(thin("navy", "white"), made)


def scene() -> NDArray[np.float64]:
    rows, columns = np.indices((60, 80))
    return np.stack([rows * 4 % 256, columns * 3, (rows + columns) % 97], axis=2).astype(np.float64)


@pytest.mark.parametrize("strength", [0.4, 0.9])
def test_a_picture_mixed_with_one_color_is_as_strong_as_its_share(strength: float) -> None:
    mixed = strength * scene() + (1 - strength) * np.array([250.0, 240.0, 230.0])
    assert strength_of(scene().astype(np.uint8), mixed.astype(np.uint8)) == pytest.approx(strength, abs=0.01)


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(scene(), id="the same"),
        pytest.param(0.4 * scene()[::-1] + 120, id="upside down"),
        pytest.param(0.4 * scene()[:, :70], id="another size"),
        pytest.param(0.4 * scene() * [1, 0, 1], id="without its green"),
    ],
)
def test_any_other_picture_is_not_a_paler_one(made: NDArray[np.float64]) -> None:
    assert strength_of(scene().astype(np.uint8), made.astype(np.uint8)) is None
    assert strength_of(np.full((60, 80, 3), 7, np.uint8), np.full((60, 80, 3), 9, np.uint8)) is None


def cut(radius: int, ground: str = "white", photo: str = "tan") -> NDArray[np.uint8]:
    """Draw a photograph of 40 px whose corners are cut, and a pixel around it."""
    picture = Image.new("RGB", (42, 42), ground)
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((1, 1, 40, 40), radius, fill=photo)
    draw.ellipse((12, 10, 30, 28), fill="crimson")
    return np.asarray(picture)


def test_a_picture_is_round_if_what_is_around_it_reaches_into_its_corners() -> None:
    assert is_round(cut(20))
    assert not is_round(cut(8))
    assert not is_round(cut(0))
