"""`design2a11y report`: the HTML report of a saved run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    report = commands.add_parser("report", help="write the report of a saved run")
    report.add_argument("saved", metavar="RUN", help="name or file of the run")
    report.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where")
    report.add_argument(
        "--against",
        metavar="RUN",
        help="an earlier run to compare with, or AXIS=VALUE: the part of this one that has it",
    )
    report.set_defaults(run=_report)


def _report(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.report.comparison.rows import comparison_to_dict
    from pytest_design2a11y.run_end.conclude import detailed, load_detailed_run, write_html
    from pytest_design2a11y.run_end.gating import compare_and_judge, old_and_new

    settings = settings_from_namespace(namespace)
    run = load_detailed_run(namespace.saved)
    comparison, old = None, None
    if namespace.against is not None:
        old, new = old_and_new(namespace.against, run, settings)
        gated = compare_and_judge(old, new, settings)
        comparison = comparison_to_dict(gated.comparison, gated.outcomes)
    write_html(namespace.output, run, settings, comparison=comparison, old=old and detailed(old))
    return EXIT_MEASURED
