"""Rankings in sentences: rules, warnings and verdicts, shared by every output format."""

from collections.abc import Iterable, Iterator, Sequence

from pytest_design2a11y.comparing.ranking import RankedMetric, Ranking
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.comparing.table import LEFT_OUT
from pytest_design2a11y.models.thing_words import listed_all
from pytest_design2a11y.report.comparison import named, run_text, span_warnings, touched
from pytest_design2a11y.wording import counted


def contenders_text(ranking: Ranking) -> str:
    """Return what is ranked: "3 runs", "4 groups by model"."""
    kind = f"groups by {', '.join(ranking.grouped_by)}" if ranking.grouped_by else "runs"
    return f"{len(ranking.contenders)} {kind}"


def heading_lines(ranking: Ranking) -> Iterator[str]:
    """Yield what is ranked, over which cases and by which rules."""
    yield (
        f"{contenders_text(ranking)}, ranked over the {ranking.num_cases} cases that all of them have; "
        "a case's value is the mean over its samples"
    )
    yield from (f"and over {axis}: {named(values)}" for axis, values in ranking.axes.items())
    yield LEFT_OUT
    if not ranking.grouped_by:
        for contender in ranking.contenders:
            typed = "" if contender.name == contender.run.name else f"{contender.name}: "
            yield f"run: {typed}{run_text(contender.run)}"
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
        "each interval is of one mean alone, so intervals may overlap although means differ significantly"
    )


def ranking_caveats(ranking: Ranking) -> Iterator[str]:
    """Yield everything a reader of the figures must know: nothing is left out silently."""
    for contender in ranking.contenders:
        if not contender.run.is_complete:
            yield f"{contender.name} is incomplete: it lacks cases or samples"
        if contender.run.repetitions:
            yield f"{contender.name}: {contender.run.repetitions}"
    yield from span_warnings([contender.run.created for contender in ranking.contenders])
    for differing in ranking.differences:
        difference = differing.difference
        outcome = "not ranked" if difference.effect == "refused" else "ranked nevertheless"
        pairs = named([f"{first} and {second}" for first, second in differing.pairs])
        yield f"{difference}, between {pairs}: {touched(difference, ranking.metrics, outcome)}"
    for contender in ranking.contenders:
        if contender.absent:
            cases = counted(len(contender.absent), "case")
            yield f"{contender.name} lacks {cases}, left out for all: {named(contender.absent)}"
    metrics = ranking.metrics.items()
    if blind := [name for name, metric in metrics if any(place.lacks_content for place in metric.places)]:
        yield (
            f"{named(blind)}: contenders differ in how much of the designs' text they have, and missing "
            "text cannot fail a check: see block_match beside them; one that lacks text is not called best"
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
        yield f"{who}: much of the designs' text is missing, and missing text cannot fail a check"


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
