"""Options of pytest and of the command, read into Settings.

Options are declared by the fields of `Settings`, of its `capture` and of `LimitOptions`. An option's value
comes from the command line, else from pytest's ini file, else from the project's configuration, else from its
default. Imported in every pytest run of every user: keep module-level imports cheap.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import AXE, HEADINGS, INI_PREFIX, Option
from pytest_design2a11y.settings import FOLDER, Settings, require_probes
from pytest_design2a11y.settings.configuration import OPTIONS, Given, option_named, read_project
from pytest_design2a11y.settings.run_options import RUN_FIELDS
from pytest_design2a11y.wording import did_you_mean, flag, quotes_advice

if TYPE_CHECKING:
    import pytest

    from pytest_design2a11y.models.metric import Metric
    from pytest_design2a11y.models.option import Options


def add_to_pytest(parser: "pytest.Parser") -> None:
    """Declare every option as an ini key of pytest, and those that people type as flags."""
    for heading in HEADINGS:
        group = parser.getgroup(f"design2a11y {heading}", f"design2a11y: {heading}")
        for option in _flags(heading):
            if option.pytest_flag:
                group.addoption(option.pytest_flag, dest=option.ini, **_argparse_arguments(option))
    for option in OPTIONS:
        kind: Any = "bool" if option.is_switch else "linelist" if option.is_repeatable else "string"
        parser.addini(option.ini, option.help, type=kind, default=None)


def add_to_parser(parser: argparse.ArgumentParser, command: str) -> None:
    """Declare the options that a command of `design2a11y` uses: flags, and `--set` for the other keys."""
    used = [option for option in OPTIONS if command in option.commands]
    for heading in HEADINGS:
        group = parser.add_argument_group(heading)
        for option in _flags(heading):
            if option in used:
                group.add_argument(option.in_command, dest=option.ini, **_argparse_arguments(option))
    if keys := [option.name for option in used if not option.flag]:
        group = parser.add_argument_group("configuration keys", "\n".join(wrap(", ".join(keys), 78)))
        group.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="set a configuration key for this call; `design2a11y config` explains them",
        )
    parser.set_defaults(command=command)


def _flags(heading: str) -> Iterator[Option]:
    return (option for option in OPTIONS if option.flag == heading)


def _argparse_arguments(option: Option) -> dict[str, Any]:
    has_note = option.default not in (None, (), "") and not option.is_switch
    help_text = option.help + (f" Default: {option.default}." if has_note else "")
    help_text = help_text.replace("%", "%%")
    if option.is_switch:
        return {"action": "store_true", "default": None, "help": help_text}
    action = "append" if option.is_repeatable else "store"
    return {"action": action, "default": None, "metavar": option.metavar, "help": help_text}


def given_to_pytest(config: "pytest.Config") -> list[Given]:
    """Read the options of a pytest run, the most specific first."""
    typed: dict[str, Any] = {}
    written: dict[str, Any] = {}
    # Keys that the command line sets by `-o KEY=VALUE`.
    overridden = {text.partition("=")[0] for text in config.getoption("override_ini", None) or ()}
    # pytest itself only warns of unknown keys in the file, and has no public name for them.
    unknown: Iterable[str] = getattr(config, "_get_unknown_ini_keys", tuple)()
    for key in sorted({*unknown, *overridden}):
        if key.startswith(INI_PREFIX):
            option_named(key.removeprefix(INI_PREFIX), given_as=key)
    for option in OPTIONS:
        if option.pytest_flag and (value := config.getoption(option.ini)) is not None:
            typed[option.field] = option.value_of(value)
        elif (value := _ini_value(config, option)) not in (None, "", []):
            (typed if option.ini in overridden else written)[option.field] = option.value_of(value)
    if (device := config.getoption("device", None)) and "viewport" not in typed:
        typed["viewport"] = (device,)  # pytest-playwright's own option --device
    given = (Given("command line", typed), Given("ini file", written), read_project(config.rootpath).given)
    return [one for one in given if one.values]


def _ini_value(config: "pytest.Config", option: Option) -> Any:
    try:
        return config.getini(option.ini)
    except ValueError:
        raise ConfigurationError(
            f"{option.ini} does not take what the ini file gives it.", advice="Write true or false."
        ) from None


def given_to_command(namespace: argparse.Namespace, *, folder: Path | None = None) -> list[Given]:
    """Read the options of a `design2a11y` command, the most specific first."""
    typed = {
        option.field: option.value_of(value)
        for option in OPTIONS
        if (value := getattr(namespace, option.ini, None)) is not None
    }
    used = [option.field for option in OPTIONS if namespace.command in option.commands]
    project = read_project(folder or Path.cwd()).given
    return [Given("command line", _set_by_key(namespace) | typed), _about(used, project)]


def _about(fields: Iterable[str], project: Given) -> Given:
    """Return what a project's configuration says of some options, and of cases."""
    kept = {*fields, "cases"}
    return Given(project.origin, {name: value for name, value in project.values.items() if name in kept})


def _set_by_key(namespace: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in getattr(namespace, "set", ()):
        key, sign, value = text.partition("=")
        if not sign or text.startswith("'"):
            advice = quotes_advice(text) + "Write --set KEY=VALUE."
            raise ConfigurationError(f"--set {text} is not a key with its value.", advice=advice)
        option = option_named(key.strip(), given_as=f"--set {text}")
        if namespace.command not in option.commands:
            raise ConfigurationError(
                f"`{namespace.command}` does not use the key {option.name}.",
                advice=f"It is for: {', '.join(sorted(option.commands))}.",
            )
        read = option.value_of(value, given_as=f"--set {option.name}")
        found[option.field] = (*found.get(option.field, ()), *read) if option.is_repeatable else read
    return found


def make_settings(
    given: Sequence[Given] = (),
    *,
    folder: Path = FOLDER,
    cache_folder: Path | None = None,
    metrics: "Iterable[Metric]" = (),
) -> Settings:
    """Make Settings from what was given, the most specific first.

    Without a cache folder nothing is cached. `metrics` are a program's own, in addition to those of hooks,
    installed packages and files in `given`.
    ConfigurationError if a value is unknown, or options exclude each other.
    """
    from pytest_design2a11y.extending import Engine
    from pytest_design2a11y.limits import most_specific, named_limits, refuse_unmeasured
    from pytest_design2a11y.registry import require, use_metrics

    everything = {name: value for one in reversed(given) for name, value in one.values.items()}
    values = _values_of(Settings, everything)
    files = values.get("metrics", ())
    own_metrics = use_metrics(metrics, files)
    engines = values.get("engines", AXE)
    require(Engine, engines.split(","), files)
    require_probes(values.get("probes", ""), files)
    limits = most_specific(limit for one in given for limit in named_limits(one.values, origin=one.origin))
    on_cases = [limit for rule in values.get("cases", ()) for limit in rule.limits]
    is_audited = values.get("audit", True)
    refuse_unmeasured((*limits, *on_cases), is_audited=is_audited, engines=engines)
    if not is_audited:
        for option in OPTIONS:
            if option.field in _NEEDING_AUDITS and values.get(option.field):
                raise ConfigurationError(
                    f"{option.given_as} needs the audit that {flag('no_audit')} leaves out.",
                    advice="Drop one of them.",
                )
    wants_pictures = values.get("html") or values.get("save")
    return Settings(
        **values,
        limits=limits,
        own_metrics=own_metrics,
        typed=frozenset(name for one in given if one.origin == "command line" for name in one.values),
        capture=CaptureLimits(**_values_of(CaptureLimits, everything)),
        cache_folder=cache_folder if values.get("cache", True) else None,
        picture_folder=folder / "pictures" if wants_pictures else None,
    )


_NEEDING_AUDITS = frozenset({"known", "findings"})


def _values_of(declaring: "type[Options]", values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in declaring.__dataclass_fields__}


def settings_from_pytest(config: "pytest.Config") -> Settings:
    """Make the Settings of a pytest run; `pytest --cache-clear` empties the cache, if pytest has one."""
    cache_folder = None
    with suppress(AttributeError, OSError):
        cache_folder = config.cache.mkdir("design2a11y")
    return make_settings(
        given_to_pytest(config),
        folder=config.rootpath / FOLDER,
        cache_folder=cache_folder,
    )


def settings_from_namespace(
    namespace: argparse.Namespace, *, standard: Mapping[str, Any] = MappingProxyType({})
) -> Settings:
    """Make the Settings of a `design2a11y` command; `standard` has its own defaults of some options."""
    given = [*given_to_command(namespace), Given("default", standard)]
    return make_settings(given, cache_folder=FOLDER / "cache")


def keywords_from_namespace(namespace: argparse.Namespace) -> dict[str, Any]:
    """Return what a command was given, also by the project's configuration, as `Scorer` takes it."""
    given = reversed(given_to_command(namespace))
    return {name: value for one in given for name, value in one.values.items() if name != "cases"}


def settings_from_keywords(
    values: Mapping[str, Any],
    *,
    cache_folder: Path | None,
    metrics: "Iterable[Metric]" = (),
    project: Given | None = None,
) -> Settings:
    """Make Settings from the keyword arguments of a program's call, and from a project's configuration.

    They are named like the fields: `timeout=10`, `audit=False`, `max_iwir=0.3`; text is parsed like options.
    What the configuration says of a whole run is left out. ConfigurationError if a setting or value is
    unknown.
    """
    of_pages = (option for option in OPTIONS if "score" in option.commands)
    known = {option.field: option for option in of_pages if option.field not in RUN_FIELDS}
    for name in values:
        if name not in known:
            raise ConfigurationError(
                f"There is no setting {name!r}.",
                advice=f"{did_you_mean(name, known)}Known: {', '.join(sorted(known))}.",
            )
    called = {
        name: bool(value) if known[name].is_switch else known[name].value_of(value)
        for name, value in values.items()
        if value is not None
    }
    given = [Given("call", called), *([] if project is None else [_about(known, project)])]
    return make_settings(given, cache_folder=cache_folder, metrics=metrics)
