"""`design2a11y export`: a saved run as a table for data frames."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.exit_codes import EXIT_MEASURED
from pytest_design2a11y.command.output import say, say_as_is
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.wording import counted


def add_to(commands: Any) -> None:
    """Declare the command."""
    export = commands.add_parser("export", help="write a saved run as a table, a row a page and metric")
    export.add_argument("saved", metavar="RUN", help="name or file of the run")
    export.add_argument(
        "--format",
        choices=("csv", "jsonl", "parquet"),
        default="csv",
        metavar="FORMAT",
        help="csv (default), jsonl, or parquet (extra `parquet`)",
    )
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="where; otherwise it is printed")
    export.set_defaults(run=_export)


def _export(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.files import replacing
    from pytest_design2a11y.report.long_table import table_lines, write_parquet
    from pytest_design2a11y.runs.store import load_run

    run = load_run(namespace.saved, has_audit=False)
    if namespace.format == "parquet":
        if namespace.output is None:
            raise ConfigurationError("Parquet cannot be printed.", advice="Name a file with -o.")
        write_parquet(run, namespace.output)
    elif namespace.output is None:
        for line in table_lines(run, namespace.format):
            say_as_is(line)
    else:
        with replacing(namespace.output) as path, path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in table_lines(run, namespace.format))
    if namespace.output is not None:
        incomplete = "" if run.is_complete else "; the run is incomplete"
        say(f"wrote {namespace.output}: {counted(len(run.evaluations), 'evaluation')}{incomplete}")
    return EXIT_MEASURED
