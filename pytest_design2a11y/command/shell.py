"""What all commands share: the parser, made of `commands.json`, errors, output, progress and exit codes."""

import argparse
import io
import json
import re
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NoReturn, Self, TextIO

from pytest_design2a11y.escaping import json_line, terminal_line
from pytest_design2a11y.exceptions import (
    AppearanceUnavailable,
    ConfigurationError,
    Design2a11yError,
    RunError,
)
from pytest_design2a11y.files import STANDARD_OUTPUT
from pytest_design2a11y.models import readers
from pytest_design2a11y.models.metrics import shown_in
from pytest_design2a11y.settings import options
from pytest_design2a11y.wording import did_you_mean

EXIT_MEASURED, EXIT_USAGE, EXIT_UNMEASURED = 0, 2, 3


def say(*lines: str, file: TextIO | None = None) -> None:
    """Print lines immediately, to standard output unless another file is given."""
    say_as_is("\n".join(map(terminal_line, lines)), file=file)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON, in ASCII."""
    say_as_is(json_line(value))


def say_as_is(text: str, *, file: TextIO | None = None) -> None:
    """Print a text that is already escaped, such as Markdown or a workflow command."""
    print(text, file=file or sys.stdout, flush=True)


def say_written(path: Path) -> None:
    """Print the name of a written file on standard error, to keep standard output clean."""
    if path != STANDARD_OUTPUT:
        say(f"wrote {path}", file=sys.stderr)


def accept_all_characters() -> None:
    """Print escapes for characters that a terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


#: The commands, as `--help` groups them: their arguments, and the functions that run them.
_DECLARED = json.loads(files(__package__).joinpath("commands.json").read_bytes())
COMMANDS = dict(chain.from_iterable(commands.items() for commands in _DECLARED.values()))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; a handler's None means 0."""
    accept_all_characters()
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = _parser(next(iter(arguments), ""))
    for word in takewhile("--".__ne__, arguments):
        if word.startswith("-") and Path(word).suffix and Path(word).is_file():
            parser.error(f"{word} is read as an option. For the file of that name, write ./{word}.")
    try:
        namespace, unknown = parser.parse_known_args(arguments)
    except ConfigurationError as error:
        parser.exit(EXIT_USAGE, f"design2a11y: {error}\n")
    if unknown:
        known = {flag for action in namespace.parser._actions for flag in action.option_strings}
        hint = did_you_mean(unknown[0].partition("=")[0], sorted(known - {"--help"}))
        if namespace.parser.prog.endswith(" score") and not unknown[0].startswith("-"):
            hint = "For several pages give two folders, or --pairs with a file or a pattern."
        namespace.parser.error(f"unrecognized arguments: {' '.join(unknown)}. {hint}")
    try:
        code: int | None = _function(namespace.run)(namespace)
    except BrokenPipeError:
        sys.stderr.close()
        return EXIT_MEASURED
    except (ConfigurationError, RunError, AppearanceUnavailable, OSError) as error:
        message = str(error)
        if isinstance(error, OSError) and not isinstance(error, Design2a11yError):
            message = terminal_line(f"{error.filename}: {error.strerror}." if error.filename else message)
        parser.exit(EXIT_USAGE, f"design2a11y: {message}\n")
    return code or EXIT_MEASURED


class _Parser(argparse.ArgumentParser):
    """A parser with one-line errors, in which arguments are escaped."""

    def error(self, message: str) -> NoReturn:
        if found := re.match(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)", message):
            names = re.findall(r"[\w-]+", found[2])
            message = f"there is no command '{found[1]}'. {did_you_mean(found[1], names)}"
        self.exit(
            EXIT_USAGE, f"{self.prog}: error: {terminal_line(message).strip()}\nSee {self.prog} --help\n"
        )


def add_commands(parts: Any, names: Iterable[str] = COMMANDS, *, has_options: bool = False) -> None:
    """Declare commands with their arguments and, on request, the options that they use."""
    for name in names:
        _add_command(parts, name, COMMANDS[name], has_options)


def _add_command(parts: Any, name: str, declared: Mapping[str, Any], has_options: bool) -> None:
    how = {key: declared[key] for key in ("usage", "description", "help") if key in declared}
    parser = parts.add_parser(name, **how)
    parser.set_defaults(parser=parser, run=declared.get("run"))
    for argument in declared.get("arguments", ()):
        _add_argument(parser, argument)
    if further := declared.get("parts"):
        inner = parser.add_subparsers(required=True, metavar=" | ".join(further))
        for part in further:
            _add_command(inner, part, further[part], has_options)
    elif has_options:
        options.add_to_parser(parser, parser.prog.partition(" ")[2])


def _add_argument(parser: Any, declared: Any) -> None:
    if isinstance(declared, list):  # Of these, one at most is given.
        group = parser.add_mutually_exclusive_group()
        for one in declared:
            _add_argument(group, one)
        return
    how = dict(declared)
    names, text = (
        how.pop("names").split(),
        how.pop("help").replace("{ranking}", ",".join(shown_in("ranking"))),
    )
    if read := how.pop("type", None):
        how["type"] = Path if read == "Path" else _reader(read)
    parser.add_argument(*names, help=text, **how)


def _reader(name: str) -> Callable[[str], Any]:
    """Return a reader of `models.readers`, or of one of the commands, whose ValueErrors argparse prints."""

    def read(text: str) -> Any:
        try:
            return (_function(name) if ":" in name else getattr(readers, name))(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text!r}: {error}") from None

    return read


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"{__package__}.{module}"), function)
    return found


def _parser(wanted: str = "") -> argparse.ArgumentParser:
    """Return the parser of the wanted command, or of all if there is no such one: their options take time."""
    parser = _Parser(
        prog="design2a11y",
        description="Measure how closely generated pages match their designs, and how accessible they are.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version("pytest-design2a11y"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_commands(commands, [wanted] if wanted in COMMANDS else COMMANDS, has_options=True)
    if wanted not in COMMANDS:
        parser.epilog = "\n".join(_help())
    return parser


def _help() -> Iterator[str]:
    for heading, commands in _DECLARED.items():
        yield f"{heading}:"
        yield from (f"  {name:<10}{commands[name]['description']}" for name in commands)
    yield "\nSee design2a11y COMMAND --help for what each takes."


#: Width of the bar.
_BAR = 30


class Progress:
    """Shows how many of a known total are done, the rate, and the time left, on a terminal."""

    def __init__(self, total: int, stream: TextIO, *, every: float | None = None) -> None:
        """Show nothing for a total of one; `every`: seconds between lines if the stream is not a terminal."""
        self._total = total
        self._stream = stream
        self._done = 0
        self._worked = 0
        self._start = self._reported = time.monotonic()
        self._every = None if stream.isatty() else every
        self._is_shown = total > 1 and stream.isatty()

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def advance(self, number: int = 1, *, is_work: bool = True) -> None:
        """Count more as done."""
        self._done += number
        self._worked += number if is_work else 0
        self._draw()
        now = time.monotonic()
        if self._every is not None and now - self._reported >= self._every:
            self._reported = now
            self._stream.write(f"{self._done}/{self._total}{self._pace()}\n")
            self._stream.flush()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar while something else is printed."""
        self._erase()
        yield
        self._draw()

    def _draw(self) -> None:
        if self._is_shown:
            filled = _BAR * self._done // self._total
            self._stream.write(f"\r[{'#' * filled:<{_BAR}}] {self._done}/{self._total}{self._pace()}")
            self._stream.flush()

    def _pace(self) -> str:
        elapsed = time.monotonic() - self._start
        if not self._worked or not elapsed:
            return ""
        rate = self._worked / elapsed
        left = timedelta(seconds=round((self._total - self._done) / rate))
        return f", {rate:.2f} a second, {left} left"

    def _erase(self) -> None:
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
