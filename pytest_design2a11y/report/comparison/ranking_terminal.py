"""A ranking as lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.age import span_warnings
from pytest_design2a11y.comparing.conditions import ALL
from pytest_design2a11y.comparing.failed_pages import rule_text
from pytest_design2a11y.comparing.outcome import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.ranking import Place, RankedMetric, Ranking
from pytest_design2a11y.report.comparison.matrix import (
    Matrix,
    content_text,
    is_among_the_best,
    matrix_of,
    ranks_text,
)
from pytest_design2a11y.report.comparison.terminal import (
    GATE_WORDS,
    gates_rule,
    inconclusive_text,
    named,
    side_text,
)
from pytest_design2a11y.wording import counted

#: What is judged, and the outcomes of its gates.
Judged = Sequence[tuple[str, Sequence[GateOutcome]]]

_NUM_NAMED = 10
_LONGEST_NAME = 40


def ranking_lines(
    ranking: Ranking,
    judged: Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    width: int = 100,
    num_moved: int | None = 0,
) -> Iterator[str]:
    """Tell how several runs rank.

    Args:
        ranking: The ranking.
        judged: The outcomes of the gates, by what they judge.
        inconclusive: What a gate counts as that finds neither.
        width: Columns of the terminal; matrices are broken to fit.
        num_moved: How many cases that differ most are listed, a metric; None: all of them.
    """
    yield from heading_lines(ranking)
    matrix = matrix_of(ranking)
    for metric in ranking.metrics.values():
        yield ""
        yield from _metric(ranking, metric, matrix, width)
    yield f"({verdicts_rule(ranking)})"
    for metric in ranking.metrics.values():
        yield from _cases(ranking, metric, num_moved)
    yield ""
    yield from (f"warning: {text}" for text in ranking_caveats(ranking))
    yield from _gates(judged, inconclusive)


def heading_lines(ranking: Ranking) -> Iterator[str]:
    """Say what is ranked, over which cases, and by which rules."""
    kind = f"groups by {', '.join(ranking.grouped_by)}" if ranking.grouped_by else "runs"
    yield (
        f"{len(ranking.contenders)} {kind}, ranked over the {ranking.num_cases} cases that all of them have; "
        "a case's value is the mean over its samples"
    )
    yield from (f"and over {axis}: {named(values)}" for axis, values in ranking.axes.items())
    yield rule_text(ranking.failed_pages, sum(one.side.num_zeros for one in ranking.contenders))
    if not ranking.grouped_by:
        for one in ranking.contenders:
            typed = "" if one.name == one.side.name else f"{one.name}: "
            yield f"run: {typed}{side_text(one.side)}"
        for axis, values in ranking.changes.items():
            told = [
                f"{value or 'not named'} ({one.name})"
                for one, value in zip(ranking.contenders, values, strict=True)
            ]
            yield f"changed: {axis}: {', '.join(told)}"


def verdicts_rule(ranking: Ranking) -> str:
    """Say what "surely worse" means."""
    ranked = [metric for metric in ranking.metrics.values() if metric.state == "compared"]
    if any(not metric.has_verdicts for metric in ranked):
        return "fewer than 5 cases give no verdict"
    num_pairs = len(ranking.contenders) * (len(ranking.contenders) - 1) // 2
    pairs = "pair" if num_pairs == 1 else f"{num_pairs} pairs"
    metrics = "the metric" if len(ranked) == 1 else f"{len(ranked)} metrics"
    return (
        f"surely: at 95 % by paired differences, corrected for the {pairs} in {metrics} (Holm); "
        "an interval is that of its mean alone, so intervals may overlap all the same"
    )


def ranking_caveats(ranking: Ranking) -> Iterator[str]:
    """Tell everything that a reader of the figures has to know: nothing is left out in silence."""
    for one in ranking.contenders:
        if not one.side.is_complete:
            yield f"{one.name} is incomplete: it lacks cases or samples"
        if one.side.repetitions:
            yield f"{one.name}: {one.side.repetitions}"
    yield from span_warnings([one.side.created for one in ranking.contenders])
    for differing in ranking.differences:
        difference = differing.difference
        outcome = "not ranked" if difference.effect == "refused" else "ranked nevertheless"
        touched = "all metrics" if difference.metrics == ALL else named(difference.metrics)
        pairs = named([f"{first} and {second}" for first, second in differing.pairs])
        yield f"{difference}, between {pairs}: {touched} {outcome}"
    for one in ranking.contenders:
        if one.absent:
            cases = counted(len(one.absent), "case")
            yield f"{one.name} lacks {cases}, left out for all: {named(one.absent)}"
    if blind := [name for name, one in ranking.metrics.items() if any(p.lacks_content for p in one.places)]:
        yield (
            f"{named(blind)}: contenders differ in how much of the designs' text they have, and what is "
            "missing cannot fail: see block_match beside them; who lacks text is not called best"
        )
    for metric in ranking.metrics.values():
        lacking = [
            f"{one.name} {number}"
            for one, number in zip(ranking.contenders, metric.lacking, strict=False)
            if number
        ]
        if lacking:
            yield f"{metric.metric}: cases without a value, left out for all: {named(lacking)}"
    for one in ranking.contenders:
        if one.errors:
            case, texts = next(iter(one.errors.items()))
            more = f" (and {len(one.errors) - 1} more cases)" if len(one.errors) > 1 else ""
            yield f"{one.name}: case {case} lacks a measurement: {texts[0]}{more}"


def direction_text(metric: RankedMetric) -> str:
    """Name a metric with the direction that is better."""
    return "higher is better" if metric.is_higher_better else "lower is better"


def behind_best(metric: RankedMetric, place: Place) -> float:
    """Return how far a contender's mean is from the best."""
    return place.mean - metric.places[0].mean


def place_interval(place: Place) -> str:
    """Write the interval of a mean."""
    return "-" if place.interval is None else f"{place.interval[0]:.4f} .. {place.interval[1]:.4f}"


def _metric(ranking: Ranking, metric: RankedMetric, matrix: Matrix | None, width: int) -> Iterator[str]:
    if metric.state != "compared":
        yield f"{metric.metric}: {metric.state}: {metric.reason}"
        return
    yield f"{metric.metric} ({direction_text(metric)}; {counted(len(metric.cases), 'case')})"
    if matrix is not None:
        yield from _matrix(metric, matrix, width)
        yield ""
    longest = min(_LONGEST_NAME, max(4, *(len(one.name) for one in ranking.contenders)))
    yield (
        f"  {'rank':>4}  {'':<{longest}}{'mean':>9}  {'95 % interval':<18}{'to the best':>12}"
        "  surely worse than rank"
    )
    for place in metric.places:
        name = ranking.contenders[place.contender].name
        distance = "" if place.rank == 1 else f"{behind_best(metric, place):+.4f}"
        line = f"  {place.rank:>4}  {_shortened(name, longest):<{longest}}{place.mean:>9.4f}"
        line += f"  {place_interval(place):<18}{distance:>12}  {ranks_text(place.beaten_by)}"
        yield f"{line}  {content_text(place)}".rstrip()


def _matrix(metric: RankedMetric, matrix: Matrix, width: int) -> Iterator[str]:
    """Return the means, as many columns at once as fit."""
    first = min(_LONGEST_NAME, max(len(matrix.down), *map(len, matrix.rows)))
    wide = max(10, *(min(_LONGEST_NAME, len(column)) + 3 for column in matrix.columns))
    at_once = max(1, (width - first - 4) // wide)
    for start in range(0, len(matrix.columns), at_once):
        columns = matrix.columns[start : start + at_once]
        yield f"  {matrix.down:<{first}}" + "".join(
            f"{_shortened(column, wide - 3):>{wide - 1}} " for column in columns
        )
        for row in matrix.rows:
            cells = (matrix.place(metric, row, column) for column in columns)
            yield f"  {_shortened(row, first):<{first}}" + "".join(
                _cell(place, metric, wide) for place in cells
            )
    yield f"  (columns: {matrix.across}; * the best, or not surely worse than it)"


def _cell(place: Place | None, metric: RankedMetric, width: int) -> str:
    if place is None:
        return f"{'-':>{width - 1}} "
    return f"{place.mean:>{width - 1}.4f}{'*' if is_among_the_best(place, metric) else ' '}"


def _cases(ranking: Ranking, metric: RankedMetric, num_moved: int | None) -> Iterator[str]:
    if num_moved == 0 or metric.state != "compared":
        return
    yield ""
    yield f"cases that differ most in {metric.metric} ({', '.join(one.name for one in ranking.contenders)}):"
    for case, values in metric.moved_most(num_moved):
        told = "  ".join(f"{value:.4f}" for value in values)
        yield f"  {case}: {told} (by {max(values) - min(values):.4f})"


def _gates(judged: Judged, inconclusive: Inconclusive) -> Iterator[str]:
    outcomes = [outcome for _name, found in judged for outcome in found]
    if outcomes:
        yield f"gates {gates_rule(outcomes)}:"
        for name, found in judged:
            yield from (f"  {GATE_WORDS[one.state]:<6}{name}: {one.sentence}" for one in found)
        if warning := inconclusive_text(outcomes, inconclusive):
            yield f"warning: {warning}"


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"…{text[1 - width :]}"
