"""On which line of its file a failing element begins: the element is looked up in the page's markup.

The markup is read as it lies in the file, and the browser showed what scripts made of it. Only an element
that has the same name and attributes in both is reported, and none if several match.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.files import FileTooLarge, read_regular
from pytest_design2a11y.models.audit import CheckedNode

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

#: Larger pages take seconds to read.
_MAX_BYTES = 3_000_000


def line_of(page: str, node: CheckedNode) -> int | None:
    """Return the line, from 1 on, on which an element of a page begins; None where that is not known."""
    if " >>> " in node.target or "://" in page or page.startswith("<"):
        return None
    path = Path(page.partition("?")[0].partition("#")[0])
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        return None
    markup, wanted = _markup(path, changed), _parsed(node.html).find(True)
    if markup is None or wanted is None:
        return None
    from soupsieve import SelectorSyntaxError

    try:
        found: list[Tag] = list(markup.select(node.target, limit=2))
    except (SelectorSyntaxError, NotImplementedError):
        found = []
    if len(found) != 1 or not _is_same(found[0], wanted):
        found = [tag for tag in markup.find_all(wanted.name, limit=10_000) if _is_same(tag, wanted)]
    return found[0].sourceline if len(found) == 1 else None


@lru_cache(maxsize=4)
def _markup(path: Path, changed: int) -> BeautifulSoup | None:
    """Parse a file, again where it has changed; None where it cannot be read."""
    try:
        return _parsed(read_regular(path, _MAX_BYTES).decode("utf-8", "replace"))
    except (OSError, FileTooLarge, RecursionError):
        return None


def _parsed(html: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup

    return BeautifulSoup(html, "html.parser", multi_valued_attributes=None)


def _is_same(tag: Tag, wanted: Tag) -> bool:
    return tag.name == wanted.name and tag.attrs == wanted.attrs
