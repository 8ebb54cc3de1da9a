"""How much there is to learn: growth of the surface is a decision, made here."""

from __future__ import annotations

import pytest

import pytest_design2a11y
from pytest_design2a11y import exceptions, extending
from pytest_design2a11y.command.shell import COMMANDS, _parser
from pytest_design2a11y.plugin.marker import MARKER_ARGUMENTS
from pytest_design2a11y.settings.configuration import OPTIONS

MOST_FLAGS = 25
MOST_COMMANDS = 12
MOST_LINES = 120
PUBLIC = 25  # Besides the errors that they raise
ERRORS = 38  # Classes that a caller may need to tell apart; the warning is one
FOR_EXTENSIONS = 25
MARKER = 34


def test_pytest_has_few_flags_and_no_other_option_has_one() -> None:
    flags = [option.pytest_flag for option in OPTIONS if option.pytest_flag]

    assert len(flags) <= MOST_FLAGS
    assert len({*flags}) == len(flags)


def test_there_are_few_commands() -> None:
    assert len(COMMANDS) <= MOST_COMMANDS


def test_no_command_has_a_name_that_is_also_a_key_of_another_meaning() -> None:
    same = {"compare", "assets", "label"}

    parts = {"list", "label", "merge", "export", "plan", "figma", "clip"}
    assert {option.name for option in OPTIONS} & {*COMMANDS, *parts} == same


def test_public_names_and_arguments_of_the_marker_are_counted() -> None:
    names = [name for name in pytest_design2a11y.__all__ if not hasattr(exceptions, name)]

    assert len(names) <= PUBLIC
    assert len(pytest_design2a11y.__all__) - len(names) <= ERRORS
    assert len(extending.__all__) <= FOR_EXTENSIONS
    assert len(MARKER_ARGUMENTS) <= MARKER


@pytest.mark.parametrize("columns", ["80", "100"])
def test_the_help_of_score_fits_on_two_screens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    with pytest.raises(SystemExit):
        _parser("score").parse_args(["score", "--help"])

    text = capsys.readouterr().out
    assert len(text.splitlines()) <= MOST_LINES
    assert "configuration keys:" in text
    assert "--settle" not in text
