"""Differences in words: likes together, the most costly first."""

from __future__ import annotations

from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.differences import group_differences


def picture(number: int, cost: float) -> Difference:
    return Difference("missing", "picture", f"picture {number} is missing", cost, {"box": (0, 0, 9, 9)})


GROUND = Difference("ground", "page", "ground of the page #ff00ff instead of #eef1f8", 0.12)


def test_likes_are_told_together_with_two_examples_and_cost_what_they_cost_together() -> None:
    (pictures, ground) = group_differences([picture(1, 0.02), GROUND, picture(2, 0.05), picture(3, 0.06)])

    assert pictures.message == "3 pictures are missing: picture 3; picture 2; and 1 more"
    assert round(pictures.cost, 6) == 0.13
    assert (ground.message, ground.cost) == (GROUND.message, 0.12)
