"""Digests of places that differ: of what is there, not of where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.regions import with_digests
from tests.factories import ENVIRONMENT


def page(*squares: tuple[int, int, int]) -> Capture:
    pixels = np.full((100, 100, 3), 255, np.uint8)
    for left, top, gray in squares:
        pixels[top : top + 10, left : left + 10] = gray
    return Capture("page", "candidate", Screenshot.of_pixels(pixels), (100, 100), (), (), ENVIRONMENT)


def side(left: int, top: int, **facts: Any) -> dict[str, Any]:
    return {"box": [left, top, 10, 10], **facts}


def digests(
    reference: Capture,
    candidate: Capture,
    kind: Any = "recolored",
    at: tuple[int, int] = (5, 5),
    **changes: Any,
) -> tuple[str | None, str | None]:
    sides = {"reference": side(5, 5), "candidate": None if kind == "missing" else side(*at), **changes}
    (found,) = with_digests(
        (Difference(kind, "panel", 0.1, "serious", "fill", **sides),), reference, candidate
    )
    return found.design.get("digest"), found.made.get("digest")


FIRST = page((5, 5, 10)), page((5, 5, 20))


def test_a_change_elsewhere_and_a_move_of_the_whole_change_nothing() -> None:
    before = digests(*FIRST)

    assert before[0] != before[1]
    assert digests(page((5, 5, 10), (60, 60, 0)), page((5, 5, 20), (80, 80, 0))) == before
    assert digests(FIRST[0], page((5, 45, 20)), at=(5, 45)) == before


def test_a_change_of_one_pixel_in_the_place_changes_its_side_alone() -> None:
    before = digests(*FIRST)
    pixels = FIRST[1].screenshot.pixels.copy()
    pixels[14, 14] = 21
    changed = Capture("page", "candidate", Screenshot.of_pixels(pixels), (100, 100), (), (), ENVIRONMENT)

    after = digests(FIRST[0], changed)

    assert after[0] == before[0]
    assert after[1] != before[1]


def test_what_moved_further_has_changed() -> None:
    near = digests(FIRST[0], page((5, 25, 10)), "moved", (5, 25))
    far = digests(FIRST[0], page((5, 45, 10)), "moved", (5, 45))

    assert near[0] == far[0]
    assert near[1] != far[1]


def test_a_missing_thing_has_one_digest() -> None:
    assert digests(*FIRST, "missing")[1] is None


@pytest.mark.parametrize("actual", [1800, 1900])
def test_what_the_whole_page_has_is_known_by_its_value(actual: int) -> None:
    def height(value: int, *pages: Capture) -> Any:
        whole = Difference("resized", "page", 0.1, "minor", "height", 900, value, {}, {})
        return with_digests((whole,), *pages)[0].made["digest"]

    assert (height(1800, *FIRST) == height(actual, *FIRST[::-1])) == (actual == 1800)


def test_one_cause_has_the_places_of_all_its_members() -> None:
    member = Difference(
        "recolored", "panel", 0.1, "serious", "fill", reference=side(50, 50), candidate=side(50, 50)
    )

    before = digests(*FIRST, members=(member,))

    assert digests(page((5, 5, 99)), FIRST[1], members=(member,)) == before
    assert digests(page((5, 5, 10), (50, 50, 0)), FIRST[1], members=(member,))[0] != before[0]
