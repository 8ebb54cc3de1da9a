"""Differences are facts, of which one place makes sentences."""

from __future__ import annotations

from dataclasses import replace

from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.thing_words import way
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from tests.factories import make_evaluation, make_visual

PICTURE = Difference(
    "moved", "picture", 0.02, "moderate", "place",
    reference={"box": [40, 300, 90, 60]}, candidate={"box": [40, 330, 90, 90]},
)  # fmt: skip


def test_the_sentence_stands_in_json_and_is_not_stored() -> None:
    evaluation = replace(make_evaluation("a", 0.9), visual=make_visual(0.9, differences=(PICTURE,)))

    record = evaluation.to_dict(has_details=True)
    (told,) = record["visual"]["differences"]

    assert told["message"] == "picture 90 x 60 at 40, 300 moved 30 px down" == in_words(PICTURE)
    assert (told["severity"], told["property"], told["expected"]) == ("moderate", "place", None)
    back = from_dict(record).visual
    assert back is not None
    assert back.differences == (PICTURE,)


def test_a_colour_field_shows_a_colour_and_no_text() -> None:
    design, made = (
        {"box": [40, 300, 50, 27], "name": "color field", "value": value} for value in ("#4f46e5", "#dc2626")
    )
    one = Difference(
        "state", "control", 0.03, "moderate", "value", "#4f46e5", "#dc2626", reference=design, candidate=made
    )

    assert in_words(one).endswith("shows #dc2626 instead of #4f46e5")


def test_things_that_moved_by_themselves_unequally_but_alike_in_all_are_told_by_all() -> None:
    def moved(*shift: int) -> Difference:
        made = {"box": [40 - 330, 300 + 60, 90, 60], "shift": [*shift]}
        return replace(PICTURE, candidate=made)

    def told(*members: Difference) -> str:
        whole = {"box": [40, 300, 90, 400]}
        return in_words(
            Difference(
                "moved", "picture", 0.0, property="place", reference=whole, candidate=whole, members=members
            )
        )

    place = "2 pictures between 300 and 700 px down the page"
    assert told(moved(-330, 0), moved(-330, 60)) == f"{place} moved 330 px left and 60 px down"
    assert told(moved(-330, 0), moved(-330, 0)) == f"{place} moved 330 px left"
    opposite = replace(PICTURE, candidate={"box": [370, 200, 90, 60]})
    assert told(moved(-330, 60), opposite) == f"{place} moved by different distances"


def test_only_a_page_without_its_style_is_sent_to_its_style_sheets() -> None:
    facts = {"box": [40, 40, 90, 20], "text": "19.90"}
    price = Difference("font", "text", 0.0, "minor", "style", None, "underlined", facts, facts)
    page = Difference("restyled", "page", 0.0, "critical", "style", "no colors", None)

    assert in_words(price) == 'text "19.90" is underlined'
    assert in_words(page).endswith("; look at its style sheets")


def test_several_things_have_verbs_in_the_plural() -> None:
    design, made = ({"box": [40, 300, 90, 60], "has_fill": at == 0, "has_border": at == 1} for at in range(2))
    one = Difference("restyled", "panel", 0.02, property="marks", reference=design, candidate=made)
    joined = replace(one, members=(one, replace(one, reference={**design, "box": [240, 300, 90, 60]})))

    ends = "lost its fill and has a border", "and 1 more lost their fill and have a border"
    told = in_words(one), in_words(joined)
    assert all(f"{end} that the design does not have" in words for end, words in zip(ends, told, strict=True))


def test_how_far_things_moved_says_nothing_of_an_axis_along_which_some_only_followed() -> None:
    assert way((60, 40), (64, 40)) == "60 to 64 px right and 40 px down"
    assert way((60, 0), (61, 119)) == "60 px right"
    assert way((60, -8), (61, 119)) == "60 px right"
