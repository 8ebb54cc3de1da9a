"""One verdict a case: the limits that its samples were judged by, applied to what the samples come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import astuple

from pytest_design2a11y.comparing.table import sample_values
from pytest_design2a11y.limits.apply import unmeasured_limits
from pytest_design2a11y.limits.policies import Policy, judge_samples
from pytest_design2a11y.limits.thresholds import Limit
from pytest_design2a11y.models.run import CaseJudgement, CaseKey, Evaluation


def judge_cases(
    evaluations: Sequence[Evaluation],
    policy: Policy,
    *,
    limits: Sequence[Limit] = (),
    unjudged: Collection[str] = (),
) -> list[CaseJudgement]:
    """Judge the cases that have several samples.

    A case fails that has no value for one of the run's limits in any sample; see `sampled_cases`.
    """
    return [
        judgement
        for samples in sampled_cases(evaluations, unjudged).values()
        for judgement in _judge_case(samples, policy, limits)
    ]


def sampled_cases(
    evaluations: Sequence[Evaluation], unjudged: Collection[str] = ()
) -> dict[CaseKey, list[Evaluation]]:
    """Return the evaluations of each case that has several samples.

    Args:
        evaluations: Of a run.
        unjudged: Ids of those that nobody has judged by itself, for they are one of several samples: their
            case counts too where the others were left out.
    """
    cases: dict[CaseKey, list[Evaluation]] = defaultdict(list)
    for evaluation in evaluations:
        cases[evaluation.case_key].append(evaluation)
    return {
        key: taken
        for key, taken in cases.items()
        if len({one.sample for one in taken}) > 1 or any(one.id in unjudged for one in taken)
    }


def _judge_case(
    samples: Sequence[Evaluation], policy: Policy, limits: Sequence[Limit]
) -> list[CaseJudgement]:
    judgements = []
    for limit in _configured(samples, limits):
        verdict = judge_samples(
            sample_values(samples, limit.metric),
            metric=limit.metric,
            policy=policy,
            keeps=limit.is_kept_by,
        )
        judgements.append(
            CaseJudgement(
                case=samples[0].case,
                axes=samples[0].axes,
                metric=limit.metric,
                operator=limit.operator,
                limit=limit.value,
                origin=limit.origin,
                is_passed=verdict.is_passed,
                sentence=verdict.sentence,
            )
        )
    return judgements


def _configured(samples: Sequence[Evaluation], limits: Sequence[Limit]) -> list[Limit]:
    """Return the limits, other than the tests' own comparisons, that hold for the samples."""
    verdicts = [verdict for sample in samples for verdict in sample.verdicts]
    judged = {(verdict.metric, verdict.operator[0]) for verdict in verdicts}
    unmeasured = {limit for sample in samples for limit in unmeasured_limits(sample, limits)}
    own = (Limit(one.metric, one.operator, one.limit, one.origin) for one in verdicts if one.origin != "call")
    return sorted(
        {*own, *(limit for limit in unmeasured if (limit.metric, limit.operator[0]) not in judged)},
        key=astuple,
    )
