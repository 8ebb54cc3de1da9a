"""One verdict a case: the limits that its samples were judged by, applied to what the samples come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from pytest_design2a11y.comparing.table import sample_values
from pytest_design2a11y.limits.policies import Policy, judge_samples
from pytest_design2a11y.limits.thresholds import OPERATORS
from pytest_design2a11y.models.run import CaseJudgement, CaseKey, Evaluation


def judge_cases(evaluations: Sequence[Evaluation], policy: Policy) -> list[CaseJudgement]:
    """Judge the cases that have several samples.

    Args:
        evaluations: Of a run, their limits applied page by page.
        policy: How samples are judged.
    """
    return [
        judgement
        for samples in sampled_cases(evaluations).values()
        for judgement in _judge_case(samples, policy)
    ]


def sampled_cases(evaluations: Sequence[Evaluation]) -> dict[CaseKey, list[Evaluation]]:
    """Give the evaluations of each case that has several samples."""
    cases: dict[CaseKey, list[Evaluation]] = defaultdict(list)
    for evaluation in evaluations:
        cases[evaluation.case_key].append(evaluation)
    return {key: taken for key, taken in cases.items() if len({one.sample for one in taken}) > 1}


def _judge_case(samples: Sequence[Evaluation], policy: Policy) -> list[CaseJudgement]:
    judgements = []
    for metric, operator, limit, origin in _configured(samples):
        verdict = judge_samples(
            sample_values(samples, metric),
            metric=metric,
            policy=policy,
            keeps=partial(_keeps, operator, limit),
        )
        judgements.append(
            CaseJudgement(
                case=samples[0].case,
                axes=samples[0].axes,
                metric=metric,
                operator=operator,
                limit=limit,
                origin=origin,
                is_passed=verdict.is_passed,
                sentence=verdict.sentence,
            )
        )
    return judgements


def _keeps(operator: str, limit: float, value: float) -> bool:
    return OPERATORS[operator](value, limit)


def _configured(samples: Sequence[Evaluation]) -> list[tuple[str, str, float, str]]:
    """Give the limits, other than the tests' own comparisons, that any of the samples was judged by."""
    limits = {
        (verdict.metric, verdict.operator, verdict.limit, verdict.origin)
        for sample in samples
        for verdict in sample.verdicts
        if verdict.origin != "call"
    }
    return sorted(limits)
