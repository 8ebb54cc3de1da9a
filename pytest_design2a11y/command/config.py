"""`design2a11y config`, which lists the configuration, and `mcp`, the server for agents."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.shell import say, say_as_is, say_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.option import Option
from pytest_design2a11y.settings.configuration import (
    OPTIONS,
    OWN_FILE,
    SHARED_FILE,
    TABLE,
    option_named,
    read_project,
)
from pytest_design2a11y.settings.options import settings_from_namespace


def _config(namespace: argparse.Namespace) -> None:
    project, key = read_project(Path.cwd()), namespace.key
    file, given = "" if project.file is None else str(project.file), project.given
    options = OPTIONS if key is None else (option_named(key, given_as="design2a11y config"),)
    records = [
        {
            **_record(option, given.values),
            "source": given.origin if option.field in given.values else "default",
        }
        for option in options
    ]
    cases = [
        {
            "match": rule.match,
            "keys": [_record(one, rule.values) for one in OPTIONS if one.field in rule.values],
        }
        for rule in given.values.get("cases", ())
    ]
    if namespace.json:
        say_json({"schema": SCHEMA_VERSION, "file": file, "keys": records, "cases": cases})
    elif key is not None:
        (option,), (record,) = options, records
        say(f"{option.name} = {_shown(record['value'])} ({record['source']})", option.help)
        say_as_is(f"Given by {option.in_command}, in pytest by {option.in_pytest}.")
    else:
        say(file or f"There is no {OWN_FILE}, and no [{TABLE}] in a {SHARED_FILE}, up from here.")
        for record in records:
            say(f"{record['key']:<22} {_shown(record['value']):<24} {record['source']}")
        for case in cases:
            say("", f"case {case['match']}")
            say(*(f"  {one['key']:<20} {_shown(one['value'])}" for one in case["keys"]))


def _record(option: Option, values: Mapping[str, Any]) -> dict[str, Any]:
    value = values.get(option.field, option.default)
    if option.is_switch:
        value = value is not option.default
    plain = [_plain(one) for one in value] if isinstance(value, tuple) else _plain(value)
    return {"key": option.name, "value": plain}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; a pair, such as a label, as it is written."""
    if isinstance(value, tuple):
        return "=".join(value)
    return str(value) if isinstance(value, Path) else value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = ", ".join(map(str, value)) if isinstance(value, list) else str("" if value is None else value)
    return text or "-"


def _mcp(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.limits.known_file import load_known

    settings = settings_from_namespace(namespace)
    if settings.known is not None:
        load_known(settings.known)
    try:
        from pytest_design2a11y.agents import make_server
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"The server needs the package {error.name}, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[mcp]"`.',
        ) from None
    make_server(settings).run()
