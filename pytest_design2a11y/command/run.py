"""The command's parser, and what becomes of errors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn

from pytest_design2a11y.command import assets, audit, compare, import_figma, plan, saved_runs, score
from pytest_design2a11y.command.output import EXIT_MEASURED, EXIT_USAGE, accept_all_characters
from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.exceptions import (
    AppearanceUnavailable,
    ConfigurationError,
    Design2a11yError,
    RunError,
)
from pytest_design2a11y.settings import options

COMMANDS = (score, audit, compare, saved_runs, plan, import_figma, assets)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    accept_all_characters()
    parser = _parser()
    namespace = parser.parse_args(arguments)
    try:
        code: int = namespace.run(namespace)
    except BrokenPipeError:
        sys.stderr.close()
        return EXIT_MEASURED
    except (ConfigurationError, RunError, AppearanceUnavailable, OSError) as error:
        is_ours = isinstance(error, Design2a11yError)
        message = str(error) if is_ours else terminal_line(str(error))
        parser.exit(EXIT_USAGE, f"design2a11y: {options.in_command(message)}\n")
    return code


class _Parser(argparse.ArgumentParser):
    """A parser whose errors repeat arguments, such as names of files, as text that does not act."""

    def error(self, message: str) -> NoReturn:
        super().error(terminal_line(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="design2a11y", description="Visual similarity and accessibility rates of generated pages."
    )
    parser.add_argument("--version", action="version", version=version("pytest-design2a11y"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in COMMANDS:
        module.add_to(commands)
    for name, command in commands.choices.items():
        options.add_to_parser(command, name)
    return parser
