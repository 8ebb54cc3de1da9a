"""Parts of drawings are compared by their pixels, whatever the markup calls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.models.elements import Part
from pytest_design2a11y.models.thing_words import color_name, part_name
from pytest_design2a11y.models.thing_words import exchanged_colors as exchanged_words
from pytest_design2a11y.visual.drawings import Drawing, PartChange, _change, exchanged_colors, part_changes
from pytest_design2a11y.visual.poses import pose_of

Pixels = NDArray[np.uint8]
BLUE, PALE, RED, GREEN = (11, 95, 165), (143, 184, 222), (207, 34, 46), (26, 127, 55)


def box(x: float, y: float, width: float, height: float, color: Any = BLUE, group: int = 0) -> Part:
    return Part("box", (x, y, width, height), color, group)


def drawing(*parts: Part, at: tuple[int, int] = (0, 0)) -> Drawing:
    """Return a drawing of 200 x 100 px with these parts, which are rectangles, at a place of its page."""
    pixels = np.full((100, 200, 3), 255, np.uint8)
    moved = []
    for part in parts:
        x, y, width, height = (round(side) for side in part.box)
        pixels[y : y + height, x : x + width] = part.color
        moved.append(Part(part.kind, (x + at[0], y + at[1], width, height), part.color, part.group))
    return Drawing((at[0], at[1], 200, 100), moved, pixels)


def changes(design: Sequence[Part], made: Sequence[Part]) -> list[PartChange]:
    first, second = drawing(*design), drawing(*made, at=(40, 300))
    return part_changes(first, second, (first.pixels != second.pixels).any(axis=2))


COLUMNS = (box(10, 40, 20, 60), box(60, 20, 20, 80), box(110, 70, 20, 30))


def test_equal_drawings_have_no_changes_wherever_they_lie_and_whatever_their_parts_are_called() -> None:
    halves = (box(10, 40, 20, 30), box(10, 70, 20, 30), *COLUMNS[1:])
    assert changes(COLUMNS, COLUMNS) == []
    assert changes(COLUMNS, halves) == []


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (COLUMNS[:2], "missing"),
        ((*COLUMNS, box(150, 30, 20, 70, RED)), "extra"),
        ((*COLUMNS[:2], box(110, 40, 20, 60)), "resized"),
        ((*COLUMNS[:2], box(130, 70, 20, 30)), "moved"),
        ((*COLUMNS[:2], box(110, 70, 20, 30, RED)), "recolored"),
    ],
)
def test_a_part_differs_in_one_way(made: Sequence[Part], kind: str) -> None:
    (change,) = changes(COLUMNS, made)
    assert change.kind == kind
    wanted, own = (side[0].box if side else None for side in change.parts)
    assert wanted == (None if kind == "extra" else (110, 70, 20, 30))
    assert (own is None) == (kind == "missing")


@pytest.mark.parametrize(
    ("top", "end", "length", "weight"), [(52, 200, 1.0, 0.5), (50, 120, 0.6, 1.0)], ids=["thinner", "shorter"]
)
def test_a_line_in_its_place_is_thinner_or_shorter(top: int, end: int, length: float, weight: float) -> None:
    def line(top: int, end: int) -> Drawing:
        pixels = np.full((100, 200, 3), 255, np.uint8)
        pixels[top:54, :end] = BLUE
        return Drawing((0, 0, 200, 100), [Part("line", (0, 50, 200, 4), BLUE, 0)], pixels)

    sides = line(50, 200), line(top, end)
    (change,) = part_changes(*sides, (sides[0].pixels != sides[1].pixels).any(axis=2))
    assert (change.length, change.weight) == (length, weight)


def test_a_thin_line_that_is_paler_now_is_thinner_and_as_long() -> None:
    """It has its color only where it crosses another one."""

    def line(thickness: float, color: Any) -> Drawing:
        pixels = np.full((100, 200, 3), 255, np.uint8)
        pixels[50:52] = color
        pixels[50:52, 100:104] = BLUE
        return Drawing((0, 0, 200, 100), [Part("line", (0, 50, 200, thickness), BLUE, 0)], pixels)

    sides = line(2, BLUE), line(1.4, (84, 143, 192))
    (change,) = part_changes(*sides, (sides[0].pixels != sides[1].pixels).any(axis=2))
    assert (change.length, change.weight) == (1.0, 0.7)


def test_a_part_of_another_shade_has_another_color_and_no_other_form() -> None:
    """Things of nearly its new color lie over it, so that it seems to have grown."""
    band, shade, over = (250, 247, 239), (247, 242, 229), box(20, 20, 40, 40, (245, 238, 220))
    found = changes((box(0, 10, 200, 60, band), over), (box(0, 10, 200, 60, shade), over))
    assert [change.kind for change in found] == ["recolored"]
    assert exchanged_colors(found * 2) == []


def test_parts_of_one_color_in_one_place_differ_by_their_form() -> None:
    assert _change(drawing(*COLUMNS), drawing(*COLUMNS), 0, 0) == "reshaped"


@pytest.mark.parametrize(("twin", "kinds"), [(RED, ["moved"]), (GREEN, ["missing", "extra"])])
def test_what_looks_like_one_other_part_only_moved_however_far(twin: Any, kinds: list[str]) -> None:
    pins = box(4, 4, 12, 20, RED), box(180, 70, 12, 20, twin)
    assert sorted(change.kind for change in changes(pins[:1], pins[1:])) == sorted(kinds)


def test_what_looks_like_several_parts_is_not_said_to_have_moved_far() -> None:
    pin, others = box(4, 4, 12, 20, RED), (box(180, 70, 12, 20, RED), box(160, 70, 12, 20, RED))
    assert "moved" not in {change.kind for change in changes([pin], others)}


def test_two_parts_that_took_each_others_color_are_found() -> None:
    legend = (box(10, 80, 14, 14, PALE), box(100, 80, 14, 14, BLUE))
    crossed = (box(10, 80, 14, 14, BLUE), box(100, 80, 14, 14, PALE))
    found = changes((*legend, box(20, 10, 30, 40, RED)), (*crossed, box(20, 10, 30, 40, GREEN)))

    assert [change.kind for change in found] == ["recolored"] * 3
    ((first, second),) = exchanged_colors(found)
    assert [change.design[0].color for change in (first, second)] == [PALE, BLUE]


def test_the_parts_of_one_element_that_are_gone_are_one_change() -> None:
    pin = (box(50, 10, 10, 20, RED, 7), box(52, 30, 6, 20, GREEN, 7))
    (change,) = changes((*COLUMNS, *pin), COLUMNS)
    assert (change.kind, change.design) == ("missing", pin)
    assert change.boxes == ((50, 10, 10, 40), None)


def test_the_parts_of_an_element_that_is_turned_are_one_change() -> None:
    needle = (box(150, 10, 12, 30, RED, 7), box(150, 40, 12, 20, GREEN, 7))
    turned = (box(150, 10, 12, 20, GREEN, 7), box(150, 30, 12, 30, RED, 7))
    (change,) = changes((*COLUMNS, *needle), (*COLUMNS, *turned))
    assert (change.kind, change.pose, len(change.design)) == ("posed", "upside down", 2)


def arrow() -> Pixels:
    """Return an arrow to the right, dark on white, in which nothing is like anything else mirrored."""
    shown = np.full((24, 24, 3), 255, np.uint8)
    for row in range(12):
        shown[row, 2 : 4 + row] = 30
        shown[23 - row, 2 : 4 + row // 2] = 30
    return shown


@pytest.mark.parametrize(
    ("made", "pose"),
    [
        (arrow(), None),
        (np.fliplr(arrow()), "mirrored"),
        (np.flipud(arrow()), "upside down"),
        (np.rot90(arrow(), 2), "turned around"),
        (np.rot90(arrow(), -1), "turned right"),
        (np.rot90(arrow()), "turned left"),
        (np.repeat(np.repeat(np.fliplr(arrow()), 3, axis=0), 3, axis=1), "mirrored"),
        (np.full((24, 24, 3), 255, np.uint8), None),
    ],
)
def test_a_picture_shows_another_in_a_pose(made: Pixels, pose: str | None) -> None:
    assert pose_of(arrow(), made) == pose


def test_a_picture_that_is_its_own_mirror_image_is_in_no_other_pose() -> None:
    ring = np.full((20, 20, 3), 255, np.uint8)
    ring[4:16, 4:16] = 40
    ring[7:13, 7:13] = 255
    assert pose_of(ring, ring) is None
    moved = np.roll(ring, 2, axis=1)
    assert pose_of(ring, moved) is None


@pytest.mark.parametrize(
    ("color", "name"),
    [
        ((207, 34, 46), "red"),
        ((11, 95, 165), "blue"),
        ((143, 184, 222), "light blue"),
        ((255, 255, 255), "white"),
        ((20, 20, 20), "black"),
        ((90, 90, 92), "gray"),
        ((250, 204, 21), "yellow"),
        ((234, 88, 12), "orange"),
        ((22, 101, 52), "dark green"),
        ((147, 51, 234), "violet"),
        ((219, 39, 119), "pink"),
        ((13, 148, 136), "teal"),
    ],
)
def test_a_color_is_called_as_people_call_it(color: tuple[int, int, int], name: str) -> None:
    # Shades of GitHub's and Tailwind's palettes, under the names that these have there.
    assert color_name(color) == name


def test_a_part_is_named_by_its_number_its_label_or_its_color_and_size() -> None:
    side: dict[str, Any] = {
        "box": [8, 9, 420, 30],
        "name": "line",
        "fill": "#cf222e",
        "within": 'picture "Route"',
    }
    assert part_name(side) == 'red line of 420 px in picture "Route"'
    assert part_name({**side, "label": "Ferry"}) == 'red line "Ferry" in picture "Route"'
    assert part_name({**side, "name": "bar", "number": [3, 6]}) == 'bar 3 of 6 in picture "Route"'
    first = {**side, "label": "A", "other": {**side, "label": "B"}}
    assert exchanged_words(first, 1) == 'line "A" and line "B" in picture "Route" have each other\'s color'
    assert exchanged_words(first, 2).endswith("have each other's color, and 1 more pair")
    assert part_name({**side, "several": 4}) == '4 shapes at 8, 9 in picture "Route"'
