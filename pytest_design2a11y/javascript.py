"""Bundles the package's JavaScript modules, because a script put into a page cannot load files."""

import json
import posixpath
import re
from functools import cache
from importlib.resources import files

# Matches one statement: `import { one, other } from "./file.js";` or `import * as file from "./file.js";`.
_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) (\w+))", re.MULTILINE)
_LIST = re.compile(r"^export \{([^}]*)\};\n?", re.MULTILINE)
# Only whole lines: what looks like a comment within a line may be part of a string.
_COMMENTS = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


_HEAD = """{
"use strict";
const once = (run, exports) => () => (exports ??= run());"""


@cache
def namespace_of(path: str) -> str:
    """Return an expression that runs a module of the package with its imports, and evaluates to its exports.

    Each module has its own scope, and runs once per expression, after the modules that it imports. ValueError
    if modules import each other in a cycle, or have lines that cannot be bundled.
    """
    return f"(() => {_HEAD}\n{_joined(path)}\nreturn {_scope(path)}();\n}})()"


@cache
def functions_of(*paths: str) -> str:
    """Return a function expression that runs one of these modules anew and calls a function that it exports.

    It takes the module's path, the function's name, and what that is given.
    """
    table = ", ".join(f"{json.dumps(path)}: {_scope(path)}" for path in paths)
    call = f"return {{ {table} }}[path]()[name](...given);"
    return f"(path, name, ...given) => (() => {_HEAD}\n{_joined(*paths)}\n{call}\n}})()"


def call_of(path: str, name: str, *given: object) -> str:
    """Return a statement that calls the function that a module exports as `name`."""
    return f"({functions_of(path)})({', '.join(map(json.dumps, (path, name, *given)))});\n"


def _joined(*paths: str) -> str:
    parts: dict[str, str] = {}
    for path in paths:
        _add(path, parts, ())
    return "\n".join(parts.values())


def _add(path: str, parts: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module's scope after those of everything that it imports."""
    if path in importers:
        circle = " -> ".join((*importers[importers.index(path) :], path))
        raise ValueError(
            f"JavaScript modules import each other in a circle: {circle}."
            " Move what both need into a module below both."
        )
    if path in parts:
        return
    text = _COMMENTS.sub("", files(__package__).joinpath(path).read_text(encoding="utf-8"))
    names: list[str] = []

    def bind(found: re.Match[str]) -> str:
        listed, whole, address = found.groups()
        bound = whole or "{" + listed.replace(" as ", ": ") + "}"
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), address))
        _add(other, parts, (*importers, path))
        return f"const {bound} = {_scope(other)}();\n"

    def export(found: re.Match[str]) -> str:
        names.append(found[1].strip())
        return ""

    text = _LIST.sub(export, _EXPORT.sub(export, _IMPORT.sub(bind, text)))
    if unread := _OTHER.search(text):
        raise ValueError(
            f"{path} has a line that cannot be joined: {unread[0]!r}."
            ' Write `import { name } from "./file.js";` or `import * as name from "./file.js";`,'
            " and `export` before `const`, `function` or `class`, or `export { name };`."
        )
    parts[path] = f"const {_scope(path)} = once(() => {{\n{text}return {{ {', '.join(names)} }};\n}});"


def _scope(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
