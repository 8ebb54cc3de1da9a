"""An option as declared by its field: help, reader, and where it can be set.

A class of `Options` writes `name: type = option(default, "What it does.", ...)`; name and default are the
field's own, the rest is in its metadata. Imported in every pytest run of every user: keep it light.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, NoReturn, TypeVar, dataclass_transform

from pytest_design2a11y.exceptions import ConfigurationError

T = TypeVar("T")

FLAG_PREFIX = "--design2a11y-"
INI_PREFIX = "design2a11y_"


def option(
    default: T,
    help: str,
    *,
    read: Callable[[str], Any] = str,
    metavar: str | None = None,
    commands: Collection[str] = (),
    is_bare: bool = False,
    is_for_calls: bool = False,
) -> T:
    """Declare a field of `Options` as an option; see `Option`.

    A default of False or True makes a switch (True: its flag turns it off, and starts with `no-`); an empty
    tuple makes an option that may be given several times.
    """
    how = Option(help, read, metavar, commands, is_bare, is_for_calls)
    declared: T = field(default=default, metadata={"option": how})
    return declared


class Option(NamedTuple):
    """One option."""

    help: str  # One sentence; names other options as pytest does
    read: Callable[[str], Any]  # Converts text to a value; ValueError if the text is not valid
    metavar: str | None  # Placeholder in the help text
    commands: Collection[str]  # Commands of `design2a11y` that take it, besides pytest
    is_bare: bool  # Whether its flag has no prefix even in pytest
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
    def command_flag(self) -> str:
        """The flag as typed after `design2a11y COMMAND`."""
        return "--" + self.name.replace("_", "-")

    @property
    def pytest_flag(self) -> str:
        """The flag as typed after `pytest`; messages use it, and the command drops the prefix."""
        return self.command_flag if self.is_bare else FLAG_PREFIX + self.command_flag[2:]

    def value_of(self, raw: Any) -> Any:
        """Return the field's value for a text, several texts, or a switch; ConfigurationError if invalid."""
        if isinstance(raw, bool):
            return raw is not self.default
        values = []
        for text in map(str, [raw] if isinstance(raw, str | int | float | os.PathLike) else raw):
            try:
                values.append(self.read(text))
            except ValueError as error:
                raise ConfigurationError(
                    f"{self.pytest_flag} does not take {text!r}: {error}.", advice=self.help
                ) from None
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
