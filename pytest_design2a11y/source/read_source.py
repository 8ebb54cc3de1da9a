"""A source as a test, a marker or a pair names it: looked for in several folders, named for reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.models.page import Answer, Document, Site
from pytest_design2a11y.models.paths import label_from
from pytest_design2a11y.source.kinds import kind_of, path_of_file_url
from pytest_design2a11y.source.read_document import TEXT_LABEL, read_document
from pytest_design2a11y.source.site import SiteChoice
from pytest_design2a11y.source.site_pages import find_page, is_page


def read_source(
    source: str | os.PathLike[str],
    *,
    max_bytes: int,
    folders: Sequence[Path],
    site: SiteChoice,
    references: Sequence[Any] = (),
    is_design: bool = False,
) -> Document:
    """Read a path, URL, HTML text or answer."""
    base = _base_of(source, folders, site)
    document = read_document(source, max_bytes=max_bytes, base=base, site=site, is_design=is_design)
    return _relabelled(_withheld(document, source, references, folders, site), base, folders)


def _base_of(source: str | os.PathLike[str], folders: Sequence[Path], site: SiteChoice) -> Path | None:
    if isinstance(source, Answer):
        return None
    holding = (folder for folder in folders if is_page(source, folder, site))
    return next(holding, folders[-1] if folders else None)


def _withheld(
    document: Document,
    source: str | os.PathLike[str],
    references: Sequence[Any],
    folders: Sequence[Path],
    site: SiteChoice,
) -> Document:
    """Keep a page from reading what it is compared with, unless that is the page itself."""
    files = {file for one in references if (file := _file_named(one, folders, site))}
    files.discard(_file_named(source, folders, site))
    if not files:
        return document
    known = document.site or Site()
    return replace(document, site=replace(known, references=tuple(sorted(map(str, files)))))


def _file_named(source: Any, folders: Sequence[Path], site: SiteChoice) -> Path | None:
    if not isinstance(source, str | os.PathLike) or isinstance(source, Answer):
        return None
    if isinstance(source, str) and kind_of(source) != "path":
        return None
    path = path_of_file_url(os.fspath(source)) or source
    file = find_page(path, _base_of(path, folders, site), site).file
    return file.resolve() if file.is_file() else None


def _relabelled(document: Document, base: Path | None, folders: Sequence[Path]) -> Document:
    """Name a file by its path from the run's root, so that results of several machines compare."""
    path = Path(document.label)
    is_file = document.url is None and document.label != TEXT_LABEL
    if not folders or not is_file or not (path.is_absolute() or base != folders[-1]):
        return document
    return replace(document, label=label_from(folders[-1], (base or folders[-1]) / path) or document.label)
