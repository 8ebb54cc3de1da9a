"""Output of the command: escaped, with options named as its users type them; exit codes."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypeVar

from pytest_design2a11y.escaping import json_line, terminal_line
from pytest_design2a11y.files import STANDARD_OUTPUT
from pytest_design2a11y.settings.options import in_command

T = TypeVar("T")

EXIT_MEASURED, EXIT_LIMIT, EXIT_USAGE, EXIT_UNMEASURED = 0, 1, 2, 3


def say(*lines: str, file: TextIO | None = None) -> None:
    """Print lines immediately, to standard output unless another file is given."""
    say_as_is("\n".join(terminal_line(in_command(line)) for line in lines), file=file)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON, in ASCII; only our own messages name options as the command does."""
    say_as_is(json_line(_with_messages(value)))


#: Keys of what we say ourselves; anything else may be a page's text, which is printed as it is.
_MESSAGES = frozenset({"error", "warnings", "reason", "metric_reasons", "advice", "unjudged"})


def _with_messages(value: Any, *, is_ours: bool = False) -> Any:
    if isinstance(value, dict):
        return {
            name: _with_messages(inner, is_ours=is_ours or name in _MESSAGES) for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_with_messages(inner, is_ours=is_ours) for inner in value]
    return in_command(value) if is_ours and isinstance(value, str) else value


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
