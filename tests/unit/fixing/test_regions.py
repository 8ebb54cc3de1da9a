"""Edits by region: of boxes with what lies in them, few enough to be tried alone."""

from __future__ import annotations

from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.regions import region_name, regions_of
from pytest_design2a11y.models.geometry import Box


def edit(name: str, box: Box | None = None) -> Edit:
    return Edit(f"#{name}", {"color": "#000000"}, name=name, design_box=box)


CARD, TITLE, NOTE = (
    edit("card", (0, 100, 300, 200)),
    edit("title", (10, 110, 90, 20)),
    edit("note", (0, 900, 90, 20)),
)


def test_what_lies_in_a_box_goes_with_it_and_the_page_is_first() -> None:
    page, repair = edit("page"), Edit("#mail", attributes={"aria-label": "Mail"}, design_box=(10, 140, 9, 9))

    assert regions_of([NOTE, CARD, repair, page, TITLE]) == [[page], [CARD, TITLE], [NOTE], [repair]]


def test_repairs_of_one_kind_are_one_group() -> None:
    levels = [Edit(f"#{at}", attributes={"aria-level": "2"}, reasons=("heading-order",)) for at in "ab"]
    label = Edit("#mail", attributes={"aria-label": "Mail"}, reasons=("label",))

    assert regions_of([levels[0], label, levels[1]]) == [levels, [label]]


def test_what_is_added_to_a_region_is_added_in_the_order_that_was_tried() -> None:
    """A text that was added after the smaller box it lies on would else lie below it."""
    whole, text, box = (
        edit("whole", (0, 0, 900, 60)),
        edit('text "a"', (0, 0, 90, 20)),
        edit("box", (0, 0, 99, 30)),
    )

    assert regions_of([box, whole, text, NOTE])[0] == [box, whole, text]


def test_no_region_is_a_text_or_most_of_the_page() -> None:
    whole = edit("panel", (0, 0, 1000, 1000))
    text = edit('text "a"', (0, 900, 200, 50))

    assert regions_of([whole, CARD, text, NOTE]) == [[whole], [CARD], [text], [NOTE]]


def test_nearest_neighbors_are_joined_until_there_are_few() -> None:
    lines = [edit(f"line {at}", (0, 100.0 * at, 50, 20)) for at in range(11)]
    close = edit("close", (0, 125, 50, 20))

    groups = regions_of([*lines[:2], close, *lines[2:]])

    assert len(groups) == 10
    assert [lines[1], close] in [group[:2] for group in groups]
    assert sorted(one.name for group in groups for one in group) == sorted(
        one.name for one in [*lines, close]
    )


def test_a_region_is_named_by_its_extent_and_its_first_element() -> None:
    assert region_name([CARD, TITLE]) == "2 elements from 100 to 300 px down, first card"
    assert region_name([edit("page"), CARD, TITLE]).endswith("first card")
    assert region_name([CARD]) == ""
    assert region_name([edit("page"), edit("page")]) == "page"
