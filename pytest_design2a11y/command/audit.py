"""`design2a11y audit`: the accessibility of one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.measure import measure
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Subject


def add_to(commands: Any) -> None:
    """Declare the command."""
    audit = commands.add_parser("audit", help="count how inaccessible a page is")
    audit.add_argument("page", help="path or URL")
    audit.add_argument("--json", action="store_true", help="print JSON and nothing else")
    audit.add_argument("--details", action="store_true", help="tell blocks and elements one by one")
    audit.set_defaults(run=_audit)


def _audit(namespace: argparse.Namespace) -> int:
    subject = Subject(id=namespace.page, case="")
    return measure([Pair(subject, None, namespace.page, Path.cwd())], namespace)
