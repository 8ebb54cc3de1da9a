"""The JavaScript files beside this module."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """Read one of this package's scripts, without the comment at its head and its last semicolon."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(lines[start:]).strip().removesuffix(";")
