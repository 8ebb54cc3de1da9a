"""An option as its field declares it: help, reader, and the doors through which it comes in.

A settings dataclass writes `name: type = option(default, "What it does.", ...)`; name and default are the
field's own, everything else lies in its metadata. Imported in every pytest run of every user: keep it light.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_design2a11y.exceptions import ConfigurationError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

FLAG_PREFIX = "--design2a11y-"
INI_PREFIX = "design2a11y_"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Declaration:
    """What a field's metadata say of its option.

    Attributes:
        help: One sentence; where it names another option, as pytest does.
        read: Text to value; ValueError where the text is not valid.
        metavar: Placeholder in the help text.
        commands: Commands of `design2a11y` that take it, besides pytest.
        is_bare: Whether its flag has no prefix in pytest either.
        is_for_calls: Whether markers and calls take it too.
    """

    help: str
    read: Callable[[str], Any]
    metavar: str | None
    commands: frozenset[str]
    is_bare: bool
    is_for_calls: bool


def option(
    default: T,
    help: str,
    *,
    read: Callable[[str], Any] = str,
    metavar: str | None = None,
    commands: frozenset[str] = frozenset(),
    is_bare: bool = False,
    is_for_calls: bool = False,
) -> T:
    """Declare a field of a settings dataclass as an option; see `Declaration`.

    A default of False or True makes a switch (True: its flag turns it off, and starts with `no-`); an empty
    tuple makes an option that may be given several times.
    """
    declaration = Declaration(help, read, metavar, commands, is_bare, is_for_calls)
    declared: T = field(default=default, metadata={"option": declaration})
    return declared


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Option:
    """One option.

    Attributes:
        field: Name of the field that it sets.
        default: Where nobody says anything.
        declared: What the field says of it.
    """

    field: str
    default: Any
    declared: Declaration

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
        """What users call it: the field's name, after "no_" where giving it turns something off."""
        return f"no_{self.field}" if self.default is True else self.field

    @property
    def ini(self) -> str:
        """The key in pytest's ini file."""
        return INI_PREFIX + self.name

    @property
    def command_flag(self) -> str:
        """As typed after `design2a11y COMMAND`."""
        return "--" + self.name.replace("_", "-")

    @property
    def pytest_flag(self) -> str:
        """As typed after `pytest`; messages name options so, and the command drops the prefix."""
        return self.command_flag if self.declared.is_bare else FLAG_PREFIX + self.command_flag[2:]

    def value_of(self, raw: Any) -> Any:
        """Give the field's value for what was given: text, several texts, or whether a switch is set.

        Raises:
            ConfigurationError: A text is not valid.
        """
        if isinstance(raw, bool):
            return raw is not self.default
        if self.is_repeatable:
            return tuple(self._read(str(text)) for text in raw)
        return self._read(str(raw))

    def _read(self, text: str) -> Any:
        try:
            return self.declared.read(text)
        except ValueError as error:
            raise ConfigurationError(
                f"{self.pytest_flag} does not take {text!r}: {error}.", advice=self.declared.help
            ) from None


def options_of(settings: type[DataclassInstance]) -> tuple[Option, ...]:
    """Give the options that a dataclass declares, in its order."""
    return tuple(_option(one) for one in fields(settings) if "option" in one.metadata)


def _option(declared: Field[Any]) -> Option:
    return Option(declared.name, declared.default, declared.metadata["option"])


def number_above_zero(text: str) -> float:
    """Read a number greater than 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError(f"{text} is not above 0")
    return value


def count_above_zero(text: str) -> int:
    """Read a whole number greater than 0."""
    value = int(text)
    if value < 1:
        raise ValueError(f"{text} is not above 0")
    return value


def file_path(text: str) -> Path:
    """Read the path of a file that need not be there yet."""
    return Path(text).expanduser()


def existing_file(text: str) -> Path:
    """Read the path of a file that is there."""
    path = file_path(text)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def one_of(*choices: str) -> Callable[[str], str]:
    """Make a reader that takes the named values only."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text!r} is none of {', '.join(choices)}")
        return text

    return read
