"""Comparisons and rankings as GitHub's Markdown, for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.rank import RankedMetric, Ranking
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.report.comparison import rows, sentences
from pytest_design2a11y.wording import counted

#: How a gate's outcome is written in front of its sentence.
_GATE_MARKS = {
    "passed": "✅ pass",
    "failed": "❌ **fail**",
    "inconclusive": "❔ inconclusive",
    "error": "⚠️ **error**",
}

#: Sentences of ours hold texts of several pages.
_LONGEST = 1000


def comparison_markdown(
    comparison: Comparison,
    outcomes: Sequence[GateOutcome] = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 5,
) -> str:
    """Return how two runs compare; see `comparison_lines`."""
    notes = filter(None, [comparison.severity_note, *sentences.verdict_sentences(comparison)])
    warnings = [*sentences.caveats(comparison), sentences.inconclusive_text(outcomes, inconclusive)]
    unpaired = [f"> ⚠️ {_text(text)}  " for text in sentences.unpaired(comparison)]
    blockers = [f"- {_text(line)}" for line in sentences.blocker_lines(comparison, num_moved)]
    names = f"{_text(comparison.old.name)} → {_text(comparison.new.name)}"
    lines = [
        f"### {names}: {_text(_verdict(comparison, outcomes))}",
        "",
        *([*unpaired, ""] if unpaired else []),
        *_gates([("", outcomes)]),
        *_table(comparison, outcomes),
        "",
        f"({_text(sentences.marks_rule(comparison))}; {_text(sentences.counts_rule())})",
        *(f"\n{_text(line)}" for line in sentences.with_failures_lines(comparison)),
        "",
        *(f"- {_text(note)}" for note in notes),
        "",
        *(f"({_text(line)})\n" for line in sentences.people_lines(comparison)),
        *(f"Changed: {_text(str(change))}.  " for change in comparison.changes),
        *(f"> ⚠️ {_text(text)}  " for text in warnings if text),
        "",
        *(["Critical and serious differences that are new or gone:", "", *blockers, ""] if blockers else []),
        "<details><summary>Cases that moved most</summary>",
        "",
        "| metric | case | old | new | change |",
        "|---|---|--:|--:|--:|",
        *(
            f"| {name} | {_text(change['case'])} | {change['old']:.4f} | {change['new']:.4f} "
            f"| {change['difference']:+.4f} |"
            for name, changes in rows.moved_rows(comparison, outcomes, num_moved).items()
            for change in changes
        ),
        "",
        "</details>",
        "",
        f"Old: {_text(sentences.side_text(comparison.old))}. "
        f"New: {_text(sentences.side_text(comparison.new))}. "
        f"{_text('; '.join(sentences.pairing_lines(comparison)))}; {sentences.BOOTSTRAP_NOTE}",
    ]
    return "\n".join(lines) + "\n"


def _verdict(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> str:
    if outcomes:
        states = [outcome.state for outcome in outcomes]
        words = {"failed": "failed", "error": "could not be judged", "inconclusive": "inconclusive"}
        counts = [f"{states.count(state)} {word}" for state, word in words.items() if state in states]
        gates = counted(len(states), "gate")
        return f"{', '.join(counts)} of {gates}" if counts else f"{gates} passed"
    moved = {
        trend: [
            metric.metric
            for metric in comparison.metrics.values()
            if metric.trend == trend and not comparison.content_note(metric.metric)
        ]
        for trend in ("worse", "better")
    }
    return "; ".join(f"{', '.join(ids)} {trend}" for trend, ids in moved.items() if ids) or "no clear change"


def _gates(judged: sentences.Judged) -> Iterator[str]:
    if outcomes := [outcome for _name, found in judged for outcome in found]:
        yield from (f"Gates {sentences.gates_rule(outcomes)}:", "")
        for name, found in judged:
            of = f"{_text(name)}: " if name else ""
            yield from (f"- {_GATE_MARKS[outcome.state]} {of}{_text(outcome.sentence)}" for outcome in found)
        yield ""


def _table(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> Iterator[str]:
    yield "| metric | old | new | change | 95 % interval | better / tied / worse | p | |"
    yield "|---|--:|--:|--:|:-:|:-:|--:|---|"
    for name, row in rows.shown_rows(comparison, outcomes).items():
        if row["state"] != "compared":
            yield f"| {name} | | | | | | | {row['state']}: {_text(row['reason'])} |"
            continue
        old, new, change, interval, counts, p_value, mark = rows.cells_of(row)
        trend = [f"**{mark}**" if mark else "", f"({_text(row['note'])})" if row["note"] else ""]
        cells = (name, old, new, change, interval, counts.replace("/", " / "), _text(p_value))
        yield f"| {' | '.join(cells)} | {' '.join(filter(None, trend))} |"


def ranking_markdown(
    ranking: Ranking,
    judged: sentences.Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 0,
) -> Iterator[str]:
    """Yield how several runs rank, line by line; see `ranking_lines`."""
    head, *more = sentences.heading_lines(ranking)
    yield from (f"### {_text(head.partition(', ranked')[0])} ranked", "")
    yield from _gates(judged)
    outcomes = [outcome for _name, found in judged for outcome in found]
    if warning := sentences.inconclusive_text(outcomes, inconclusive):
        yield from (f"> ⚠️ {_text(warning)}", "")
    matrix = rows.matrix_of(ranking)
    for metric in ranking.metrics.values():
        yield from _ranked(ranking, metric, matrix)
        yield ""
    yield from (f"({_text(sentences.verdicts_rule(ranking))})", "")
    yield from (f"> ⚠️ {_text(text)}  " for text in sentences.ranking_caveats(ranking))
    if num_moved != 0:
        names = [_text(contender.name) for contender in ranking.contenders]
        yield from ("", "<details><summary>Cases that differ most</summary>", "")
        yield f"| metric | case | {' | '.join(names)} |"
        yield f"|---|---|{'--:|' * len(names)}"
        for metric in ranking.metrics.values():
            for case, values in metric.moved_most(num_moved) if metric.state == "compared" else ():
                yield f"| {metric.metric} | {_text(case)} | {' | '.join(map('{:.4f}'.format, values))} |"
        yield from ("", "</details>")
    yield ""
    yield "; ".join([*map(_text, [head, *more]), sentences.BOOTSTRAP_NOTE])


def _ranked(ranking: Ranking, metric: RankedMetric, matrix: rows.Matrix | None) -> Iterator[str]:
    if metric.state != "compared":
        yield f"**{metric.metric}**: {metric.state}: {_text(metric.reason)}"
        return
    direction = _text(sentences.direction_text(metric))
    yield f"**{metric.metric}** ({direction}; {counted(len(metric.cases), 'case')})"
    yield ""
    if matrix is not None:
        yield from _matrix(metric, matrix)
        yield ""
    yield "| rank | | mean | 95 % interval | to the best | significantly worse than |"
    yield "|--:|---|--:|:-:|--:|---|"
    for place in metric.places:
        name, *numbers, beaten_by, content = rows.place_cells(ranking, metric, place)
        last = " ".join(filter(None, (beaten_by, content)))
        yield f"| {' | '.join((str(place.rank), _text(name), *numbers, last))} |"


def _matrix(metric: RankedMetric, matrix: rows.Matrix) -> Iterator[str]:
    yield f"| {_text(matrix.down)} | {' | '.join(map(_text, matrix.columns))} |"
    yield f"|---|{'--:|' * len(matrix.columns)}"
    for row in matrix.rows:
        cells = []
        for column in matrix.columns:
            place = matrix.place(metric, row, column)
            bold = "**" if place and rows.is_among_the_best(place, metric) else ""
            cells.append(f"{bold}{place.mean:.4f}{bold}" if place else "–")
        yield f"| {_text(row)} | {' | '.join(cells)} |"
    yield ""
    yield f"(columns: {_text(matrix.across)}; bold: the best, or not significantly worse than it)"


def _text(text: str) -> str:
    return markdown(text, limit=_LONGEST)
