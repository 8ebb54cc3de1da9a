"""One small fault each, which its first sentence tells, and nothing false beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual.scene.element_facts import details_of
from tests.pages_by_hand import BLUE, SANS, WORDS, box, differences, messages, page, text

BOLD = replace(SANS, weight=700)


def test_a_weight_is_no_other_typeface() -> None:
    shown = [page([*WORDS, text("Mon Tue Wed Thu", 40, 300, font=font)]) for font in (BOLD, SANS)]
    assert messages(*shown) == ['text "Mon Tue Wed Thu" is not bold']


def test_two_figures_exchanged_in_one_text_are_told_by_the_whole_text() -> None:
    shown = [page([*WORDS, text(f"Old Quay {known} degrees", 40, 300)]) for known in ("14 / 6", "6 / 14")]
    assert messages(*shown)[0] == 'text "Old Quay 14 / 6 degrees" reads "Old Quay 6 / 14 degrees"'


def test_a_gauge_that_stands_elsewhere_is_moderate_and_one_thing() -> None:
    pages = [
        page(WORDS, [box(40, 300, 280, 8, tag="progress", role="progressbar", value=value, fill=fill)])
        for value, fill in (("40", BLUE), ("75", (20, 60, 160)))
    ]
    found = differences(*pages)
    assert [(one.severity, in_words(one)) for one in found] == [
        ("moderate", "progress bar 280 x 8 at 40, 300 stands at 75 instead of 40")
    ]


@pytest.mark.parametrize(
    ("bar", "known"),
    [
        (box(40, 300, 420, 14), 0.6),
        (box(41, 301, 350, 13), 0.5),
        (box(48, 300, 420, 14), None),  # It begins elsewhere
        (box(40, 300, 420, 9), None),
        (box(40, 300, 420, 14, has_fill=False), None),
        (box(40, 300, 700, 14), None),  # The track itself
        (box(40, 300, 10, 14), None),
    ],
)
def test_a_gauge_is_a_bar_that_fills_its_track_from_the_left(bar: Element, known: float | None) -> None:
    track = box(40, 300, 700, 14, fill=(220, 220, 220))
    assert details_of(bar, page(WORDS, [track, bar])).get("gauge") == known


def test_check_boxes_that_are_drawn_as_radio_buttons_are_one_serious_difference() -> None:
    def choices(role: str, radius: float) -> Capture:
        words = [text(f"Answer number {at}", 70, 300 + 40 * at) for at in range(3)]
        boxes = [
            box(
                40, 300 + 40 * at, 16, 16, tag=f"input[type={role}]", role=role, radius=radius, label=one.text
            )
            for at, one in enumerate(words)
        ]
        return page(
            [*WORDS, *words], [replace(one, fill=(200, 200, 200 + at)) for at, one in enumerate(boxes)]
        )

    design, made = choices("checkbox", 0), choices("radio", 8)
    made = page(made.text_runs, [replace(one, fill=(90, 90, 90)) for one in made.elements or ()])
    (found,) = differences(design, made)
    assert found.severity == "serious"
    assert in_words(found) == 'checkbox "Answer number 0" and 2 more are each a radio button'


def test_figures_in_another_language_are_one_serious_difference() -> None:
    def sums(*figures: str) -> Capture:
        return page([*WORDS, *(text(figure, 40, 300 + 40 * at) for at, figure in enumerate(figures))])

    (found,) = differences(sums("3.201,03", "2.456,13", "2.391,44"), sums("3,201.03", "2,456.13", "2,391.44"))
    assert found.severity == "serious"
    assert in_words(found) == (
        'text "3.201,03" and 2 more show numbers as in another language, such as "3,201.03"'
    )
    (other,) = differences(sums("3.201"), sums("3 201"))
    assert other.severity == "minor"


def test_a_badge_is_missing_though_its_word_stands_elsewhere() -> None:
    kettle, news = text("Kettle", 40, 300), text("The New boats arrive", 40, 400)
    badge = replace(text("New", 500, 300), paragraph=1)
    shown = [page([*WORDS, kettle, *badges, news]) for badges in ([badge], [])]
    assert messages(*shown) == ['text "New" at 500, 300 is missing']


def test_a_sign_that_stands_alone_is_missing() -> None:
    assert messages(page([*WORDS, text("ˆ", 40, 300)]), page(WORDS)) == ['text "ˆ" at 40, 300 is missing']
