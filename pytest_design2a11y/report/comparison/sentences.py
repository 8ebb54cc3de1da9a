"""Comparisons and rankings in sentences: rules, warnings and verdicts, shared by every output format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.comparing.comparison import NEGLIGIBLE, TIE, Comparison, Side
from pytest_design2a11y.comparing.conditions import Difference, touched_metrics
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.history import OLD_AFTER_DAYS, days_between
from pytest_design2a11y.comparing.rank import RankedMetric, Ranking
from pytest_design2a11y.comparing.resampling import MIN_CASES, NUM_RESAMPLES, SEED
from pytest_design2a11y.comparing.table import rule_text
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.metrics import ERRORS, METRICS, shown_in
from pytest_design2a11y.models.preferences import NUM_DECISIONS, agreement
from pytest_design2a11y.models.run import origin_text
from pytest_design2a11y.models.words import in_words, listed_all
from pytest_design2a11y.wording import counted, listed

#: What is judged, with the outcomes of its gates; the name is empty for a single comparison.
Judged = Sequence[tuple[str, Sequence[GateOutcome]]]

#: How intervals were computed, and what accessibility figures cannot show.
BOOTSTRAP_NOTE = (
    f"intervals by bootstrap over cases ({NUM_RESAMPLES} draws, seed {SEED}). "
    "Accessibility figures are of automated checks, which find only some accessibility barriers."
)

_NUM_NAMED = 10
#: Number of differences listed per case, and maximum characters of each.
_NUM_BLOCKERS, _LONGEST = 5, 160
#: Below the first share, decisions are little better than a coin toss; from the second on, few differ.
_COIN, _RARELY_OTHERWISE = 0.55, 0.95

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
    num_zeros = comparison.old.num_zeros + comparison.new.num_zeros
    return [
        f"{counted(comparison.num_cases, 'case')} in both, paired; "
        "a case's value is the mean over its samples",
        *(f"and over {axis}: {named(values)}" for axis, values in comparison.axes.items()),
        rule_text(comparison.failed_pages, num_zeros),
    ]


def unpaired(comparison: Comparison) -> Iterator[str]:
    """Yield the cases that only one of the runs has; they precede all figures."""
    for cases, which in ((comparison.only_old, "old"), (comparison.only_new, "new")):
        if cases:
            has = "has" if len(cases) == 1 else "have"
            yield f"{len(cases)} of the {which} run's cases {has} no counterpart: {named(cases)}"


def caveats(comparison: Comparison) -> Iterator[str]:
    """Yield everything a reader of the figures must know: nothing is left out silently."""
    for side, which in ((comparison.old, "old"), (comparison.new, "new")):
        if not side.is_complete:
            yield f"the {which} run {side.name!r} is incomplete: it lacks cases or samples"
        if side.repetitions:
            yield f"the {which} run {side.name!r}: {side.repetitions}"
    yield from age_warnings(comparison.old.created, comparison.new.created)
    for difference in comparison.differences:
        is_everywhere = difference.num_cases == comparison.num_pairs
        where = "" if is_everywhere else f" in {counted(difference.num_cases, 'case')}"
        outcome = "not compared" if difference.effect == "refused" else "compared nevertheless"
        in_both = [name for name, one in comparison.metrics.items() if one.state != "not measured"]
        yield f"{difference}{where}: {_touched(difference, in_both, outcome)}"
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


def _touched(difference: Difference, measured: Container[str], outcome: str) -> str:
    """Return what becomes of the measured metrics that depend on a condition."""
    if difference.metrics == touched_metrics("all"):
        return f"all metrics {outcome}"
    touched = [metric for metric in difference.metrics if metric in measured]
    return f"{named(touched)} {outcome}" if touched else "no metric shown here depends on it"


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
    """Return which of the ranked metrics surely became better or worse.

    Args:
        comparison: As returned by `comparison_to_dict`.
    """
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


def blocker_lines(comparison: Comparison, num_cases: int | None) -> Iterator[str]:
    """Yield the critical and serious differences that are new or gone, cases with most new ones first.

    Args:
        comparison: The comparison.
        num_cases: How many cases to list; None: all of them.
    """
    changes = sorted(comparison.blockers, key=lambda change: (-len(change.new), -len(change.gone)))
    for change in changes[:num_cases]:
        for sign, found in (("new", change.new), ("gone", change.gone)):
            if found:
                words = (f"{item.severity}: {sanitize(in_words(item), limit=_LONGEST)}" for item in found)
                counts = Counter(words).items()
                texts = [text if times == 1 else f"{text} ({times} times)" for text, times in counts]
                if (rest := len(texts) - _NUM_BLOCKERS) > 0:
                    texts[_NUM_BLOCKERS:] = [f"and {rest} more"]
                yield f"{change.name}: {len(found)} {sign}: {'; '.join(texts)}"
    if num_cases and len(changes) > num_cases:
        yield f"and {counted(len(changes) - num_cases, 'more case')} with new or gone ones (--cases all)"


def with_failures_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the means over all pages, if some failed, beside those without the failed pages."""
    for metric, (old, new) in comparison.with_failures.items():
        yield (
            f"{metric} over all pages, failed ones as 0: {old:.4f} -> {new:.4f} ({new - old:+.4f}); "
            "-o design2a11y_failed_pages=zero judges by it"
        )


def people_lines(comparison: Comparison) -> Iterator[str]:
    """Yield what a difference as large as the change in visual similarity means to people."""
    metric = comparison.metrics["visual"]
    if metric.state == "compared" and abs(metric.difference) > TIE:
        yield (
            f"to people, by {NUM_DECISIONS} published decisions: where two single pages differ by "
            f"{abs(metric.difference):.4f} in visual, {share_text(agreement('visual', metric.difference))}; "
            "a mean over many pages is another matter"
        )


def share_text(share: float) -> str:
    """Return in words how often people agree."""
    if share < _COIN:
        return "people prefer the higher score about half of the time"
    if share >= _RARELY_OTHERWISE:
        return "people prefer the higher score more than 9 times in 10"
    return f"people prefer the higher score about {10 * share:.0f} times in 10"


def marks_rule(comparison: Comparison) -> str:
    """Return what "better" and "worse" mean."""
    if any(metric.trend == "too few cases" for metric in comparison.metrics.values()):
        return "fewer than 5 cases give no verdict"
    return (
        "better, worse: p below 0.05, or by a gate; p is of the mean change, of errors of the sign test, and "
        "larger than of one metric alone, since it is corrected for those judged together (Holm): "
        f"{', '.join(shown_in('ranking'))}; and all others"
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
    return f"{gates} as {inconclusive}ed (-o design2a11y_inconclusive)"


def side_text(side: Side) -> str:
    """Return a run in words."""
    incomplete = ", incomplete" if not side.is_complete else ""
    origin = origin_text(side.commit, side.labels, side.prompts)
    cases, samples = counted(side.num_cases, "case"), counted(side.num_samples, "sample")
    text = f"{side.name}, {side.created}, {cases}, {samples}{incomplete}"
    return f"{text}, {origin}" if origin else text


def named(names: Sequence[str]) -> str:
    """Return the first ten names in words."""
    return listed(names, most=_NUM_NAMED)


def heading_lines(ranking: Ranking) -> Iterator[str]:
    """Yield what is ranked, over which cases and by which rules."""
    kind = f"groups by {', '.join(ranking.grouped_by)}" if ranking.grouped_by else "runs"
    yield (
        f"{len(ranking.contenders)} {kind}, ranked over the {ranking.num_cases} cases that all of them have; "
        "a case's value is the mean over its samples"
    )
    yield from (f"and over {axis}: {named(values)}" for axis, values in ranking.axes.items())
    yield rule_text(ranking.failed_pages, sum(contender.side.num_zeros for contender in ranking.contenders))
    if not ranking.grouped_by:
        for contender in ranking.contenders:
            typed = "" if contender.name == contender.side.name else f"{contender.name}: "
            yield f"run: {typed}{side_text(contender.side)}"
        for axis, values in ranking.changes.items():
            pairs = zip(ranking.contenders, values, strict=True)
            text = ", ".join(f"{value or 'not named'} ({contender.name})" for contender, value in pairs)
            yield f"changed: {axis}: {text}"


def verdicts_rule(ranking: Ranking) -> str:
    """Return what "significantly worse" means."""
    ranked = [metric for metric in ranking.metrics.values() if metric.state == "compared"]
    if any(not metric.has_verdicts for metric in ranked):
        return "fewer than 5 cases give no verdict"
    num_pairs = len(ranking.contenders) * (len(ranking.contenders) - 1) // 2
    pairs = "pair" if num_pairs == 1 else f"{num_pairs} pairs"
    metrics = "the metric" if len(ranked) == 1 else f"{len(ranked)} metrics"
    return (
        f"significantly: at 95 % by paired differences, corrected for the {pairs} in {metrics} (Holm); "
        "an interval is that of its mean alone, so intervals may overlap all the same"
    )


def ranking_caveats(ranking: Ranking) -> Iterator[str]:
    """Yield everything a reader of the figures must know: nothing is left out silently."""
    for contender in ranking.contenders:
        if not contender.side.is_complete:
            yield f"{contender.name} is incomplete: it lacks cases or samples"
        if contender.side.repetitions:
            yield f"{contender.name}: {contender.side.repetitions}"
    yield from span_warnings([contender.side.created for contender in ranking.contenders])
    for differing in ranking.differences:
        difference = differing.difference
        outcome = "not ranked" if difference.effect == "refused" else "ranked nevertheless"
        pairs = named([f"{first} and {second}" for first, second in differing.pairs])
        yield f"{difference}, between {pairs}: {_touched(difference, ranking.metrics, outcome)}"
    for contender in ranking.contenders:
        if contender.absent:
            cases = counted(len(contender.absent), "case")
            yield f"{contender.name} lacks {cases}, left out for all: {named(contender.absent)}"
    metrics = ranking.metrics.items()
    if blind := [name for name, metric in metrics if any(place.lacks_content for place in metric.places)]:
        yield (
            f"{named(blind)}: contenders differ in how much of the designs' text they have, and what is "
            "missing cannot fail: see block_match beside them; who lacks text is not called best"
        )
    gaps: dict[str, list[str]] = {}
    for metric in ranking.metrics.values():
        for contender, number in zip(ranking.contenders, metric.lacking, strict=False):
            if number:
                gap = f"{contender.name} lacks {counted(number, 'value')}"
                gaps.setdefault(gap, []).append(metric.metric)
    yield from (f"{gap}, left out for all, of {', '.join(names)}" for gap, names in gaps.items())
    for contender in ranking.contenders:
        if contender.errors:
            case, texts = next(iter(contender.errors.items()))
            more = f" (and {len(contender.errors) - 1} more cases)" if len(contender.errors) > 1 else ""
            yield f"{contender.name}: case {case} lacks a measurement: {texts[0]}{more}"


def standing_lines(metrics: Iterable[RankedMetric], names: Sequence[str]) -> Iterator[str]:
    """Yield which contenders are surely better than which others in the main metrics."""
    known = [metric for metric in metrics if metric.state == "compared" and metric.metric != "iwir"]
    if known and not any(metric.has_verdicts for metric in known):
        yield f"fewer than {MIN_CASES} cases: no difference between variants is sure"
        return
    even = [metric.metric for metric in known if not any(place.beaten_by for place in metric.places)]
    for metric in known:
        if metric.metric not in even:
            yield f"{metric.metric}: {_standing(metric, names)}"
    if even:
        yield f"no sure difference in {listed_all(even)}"
    lacking = {place.contender for metric in known for place in metric.places if place.lacks_content}
    if lacking:
        who = listed_all([names[number] for number in sorted(lacking)])
        yield f"{who}: much of the designs' text is missing, and what is missing cannot fail a check"


def _standing(metric: RankedMetric, names: Sequence[str]) -> str:
    """Return how contenders with content compare: "v3 is better than v1 by 0.04; v2 is worse than both"."""
    top, *others = [place for place in metric.places if not place.lacks_content]
    worse = [place for place in others if top.rank in place.beaten_by]
    even = [place for place in others if place not in worse]
    if not worse:
        who = [names[place.contender] for place in (top, *others)]
        return f"no sure difference between {listed_all(who)}" if others else "nothing to compare"
    clauses = []
    if not even:
        second, *worse = worse
        clauses.append(
            f"{names[top.contender]} is better than {names[second.contender]} "
            f"by {abs(top.mean - second.mean):.2g}"
        )
    leaders = (top, *(even or [second]))
    groups: dict[tuple[str, ...], list[str]] = {}
    for place in worse:
        above = tuple(names[leader.contender] for leader in leaders if leader.rank in place.beaten_by)
        groups.setdefault(above, []).append(names[place.contender])
    for above, below in groups.items():
        is_known = bool(clauses) and len(above) == len(leaders)
        than = ("both" if len(above) == 2 else "all of these") if is_known else listed_all(above)
        clauses.append(f"{listed_all(below)} {'is' if len(below) == 1 else 'are'} worse than {than}")
    if even:
        who = [names[leader.contender] for leader in leaders]
        is_known = [*groups] == [tuple(who)]
        between = ("these two" if len(who) == 2 else "these") if is_known else listed_all(who)
        clauses.append(f"no sure difference between {between}")
    return "; ".join(clauses)


def direction_text(metric: RankedMetric) -> str:
    """Return which direction of a metric is better."""
    return "higher is better" if metric.is_higher_better else "lower is better"


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
