"""A comparison as Markdown, for a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.outcome import GateOutcome, Inconclusive
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.report.comparison.people import people_lines
from pytest_design2a11y.report.comparison.terminal import (
    caveats,
    counts_rule,
    gates_rule,
    inconclusive_text,
    interval_text,
    listed_metrics,
    mark_text,
    marks_rule,
    p_text,
    pairing_lines,
    shown_metrics,
    side_text,
    unpaired,
    verdict_sentences,
    with_failures_lines,
)
from pytest_design2a11y.wording import counted

#: How a gate's outcome is written in front of its sentence.
GATE_MARKS = {
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
    """Tell how two runs compare, in GitHub's Markdown.

    Args:
        comparison: The comparison.
        outcomes: Of its gates.
        inconclusive: What a gate counts as that finds neither.
        num_moved: How many cases that moved most are listed, a metric; None: all of them.
    """
    warnings = list(filter(None, [*caveats(comparison), inconclusive_text(outcomes, inconclusive)]))
    first = [f"> ⚠️ {_text(text)}  " for text in unpaired(comparison)]
    names = f"{_text(comparison.old.name)} → {_text(comparison.new.name)}"
    lines = [
        f"### {names}: {_text(_verdict(comparison, outcomes))}",
        "",
        *([*first, ""] if first else []),
        *_gates(outcomes),
        *_table(comparison, outcomes),
        "",
        f"({_text(marks_rule(comparison))}; {_text(counts_rule())})",
        *(f"\n{_text(line)}" for line in with_failures_lines(comparison)),
        "",
        *([f"- {_text(note)}"] if (note := comparison.severity_note) else []),
        *(f"- {_text(line)}" for line in verdict_sentences(comparison)),
        "",
        *(f"({_text(line)})\n" for line in people_lines(comparison)),
        *(f"Changed: {_text(str(change))}.  " for change in comparison.changes),
        *(f"> ⚠️ {_text(text)}  " for text in warnings),
        "",
        "<details><summary>Cases that moved most</summary>",
        "",
        *_moved(comparison, outcomes, num_moved),
        "",
        "</details>",
        "",
        f"Old: {_text(side_text(comparison.old))}. New: {_text(side_text(comparison.new))}. "
        f"{_text('; '.join(pairing_lines(comparison)))}; intervals by bootstrap over "
        f"cases ({comparison.num_resamples} draws, seed {comparison.seed}). Accessibility figures are of "
        "automated checks only, which find a part of the barriers.",
    ]
    return "\n".join(lines) + "\n"


def _verdict(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> str:
    if outcomes:
        states = [outcome.state for outcome in outcomes]
        words = {"failed": "failed", "error": "could not be judged", "inconclusive": "inconclusive"}
        said = [f"{states.count(state)} {word}" for state, word in words.items() if state in states]
        return f"{', '.join(said)} of {_counted(len(states))}" if said else f"{_counted(len(states))} passed"
    moved = {
        trend: [
            metric.metric
            for metric in comparison.metrics.values()
            if metric.trend == trend and not comparison.content_note(metric.metric)
        ]
        for trend in ("worse", "better")
    }
    return "; ".join(f"{', '.join(ids)} {trend}" for trend, ids in moved.items() if ids) or "no clear change"


def _counted(num_gates: int) -> str:
    return counted(num_gates, "gate")


def _gates(outcomes: Sequence[GateOutcome]) -> Iterator[str]:
    if outcomes:
        yield f"Gates {gates_rule(outcomes)}:"
        yield ""
        for outcome in outcomes:
            yield f"- {GATE_MARKS[outcome.state]} {_text(outcome.sentence)}"
        yield ""


def _table(comparison: Comparison, outcomes: Sequence[GateOutcome]) -> Iterator[str]:
    yield "| metric | old | new | change | 95 % interval | better / tied / worse | rank p | |"
    yield "|---|--:|--:|--:|:-:|:-:|--:|---|"
    for metric in shown_metrics(comparison, outcomes):
        if metric.state != "compared":
            yield f"| {metric.metric} | | | | | | | {metric.state}: {_text(metric.reason)} |"
            continue
        counts = f"{metric.num_wins} / {metric.num_ties} / {metric.num_losses}"
        mark = mark_text(metric, outcomes)
        note = _text(comparison.content_note(metric.metric))
        trend = " ".join(filter(None, (f"**{mark}**" if mark else "", note and f"({note})")))
        yield (
            f"| {metric.metric} | {metric.old_mean:.4f} | {metric.new_mean:.4f} | {metric.difference:+.4f} "
            f"| {interval_text(metric)} | {counts} | {_text(p_text(metric.p_value))} | {trend} |"
        )


def _moved(comparison: Comparison, outcomes: Sequence[GateOutcome], num_moved: int | None) -> Iterator[str]:
    yield "| metric | case | old | new | change |"
    yield "|---|---|--:|--:|--:|"
    for metric in listed_metrics(comparison, outcomes):
        for change in metric.moved_most(num_moved):
            yield (
                f"| {metric.metric} | {_text(change.case)} | {change.old:.4f} | {change.new:.4f} "
                f"| {change.difference:+.4f} |"
            )


def _text(text: str) -> str:
    return markdown(text, limit=_LONGEST)
