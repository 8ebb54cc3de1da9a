"""Comparisons and rankings as lines of text for a terminal, and as GitHub-flavoured Markdown."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from pytest_design2a11y.comparing import Comparison
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.ranking import RankedMetric, Ranking
from pytest_design2a11y.report import comparison as sentences
from pytest_design2a11y.report import render_markdown
from pytest_design2a11y.report.comparison import ranking_sentences, rows
from pytest_design2a11y.report.comparison.ranking_sentences import direction_text
from pytest_design2a11y.wording import counted

#: How a gate's outcome is marked in front of its sentence.
_GATE_WORDS = {"passed": "pass", "failed": "FAIL", "inconclusive": "?", "error": "ERROR"}
_LONGEST_NAME = 40


def comparison_lines(
    comparison: Comparison,
    outcomes: Sequence[GateOutcome] = (),
    *,
    inconclusive: Inconclusive = "pass",
    width: int = 100,
    num_moved: int | None = 5,
) -> list[str]:
    """Return how two runs compare, as lines of a width; narrow ones get fewer columns of figures.

    Per metric, `num_moved` of the cases that moved most are listed; None: all of them.
    """
    notes = [comparison.severity_note, *sentences.verdict_sentences(comparison)]
    moved = []
    for name, changes in rows.moved_rows(comparison, outcomes, num_moved).items():
        moved += ["", f"cases that moved most in {name}:"] if changes else []
        moved += map("  {case}: {old:.4f} -> {new:.4f} ({difference:+.4f})".format_map, changes)
    if blockers := [*sentences.blocker_lines(comparison, num_moved)]:
        moved += ["", "critical and serious differences that are new or gone:"]
        moved += [f"  {line}" for line in blockers]
    return [
        *(f"warning: {text}" for text in sentences.unpaired(comparison)),
        f"old: {sentences.run_text(comparison.old)}",
        f"new: {sentences.run_text(comparison.new)}",
        *(f"changed: {change}" for change in comparison.changes),
        *sentences.pairing_lines(comparison),
        "",
        *_table(comparison, outcomes, width),
        *(part for line in notes for part in wrap(line, width)),
        *moved,
        "",
        *(f"warning: {text}" for text in sentences.caveats(comparison)),
        *_gates([("", outcomes)], inconclusive),
    ]


def _table(comparison: Comparison, outcomes: Sequence[GateOutcome], width: int) -> Iterator[str]:
    is_wide = width >= 92
    counts_head = "better/tied/worse" if is_wide else "+/=/-"
    counts_width = 18 if is_wide else 9
    shown = rows.shown_rows(comparison, outcomes)
    names_width = max(12, *map(len, shown))
    head = f"{'metric':<{names_width}}{'old':>8}{'new':>8}{'change':>9}  {'95 % interval':<19}"
    yield f"{head}{counts_head:>{counts_width}}" + (f"{'p':>8}" if is_wide else "")
    for name, row in shown.items():
        if row["state"] != "compared":
            yield f"{name:<{names_width}}  {row['state']}: {row['reason']}"
            continue
        old, new, change, interval, counts, p_value, mark = rows.cells_of(row)
        line = f"{name:<{names_width}}{old:>8}{new:>8}{change:>9}  {interval:<19}{counts:>{counts_width}}"
        line += f"{p_value:>8}" if is_wide else ""
        yield f"{line}  {mark}".rstrip()
    for note in rows.notes_of(shown):
        yield from wrap(f"({note})", width)
    yield from wrap(f"({sentences.marks_rule(comparison)})", width)
    yield from wrap(f"({sentences.counts_rule('' if is_wide else '+/=/-: ')})", width)


def _gates(judged: sentences.Judged, inconclusive: Inconclusive) -> Iterator[str]:
    outcomes = [outcome for _name, of_gate in judged for outcome in of_gate]
    if outcomes:
        yield f"gates {sentences.gates_rule(outcomes)}:"
        for name, of_gate in judged:
            of = f"{name}: " if name else ""
            yield from (f"  {_GATE_WORDS[outcome.state]:<6}{of}{outcome.sentence}" for outcome in of_gate)
        if warning := sentences.inconclusive_text(outcomes, inconclusive):
            yield f"warning: {warning}"


def ranking_lines(
    ranking: Ranking,
    judged: sentences.Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 0,
) -> Iterator[str]:
    """Yield how several runs rank, with the outcomes of the gates and what each judged, line by line.

    Per metric, `num_moved` of the cases that differ most are listed; None: all of them.
    """
    yield from ranking_sentences.heading_lines(ranking)
    for metric in ranking.metrics.values():
        yield ""
        yield from _ranked(ranking, metric)
    yield f"({ranking_sentences.verdicts_rule(ranking)})"
    names = ", ".join(contender.name for contender in ranking.contenders)
    for metric in ranking.metrics.values():
        if num_moved != 0 and metric.state == "compared":
            yield from ("", f"cases that differ most in {metric.metric} ({names}):")
            for case, values in metric.moved_most(num_moved):
                row = "  ".join(f"{value:.4f}" for value in values)
                yield f"  {case}: {row} (by {max(values) - min(values):.4f})"
    yield ""
    yield from (f"warning: {text}" for text in ranking_sentences.ranking_caveats(ranking))
    yield from _gates(judged, inconclusive)


def _ranked(ranking: Ranking, metric: RankedMetric) -> Iterator[str]:
    if metric.state != "compared":
        yield f"{metric.metric}: {metric.state}: {metric.reason}"
        return
    yield f"{metric.metric} ({direction_text(metric)}; {counted(len(metric.cases), 'case')})"
    longest = min(_LONGEST_NAME, max(4, *(len(contender.name) for contender in ranking.contenders)))
    yield (
        f"  {'rank':>4}  {'':<{longest}}{'mean':>9}  {'95 % interval':<18}{'to the best':>12}"
        "  significantly worse than"
    )
    for place in metric.places:
        name, mean, interval, distance, beaten_by, content = rows.place_cells(ranking, metric, place)
        name = name if len(name) <= longest else f"…{name[1 - longest :]}"
        line = f"  {place.rank:>4}  {name:<{longest}}{mean:>9}"
        yield f"{line}  {interval:<18}{distance:>12}  {beaten_by}  {content}".rstrip()


#: How a gate's outcome is marked in front of its sentence.
_GATE_MARKS = {
    "passed": "✅ pass",
    "failed": "❌ **fail**",
    "inconclusive": "❔ inconclusive",
    "error": "⚠️ **error**",
}


def comparison_markdown(
    comparison: Comparison,
    outcomes: Sequence[GateOutcome] = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 5,
) -> str:
    """Return how two runs compare, as Markdown; see `comparison_lines`."""
    warnings = [*sentences.caveats(comparison), sentences.inconclusive_text(outcomes, inconclusive)]
    shown = rows.shown_rows(comparison, outcomes)
    notes = [comparison.severity_note, *sentences.verdict_sentences(comparison), *rows.notes_of(shown)]
    text = _render(
        "comparison.md.j2",
        [("", outcomes)],
        comparison=comparison,
        verdict=_verdict(comparison, outcomes),
        unpaired=list(sentences.unpaired(comparison)),
        rows=shown,
        cells_of=rows.cells_of,
        marks_rule=sentences.marks_rule(comparison),
        counts_rule=sentences.counts_rule(),
        notes=[*filter(None, notes)],
        warnings=[*filter(None, warnings)],
        blockers=list(sentences.blocker_lines(comparison, num_moved)),
        moved=rows.moved_rows(comparison, outcomes, num_moved),
        run_text=sentences.run_text,
        pairing=sentences.pairing_lines(comparison),
    )
    return f"{text}\n"


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


def ranking_markdown(
    ranking: Ranking,
    judged: sentences.Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 0,
) -> list[str]:
    """Return how several runs rank, as lines of Markdown; see `ranking_lines`."""
    text = _render(
        "ranking.md.j2",
        judged,
        ranking=ranking,
        title=ranking_sentences.contenders_text(ranking),
        heading=list(ranking_sentences.heading_lines(ranking)),
        inconclusive=inconclusive,
        inconclusive_text=sentences.inconclusive_text,
        direction_text=ranking_sentences.direction_text,
        counted=counted,
        place_cells=rows.place_cells,
        verdicts_rule=ranking_sentences.verdicts_rule(ranking),
        caveats=list(ranking_sentences.ranking_caveats(ranking)),
        num_moved=num_moved,
        names=[contender.name for contender in ranking.contenders],
    )
    return text.split("\n")


def _render(name: str, judged: sentences.Judged, **values: Any) -> str:
    return render_markdown(
        name,
        judged=judged,
        outcomes=[outcome for _name, of_gate in judged for outcome in of_gate],
        gates_rule=sentences.gates_rule,
        gate_marks=_GATE_MARKS,
        bootstrap_note=sentences.BOOTSTRAP_NOTE,
        **values,
    )
