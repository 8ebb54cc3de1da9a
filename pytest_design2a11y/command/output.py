"""What the command prints: nothing in it acts, and options are named as its users type them; exit codes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from pytest_design2a11y.escaping import json_line, terminal_line
from pytest_design2a11y.files import write_text
from pytest_design2a11y.settings.options import in_command

EXIT_MEASURED, EXIT_LIMIT, EXIT_USAGE, EXIT_UNMEASURED = 0, 1, 2, 3


def say(*lines: str, file: TextIO | None = None) -> None:
    """Print lines, at once; to standard output, unless another file is named."""
    say_as_is("\n".join(terminal_line(in_command(line)) for line in lines), file=file)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON, in ASCII."""
    say_as_is(in_command(json_line(value)))


def say_as_is(text: str, *, file: TextIO | None = None) -> None:
    """Print a text that is escaped already, such as Markdown or a workflow command."""
    print(text, file=file or sys.stdout, flush=True)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a file of lines, whole or not at all; options are named as the command's users type them."""
    write_text(path, (f"{in_command(line)}\n" for line in lines))
    say_written(path)


def say_written(path: Path) -> None:
    """Tell of a file on standard error, which leaves what is printed as it is."""
    say(f"wrote {path}", file=sys.stderr)


def accept_all_characters() -> None:
    """Have characters that a terminal cannot show printed as escapes, instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
