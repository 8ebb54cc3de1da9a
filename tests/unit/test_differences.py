"""Differences of two pages in words, with what each costs; pages are made by hand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Font
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Capture, Screenshot, TextRun
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore
from pytest_design2a11y.visual import (
    fidelity,
    match_elements,
    match_paragraphs,
    paragraphs_of,
    score_matching,
)
from pytest_design2a11y.visual.differences import Compared, find_differences
from tests.factories import ENVIRONMENT

SIZE = (1000, 1000)
WHITE, BLACK, BLUE = (255, 255, 255), (0, 0, 0), (20, 60, 200)
SANS = Font(14, 400, False, (0.222, 0.833, 0.944, 0.556, 0.556, 0.556, 0.556, 0.722))
SERIF = replace(SANS, advances=(0.278, 0.778, 0.944, 0.444, 0.5, 0.5, 0.444, 0.667))


def text(words: str, x: float, y: float, color: Color = BLACK, font: Font = SANS) -> TextRun:
    return TextRun(
        words, ((x, y, 8.0 * len(words), 20),), color, int(y * 1000 + x), font=font, paragraph=int(y)
    )


def box(x: float, y: float, width: float, height: float, **changes: Any) -> Element:
    values: dict[str, Any] = {"kind": "box", "tag": "div", "box": (x, y, width, height), "fill": BLUE}
    return Element(**values | {"has_fill": True} | changes)


def page(texts: Sequence[TextRun], elements: Sequence[Element] = (), ground: Color = WHITE) -> Capture:
    pixels = np.full((SIZE[1], SIZE[0], 3), ground, dtype=np.uint8)
    for element in elements:
        x, y, width, height = (int(side) for side in element.box)
        pixels[y : y + height, x : x + width] = element.fill
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    image = Screenshot(file.getvalue())
    runs = tuple(texts)
    return Capture(
        "page", "candidate", image, SIZE, runs, (), ENVIRONMENT, elements=tuple(elements), ground=ground
    )


def blocks(capture: Capture) -> list[Block]:
    def fractions(box: Box) -> Box:
        return (box[0] / SIZE[0], box[1] / SIZE[1], box[2] / SIZE[0], box[3] / SIZE[1])

    return [Block(run.text.lower(), fractions(run.boxes[0]), run.color or BLACK) for run in capture.text_runs]


def differences(reference: Capture, candidate: Capture) -> tuple[Difference, ...]:
    """Return them, and hold that their costs add up to what fidelity lacks."""
    score = score_matching(match_blocks(blocks(reference), blocks(candidate)))
    elements = match_elements(reference, candidate)
    written = (
        paragraphs_of(reference.text_runs, reference.screenshot),
        paragraphs_of(candidate.text_runs, candidate.screenshot),
    )
    typography = match_paragraphs(written[0] or (), written[1] or (), (SIZE, SIZE))
    assert elements is not None
    joined = fidelity(visual=score.score, elements=elements.value, typography=typography.value)
    assert joined is not None
    score = replace(score, elements=elements.value, typography=typography.value, fidelity=joined)
    found = find_differences(Compared(reference, candidate, score, elements, typography))
    assert [one.cost for one in found] == sorted((one.cost for one in found), reverse=True)
    assert sum(one.cost for one in found) == pytest.approx(1 - joined, abs=0.0006)
    return found


def of_texts(
    *matches: Match, missing: tuple[Block, ...] = (), extra: tuple[Block, ...] = ()
) -> tuple[Difference, ...]:
    """Return the differences of texts alone, as of published figures."""
    score = VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, None, "difflib", None, matches, missing, extra)
    return find_differences(Compared(page(()), page(()), score, None, None))


def messages(reference: Capture, candidate: Capture) -> list[str]:
    return [one.message for one in differences(reference, candidate)]


WORDS = [text("welcome back", 40, 40), text("sign in to go on", 40, 100)]


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

    found = find_differences(Compared(design, made, score, None, None))

    assert {one.kind for one in found} == {"recolored", "moved", "reworded", "missing", "extra"}
    assert sum(one.cost for one in found) == pytest.approx(1 - score.score)


def test_each_kind_of_a_pair_costs_its_part_of_a_component() -> None:
    near, far = (Block("a", (x, 0.1, 0.2, 0.1), BLACK) for x in (0.1, 0.5))

    costs = {one.kind: one.cost for one in of_texts(Match(near, far, 0.9, 0.7, 0.8), missing=(near,))}

    wanted = {"moved": 0.3 / 4, "recolored": 0.2 / 4, "reworded": 0.1 / 4, "missing": 1 / 3 / 4}
    assert costs == pytest.approx(wanted)


def test_what_nobody_sees_of_a_text_is_told_as_small_or_not_at_all() -> None:
    here, beside = (Block("a", (x, 0.1, 0.2, 0.1), BLACK) for x in (0.1, 0.103))

    assert [one.message for one in of_texts(Match(here, beside, 1.0, 0.997, 0.951))] == [
        "2 small differences of place, size, color or font, none of which stands out"
    ]
    assert of_texts(Match(here, beside, 1.0, 0.999, 1.0)) == ()
    assert [one.kind for one in of_texts(Match(here, beside, 1.0, 1.0, 0.949))] == ["recolored"]


def test_where_nothing_matches_everything_is_lost_with_what_is_missing() -> None:
    (missing,) = of_texts(missing=(Block("gone with the wind", (0.1, 0.1, 0.2, 0.1), BLACK),))
    assert missing.cost == pytest.approx(1.0)


def test_texts_without_area_do_not_divide_by_zero() -> None:
    (missing,) = of_texts(missing=(Block("x", (0.1, 0.1, 0.0, 0.0), BLACK),))
    assert missing.cost == 0


def test_a_missing_picture_is_named_with_size_and_place() -> None:
    picture = box(32, 180, 400, 200, kind="picture", tag="img", thumbnail=(BLUE,) * 36)
    assert messages(page(WORDS, [picture]), page(WORDS)) == ["picture 400 x 200 at 32, 180 is missing"]


def test_a_picture_that_became_a_box() -> None:
    picture = box(32, 180, 400, 200, kind="picture", tag="img", thumbnail=(BLUE,) * 36)
    grey = box(32, 180, 400, 200, fill=(221, 221, 221))
    assert messages(page(WORDS, [picture]), page(WORDS, [grey])) == [
        "picture 400 x 200 at 32, 180 is a plain #dddddd box"
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
    assert [one.message for one in found] == ["ground of the page (background) is #ff00ff instead of #ffffff"]
    assert f"{found[0].kind} {found[0].what} {found[0].cost:.4f}" == "ground page 0.4000"


def test_a_color_is_told_with_its_ground_and_the_contrast_of_both() -> None:
    dark = [text("welcome back", 40, 40, (120, 120, 120)), WORDS[1]]
    found = differences(page(WORDS), page(dark, ground=(40, 40, 40)))
    told = next(one for one in found if one.kind == "recolored")
    assert told.message == (
        'text "welcome back" is #787878 on #282828 (contrast 3.3:1) instead of #000000 on #ffffff (contrast'
        " 21.0:1); change the ground with it, on which the design's text color is not legible"
    )
    assert told.candidate is not None
    assert (told.candidate["color"], told.candidate["ground"]) == ("#787878", "#282828")


def test_a_design_whose_own_contrast_is_low_is_not_to_be_followed() -> None:
    pale = [text("welcome back", 40, 40, (147, 147, 147)), WORDS[1]]
    assert messages(page(pale), page(WORDS)) == [
        'text "welcome back" is #000000 on #ffffff (contrast 21.0:1) instead of #939393 on #ffffff (contrast'
        " 3.1:1); the design's own contrast is low: give the text at least 4.5:1"
    ]


def test_fonts_are_told_once_for_all_text() -> None:
    small = [replace(run, font=replace(SANS, size=10.5)) for run in WORDS]
    assert messages(page(WORDS), page(small)) == ["all text is 10.5 px instead of 14 px"]
    serif = [replace(run, font=SERIF) for run in WORDS]
    assert messages(page(WORDS), page(serif)) == ["all text is serif instead of sans-serif"]
    bold = [replace(WORDS[0], font=replace(SANS, weight=700)), WORDS[1]]
    assert messages(page(WORDS), page(bold)) == ['text "welcome back" is bold']


def test_columns_that_became_a_stack_are_one_difference() -> None:
    row = [box(20 + 320 * at, 100, 300, 150) for at in range(3)]
    stack = [box(20, 100 + 170 * at, 300, 150) for at in range(3)]
    # Boxes that are told apart, as those of one page's cards are.
    colors = [BLUE, (200, 40, 20), (20, 120, 20)]
    pages = [
        page(WORDS, [replace(one, fill=color) for one, color in zip(side, colors, strict=True)])
        for side in (row, stack)
    ]
    assert messages(*pages)[0] == "columns: 3 panels moved below each other"


def test_what_moves_together_is_told_together() -> None:
    texts = [text(f"line number {at} of some text", 40, 200 + 40 * at) for at in range(6)]
    lower = [replace(run, boxes=((40, run.boxes[0][1] + 60, *run.boxes[0][2:]),)) for run in texts]
    assert messages(page([*WORDS, *texts]), page([*WORDS, *lower])) == [
        "6 texts between 200 and 420 px down the page moved 60 px down"
    ]


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
    assert [difference.message for difference in found if difference.kind == "missing"] == [
        'text "help" at 500, 500 is missing'
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


def test_texts_in_one_place_have_the_mean_of_their_colors() -> None:
    two = [text("one", 40, 40, (255, 0, 0)), text("two", 40, 40)]
    blue = [replace(run, color=(0, 0, 254)) for run in two]
    (told,) = (one for one in messages(page(two), page(blue)) if "#0000fe" in one)
    assert "instead of #800000" in told


def test_texts_that_are_centred_instead_of_left_aligned_are_one_difference() -> None:
    words = ("a heading", "a longer line of text below", "and one", "more", "than that one")
    left = page([text(one, 40, 40 + 60 * at) for at, one in enumerate(words)])
    centred = page([text(one, 500 - 4 * len(one), 40 + 60 * at) for at, one in enumerate(words)])
    assert messages(left, centred) == ["5 texts are centred instead of left-aligned"]
    assert messages(centred, left) == ["5 texts are left-aligned instead of centred"]


def test_a_control_that_moved_is_told_once_with_its_text() -> None:
    label = text("Subscribe", 60, 200, (250, 250, 250))
    button = box(50, 190, 120, 40, tag="button")
    moved = page(
        [*WORDS, replace(label, boxes=((260, 200, 72, 20),))], [replace(button, box=(250, 190, 120, 40))]
    )
    assert messages(page([*WORDS, label], [button]), moved) == ['button "Subscribe" moved 200 px right']


def test_a_field_whose_text_stands_in_another_box_is_not_plain_text() -> None:
    """Its text is on the page, but not without a box around it."""
    choice = text("English", 60, 200)
    menu = box(50, 190, 300, 40, tag="select", has_border=True)
    elsewhere = replace(menu, box=(50, 690, 40, 60), tag="div")
    moved = replace(choice, boxes=((42, 700, 56, 20),))
    found = messages(page([*WORDS, choice], [menu]), page([*WORDS, moved], [elsewhere]))
    assert 'menu "English" is missing' in found


def test_a_panel_whose_texts_stand_as_they_were_lost_its_look() -> None:
    """It is not missing to whoever looks: it has nothing that sets it off any more."""
    card = box(30, 30, 500, 200, fill=(238, 238, 238), has_border=True, has_shadow=True)
    found = differences(page(WORDS, [card]), page(WORDS))
    assert [(one.kind, one.message) for one in found] == [
        ("restyled", "panel 500 x 200 at 30, 30 lost its fill, border and shadow")
    ]
    (gone,) = [one for one in differences(page(WORDS, [card]), page([])) if one.what == "panel"]
    assert gone.message == "panel 500 x 200 at 30, 30 is missing"
