"""The JavaScript files beside their callers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(package: str, name: str) -> str:
    """Read a script that lies in a package, without the comment at its head and its last semicolon."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(lines[start:]).strip().removesuffix(";")
