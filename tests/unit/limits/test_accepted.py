"""Which differences are accepted, until when, and what is said of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pytest_design2a11y.limits.known_file import accepted_lines, claim_key, claim_of, mark_accepted
from pytest_design2a11y.models.visual import Difference, Severity, VisualScore
from tests.factories import make_visual

TODAY = date(2026, 6, 1)


def difference(design: str = "d1", made: str = "p1", severity: Severity = "serious") -> Difference:
    return Difference(
        "recolored",
        "panel",
        0.1,
        severity,
        "fill",
        "#16324f",
        "#333333",
        {"name": "box", "label": "Acme", "box": [0, 0, 9, 9], "digest": design},
        {"name": "box", "label": "Acme", "box": [0, 0, 9, 9], "digest": made},
    )


def score(*differences: Difference) -> VisualScore:
    return make_visual(0.9, fidelity=0.7, differences=differences, blocking=len(differences))


def test_an_accepted_difference_does_not_block_and_moves_no_score() -> None:
    first, second = difference(), difference("d2", "p2")

    marked = mark_accepted(score(first, second), {claim_key(first): claim_of(first, "the brand")}, TODAY)

    assert [found.accepted for found in marked.differences] == ["the brand", None]
    assert (marked.blocking, marked.blockers) == (1, (second,))
    assert (marked.fidelity, marked.score) == (0.7, 0.9)


@pytest.mark.parametrize(
    "changed",
    [
        difference(design="other"),
        difference(made="other"),
        replace(difference(), kind="restyled"),
        replace(difference(), property="border"),
    ],
)
def test_a_change_of_its_place_on_either_side_ends_it(changed: Difference) -> None:
    claims = {claim_key(difference()): claim_of(difference())}

    assert mark_accepted(score(changed), claims, TODAY).blocking == 1
    assert [*accepted_lines("a.html", [changed], claims, TODAY)] == [
        'a.html: accepted, but gone or changed since: box "Acme" is #333333 instead of #16324f; '
        "drop it with --design2a11y-update-known"
    ]


def test_a_difference_whose_severity_and_cost_changed_is_the_same() -> None:
    claims = {claim_key(difference()): claim_of(difference())}

    assert (
        mark_accepted(score(replace(difference(severity="critical"), cost=0.2)), claims, TODAY).blocking == 0
    )


SAYS = 'box "Acme" is #333333 instead of #16324f (why)'


@pytest.mark.parametrize(
    ("until", "blocking", "words"),
    [
        (date(2026, 6, 1), 0, "2026-06-01"),
        (date(2026, 5, 31), 1, "2026-05-31 only"),
    ],
)
def test_it_is_accepted_up_to_and_on_its_last_day(until: date, blocking: int, words: str) -> None:
    claims = {claim_key(difference()): claim_of(difference(), "why", until)}

    assert mark_accepted(score(difference()), claims, TODAY).blocking == blocking
    assert [*accepted_lines("a.html", [difference()], claims, TODAY)] == [
        f"a.html: accepted until {words}: {SAYS}"
    ]


def test_a_score_whose_differences_are_not_all_known_keeps_no_count() -> None:
    unknown = replace(score(difference()), blocking=None)

    assert mark_accepted(unknown, {claim_key(difference()): claim_of(difference())}, TODAY).blocking is None


def test_a_thing_that_one_page_lacks_is_known_by_the_other_one() -> None:
    gone = Difference("missing", "panel", 0.1, "serious", reference={"digest": "d1"})

    assert claim_key(gone) == "missing - d1 -"
    assert (
        claim_key(replace(gone, kind="extra", reference=None, candidate={"digest": "p1"})) == "extra - - p1"
    )
