"""`design2a11y merge`: the saved runs of parallel jobs, joined to one."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.command.output import say


def add_to(commands: Any) -> None:
    """Declare the command."""
    merge = commands.add_parser("merge", help="join the saved runs of parallel jobs to one run")
    merge.add_argument("parts", nargs="+", metavar="RUN", help="name or file of a run, two or more")
    merge.add_argument("-o", "--output", required=True, metavar="NAME", help="name of the run that they make")
    merge.set_defaults(run=_merge)


def _merge(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.run_end.merging import merge_saved_runs

    run, path = merge_saved_runs(namespace.parts, namespace.output)
    cases = len({one.case for one in run.evaluations})
    incomplete = "" if run.is_complete else "; it is incomplete, because a part is"
    say(
        f"merged {len(namespace.parts)} runs into {path}: {cases} cases, "
        f"{len(run.evaluations)} evaluations{incomplete}"
    )
    return EXIT_MEASURED
