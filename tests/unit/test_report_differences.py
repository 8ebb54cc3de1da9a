"""Differences in words: likes together, the most costly first."""

from __future__ import annotations

from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.causes import like_differences
from pytest_design2a11y.report.differences import group_differences


def picture(number: int, cost: float) -> Difference:
    return Difference("missing", "picture", f"picture {number} is missing", cost, {"box": (0, 0, 9, 9)})


GROUND = Difference("ground", "page", "ground of the page #ff00ff instead of #eef1f8", 0.12)


def test_likes_are_told_together_with_two_examples_and_cost_what_they_cost_together() -> None:
    (pictures, ground) = group_differences([picture(1, 0.02), GROUND, picture(2, 0.05), picture(3, 0.06)])

    assert pictures.message == "3 pictures are missing: picture 3; picture 2; and 1 more"
    assert round(pictures.cost, 6) == 0.13
    assert (ground.message, ground.cost) == (GROUND.message, 0.12)


def test_what_moved_together_and_fonts_are_not_counted_as_so_many_things() -> None:
    """A cause of several things is one difference: "11 texts: … and 21 more paragraphs" confuses."""
    messages = [f"columns: {number} controls moved below each other" for number in (2, 3, 4)]
    (moved,) = group_differences(Difference("moved", "control", message, 0.1) for message in messages)
    fonts = ("all text is 9 px instead of 16 px", 'text "a" and 7 more paragraphs are not bold')
    (typography,) = group_differences(Difference("font", "text", message, 0.1) for message in fonts)

    assert moved.message == f"controls are in other places: {messages[0]}; {messages[1]}; and 1 more"
    assert typography.message == f"typography differs in 2 ways: {fonts[0]}; {fonts[1]}"
    told = [cause.text for cause, _ in like_differences([*moved.members, *typography.members])]
    assert sorted(told) == [fonts[0], messages[0]]
    (cause, _), *_ = like_differences([Difference("font", "text", fonts[1], 0.1)])
    assert cause.text == "typography differs"


def test_another_ground_is_told_with_its_color_in_a_few_words_too() -> None:
    message = "ground of the page (background) is #ff00ff instead of #eef1f8"
    ((cause, _),) = like_differences([Difference("ground", "page", message, 0.12)])

    assert cause.text == "ground of the page is #ff00ff instead of #eef1f8"
