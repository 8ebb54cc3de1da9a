"""What all commands share: the parser, errors, output and exit codes."""

import argparse
import io
import re
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

from pytest_design2a11y.escaping import json_line, terminal_line
from pytest_design2a11y.exceptions import (
    AppearanceUnavailable,
    ConfigurationError,
    Design2a11yError,
    RunError,
)
from pytest_design2a11y.files import STANDARD_OUTPUT
from pytest_design2a11y.settings import options
from pytest_design2a11y.wording import did_you_mean

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


#: The commands, as `--help` groups them.
GROUPS = {
    "measure": ("score", "audit", "describe"),
    "compare": ("compare", "check", "report", "runs"),
    "fix": ("feedback", "accept"),
    "set up": ("assets", "config", "mcp"),
}
#: Modules that declare commands of other names.
MODULES = {
    **dict.fromkeys(("check", "report", "feedback", "accept"), "saved_runs"),
    "describe": "audit",
    "mcp": "config",
}
COMMANDS = tuple(chain.from_iterable(GROUPS.values()))


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
        code: int | None = namespace.run(namespace)
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


def command_modules(names: Iterable[str] = COMMANDS) -> Iterator[Any]:
    """Import and yield the modules that declare commands."""
    for module in dict.fromkeys(MODULES.get(name, name) for name in names):
        yield import_module(f"pytest_design2a11y.command.{module}")


def _parser(wanted: str = "") -> argparse.ArgumentParser:
    """Return the parser of the wanted command, or of all if there is no such one: their imports take time."""
    parser = _Parser(
        prog="design2a11y",
        description="Measure how closely generated pages match their designs, and how accessible they are.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version("pytest-design2a11y"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in command_modules([wanted] if wanted in COMMANDS else COMMANDS):
        module.add_to(commands)
    for command in commands.choices.values():
        _add_options(command)
    if {*COMMANDS} <= commands.choices.keys():
        parser.epilog = "\n".join(_grouped(commands.choices))
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(parser=parser)
    parts = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for part in parts[0].values() if parts else ():
        _add_options(part)
    if not parts:
        options.add_to_parser(parser, parser.prog.partition(" ")[2])


def _grouped(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    for heading, names in GROUPS.items():
        yield f"{heading}:"
        yield from (f"  {name:<10}{commands[name].description}" for name in names)
    yield "\nSee design2a11y COMMAND --help for what each takes."
