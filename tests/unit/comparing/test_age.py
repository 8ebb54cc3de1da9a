"""Baselines that age, and baselines that are a part of the same run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.selection import split_off
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison import (
    OLD_AFTER_DAYS,
    age_warnings,
    days_between,
    span_warnings,
)
from pytest_design2a11y.report.comparison.text import comparison_lines
from tests.factories import make_evaluation, make_run

JUNE, JULY = "2026-06-01T00:00:00+00:00", "2026-07-01T12:00:00+00:00"


def test_days_are_those_between_two_times() -> None:
    assert days_between(JUNE, JULY) == 30.5
    assert days_between("2026-06-01T00:00:00", "2026-06-02T02:00:00+02:00") == 1
    assert days_between("once", JULY) is None


def test_an_old_baseline_is_warned_of() -> None:
    assert OLD_AFTER_DAYS == 14
    assert list(age_warnings(JUNE, "2026-06-14T23:00:00+00:00")) == []
    (warning,) = age_warnings(JUNE, JULY)
    assert warning.startswith("the old run was made 30 days before the new one; hosted models change")
    assert list(age_warnings("once", JULY)) == []
    assert next(span_warnings([JULY, JUNE])).startswith("the runs were made up to 30 days apart")


def test_runs_the_wrong_way_round_are_warned_of() -> None:
    pages = [make_evaluation(f"page {number}") for number in range(6)]
    old, new = (replace(make_run(*pages), created=created) for created in (JULY, JUNE))

    lines = comparison_lines(compare_runs(old, new))

    assert "warning: the old run was made after the new one: they may be the wrong way round" in lines


def mixed(*prompts: str) -> Run:
    return make_run(
        *(make_evaluation("a", id=prompt, axes={"prompt": prompt}) for prompt in prompts), name="main"
    )


def test_a_part_of_a_run_is_split_off_as_its_baseline() -> None:
    old, new = split_off(mixed("v2", "v1"), "prompt=v1")

    assert (old.name, new.name) == ("prompt=v1", "prompt=v2")
    assert [one.id for one in old.evaluations] == ["v1"]
    assert [one.id for one in new.evaluations] == ["v2"]


@pytest.mark.parametrize(
    ("prompts", "expression", "said"),
    [
        (("v1", "v2"), "prompt=v3", r"has no page with prompt=v3. It has prompt: v1, v2."),
        (("v1", "v2"), "model=v1", r"None of its pages has an axis 'model'."),
        (
            ("v1",),
            "prompt=v1",
            r"has no other prompt\..* Measure both",
        ),
        (
            ("v1", "v2", "v3"),
            "prompt=v1",
            r"also contains v2 and v3; choose one to compare with.* -o design2a11y_only=prompt=v1 ",
        ),
    ],
)
def test_what_cannot_be_split_off_says_why(prompts: tuple[str, ...], expression: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        split_off(mixed(*prompts), expression)
