"""`design2a11y compare`: two saved runs."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.exit_codes import EXIT_UNMEASURED
from pytest_design2a11y.command.output import say
from pytest_design2a11y.exceptions import AxesDiffer
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.settings.options import settings_from_namespace

if TYPE_CHECKING:
    from pytest_design2a11y.run_end.gating import GatedGroups


def add_to(commands: Any) -> None:
    """Declare the command."""
    compare = commands.add_parser("compare", help="compare two saved runs, without rendering anything")
    compare.add_argument("old", help="name or file of the earlier run")
    compare.add_argument("new", help="name or file of the later run")
    compare.add_argument("--by", metavar="AXES", help='compare group by group, such as "model,prompt"')
    compare.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    compare.add_argument("--json", action="store_true", help="print JSON and nothing else")
    compare.set_defaults(run=_compare)


def _compare(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.run_end.gating import compare_groups
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    old, new = (load_run(name, has_audit=False) for name in (namespace.old, namespace.new))
    try:
        gated = compare_groups(old, new, settings, by=namespace.by)
    except AxesDiffer as error:
        say(f"design2a11y: {error}", file=sys.stderr)
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say(json.dumps({"schema": SCHEMA_VERSION, "error": failure}))
        return EXIT_UNMEASURED
    say(_json_text(gated) if namespace.json else "\n".join(_texts(gated, has_markdown=namespace.markdown)))
    return gated.exit_code


def _texts(gated: GatedGroups, *, has_markdown: bool) -> Iterator[str]:
    from pytest_design2a11y.comparing.pairing import axes_text
    from pytest_design2a11y.report.comparison.markdown import comparison_markdown
    from pytest_design2a11y.report.comparison.terminal import comparison_lines

    for one in gated.groups:
        compared = one.comparison, one.outcomes
        if one.axes:
            yield f"\n## {axes_text(one.axes)}\n" if has_markdown else f"\n==== {axes_text(one.axes)} ===="
        if has_markdown:
            yield comparison_markdown(*compared, inconclusive=gated.inconclusive).rstrip("\n")
        else:
            width = shutil.get_terminal_size().columns
            yield from comparison_lines(*compared, inconclusive=gated.inconclusive, width=width)
    for axes, why in gated.absent.items():
        judged = "; its gates could not be judged" if gated.has_gates else ""
        yield f"{'> ' if has_markdown else ''}warning: {axes_text(axes)}: {why}{judged}"


def _json_text(gated: GatedGroups) -> str:
    from pytest_design2a11y.report.comparison.export import comparison_to_dict

    groups = [comparison_to_dict(one.comparison, one.outcomes) for one in gated.groups]
    if not gated.groups[0].axes:
        return json.dumps(groups[0])
    return json.dumps(
        {
            "schema": SCHEMA_VERSION,
            "groups": [
                {"group": dict(one.axes), **told} for one, told in zip(gated.groups, groups, strict=True)
            ],
            "absent": [{"group": dict(axes), "reason": why} for axes, why in gated.absent.items()],
        }
    )
