"""The source stage from end to end: a path, a URL or HTML text becomes a `Document`."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_design2a11y.exceptions import EmptyDocument, SourceNotFound
from pytest_design2a11y.models.page import PICTURE_SUFFIXES, Answer, Document, Site
from pytest_design2a11y.models.paths import label_of_path
from pytest_design2a11y.source.answers import Extracted, extract_page
from pytest_design2a11y.source.design_kit.picture import document_of_picture
from pytest_design2a11y.source.design_kit.svg import page_of_svg
from pytest_design2a11y.source.encoding import to_utf8
from pytest_design2a11y.source.files import check_file, is_file_named, read_file, refuse_larger_than
from pytest_design2a11y.source.kinds import kind_of, path_of_file_url, url_problem
from pytest_design2a11y.source.repetition import repetition_warnings
from pytest_design2a11y.source.scanning import scan
from pytest_design2a11y.source.site import SiteChoice, site_of, with_files
from pytest_design2a11y.source.site_pages import find_page
from pytest_design2a11y.source.soundness import soundness_warnings

TEXT_LABEL = "<html>"
STAGE = "source"
_BLANK = b" \t\r\n\f\v\0"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NO_CHOICE = SiteChoice()


def read_document(
    source: str | os.PathLike[str],
    *,
    max_bytes: int,
    base: Path | None = None,
    site: SiteChoice = _NO_CHOICE,
    is_design: bool = False,
) -> Document:
    """Read a page from a file, from HTML text or from a model's raw answer, or note the URL to load.

    A path object is a file. A string is a URL if it says http:// or https://, HTML text if it holds markup,
    a code fence, several lines or nothing but prose, and otherwise the path of a file, with query and
    fragment or without.
    Bytes that need no fixing are handed on as they are; files are never written to.
    """
    if isinstance(source, Answer):
        return _document_from_text(source, max_bytes)
    if isinstance(source, str):
        kind = kind_of(source)
        if kind == "url":
            return _document_at(source.strip())
        if kind == "html" and not is_file_named(source, base):
            return _document_from_text(source, max_bytes)
        source = path_of_file_url(source) or source
    return _document_from_file(source, max_bytes, base, site, is_design=is_design)


def _document_at(url: str) -> Document:
    if problem := url_problem(url):
        raise SourceNotFound(
            f"{url!r} is not an address to load a page from: {problem}.",
            stage=STAGE,
            advice="Give an http(s) address with a host, a path, or HTML text.",
        )
    return Document(label=url, html=None, url=url)


def _document_from_text(text: str, max_bytes: int) -> Document:
    data = text.encode("utf-8", "surrogatepass")
    refuse_larger_than(max_bytes, len(data), "The HTML text")
    found = _understand(data, "The HTML text")
    site = Site(files=found.files) if found.files else None
    return Document(label=TEXT_LABEL, html=found.page, warnings=found.warnings, site=site)


def _document_from_file(
    source: str | os.PathLike[str],
    max_bytes: int,
    base: Path | None,
    choice: SiteChoice,
    *,
    is_design: bool,
) -> Document:
    page = find_page(source, base, choice)
    check_file(source, page.file)
    data = read_file(page.file, max_bytes)
    if page.file.suffix.lower() in PICTURE_SUFFIXES:
        return document_of_picture(page, data, label=label_of_path(source), max_bytes=max_bytes)
    window = None
    if is_design and page.file.suffix.lower() == ".svg":
        data, window = page_of_svg(data)
    found = _understand(data, os.fspath(source))
    file = page.file.resolve()
    site = site_of(found.page, file, page.suffix, choice, page.route)
    return Document(
        label=label_of_path(source),
        html=found.page,
        folder=str(file.parent),
        file=str(file),
        warnings=found.warnings,
        site=with_files(site, found.files),
        window=window,
    )


def _understand(data: bytes, label: str) -> Extracted:
    """Refuse what is not a page; fix what can be fixed; warn of the rest."""
    if not data.removeprefix(_BYTE_ORDER_MARK).strip(_BLANK):
        raise EmptyDocument(
            f"{label} is empty.", stage=STAGE, advice="Look whether the generation was saved before it ended."
        )
    utf8, encoding_warnings = to_utf8(data, label)
    found = extract_page(utf8, label)
    warnings = (
        *encoding_warnings,
        *found.warnings,
        *soundness_warnings(scan(found.page), label),
        *repetition_warnings(found.page),
    )
    return found._replace(warnings=warnings)
