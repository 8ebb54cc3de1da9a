"""`design2a11y merge`: the saved runs of parallel jobs, joined to one."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.command.output import say
from pytest_design2a11y.wording import counted


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
        f"merged {counted(len(namespace.parts), 'run')} into {path}: {counted(cases, 'case')}, "
        f"{counted(len(run.evaluations), 'evaluation')}{incomplete}"
    )
    return EXIT_MEASURED
