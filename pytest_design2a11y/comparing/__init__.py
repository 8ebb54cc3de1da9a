"""How runs differ: means, intervals, conditions, gates; here, the result of comparing two of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy

from pytest_design2a11y.comparing.aggregate import Interval, mean_over_cases
from pytest_design2a11y.comparing.conditions import DifferingCondition
from pytest_design2a11y.comparing.pairing import AxisChange, BlockerChange
from pytest_design2a11y.comparing.table import Values
from pytest_design2a11y.models.audit import severity_note
from pytest_design2a11y.models.metrics import COMPARED, MISSING_CONTENT
from pytest_design2a11y.wording import counted

#: Differences up to this are ties, such as rounding errors of a sum.
TIE = 1e-9

#: A smaller difference is never reported as better or worse, however significant.
NEGLIGIBLE = 1e-4

#: Why a metric measured in neither run is not compared; not worth a line.
NOWHERE = "neither run has a value of it"


def refusals(differences: Iterable[DifferingCondition]) -> dict[str, str]:
    """Return why metrics are not compared, by id: the condition that differs between the runs."""
    refused = (difference for difference in differences if difference.effect == "refused")
    return {metric: str(difference) for difference in refused for metric in difference.metrics}


ComparisonState = Literal["compared", "refused", "not measured"]
Trend = Literal["better", "worse", "unclear", "too few cases"]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """One of the two runs."""

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_samples: int
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of its prompt files, by name
    repetitions: str = ""  # Sentence on samples that are identical byte for byte, else ""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """How one case moved in one metric."""

    case: str
    old: float
    new: float

    @property
    def difference(self) -> float:
        """New minus old."""
        return self.new - self.old


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """One metric in both runs."""

    metric: str  # Id in `COMPARED`
    # "compared", "refused" (measured in incompatible ways) or "not measured" (no paired case has a value in
    # both runs)
    state: ComparisonState
    reason: str = ""  # Why it is not compared; "" if it is
    cases: tuple[str, ...] = ()  # The paired cases that have a value in both runs
    # Their values, (cases,); each the mean over the axes that the case has in both runs
    old_values: Values = field(default_factory=lambda: numpy.empty(0), repr=False)
    # Their values, (cases,); equal to the old ones if they moved by no more than `TIE`
    new_values: Values = field(default_factory=lambda: numpy.empty(0), repr=False)
    interval: Interval | None = None  # Of the mean of new - old; None with fewer than two cases
    # Two-sided p-value of "the mean difference is 0", by resampling (1 with one case); for "errors",
    # of the exact sign test
    p_value: float = 1.0
    corrected_p: float = 1.0  # Corrected for the metrics judged together (Holm); for "errors", `p_value`
    trend: Trend = "unclear"  # Where the metric moved, if that is sure among so many metrics
    num_wins: int = 0  # Cases that became better, by `NEGLIGIBLE` or more
    num_ties: int = 0  # Cases that did not move as far
    num_losses: int = 0  # Cases that became worse, by the same rule
    lost: tuple[str, ...] = ()  # Cases, along their axes, with a value in the old run only
    gained: tuple[str, ...] = ()  # Cases, along their axes, with a value in the new run only
    missing: float = 0.0  # Share of pages with a value in one run only; of cases in both, or the old

    @property
    def old_mean(self) -> float:
        """Mean over the paired cases."""
        return mean_over_cases(self.old_values)

    @property
    def new_mean(self) -> float:
        """Mean over the paired cases."""
        return mean_over_cases(self.new_values)

    @property
    def difference(self) -> float:
        """Mean of new - old."""
        return mean_over_cases(self.new_values - self.old_values)

    @property
    def worsening(self) -> Values:
        """How much worse each case became; below 0 if it became better."""
        change = self.new_values - self.old_values
        return -change if COMPARED[self.metric].is_higher_better else change

    @property
    def is_unchanged(self) -> bool:
        """Whether no case moved, and neither did the mean."""
        is_still = self.num_wins == self.num_losses == 0
        return is_still and (not self.cases or abs(self.difference) < NEGLIGIBLE)

    def most(self, *, is_worse: bool) -> str:
        """Return the case that became worse, or better, by the most."""
        return self.cases[int((self.worsening if is_worse else -self.worsening).argmax())]

    def moved_most(self, limit: int | None) -> tuple[CaseChange, ...]:
        """Return the cases that moved most, in either direction, without ties; None: all of them."""
        change = numpy.abs(self.new_values - self.old_values)
        order = numpy.argsort(-change, kind="stable")[:limit]
        return tuple(
            CaseChange(self.cases[row], float(self.old_values[row]), float(self.new_values[row]))
            for row in order
            if change[row] > TIE
        )


@dataclass(frozen=True, slots=True)
class CaseErrors:
    """The measurements that failed in one case."""

    case: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two runs compared."""

    old: RunFacts
    new: RunFacts
    num_cases: int
    num_pairs: int  # Cases in both runs, each counted along its axes
    metrics: Mapping[str, MetricComparison]  # By id, in the order of the metric table
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    errors: tuple[CaseErrors, ...]
    differences: tuple[DifferingCondition, ...]
    changes: tuple[AxisChange, ...] = ()  # Axes in which the runs differ: what was changed between them
    # Values of the axes that cases are paired along, for axes with several values
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    blockers: tuple[BlockerChange, ...] = ()  # The cases in which severe differences appeared or disappeared

    def worsening(self, metric: str) -> Values:
        """Return how much worse every case became; in `blocking`, how many differences are new."""
        compared = self.metrics[metric]
        if metric != "blocking":
            return compared.worsening
        new: dict[str, float] = {}
        for change in self.blockers:
            new[change.key[0]] = max(change.num_new, new.get(change.key[0], 0.0))
        return numpy.array([new.get(case, 0.0) for case in compared.cases])

    @property
    def severity_notes(self) -> dict[str, str]:
        """Explanations of an iwir that rises while weighted_ir falls, by case; for the means under ""."""
        found = [self.metrics[name] for name in ("iwir", "weighted_ir") if name in self.metrics]
        if [metric.state for metric in found] != ["compared"] * 2:
            return {}
        iwir, weighted = (
            {"": (metric.old_mean, metric.new_mean)}
            | dict(zip(metric.cases, zip(metric.old_values, metric.new_values, strict=True), strict=True))
            for metric in found
        )
        both = {
            case: tuple(zip(iwir[case], weighted[case], strict=True)) for case in iwir if case in weighted
        }
        notes = {case: severity_note(*sides, least=NEGLIGIBLE) for case, sides in both.items()}
        return {case: note for case, note in notes.items() if note}

    @property
    def severity_note(self) -> str:
        """The note on the means, else on the first case with the number of further cases, else ""."""
        notes = self.severity_notes
        if not notes or "" in notes:
            return notes.get("", "")
        case, note = next(iter(notes.items()))
        more = f" (and {counted(len(notes) - 1, 'more case')})" if len(notes) > 1 else ""
        return f"in case {case}, {note}{more}"

    def content_note(self, metric: str) -> str:
        """Return a note on missing text for a metric that is blind to it; "" if the runs hardly differ."""
        matched = self.metrics.get("block_match")
        if not COMPARED[metric].is_blind_to_missing or matched is None or matched.state != "compared":
            return ""
        if abs(matched.difference) <= MISSING_CONTENT:
            return ""
        return (
            f"block_match {matched.old_mean:.4f} -> {matched.new_mean:.4f}: missing text cannot fail a check"
        )
