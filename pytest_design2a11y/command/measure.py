"""What `score` and `audit` share: measure, judge, print, conclude."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.exit_codes import EXIT_UNMEASURED
from pytest_design2a11y.command.output import say, say_as_is, say_json
from pytest_design2a11y.measuring.pairs import Pair, along_variants, require_distinct_ids
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.settings.values import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.run_end.conclude import Outcome


def measure(pairs: Sequence[Pair], namespace: argparse.Namespace) -> int:
    """Score pairs, print each as soon as it is ready, conclude the run, and give the exit code."""
    from pytest_design2a11y.limits.apply import judged
    from pytest_design2a11y.measuring.executors import score_pairs
    from pytest_design2a11y.report.progress import Progress
    from pytest_design2a11y.run_end.conclude import check_settings, needs_details
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER

    settings = settings_from_namespace(namespace)
    pairs = list(along_variants(pairs, settings))
    check_settings(settings, folder=DEFAULT_FOLDER)
    if settings.save is not None:
        require_distinct_ids(pairs)
    has_details = needs_details(settings)
    ours = ("jobs", "executor", "ray_address", "clip_gpus")
    how: dict[str, Any] = {name: getattr(namespace, name) for name in ours if name in namespace}
    kept = []
    # Closed with what goes wrong here: Python's end would wait for the browser.
    with (
        Progress(len(pairs), sys.stderr) as progress,
        closing(score_pairs(pairs, settings=settings, **how)) as scored,
    ):
        for evaluation in scored:
            told = judged(evaluation, settings.limits)
            with progress.paused():
                _print(told, namespace)
            progress.advance()
            kept.append(told if has_details else _without_details(told))
    return _exit_code(kept, _conclude(kept, settings), settings)


def _print(evaluation: Evaluation, namespace: argparse.Namespace) -> None:
    if namespace.json:
        from pytest_design2a11y.models.serialization import to_dict

        say_json(to_dict(evaluation, has_details=namespace.details))
        return
    from pytest_design2a11y.report.failure_text import describe

    say(*describe(evaluation, has_details=namespace.details))


def _without_details(evaluation: Evaluation) -> Evaluation:
    """Let go of blocks and elements, so that any number of pages fits in memory."""
    visual = evaluation.visual and replace(evaluation.visual, matches=(), missing=(), extra=())
    return replace(evaluation, visual=visual, audit=None, further_audits={}, probe_findings={})


def _exit_code(evaluations: Sequence[Evaluation], outcome: Outcome, settings: Settings) -> int:
    from pytest_design2a11y.comparing.outcome import exit_code_of
    from pytest_design2a11y.run_end.known import unaccepted

    if any(one.error is not None for one in evaluations):
        return EXIT_UNMEASURED
    is_beyond_known = any(unaccepted(one, settings) for one in evaluations)
    return exit_code_of(is_failed=outcome.is_failed or is_beyond_known, is_unmeasured=outcome.is_unmeasured)


def _conclude(evaluations: Sequence[Evaluation], settings: Settings) -> Outcome:
    """Save, compare and report the run as pytest does; what is told goes to standard error."""
    from pytest_design2a11y.measuring.records import make_run
    from pytest_design2a11y.run_end.conclude import conclude
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER

    run = make_run(settings.save or "this run", evaluations)
    width = shutil.get_terminal_size().columns
    outcome = conclude(run, settings, folder=DEFAULT_FOLDER, width=width)
    for heading, lines in outcome.sections.items():
        say(f"{heading}:", *(f"  {line}" for line in lines), file=sys.stderr)
    for annotation in outcome.annotations:
        say_as_is(annotation, file=sys.stderr)
    return outcome
