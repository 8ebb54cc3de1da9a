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


def _tree() -> str:
    return script("pytest_design2a11y.capture.page", "tree.js")


def tree_script() -> str:
    """Return what makes `tree`, by which scripts go through a page."""
    return f"const tree = {_tree()};"


@cache
def tree_function(package: str, name: str) -> str:
    """Read a function that lies in a package, and uses `tree`."""
    return f"(...given) => {{ {tree_script()}\nreturn ({script(package, name)})(...given); }}"


def describing_script() -> str:
    """Return what scripts need that tell of elements: `design2a11yTree` and `design2a11yElements`."""
    elements = script("pytest_design2a11y.capture.audit", "elements.js")
    return f"globalThis.design2a11yTree = {_tree()}\n;{elements}"
