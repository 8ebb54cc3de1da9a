"""What the tools answer: records with published schemas, and a text that stands by itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.verdicts import sentence
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import differences_of
from pytest_design2a11y.report.rules import failing_rules, reason_and_fix

if TYPE_CHECKING:
    from pytest_design2a11y.comparing.compare import HistoryEntry

#: Differences and elements that are listed; all of them are counted.
MOST_LISTED = 20


@dataclass(frozen=True)
class DifferenceAnswer:
    """One difference; boxes are left, top, width, height in CSS px."""

    message: str
    kind: str
    what: str
    severity: str | None
    cost: float
    design_box: list[float] | None
    page_box: list[float] | None


@dataclass(frozen=True)
class RuleAnswer:
    """An accessibility rule that fails."""

    rule: str
    impact: str | None
    help: str
    count: int
    elements: list[str]
    fix: str


@dataclass(frozen=True)
class PageAnswer:
    """What was measured of a page; metrics without a value were not measured."""

    page: str
    design: str | None
    passed: bool
    metrics: dict[str, float | None]
    limits: list[str]
    warnings: list[str]


@dataclass(frozen=True)
class ScoreAnswer(PageAnswer):
    """How a page compares with its design."""

    blocking: int | None
    num_differences: int
    num_accepted: int
    differences: list[DifferenceAnswer]
    changes: list[str]
    run: str | None


@dataclass(frozen=True)
class AuditAnswer(PageAnswer):
    """The accessibility failures of a page."""

    num_failed: int
    rules: list[RuleAnswer]


@dataclass(frozen=True)
class DesignAnswer:
    """What a design consists of."""

    page: str
    size: list[int]
    ground: str
    colors: list[dict[str, Any]]
    fonts: list[dict[str, Any]]
    texts: list[dict[str, Any]]
    elements: list[dict[str, Any]] | None
    warnings: list[str]


@dataclass(frozen=True)
class MetricChange:
    """A metric in two runs; the interval is of the difference, 95 %."""

    metric: str
    old_mean: float
    new_mean: float
    difference: float
    interval: list[float] | None
    trend: str


@dataclass(frozen=True)
class CompareAnswer:
    """Two runs compared."""

    old: str
    new: str
    num_cases: int
    metrics: list[MetricChange]
    verdicts: list[str]
    new_blockers: list[str]
    gone_blockers: list[str]


@dataclass(frozen=True)
class RunAnswer:
    """A saved run."""

    name: str
    created: str
    num_cases: int
    means: dict[str, float]


@dataclass(frozen=True)
class RunsAnswer:
    """The saved runs, the oldest first."""

    runs: list[RunAnswer]
    unreadable: list[str]


@dataclass(frozen=True)
class MarkAnswer:
    """A number in the picture, and what it marks."""

    number: int
    message: str
    severity: str | None


@dataclass(frozen=True)
class PairAnswer:
    """What the picture of two pages shows."""

    design: str
    page: str
    marks: list[MarkAnswer]


def score_answer(
    evaluation: Evaluation, run: str | None, complaints: Sequence[str], changes: Iterable[str]
) -> ScoreAnswer:
    """Return what was measured of a pair, and what changed since it was measured last."""
    visual, found = evaluation.visual, differences_of(evaluation)
    return ScoreAnswer(
        **_page(evaluation, complaints),
        blocking=None if visual is None else visual.blocking,
        num_differences=len(found),
        num_accepted=0 if visual is None else len(visual.differences) - len(found),
        differences=[_difference(difference) for difference in found[:MOST_LISTED]],
        changes=[*changes],
        run=run,
    )


def audit_answer(evaluation: Evaluation, complaints: Sequence[str]) -> AuditAnswer:
    """Return the failures of a page, of axe-core, other engines and probes."""
    audits = [*evaluation.audits.values(), *evaluation.probe_findings.values()]
    rules = [rule for audit in audits for rule in failing_rules(audit)]
    return AuditAnswer(
        **_page(evaluation, complaints),
        num_failed=sum(rule.num_violations for rule in rules),
        rules=[
            RuleAnswer(
                rule=rule.rule,
                impact=rule.impact,
                help=terminal_line(rule.help),
                count=rule.num_violations,
                elements=[terminal_line(node.target) for node in rule.violations[:MOST_LISTED]],
                fix=terminal_line(reason_and_fix(rule, rule.violations[0])) if rule.violations else "",
            )
            for rule in rules
        ],
    )


def _page(evaluation: Evaluation, complaints: Sequence[str]) -> dict[str, Any]:
    values = {
        name: evaluation.value(name)
        for name, metric in METRICS.items()
        if evaluation.further_audits or not metric.is_of_engines
    }
    verdicts = [f"{'keeps' if one.is_passed else 'BREAKS'} {sentence(one)}" for one in evaluation.verdicts]
    return {
        "page": evaluation.candidate,
        "design": evaluation.reference,
        "passed": not complaints and all(verdict.is_passed for verdict in evaluation.verdicts),
        "metrics": {name: None if value is None else round(value, 6) for name, value in values.items()},
        "limits": [*verdicts, *complaints],
        "warnings": [warning.message for warning in evaluation.told_warnings],
    }


def _difference(difference: Difference) -> DifferenceAnswer:
    words, kind, what = in_words(difference), difference.kind, difference.what
    boxes = difference.design.get("box"), difference.made.get("box")
    return DifferenceAnswer(words, kind, what, difference.severity, round(difference.cost, 6), *boxes)


def text_of(lines: Iterable[str]) -> str:
    """Return lines as one text, escaped, with options as the command names them."""
    return "\n".join(map(terminal_line, lines))


def outcome_lines(answer: PageAnswer) -> Iterator[str]:
    """Yield whether a page keeps its limits, in a line that a loop can stop at."""
    yield from answer.limits
    if isinstance(answer, ScoreAnswer):
        blocking = "not known" if answer.blocking is None else str(answer.blocking)
        yield f"blocking: {blocking}. Call fix_list for what to change, show_pair to see both pages."


def pair_answer(evaluation: Evaluation, marked: Sequence[Difference]) -> PairAnswer:
    """Return what the marks in the picture of a pair are about."""
    marks = [MarkAnswer(number, in_words(one), one.severity) for number, one in enumerate(marked, 1)]
    return PairAnswer(evaluation.reference or "", evaluation.candidate, marks)


def compare_answer(record: Mapping[str, Any]) -> CompareAnswer:
    """Return a comparison, as `comparison_to_dict` has it, in short."""
    names = [field.name for field in fields(MetricChange) if field.name != "metric"]
    return CompareAnswer(
        old=record["old"]["name"],
        new=record["new"]["name"],
        num_cases=record["num_cases"],
        metrics=[
            MetricChange(metric=name, **{key: row[key] for key in names})
            for name, row in record["metrics"].items()
            if row["state"] == "compared"
        ],
        verdicts=record["verdicts"],
        new_blockers=[one["message"] for change in record["blockers"] for one in change["new"]],
        gone_blockers=[one["message"] for change in record["blockers"] for one in change["gone"]],
    )


def runs_answer(entries: "Iterable[HistoryEntry]", problems: Iterable[Exception]) -> RunsAnswer:
    """Return the saved runs, and why others cannot be read."""
    runs = []
    for entry in entries:
        means = {name: round(mean.mean, 6) for name, mean in entry.metrics.items()}
        runs.append(RunAnswer(entry.run.name, entry.run.created, entry.run.num_cases, means))
    return RunsAnswer(runs, [str(problem) for problem in problems])
