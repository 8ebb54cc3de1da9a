"""Commands for saved runs: check, history, merge, label, export, report, feedback."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.output import argument, say, say_as_is, say_json, say_written, write_plot
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import STANDARD_OUTPUT, write_text
from pytest_design2a11y.models.readers import count_above_zero, key_value
from pytest_design2a11y.runs.store import load_run, load_runs, pages_of, with_details
from pytest_design2a11y.settings.options import given_to_command, make_settings, settings_from_namespace
from pytest_design2a11y.wording import counted

#: Default number of things to do that are listed.
MAX_ITEMS = 8

_FORMATS = ("csv", "jsonl", "parquet")


def add_to(commands: Any) -> None:
    """Declare the commands."""
    check = commands.add_parser(
        "check", help="check a saved run against other limits, without rendering anything"
    )
    check.add_argument("saved", metavar="RUN", help="name or file of the run")
    check.set_defaults(run=_check)

    history = commands.add_parser("history", help="list the saved runs with their means")
    history.add_argument(
        "--plot", type=Path, metavar="FILE", help="plot the means over time: FILE.svg, FILE.pdf or FILE.png"
    )
    history.add_argument("--json", action="store_true", help="print JSON and nothing else")
    history.set_defaults(run=_history)

    merge = commands.add_parser("merge", help="merge the saved runs of parallel jobs into one")
    merge.add_argument("parts", nargs="+", metavar="RUN", help="name or file of a run, two or more")
    merge.add_argument("-o", "--output", required=True, metavar="NAME", help="name of the merged run")
    merge.set_defaults(run=_merge)

    label = commands.add_parser("label", help="add an axis to a saved run, such as prompt=v1")
    label.add_argument("saved", metavar="RUN", help="name or file of the run")
    label.add_argument(
        "labels", nargs="+", type=argument(key_value), metavar="KEY=VALUE", help="axis and value"
    )
    label.set_defaults(run=_label)

    export = commands.add_parser(
        "export", help="write a saved run as a table, one row per page and metric, or its findings"
    )
    export.add_argument("saved", metavar="RUN", help="name or file of the run")
    export.add_argument(
        "--format",
        choices=_FORMATS,
        metavar="FORMAT",
        help="csv, jsonl, or parquet (extra `parquet`). Default: by the file's name, or csv.",
    )
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="file to write. Default: standard output."
    )
    export.set_defaults(run=_export)

    report = commands.add_parser("report", help="write the report of a saved run")
    report.add_argument("saved", metavar="RUN", help="name or file of the run")
    report.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="file to write")
    report.add_argument(
        "--against",
        metavar="RUN",
        help="an earlier run to compare with, or AXIS=VALUE for that part of this run",
    )
    report.set_defaults(run=_report)

    feedback = commands.add_parser("feedback", help="print instructions for a model: what to fix on a page")
    feedback.add_argument("saved", metavar="RUN", help="name or file of the run")
    feedback.add_argument(
        "case", help="the case (its name, or its last folders and name), or the id of one of its evaluations"
    )
    feedback.add_argument(
        "--max-items",
        type=argument(count_above_zero),
        default=MAX_ITEMS,
        metavar="N",
        help="maximum number of items, each with all its places",
    )
    feedback.add_argument("--full", action="store_true", help="print every item")
    feedback.add_argument("--json", action="store_true", help="print JSON and nothing else")
    feedback.set_defaults(run=_feedback)


def _check(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.comparing.gates import exit_code_of
    from pytest_design2a11y.run_end.conclude import check_run

    given = given_to_command(namespace)
    run = load_run(namespace.saved, has_audit=False)  # First, as limits may name the run's metrics.
    outcome = check_run(run, make_settings(given))
    for lines in outcome.sections.values():
        say(*lines)
    return exit_code_of(is_failed=outcome.is_failed, is_unmeasured=outcome.is_unmeasured)


def _history(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.comparing.history import history_lines, history_to_dict, make_history
    from pytest_design2a11y.report.comparison.plots import plot_history

    runs, problems = load_runs()
    for problem in problems:
        say(f"left out: {problem}", file=sys.stderr)
    rule = settings_from_namespace(namespace).failed_pages
    entries = make_history(runs, failed_pages=rule)
    if namespace.plot is not None:
        write_plot(namespace.plot, plot_history(entries))
    if namespace.json:
        say_json(history_to_dict(entries))
    else:
        say(*history_lines(entries, failed_pages=rule))


def _merge(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import merge_saved_runs

    run, path = merge_saved_runs(namespace.parts, namespace.output)
    cases = len({evaluation.case for evaluation in run.evaluations})
    incomplete = "" if run.is_complete else "; it is incomplete, because a part is"
    say(
        f"merged {counted(len(namespace.parts), 'run')} into {path}: {counted(cases, 'case')}, "
        f"{counted(len(run.evaluations), 'evaluation')}{incomplete}"
    )


def _label(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import label_saved_run

    run, path = label_saved_run(namespace.saved, namespace.labels)
    labels = ", ".join(f"{key}={value}" for key, value in namespace.labels)
    say(f"wrote {path}: {counted(len(run.evaluations), 'page')} with {labels}")


def _format_of(output: Path | None) -> Any:
    """Return the format of a table by its file's suffix; ConfigurationError for an unknown one."""
    kind = "" if output is None else output.suffix.lower().removeprefix(".")
    if kind and kind not in _FORMATS:
        raise ConfigurationError(
            f"{output} is not the name of a table that export writes.",
            advice="End it in .csv, .jsonl or .parquet, or give --format.",
        )
    return kind or "csv"


def _export(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.long_table import findings_csv, table_lines, write_parquet

    findings = settings_from_namespace(namespace).findings
    namespace.output = None if namespace.output == STANDARD_OUTPUT else namespace.output
    run = load_run(namespace.saved, has_audit=findings is not None)
    if findings is not None:
        write_text(findings, (f"{line}\n" for line in findings_csv(with_details(run), {})))
        say_written(findings)
        if namespace.output is None:
            return
    kind = namespace.format or _format_of(namespace.output)
    if kind == "parquet":
        if namespace.output is None:
            raise ConfigurationError("Parquet cannot be printed.", advice="Name a file with -o.")
        write_parquet(run, namespace.output)
    elif namespace.output is None:
        for line in table_lines(run, kind):
            say_as_is(line)
    else:
        write_text(namespace.output, (f"{line}\n" for line in table_lines(run, kind)))
    if namespace.output is not None:
        incomplete = "" if run.is_complete else "; the run is incomplete"
        say(f"wrote {namespace.output}: {counted(len(run.evaluations), 'evaluation')}{incomplete}")


def _report(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.comparison.rows import comparison_to_dict
    from pytest_design2a11y.run_end.conclude import write_html
    from pytest_design2a11y.run_end.gating import compare_groups, old_and_new

    settings = settings_from_namespace(namespace)
    run = with_details(load_run(namespace.saved))
    comparison, compared = None, None
    if namespace.against is not None:
        old, new = old_and_new(namespace.against, run, settings)
        compared = with_details(old), new
        (gated,) = compare_groups(old, new, settings).groups
        comparison = comparison_to_dict(gated.comparison, gated.outcomes)
    write_html(namespace.output, run, settings, comparison=comparison, compared=compared)


def _feedback(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.feedback import feedback

    run = with_details(load_run(namespace.saved))
    for evaluation in pages_of(run, namespace.case):
        advice = feedback(evaluation)
        if namespace.json:
            say_json(advice.to_dict())
        else:
            say(*advice.lines(max_items=None if namespace.full else namespace.max_items))
