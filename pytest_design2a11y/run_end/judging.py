"""Limits applied to a whole run: pages that stand alone, and cases over their samples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pytest_design2a11y.limits.apply import unmeasured_limits
from pytest_design2a11y.limits.cases import Policy, judge_case, sampled_cases
from pytest_design2a11y.limits.thresholds import Limit
from pytest_design2a11y.models.evaluation import CaseJudgement
from pytest_design2a11y.models.run import Evaluation, Run, case_name
from pytest_design2a11y.models.verdict_words import limit_text, sentence
from pytest_design2a11y.report.failure_text import explain_unmeasured
from pytest_design2a11y.wording import counted


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """What the limits find in a run."""

    cases: Sequence[CaseJudgement]  # One verdict a limit for every case with several samples
    alone: Sequence[Evaluation]  # Pages that stand alone: one sample of their case
    unmeasured: Sequence[str]  # What is to be said of their limits that could not be judged

    @property
    def broken(self) -> list[str]:
        """What is to be said of limits that pages break which stand alone."""
        broken = (
            (one.id, verdict) for one in self.alone for verdict in one.verdicts if not verdict.is_passed
        )
        return [f"{name}: {sentence(verdict)}" for name, verdict in broken]

    def case_lines(self, *, only_broken: bool = False) -> list[str]:
        """Tell the one verdict that a case with several samples gets."""
        words = {(True, True): "keeps", (True, False): "BREAKS", (False, False): "was not judged by"}
        return [
            f"{case_name(one.case_key)} {words[one.is_judged, one.is_passed]} {limit_text(one)}; "
            f"{one.sentence}"
            for one in self.cases
            if not (only_broken and one.is_passed)
        ]

    def page_lines(self, name: str) -> list[str]:
        """Tell what pages that stand alone break, what could not be judged, and how many break a limit."""
        cases = {one.case_key for one in self.cases}
        broken = {one.case_key for one in self.cases if one.is_judged and not one.is_passed}
        pages = sum(any(not verdict.is_passed for verdict in one.verdicts) for one in self.alone)
        judged = [counted(len(self.alone), "evaluation")] if self.alone or not cases else []
        judged += [f"{counted(len(cases), 'case')} of several samples"] if cases else []
        breaking = counted(pages + len(broken), "breaks", "break")
        return [*self.broken, *self.unmeasured, f"{' and '.join(judged)} of {name}: {breaking} a limit"]


def judge_run(
    run: Run, *, policy: Policy, limits: Iterable[Limit], unjudged: Collection[str] = ()
) -> JudgedRun:
    """Judge a run by the verdicts of limits applied page by page; for `unjudged` see `sampled_cases`."""
    limits = tuple(limits)
    sampled = sampled_cases(run.evaluations, unjudged)
    alone = [one for one in run.evaluations if one.case_key not in sampled]
    return JudgedRun(
        cases=[one for samples in sampled.values() for one in judge_case(samples, policy, limits=limits)],
        alone=alone,
        unmeasured=[
            line
            for one in alone
            if (unmeasured := unmeasured_limits(one, limits))
            for line in explain_unmeasured(one, unmeasured)
        ],
    )
