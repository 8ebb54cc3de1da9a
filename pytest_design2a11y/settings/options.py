"""Options of pytest and of the command, read into Settings.

Options are declared by the fields of `Settings`, of its `capture` and of `LimitOptions`. An option's value
comes from the command line, else from the ini file (or pyproject), else from its default. Imported in every
pytest run of every user: keep module-level imports cheap.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import FLAG_PREFIX, Option, Options, options_of
from pytest_design2a11y.settings.values import FOLDER, RUN_FIELDS, LimitOptions, Settings, require_probes

if TYPE_CHECKING:
    import pytest

    from pytest_design2a11y.models.metric import Metric

#: Value and origin ("call", "command line" or "ini file") of the given options, by field.
Given = dict[str, tuple[Any, str]]

OPTIONS: tuple[Option, ...] = (*options_of(LimitOptions), *options_of(CaptureLimits), *options_of(Settings))


def add_to_pytest(parser: pytest.Parser) -> None:
    """Declare every option as a pytest flag and ini key."""
    group = parser.getgroup(
        "design2a11y", "design2a11y: visual similarity and accessibility of generated pages"
    )
    for option in OPTIONS:
        group.addoption(option.pytest_flag, dest=option.ini, **_argparse_arguments(option))
        kind: Any = "bool" if option.is_switch else "linelist" if option.is_repeatable else "string"
        parser.addini(option.ini, option.help, type=kind, default=None)


def add_to_parser(parser: argparse.ArgumentParser, command: str) -> None:
    """Declare the options that a command of `design2a11y` takes."""
    for option in OPTIONS:
        if command in option.commands:
            arguments = _argparse_arguments(option)
            arguments["help"] = in_command(arguments["help"])
            parser.add_argument(option.command_flag, dest=option.ini, **arguments)


def _argparse_arguments(option: Option) -> dict[str, Any]:
    has_note = option.default not in (None, (), "") and not option.is_switch
    help_text = option.help + (f" Default: {option.default}." if has_note else "")
    help_text = help_text.replace("%", "%%")
    if option.is_switch:
        return {"action": "store_true", "default": None, "help": help_text}
    action = "append" if option.is_repeatable else "store"
    return {"action": action, "default": None, "metavar": option.metavar, "help": help_text}


def in_command(text: str) -> str:
    """Return a message with options spelled as in the `design2a11y` command."""
    return _prefixed_flags().sub(r"--\1", text) if FLAG_PREFIX in text else text


@cache
def _prefixed_flags() -> re.Pattern[str]:
    names = "|".join(rf"{option.command_flag[2:]}\b" for option in OPTIONS if not option.is_bare)
    return re.compile(f"{FLAG_PREFIX}({names})")


def has_pytest_html(config: pytest.Config) -> bool:
    """Return whether pytest-html writes a report in this run."""
    return bool(config.getoption("htmlpath", None))


def given_to_pytest(config: pytest.Config) -> Given:
    """Read the options of a pytest run."""
    given: Given = {}
    for option in OPTIONS:
        if (typed := config.getoption(option.ini)) is not None:
            given[option.field] = (option.value_of(typed), "command line")
        elif (written := config.getini(option.ini)) not in (None, "", []):
            given[option.field] = (option.value_of(written), "ini file")
    device = config.getoption("device", None)
    if device and not {"viewport", "device"} & given.keys():
        given["device"] = ((device,), "command line")  # pytest-playwright's own option --device
    return given


def given_to_command(namespace: argparse.Namespace) -> Given:
    """Read the options of a `design2a11y` command."""
    return {
        option.field: (option.value_of(typed), "command line")
        for option in OPTIONS
        if (typed := getattr(namespace, option.ini, None)) is not None
    }


def make_settings(
    given: Given,
    *,
    folder: Path = FOLDER,
    cache_folder: Path | None = None,
    has_pictures: bool = False,
    metrics: Iterable[Metric] = (),
) -> Settings:
    """Make Settings from values by field, each with its origin.

    Without a cache folder nothing is cached. `has_pictures`: reports other than our own need pictures.
    `metrics` are a program's own, in addition to those of hooks, installed packages and files in `given`.

    Raises:
        ConfigurationError: A value is unknown, or options exclude each other.
    """
    from pytest_design2a11y.extending import Engine
    from pytest_design2a11y.limits.thresholds import ORIGINS, most_specific, named_limits, refuse_unaudited
    from pytest_design2a11y.registry import available, require, use_metrics

    values = _values_of(Settings, given)
    files = values.get("metrics", ())
    own_metrics = use_metrics(metrics, files)
    if engines := values.get("engines"):
        require(Engine, engines.split(","), files)
    require_probes(values.get("probes", ""), files)
    limits = most_specific(
        limit
        for origin in ORIGINS
        for limit in named_limits(
            {name: value for name, (value, given_in) in given.items() if given_in == origin}, origin=origin
        )
    )
    if not values.get("audit", True):
        refuse_unaudited(limits)
        for field in ("known", "sarif", "code_quality", "findings", "audit_reference", "merge"):
            if values.get(field):
                flag = next(option.pytest_flag for option in OPTIONS if option.field == field)
                raise ConfigurationError(
                    f"{flag} needs the audit that --design2a11y-no-audit leaves out.",
                    advice="Drop one of them.",
                )
    if values.get("merge") and "," not in values.get("engines", ""):
        raise ConfigurationError(
            f"--design2a11y-merge {values['merge']} merges what several engines find, and one alone runs.",
            advice=f"Add --design2a11y-engines {','.join(available(Engine, files))}.",
        )
    wants_pictures = has_pictures or bool(values.get("html") or values.get("save"))
    return Settings(
        **values,
        limits=limits,
        own_metrics=own_metrics,
        capture=CaptureLimits(**_values_of(CaptureLimits, given)),
        cache_folder=cache_folder if values.get("cache", True) else None,
        picture_folder=folder / "pictures" if wants_pictures else None,
    )


def _values_of(declaring: type[Options], given: Given) -> dict[str, Any]:
    return {name: value for name, (value, _) in given.items() if name in declaring.__dataclass_fields__}


def settings_from_pytest(config: pytest.Config) -> Settings:
    """Make the Settings of a pytest run.

    `pytest --cache-clear` empties the cache, if pytest has one.
    """
    cache_folder = None
    with suppress(AttributeError, OSError):
        cache_folder = config.cache.mkdir("design2a11y")
    return make_settings(
        given_to_pytest(config),
        folder=config.rootpath / FOLDER,
        cache_folder=cache_folder,
        has_pictures=has_pytest_html(config),
    )


def settings_from_namespace(namespace: argparse.Namespace) -> Settings:
    """Make the Settings of a `design2a11y` command."""
    return make_settings(given_to_command(namespace), cache_folder=FOLDER / "cache")


def settings_from_keywords(
    values: Mapping[str, Any], *, cache_folder: Path | None, metrics: Iterable[Metric] = ()
) -> Settings:
    """Make Settings from the keyword arguments of a program's call.

    They are named like the fields: `timeout=10`, `audit=False`, `max_iwir=0.3`; text is parsed like options.

    Raises:
        ConfigurationError: A setting is unknown, or its value invalid.
    """
    of_pages = (option for option in OPTIONS if "score" in option.commands)
    known = {option.field: option for option in of_pages if option.field not in RUN_FIELDS}
    for name in values:
        if name not in known:
            from pytest_design2a11y.wording import did_you_mean

            raise ConfigurationError(
                f"There is no setting {name!r}.",
                advice=f"{did_you_mean(name, known)}Known: {', '.join(sorted(known))}.",
            )
    given: Given = {
        name: (bool(value) if known[name].is_switch else known[name].value_of(value), "call")
        for name, value in values.items()
        if value is not None
    }
    return make_settings(given, cache_folder=cache_folder, metrics=metrics)
