"""Output of `design2a11y compare`, two runs or a ranking: text, Markdown, JSON, CSV, HTML."""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pytest_design2a11y.command.shell import say, say_as_is, say_json, say_written
from pytest_design2a11y.comparing.pairing import axes_text
from pytest_design2a11y.comparing.ranking import Ranking
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison.ranking_sentences import ranking_caveats
from pytest_design2a11y.report.comparison.rows import (
    COLUMNS,
    RANKING_COLUMNS,
    comparison_rows,
    comparison_to_dict,
    page_values,
    ranking_rows,
    ranking_to_dict,
)
from pytest_design2a11y.report.comparison.text import (
    comparison_lines,
    comparison_markdown,
    ranking_lines,
    ranking_markdown,
)
from pytest_design2a11y.report.findings_file import csv_lines
from pytest_design2a11y.run_end.gating import GatedGroups
from pytest_design2a11y.settings.values import FOLDER

NUM_MOVED = 5


def print_comparison(
    gated: GatedGroups, namespace: argparse.Namespace, *, runs: tuple[Run, Run], html: Path | None
) -> None:
    """Print a comparison of an old and a new run, and write the requested files."""
    num_moved = getattr(namespace, "cases", NUM_MOVED)
    if html is not None:
        from pytest_design2a11y.report.html.comparison_page import write_comparisons

        write_comparisons(
            html,
            [
                (group.axes, page_values(group.comparison, group.outcomes, num_moved=num_moved))
                for group in gated.groups
            ],
            runs=runs,
            picture_folder=FOLDER / "pictures",
            absent=list(_warnings(gated)),
        )
        say_written(html)
    if namespace.json:
        records = [
            (group.axes, comparison_to_dict(group.comparison, group.outcomes, num_moved=num_moved))
            for group in gated.groups
        ]
        grouped = {
            "schema": SCHEMA_VERSION,
            "groups": [{"group": dict(axes), **record} for axes, record in records],
            "absent": [{"group": dict(axes), "reason": why} for axes, why in gated.absent.items()],
        }
        say_json(grouped if records[0][0] else records[0][1])
    elif namespace.csv:
        axes = [f"axis_{name}" for name, _value in gated.groups[0].axes]
        rows = (
            row
            for group in gated.groups
            for row in comparison_rows(group.comparison, group.outcomes, axes=dict(group.axes))
        )
        say_as_is("\n".join(csv_lines([*axes, *COLUMNS], rows)))
        say(*_warnings(gated), file=sys.stderr)
    elif namespace.markdown:
        say_as_is("\n".join(_markdown(gated, num_moved)))
    else:
        say(*_lines(gated, num_moved))


def _lines(gated: GatedGroups, num_moved: int | None) -> Iterator[str]:
    width, rule = shutil.get_terminal_size().columns, gated.inconclusive
    for group in gated.groups:
        if group.axes:
            yield from ("", f"==== {axes_text(group.axes)} ====")
        yield from comparison_lines(
            group.comparison, group.outcomes, inconclusive=rule, width=width, num_moved=num_moved
        )
    yield from _warnings(gated)


def _markdown(gated: GatedGroups, num_moved: int | None) -> Iterator[str]:
    for group in gated.groups:
        if group.axes:
            yield f"\n## {markdown(axes_text(group.axes))}\n"
        yield comparison_markdown(
            group.comparison, group.outcomes, inconclusive=gated.inconclusive, num_moved=num_moved
        ).rstrip("\n")
    yield from (f"> {markdown(warning, limit=1000)}" for warning in _warnings(gated))


def _warnings(gated: GatedGroups) -> Iterator[str]:
    for axes, why in gated.absent.items():
        judged = "; its gates could not be judged" if gated.has_gates else ""
        yield f"warning: {axes_text(axes)}: {why}{judged}"


def print_ranking(
    ranking: Ranking, gated: GatedGroups, namespace: argparse.Namespace, *, html: Path | None
) -> None:
    """Print a ranking, and write the requested files."""
    # Each run that the gates judge, with its group.
    judged = [(_name(group.axes), group.outcomes) for group in gated.groups]
    num_moved = getattr(namespace, "cases", 0)
    if html is not None:
        from pytest_design2a11y.report.html.comparison_page import write_ranking

        write_ranking(
            html,
            ranking,
            judged,
            inconclusive=gated.inconclusive,
            num_moved=num_moved,
            absent=list(_absent(gated)),
        )
        say_written(html)
    if namespace.plot is not None:
        from pytest_design2a11y.report.html.comparison_page import plot_ranking

        plot_ranking(namespace.plot, ranking)
        say_written(namespace.plot)
    if namespace.json:
        say_json(ranking_to_dict(ranking, judged, num_moved=num_moved))
    elif namespace.csv:
        axes = [f"axis_{name}" for name in ranking.grouped_by]
        say_as_is("\n".join(csv_lines([*axes, *RANKING_COLUMNS], ranking_rows(ranking))))
        say(*(f"warning: {text}" for text in ranking_caveats(ranking)), file=sys.stderr)
    elif namespace.markdown:
        lines = ranking_markdown(ranking, judged, inconclusive=gated.inconclusive, num_moved=num_moved)
        say_as_is("\n".join(lines))
        say_as_is("".join(f"\n> {markdown(text, limit=1000)}  " for text in _absent(gated)))
    else:
        say(*ranking_lines(ranking, judged, inconclusive=gated.inconclusive, num_moved=num_moved))
        say(*(f"warning: {text}" for text in _absent(gated)))


def _name(axes: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(value or "(none)" for _name, value in axes)


def _absent(gated: GatedGroups) -> Iterator[str]:
    for axes, why in gated.absent.items():
        yield f"{_name(axes)}: {why}; its gates could not be judged"
