"""`design2a11y audit`: the accessibility of pages."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.measure import measure
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.choices import QUICK_PROBES
from pytest_design2a11y.models.readers import count_above_zero
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.settings.values import Settings


def add_to(commands: Any) -> None:
    """Declare the command."""
    audit = commands.add_parser("audit", help="tell everything that is found to be inaccessible on pages")
    audit.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help="path or URL; a pattern ('site/**/*.html'), folder, list (.txt, a page a line) or sitemap.xml",
    )
    audit.add_argument("-j", "--jobs", type=count_above_zero, default=1, help="processes that render pages")
    audit.add_argument("--json", action="store_true", help="print JSON and nothing else, an object a page")
    audit.add_argument("--details", action="store_true", help="with --json: tell elements one by one, too")
    audit.set_defaults(run=_audit)


def _audit(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.measuring.page_inputs import list_pages

    if namespace.design2a11y_probes is None:
        namespace.design2a11y_probes = QUICK_PROBES
    pages = list_pages(namespace.pages)
    pairs = [Pair(Subject(id=page, case=""), None, page, Path.cwd()) for page in pages]
    return measure(pairs, namespace, tell=_tell)


def _tell(evaluation: Evaluation, settings: Settings) -> Iterator[str]:
    from pytest_design2a11y.report.failure_text import audit_lines
    from pytest_design2a11y.run_end.known import without_accepted

    told, num_accepted = without_accepted(evaluation, settings)
    yield from audit_lines(told, num_accepted=num_accepted)
