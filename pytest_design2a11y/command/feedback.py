"""`design2a11y feedback`: what to tell a model about a page."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.command.output import say, say_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import count_above_zero

#: Things to do that are told where nobody says how many.
MAX_ITEMS = 8


def add_to(commands: Any) -> None:
    """Declare the command."""
    feedback = commands.add_parser("feedback", help="tell a model what to do better on a page")
    feedback.add_argument("saved", metavar="RUN", help="name or file of the run")
    feedback.add_argument(
        "case", help="case (its last folders and name are enough), or id of one of its evaluations"
    )
    feedback.add_argument(
        "--max-items", type=count_above_zero, default=MAX_ITEMS, metavar="N", help="things to do at most"
    )
    feedback.add_argument("--json", action="store_true", help="print JSON and nothing else")
    feedback.set_defaults(run=_feedback)


def _feedback(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.report.feedback import feedback
    from pytest_design2a11y.run_end.conclude import load_detailed_run

    run = load_detailed_run(namespace.saved)
    chosen = [one for one in run.evaluations if namespace.case in (one.case, one.id)]
    if not chosen:
        ending = [one for one in run.evaluations if one.case.endswith(f"/{namespace.case}")]
        chosen = ending if len({one.case for one in ending}) == 1 else []
    if not chosen:
        cases = ", ".join(sorted({one.case for one in run.evaluations})[:20])
        raise ConfigurationError(f"{run.name} has no case {namespace.case!r}.", advice=f"It has: {cases}.")
    for evaluation in chosen:
        made = feedback(evaluation)
        if namespace.json:
            say_json(made.to_dict())
        else:
            say(*made.lines(max_items=namespace.max_items))
    return EXIT_MEASURED
