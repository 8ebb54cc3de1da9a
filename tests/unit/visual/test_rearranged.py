"""What stands elsewhere as a whole: narrower content, columns below each other; pages are made by hand."""

from __future__ import annotations

from pytest_design2a11y.models.page import Capture, TextRun
from tests.pages_by_hand import BLUE, WORDS, box, differences, facts, page, text

TOPICS = ["Timber frames", "Oiled floors", "Stairs and rails", "Window seats", "Kitchen doors", "Bath houses"]


def _grid(left: int, step: int) -> list[TextRun]:
    places = [(left + step * (at % 3), 200 + 120 * (at // 3)) for at in range(6)]
    return [text(topic, *place) for topic, place in zip(TOPICS, places, strict=True)]


def _line(left: int, width: int) -> TextRun:
    return text("News", left + width - 60, 40)


def test_content_in_a_narrower_column_is_told_by_its_width() -> None:
    found = differences(
        page([text("Workshop", 20, 40), _line(20, 940), *_grid(20, 400)]),
        page([text("Workshop", 200, 40), _line(200, 580), *_grid(200, 240)]),
    )

    assert [(one.property, one.severity) for one in found if one.what == "page"] == [("width", "serious")]


def test_wider_cells_of_one_column_are_no_wider_content() -> None:
    def table(width: int) -> Capture:
        cells = [box(115, 200 + 50 * at, width, 44, fill=(220, 230, 240 - at)) for at in range(8)]
        return page(WORDS, [box(40, 190, 900, 420, fill=(250, 250, 250)), *cells])

    assert ("resized", "width") not in facts(table(600), table(790))


def test_texts_that_went_to_the_side_of_others_are_no_narrower_content() -> None:
    there = [text(topic, 700, 200 + 40 * at) for at, topic in enumerate(TOPICS)]
    here = [text(topic, 160, 200 + 40 * at) for at, topic in enumerate(TOPICS)]

    assert ("resized", "width") not in facts(page([*WORDS, *there]), page([*WORDS, *here]))


def _shop(*, is_stack: bool) -> Capture:
    """Three pictures of one color, as models draw them, and texts beside the largest or below it."""
    pictures = [(20, 300, 500, 300), (20, 620, 90, 90), (130, 620, 90, 90)]
    elements = [box(*place, kind="picture", tag="img", fill=BLUE) for place in pictures]
    left, top = (60, 720) if is_stack else (560, 310)
    return page([*WORDS, *(text(topic, left, top + 40 * at) for at, topic in enumerate(TOPICS))], elements)


def test_what_stood_beside_the_largest_of_several_pictures_of_one_color_is_below_it() -> None:
    found = differences(_shop(is_stack=False), _shop(is_stack=True))

    assert (found[0].kind, found[0].property, found[0].severity) == ("moved", "columns", "serious")


def _article(*, is_beside: bool) -> Capture:
    """An article of which the lines follow their heading, with a box of news below it, or beside it."""
    down = 60 if is_beside else 0
    lines = [text(f"the article says in line {at}", 20, 200 + down + 22 * at) for at in range(12)]
    left, top = (620, 210) if is_beside else (20, 600)
    news = [text(topic, left, top + 22 * at) for at, topic in enumerate(TOPICS)]
    aside = box(left - 10, top - 10, 330, 160, fill=(221, 221, 221), label="News")
    return page([text("A heading", 20, 150 + down), *lines, *news], [aside])


def test_what_stands_beside_things_that_only_followed_others_is_told_as_rows() -> None:
    found = facts(_article(is_beside=False), _article(is_beside=True))

    assert ("moved", "rows") in found


def _topics(left: int, top: int) -> list[TextRun]:
    return [text(topic, left, top + 40 * at) for at, topic in enumerate(TOPICS)]


def test_a_band_of_empty_space_that_is_lost_is_told_by_what_lies_below_it() -> None:
    found = differences(page([*WORDS, *_topics(40, 560)]), page([*WORDS, *_topics(40, 180)]))
    gaps = [one for one in found if one.property == "gap"]

    assert [(one.actual, one.severity) for one in gaps] == [(-380, "serious")]
    assert gaps[0].design["text"] == TOPICS[0]


def test_a_band_that_a_picture_of_one_color_fills_is_no_empty_space() -> None:
    picture = box(40, 160, 600, 380, fill=BLUE)
    low, high = page([*WORDS, *_topics(40, 560)], [picture]), page([*WORDS, *_topics(40, 180)])

    assert "gap" not in [one for _, one in facts(low, high)]


def test_space_above_a_footer_that_the_window_leaves_is_no_difference() -> None:
    footer = text("All rights reserved", 40, 950)
    long = page([*WORDS, *_topics(40, 180), *_topics(400, 450), footer])

    assert "gap" not in [one for _, one in facts(long, page([*WORDS, *_topics(40, 180), footer]))]


def test_what_is_most_of_a_page_and_lies_far_lower_is_a_serious_difference() -> None:
    def door(top: int) -> Capture:
        panel = box(300, top, 400, 180, fill=(30, 30, 30), label="Sign in")
        return page([text("Sign in", 320, top + 20), text("to go on", 320, top + 60)], [panel])

    found = differences(door(100), door(300))
    assert [(one.kind, one.severity) for one in found if one.property == "place"] == [("moved", "serious")]
    assert [one.severity for one in differences(door(100), door(150)) if one.property == "place"] == [
        "moderate"
    ]
