"""`design2a11y runs`: list, label, merge and export saved runs, and plan how large they should be."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_design2a11y.command import plan
from pytest_design2a11y.command.output import argument, say, say_as_is, say_json, say_written
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import STANDARD_OUTPUT, write_text
from pytest_design2a11y.models.readers import key_value
from pytest_design2a11y.runs.store import load_run, load_runs, with_details
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.wording import counted

_FORMATS = ("csv", "jsonl")


def add_to(commands: Any) -> None:
    """Declare the command and its parts."""
    runs = commands.add_parser("runs", description="list, label, merge, export or plan saved runs")
    parts = runs.add_subparsers(required=True, metavar="list | label | merge | export | plan")

    history = parts.add_parser("list", help="list the saved runs with their means")
    history.add_argument("--json", action="store_true", help="print JSON and nothing else")
    history.set_defaults(run=_list)

    label = parts.add_parser("label", help="add an axis to a saved run, such as prompt=v1")
    label.add_argument("saved", metavar="RUN", help="name or file of the run")
    label.add_argument(
        "labels", nargs="+", type=argument(key_value), metavar="KEY=VALUE", help="axis and value"
    )
    label.set_defaults(run=_label)

    merge = parts.add_parser("merge", help="merge the saved runs of parallel jobs into one")
    merge.add_argument("parts", nargs="+", metavar="RUN", help="name or file of a run, two or more")
    merge.add_argument("-o", "--output", required=True, metavar="NAME", help="name of the merged run")
    merge.set_defaults(run=_merge)

    export = parts.add_parser(
        "export", help="write a saved run as a table, one row per page and metric, or its findings"
    )
    export.add_argument("saved", metavar="RUN", help="name or file of the run")
    export.add_argument(
        "--format",
        choices=_FORMATS,
        metavar="FORMAT",
        help="csv or jsonl. Default: by the file's name, or csv.",
    )
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="file to write. Default: standard output."
    )
    export.set_defaults(run=_export)

    plan.add_to(parts)


def _list(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.comparing.compare import history_lines, history_to_dict, make_history

    runs, problems = load_runs()
    for problem in problems:
        say(f"left out: {problem}", file=sys.stderr)
    rule = settings_from_namespace(namespace).failed_pages
    entries = make_history(runs, failed_pages=rule)
    if namespace.json:
        say_json(history_to_dict(entries))
    else:
        say(*history_lines(entries, failed_pages=rule))


def _label(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import label_saved_run

    run, path = label_saved_run(namespace.saved, namespace.labels)
    labels = ", ".join(f"{key}={value}" for key, value in namespace.labels)
    say(f"wrote {path}: {counted(len(run.evaluations), 'page')} with {labels}")


def _merge(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import merge_saved_runs

    run, path = merge_saved_runs(namespace.parts, namespace.output)
    cases = len({evaluation.case for evaluation in run.evaluations})
    incomplete = "" if run.is_complete else "; it is incomplete, because a part is"
    say(
        f"merged {counted(len(namespace.parts), 'run')} into {path}: {counted(cases, 'case')}, "
        f"{counted(len(run.evaluations), 'evaluation')}{incomplete}"
    )


def _format_of(output: Path | None) -> Any:
    """Return the format of a table by its file's suffix; ConfigurationError for an unknown one."""
    kind = "" if output is None else output.suffix.lower().removeprefix(".")
    if kind and kind not in _FORMATS:
        raise ConfigurationError(
            f"{output} is not the name of a table that `runs export` writes.",
            advice="End it in .csv or .jsonl, or give --format.",
        )
    return kind or "csv"


def _export(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.findings_file import table_lines, write_findings

    findings = settings_from_namespace(namespace).findings
    namespace.output = None if namespace.output == STANDARD_OUTPUT else namespace.output
    run = load_run(namespace.saved, has_audit=bool(findings))
    for path in findings:
        write_findings(path, with_details(run), {})
        say_written(path)
    if findings and namespace.output is None:
        return
    kind = namespace.format or _format_of(namespace.output)
    if namespace.output is None:
        for line in table_lines(run, kind):
            say_as_is(line)
        return
    write_text(namespace.output, (f"{line}\n" for line in table_lines(run, kind)))
    incomplete = "" if run.is_complete else "; the run is incomplete"
    say(f"wrote {namespace.output}: {counted(len(run.evaluations), 'evaluation')}{incomplete}")
