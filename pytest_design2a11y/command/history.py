"""`design2a11y history`: saved runs with their means."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.command.output import say, say_json
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    history = commands.add_parser("history", help="list saved runs with their means")
    history.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the means over time")
    history.add_argument("--json", action="store_true", help="print JSON and nothing else")
    history.set_defaults(run=_history)


def _history(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.comparing.history import history_lines, history_to_dict, make_history
    from pytest_design2a11y.files import write_whole
    from pytest_design2a11y.report.comparison.history_plot import plot_history
    from pytest_design2a11y.runs.store import load_runs

    runs, problems = load_runs()
    for problem in problems:
        say(f"left out: {problem}", file=sys.stderr)
    rule = settings_from_namespace(namespace).failed_pages
    entries = make_history(runs, failed_pages=rule)
    if namespace.plot is not None:
        write_whole(namespace.plot, plot_history(entries).encode())
    if namespace.json:
        say_json(history_to_dict(entries))
    else:
        say(*history_lines(entries, failed_pages=rule))
    return EXIT_MEASURED
