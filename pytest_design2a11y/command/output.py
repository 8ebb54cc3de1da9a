"""Output of the command, escaped; exit codes."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypeVar

from pytest_design2a11y.escaping import json_line, terminal_line
from pytest_design2a11y.files import STANDARD_OUTPUT

T = TypeVar("T")

EXIT_MEASURED, EXIT_LIMIT, EXIT_USAGE, EXIT_UNMEASURED = 0, 1, 2, 3


def say(*lines: str, file: TextIO | None = None) -> None:
    """Print lines immediately, to standard output unless another file is given."""
    say_as_is("\n".join(map(terminal_line, lines)), file=file)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON, in ASCII."""
    say_as_is(json_line(value))


def say_as_is(text: str, *, file: TextIO | None = None) -> None:
    """Print a text that is already escaped, such as Markdown or a workflow command."""
    print(text, file=file or sys.stdout, flush=True)


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return a reader of an argument whose ValueErrors argparse prints unchanged."""

    def checked(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text!r}: {error}") from None

    return checked


def say_written(path: Path) -> None:
    """Print the name of a written file on standard error, to keep standard output clean."""
    if path != STANDARD_OUTPUT:
        say(f"wrote {path}", file=sys.stderr)


def accept_all_characters() -> None:
    """Print escapes for characters that a terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
