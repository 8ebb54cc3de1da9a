from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import Limit
from pytest_design2a11y.limits.cases import (
    CaseVerdict,
    Policy,
    judge_case,
    judge_samples,
    parse_policy,
    sampled_cases,
)
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.verdicts import Verdict
from tests.factories import make_evaluation


def judge(
    policy: str, values: list[float | None], *, metric: str = "visual", limit: float = 0.8
) -> CaseVerdict:
    def keeps(value: float) -> bool:
        return value >= limit if metric == "visual" else value <= limit

    return judge_samples(values, metric=metric, policy=parse_policy(policy), keeps=keeps)


@pytest.mark.parametrize("text", ["mean", "median", "worst", "at_least=4/5", "at_least=1/2", "at_least=1/1"])
def test_a_policy_reads_as_it_is_written(text: str) -> None:
    assert str(parse_policy(f" {text} ")) == text


@pytest.mark.parametrize("text", ["", "best", "at_least", "at_least=0/5", "at_least=6/5", "at_least=4/0"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a policy for a case's samples") as caught:
        parse_policy(text)

    assert caught.value.advice == ('Write "mean", "median", "worst", or a share such as "at_least=4/5".')


@pytest.mark.parametrize(
    ("policy", "values", "value", "is_passed"),
    [
        ("mean", [0.7, 0.8, 0.96], 0.82, True),
        ("mean", [0.7, 0.8, 0.84], 0.78, False),
        ("median", [0.1, 0.81, 0.9], 0.81, True),
        ("median", [0.1, 0.7, 0.8, 0.9], 0.75, False),
        ("worst", [0.8, 0.9], 0.8, True),
        ("worst", [0.79, 0.9], 0.79, False),
        ("at_least=4/5", [0.1, 0.8, 0.8, 0.8, 0.8], 0.8, True),
        ("at_least=4/5", [0.1, 0.7, 0.8, 0.8, 0.8], 0.6, False),
    ],
)
def test_samples_become_one_verdict(
    policy: str, values: list[float | None], value: float, is_passed: bool
) -> None:
    verdict = judge(policy, values)

    assert verdict.value == pytest.approx(value)
    assert verdict.is_passed is is_passed


def test_worst_is_the_highest_where_less_is_better() -> None:
    assert judge("worst", [0.1, 0.5], metric="iwir", limit=0.4).value == 0.5


@pytest.mark.parametrize(("num_samples", "num_needed"), [(1, 1), (2, 2), (3, 3), (5, 4), (10, 8)])
def test_a_share_is_rounded_up_for_other_numbers_of_samples(num_samples: int, num_needed: int) -> None:
    kept = [0.9] * num_needed + [0.1] * (num_samples - num_needed)

    assert judge("at_least=4/5", [*kept]).is_passed
    assert not judge("at_least=4/5", [*kept[1:], 0.1]).is_passed


@pytest.mark.parametrize("policy", ["mean", "median", "worst"])
def test_a_sample_that_could_not_be_measured_is_no_pass(policy: str) -> None:
    verdict = judge(policy, [0.9, None, 0.9])

    assert not verdict.is_passed
    assert verdict.value is None
    assert verdict.sentence == f"1 of 3 samples could not be measured: no {policy}"


def test_at_least_tolerates_an_unmeasured_sample_as_one_that_failed() -> None:
    verdict = judge("at_least=2/3", [0.9, None, 0.9])

    assert verdict.is_passed
    assert verdict.sentence == "2 of 3 samples keep the limit, 2 needed"
    assert not judge("at_least=2/3", [0.9, None, None]).is_passed


def test_a_case_without_samples_cannot_be_judged() -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        judge("mean", [])


def test_the_sentence_names_the_policy_the_number_of_samples_and_the_value() -> None:
    assert judge("mean", [0.7, 0.8, 0.96]).sentence == "mean of 3 samples: 0.8200"
    assert judge("median", [0.9]).sentence == "median of 1 sample: 0.9000"


def test_a_sample_that_breaks_the_limit_decides_for_worst_though_another_is_unmeasured() -> None:
    verdict = judge("worst", [0.7, None])

    assert (verdict.is_passed, verdict.value, verdict.sentence) == (False, 0.7, "worst of 1 sample: 0.7000")


def test_a_case_without_samples_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match=r"^a case has at least one sample$"):
        judge("mean", [])


def test_samples_are_averaged_unless_something_else_is_said() -> None:
    assert Policy() == parse_policy("mean")
    assert parse_policy("at_least=2/4").share == Fraction(1, 2)


def case_of(*scores: float | None, origin: str = "command line") -> list[Evaluation]:
    """Samples whose own verdict on visual>=0.8 is there where they were measured."""
    return [
        make_evaluation(
            "login",
            score,
            sample=str(number),
            reference="designs/login.html",
            verdicts=() if score is None else (Verdict("visual", ">=", 0.8, score, score >= 0.8, origin),),
        )
        for number, score in enumerate(scores)
    ]


LIMIT = Limit("visual", ">=", 0.8, "command line")


def test_a_case_is_judged_once_by_a_limit_that_each_of_its_samples_has() -> None:
    (judgement,) = judge_case(case_of(0.7, 0.9), parse_policy("worst"), limits=[LIMIT])

    assert (judgement.case, judgement.metric, judgement.operator) == ("login", "visual", ">=")
    assert (judgement.limit, judgement.origin) == (0.8, "command line")
    assert (judgement.is_passed, judgement.is_judged) == (False, True)
    assert judgement.sentence == "worst of 2 samples: 0.7000"


def test_what_a_test_asserts_itself_is_not_judged_again_for_the_case() -> None:
    assert judge_case(case_of(0.7, 0.9, origin="call"), parse_policy("worst")) == []


def test_a_limit_that_no_sample_could_be_judged_by_fails_the_case() -> None:
    (judgement,) = judge_case(case_of(None, None), parse_policy("mean"), limits=[LIMIT])

    assert (judgement.is_passed, judgement.is_judged) == (False, False)
    assert judgement.sentence == "2 of 2 samples could not be measured: no mean"


def test_a_test_s_own_stricter_limit_replaces_the_configured_one() -> None:
    """A sample that was not measured has no verdict, so the limit of the configuration is asked there."""
    own = case_of(0.85, origin="call")

    assert judge_case([*own, *case_of(None)], parse_policy("mean"), limits=[LIMIT]) == []


def test_of_several_pages_of_a_sample_the_most_warnings_count() -> None:
    limit = Limit("warnings.js_errors", "<=", 1, "command line")

    def warned(sample: str, page: str, number: int) -> Evaluation:
        made = make_evaluation("a", sample=sample, id=page)
        errors = (CaptureWarning("js_errors", "A script failed.", count=number),)
        return replace(made, warnings=errors, verdicts=(limit.verdict(number),))

    pages = [warned("1", "p", 0), warned("1", "q", 2), warned("2", "r", 0)]
    (judgement,) = judge_case(pages, parse_policy("worst"))

    assert (judgement.is_passed, judgement.sentence) == (False, "worst of 2 samples: 2.0000")

    pages[1] = replace(pages[1], environment=None)  # It was not rendered.
    (judgement,) = judge_case(pages, parse_policy("worst"))
    assert judgement.sentence == "1 of 2 samples could not be measured: no worst"


@pytest.mark.parametrize(
    ("samples", "unjudged", "number"), [((0.9,), (), 0), ((0.9,), ("login-0",), 1), ((0.9, 0.9), (), 2)]
)
def test_a_case_is_one_with_samples_or_with_a_page_that_was_not_judged_alone(
    samples: tuple[float, ...], unjudged: tuple[str, ...], number: int
) -> None:
    found = sampled_cases(case_of(*samples), unjudged)

    assert [len(taken) for taken in found.values()] == [number] * bool(number)
