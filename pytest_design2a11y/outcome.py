"""What a whole run comes to: its cases judged over their samples, the run saved, compared and gated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pytest_design2a11y.models import Evaluation, Run
from pytest_design2a11y.options import Settings
from pytest_design2a11y.records import metric_value
from pytest_design2a11y.runs.compare import compare_runs
from pytest_design2a11y.runs.gates import parse_gate
from pytest_design2a11y.runs.judgement import exit_code, judge_gates
from pytest_design2a11y.runs.policies import judge_samples, parse_policy
from pytest_design2a11y.runs.present import comparison_lines
from pytest_design2a11y.runs.store import check_name, find_run, load_run, save_run
from pytest_design2a11y.thresholds import OPERATORS


@dataclass
class Outcome:
    """What is to be told of a run, and whether it fails.

    Attributes:
        sections: Lines by heading.
        is_failed: Whether a case breaks a limit, or a gate fails or could not be judged.
    """

    sections: dict[str, list[str]] = field(default_factory=dict)
    is_failed: bool = False


def check_settings(settings: Settings, *, folder: Path) -> None:
    """Refuse at the start what would fail at the end.

    Raises:
        ConfigurationError: A run's name, a gate or a policy cannot be meant.
        RunNotFound: The run to compare with is not there.
    """
    parse_policy(settings.samples)
    for gate in settings.fail_on:
        parse_gate(gate)
    if settings.save is not None:
        check_name(settings.save)
    if settings.compare is not None:
        find_run(settings.compare, folder=folder)


def conclude(run: Run, settings: Settings, *, folder: Path, width: int) -> Outcome:
    """Judge, compare and save a run.

    Args:
        run: All that was measured.
        settings: Limits, policy, gates, and what to save or compare with.
        folder: Where runs are kept.
        width: Columns of the terminal.
    """
    outcome = Outcome()
    _judge_cases(run.evaluations, settings, outcome)
    if settings.compare is not None:
        comparison = compare_runs(load_run(settings.compare, folder=folder, has_audit=False), run)
        gates = judge_gates(
            [parse_gate(gate) for gate in settings.fail_on], comparison, on_point=settings.fail_on_point
        )
        outcome.sections["compared"] = comparison_lines(comparison, gates, width=width)
        outcome.is_failed |= exit_code(gates) != 0
    if settings.save is not None:
        path = save_run(run, folder=folder)
        early = "" if run.is_complete else "; it ended early, and holds what was measured until then"
        outcome.sections["saved"] = [f"saved {len(run.evaluations)} evaluations as {path}{early}"]
    return outcome


def _judge_cases(evaluations: Sequence[Evaluation], settings: Settings, outcome: Outcome) -> None:
    """Give one verdict a case where a case has several samples."""
    policy = parse_policy(settings.samples)
    cases: dict[tuple[str, str | None, str | None], list[Evaluation]] = defaultdict(list)
    for evaluation in evaluations:
        cases[evaluation.case, evaluation.prompt, evaluation.model].append(evaluation)
    lines = []
    for (case, prompt, model), samples in cases.items():
        if len({sample.sample for sample in samples}) < 2:
            continue
        for metric, operator, limit, origin in _configured(samples):
            verdict = judge_samples(
                [metric_value(sample, metric) for sample in samples],
                metric=metric,
                policy=policy,
                keeps=partial(_keeps, operator, limit),
            )
            word = "keeps" if verdict.is_passed else "BREAKS"
            name = " ".join(part for part in (case, prompt, model) if part)
            lines.append(f"{name}: {metric} {word} {operator} {limit:g} ({origin}); {verdict.sentence}")
            outcome.is_failed |= not verdict.is_passed
    if lines:
        outcome.sections[f"cases ({policy})"] = lines


def _keeps(operator: str, limit: float, value: float) -> bool:
    return OPERATORS[operator](value, limit)


def _configured(samples: Sequence[Evaluation]) -> list[tuple[str, str, float, str]]:
    """Give the limits, other than the tests' own comparisons, that any of the samples was judged by."""
    limits = {
        (verdict.metric, verdict.operator, verdict.limit, verdict.origin)
        for sample in samples
        for verdict in sample.verdicts
        if verdict.origin != "call"
    }
    return sorted(limits)
