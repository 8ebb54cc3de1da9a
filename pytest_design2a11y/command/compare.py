"""`design2a11y compare`: two saved runs."""

from __future__ import annotations

import argparse
import json
import shutil
from typing import Any

from pytest_design2a11y.command.output import say
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    compare = commands.add_parser("compare", help="compare two saved runs, without rendering anything")
    compare.add_argument("old", help="name or file of the earlier run")
    compare.add_argument("new", help="name or file of the later run")
    compare.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    compare.add_argument("--json", action="store_true", help="print JSON and nothing else")
    compare.set_defaults(run=_compare)


def _compare(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.comparing.outcome import exit_code
    from pytest_design2a11y.report.comparison.export import comparison_to_dict
    from pytest_design2a11y.report.comparison.markdown import comparison_markdown
    from pytest_design2a11y.report.comparison.terminal import comparison_lines
    from pytest_design2a11y.run_end.conclude import compare_and_judge
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    old, new = (load_run(name, has_audit=False) for name in (namespace.old, namespace.new))
    comparison, outcomes = compare_and_judge(old, new, settings)
    if namespace.json:
        say(json.dumps(comparison_to_dict(comparison, outcomes)))
    elif namespace.markdown:
        say(comparison_markdown(comparison, outcomes), end="")
    else:
        width = shutil.get_terminal_size().columns
        say("\n".join(comparison_lines(comparison, outcomes, width=width)))
    return exit_code(outcomes)
