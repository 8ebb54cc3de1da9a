"""Limits: what they take, what they refuse, and which of several holds."""

from __future__ import annotations

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits.thresholds import Limit, make_limit, most_specific, parse_limit
from pytest_design2a11y.models.verdict_words import sentence


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("position>=0.8", Limit("position", ">=", 0.8, "call")),
        (" iwir <= 0.3 ", Limit("iwir", "<=", 0.3, "call")),
        ("visual>0", Limit("visual", ">", 0.0, "call")),
        ("failed<=12", Limit("failed", "<=", 12.0, "call")),
        ("ir<1e-1", Limit("ir", "<", 0.1, "call")),
    ],
)
def test_a_limit_is_metric_operator_number(expression: str, expected: Limit) -> None:
    assert parse_limit(expression, origin="call") == expected


@pytest.mark.parametrize("expression", ["", "position", "position=0.8", ">=0.8", "position>=high", "a b>=1"])
def test_what_is_no_limit_is_refused(expression: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a limit") as caught:
        parse_limit(expression, origin="command line")
    assert '"position>=0.8"' in str(caught.value)
    assert "(command line)" in str(caught.value)


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(ConfigurationError, match=r"There is no metric 'positon'") as caught:
        parse_limit("positon>=0.8", origin="marker")
    assert "Did you mean 'position'?" in str(caught.value)
    assert "weighted_ir" in str(caught.value)


@pytest.mark.parametrize(
    ("metric", "operator", "value"),
    [
        ("visual", ">=", 1.5),
        ("visual", ">", 1.0),
        ("iwir", "<=", -0.1),
        ("iwir", "<", 0.0),
        ("ir", "<=", float("nan")),
        ("failed", "<=", float("inf")),
        ("text", "<=", 2.0),
    ],
)
def test_a_limit_that_cannot_be_kept_or_broken_is_refused(metric: str, operator: str, value: float) -> None:
    with pytest.raises(ConfigurationError, match=r"is impossible: .* goes from 0"):
        make_limit(metric, operator, value, origin="call")


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [(">", 0.5, False), (">=", 0.5, True), ("<", 0.5, False), ("<=", 0.5, True)],
)
def test_the_bound_itself_keeps_only_the_inclusive_operators(
    operator: str, value: float, expected: bool
) -> None:
    verdict = make_limit("ir", operator, value, origin="call").verdict(0.5)

    assert verdict.is_passed is expected


def test_the_most_specific_origin_wins_for_each_metric_and_direction() -> None:
    limits = [
        Limit("iwir", "<=", 0.1, "ini file"),
        Limit("iwir", "<=", 0.2, "command line"),
        Limit("iwir", "<=", 0.3, "marker"),
        Limit("visual", ">=", 0.5, "ini file"),
        Limit("iwir", ">=", 0.0, "ini file"),
    ]

    assert set(most_specific(limits)) == {limits[2], limits[3], limits[4]}


def test_limits_of_one_origin_on_one_metric_all_hold() -> None:
    limits = [Limit("ir", "<=", 0.3, "call"), Limit("ir", "<", 0.2, "call")]

    assert most_specific(limits) == tuple(limits)


def test_the_sentence_gives_value_limit_and_origin() -> None:
    verdict = Limit("iwir", "<=", 0.3, "command line").verdict(0.61234)

    assert sentence(verdict) == "iwir is 0.6123, required: at most 0.3 (--max-iwir)"
