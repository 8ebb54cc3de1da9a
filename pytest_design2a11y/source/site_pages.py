"""Which file a path of a site means: with query and fragment, without its suffix, or a route of an app."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from pytest_design2a11y.models.paths import expanded
from pytest_design2a11y.source.site import INDEX_NAMES, SiteChoice

_SUFFIX = re.compile(r"[?#].*\Z", re.DOTALL)


class SitePage(NamedTuple):
    """A page as asked for.

    Attributes:
        file: Its path; it may not exist.
        suffix: Query and fragment, "" if none.
        route: The path in the site, where the root's index.html answers for it; else None.
    """

    file: Path
    suffix: str = ""
    route: str | None = None


def find_page(source: str | os.PathLike[str], base: Path | None, choice: SiteChoice) -> SitePage:
    """Find the file that a path means; where none exists, the path itself is given, to be refused as missing.

    Args:
        source: A path, with query and fragment or without.
        base: The folder that it starts from; the current folder if None.
        choice: Whether clean URLs and routes of an app are looked for; a folder stands for its index.html.
    """
    text = os.fspath(source)
    whole = _absolute(text, base)
    if _is_file(whole):
        return SitePage(whole)
    suffix = found.group() if (found := _SUFFIX.search(text)) else ""
    path = _absolute(text.removesuffix(suffix), base) if suffix else whole
    if file := _file_of(path, choice):
        return SitePage(file, suffix)
    if choice.single_page and (root := _app_root(path, choice)):
        return SitePage(root / INDEX_NAMES[0], suffix, path.relative_to(root).as_posix())
    return SitePage(whole)


def is_page(source: str | os.PathLike[str], base: Path, choice: SiteChoice) -> bool:
    """Tell whether a path, starting from `base`, means a file that exists."""
    try:
        return _is_file(find_page(source, base, choice).file)
    except ValueError:
        return False


def _absolute(text: str, base: Path | None) -> Path:
    return ((base or Path()) / expanded(text)).absolute()


def _file_of(path: Path, choice: SiteChoice) -> Path | None:
    names = [
        path,
        *([Path(f"{path}.html")] if choice.clean_urls else []),
        *(path / name for name in INDEX_NAMES),
    ]
    return next((name for name in names if _is_file(name)), None)


def _app_root(path: Path, choice: SiteChoice) -> Path | None:
    """Return the given root that holds a path, else its nearest folder that has an index.html."""
    given = choice.given_root(path)
    candidates = [given] if given else path.parents
    return next((folder for folder in candidates if _is_file(folder / INDEX_NAMES[0])), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
