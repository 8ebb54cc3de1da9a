"""Differences in words: likes together, the most costly first."""

from __future__ import annotations

from dataclasses import replace

from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.causes import like_differences
from pytest_design2a11y.report.differences import group_differences
from tests.factories import make_difference


def picture(number: int, cost: float) -> Difference:
    return Difference("missing", "picture", cost, "serious", reference={"box": (0, number, 9, 9)})


GROUND = Difference("ground", "page", 0.12, "serious", "fill", "#eef1f8", "#ff00ff")
SAID = "ground of the page (background) is #ff00ff instead of #eef1f8"


def test_likes_are_told_together_with_two_examples_and_cost_what_they_cost_together() -> None:
    (pictures, ground) = group_differences([picture(1, 0.02), GROUND, picture(2, 0.05), picture(3, 0.06)])

    assert pictures.message == (
        "3 pictures are missing: picture 9 x 9 at 0, 3; picture 9 x 9 at 0, 2; and 1 more"
    )
    assert round(pictures.cost, 6) == 0.13
    assert (ground.message, ground.cost) == (SAID, 0.12)


def test_what_moved_together_and_fonts_are_not_counted_as_so_many_things() -> None:
    """A cause of several things is one difference: "11 texts: … and 21 more paragraphs" confuses."""
    messages = [f"columns: {number} controls moved below each other" for number in (2, 3, 4)]
    (moved,) = group_differences(make_difference("moved", "control", message, 0.1) for message in messages)
    fonts = ("all text is 9 px instead of 16 px", 'text "a" and 7 more paragraphs are not bold')
    (typography,) = group_differences(make_difference("font", "text", message, 0.1) for message in fonts)

    assert moved.message == f"controls are in other places: {messages[0]}; {messages[1]}; and 1 more"
    assert typography.message == f"typography differs in 2 ways: {fonts[0]}; {fonts[1]}"
    told = [cause.text for cause, _ in like_differences([*moved.members, *typography.members])]
    assert sorted(told) == [fonts[0], messages[0]]
    (cause, _), *_ = like_differences([make_difference("font", "text", fonts[1], 0.1)])
    assert (cause.key, cause.text) == ("typography differs", "text in another style")
    heavier = replace(make_difference("font", "text", fonts[1], 0.1), property="weight")
    larger = replace(heavier, property="font_size")
    (cause, _), *_ = like_differences([heavier, larger])
    assert cause.text == "text in another weight and size"


def test_another_ground_is_told_with_its_color_in_a_few_words_too() -> None:
    ((cause, _),) = like_differences([GROUND])

    assert cause.text == "ground of the page is #ff00ff instead of #eef1f8"


def test_differences_of_the_page_are_listed_as_those_of_one_page() -> None:
    messages = ("the content is 900 px wide instead of 600 px", "the page is 900 px high instead of 800 px")
    (sizes,) = group_differences(make_difference("resized", "page", message, 0.1) for message in messages)
    assert sizes.message == "; ".join(messages)
