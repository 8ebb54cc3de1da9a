"""A comparison as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from pytest_design2a11y.comparing.age import age_warnings
from pytest_design2a11y.comparing.comparison import NEGLIGIBLE, NOWHERE, Comparison, MetricComparison, Side
from pytest_design2a11y.comparing.conditions import ALL
from pytest_design2a11y.comparing.failed_pages import rule_text
from pytest_design2a11y.comparing.outcome import GateOutcome, Inconclusive, mark_of
from pytest_design2a11y.comparing.quantities import ERRORS
from pytest_design2a11y.models.metrics import METRICS, shown_in
from pytest_design2a11y.models.run import origin_text
from pytest_design2a11y.report.comparison.people import people_lines
from pytest_design2a11y.wording import counted

_NUM_NAMED = 10
#: How a gate's outcome is written in front of its sentence.
GATE_WORDS = {"passed": "pass", "failed": "FAIL", "inconclusive": "?", "error": "ERROR"}


def comparison_lines(
    comparison: Comparison,
    outcomes: Sequence[GateOutcome] = (),
    *,
    inconclusive: Inconclusive = "pass",
    width: int = 100,
    num_moved: int | None = 5,
) -> list[str]:
    """Tell how two runs compare.

    Args:
        comparison: The comparison.
        outcomes: Of its gates.
        inconclusive: What a gate counts as that finds neither.
        width: Columns of the terminal; narrow ones get fewer columns of figures.
        num_moved: How many cases that moved most are listed, a metric; None: all of them.
    """
    return [
        *(f"warning: {text}" for text in unpaired(comparison)),
        *(
            [
                f"old: {side_text(comparison.old)}",
                f"new: {side_text(comparison.new)}",
                *(f"changed: {change}" for change in comparison.changes),
                *pairing_lines(comparison),
            ]
        ),
        "",
        *_table(comparison, outcomes, width),
        *(part for line in with_failures_lines(comparison) for part in wrap(line, width)),
        *wrap(comparison.severity_note, width),
        *(part for line in verdict_sentences(comparison) for part in wrap(line, width)),
        *(part for line in people_lines(comparison) for part in wrap(f"({line})", width)),
        *_moved(comparison, outcomes, num_moved),
        *(f"warning: {text}" for text in caveats(comparison)),
        *_gates(outcomes, inconclusive),
    ]


def caveats(comparison: Comparison) -> Iterator[str]:
    """Tell everything that a reader of the figures has to know: nothing is left out in silence."""
    for side, which in ((comparison.old, "old"), (comparison.new, "new")):
        if not side.is_complete:
            yield f"the {which} run {side.name!r} is incomplete: it lacks cases or samples"
        if side.repetitions:
            yield f"the {which} run {side.name!r}: {side.repetitions}"
    yield from age_warnings(comparison.old.created, comparison.new.created)
    for difference in comparison.differences:
        where = (
            ""
            if difference.num_cases == comparison.num_pairs
            else f" in {counted(difference.num_cases, 'case')}"
        )
        outcome = "not compared" if difference.effect == "refused" else "compared nevertheless"
        touched = "all metrics" if difference.metrics in (ALL, ()) else named(difference.metrics)
        yield f"{difference}{where}: {touched} {outcome}"
    for metrics, lost, gained in _gaps(comparison):
        if lost:
            yield f"{named(metrics)}: measured in the old run only, left out of the means: {named(lost)}"
        if gained:
            yield f"{named(metrics)}: measured in the new run only, left out of the means: {named(gained)}"
    alike: dict[str, list[str]] = {}
    for one in comparison.errors:
        texts = [f"{which}: {text}" for which, side in (("old", one.old), ("new", one.new)) for text in side]
        alike.setdefault("; ".join(texts), []).append(one.case)
    for text, cases in [*alike.items()][:_NUM_NAMED]:
        lack = "case {} lacks" if len(cases) == 1 else f"{len(cases)} cases ({{}}) lack"
        yield f"{lack.format(named(cases))} a measurement: {text}"
    if more := sum(map(len, [*alike.values()][_NUM_NAMED:])):
        yield f"{counted(more, 'more case lacks', 'more cases lack')} a measurement"


def unpaired(comparison: Comparison) -> Iterator[str]:
    """Tell which cases only one of the runs has: what stands before all figures."""
    for cases, which in ((comparison.only_old, "old"), (comparison.only_new, "new")):
        if cases:
            has = "has" if len(cases) == 1 else "have"
            yield f"{len(cases)} of the {which} run's cases {has} no counterpart: {named(cases)}"


#: What pages do that became better or worse in a part of their results.
_PLAIN = {
    "visual": ("look more like the designs", "look less like the designs"),
    "accessibility": ("are more accessible", "are less accessible"),
    "delivered": ("deliver more of the designs' text", "deliver less of the designs' text"),
    "probes": ("fail fewer probes", "fail more probes"),
}


def verdict_sentences(comparison: Comparison) -> Iterator[str]:
    """Say each verdict in plain words: what became better or worse, by how much, and where most."""
    for metric in comparison.metrics.values():
        if metric.trend not in ("better", "worse") or metric.metric == ERRORS.id or metric.interval is None:
            continue
        is_worse = metric.trend == "worse"
        near = min(map(abs, metric.interval))
        sure = f", certainly more than {near:.2g}" if near >= NEGLIGIBLE else ""
        note = comparison.content_note(metric.metric)
        moved, most = metric.num_losses if is_worse else metric.num_wins, metric.most(is_worse=is_worse)
        what = _PLAIN[METRICS[metric.metric].part][is_worse]
        yield (
            f"{metric.metric}: the pages of {comparison.new.name} {what}: "
            f"by {abs(metric.difference):.4f} in the mean{sure}; "
            f"{moved} of {counted(len(metric.cases), 'case')} became {metric.trend}, {most} most"
            + (f" ({note})" if note else "")
        )


def with_failures_lines(comparison: Comparison) -> Iterator[str]:
    """Tell the means over all pages, where some failed, beside those that leave these out."""
    for metric, (old, new) in comparison.with_failures.items():
        yield (
            f"{metric} over all pages, failed ones as 0: {old:.4f} -> {new:.4f} ({new - old:+.4f}); "
            "--failed-pages zero judges by it"
        )


def shown_metrics(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> list[MetricComparison]:
    """Return metrics worth a line: all but those measured nowhere, and errors only where there are some."""
    gated = {outcome.gate.metric for outcome in outcomes}
    return [
        metric
        for metric in comparison.metrics.values()
        if metric.metric in gated
        or (metric.reason != NOWHERE and (metric.metric != "errors" or comparison.errors))
    ]


def listed_metrics(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> list[MetricComparison]:
    """Return the metrics whose cases are worth listing: the gated ones, and the watched ones."""
    wanted = {outcome.gate.metric for outcome in outcomes} | set(shown_in("watched"))
    metrics = (metric for metric in comparison.metrics.values() if metric.metric in wanted)
    return [metric for metric in metrics if metric.state == "compared"]


def gates_rule(outcomes: Sequence[GateOutcome]) -> str:
    """Say when a gate fails."""
    num_tested = sum(outcome.level is not None for outcome in outcomes)
    if num_tested == 0:
        return "(fail when worse by more than the margin)"
    corrected = f", Holm-corrected for {num_tested}" if num_tested > 1 else ""
    return (
        f"(fail when surely worse by more than the margin, pass when surely not; 95 %, one-sided{corrected}; "
        "else inconclusive)"
    )


def named(names: Sequence[str]) -> str:
    """Join names, the first ten of them."""
    more = f" and {len(names) - _NUM_NAMED} more" if len(names) > _NUM_NAMED else ""
    return ", ".join(names[:_NUM_NAMED]) + more


def interval_text(metric: MetricComparison) -> str:
    """Write the interval of the difference."""
    return "-" if metric.interval is None else f"{metric.interval[0]:+.4f} .. {metric.interval[1]:+.4f}"


def p_text(p_value: float) -> str:
    """Write a p-value."""
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def pairing_lines(comparison: Comparison) -> list[str]:
    """Say what was paired, what a case's value is, and which rule held for failed pages."""
    num_zeros = comparison.old.num_zeros + comparison.new.num_zeros
    return [
        f"{counted(comparison.num_cases, 'case')} in both, paired; "
        "a case's value is the mean over its samples",
        *(f"and over {axis}: {named(values)}" for axis, values in comparison.axes.items()),
        rule_text(comparison.failed_pages, num_zeros),
    ]


def mark_text(metric: MetricComparison, outcomes: Sequence[GateOutcome]) -> str:
    """Write a row's mark; "" where nothing is sure."""
    mark = mark_of(metric, outcomes)
    return "" if mark == "unclear" else mark


def marks_rule(comparison: Comparison) -> str:
    """Say what "better" and "worse" mean."""
    if any(metric.trend == "too few cases" for metric in comparison.metrics.values()):
        return "fewer than 5 cases give no verdict"
    return "better, worse: sure at 95 % for all rows together (Holm), or by a gate"


def side_text(side: Side) -> str:
    """Describe a run."""
    incomplete = ", incomplete" if not side.is_complete else ""
    origin = origin_text(side.commit, side.labels, side.prompts)
    cases, samples = counted(side.num_cases, "case"), counted(side.num_samples, "sample")
    told = f"{side.name}, {side.created}, {cases}, {samples}{incomplete}"
    return f"{told}, {origin}" if origin else told


def _table(comparison: Comparison, outcomes: Sequence[GateOutcome], width: int) -> Iterator[str]:
    is_wide = width >= 92
    counts_head = "better/tied/worse" if is_wide else "+/=/-"
    counts_width = 18 if is_wide else 9
    shown = shown_metrics(comparison, outcomes)
    names_width = max(12, *(len(metric.metric) for metric in shown))
    head = f"{'metric':<{names_width}}{'old':>8}{'new':>8}{'change':>9}  {'95 % interval':<19}"
    yield f"{head}{counts_head:>{counts_width}}" + (f"{'rank p':>8}" if is_wide else "")
    for metric in shown:
        if metric.state != "compared":
            yield f"{metric.metric:<{names_width}}  {metric.state}: {metric.reason}"
            continue
        line = f"{metric.metric:<{names_width}}{metric.old_mean:>8.4f}{metric.new_mean:>8.4f}"
        counts = f"{metric.num_wins}/{metric.num_ties}/{metric.num_losses}"
        line += f"{metric.difference:>+9.4f}  {interval_text(metric):<19}{counts:>{counts_width}}"
        line += f"{p_text(metric.p_value):>8}" if is_wide else ""
        yield f"{line}  {mark_text(metric, outcomes)}".rstrip()
        if note := comparison.content_note(metric.metric):
            yield from (f"  ({part})" for part in wrap(note, width - 4))
    yield f"({marks_rule(comparison)})"
    yield from wrap(f"({counts_rule('' if is_wide else '+/=/-: ')})", width)


def counts_rule(head: str = "") -> str:
    """Explain the columns of counts and of the rank test."""
    return (
        f"{head}cases that became better, moved by less than {NEGLIGIBLE:g}, became worse; rank p: "
        "Wilcoxon's test of cases, of errors the sign test"
    )


def _moved(comparison: Comparison, outcomes: Sequence[GateOutcome], num_moved: int | None) -> Iterator[str]:
    for metric in listed_metrics(comparison, outcomes):
        changes = metric.moved_most(num_moved)
        if changes:
            yield ""
            yield f"cases that moved most in {metric.metric}:"
        for change in changes:
            yield f"  {change.case}: {change.old:.4f} -> {change.new:.4f} ({change.difference:+.4f})"
    yield ""


def _gaps(comparison: Comparison) -> list[tuple[list[str], tuple[str, ...], tuple[str, ...]]]:
    """Group the metrics by the cases that only one run has a value for."""
    gaps: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for metric in comparison.metrics.values():
        if metric.lost or metric.gained:
            gaps.setdefault((metric.lost, metric.gained), []).append(metric.metric)
    return [(metrics, lost, gained) for (lost, gained), metrics in gaps.items()]


def inconclusive_text(outcomes: Sequence[GateOutcome], inconclusive: Inconclusive) -> str:
    """Warn of gates that found neither; "" where there are none."""
    number = sum(outcome.state == "inconclusive" for outcome in outcomes)
    if number == 0:
        return ""
    gates = (
        "1 gate is inconclusive and counts" if number == 1 else f"{number} gates are inconclusive and count"
    )
    return f"{gates} as {inconclusive}ed (--design2a11y-inconclusive)"


def _gates(outcomes: Sequence[GateOutcome], inconclusive: Inconclusive) -> Iterator[str]:
    if outcomes:
        yield f"gates {gates_rule(outcomes)}:"
        for outcome in outcomes:
            yield f"  {GATE_WORDS[outcome.state]:<6}{outcome.sentence}"
        if warning := inconclusive_text(outcomes, inconclusive):
            yield f"warning: {warning}"
