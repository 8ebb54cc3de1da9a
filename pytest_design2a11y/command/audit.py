"""`design2a11y audit`: the accessibility of pages."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.measure import add_steps, measure
from pytest_design2a11y.command.output import argument
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.option import QUICK_PROBES
from pytest_design2a11y.models.readers import count_above_zero
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.settings.values import Settings


def add_to(commands: Any) -> None:
    """Declare the command."""
    audit = commands.add_parser("audit", help="list every accessibility failure on pages")
    audit.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help="path, URL, pattern ('site/**/*.html'), folder, list (.txt, one page per line), sitemap.xml"
        " or a Storybook's folder",
    )
    audit.add_argument("-j", "--jobs", type=argument(count_above_zero), default=1, help="number of processes")
    add_steps(audit)
    audit.add_argument("--json", action="store_true", help="print JSON and nothing else, one object per page")
    audit.add_argument("--details", action="store_true", help="with --json: list every element")
    audit.set_defaults(run=_audit)


def _audit(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.measuring.page_inputs import list_pages

    if namespace.design2a11y_probes is None:
        namespace.design2a11y_probes = QUICK_PROBES
    pages = list_pages(namespace.pages)
    states = [("", {}), *((f"[{state}]", {"state": state}) for state in namespace.steps if state)]
    pairs = [
        Pair(Subject(id=page + name, case="", axes=axes), None, page, Path.cwd())
        for page in pages
        for name, axes in states
    ]
    return measure(pairs, namespace, lines=_page_lines)


def _page_lines(evaluation: Evaluation, settings: Settings) -> Iterator[str]:
    from pytest_design2a11y.report.failure_text import audit_lines
    from pytest_design2a11y.run_end.known import without_accepted

    remaining, num_accepted = without_accepted(evaluation, settings)
    yield from audit_lines(remaining, num_accepted=num_accepted)
