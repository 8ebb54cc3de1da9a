"""Files of designs, and of pages generated for them: where they lie, and what their names say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.extending import Reader
from pytest_design2a11y.models.evaluation import Axes
from pytest_design2a11y.models.page import PICTURE_SUFFIXES, SCALE_IN_NAME
from pytest_design2a11y.models.run import USUAL_AXES
from pytest_design2a11y.registry import available

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
#: What a folder that stands for a page holds.
INDEX_NAME = "index.html"
PLACEHOLDERS = ("case", "sample", *USUAL_AXES)

_PLACEHOLDER = re.compile(r"\{(\w*)\}")


class CaseFile(NamedTuple):
    """A file, and what its path says."""

    path: str  # Where it is
    case: str  # Its case, with the state where there is one: login~error
    names: Mapping[str, str]  # What a pattern's other placeholders stand for


def designs_in(folder: Path) -> Iterator[CaseFile]:
    """Return the designs in a folder."""
    is_empty = True
    for name in (*_pages_in(folder, "reference"), *_folders_of_pages(folder)):
        is_empty = False
        yield CaseFile(str(folder / name), _stem(PurePath(name)), {})
    if is_empty:
        raise ConfigurationError(
            f"There are no pages in the reference folder {folder}.", advice="Put the designs there."
        )


def pages_in(folder: Path) -> Iterator[CaseFile]:
    """Return the pages `<case>.html`, `<case>/index.html` and `<case>/<sample>.html` in a folder."""
    for name in _pages_in(folder, "candidate"):
        yield CaseFile(str(folder / name), PurePath(name).stem, {"sample": "1"})
    own = frozenset(_folders_of_pages(folder))
    for name in own:
        yield CaseFile(str(folder / name), name, {"sample": "1"})
    for entry in _entries(folder):
        if entry.is_dir() and not entry.name.startswith(".") and entry.name not in own:
            for name in _pages_in(entry, "candidate"):
                yield CaseFile(str(entry / name), entry.name, {"sample": PurePath(name).stem})


def pages_by_pattern(pattern: str) -> Iterator[CaseFile]:
    """Return the files that fit a pattern."""
    expression = _expression(pattern)
    fixed = _fixed(pattern)
    root = Path(fixed)
    if not root.is_dir():
        raise ConfigurationError(f"There is no candidate folder {root}.", advice="Check the pattern's path.")
    is_empty = True
    for name in _files_in(root, pattern[len(fixed) :].count("/")):
        match = expression.fullmatch(name)
        if match is not None:
            is_empty = False
            names = {key: value for key, value in match.groupdict().items() if key != "case"}
            yield CaseFile(str(root / name), match["case"], names)
    if is_empty:
        raise ConfigurationError(f"No file fits the pattern {pattern!r}.", advice="Check the pattern.")


def place_of_page(candidates: str, case: str, axes: Axes, *, is_nested: bool) -> Path:
    """Say where the page of a case would be: as a pattern says, or beside the others in their folder."""
    if "{" in candidates:
        names = {"case": case, "sample": "1", **axes}
        return Path(_PLACEHOLDER.sub(lambda match: names[match[1]], candidates))
    return Path(candidates, case, "1.html") if is_nested else Path(candidates, f"{case}.html")


def _stem(reference: PurePath) -> str:
    is_picture = reference.suffix.lower() in PICTURE_SUFFIXES
    return SCALE_IN_NAME.sub("", reference.stem) if is_picture else reference.stem


def _pages_in(folder: Path, role: str) -> Iterator[str]:
    if not folder.is_dir():
        raise ConfigurationError(f"There is no {role} folder {folder}.", advice="Check the path.")
    suffixes = set(PAGE_SUFFIXES)
    if role == "reference":
        suffixes.update(*(one.suffixes for one in available(Reader).values()))
    for name in _files_in(folder, 0):
        if PurePath(name).suffix.lower() in suffixes:
            yield name


def _folders_of_pages(folder: Path) -> Iterator[str]:
    """Return the folders in one that stand for a page each."""
    for entry in _entries(folder):
        if not entry.name.startswith(".") and (entry / INDEX_NAME).is_file():
            yield entry.name


def _files_in(folder: Path, depth: int) -> Iterator[str]:
    """Return the files so many folders below one, by their paths from there."""
    for entry in _entries(folder):
        if depth and entry.is_dir():
            yield from (f"{entry.name}/{name}" for name in _files_in(entry, depth - 1))
        elif not depth and entry.is_file():
            yield entry.name


def _entries(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError as error:
        raise ConfigurationError(
            f"Cannot read the folder {folder}: {error.strerror}.", advice="Check its permissions."
        ) from None


def _fixed(pattern: str) -> str:
    """Return the pattern up to its first component with a placeholder."""
    return re.split(r"[^/\\]*\{", pattern, maxsplit=1)[0]


def _expression(pattern: str) -> re.Pattern[str]:
    """Make the expression of the pattern's part from the first component with a placeholder on."""
    names = _PLACEHOLDER.findall(pattern)
    unknown = [name for name in names if name not in PLACEHOLDERS]
    if unknown or "case" not in names:
        what = f"knows no {{{unknown[0]}}}" if unknown else "has no {case}"
        raise ConfigurationError(
            f"The pattern {pattern!r} {what}.",
            advice="Use {case} and, as wished, {sample}, {prompt} and {model}.",
        )
    seen: set[str] = set()
    parts = []
    for place, part in enumerate(_PLACEHOLDER.split(pattern[len(_fixed(pattern)) :])):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+)")
            seen.add(part)
    return re.compile("".join(parts))
