"""An option as its field declares it: help, reader, and the doors through which it comes in.

A settings dataclass writes `name: type = option(default, "What it does.", ...)`; name and default are the
field's own, everything else lies in its metadata. Imported in every pytest run of every user: keep it light.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.paths import expanded

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

FLAG_PREFIX = "--design2a11y-"
INI_PREFIX = "design2a11y_"

_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.(?!-)[a-z0-9_-]{1,63})*\Z")
_HOST_ADDRESS = re.compile(r"[0-9a-f:]*:[0-9a-f:.]*\Z")
_HOST_AND_PORT = re.compile(r"(?P<host>\[[^]]*\]|[^:]*):(?P<port>[0-9]{1,9})\Z")
_LARGEST_PORT = 65_535


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
    """Declare a field of a settings dataclass as an option; see `Option`.

    A default of False or True makes a switch (True: its flag turns it off, and starts with `no-`); an empty
    tuple makes an option that may be given several times.
    """
    how = Option(help, read, metavar, commands, is_bare, is_for_calls)
    declared: T = field(default=default, metadata={"option": how})
    return declared


@dataclass(frozen=True)
class Option:
    """One option."""

    help: str  # One sentence; where it names another option, as pytest does
    read: Callable[[str], Any]  # Text to value; ValueError where the text is not valid
    metavar: str | None  # Placeholder in the help text
    commands: Collection[str]  # Commands of `design2a11y` that take it, besides pytest
    is_bare: bool  # Whether its flag has no prefix in pytest either
    is_for_calls: bool  # Whether markers and calls take it too
    field: str = ""  # Name of the field that it sets
    default: Any = None  # Where nobody says anything

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
        return self.command_flag if self.is_bare else FLAG_PREFIX + self.command_flag[2:]

    def value_of(self, raw: Any) -> Any:
        """Return the field's value for what was given: a text, several, or whether a switch is set."""
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


def options_of(settings: type[DataclassInstance]) -> tuple[Option, ...]:
    """Return the options that a dataclass declares, in its order."""
    return tuple(
        replace(one.metadata["option"], field=one.name, default=one.default)
        for one in fields(settings)
        if one.metadata
    )


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
    return expanded(text)


def share(text: str) -> float:
    """Read a share: "0.1" or "10%"."""
    number = text.strip()
    value = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise ValueError(f"{text} is not between 0 and 1")
    return value


def key_value(text: str) -> tuple[str, str]:
    """Read a name with a text: "key=value"."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        raise ValueError("write KEY=VALUE")
    return name, value


def existing_file(text: str) -> Path:
    """Read the path of a file that is there."""
    path = file_path(text)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def named_digest(text: str) -> tuple[str, str]:
    """Read a text file: its path, from the working directory where it lies there, and its SHA-256 digest.

    Lines that end as on Windows give the same digest.
    """
    import hashlib

    path = existing_file(text)
    absolute = path.resolve()
    inside = absolute.is_relative_to(Path.cwd())
    name = absolute.relative_to(Path.cwd()).as_posix() if inside else path.name
    try:
        return name, hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None


def http_error(text: str) -> int:
    """Read the HTTP status of an error."""
    value = int(text)
    if not 400 <= value <= 599:
        raise ValueError(f"{text} is not an error: those are 400 to 599")
    return value


def host_name(text: str) -> str:
    """Read a host as it stands in an address: cdn.example.com, localhost:8000; ValueError for anything else.

    Without a port it is open on all its ports.
    """
    name = text.strip().lower()
    if "*" in name:
        raise ValueError("there are no patterns, name each host")
    if "://" in name or "/" in name:
        host = urlsplit(name if "://" in name else f"//{name}").hostname
        raise ValueError(f"it is an address; name the host alone: {host}")
    with_port = _HOST_AND_PORT.match(name)
    if with_port is None:
        return _bare_host(name)
    if not 1 <= int(with_port["port"]) <= _LARGEST_PORT:
        raise ValueError(f"ports are 1 to {_LARGEST_PORT}")
    host = _bare_host(with_port["host"])
    return f"[{host}]:{int(with_port['port'])}" if ":" in host else f"{host}:{int(with_port['port'])}"


def _bare_host(name: str) -> str:
    address = name.removeprefix("[").removesuffix("]")
    if _HOST_ADDRESS.match(address) and address.count(":") > 1:
        return address
    try:
        name = name.rstrip(".").encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError(f"it is not the name of a host ({error})") from None
    if not _HOST.match(name):
        raise ValueError("it is not the name of a host")
    return name


def one_of(*choices: str) -> Callable[[str], str]:
    """Make a reader that takes the named values only."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text!r} is not one of {', '.join(choices)}")
        return text

    return read
