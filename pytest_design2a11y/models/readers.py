"""Parses option values: numbers, files, hosts, windows and names.

Each reader raises ValueError if the text is not valid. Imported in every pytest run of every user: patterns
are only compiled on first use.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_design2a11y.files import STANDARD_OUTPUT, file_path
from pytest_design2a11y.models.option import ALL_PROBES, AXE, NO_PROBES, QUICK_PROBES

_HOST = r"(?!-)[a-z0-9_-]{1,63}(?:\.(?!-)[a-z0-9_-]{1,63})*\Z"
_HOST_ADDRESS = r"[0-9a-f:]*:[0-9a-f:.]*\Z"
_HOST_AND_PORT = r"(?P<host>\[[^]]*\]|[^:]*):(?P<port>[0-9]{1,9})\Z"
_SIZE = r"(\d{1,5})x(\d{1,5})(?:@(\d{1,2}(?:\.\d{1,3})?))?((?:\+(?:touch|mobile))*)"
_LOCALE = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"

_LARGEST_SIDE, _LARGEST_SCALE, _LARGEST_PORT = 10_000, 8.0, 65_535

#: Words of schemes, and the field that each sets.
_WORDS: Mapping[str, tuple[str, str]] = {
    "light": ("scheme", "light"),
    "dark": ("scheme", "dark"),
    "forced-colors": ("forced_colors", "active"),
    "reduced-motion": ("motion", "reduce"),
    "full-motion": ("motion", "no-preference"),
    "screen": ("media", "screen"),
    "print": ("media", "print"),
}
#: Words left out of the canonical form.
_DEFAULTS = frozenset({"light", "reduced-motion", "screen"})


def html_path(text: str) -> Path:
    """Read the path of an HTML file to be written."""
    if text.lower().endswith(".pdf"):
        raise ValueError("it is HTML; a browser prints it whole as PDF")
    return file_path(text)


def number(text: str) -> float:
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError("write a number, such as 0.5") from None


def whole_number(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise ValueError("write a whole number, such as 4") from None


def number_above_zero(text: str) -> float:
    """Read a number greater than 0."""
    if 0 < (value := number(text)) < float("inf"):
        return value
    raise ValueError("write a number above 0")


def count_above_zero(text: str) -> int:
    """Read a whole number greater than 0."""
    if (value := whole_number(text)) >= 1:
        return value
    raise ValueError("write 1 or more")


def share(text: str) -> float:
    """Read a share: "0.1" or "10%"."""
    written = text.strip()
    value = number(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise ValueError("write a share from 0 to 1, such as 0.1 or 10%")
    return value


def key_value(text: str) -> tuple[str, str]:
    """Read a name with a text: "key=value"."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign and value):
        raise ValueError("write KEY=VALUE")
    return name, value


def read_header(text: str) -> tuple[str, str]:
    """Read a header of HTTP: "Name: value"."""
    name, sign, value = (part.strip() for part in text.partition(":"))
    if not (sign and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) and value.isprintable()):
        raise ValueError('write "Name: value"')
    return name, value


def existing_file(text: str) -> Path:
    """Read the path of an existing file."""
    path = file_path(text)
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def findings_file(text: str) -> Path:
    """Read the path of a file of findings, whose format is that of its suffix."""
    path = file_path(text)
    if path != STANDARD_OUTPUT and path.suffix.lower() not in (".sarif", ".csv", ".json"):
        raise ValueError("end its name in .sarif, .csv, or .json for GitLab's Code Quality")
    return path


def host_name(text: str) -> str:
    """Read a host as written in an address: cdn.example.com, localhost:8000; ValueError for anything else.

    Without a port, all of its ports are meant.
    """
    name = text.strip().lower()
    if "*" in name:
        raise ValueError("there are no patterns, name each host")
    if "://" in name or "/" in name:
        host = urlsplit(name if "://" in name else f"//{name}").hostname
        raise ValueError(f"it is an address; name the host alone: {host}")
    with_port = re.match(_HOST_AND_PORT, name)
    if with_port is None:
        return _bare_host(name)
    if not 1 <= int(with_port["port"]) <= _LARGEST_PORT:
        raise ValueError(f"ports are 1 to {_LARGEST_PORT}")
    host = _bare_host(with_port["host"])
    return f"[{host}]:{int(with_port['port'])}" if ":" in host else f"{host}:{int(with_port['port'])}"


def _bare_host(name: str) -> str:
    address = name.removeprefix("[").removesuffix("]")
    if re.match(_HOST_ADDRESS, address) and address.count(":") > 1:
        return address
    try:
        name = name.rstrip(".").encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError(f"it is not the name of a host ({error})") from None
    if not re.match(_HOST, name):
        raise ValueError("it is not the name of a host")
    return name


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a reader that accepts only the named values."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text!r} is not one of {', '.join(choices)}")
        return text

    return read


def window_fields(text: str) -> dict[str, Any]:
    """Read a window: "1280x720", "375x812@3" with a scale, "375x812@3+mobile" for a phone, "...+touch"."""
    match = re.fullmatch(_SIZE, text.strip())
    if match is None:
        raise ValueError("write WIDTHxHEIGHT, such as 1280x720, 375x812@3 or 375x812@3+mobile")
    width, height, scale = int(match[1]), int(match[2]), float(match[3] or 1)
    if not (1 <= width <= _LARGEST_SIDE and 1 <= height <= _LARGEST_SIDE):
        raise ValueError(f"width and height are 1 to {_LARGEST_SIDE} px")
    if not 0 < scale <= _LARGEST_SCALE:
        raise ValueError(f"the scale is above 0, and {_LARGEST_SCALE:g} at most")
    is_mobile = "+mobile" in match[4]
    is_touch = is_mobile or "+touch" in match[4]
    return {"width": width, "height": height, "scale": scale, "touch": is_touch, "mobile": is_mobile}


def read_window(text: str) -> str:
    """Read a window, and return its size in a canonical form (see `window_fields`), or a device's name."""
    if is_device(text):
        return text.strip()
    window = window_fields(text)
    scale = "" if window["scale"] == 1 else f"@{window['scale']:g}"
    kind = "+mobile" if window["mobile"] else "+touch" if window["touch"] else ""
    return f"{window['width']}x{window['height']}{scale}{kind}"


def is_device(window: str) -> bool:
    """Return whether a window is the name of a device, none of which starts with a digit."""
    return window.strip()[:1].isalpha()


def read_scheme(text: str) -> str:
    """Read a scheme such as "dark", "print", "dark+forced-colors", and return it in a canonical form."""
    fields = scheme_fields(text)
    words = (word for word, (name, value) in _WORDS.items() if fields.get(name) == value)
    return "+".join(word for word in words if word not in _DEFAULTS) or "light"


def scheme_fields(text: str) -> dict[str, Any]:
    """Read a scheme as the viewport fields that it sets."""
    fields: dict[str, Any] = {}
    for word in text.strip().split("+"):
        if word not in _WORDS:
            raise ValueError(f"{word!r} is not one of {', '.join(_WORDS)}, joined by +")
        name, value = _WORDS[word]
        if fields.setdefault(name, value) != value:
            raise ValueError("two of its words contradict each other")
    return fields


def read_locale(text: str) -> str:
    """Read a language with a region, such as de-DE."""
    if not re.fullmatch(_LOCALE, text):
        raise ValueError("write a language and a region, such as en-US or de-DE")
    return text


def read_timezone(text: str) -> str:
    """Read a time zone, such as Europe/Berlin; if this machine has no list of them, the browser decides."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    for name in (text, "Europe/Berlin"):
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
        if name != text:
            raise ValueError("there is no such time zone; write one such as Europe/Berlin or UTC")
        break
    return text


def _names(text: str, kind: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise ValueError(f"{name!r} is not the name of {kind}")
    return names


def engine_names(text: str) -> str:
    """Read names of engines, separated by commas; must include axe-core, the source of the rates."""
    names = _names(text, "an engine")
    if AXE not in names:
        raise ValueError("IR and IWIR are computed from what axe finds: name it too")
    return ",".join(dict.fromkeys([AXE, *names]))


def probe_names(text: str) -> str:
    """Read names of probes, separated by commas, or "all", "none" or "quick"."""
    names = _names(text, "a probe")
    if len(names) > 1 and (alone := [name for name in names if name in (NO_PROBES, QUICK_PROBES)]):
        raise ValueError(f"{alone[0]!r} stands alone")
    if ALL_PROBES in names:
        return ALL_PROBES
    return "" if names == [NO_PROBES] else ",".join(dict.fromkeys(names))
