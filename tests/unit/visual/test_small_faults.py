"""One small fault each, which its first sentence tells, and nothing false beside it."""

from __future__ import annotations

from dataclasses import replace

from pytest_design2a11y.models.words import in_words
from tests.pages_by_hand import BLUE, SANS, WORDS, box, differences, messages, page, text

BOLD = replace(SANS, weight=700)


def test_a_weight_is_no_other_typeface() -> None:
    shown = [page([*WORDS, text("Mon Tue Wed Thu", 40, 300, font=font)]) for font in (BOLD, SANS)]
    assert messages(*shown) == ['text "Mon Tue Wed Thu" is not bold']


def test_two_figures_exchanged_in_one_text_are_told_at_the_first() -> None:
    shown = [page([*WORDS, text(f"Old Quay {known} degrees", 40, 300)]) for known in ("14 / 6", "6 / 14")]
    assert messages(*shown)[0] == 'text "Old Quay 14 / 6 degrees" reads "6" instead of "14"'


def test_a_gauge_that_stands_elsewhere_is_moderate_and_one_thing() -> None:
    pages = [
        page(WORDS, [box(40, 300, 280, 8, tag="progress", role="progressbar", value=value, fill=fill)])
        for value, fill in (("40", BLUE), ("75", (20, 60, 160)))
    ]
    found = differences(*pages)
    assert [(one.severity, in_words(one)) for one in found] == [
        ("moderate", "progress bar 280 x 8 at 40, 300 stands at 75 instead of 40")
    ]


def test_a_badge_is_missing_though_its_word_stands_elsewhere() -> None:
    kettle, news = text("Kettle", 40, 300), text("The New boats arrive", 40, 400)
    badge = replace(text("New", 500, 300), paragraph=1)
    shown = [page([*WORDS, kettle, *badges, news]) for badges in ([badge], [])]
    assert messages(*shown) == ['text "New" at 500, 300 is missing']


def test_a_sign_that_stands_alone_is_missing() -> None:
    assert messages(page([*WORDS, text("ˆ", 40, 300)]), page(WORDS)) == ['text "ˆ" at 40, 300 is missing']
