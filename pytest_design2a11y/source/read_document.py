"""The whole source stage: turn what a test, a marker or a pair names into a `Document`."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import Design2a11yError, EmptyDocument, SourceError, SourceNotFound
from pytest_design2a11y.extending import Drawn, Reader
from pytest_design2a11y.files import label_from, label_of_path
from pytest_design2a11y.models.page import PICTURE_SUFFIXES, Answer, Document, Site
from pytest_design2a11y.registry import available
from pytest_design2a11y.source import files
from pytest_design2a11y.source.answers import Extracted, extract_page
from pytest_design2a11y.source.picture import document_of_picture
from pytest_design2a11y.source.refusals import refuse_sources
from pytest_design2a11y.source.scanning import scan
from pytest_design2a11y.source.site import SiteChoice, site_of, with_files
from pytest_design2a11y.source.soundness import soundness_warnings, to_utf8

_BLANK = b" \t\r\n\f\v\0"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NO_CHOICE = SiteChoice()


def read_document(
    source: str | os.PathLike[str],
    *,
    max_bytes: int,
    folders: Sequence[Path] = (),
    site: SiteChoice = _NO_CHOICE,
    references: Sequence[Any] = (),
    is_design: bool = False,
    readers: Sequence[str] = (),
) -> Document:
    """Read a page from a file, from HTML text or from a model's raw answer, or note the URL to load.

    A path object is a file. A string is a URL if it begins with http:// or https://; HTML text if it contains
    markup, a code fence, several lines or nothing but prose; otherwise the path of a file, with or without
    query and fragment. A design may be a file that a `Reader` reads; `readers` are files that provide some.
    Bytes that need no fixing are passed on unchanged; files are never written to.

    Raises:
        SourceError: It is not a page; see the subclasses.
    """
    base = _base_of(source, folders, site)
    kind = _kind(source, base)
    if isinstance(source, str) and kind == "url":
        url = source.strip()
        if problem := files.url_problem(url):
            raise SourceNotFound(
                f"{url!r} is not an address to load a page from: {problem}.",
                advice="Give an http(s) address with a host, a path, or HTML text.",
            )
        document = Document(label=url, html=None, url=url)
    elif isinstance(source, str) and kind == "html":
        data = source.encode("utf-8", "surrogatepass")
        whose = "The design's" if is_design else "The"
        name = "The answer" if isinstance(source, Answer) else f"{whose} HTML text"
        files.refuse_larger_than(max_bytes, len(data), name)
        found = _understand(data, name)
        beside = Site(files=found.files) if found.files else None
        document = Document(label="<html>", html=found.page, warnings=found.warnings, site=beside)
    else:
        document = _document_from_file(source, max_bytes, base, site, readers, is_design=is_design)
        path = Path(document.label)
        if folders and (path.is_absolute() or base != folders[-1]):
            # Its path from the run's root, so that results of several machines are comparable.
            label = label_from(folders[-1], (base or folders[-1]) / path)
            document = replace(document, label=label or document.label)
    # It may not read what it is compared with, unless that is the page itself.
    designs = {file for reference in references if (file := _file_named(reference, folders, site))}
    designs.discard(_file_named(source, folders, site))
    if designs:
        closed = replace(document.site or Site(), references=tuple(sorted(map(str, designs))))
        document = replace(document, site=closed)
    return document


def require_file(source: str | os.PathLike[str], *, folders: Sequence[Path], site: SiteChoice) -> None:
    """Refuse a path that leads to no file, before anything is started for it."""
    base = _base_of(source, folders, site)
    if _kind(source, base) == "path":
        _find(source, base, site)


def _find(source: str | os.PathLike[str], base: Path | None, choice: SiteChoice) -> files.SitePage:
    if isinstance(source, str):
        source = files.path_of_file_url(source) or source
    page = files.find_page(source, base, choice)
    files.check_file(source, page.file)
    return page


def _kind(source: str | os.PathLike[str], base: Path | None) -> str:
    if isinstance(source, Answer):
        return "html"
    kind = files.kind_of(source) if isinstance(source, str) else "path"
    return "path" if kind == "html" and files.is_file_named(os.fspath(source), base) else kind


def _base_of(source: str | os.PathLike[str], folders: Sequence[Path], site: SiteChoice) -> Path | None:
    if isinstance(source, Answer):
        return None
    holding = (folder for folder in folders if files.is_page(source, folder, site))
    return next(holding, folders[-1] if folders else None)


def _file_named(source: Any, folders: Sequence[Path], site: SiteChoice) -> Path | None:
    if not isinstance(source, str | os.PathLike) or isinstance(source, Answer):
        return None
    if isinstance(source, str) and files.kind_of(source) != "path":
        return None
    path = files.path_of_file_url(os.fspath(source)) or source
    file = files.find_page(path, _base_of(path, folders, site), site).file
    return file.resolve() if file.is_file() else None


def _document_from_file(
    source: str | os.PathLike[str],
    max_bytes: int,
    base: Path | None,
    choice: SiteChoice,
    reader_files: Sequence[str],
    *,
    is_design: bool,
) -> Document:
    page = _find(source, base, choice)
    if isinstance(source, str):
        source = files.path_of_file_url(source) or source
    suffix = page.file.suffix.lower()
    readers = available(Reader, reader_files).values() if is_design or suffix in PICTURE_SUFFIXES else ()
    reader = next((reader for reader in readers if suffix in reader.suffixes), None)
    if reader is None:
        refuse_sources(page.file, os.fspath(source))
    data, window = files.read_file(page.file, max_bytes), None
    if reader is not None:
        try:
            read = reader.read(page.file, data)
        except Design2a11yError:
            raise
        except Exception as error:
            what = f"The reader {reader.name} failed on {page.file.name}: {type(error).__name__}: {error}"
            raise SourceError(what) from error
        if not isinstance(read, bytes | Drawn):
            what = f"The reader {reader.name} gave {read!r:.80} for {page.file.name}."
            raise SourceError(what, advice="It is to return Drawn(html), or the bytes of a picture.")
        if isinstance(read, bytes):
            return document_of_picture(page, read, label=label_of_path(source), max_bytes=max_bytes)
        data, window = read.html.encode() if isinstance(read.html, str) else read.html, read.size
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
    """Refuse what is not a page, fix what can be fixed, and warn about the rest."""
    if not data.removeprefix(_BYTE_ORDER_MARK).strip(_BLANK):
        raise EmptyDocument(
            f"{label} is empty.", advice="Look whether the generation was saved before it ended."
        )
    utf8, encoding_warnings = to_utf8(data, label)
    found = extract_page(utf8, label)
    warnings = (
        *encoding_warnings,
        *found.warnings,
        *soundness_warnings(scan(found.page), label),
    )
    return found._replace(warnings=warnings)
