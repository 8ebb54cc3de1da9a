"""Differences in words: likes together, the most costly first."""

from __future__ import annotations

from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import group_differences, like_differences


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


def test_sections_are_counted_as_sections_beside_single_things() -> None:
    """Three controls "are missing: control 756 x 110 at 262, 860 and 3 more" counts what nobody sees."""
    first, second = (
        Difference(
            "missing", "control", cost, "serious", "section",
            reference={"text": name, "box": (0, 90, 300, 80)}, members=(GROUND, picture(1, 0.1)),
        )
        for name, cost in (("Reminders", 0.3), ("Branches", 0.2))
    )  # fmt: skip
    button = Difference("missing", "control", 0.1, "serious", reference={"name": "button"})

    sections, buttons = group_differences([button, second, first])

    assert sections.message == (
        '2 sections are missing: section "Reminders" at 0, 90; section "Branches" at 0, 90'
    )
    assert (sections.key, buttons.key) == ("section missing", "control missing")


def test_what_moved_together_and_fonts_are_not_counted_as_so_many_things() -> None:
    """A cause of several things is one difference: "11 texts: … and 21 more paragraphs" confuses."""
    columns = [
        Difference("moved", "control", 0.1, property="columns", members=(GROUND, picture(number, 0.1)))
        for number in (2, 3, 4)
    ]
    (moved,) = group_differences(columns)
    size = Difference("font", "text", 0.1, "minor", "font_size", 16, 9, {"is_all": True})
    weight = Difference("font", "text", 0.1, "minor", "weight", 700, 400, {"text": "a"})
    (typography,) = group_differences([size, weight])

    messages, fonts = list(map(in_words, columns)), list(map(in_words, (size, weight)))
    assert fonts[0] == "all text is 9 px instead of 16 px"
    assert moved.message == f"controls are in other places: {messages[0]}; {messages[1]}; and 1 more"
    assert typography.message == f"typography differs in 2 ways: {fonts[0]}; {fonts[1]}"
    told = [cause.text for cause, _ in like_differences([*moved.members, *typography.members])]
    assert told == ["controls are in other places", "typography differs in 2 ways"]
    ((cause, _),) = like_differences([weight])
    assert (cause.key, cause.text) == ("text font", fonts[1])


def test_another_ground_is_told_with_its_color_in_a_few_words_too() -> None:
    ((cause, _),) = like_differences([GROUND])

    assert cause.text == SAID


def test_differences_of_the_page_are_listed_as_those_of_one_page() -> None:
    found = [
        Difference("resized", "page", 0.1, "minor", side, *sizes)
        for side, sizes in {"width": (600, 900), "height": (800, 900)}.items()
    ]
    (sizes,) = group_differences(found)
    assert sizes.message == "; ".join(map(in_words, found))
    assert "the page is 900 px high instead of 800 px" in sizes.message
