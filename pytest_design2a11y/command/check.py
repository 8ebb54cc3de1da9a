"""`design2a11y check`: a saved run, judged by other limits."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.command.output import say
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    check = commands.add_parser("check", help="judge a saved run by other limits, without rendering anything")
    check.add_argument("saved", metavar="RUN", help="name or file of the run")
    check.set_defaults(run=_check)


def _check(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.comparing.outcome import exit_code_of
    from pytest_design2a11y.run_end.conclude import check_run
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    outcome = check_run(load_run(namespace.saved, has_audit=False), settings)
    for lines in outcome.sections.values():
        say(*lines)
    return exit_code_of(is_failed=outcome.is_failed, is_unmeasured=outcome.is_unmeasured)
