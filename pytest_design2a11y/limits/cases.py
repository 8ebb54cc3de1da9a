"""Derives one verdict on a case from its several samples, by a policy."""

import math
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import Limit, judge
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.models.verdicts import CaseJudgement, CaseKey
from pytest_design2a11y.wording import counted

_AT_LEAST = re.compile(r"at_least\s*[=:]\s*([0-9]+)\s*/\s*([0-9]+)")


@dataclass(frozen=True, slots=True)
class Policy:
    """How the samples of a case are reduced to one verdict."""

    # "mean", "median" and "worst" judge that value of the samples; "at_least" counts the samples that keep
    # the limit
    kind: Literal["mean", "median", "worst", "at_least"] = "mean"
    share: Fraction = Fraction(1)  # For "at_least": the share of samples that must keep the limit

    def __str__(self) -> str:
        if self.kind != "at_least":
            return self.kind
        return f"at_least={self.share.numerator}/{self.share.denominator}"


class CaseVerdict(NamedTuple):
    """A limit applied to a case."""

    is_passed: bool  # Whether the case keeps the limit; False if it could not be judged
    # The judged value; for "at_least" the share of samples that keep the limit; None if a sample that the
    # policy needs was not measured
    value: float | None
    sentence: str  # The outcome, for the user


def parse_policy(text: str) -> Policy:
    """Read "mean", "median", "worst" or "at_least=4/5"; ConfigurationError for anything else."""
    kind = text.strip()
    if kind in ("mean", "median", "worst"):
        return Policy(kind)  # type: ignore[arg-type]
    match = _AT_LEAST.fullmatch(kind)
    if match is None or not 0 < int(match[1]) <= int(match[2]):
        raise ConfigurationError(
            f"{text!r} is not a policy for a case's samples.",
            advice='Write "mean", "median", "worst", or a share such as "at_least=4/5".',
        )
    return Policy("at_least", Fraction(int(match[1]), int(match[2])))


def judge_samples(
    values: Sequence[float | None], *, metric: str, policy: Policy, keeps: Callable[[float], bool]
) -> CaseVerdict:
    """Apply a limit to the samples of a case; ValueError if there are none.

    A sample without a value (None) is never ignored: mean, median and worst then give no verdict, which is
    not a pass, unless another sample breaks the limit on its own (worst); "at_least" counts it as a failure.
    The metric's direction defines "worst".
    """
    if not values:
        raise ValueError("a case has at least one sample")
    measured = [value for value in values if value is not None]
    num_passed = sum(map(keeps, measured))
    num_unmeasured = len(values) - len(measured)
    if policy.kind == "at_least":
        num_needed = math.ceil(policy.share * len(values))
        is_passed = num_passed >= num_needed
        value: float | None = num_passed / len(values)
        sentence = f"{num_passed} of {counted(len(values), 'sample')} keep the limit, {num_needed} needed"
    elif num_unmeasured and (policy.kind != "worst" or num_passed == len(measured)):
        is_passed, value = False, None
        samples = f"{num_unmeasured} of {counted(len(values), 'sample')}"
        sentence = f"{samples} could not be measured: no {policy.kind}"
    else:
        if policy.kind == "worst":
            value = min(measured) if COMPARED[metric].is_higher_better else max(measured)
        else:
            value = (statistics.fmean if policy.kind == "mean" else statistics.median)(measured)
        is_passed = keeps(value)
        sentence = f"{policy.kind} of {counted(len(measured), 'sample')}: {value:.4f}"
    return CaseVerdict(is_passed, value, sentence)


def sampled_cases(
    evaluations: Iterable[Evaluation], unjudged: Collection[str] = ()
) -> dict[CaseKey, list[Evaluation]]:
    """Return the evaluations of cases with several samples, or one that was not judged alone (`unjudged`)."""
    cases: dict[CaseKey, list[Evaluation]] = defaultdict(list)
    for evaluation in evaluations:
        cases[evaluation.case_key].append(evaluation)
    return {
        key: taken
        for key, taken in cases.items()
        if len({sample.sample for sample in taken}) > 1 or any(sample.id in unjudged for sample in taken)
    }


def _values(samples: Sequence[Evaluation], metric: str) -> list[float | None]:
    """Return a metric's value for every sample: the mean over its tests, of warnings the largest."""
    by_sample: dict[str, list[float | None]] = defaultdict(list)
    for page in samples:
        by_sample[page.sample].append(page.value(metric))
    if metric not in COMPARED:
        return [
            None if None in found else max(filter(None, found), default=0.0) for found in by_sample.values()
        ]
    measured = ([value for value in found if value is not None] for found in by_sample.values())
    return [statistics.fmean(values) if values else None for values in measured]


def judge_case(
    samples: Sequence[Evaluation], policy: Policy, *, limits: Collection[Limit] = ()
) -> list[CaseJudgement]:
    """Judge a case by its samples' limits, but the tests' own; it fails if no sample has a value for one."""
    verdicts = [verdict for sample in samples for verdict in sample.verdicts]
    judged = {(verdict.metric, verdict.operator[0]) for verdict in verdicts}
    unmeasured = {limit for sample in samples for limit in judge(sample, limits).unmeasured}
    configured = {limit for limit in unmeasured if limit.bound not in judged}
    for verdict in verdicts:
        if verdict.origin != "call":
            configured.add(Limit(verdict.metric, verdict.operator, verdict.limit, verdict.origin))
    judgements = []
    for limit in sorted(configured, key=astuple):
        values = _values(samples, limit.metric)
        outcome = judge_samples(values, metric=limit.metric, policy=policy, keeps=limit.is_kept_by)
        judgements.append(
            CaseJudgement(
                case=samples[0].case,
                axes=samples[0].axes,
                metric=limit.metric,
                operator=limit.operator,
                limit=limit.value,
                origin=limit.origin,
                is_passed=outcome.is_passed,
                sentence=outcome.sentence,
                is_judged=outcome.value is not None,
            )
        )
    return judgements
