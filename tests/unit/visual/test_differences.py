"""Differences of two pages, with what each costs; pages are made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared, find_differences
from pytest_design2a11y.visual.differences.severity import graded
from tests.pages_by_hand import (
    BLACK,
    BLUE,
    SANS,
    SERIF,
    SIZE,
    WHITE,
    WORDS,
    blocks,
    box,
    differences,
    facts,
    messages,
    page,
    text,
)


def test_a_page_against_itself_has_none() -> None:
    one = page(WORDS, [box(30, 30, 300, 200)])
    assert differences(one, one) == ()


def test_costs_add_up_where_nothing_is_alike() -> None:
    """The ground takes what the elements have left."""
    panels = [box(30 * at, 300, 24, 400) for at in range(33)]
    other = differences(page(WORDS, panels), page(WORDS, ground=BLACK))
    assert "ground" in {one.kind for one in other}


def test_of_texts_alone_costs_add_up_to_what_the_score_lacks() -> None:
    design = page([*WORDS, text("gone", 40, 600)])
    red = text("welcome back", 240, 40, (200, 0, 0))
    made = page([red, text("sign in to go in", 40, 100), text("0123", 700, 800)])
    score = score_matching(match_blocks(blocks(design), blocks(made)))

    found = find_differences(Compared(match_pages(design, made), score))

    assert {one.kind for one in found} == {"recolored", "moved", "reworded", "missing", "extra"}
    assert sum(one.cost for one in found) == pytest.approx(1 - score.score)


def test_what_differs_and_cannot_be_seen_is_not_reported() -> None:
    """A style sheet may say another colour, and nothing on the screen has it."""
    design = page(WORDS, [box(30, 300, 500, 200)])
    same = replace(design, elements=(box(30, 300, 500, 200, fill=(200, 10, 10)),))
    assert facts(design, same) == []


def test_a_missing_picture_is_named_with_size_and_place() -> None:
    picture = box(32, 180, 400, 200, kind="picture", tag="img", thumbnail=(BLUE, BLACK) * 18)
    assert messages(page(WORDS, [picture]), page(WORDS)) == ["picture 400 x 200 at 32, 180 is missing"]


def test_a_picture_that_became_a_box() -> None:
    picture = box(32, 180, 400, 200, kind="picture", tag="img", thumbnail=(BLUE, BLACK) * 18)
    grey = box(32, 180, 400, 200, fill=(221, 221, 221))
    assert messages(page(WORDS, [picture]), page(WORDS, [grey])) == [
        "picture 400 x 200 at 32, 180 is a plain #dddddd area, or nearly: it is blank"
    ]


def test_a_panel_that_lost_its_border_and_shadow() -> None:
    card = box(30, 30, 500, 200, has_border=True, has_shadow=True)
    plain = replace(card, has_border=False, has_shadow=False)
    assert messages(page(WORDS, [card]), page(WORDS, [plain])) == [
        "panel 500 x 200 at 30, 30 lost its border and shadow"
    ]


def test_a_button_without_its_box_is_plain_text() -> None:
    label = text("Subscribe", 60, 200, (250, 250, 250))
    button = box(50, 190, 100, 40, tag="button", has_border=True)
    assert messages(page([*WORDS, label], [button]), page([*WORDS, replace(label, color=BLACK)]))[:1] == [
        'button "Subscribe" is plain text: no fill, no border'
    ]


def test_the_ground_of_the_page() -> None:
    found = differences(page(WORDS), page(WORDS, ground=(255, 0, 255)))
    assert [in_words(one) for one in found] == [
        "ground of the page (background) is #ff00ff instead of #ffffff"
    ]
    # The elements of the page, two fifths of the mean, and of what is left, 1/11 for one serious one.
    assert f"{found[0].kind} {found[0].what} {found[0].cost:.4f}" == f"ground page {0.4 + 0.6 / 11:.4f}"


def test_a_ground_that_looks_the_same_bears_nothing_and_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_design2a11y.visual.differences.LEAST_COST", 1e-9)
    lines = [text(f"a line of some words {at}", 40, 300 + 40 * at) for at in range(6)]
    moved = [text(f"a line of some words {at}", 42, 302 + 40 * at) for at in range(6)]

    *_, rest = differences(page([*WORDS, *lines]), page([*WORDS, *moved], ground=(253, 253, 253)))

    assert in_words(rest) == "small differences of place, size, color or font"


def test_a_color_is_told_with_its_ground_and_the_contrast_of_both() -> None:
    dark = [text("welcome back", 40, 40, (120, 120, 120)), WORDS[1]]
    found = differences(page(WORDS), page(dark, ground=(40, 40, 40)))
    told = next(one for one in found if one.kind == "recolored")
    assert in_words(told) == (
        'text "welcome back" is #787878 on #282828 (contrast 3.3:1) instead of #000000 on #ffffff (contrast'
        " 21.0:1); change the ground with it, on which the design's text color is not legible"
    )
    assert told.candidate is not None
    assert (told.candidate["color"], told.candidate["ground"]) == ("#787878", "#282828")


def test_a_design_whose_own_contrast_is_low_is_not_to_be_followed() -> None:
    pale = [text("welcome back", 40, 40, (147, 147, 147)), WORDS[1]]
    assert messages(page(pale), page(WORDS)) == [
        'text "welcome back" is #000000 on #ffffff (contrast 21.0:1) instead of #939393 on #ffffff (contrast'
        " 3.1:1); the design's own contrast is low"
    ]
    paler = page([text("welcome back", 40, 40, (163, 163, 163)), WORDS[1]])
    assert messages(page(pale), paler)[0].endswith("own contrast is low: give the text at least 4.5:1")


MORE = [text(f"line {at} of a text that is somewhat longer", 40, 200 + 40 * at) for at in range(3)]


def _small(runs: Sequence[TextRun]) -> list[TextRun]:
    return [
        replace(run, font=replace(SANS, size=10.5), boxes=((*run.boxes[0][:2], 6.0 * len(run.text), 20),))
        for run in runs
    ]


def test_fonts_are_told_once_for_all_text() -> None:
    assert messages(page(WORDS), page(_small(WORDS)))[0] == "all text is 10.5 px instead of 14 px"
    serif = [replace(run, font=SERIF) for run in WORDS]
    assert messages(page(WORDS), page(serif))[0] == "all text is serif instead of sans-serif"
    kept = text("and much more to do here", 40, 160)
    assert messages(page([*WORDS, *MORE, kept]), page([*_small([*WORDS, *MORE]), kept]))[0] == (
        "most text is 10.5 px instead of 14 px"
    )
    bold = [replace(WORDS[0], font=replace(SANS, weight=700)), WORDS[1]]
    assert messages(page(WORDS), page(bold))[0] == 'text "welcome back" is bold'


def test_columns_that_became_a_stack_are_one_difference() -> None:
    row = [box(20 + 320 * at, 100, 300, 150) for at in range(3)]
    stack = [box(20, 100 + 170 * at, 300, 150) for at in range(3)]
    # Boxes that are told apart, as those of one page's cards are.
    colors = [BLUE, (200, 40, 20), (20, 120, 20)]
    pages = [
        page(WORDS, [replace(one, fill=color) for one, color in zip(side, colors, strict=True)])
        for side in (row, stack)
    ]
    assert messages(*pages)[0] == (
        "columns: panel 300 x 150 at 20, 100 and panel 300 x 150 at 340, 100 "
        "moved below each other, with 1 other"
    )


def test_of_pictures_of_one_color_it_is_not_known_which_moved_below_which() -> None:
    row = [box(20 + 320 * at, 300, 200, 150, tag="img", fill=BLUE) for at in range(3)]
    stack = [replace(one, box=(20, 300 + 170 * at, 200, 150)) for at, one in enumerate(row)]
    assert not [one for one in messages(page(WORDS, row), page(WORDS, stack)) if "below each other" in one]
    colors = [BLUE, (200, 40, 20), (20, 120, 20)]
    apart = [
        [replace(one, fill=color) for one, color in zip(side, colors, strict=True)] for side in (row, stack)
    ]
    told = messages(*(page(WORDS, side) for side in apart))
    assert [one for one in told if "moved below each other" in one]


def test_what_moves_together_is_told_together() -> None:
    texts = [text(f"line number {at} of some text", 40, 200 + 40 * at) for at in range(6)]
    lower = [replace(run, boxes=((40, run.boxes[0][1] + 60, *run.boxes[0][2:]),)) for run in texts]
    assert messages(page([*WORDS, *texts]), page([*WORDS, *lower])) == [
        "6 texts between 200 and 420 px down the page moved 60 px down"
    ]


def test_what_moves_farther_and_farther_is_told_with_the_least_and_the_most() -> None:
    texts = [text(f"line number {at} of some text", 40, 200 + 40 * at) for at in range(5)]
    spread = [text(run.text, 40, 200 + 40 * at + 60 + at) for at, run in enumerate(texts)]
    assert messages(page([*WORDS, *texts]), page([*WORDS, *spread])) == [
        "5 texts between 200 and 380 px down the page moved 60 to 64 px down"
    ]


def test_a_panel_moved_by_itself_with_what_moved_farther_in_it() -> None:
    panel = box(100, 300, 400, 300, fill=BLUE, label="News")
    inner = [text(f"line number {at} of some text", 120, 320 + 40 * at) for at in range(4)]
    lower = [replace(run, boxes=((120, run.boxes[0][1] + 33, *run.boxes[0][2:]),)) for run in inner]
    found = messages(
        page([*WORDS, *inner], [panel]), page([*WORDS, *lower], [replace(panel, box=(100, 330, 400, 300))])
    )
    assert found[0].endswith("moved 30 px down")


def test_a_list_at_two_indents_whose_items_are_nearly_as_wide_was_not_centred() -> None:
    names = {"first": (70, 103), "second": (78, 87), "third one": (70, 104), "fourth": (78, 88)}
    names |= {"the fifth": (70, 103), "at last": (78, 86), "and more": (78, 130), "to the end": (78, 40)}
    items = [
        replace(text(name, 40, 0), boxes=((left, 200 + 20 * at, width, 15),), paragraph=90 + at)
        for at, (name, (left, width)) in enumerate(names.items())
    ]
    apart = [
        replace(item, boxes=((340, 130 + 35 * at, item.boxes[0][2] + 14, 17),))
        for at, item in enumerate(items)
    ]
    assert facts(page([*WORDS, *items]), page([*WORDS, *apart])) == [("moved", "gap"), ("moved", "place")]


def test_of_texts_that_the_design_has_more_often_none_is_said_to_be_in_another_column() -> None:
    story = text("A story of a company whose people work from home", 40, 200)
    shares = [text("Share it", 700, 200), text("Share it", 40, 600)]
    found = facts(
        page([*WORDS, story, *shares]),
        page([*WORDS, replace(story, boxes=((40, 180, *story.boxes[0][2:]),)), text("Share it", 40, 240)]),
    )
    assert found == [("moved", "gap"), ("missing", None), ("moved", "place"), ("moved", "place")]


def test_a_dark_theme_is_one_difference() -> None:
    texts = [text(f"line number {at} of some text", 40, 200 + 40 * at) for at in range(6)]
    light = [replace(run, color=WHITE) for run in texts]
    assert messages(page(texts), page(light, ground=(17, 17, 17))) == [
        "the theme is dark instead of light: ground of the page (background) is #111111 instead of #ffffff,"
        " and 6 texts have the colors of that theme"
    ]
    violet = messages(page(texts), page(light, ground=(109, 101, 199)))
    assert "ground of the page (background) is #6d65c7 instead of #ffffff" in violet


def test_texts_that_are_missing_extra_or_read_otherwise() -> None:
    other = [replace(WORDS[0], text="welcome home"), text("forgot your password?", 500, 700)]
    found = messages(page(WORDS), page(other))
    assert 'text "welcome back" reads "welcome home"' in found
    assert 'text "sign in to go on" at 40, 100 is missing' in found
    assert 'text "forgot your password?" at 500, 700 is not in the design' in found


def test_a_missing_text_is_not_told_to_be_in_another_font_too() -> None:
    found = differences(page([text("Sign up", 20, 20)]), page([text("hello", 700, 500, font=SERIF)]))
    assert {difference.kind for difference in found} == {"missing", "extra"}


def test_costs_add_up_where_blocks_of_one_page_alone_are_left() -> None:
    # Blocks of the page all match, and one of its paragraphs has no counterpart.
    words = [text("Sign up", 20, 20), text("today please", 20, 40), text("Help", 500, 500)]
    reference = page([replace(one, paragraph=1) for one in words])
    candidate = page([text("Sigm up", 20, 20), text("todey please", 20, 40)])
    found = differences(reference, candidate)
    assert [in_words(difference) for difference in found if difference.kind == "missing"] == [
        'text "Help" at 500, 500 is missing'
    ]


def test_left_and_right_swapped_are_one_difference() -> None:
    texts = [text(f"line number {at} of some text", 40 + 30 * at, 200 + 40 * at) for at in range(6)]
    swapped = [
        replace(run, boxes=((SIZE[0] - run.boxes[0][0] - run.boxes[0][2], *run.boxes[0][1:]),))
        for run in texts
    ]
    assert messages(page(texts), page(swapped)) == ["left and right are swapped: 6 things are mirrored"]


def test_another_color_is_told_as_that_however_much_it_costs() -> None:
    """A button in the wrong color is not a missing one."""
    label = text("Subscribe", 60, 200, (250, 250, 250))
    button = box(50, 190, 120, 40, tag="button")
    other = replace(button, fill=(30, 160, 60))
    assert messages(page([label], [button]), page([label], [other])) == [
        'button "Subscribe" is #1ea03c instead of #143cc8'
    ]


def test_of_a_text_in_several_colors_the_part_that_changed_is_named() -> None:
    """Only some words have another color: the text is neither missing nor extra."""
    first, rest = text("one red", 40, 40, (255, 0, 0)), text("word of two", 120, 40)
    design = [first, replace(rest, paragraph=first.paragraph)]
    made = [replace(first, color=(0, 0, 254)), design[1]]
    (told,) = messages(page(design), page(made))
    assert told.startswith('text "one red word of two", in its part "one red", is #0000fe on #ffffff')


def test_texts_that_are_centred_instead_of_left_aligned_are_one_difference() -> None:
    words = ("a heading", "a longer line of text below", "and one", "more", "than that one")
    left = page([text(one, 40, 40 + 60 * at) for at, one in enumerate(words)])
    centered = page([text(one, 500 - 4 * len(one), 40 + 60 * at) for at, one in enumerate(words)])
    assert messages(left, centered) == [
        'text "a longer line of text below" and 4 more are centered instead of left-aligned'
    ]
    assert messages(centered, left) == [
        'text "a longer line of text below" and 4 more are left-aligned instead of centered'
    ]


def test_a_control_that_moved_is_told_once_with_its_text() -> None:
    label = text("Subscribe", 60, 200, (250, 250, 250))
    button = box(50, 190, 120, 40, tag="button")
    moved = page(
        [*WORDS, replace(label, boxes=((260, 200, 72, 20),))], [replace(button, box=(250, 190, 120, 40))]
    )
    assert messages(page([*WORDS, label], [button]), moved) == ['button "Subscribe" moved 200 px right']


def test_a_panel_whose_texts_stand_as_they_were_lost_its_look() -> None:
    """It is not missing to whoever looks: it has nothing that sets it off any more."""
    card = box(30, 30, 500, 200, fill=(238, 238, 238), has_border=True, has_shadow=True)
    found = differences(page(WORDS, [card]), page(WORDS))
    assert [(one.kind, in_words(one)) for one in found] == [
        ("restyled", "panel 500 x 200 at 30, 30 lost its fill, border and shadow")
    ]
    (gone,) = [one for one in differences(page(WORDS, [card]), page([])) if one.what == "panel"]
    assert in_words(gone) == "panel 500 x 200 at 30, 30 is missing, with 2 texts"


def test_all_that_blocks_is_reported_however_much_it_is_and_the_rest_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pytest_design2a11y.visual.differences._MOST", 2)
    lines = [text(f"line {at}", 40, 300 + 40 * at) for at in range(6)]
    red = [text(f"line {at}", 40, 300 + 40 * at, (120, 0, 0)) for at in range(6)]
    places = [(600, 20), (20, 560), (600, 620), (20, 700), (600, 800)]
    controls = [box(x, y, 120, 40, tag="button") for x, y in places]

    found = differences(page([*WORDS, *lines], controls), page([*WORDS, *red]))

    blocking = [one for one in found if one.severity in {"critical", "serious"}]
    assert [one.what for one in blocking] == ["control"] * 5
    (rest,) = (one for one in found if one not in blocking)
    assert in_words(rest) == "1 smaller difference: 1 text recolored"


@pytest.mark.parametrize(
    ("left", "severity"), [("Ask before you", "serious"), ("Ask before you go on a", "moderate")]
)
def test_a_text_that_lost_a_quarter_to_its_box_lost_what_it_says(left: str, severity: str) -> None:
    whole = "Ask before you go on a walk"
    cut = Difference("overflowing", "text", 0.0, "minor", "cut", whole, left, {"box": [0, 0, 90, 20]})
    pages = page(WORDS), page(WORDS)
    score = score_matching(match_blocks(*map(blocks, pages)))
    assert graded(cut, Compared(match_pages(*pages), score)).severity == severity
