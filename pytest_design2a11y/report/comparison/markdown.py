"""Comparisons and rankings as GitHub-flavoured Markdown, for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.gates import GateOutcome, Inconclusive
from pytest_design2a11y.comparing.ranking import Ranking
from pytest_design2a11y.report.comparison import ranking_sentences, rows, sentences
from pytest_design2a11y.wording import counted

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
    text = _render(
        "comparison.md.j2",
        [("", outcomes)],
        comparison=comparison,
        verdict=_verdict(comparison, outcomes),
        unpaired=list(sentences.unpaired(comparison)),
        rows=rows.shown_rows(comparison, outcomes),
        cells_of=rows.cells_of,
        marks_rule=sentences.marks_rule(comparison),
        counts_rule=sentences.counts_rule(),
        notes=[*filter(None, [comparison.severity_note]), *sentences.verdict_sentences(comparison)],
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
    from pytest_design2a11y.report.templating import render_markdown

    return render_markdown(
        name,
        judged=judged,
        outcomes=[outcome for _name, found in judged for outcome in found],
        gates_rule=sentences.gates_rule,
        gate_marks=_GATE_MARKS,
        bootstrap_note=sentences.BOOTSTRAP_NOTE,
        **values,
    )
