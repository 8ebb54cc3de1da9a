"""A ranking as Markdown, for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.comparing.outcome import Inconclusive
from pytest_design2a11y.comparing.ranking import RankedMetric, Ranking
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.report.comparison.markdown import GATE_MARKS
from pytest_design2a11y.report.comparison.matrix import (
    Matrix,
    content_text,
    is_among_the_best,
    matrix_of,
    ranks_text,
)
from pytest_design2a11y.report.comparison.ranking_terminal import (
    Judged,
    behind_best,
    direction_text,
    heading_lines,
    place_interval,
    ranking_caveats,
    verdicts_rule,
)
from pytest_design2a11y.report.comparison.terminal import gates_rule, inconclusive_text
from pytest_design2a11y.wording import counted

#: Sentences of ours hold texts of several pages.
_LONGEST = 1000


def ranking_markdown(
    ranking: Ranking,
    judged: Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 0,
) -> Iterator[str]:
    """Tell how several runs rank, in lines of GitHub's Markdown.

    Args:
        ranking: The ranking.
        judged: The outcomes of the gates, by what they judge.
        inconclusive: What a gate counts as that finds neither.
        num_moved: How many cases that differ most are listed, a metric; None: all of them.
    """
    head, *more = heading_lines(ranking)
    yield f"### {_text(head.partition(', ranked')[0])} ranked"
    yield ""
    yield from _gates(judged, inconclusive)
    matrix = matrix_of(ranking)
    for metric in ranking.metrics.values():
        yield from _metric(ranking, metric, matrix)
    yield f"({_text(verdicts_rule(ranking))})"
    yield ""
    yield from (f"> ⚠️ {_text(text)}  " for text in ranking_caveats(ranking))
    if num_moved != 0:
        yield from _cases(ranking, num_moved)
    yield ""
    yield "; ".join(map(_text, [head, *more])) + (
        f"; intervals by bootstrap over cases ({ranking.num_resamples} draws, seed {ranking.seed}). "
        "Accessibility figures are of automated checks only, which find a part of the barriers."
    )


def _gates(judged: Judged, inconclusive: Inconclusive) -> Iterator[str]:
    outcomes = [outcome for _name, found in judged for outcome in found]
    if not outcomes:
        return
    yield f"Gates {gates_rule(outcomes)}:"
    yield ""
    for name, found in judged:
        yield from (f"- {GATE_MARKS[one.state]} {_text(name)}: {_text(one.sentence)}" for one in found)
    yield ""
    if warning := inconclusive_text(outcomes, inconclusive):
        yield f"> ⚠️ {_text(warning)}"
        yield ""


def _metric(ranking: Ranking, metric: RankedMetric, matrix: Matrix | None) -> Iterator[str]:
    if metric.state != "compared":
        yield f"**{metric.metric}**: {metric.state}: {_text(metric.reason)}"
        yield ""
        return
    yield f"**{metric.metric}** ({_text(direction_text(metric))}; {counted(len(metric.cases), 'case')})"
    yield ""
    if matrix is not None:
        yield from _matrix(metric, matrix)
        yield ""
    yield "| rank | | mean | 95 % interval | to the best | surely worse than rank |"
    yield "|--:|---|--:|:-:|--:|---|"
    for place in metric.places:
        name = _text(ranking.contenders[place.contender].name)
        distance = "" if place.rank == 1 else f"{behind_best(metric, place):+.4f}"
        yield (
            f"| {place.rank} | {name} | {place.mean:.4f} | {place_interval(place)} | {distance} "
            f"| {' '.join(filter(None, (ranks_text(place.beaten_by), content_text(place))))} |"
        )
    yield ""


def _matrix(metric: RankedMetric, matrix: Matrix) -> Iterator[str]:
    yield f"| {_text(matrix.down)} | {' | '.join(map(_text, matrix.columns))} |"
    yield f"|---|{'--:|' * len(matrix.columns)}"
    for row in matrix.rows:
        cells = " | ".join(_cell(metric, matrix, row, column) for column in matrix.columns)
        yield f"| {_text(row)} | {cells} |"
    yield ""
    yield f"(columns: {_text(matrix.across)}; bold: the best, or not surely worse than it)"


def _cell(metric: RankedMetric, matrix: Matrix, row: str, column: str) -> str:
    place = matrix.place(metric, row, column)
    if place is None:
        return "–"
    return f"**{place.mean:.4f}**" if is_among_the_best(place, metric) else f"{place.mean:.4f}"


def _cases(ranking: Ranking, num_moved: int | None) -> Iterator[str]:
    names = [_text(one.name) for one in ranking.contenders]
    yield ""
    yield "<details><summary>Cases that differ most</summary>"
    yield ""
    yield f"| metric | case | {' | '.join(names)} |"
    yield f"|---|---|{'--:|' * len(names)}"
    for metric in ranking.metrics.values():
        for case, values in metric.moved_most(num_moved) if metric.state == "compared" else ():
            yield f"| {metric.metric} | {_text(case)} | {' | '.join(f'{one:.4f}' for one in values)} |"
    yield ""
    yield "</details>"


def _text(text: str) -> str:
    return markdown(text, limit=_LONGEST)
