"""How `design2a11y compare` tells of several runs: text, Markdown, JSON, CSV, LaTeX, HTML."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pytest_design2a11y.command.output import say, say_as_is, say_json, say_written, write_lines
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.report.comparison.latex import ranking_latex
from pytest_design2a11y.report.comparison.markdown import ranking_markdown
from pytest_design2a11y.report.comparison.ranking_plot import plot_ranking, write_plot
from pytest_design2a11y.report.comparison.rows import RANKING_COLUMNS, ranking_rows, ranking_to_dict
from pytest_design2a11y.report.comparison.sentences import Judged, ranking_caveats
from pytest_design2a11y.report.comparison.terminal import ranking_lines
from pytest_design2a11y.report.csv_text import csv_lines
from pytest_design2a11y.report.html.comparison_page import write_ranking
from pytest_design2a11y.run_end.gating import GatedRanking
from pytest_design2a11y.settings.options import in_command


def tell(gated: GatedRanking, namespace: argparse.Namespace, *, html: Path | None) -> None:
    """Print a ranking, and write the files that were asked for."""
    ranking, judged = gated.ranking, _judged(gated)
    num_moved = getattr(namespace, "cases", 0)
    inconclusive = gated.gated.inconclusive if gated.gated else "pass"
    if namespace.latex is not None:
        write_lines(namespace.latex, ranking_latex(ranking))
    if html is not None:
        write_ranking(
            html,
            ranking,
            judged,
            inconclusive=inconclusive,
            num_moved=num_moved,
            absent=list(_absent(gated)),
            reworded=in_command,
        )
        say_written(html)
    if namespace.plot is not None:
        write_plot(namespace.plot, plot_ranking(ranking, has_pages=namespace.plot_pages))
        say_written(namespace.plot)
    if namespace.json:
        say_json(ranking_to_dict(ranking, judged, num_moved=num_moved))
    elif namespace.csv:
        axes = [f"axis_{name}" for name in ranking.grouped_by]
        say_as_is("\n".join(csv_lines([*axes, *RANKING_COLUMNS], ranking_rows(ranking))))
        say(*(f"warning: {text}" for text in ranking_caveats(ranking)), file=sys.stderr)
    elif namespace.markdown:
        lines = ranking_markdown(ranking, judged, inconclusive=inconclusive, num_moved=num_moved)
        say_as_is(in_command("\n".join(lines)))
        say_as_is("".join(f"\n> {markdown(text, limit=1000)}  " for text in _absent(gated)))
    else:
        width = shutil.get_terminal_size().columns
        say(*ranking_lines(ranking, judged, inconclusive=inconclusive, width=width, num_moved=num_moved))
        say(*(f"warning: {text}" for text in _absent(gated)))


def _judged(gated: GatedRanking) -> Judged:
    """Name what is judged by the gates: each other run, and its group."""
    if gated.gated is None:
        return ()
    return [(_name(one.axes), one.outcomes) for one in gated.gated.groups]


def _name(axes: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(value or "(none)" for _name, value in axes)


def _absent(gated: GatedRanking) -> Iterator[str]:
    for axes, why in gated.gated.absent.items() if gated.gated else ():
        yield f"{_name(axes)}: {why}; its gates could not be judged"
