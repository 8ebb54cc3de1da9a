"""Files that came in one answer, and those among them that the page requests."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_design2a11y.source.site import local_references

_FILE_NAME = re.compile(r"[\w.@/-]{1,200}\.(?:html?|css|m?js|json|svg|txt|csv|xml|webmanifest)\Z")
_SUFFIXES = {"css": (".css",), "js": (".js", ".mjs"), "javascript": (".js", ".mjs"), "json": (".json",)}


class AnswerFile(NamedTuple):
    """A file in an answer: its path and its lower-cased language, as far as the answer gives them."""

    name: str | None
    language: str
    content: bytes


#: Path in the site, relative to the page's folder, and content.
Files = tuple[tuple[str, bytes], ...]


def file_name(text: str) -> str | None:
    """Return the path in a text; None if it is not a path, or leads out of the folder."""
    name = posixpath.normpath(text.strip().strip("`*\"'").removeprefix("./"))
    is_inside = not name.startswith(("/", "..", "."))
    return name if is_inside and _FILE_NAME.match(name) else None


def files_beside(page: bytes, parts: Sequence[AnswerFile]) -> tuple[Files, tuple[AnswerFile, ...]]:
    """Return those of the parts that came with a page that it requests, as files, and the parts left over.

    A part with a name is used for requests of that name; one without a name is used for the page's only
    style sheet or script of its kind that has no file.
    """
    wanted = [reference.removeprefix("/").removeprefix("./") for reference in local_references(page)]
    files: dict[str, bytes] = {}
    used: list[AnswerFile] = []
    for part in parts:
        own = part.name and posixpath.basename(part.name)
        names = [name for name in wanted if name == part.name]
        names = names or [name for name in wanted if posixpath.basename(name) == own]
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
    # Files that the page's scripts load by name are included too.
    files.update((part.name, part.content) for part in parts if part.name and part.name not in files)
    unused = tuple(part for part in parts if part not in used and part.name is None)
    return tuple(sorted(files.items())), unused
