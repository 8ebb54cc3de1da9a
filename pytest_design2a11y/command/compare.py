"""`design2a11y compare`: two saved runs."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.exit_codes import EXIT_UNMEASURED
from pytest_design2a11y.command.output import say, say_as_is, say_json
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.exceptions import AxesDiffer
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.settings.options import in_command, settings_from_namespace

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
    compare.add_argument("--csv", action="store_true", help="print CSV, a row a metric, and nothing else")
    compare.set_defaults(run=_compare)


def _compare(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.run_end.gating import compare_groups
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    old, new = (load_run(name, has_audit=False) for name in (namespace.old, namespace.new))
    try:
        gated = compare_groups(old, new, settings, by=namespace.by)
    except AxesDiffer as error:
        say(*f"design2a11y: {error}".split("\n"), file=sys.stderr)
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say_json({"schema": SCHEMA_VERSION, "error": failure})
        return EXIT_UNMEASURED
    if namespace.json:
        say_json(_record(gated))
    elif namespace.csv:
        say_as_is("\n".join(_csv(gated)))
        say(*_warnings(gated), file=sys.stderr)
    elif namespace.markdown:
        say_as_is(in_command("\n".join(_markdown(gated))))
    else:
        say(*_lines(gated))
    return gated.exit_code


def _lines(gated: GatedGroups) -> Iterator[str]:
    from pytest_design2a11y.comparing.pairing import axes_text
    from pytest_design2a11y.report.comparison.terminal import comparison_lines

    width = shutil.get_terminal_size().columns
    for one in gated.groups:
        if one.axes:
            yield from ("", f"==== {axes_text(one.axes)} ====")
        yield from comparison_lines(
            one.comparison, one.outcomes, inconclusive=gated.inconclusive, width=width
        )
    yield from _warnings(gated)


def _csv(gated: GatedGroups) -> Iterator[str]:
    from pytest_design2a11y.report.comparison.csv_table import COLUMNS, comparison_rows
    from pytest_design2a11y.report.csv_text import csv_lines

    axes = [f"axis_{name}" for name, _value in gated.groups[0].axes]
    rows = (
        row
        for one in gated.groups
        for row in comparison_rows(one.comparison, one.outcomes, axes=dict(one.axes))
    )
    return csv_lines([*axes, *COLUMNS], rows)


def _markdown(gated: GatedGroups) -> Iterator[str]:
    from pytest_design2a11y.comparing.pairing import axes_text
    from pytest_design2a11y.report.comparison.markdown import comparison_markdown

    for one in gated.groups:
        if one.axes:
            yield f"\n## {markdown(axes_text(one.axes))}\n"
        yield comparison_markdown(one.comparison, one.outcomes, inconclusive=gated.inconclusive).rstrip("\n")
    yield from (f"> {markdown(warning, limit=1000)}" for warning in _warnings(gated))


def _warnings(gated: GatedGroups) -> Iterator[str]:
    from pytest_design2a11y.comparing.pairing import axes_text

    for axes, why in gated.absent.items():
        judged = "; its gates could not be judged" if gated.has_gates else ""
        yield f"warning: {axes_text(axes)}: {why}{judged}"


def _record(gated: GatedGroups) -> dict[str, Any]:
    from pytest_design2a11y.report.comparison.export import comparison_to_dict

    groups = [comparison_to_dict(one.comparison, one.outcomes) for one in gated.groups]
    if not gated.groups[0].axes:
        return groups[0]
    return {
        "schema": SCHEMA_VERSION,
        "groups": [{"group": dict(one.axes), **told} for one, told in zip(gated.groups, groups, strict=True)],
        "absent": [{"group": dict(axes), "reason": why} for axes, why in gated.absent.items()],
    }
