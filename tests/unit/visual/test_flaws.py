"""Flaws: single faults cost, wherever they lie; what a whole page shares costs nothing here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Font, Trouble
from pytest_design2a11y.models.page import Capture, Screenshot, TextRun
from pytest_design2a11y.visual import (
    fidelity,
    figures_of,
    find_flaws,
    match_elements,
    match_figures,
    match_paragraphs,
    paragraphs_of,
    score_matching,
)
from pytest_design2a11y.visual.differences.charges import _OF_FLAWS
from pytest_design2a11y.visual.flaws import Flaw, flaw_costs
from pytest_design2a11y.visual.flaws.flaw import FlawPart
from tests.pages_by_hand import SIZE, blocks, box, page

SANS = (0.222, 0.833, 0.944, 0.556, 0.556, 0.556, 0.556, 0.722)


def text(words: str, y: float, *, size: float = 16.0) -> TextRun:
    return TextRun(
        words,
        ((40, y, 200, size),),
        (0, 0, 0),
        owner=int(y),
        font=Font(size, 400, False, SANS),
        paragraph=int(y),
    )


def other(capture: Capture) -> Capture:
    """Return a page each of whose pixels is another: what is found on it is seen."""
    pixels = capture.screenshot.pixels
    return replace(capture, image=Screenshot.of_pixels(np.where(pixels < 128, pixels + 99, pixels - 99)))


def flaws(reference: Capture, candidate: Capture) -> tuple[Flaw, ...]:
    return flaws_of(reference, other(candidate))


def flaws_of(reference: Capture, candidate: Capture) -> tuple[Flaw, ...]:
    written = tuple(paragraphs_of(one.text_runs, one.screenshot) or () for one in (reference, candidate))
    elements = match_elements(reference, candidate)
    assert elements is not None
    return find_flaws(
        (reference, candidate),
        elements=elements,
        figures=match_figures(figures_of(reference.text_runs), figures_of(candidate.text_runs), (SIZE, SIZE)),
        typography=match_paragraphs(written[0], written[1], (SIZE, SIZE)),
        matches=score_matching(match_blocks(blocks(reference), blocks(candidate))).matches,
        paragraphs=(written[0], written[1]),
    )


def grades(reference: Capture, candidate: Capture) -> list[tuple[str, float]]:
    return [(one.part, round(one.grade, 2)) for one in flaws(reference, candidate)]


TEXTS = [text("Welcome back to the shop", 40), text("Email address", 100), text("Total 12.50", 160)]
BUTTON = box(40, 300, 120, 40, fill=(0, 0, 200), role="button")
PHOTO_COLORS = tuple((at * 7, at * 3, 255 - at * 7) for at in range(36))
STRIPES = tuple((at % 24 // 4 % 2) * 255 for at in range(576))
ROWS = tuple((at // 24 // 4 % 2) * 255 for at in range(576))


def photo(x: float = 400, **changes: Any) -> Element:
    return box(
        x, 300, 200, 150, kind="picture", tag="img", thumbnail=PHOTO_COLORS, texture=STRIPES, **changes
    )


DESIGN = page(TEXTS, [BUTTON, photo()])


def test_a_page_against_itself_has_none() -> None:
    assert flaws(DESIGN, DESIGN) == ()
    assert fidelity(visual=1.0, elements=1.0, typography=1.0, flaws=()) == 1.0


@pytest.mark.parametrize(
    ("reads", "grade"),
    [("Postal address", 1.0), ("Email address please", 0.6), ("Welcome back to your shop", 0.6)],
)
def test_a_text_is_wrong_by_its_share_of_other_words_and_wholly_from_a_third_on(
    reads: str, grade: float
) -> None:
    at = 0 if reads.startswith("Welcome") else 1
    texts = [*TEXTS]
    texts[at] = text(reads, round(texts[at].boxes[0][1]))
    assert grades(DESIGN, page(texts, [BUTTON, photo()])) == [("text", grade)]


def test_a_recolored_text_is_half_a_flaw_at_most() -> None:
    red = replace(TEXTS[1], color=(200, 0, 0))
    green = replace(TEXTS[1], color=(0, 140, 0))
    assert ("color", 0.5) in grades(page([red, *TEXTS[2:]]), page([green, *TEXTS[2:]]))
    pale = replace(TEXTS[1], color=(200, 10, 10))
    assert "color" not in dict(grades(page([red, *TEXTS[2:]]), page([pale, *TEXTS[2:]])))


def test_words_that_stand_elsewhere_or_in_other_paragraphs_are_not_lost() -> None:
    parts = [text("Welcome back", 40), text("to the shop", 60), *TEXTS[1:]]
    assert flaws(DESIGN, page(parts, [BUTTON, photo()])) == ()


def test_a_wrong_figure_is_a_flaw_and_its_words_are_none() -> None:
    made = page([*TEXTS[:2], text("Total 15.20", 160)], [BUTTON, photo()])
    assert grades(DESIGN, made) == [("figure", 1.0)]


def test_a_lost_button_counts_by_how_it_stands_out_and_what_it_is_for() -> None:
    assert grades(DESIGN, page(TEXTS, [photo()])) == [("element", 1.5)]
    assert grades(page(TEXTS, [replace(BUTTON, role="")]), page(TEXTS, [])) == [("element", 1.0)]


def test_what_moved_is_no_flaw() -> None:
    moved = page(TEXTS, [box(900, 900, 120, 40, fill=(0, 0, 200), role="button"), photo()])
    assert flaws(DESIGN, moved) == ()


def test_another_picture_in_the_same_frame_is_one() -> None:
    made = page(TEXTS, [BUTTON, replace(photo(), texture=ROWS)])
    ((part, grade),) = grades(DESIGN, made)
    assert (part, grade > 0.9) == ("element", True)


def test_exchanged_pictures_are_two() -> None:
    one, other = photo(), replace(photo(700), texture=ROWS)
    made = page(TEXTS, [BUTTON, replace(one, texture=ROWS), replace(other, texture=STRIPES)])
    assert len(flaws(page(TEXTS, [BUTTON, one, other]), made)) == 2


def test_a_stretched_picture_and_one_that_is_covered_are_flaws() -> None:
    whole = photo(natural_size=(400, 300))
    stretched = replace(photo(natural_size=(400, 150)))
    assert [part for part, _ in grades(page(TEXTS, [whole]), page(TEXTS, [stretched]))] == ["element"]
    assert [part for part, _ in grades(page(TEXTS, [whole]), page(TEXTS, [replace(whole, shown=0.3)]))] == [
        "element"
    ]


def icon(is_ink: Callable[[int, int], bool], size: float = 12, **changes: Any) -> Element:
    """An icon that is black where its 24 x 24 parts, by row and column, are ink."""
    levels = np.array([[0 if is_ink(row, column) else 255 for column in range(24)] for row in range(24)])
    means = levels.reshape(6, 4, 6, 4).mean(axis=(1, 3)).astype(int).reshape(-1).tolist()
    thumbnail, texture = tuple((level,) * 3 for level in means), tuple(levels.reshape(-1).tolist())
    return box(40, 400, size, size, kind="icon", thumbnail=thumbnail, texture=texture, **changes)


def filled(row: int, column: int) -> bool:
    return True


def empty(row: int, column: int) -> bool:
    return not (6 <= row < 18 and 6 <= column < 18)


def icon_grade(design: Element, made: Element | None) -> float:
    return sum(grade for _, grade in grades(page(TEXTS, [design]), page(TEXTS, [made] if made else [])))


def test_an_empty_icon_in_place_of_a_filled_one_is_another() -> None:
    assert icon_grade(icon(filled), icon(empty)) == 0.6
    assert icon_grade(icon(filled), None) == 0.6


def test_an_icon_that_begins_half_a_pixel_aside_is_the_same() -> None:
    """Thin lines, drawn a pixel larger; and the same lines elsewhere."""
    lines = icon(lambda _, column: column % 10 < 2)
    aside = icon(lambda _, column: (column + 1) % 10 < 2, size=13)
    other = icon(lambda _, column: (column + 5) % 10 < 2, size=13)
    assert icon_grade(lines, aside) < 0.1
    assert icon_grade(lines, other) == 0.6


def test_what_a_bar_covers_in_the_design_counts_as_far_as_it_shows() -> None:
    """A bar that stands still lies over another part of what moved below it."""
    hidden = icon(filled, shown=0.2)
    assert icon_grade(hidden, None) == pytest.approx(0.2 * 0.6)
    assert icon_grade(hidden, icon(empty)) < icon_grade(icon(filled), icon(empty)) / 2


def test_another_state_is_a_flaw() -> None:
    made = page(TEXTS, [replace(BUTTON, states=("disabled",)), photo()])
    assert grades(DESIGN, made) == [("state", 0.6)]


def test_where_no_pixel_differs_there_is_no_flaw() -> None:
    made = page([TEXTS[0], *TEXTS[2:]], [replace(BUTTON, states=("disabled",)), photo()])
    assert len(flaws(DESIGN, made)) == 2
    assert flaws_of(DESIGN, replace(made, image=DESIGN.image)) == ()


def test_a_slider_elsewhere_and_a_bar_of_another_length_are_flaws() -> None:
    slider = box(40, 400, 200, 20, role="slider", value="20")
    assert grades(page(TEXTS, [slider]), page(TEXTS, [replace(slider, value="80")])) == [("state", 0.6)]
    bar = box(40, 400, 200, 20, fill=(0, 0, 200))
    ((part, _),) = grades(page(TEXTS, [bar]), page(TEXTS, [replace(bar, box=(40, 400, 80, 20))]))
    assert part == "element"


def test_another_colour_in_a_colour_field_is_a_flaw() -> None:
    field = box(40, 400, 50, 27, tag="input[type=color]", role="textbox", value="#4f46e5")
    assert grades(page(TEXTS, [field]), page(TEXTS, [replace(field, value="#dc2626")])) == [("state", 0.6)]


def test_a_dot_says_by_its_colour_alone_what_it_says() -> None:
    dot = box(40, 400, 10, 10, fill=(0, 0, 200))
    red = replace(dot, fill=(200, 0, 0))
    assert grades(page(TEXTS, [dot]), page(TEXTS, [red])) == [("element", 0.45)]
    assert grades(page(TEXTS, [dot]), page(TEXTS, [])) == [("element", 0.6)]
    large, other = (replace(one, box=(40, 400, 30, 30)) for one in (dot, red))
    assert grades(page(TEXTS, [large]), page(TEXTS, [other])) == [("element", 0.19)]


def test_only_troubles_that_the_design_does_not_have_are_flaws() -> None:
    troubles = (Trouble("covered", (40, 100, 200, 16), "Email address", share=0.25),)
    made = replace(DESIGN, overlaps=troubles)
    assert grades(DESIGN, made) == [("trouble", 0.5)]
    assert flaws(made, made) == ()


def flaw(grade: float) -> Flaw:
    return Flaw("text", grade, (None, (0, 0, 1, 1)))


@pytest.mark.parametrize(
    ("grades", "together"), [((1.0,), 0.0566), ((1.0,) * 10, 0.1145), ((0.1,) * 100, 0.0271), ((), 0.0)]
)
def test_many_small_flaws_cost_less_than_a_large_one(grades: Sequence[float], together: float) -> None:
    some = [flaw(grade) for grade in grades]
    assert sum(flaw_costs(some)) == pytest.approx(together, abs=1e-4)
    value = fidelity(visual=0.9, elements=0.8, typography=1.0, flaws=some)
    assert value == pytest.approx(0.88 * (1 - together), abs=1e-4)


def test_the_worst_flaw_bears_most_of_the_cost() -> None:
    costs = flaw_costs([flaw(1.0), flaw(0.5)])
    assert costs[0] == pytest.approx(8 * costs[1])


def test_every_part_of_flaws_is_borne_by_a_kind_of_difference() -> None:
    assert set(get_args(FlawPart)) == _OF_FLAWS.keys()


def entries(*names: str, top: float = 40) -> list[TextRun]:
    """Headings with what stands below each."""
    return [
        one
        for at, name in enumerate(names)
        for one in (text(name, top + 100 * at), text(f"Entry number {at}", top + 30 + 100 * at))
    ]


def test_two_names_in_each_others_place_are_two_wrong_names() -> None:
    design = page(entries("Ann Miller", "Ben Carter", "Eve Sanders"))
    swapped = page(entries("Ben Carter", "Ann Miller", "Eve Sanders"))

    assert grades(design, swapped) == [("text", 1.0), ("text", 1.0)]
    assert {flaw.boxes[0] == flaw.boxes[1] for flaw in flaws(design, swapped)} == {True}
    # All of an entry, or all that is below, may have moved.
    first, second, rest = design.text_runs[:2], design.text_runs[2:4], design.text_runs[4:]
    moved = [
        replace(one, boxes=((40, one.boxes[0][1] + shift, 200, 16),))
        for runs, shift in ((first, 100), (second, -100), (rest, 0))
        for one in runs
    ]
    assert not grades(design, page(moved))
    assert not grades(design, page(entries("Ann Miller", "Ben Carter", "Eve Sanders", top=140)))
