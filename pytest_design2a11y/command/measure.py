"""What `score` and `audit` share: measure, judge, print, conclude."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace

from pytest_design2a11y.command.exit_codes import EXIT_LIMIT, EXIT_MEASURED, EXIT_UNMEASURED
from pytest_design2a11y.command.output import say
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.settings.values import Settings


def measure(pairs: Sequence[Pair], namespace: argparse.Namespace) -> int:
    """Score pairs, print each as soon as it is ready, and give the exit code."""
    from pytest_design2a11y.measuring.executors import score_pairs
    from pytest_design2a11y.measuring.pipeline import make_run
    from pytest_design2a11y.report.progress import Progress
    from pytest_design2a11y.run_end.conclude import check_settings, conclude
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER

    settings = settings_from_namespace(namespace)
    check_settings(settings, folder=DEFAULT_FOLDER)
    code = EXIT_MEASURED
    kept = []
    with Progress(len(pairs), sys.stderr) as progress:
        for evaluation in score_pairs(pairs, settings=settings, jobs=getattr(namespace, "jobs", 1)):
            judged = _judge(evaluation, settings)
            code = max(code, _code_of(judged))
            with progress.paused():
                _print(judged, namespace)
            progress.advance()
            if settings.save is not None:
                kept.append(judged)
    if settings.save is not None:
        outcome = conclude(make_run(settings.save, kept), settings, folder=DEFAULT_FOLDER, width=100)
        for lines in outcome.sections.values():
            say("\n".join(lines), file=sys.stderr)
        code = max(code, EXIT_LIMIT if outcome.is_failed else EXIT_MEASURED)
    return code


def _judge(evaluation: Evaluation, settings: Settings) -> Evaluation:
    from pytest_design2a11y.limits.apply import apply_limits

    return replace(evaluation, verdicts=tuple(apply_limits(evaluation, settings.limits)))


def _code_of(evaluation: Evaluation) -> int:
    if evaluation.error is not None:
        return EXIT_UNMEASURED
    return EXIT_MEASURED if all(verdict.is_passed for verdict in evaluation.verdicts) else EXIT_LIMIT


def _print(evaluation: Evaluation, namespace: argparse.Namespace) -> None:
    if namespace.json:
        from pytest_design2a11y.models.serialization import to_dict

        say(json.dumps(to_dict(evaluation, has_details=namespace.details)))
        return
    from pytest_design2a11y.report.failure_text import describe

    say("\n".join(describe(evaluation, has_details=namespace.details)))
