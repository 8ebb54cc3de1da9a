"""How much of the design's text reaches everyone: the formula, by arithmetic shown here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.accessibility.delivered import Delivered, delivered, delivered_line
from pytest_design2a11y.models.audit import FailedCheck
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.verdicts import DeliveredParts
from pytest_design2a11y.models.visual import Block, Match

BOX, BLACK = (0.1, 0.1, 0.5, 0.1), (0, 0, 0)
NAMES = ("alphabets!", "bookkeeper", "cartwheels", "dragonflys")


def block(text: str, *owners: int) -> Block:
    return Block(text, BOX, BLACK, owners=owners)


def match(text: str, *owners: int, ratio: float = 1.0) -> Match:
    return Match(block(text), block(text, *owners), text=ratio, position=1, color=1)


def run(owner: int, text: str, unaudited: int = 0) -> TextRun:
    return TextRun(text, (), BLACK, owner, unaudited=unaudited)


RUNS = [run(owner, text) for owner, text in enumerate(NAMES)]
MATCHES = [match(text, owner) for owner, text in enumerate(NAMES)]


def of(*failures: FailedCheck, **changes: Any) -> Delivered:
    given: dict[str, Any] = {"matches": MATCHES, "missing": (), "text_runs": RUNS, **changes}
    return delivered(given.pop("matches"), given.pop("missing"), failures=failures, **given)


def contrast(*owners: int, **more: Any) -> FailedCheck:
    return FailedCheck("color-contrast", "serious", owners=owners, **more)


def test_a_whole_page_without_failures_delivers_all() -> None:
    assert of() == Delivered(1, 1, 0, 0, 0)


def test_what_is_missing_or_reworded_is_not_delivered() -> None:
    """10 of 40 characters are missing, 10 are half alike: (10 + 10 + 5) / 40."""
    half = [*MATCHES[:2], match(NAMES[2], 2, ratio=0.5)]
    found = of(matches=half, missing=[block(NAMES[3])])

    assert found.value == found.on_page == 0.625


def label(text: str, left: float) -> TextRun:
    return TextRun(text, ((left, 0.0, 80.0, 16.0),), BLACK, 7)


@pytest.mark.parametrize(
    ("made", "on_page"),
    [("First name Postal code", 1), ("First name", 9 / 19), ("Postal code first name", 1)],
)
def test_of_two_labels_far_apart_each_is_there_or_not(made: str, on_page: float) -> None:
    one = Match(block("first name postal code", 7), block(made, 1), text=0.7, position=1, color=1)
    labels = [label("First name", 0), label("Postal code", 500)]
    found = of(matches=[one], text_runs=[run(1, made)], reference_runs=labels)

    assert found.on_page == pytest.approx(on_page)


def test_labels_side_by_side_are_one_text() -> None:
    one = Match(block("first name postal code", 7), block("First name", 1), text=0.7, position=1, color=1)
    labels = [label("First name", 0), label("Postal code", 84)]

    assert of(matches=[one], reference_runs=labels).on_page == 0.7


def test_blocks_that_were_merged_are_one_text() -> None:
    one = Match(block("first name postal code", 7, 8), block("First name", 1), text=0.7, position=1, color=1)
    labels = [label("First name", 0), replace(label("Postal code", 500), owner=8)]

    assert of(matches=[one], reference_runs=labels).on_page == 0.7


def test_white_space_is_no_text() -> None:
    assert of(matches=[match("ab", 0)], missing=[block(" c \n d ")]).value == 0.5


@pytest.mark.parametrize(
    ("impact", "credit"), [("minor", 0.9), ("moderate", 0.7), ("serious", 0.4), ("critical", 0)]
)
def test_a_failure_takes_its_weight_of_the_text_that_it_is_about(impact: Any, credit: float) -> None:
    found = of(FailedCheck("heading-order", impact, owners=(0,)))

    assert found.value == pytest.approx((30 + 10 * credit) / 40)
    assert found.failures == pytest.approx(1 - found.value)


def test_the_worst_failure_on_a_text_counts_alone() -> None:
    assert of(contrast(0), FailedCheck("tabindex", "minor", owners=(0,))) == of(contrast(0))


def test_a_merged_block_is_averaged_by_characters() -> None:
    """One block of texts of 10 and 20 characters, the longer one with .4 of it delivered."""
    merged = [Match(block("a" * 30), block("a" * 30, 0, 1), text=1, position=1, color=1)]
    runs = [run(0, "a" * 10), run(1, "a" * 20)]

    assert of(contrast(1), matches=merged, text_runs=runs).value == pytest.approx((10 + 20 * 0.4) / 30)


def test_what_lies_within_is_taken_only_by_rules_about_the_whole() -> None:
    around: Any = {"owners": (), "around": (0, 1)}

    assert of(FailedCheck("scrollable-region-focusable", "serious", **around)).failures == pytest.approx(0.3)
    assert of(FailedCheck("list", "serious", **around)).failures == 0


def test_a_failure_on_no_matched_text_counts_as_a_block_of_twenty() -> None:
    """1 / (1 + 1 / 20), and with 40 blocks 1 / (1 + 1 / 40)."""
    label = FailedCheck("label", "critical")

    assert of(label).value == pytest.approx(1 / 1.05)
    assert of(label).others == pytest.approx(1 - 1 / 1.05)
    many = [match("word", owner) for owner in range(40)]
    runs = [run(owner, "word") for owner in range(40)]
    assert of(label, matches=many, text_runs=runs).value == pytest.approx(1 / 1.025)
    assert of(contrast(99)).value == pytest.approx(1 / 1.03), "text that the design has not"


@pytest.mark.parametrize(
    ("rule", "impact", "whole"),
    [
        ("html-has-lang", "serious", 0.94),
        ("landmark-one-main", "moderate", 0.97),
        ("region", "moderate", 0.97),
        ("document-title", "serious", 0.94),
        ("meta-viewport", "critical", 0.9),
    ],
)
def test_a_rule_about_the_page_takes_a_tenth_of_its_weight_once(rule: str, impact: Any, whole: float) -> None:
    one = FailedCheck(rule, impact, owners=(0,))

    assert of(one, one, one).value == pytest.approx(whole)


def test_a_failure_of_the_body_is_the_pages_but_its_contrast_its_own_texts() -> None:
    on_body = FailedCheck("aria-allowed-role", "minor", is_page=True, owners=(0,), around=(1, 2, 3))

    assert of(on_body).value == pytest.approx(0.99)
    assert of(contrast(0, is_page=True, around=(1, 2, 3))) == of(contrast(0))


def test_text_that_no_rule_looks_at_is_not_delivered_and_taken_once() -> None:
    runs = [run(0, NAMES[0], unaudited=10), *RUNS[1:]]

    assert of(text_runs=runs) == Delivered(0.75, 1, 0.25, 0, 0)
    assert of(contrast(0), text_runs=runs) == of(text_runs=runs)


def test_no_single_failure_taken_away_lowers_it() -> None:
    failures = [
        contrast(0),
        contrast(0, 1),
        contrast(7),
        FailedCheck("label", "critical"),
        FailedCheck("region", "moderate", owners=(3,)),
        FailedCheck("region", "moderate"),
        FailedCheck("nested-interactive", "serious", around=(2, 3)),
        FailedCheck("list", "serious", around=(0, 1, 2, 3)),
    ]
    whole = of(*failures).value

    for index in range(len(failures)):
        assert of(*failures[:index], *failures[index + 1 :]).value >= whole


def test_a_design_without_text_delivers_nothing() -> None:
    assert of(matches=[]).value == 0


def test_a_design_without_text_has_nothing_that_could_be_delivered() -> None:
    assert of(matches=[], text_runs=[]) == Delivered(0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("made", "on_page"),
    [
        # Of ten letters eight are in the most like ten: 2 * 8 / 20, and the other label is whole.
        ("zzzzzzzzzz abcdefghxy klmnopqrst", (0.8 * 10 + 10) / 20),
        # A text shorter than the label: 2 * 8 / 18, and nothing of the other one.
        ("abcdefgh", 16 / 18 * 10 / 20),
        # 2 * 4 / 16 is just alike enough, 2 * 4 / 17 is another label.
        ("abcdxy", 0.5 * 10 / 20),
        ("abcdxyz", 0.0),
    ],
)
def test_a_label_counts_by_the_share_that_is_there(made: str, on_page: float) -> None:
    one = Match(block("abcdefghij klmnopqrst", 7), block(made, 1), text=0.6, position=1, color=1)
    labels = [label("abcdefghij", 0), label("klmnopqrst", 500)]

    assert of(matches=[one], text_runs=[run(1, made)], reference_runs=labels).on_page == pytest.approx(
        on_page
    )


def test_runs_side_by_side_are_one_label() -> None:
    one = Match(block("first name postal code", 7), block("first name", 1), text=0.7, position=1, color=1)
    labels = [label("First", 0), label("name", 84), label("Postal code", 500)]

    found = of(matches=[one], text_runs=[run(1, "first name")], reference_runs=labels)

    assert found.on_page == pytest.approx(9 / 19)


def test_a_text_whose_owners_are_unknown_is_seen_as_a_whole() -> None:
    assert of(matches=[match("ab", 9)], text_runs=[]) == Delivered(1, 1, 0, 0, 0)


def test_a_block_of_two_owners_is_seen_where_both_are() -> None:
    both = [run(0, "ab"), run(1, "cd")]

    assert of(matches=[match("abcd", 0, 1)], text_runs=both) == Delivered(1, 1, 0, 0, 0)


def test_failures_elsewhere_weigh_less_on_a_page_with_more_blocks() -> None:
    """One critical failure on 30 blocks of equal size, half of which are there: 1 / 2 / (1 + 1 / 30)."""
    found = of(
        FailedCheck("label", "critical", owners=(99,)),
        matches=[match("ab", 0)] * 15,
        missing=[block("ab")] * 15,
        text_runs=[run(0, "ab")],
    )

    assert found.value == pytest.approx(0.5 / (1 + 1 / 30))


def test_of_two_failures_of_the_page_by_one_rule_the_worse_counts() -> None:
    """Serious: 1 - 0.6 / 10."""
    failures = (FailedCheck("html-has-lang", impact, owners=()) for impact in ("serious", "minor"))

    assert of(*failures).value == pytest.approx(0.94)


def test_the_line_names_what_takes_away_enough_to_be_shown() -> None:
    parts = DeliveredParts(on_page=0.88, unaudited=0.004, failures=0.19, others=0.005)

    assert delivered_line(0.61, parts) == (
        "delivered 0.61: 88 % of the design's text is on the page;"
        " accessibility failures on it subtract 0.19; accessibility failures elsewhere subtract 0.01"
    )
    assert "text that no rule checks subtracts 0.50" in delivered_line(0.1, parts | {"unaudited": 0.5})
