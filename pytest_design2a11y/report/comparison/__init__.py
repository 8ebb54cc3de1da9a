"""Comparisons and rankings in sentences: rules, warnings and verdicts, shared by every output format."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pytest_design2a11y.comparing import NEGLIGIBLE, Comparison, RunFacts
from pytest_design2a11y.comparing.conditions import DifferingCondition, touched_metrics
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.resampling import MIN_CASES, NUM_RESAMPLES, SEED
from pytest_design2a11y.comparing.table import LEFT_OUT
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.metrics import ERRORS, METRICS, shown_in
from pytest_design2a11y.models.run import origin_text
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.run_pages import fault_of, join_faults
from pytest_design2a11y.wording import counted, listed, setting

#: What is judged, with the outcomes of its gates; the name is empty for a single comparison.
Judged = Sequence[tuple[str, Sequence[GateOutcome]]]

#: How intervals were computed, and what accessibility figures cannot show.
BOOTSTRAP_NOTE = (
    f"intervals by bootstrap over cases ({NUM_RESAMPLES} draws, seed {SEED}). "
    "Accessibility figures are of automated checks, which find only some accessibility barriers."
)

_NUM_NAMED = 10

#: What pages do, in words, that became better or worse in part of their results.
_PLAIN = {
    "visual": ("look more like the designs", "look less like the designs"),
    "accessibility": ("are more accessible", "are less accessible"),
    "delivered": ("deliver more of the designs' text", "deliver less of the designs' text"),
    "probes": ("fail fewer probes", "fail more probes"),
    "metrics": ("are better by this measure", "are worse by this measure"),
}


def pairing_lines(comparison: Comparison) -> list[str]:
    """Return what was paired, how a case's value is computed, and which rule applied to failed pages."""
    return [
        f"{counted(comparison.num_cases, 'case')} in both, paired; "
        "a case's value is the mean over its samples",
        *(f"and over {axis}: {named(values)}" for axis, values in comparison.axes.items()),
        LEFT_OUT,
    ]


def unpaired(comparison: Comparison) -> Iterator[str]:
    """Yield the cases that only one of the runs has; they precede all figures."""
    for cases, which in ((comparison.only_old, "old"), (comparison.only_new, "new")):
        if cases:
            has = "has" if len(cases) == 1 else "have"
            yield f"{len(cases)} of the {which} run's cases {has} no counterpart: {named(cases)}"


def caveats(comparison: Comparison) -> Iterator[str]:
    """Yield everything a reader of the figures must know: nothing is left out silently."""
    for run, which in ((comparison.old, "old"), (comparison.new, "new")):
        if not run.is_complete:
            yield f"the {which} run {run.name!r} is incomplete: it lacks cases or samples"
        if run.repetitions:
            yield f"the {which} run {run.name!r}: {run.repetitions}"
    yield from age_warnings(comparison.old.created, comparison.new.created)
    for difference in comparison.differences:
        is_everywhere = difference.num_cases == comparison.num_pairs
        where = "" if is_everywhere else f" in {counted(difference.num_cases, 'case')}"
        outcome = "not compared" if difference.effect == "refused" else "compared nevertheless"
        in_both = [name for name, one in comparison.metrics.items() if one.state != "not measured"]
        yield f"{difference}{where}: {touched(difference, in_both, outcome)}"
    gaps: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for metric in comparison.metrics.values():
        gaps.setdefault((metric.lost, metric.gained), []).append(metric.metric)
    for (lost, gained), metrics in gaps.items():
        if lost:
            yield f"{named(metrics)}: measured in the old run only, left out of the means: {named(lost)}"
        if gained:
            yield f"{named(metrics)}: measured in the new run only, left out of the means: {named(gained)}"
    alike: dict[str, list[str]] = {}
    for error in comparison.errors:
        texts = *(f"old: {text}" for text in error.old), *(f"new: {text}" for text in error.new)
        alike.setdefault("; ".join(texts), []).append(error.case)
    for text, cases in [*alike.items()][:_NUM_NAMED]:
        lack = "case {} lacks" if len(cases) == 1 else f"{len(cases)} cases ({{}}) lack"
        yield f"{lack.format(named(cases))} a measurement: {text}"
    if more := sum(map(len, [*alike.values()][_NUM_NAMED:])):
        yield f"{counted(more, 'more case lacks', 'more cases lack')} a measurement"


def touched(difference: DifferingCondition, measured: Container[str], outcome: str) -> str:
    """Return what becomes of the measured metrics that depend on a condition."""
    if difference.metrics == touched_metrics("all"):
        return f"all metrics {outcome}"
    names = [metric for metric in difference.metrics if metric in measured]
    return f"{named(names)} {outcome}" if names else "no metric shown here depends on it"


def verdict_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield each verdict in plain words: what got better or worse, by how much, and where most."""
    for metric in comparison.metrics.values():
        if metric.trend not in ("better", "worse") or metric.metric == ERRORS.name or metric.interval is None:
            continue
        is_worse = metric.trend == "worse"
        low, high = metric.interval
        note = comparison.content_note(metric.metric)
        moved, most = metric.num_losses if is_worse else metric.num_wins, metric.most(is_worse=is_worse)
        what = _PLAIN[METRICS[metric.metric].part][is_worse]
        yield (
            f"{metric.metric}: the pages of {comparison.new.name} {what}: "
            f"mean {metric.difference:+.4f} (95 % CI {low:+.4f} to {high:+.4f}); "
            f"{moved} of {counted(len(metric.cases), 'case')} became {metric.trend}, {most} most"
            + (f" ({note})" if note else "")
        )


def sure_changes(comparison: Mapping[str, Any]) -> str:
    """Return which of the ranked metrics of a comparison (`page_values`) surely became better or worse."""
    groups: dict[str, list[str]] = {"worse": [], "better": [], "": []}
    for name in shown_in("ranking"):
        metric = comparison["metrics"].get(name, {})
        if metric.get("state") != "compared":
            continue
        if metric["trend"] == "too few cases":
            return f"Fewer than {MIN_CASES} cases: no change is sure."
        is_sure = metric["trend"] in groups
        change = f" {metric['difference']:+.{1 if METRICS[name].upper is None else 2}f}" if is_sure else ""
        note = f" ({metric['note']})" if is_sure and metric.get("note") else ""
        groups[metric["trend"] if is_sure else ""].append(f"{name}{change}{note}")
    heads = {"worse": "Surely worse", "better": "Surely better", "": "No sure change"}
    return " ".join(f"{heads[trend]}: {', '.join(names)}." for trend, names in groups.items() if names)


def marks_rule(comparison: Comparison) -> str:
    """Return what "better" and "worse" mean."""
    if any(metric.trend == "too few cases" for metric in comparison.metrics.values()):
        return "fewer than 5 cases give no verdict"
    return (
        "better, worse: p is below 0.05, or a gate decided; p tests the mean change (of errors by the sign "
        "test) and is corrected (Holm) for all metrics of one group, so it is larger than for one metric "
        f"alone; the groups are {', '.join(shown_in('ranking'))}, and all others"
    )


def counts_rule(head: str = "") -> str:
    """Return what the columns of counts mean."""
    return f"{head}cases that became better, moved by less than {NEGLIGIBLE:g}, became worse"


def gates_rule(outcomes: Sequence[GateOutcome]) -> str:
    """Return when a gate fails."""
    num_tested = sum(outcome.level is not None for outcome in outcomes)
    if num_tested == 0:
        return "(fail when worse by more than the margin)"
    corrected = f", Holm-corrected for {num_tested}" if num_tested > 1 else ""
    return (
        f"(fail when surely worse by more than the margin, pass when surely not; 95 %, one-sided{corrected}; "
        "else inconclusive)"
    )


def inconclusive_text(outcomes: Sequence[GateOutcome], inconclusive: Inconclusive) -> str:
    """Return a warning about inconclusive gates, or ""."""
    number = sum(outcome.state == "inconclusive" for outcome in outcomes)
    if number == 0:
        return ""
    gates = counted(number, "gate is inconclusive and counts", "gates are inconclusive and count")
    return f"{gates} as {inconclusive}ed ({setting('inconclusive')})"


def run_text(run: RunFacts) -> str:
    """Return a run in words."""
    incomplete = ", incomplete" if not run.is_complete else ""
    origin = origin_text(run.commit, run.labels, run.prompts)
    cases, samples = counted(run.num_cases, "case"), counted(run.num_samples, "sample")
    text = f"{run.name}, {run.created}, {cases}, {samples}{incomplete}"
    return f"{text}, {origin}" if origin else text


def named(names: Sequence[str]) -> str:
    """Return the first ten names in words."""
    return listed(names, most=_NUM_NAMED)


#: After this many days, a model behind an address is assumed to have changed.
OLD_AFTER_DAYS = 14


def days_between(earlier: str, later: str) -> float | None:
    """Return the days between two ISO 8601 times, negative if reversed; None if either is invalid."""
    try:
        first, second = (datetime.fromisoformat(text) for text in (earlier, later))
    except ValueError:
        return None
    first, second = (time if time.tzinfo else time.replace(tzinfo=UTC) for time in (first, second))
    return (second - first).total_seconds() / 86_400


def age_warnings(old: str, new: str) -> Iterator[str]:
    """Yield warnings about a baseline that is old, or newer than the run compared with it."""
    days = days_between(old, new)
    if days is None:
        return
    if days >= OLD_AFTER_DAYS:
        yield (
            f"the old run was made {days:.0f} days before the new one; hosted models change in such a time: "
            "measure the baseline again beside the new run, and compare these two"
        )
    if days < 0:
        yield "the old run was made after the new one: they may be the wrong way round"


def span_warnings(created: Sequence[str]) -> Iterator[str]:
    """Yield a warning about runs that were made a long time apart; ISO 8601 times in any order."""
    days = days_between(min(created), max(created))
    if days is not None and days >= OLD_AFTER_DAYS:
        yield f"the runs were made up to {days:.0f} days apart; hosted models change in such a time"


#: Number of differences listed per case, and of cases named per difference; maximum characters of each.
_NUM_LISTED, _LONGEST = 5, 160


def blocker_lines(comparison: Comparison, num_cases: int | None) -> Iterator[str]:
    """Yield the critical and serious differences that are new or gone: those of several cases first, joined.

    Of both, `num_cases` are listed, those with most new ones first; None: all of them.
    """
    changes = sorted(comparison.blockers, key=lambda change: (-len(change.new), -len(change.gone)))
    lines: list[list[str]] = [[] for _change in changes[:num_cases]]
    for sign in ("new", "gone"):
        blockers = [getattr(change, sign) for change in changes]
        shared = join_faults([map(fault_of, differences) for differences in blockers])[:num_cases]
        for cause in shared:
            names = listed([changes[number].name for number in cause.pages], most=_NUM_LISTED)
            yield f"{sign} in {len(cause.pages)} cases: {sanitize(cause.text, limit=_LONGEST)} ({names})"
        keys = {cause.key for cause in shared}
        for differences, texts in zip(blockers, lines, strict=False):
            alone = [difference for difference in differences if fault_of(difference).key not in keys]
            texts += [f"{len(alone)} {sign}: {_blockers_in_words(alone)}"] if alone else []
    for change, texts in zip(changes, lines, strict=False):
        yield from (f"{change.name}: {text}" for text in texts)
    if num_cases and len(changes) > num_cases:
        yield f"and {counted(len(changes) - num_cases, 'more case')} with new or gone ones (--cases all)"


def _blockers_in_words(blockers: Iterable[Difference]) -> str:
    counts = Counter(f"{item.severity}: {sanitize(in_words(item), limit=_LONGEST)}" for item in blockers)
    texts = [text if times == 1 else f"{text} ({times} times)" for text, times in counts.items()]
    if (rest := len(texts) - _NUM_LISTED) > 0:
        texts[_NUM_LISTED:] = [f"and {rest} more"]
    return "; ".join(texts)
