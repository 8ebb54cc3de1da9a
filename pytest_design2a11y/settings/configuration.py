"""The project's configuration: `design2a11y.toml`, or `[tool.design2a11y]` in `pyproject.toml`.

Imported in every pytest run of every user: keep module-level imports cheap.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import file_path
from pytest_design2a11y.models.option import HEADINGS, Option, options_of
from pytest_design2a11y.settings import CALL_FIELDS, CaseRule, Settings
from pytest_design2a11y.settings.run_options import LimitOptions

OWN_FILE, SHARED_FILE, TABLE = "design2a11y.toml", "pyproject.toml", "tool.design2a11y"

#: Key of the tables for single cases, and the fields that they may set.
CASES = "case"
FOR_CASES = frozenset({*CALL_FIELDS, *(option.field for option in options_of(LimitOptions))})

#: Origin of what the configuration gives; see `limits.ORIGINS`.
ORIGIN = "configuration file"


#: All options: those that people type, in the order of a day's work, then those that are keys only.
OPTIONS: tuple[Option, ...] = tuple(
    sorted(
        (*options_of(LimitOptions), *options_of(Settings), *options_of(CaptureLimits)),
        key=lambda option: HEADINGS.index(option.flag) if option.flag else len(HEADINGS),
    )
)


class Given(NamedTuple):
    """Values of options, by field, that were given in one place."""

    origin: str  # One of `limits.ORIGINS`
    values: Mapping[str, Any]  # Read, by field


class Project(NamedTuple):
    """A project's configuration."""

    file: Path | None  # Where it is; None: there is none
    given: Given


def option_named(key: str, *, given_as: str) -> Option:
    """Return the option with a key; ConfigurationError, which begins with `given_as`, if there is none."""
    for option in OPTIONS:
        if option.name == key:
            return option
    from pytest_design2a11y.wording import did_you_mean

    hint = did_you_mean(key, [option.name for option in OPTIONS])
    raise ConfigurationError(
        f"{given_as}: there is no key {key!r}.", advice=f"{hint}See them all: design2a11y config."
    )


def read_project(folder: Path) -> Project:
    """Read the nearest configuration, in a folder or above it; without any, nothing is given.

    Paths in it are relative to its file. ConfigurationError if it is not TOML, or a key or a value is not
    valid.
    """
    for place in (folder.resolve(), *folder.resolve().parents):
        if (found := _table_in(place)) is not None:
            file, table = found
            return Project(file, Given(ORIGIN, dict(_read(table, file))))
    return Project(None, Given(ORIGIN, {}))


def _table_in(folder: Path) -> tuple[Path, Mapping[str, Any]] | None:
    own, shared = folder / OWN_FILE, folder / SHARED_FILE
    in_shared = None
    if shared.is_file() and f"[{TABLE}" in _text_of(shared):
        in_shared = _parse(shared).get("tool", {}).get("design2a11y")
    if not own.is_file():
        return None if in_shared is None else (shared, in_shared)
    if in_shared is not None:
        raise ConfigurationError(
            f"{folder} has two configurations: {OWN_FILE}, and [{TABLE}] in {SHARED_FILE}.",
            advice="Keep one of them.",
        )
    return own, _parse(own)


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read: {error}.", advice="Fix the file.") from None


def _parse(file: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(_text_of(file))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file} is not TOML: {error}.", advice="Fix the file.") from None


def _read(table: Mapping[str, Any], file: Path) -> Iterable[tuple[str, Any]]:
    for key, raw in table.items():
        if key == CASES:
            if not (isinstance(raw, list) and all(isinstance(part, dict) for part in raw)):
                raise ConfigurationError(
                    f"{file}: {CASES} takes tables, not {raw!r}.",
                    advice=f"Begin each with [[{TABLE}.{CASES}]].",
                )
            yield "cases", tuple(_case(part, file) for part in raw)
        else:
            option = option_named(key, given_as=str(file))
            yield option.field, _value(option, raw, file)


def _case(table: dict[str, Any], file: Path) -> CaseRule:
    match = table.pop("match", None)
    if not (isinstance(match, str) and match.strip("/")):
        raise ConfigurationError(
            f"{file}: a {CASES} has no match.", advice='Write the cases that it is for: match = "checkout*".'
        )
    values = {}
    for key, raw in table.items():
        option = option_named(key, given_as=f"{file}: {CASES} {match!r}")
        if option.field not in FOR_CASES:
            raise ConfigurationError(
                f"{file}: {CASES} {match!r} cannot set {key}, which applies to the whole run.",
                advice=f"It takes: {', '.join(sorted(FOR_CASES))}.",
            )
        values[option.field] = _value(option, raw, file)
    return CaseRule(match, values)


def _value(option: Option, raw: Any, file: Path) -> Any:
    given_as = f"{file}: {option.name}"
    texts = raw if isinstance(raw, list) and option.is_repeatable else [raw]
    if not all(
        isinstance(each, str | int | float) and isinstance(each, bool) == option.is_switch for each in texts
    ):
        what = "true or false" if option.is_switch else "a list" if option.is_repeatable else "one value"
        raise ConfigurationError(f"{given_as} takes {what}, not {raw!r}.", advice=option.help)
    if option.is_switch:
        return option.value_of(raw)
    if option.metavar in ("FILE", "FOLDER", "PATH"):
        texts = [_beside(file, str(text), may_be_name=option.read is str) for text in texts]
    return option.value_of(texts if option.is_repeatable else texts[0], given_as=given_as)


def _beside(file: Path, text: str, *, may_be_name: bool) -> str:
    """Return a path that a file names, which is relative to it; the name of a module or program unchanged."""
    path = file.parent / file_path(text)
    return text if text == "-" or (may_be_name and not path.exists()) else str(path)
