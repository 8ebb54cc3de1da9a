"""An option as declared by its field: help, reader, and where it can be set.

A class of `Options` writes `name: type = option(default, "What it does.", ...)`; name and default are the
field's own, the rest is in its metadata. Imported in every pytest run of every user: keep it light.
"""

import os
from collections.abc import Callable, Collection
from dataclasses import Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, NoReturn, TypeVar, dataclass_transform, get_args

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.wording import quotes_advice, reader

T = TypeVar("T")

FLAG_PREFIX = "--design2a11y-"
INI_PREFIX = "design2a11y_"

#: Headings of `--help`, in the order of a day's work.
Heading = Literal["limits", "results", "pages", "measuring"]
HEADINGS: tuple[Heading, ...] = get_args(Heading)


def option(
    default: T,
    help: str,
    *,
    read: Callable[[str], Any] = str,
    metavar: str | None = None,
    commands: Collection[str] = (),
    flag: Heading | None = None,
    is_bare: bool = False,
    is_of_command: bool = False,
    is_for_calls: bool = False,
) -> T:
    """Declare a field of `Options` as an option; see `Option`.

    A default of False or True makes a switch (True: giving it turns something off, and its name starts with
    `no_`); an empty tuple makes an option that may be given several times.
    """
    read = _switch if isinstance(default, bool) else read
    how = Option(help, read, metavar, commands, flag, is_bare, is_of_command, is_for_calls)
    declared: T = field(default=default, metadata={"option": how})
    return declared


def _switch(text: str) -> bool:
    if text.strip().lower() not in ("true", "false"):
        raise ValueError("write true or false")
    return text.strip().lower() == "true"


class Option(NamedTuple):
    """One option."""

    help: str  # One sentence; names other options by their keys
    read: Callable[[str], Any]  # Converts text to a value; ValueError if the text is not valid
    metavar: str | None  # Placeholder in the help text
    commands: Collection[str]  # Commands of `design2a11y` that use it, besides pytest
    flag: Heading | None  # Heading of `--help` that lists its flag; None: it has none, and is a key only
    is_bare: bool  # Whether its flag has no prefix even in pytest
    is_of_command: bool  # Whether it has a flag only in the command, not in pytest
    is_for_calls: bool  # Whether markers and calls accept it too
    field: str = ""  # Name of the field that it sets
    default: Any = None  # Value if it is not set

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return isinstance(self.default, bool)

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be given several times; its value is a tuple."""
        return isinstance(self.default, tuple)

    @property
    def name(self) -> str:
        """Its name for users: the field's name, prefixed with "no_" if giving it turns something off."""
        return f"no_{self.field}" if self.default is True else self.field

    @property
    def ini(self) -> str:
        """The key in pytest's ini file."""
        return INI_PREFIX + self.name

    @property
    def command_flag(self) -> str | None:
        """The flag as typed after `design2a11y COMMAND`; None if it has none."""
        return self._dashed if self.flag else None

    @property
    def pytest_flag(self) -> str | None:
        """The flag as typed after `pytest`; None if it has none."""
        if self.flag is None or self.is_of_command:
            return None
        return self._dashed if self.is_bare else FLAG_PREFIX + self._dashed[2:]

    @property
    def _dashed(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def in_pytest(self) -> str:
        """How it is given to pytest."""
        return self.pytest_flag or f"-o {self.ini}{self._set}"

    @property
    def in_command(self) -> str:
        """How it is given to `design2a11y COMMAND`."""
        return self.command_flag or f"--set {self.name}{self._set}"

    @property
    def given_as(self) -> str:
        """How the reader of a message gives it."""
        return self.in_command if reader() == "command" else self.in_pytest

    @property
    def _set(self) -> str:
        return "=true" if self.is_switch else ""

    def value_of(self, raw: Any, *, given_as: str = "") -> Any:
        """Return the field's value for a text, several, or a switch; ConfigurationError if it is not valid.

        `given_as` names the option in the message; "": as its reader types it.
        """
        values: list[Any] = []
        for text in map(str, [raw] if isinstance(raw, str | int | float | os.PathLike) else raw):
            try:
                values.append(self.read(text))
            except ValueError as error:
                raise ConfigurationError(
                    f"{given_as or self.given_as} does not take {text!r}: {error}.",
                    advice=quotes_advice(text) + self.help,
                ) from None
        if self.is_switch:
            return values[0] is not self.default
        return tuple(values) if self.is_repeatable else values[0]


@dataclass_transform(eq_default=False, frozen_default=True, kw_only_default=True)
class Options:
    """Values of options: an immutable dataclass, created by keyword.

    An `__init__` with sixty arguments, as `dataclass` would generate it, would slow down every pytest run.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, eq=False, repr=False)(cls)

    def __init__(self, **values: Any) -> None:
        if unknown := values.keys() - self.__dataclass_fields__.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        self.__dict__.update(values)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Refuse incompatible values."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")


@cache
def options_of(settings: type[Options]) -> tuple[Option, ...]:
    """Return the options declared by a class, in order."""
    return tuple(
        declared.metadata["option"]._replace(field=declared.name, default=declared.default)
        for declared in fields(settings)
        if declared.metadata
    )


Impact = Literal["minor", "moderate", "serious", "critical"]
TextRatio = Literal["indel", "difflib"]
#: Whose published visual figures are reproduced, errors included.
Published = Literal["design2code", "ui2code-study"]

#: Name of the engine that rates are computed from.
AXE = "axe"

#: All probes; none, so that a test or call can opt out; and those that only look, the default of `audit`,
#: which is why it is no error there if they do not finish.
ALL_PROBES, NO_PROBES, QUICK_PROBES = "all", "none", "quick"


def is_name(name: Any) -> bool:
    """Check whether a name is valid for extensions: lower-case letters, digits and _."""
    return isinstance(name, str) and name.isidentifier() and name.isascii() and name == name.lower()
