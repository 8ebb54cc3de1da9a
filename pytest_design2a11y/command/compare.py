"""`design2a11y compare`: compares two saved runs, or ranks several, as text, Markdown, JSON or CSV."""

import argparse
import shutil
import sys
from collections.abc import Iterator

from pytest_design2a11y.command.shell import EXIT_UNMEASURED, say, say_as_is, say_json, say_written
from pytest_design2a11y.comparing.pairing import axes_text
from pytest_design2a11y.comparing.ranking import Ranking
from pytest_design2a11y.comparing.selection import parse_metrics
from pytest_design2a11y.escaping import markdown
from pytest_design2a11y.exceptions import AxesDiffer, ConfigurationError
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.report.comparison.ranking_sentences import ranking_caveats
from pytest_design2a11y.report.comparison.rows import (
    COLUMNS,
    RANKING_COLUMNS,
    comparison_rows,
    comparison_to_dict,
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
from pytest_design2a11y.run_end.gating import (
    GatedGroups,
    compare_groups,
    is_part,
    old_and_new,
    rank_and_judge,
)
from pytest_design2a11y.runs import find_run, load_run
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.options import settings_from_namespace

#: Default of `--cases`: as many as are usual.
_NOT_GIVEN = -1


def _count_or_all(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f'{text!r} is neither a whole number nor "all"')
    return int(text)


def _compare(namespace: argparse.Namespace) -> int:
    settings = settings_from_namespace(namespace)
    is_ranking = namespace.rank or namespace.rank_by is not None or len(namespace.runs) != 2
    if namespace.plot is not None and not is_ranking:
        raise ConfigurationError("--plot draws rankings, and two runs are compared.", advice="Add --rank.")
    try:
        return (_rank if is_ranking else _compare_two)(namespace, settings)
    except AxesDiffer as error:
        say(*f"design2a11y: {error}".split("\n"), file=sys.stderr)
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say_json({"schema": SCHEMA_VERSION, "error": failure})
        return EXIT_UNMEASURED


def _compare_two(namespace: argparse.Namespace, settings: Settings) -> int:
    baseline, name = namespace.runs
    if not is_part(baseline):
        find_run(baseline)  # So that a missing old run is reported first.
    old, new = old_and_new(baseline, load_run(name, has_audit=False), settings)
    gated = compare_groups(old, new, settings, by=namespace.by)
    _print_comparison(gated, namespace)
    return gated.exit_code


def _rank(namespace: argparse.Namespace, settings: Settings) -> int:
    names = namespace.runs
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigurationError(f"The run {twice[0]!r} is named twice.", advice="Name each run once.")
    runs = {name: load_run(name, has_audit=False) for name in names}
    metrics = parse_metrics(namespace.rank_by)
    # File names if they are distinct, otherwise as typed.
    by_name = {run.name: run for run in runs.values()}
    runs = by_name if len(by_name) == len(runs) else runs
    ranking, gated = rank_and_judge(runs, settings, by=namespace.by, metrics=metrics)
    _print_ranking(ranking, gated, namespace)
    return gated.exit_code


def _print_comparison(gated: GatedGroups, namespace: argparse.Namespace) -> None:
    num_moved = 5 if namespace.cases == _NOT_GIVEN else namespace.cases
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


def _print_ranking(ranking: Ranking, gated: GatedGroups, namespace: argparse.Namespace) -> None:
    # Each run that the gates judge, with its group.
    judged = [(_name(group.axes), group.outcomes) for group in gated.groups]
    num_moved = 0 if namespace.cases == _NOT_GIVEN else namespace.cases
    if namespace.plot is not None:
        from pytest_design2a11y.report.plots import plot_ranking

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
