"""Write docs/api.md: every public name with its signature and docstring.

Run it after changing one of them: `make reference`. A unit test fails if the file is out of date.
"""

import __future__

import inspect
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ForwardRef

import pytest_design2a11y
from pytest_design2a11y import extending

TARGET = Path(__file__).parents[1] / "docs" / "api.md"

descriptions = runpy.run_path(str(Path(__file__).with_name("write_run_schema.py")))["descriptions"]

#: Records with more fields than this are made by the package, and described field by field.
LONGEST = 9

HEAD = """\
# API

Every public name, with what it returns and raises. Written by `make reference` from the docstrings;
do not edit it. How to use them: [in tests](in-tests.md), [in programs](agents.md#in-a-program),
[extensions](extending.md). What each number means: [metrics](metrics.md).

## `pytest_design2a11y`
"""

EXTENDING = """\
## `pytest_design2a11y.extending`

What [extensions](extending.md) import, besides some of the names above.
"""


def api() -> str:
    """Return the text of the page."""
    top = pytest_design2a11y.__all__
    further = [name for name in extending.__all__ if name not in top]
    parts = [HEAD, *_entries(pytest_design2a11y, top), EXTENDING, *_entries(extending, further)]
    return "\n".join(parts)


def _entries(module: Any, names: list[str]) -> Iterator[str]:
    for name in names:
        thing = getattr(module, name)
        yield f"### {name}\n"
        yield from _described(name, thing)
        if inspect.isclass(thing):
            for part, member in _members(thing):
                yield f"#### {name}.{part}\n"
                yield from _described(part, member)


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """Return the public methods and properties that a class itself declares and describes."""
    for name, member in vars(thing).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function) and inspect.getdoc(function):
            yield name, member if isinstance(member, property) else function


def _described(name: str, thing: Any) -> Iterator[str]:
    if not isinstance(thing, property) and (signature := _signature(thing)):
        yield f"    {name}{signature}\n"
    yield _as_markdown(inspect.getdoc(thing) or "") + "\n"
    if is_dataclass(thing) or hasattr(thing, "_fields"):
        listed = "".join(f"- `{field}`: {text}\n" for field, text in descriptions(thing).items())
        yield f"**Attributes**\n\n{listed}" if listed else ""


class _Written(str):
    """An annotation that signatures show as it is."""

    __repr__ = str.__str__


@cache
def _as_written(module: str) -> dict[str, Any]:
    """Return a module's names, run once more, with annotations as they are written, not evaluated."""
    kept = sys.modules[module]
    names = {name: getattr(kept, name) for name in ("__name__", "__package__", "__file__")}
    exec(compile(inspect.getsource(kept), module, "exec", __future__.annotations.compiler_flag), names)
    return names


def _signature(thing: Any) -> str:
    """Return the parameters of what users call; "" for records that the package makes."""
    thing = attrgetter(thing.__qualname__)(SimpleNamespace(**_as_written(thing.__module__)))
    signature = inspect.signature(thing.__call__ if getattr(thing, "_is_protocol", False) else thing)
    kept = [one for one in signature.parameters.values() if one.name != "self"]
    if inspect.isclass(thing) and (issubclass(thing, Exception) or len(kept) > LONGEST):
        return ""
    named = [one.replace(annotation=_unquoted(one.annotation)) for one in kept]
    returned = _unquoted(signature.return_annotation)
    return str(signature.replace(parameters=named, return_annotation=returned))


def _unquoted(annotation: Any) -> Any:
    text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    return _Written(text.strip("'\"")) if isinstance(text, str) else annotation


def _as_markdown(text: str) -> str:
    """Return a docstring as Markdown: its sections as lists, its examples as code."""
    lines: list[str] = []
    is_code = is_section = False
    for line in text.replace("\n::\n", "").splitlines():
        is_code = line.lstrip().startswith(">>> ") or (is_code and bool(line.strip()))
        if title := re.fullmatch(r"(Args|Returns|Raises|Yields|Attributes|Examples):", line):
            lines += [f"**{title[1]}**", ""]
            is_section = True
        elif is_code:
            lines.append(f"    {line.removeprefix('    ')}")
        elif entry := re.fullmatch(r"    (\*{0,2}\w+): (.*)", line):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        else:
            lines.append(line.removeprefix("    ") if is_section else line)
    return "\n".join(lines)


if __name__ == "__main__":
    TARGET.write_text(api(), encoding="utf-8")
