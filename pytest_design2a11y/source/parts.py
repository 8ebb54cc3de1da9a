"""The files that one answer holds, and how they belong together: a page, its styles, its scripts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_design2a11y.source.site import local_references

_FILE_NAME = re.compile(r"[\w.@/-]{1,200}\.(?:html?|css|m?js|json|svg|txt|csv|xml|webmanifest)\Z")
_SUFFIXES = {"css": (".css",), "js": (".js", ".mjs"), "javascript": (".js", ".mjs"), "json": (".json",)}


class Part(NamedTuple):
    """A file of an answer: its path and its language, lower-cased, as far as the answer says them."""

    name: str | None
    language: str
    content: bytes


#: Path in the site, relative to the page's folder, and content.
Files = tuple[tuple[str, bytes], ...]


def file_name(text: str) -> str | None:
    """Return the path that a text is; None if it is none, or leads out of the folder."""
    name = posixpath.normpath(text.strip().strip("`*\"'").removeprefix("./"))
    is_inside = not name.startswith(("/", "..", "."))
    return name if is_inside and _FILE_NAME.match(name) else None


def files_beside(page: bytes, parts: Sequence[Part]) -> tuple[Files, tuple[Part, ...]]:
    """Return the files that a page asks for out of the parts that came with it, and the parts left over.

    A part with a name is what the page asks for by that name; one without is the page's one style sheet or
    script of its kind that has no other.
    """
    wanted = [reference.removeprefix("/").removeprefix("./") for reference in local_references(page)]
    files: dict[str, bytes] = {}
    used: list[Part] = []
    for part in parts:
        names = _names_of(part, wanted)
        files.update(dict.fromkeys(names, part.content))
        used += [part] if names else []
    for suffixes in sorted(set(_SUFFIXES.values())):
        left = [name for name in wanted if name.endswith(suffixes) and name not in files]
        unnamed = [part for part in parts if part.name is None and _SUFFIXES.get(part.language) == suffixes]
        if left and len(left) == len(unnamed):
            files.update(zip(left, (part.content for part in unnamed), strict=True))
            used += unnamed
    if not used:
        return (), tuple(parts)
    # What the page's scripts load by name comes too.
    files.update((part.name, part.content) for part in parts if part.name and part.name not in files)
    return tuple(sorted(files.items())), tuple(p for p in parts if p not in used and p.name is None)


def _names_of(part: Part, wanted: Sequence[str]) -> list[str]:
    if part.name is None:
        return []
    own = posixpath.basename(part.name)
    exact = [name for name in wanted if name == part.name]
    return exact or [name for name in wanted if posixpath.basename(name) == own]
