"""Limits: what they take, what they refuse, and which of several holds."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import (
    Limit,
    make_limit,
    most_specific,
    named_limits,
    parse_limit,
    refuse_unmeasured,
)
from pytest_design2a11y.models.metrics import register_engines
from pytest_design2a11y.models.verdicts import sentence
from pytest_design2a11y.settings.configuration import option_named


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
    assert caught.value.advice == ('Write a metric, one of >= <= > <, and a number, such as "position>=0.8".')
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


OTHERWISE = "Give a bound that some values keep and others break."


@pytest.mark.parametrize(
    ("metric", "value", "message", "advice"),
    [
        ("iwir", 60.0, "iwir<=60 (call) is impossible: iwir goes from 0 to 1.", "Write 0.6 for 60 %."),
        ("iwir", 2.0, "iwir<=2 (call) is impossible: iwir goes from 0 to 1.", "Write 0.02 for 2 %."),
        ("iwir", 100.0, "iwir<=100 (call) is impossible: iwir goes from 0 to 1.", "Write 1 for 100 %."),
        ("iwir", 1.5, "iwir<=1.5 (call) is impossible: iwir goes from 0 to 1.", OTHERWISE),
        ("failed", -1.0, "failed<=-1 (call) is impossible: failed goes from 0 up.", OTHERWISE),
    ],
)  # fmt: skip
def test_an_impossible_limit_says_what_to_write(metric: str, value: float, message: str, advice: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_limit(metric, "<=", value, origin="call")

    assert str(caught.value).startswith(f"The limit {message}")
    assert caught.value.advice == advice


@pytest.mark.parametrize(
    ("metric", "comparison", "value"), [("ir", ">=", 0), ("ir", "<=", 1), ("failed", ">=", 9e9)]
)
def test_limits_that_all_values_or_hardly_any_keep_are_allowed(
    metric: str, comparison: str, value: float
) -> None:
    assert make_limit(metric, comparison, value, origin="call") == Limit(metric, comparison, value, "call")


def test_an_unknown_warning_is_told_from_an_unknown_metric() -> None:
    with pytest.raises(
        ConfigurationError, match=r"There is no warning 'warnings\.quirks' \(marker\)"
    ) as caught:
        make_limit("warnings.quirks", "<=", 0, origin="marker")

    assert "warnings.quirks_mode" in caught.value.advice


def test_options_that_are_limits_become_limits() -> None:
    found = named_limits(
        {"max_ir": 0.1, "min_fidelity": "0.5", "max_iwir": None, "require": "text>=0.9",
         "fail_on_warnings": "quirks_mode"},
        origin="marker",
    )  # fmt: skip

    assert {str(one) for one in found} == {"ir<=0.1", "fidelity>=0.5", "text>=0.9", "warnings.quirks_mode<=0"}
    assert {one.origin for one in found} == {"marker"}
    several = named_limits({"require": ["ir<=1", "text>=0"], "fail_on_warnings": ["encoding"]}, origin="call")
    assert [str(one) for one in several] == ["warnings.encoding<=0", "ir<=1", "text>=0"]
    assert named_limits({}, origin="call") == ()


@pytest.mark.parametrize(
    ("limit", "run", "needs", "advice"),
    [
        ("iwir<=0.3", {"is_audited": False}, "the audit that --design2a11y-no-audit leaves out", "Drop one"),
        ("failed_htmlcs<=3", {}, "the engine htmlcs", "Add --design2a11y-engines axe,htmlcs."),
    ],
)
def test_a_limit_that_the_run_cannot_judge_is_refused_before_it(
    limit: str, run: dict[str, Any], needs: str, advice: str
) -> None:
    register_engines(["htmlcs"])
    limits = [parse_limit(text, origin="command line") for text in ("fidelity>=0.8", limit)]
    complete: dict[str, Any] = {"is_audited": True, "engines": "axe,htmlcs"}
    refuse_unmeasured(limits, **complete)

    with pytest.raises(ConfigurationError) as refused:
        refuse_unmeasured(limits, **{**complete, "engines": "axe", **run})

    assert refused.value.what.startswith(f"The limit {limit} (command line) needs {needs}")
    assert advice in refused.value.advice


@pytest.mark.parametrize(
    "read",
    [
        lambda text: parse_limit(text, origin="command line"),
        option_named("timeout", given_as="--set timeout").value_of,
    ],
)
def test_a_value_in_single_quotes_as_cmd_exe_hands_it_over_says_what_to_type(read: Any) -> None:
    advice = "In cmd.exe only double quotes hold a value together: write \"...\" for '...'."

    with pytest.raises(ConfigurationError) as quoted:
        read("'position")
    with pytest.raises(ConfigurationError) as plain:
        read("position")

    assert advice in quoted.value.advice
    assert advice not in plain.value.advice
