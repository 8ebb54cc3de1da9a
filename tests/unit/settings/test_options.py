"""Options are declared by the fields that they set; pytest and the command take in the same ones."""

from __future__ import annotations

import argparse
import ast
import pickle
import re
from dataclasses import FrozenInstanceError, asdict, fields
from pathlib import Path
from typing import Any

import pytest

import pytest_design2a11y
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.command.shell import add_commands
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import Option
from pytest_design2a11y.settings import CALL_FIELDS, Settings
from pytest_design2a11y.settings.configuration import OPTIONS, Given
from pytest_design2a11y.settings.options import (
    add_to_parser,
    given_to_command,
    make_settings,
)
from pytest_design2a11y.settings.run_options import LimitOptions
from pytest_design2a11y.wording import command_flag, flag, read_by, setting

PACKAGE = Path(pytest_design2a11y.__file__).parent


def settings_of(command: str, *arguments: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_to_parser(parser, command)
    return make_settings(given_to_command(parser.parse_args(arguments)), cache_folder=Path("cache"))


def values_of(settings: Settings) -> dict[str, Any]:
    return {one.name: getattr(settings, one.name) for one in fields(settings)}


def test_without_options_every_setting_has_its_fields_default() -> None:
    assert asdict(make_settings()) == asdict(Settings())


def test_every_option_sets_the_field_that_declares_it() -> None:
    assert len({one.field for one in OPTIONS}) == len(OPTIONS)
    declaring = {one.name for owner in (LimitOptions, CaptureLimits, Settings) for one in fields(owner)}
    assert {one.field for one in OPTIONS} <= declaring


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (["--timeout", "2.5"], "timeout", 2.5),
        (["--set", "no_javascript=true"], "javascript", False),
        (["--allow-host", "a.com", "--allow-host", "b.com"], "allow_host", ("a.com", "b.com")),
        (["--set", "max_height=900"], "max_height", 900),
    ],
)
def test_what_a_page_may_do_is_a_setting_of_its_own_record(
    arguments: list[str], field: str, value: object
) -> None:
    assert getattr(settings_of("score", *arguments).capture, field) == value


def test_a_switch_that_turns_something_off_is_named_no() -> None:
    assert settings_of("score").cache_folder == Path("cache")
    assert settings_of("score", "--no-cache").cache_folder is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--timeout", "0"],
            "does not take '0': write a number above 0. Time limit for each page, in seconds.",
        ),
        (["--set", "max_nodes=many"], "does not take 'many'"),
        (["--set", "text_ratio=cosine"], "'cosine' is not one of indel, difflib"),
        (["--axe-script", "nowhere.js"], "does not take 'nowhere.js': there is no such file."),
    ],
)
def test_an_impossible_value_is_refused(arguments: list[str], message: str) -> None:
    with read_by("command"), pytest.raises(ConfigurationError, match=re.escape(message)) as caught:
        settings_of("score", *arguments)

    name = " ".join(arguments).partition("=")[0] if arguments[0] == "--set" else arguments[0]
    assert str(caught.value).startswith(f"{name} does not take")


def test_a_key_in_single_quotes_as_cmd_exe_hands_it_over_says_what_to_type() -> None:
    with pytest.raises(ConfigurationError) as caught:
        settings_of("score", "--set", "'timeout=5'")

    assert str(caught.value) == (
        "--set 'timeout=5' is not a key with its value. In cmd.exe only double quotes hold a value together: "
        "write \"...\" for '...'. Write --set KEY=VALUE."
    )


def test_limits_know_where_they_were_set() -> None:
    settings = make_settings(
        [
            Given("command line", {"max_iwir": 0.3, "require": ("ir<=0.2",)}),
            Given("ini file", {"require": ("position>=0.5",)}),
            Given("configuration file", {"max_ir": 0.1, "min_fidelity": 0.8}),
        ]
    )

    assert [(str(one), one.origin) for one in settings.limits] == [
        ("iwir<=0.3", "command line"),
        ("ir<=0.2", "command line"),
        ("position>=0.5", "ini file"),
        ("fidelity>=0.8", "configuration file"),
    ]


@pytest.mark.parametrize(
    "option",
    [("--max-ir", "0.1"), ("--require", "iwir<=0.4"), ("--known", "known.toml"), ("--findings", "a.sarif")],
)
def test_nothing_is_judged_or_told_by_an_audit_that_is_left_out(option: tuple[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="needs the audit that --design2a11y-no-audit leaves out"):
        settings_of("score", "--no-audit", *option)

    assert settings_of("score", "--no-audit", "--require", "position>=0.5").limits


def test_a_marker_or_call_changes_some_settings_only() -> None:
    given = {"rules_off": "image-alt", "axe_tags": ["wcag2a", "wcag2aa"]}
    choice = Settings().with_choices(given).audit_choice

    assert (choice.rules_off, choice.tags) == (("image-alt",), ("wcag2a", "wcag2aa"))
    assert set(CALL_FIELDS) == {
        *("root", "clean_urls", "single_page", "picture_scale", "probes"),
        *("viewport", "scheme", "locale", "timezone", "wait_for", "mask", "part"),
        *("axe_script", "axe_tags", "rules_on", "rules_off", "include", "exclude", "minimum_impact"),
    }


def test_pytest_flags_have_the_prefix_and_command_flags_have_not() -> None:
    flags = {one.field: (one.pytest_flag, one.command_flag, one.ini) for one in OPTIONS}

    assert flags["chromium"] == ("--design2a11y-chromium", "--chromium", "design2a11y_chromium")
    assert flags["cache"] == (None, "--no-cache", "design2a11y_no_cache")
    assert flags["settle"] == (None, None, "design2a11y_settle")
    assert flags["max_iwir"] == ("--max-iwir", "--max-iwir", "design2a11y_max_iwir")


def test_help_names_other_options_by_their_keys_which_are_the_same_everywhere() -> None:
    assert [
        option.name for option in OPTIONS if "design2a11y" in option.help.replace(".design2a11y/", "")
    ] == []


def test_messages_spell_an_option_as_their_reader_types_it() -> None:
    named = flag("fail_on"), setting("settle"), command_flag("only")

    with read_by("command"):
        assert (flag("fail_on"), setting("settle"), command_flag("only")) == (
            "--fail-on",
            "--set settle",
            "--only",
        )
    assert named == ("--design2a11y-fail-on", "-o design2a11y_settle", "-o design2a11y_only")


def test_an_option_is_given_as_its_reader_types_it() -> None:
    assert [one.given_as for one in OPTIONS] == [one.in_pytest for one in OPTIONS]
    with read_by("command"):
        assert [one.given_as for one in OPTIONS] == [one.in_command for one in OPTIONS]


def test_every_option_that_a_message_names_exists_and_is_of_that_kind() -> None:
    calls = [
        (node.func.id, argument.value, path.name)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _KINDS
        for argument in node.args
        if isinstance(argument, ast.Constant)
    ]
    kinds = {one.name: _kind(one) for one in OPTIONS}

    assert len(calls) > 70
    assert [call for call in calls if kinds.get(str(call[1])) != call[0]] == []


_KINDS = {"flag", "setting", "command_flag"}


def _kind(one: Option) -> str:
    return "flag" if one.pytest_flag else "command_flag" if one.command_flag else "setting"


def test_no_message_spells_an_option_for_pytest_alone() -> None:
    spelled = r"--design2a11y-[a-z0-9]+|-o design2a11y_[a-z]+"
    named = [
        (found, path.name)
        for path in PACKAGE.rglob("*.py")
        for found in re.findall(spelled, path.read_text(encoding="utf-8"))
        if path.name != "wording.py"
    ]

    assert named == []


def test_no_command_flag_has_two_meanings() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    add_commands(commands)
    for name, command in commands.choices.items():
        add_to_parser(command, name)

    assert set(commands.choices) >= {name.split()[0] for one in OPTIONS for name in one.commands}


def test_settings_have_no_other_names_and_do_not_change() -> None:
    misnamed: Any = {"time_out": 3}
    with pytest.raises(TypeError, match=r"^CaptureLimits has no time_out$"):
        CaptureLimits(**misnamed)
    with pytest.raises(FrozenInstanceError, match=r"^cannot assign to field 'cache'$"):
        setattr(Settings(), "cache", False)  # noqa: B010 - as a program that is not checked would


def test_settings_travel_to_other_processes() -> None:
    settings = Settings(max_bytes=3, capture=CaptureLimits(timeout=2.0))

    assert asdict(pickle.loads(pickle.dumps(settings))) == asdict(settings)
