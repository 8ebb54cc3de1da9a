"""Lists of pairs: JSON lines or CSV, a pipe, folders or a pattern beside designs."""

import codecs
import csv
import json
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import MAX_LINE_BYTES, limited_lines
from pytest_design2a11y.measuring.pairs import NOT_A_PAIR, PAIR_ADVICE, Pair, invalid_pair, pair_of
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.runs.cases import file_pairs
from pytest_design2a11y.wording import counted

#: What "-" stands for, in messages.
_STANDARD_INPUT = Path("standard input")
_ADVICE = "Give a UTF-8 file of JSON lines, or a CSV file with a heading."
#: Possible separators of CSV columns.
_SEPARATORS = ",;\t"
_NEEDED_COLUMNS = ("reference", "candidate")
_ROW_ADVICE = "Give each row a cell for every column of the heading; reference and candidate are needed."


#: A pair and its position in its file, such as "line 3".
_Placed = tuple[str, Pair]


class PairInput(NamedTuple):
    """The number of pairs, and the pairs themselves, which can be iterated once and are read lazily."""

    num_pairs: int
    pairs: Iterator[Pair]


def open_pairs(named: str, designs: str | None, *, states: Collection[str] = ()) -> PairInput:
    """Open the argument of `--pairs`: JSON lines or CSV in a file or pipe ("-": standard input).

    With a folder of designs it is a folder or pattern, as for `page_pairs`, with states that steps lead to.
    Paths start from the file's folder; those of a pipe from the working directory.
    ConfigurationError if there are no pairs, or two have the same id, which is noticed on reading them.
    """
    if designs is not None:
        pairs = []
        for files in file_pairs(designs, named, states=states):
            page = files.candidate.as_posix()
            subject = Subject(page, "", files.sample, files.axes)
            pairs.append(Pair(subject, files.reference.as_posix(), page, Path.cwd()))
        return PairInput(len(pairs), iter(pairs))
    if "{" in named or Path(named).is_dir():
        raise ConfigurationError(
            f"{named} needs the designs to pair its pages with.",
            advice="Give their folder: design2a11y score DESIGNS --pairs PATTERN.",
        )
    path = _STANDARD_INPUT if named == "-" else Path(named)
    lines = _lines(path)
    first = next((line for line in lines if line.strip()), b"").removeprefix(codecs.BOM_UTF8)
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ConfigurationError(f"Cannot read the pairs in {path}: it is UTF-16.", advice=_ADVICE)
    if not first:
        raise ConfigurationError(f"There are no pairs in {path}.", advice=PAIR_ADVICE)
    if path.suffix.lower() == ".csv" or not first.lstrip().startswith(b"{"):
        if heading := _heading(first, path):
            table = list(_read_table(chain([first], lines), path, *heading))
            if not table:
                raise ConfigurationError(f"There are no pairs in {path}.", advice=PAIR_ADVICE)
            return PairInput(len(table), _distinct(table, path))
        second = next((line for line in lines if line.strip()), b"")
        if first.lstrip().startswith(b"[") or not second.lstrip().startswith(b"{"):
            raise ConfigurationError(
                f"{path} is not a list of pairs: its first line is neither a JSON object nor a heading.",
                advice='Write one {"id": ..., "reference": ..., "candidate": ...} per line, or CSV with the'
                " heading id,reference,candidate.",
            )
        lines = chain([second], lines)
    if path is _STANDARD_INPUT or not path.is_file():  # It can be read only once.
        kept = [first, *(line for line in lines if line.strip())]
        return PairInput(len(kept), _distinct(_read_lines(kept, path), path))
    num_pairs = sum(bool(line.strip()) for line in _lines(path))
    return PairInput(num_pairs, _distinct(_read_lines(_lines(path), path), path))


def _distinct(pairs: Iterable[_Placed], path: Path) -> Iterator[Pair]:
    """Yield pairs with unique ids; raise ConfigurationError at the second of two with the same id."""
    place_of: dict[str, str] = {}
    for where, pair in pairs:
        first = place_of.setdefault(pair.subject.id, where)
        if first != where:
            raise ConfigurationError(
                f"{first.capitalize()} and {where} of {path} have the same id {pair.subject.id!r}.",
                advice="Give every pair its own id; samples of a case differ in `sample`.",
            )
        yield pair


def _heading(line: bytes, path: Path) -> tuple[list[str], str] | None:
    """Return a table's column names and separator; None if the line does not begin a table."""
    text = line.decode("utf-8", "replace").strip()
    separator = max(_SEPARATORS, key=text.count)
    names = [name.strip() for name in next(csv.reader([text], delimiter=separator), [])]
    lacking = [name for name in _NEEDED_COLUMNS if name not in names]
    if not lacking:
        return names, separator
    if path.suffix.lower() != ".csv":
        return None
    raise ConfigurationError(
        f"The heading of {path} has no column {' and '.join(map(repr, lacking))}.",
        advice="Its first line names the columns: id,reference,candidate and, as wished, case, sample, "
        "model, prompt, viewport ...",
    )


def _read_table(lines: Iterable[bytes], path: Path, names: list[str], separator: str) -> Iterator[_Placed]:
    """Read a table with a heading; empty cells are ignored, a pair without an id is named by its page."""
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = csv.reader((line.decode("utf-8") for line in lines), delimiter=separator, strict=True)
    try:
        for row in islice(rows, 1, None):
            if any(cell.strip() for cell in row):
                read = partial(_record_of_row, names, row)
                yield _read_pair(f"line {rows.line_num}", path, read, _ROW_ADVICE)
    except (csv.Error, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"Cannot read the pairs in {path}: it is not CSV in UTF-8: {error}.", advice=_ADVICE
        ) from None


def _record_of_row(names: list[str], row: list[str]) -> dict[str, Any]:
    if len(row) > len(names):
        raise ValueError(f"it has {counted(len(row), 'cell')}, and the heading {len(names)}")
    cells = {name: cell for name, cell in zip(names, row, strict=False) if cell.strip()}
    prefix = "axes."
    axes = {name.removeprefix(prefix): cell for name, cell in cells.items() if name.startswith(prefix)}
    return {"id": cells.get("candidate", ""), **cells, "axes": axes}


def _read_lines(lines: Iterable[bytes], path: Path) -> Iterator[_Placed]:
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if text.strip():
            yield _read_pair(f"line {number}", path, partial(_record, text))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        # Only a line feed ends a line of JSON, whose strings may contain other line ends.
        if path is _STANDARD_INPUT:
            yield from limited_lines(sys.stdin.buffer)
            return
        with path.open("rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
                raise OSError("it is a device")
            yield from limited_lines(file)
    except OSError as error:
        raise ConfigurationError(
            f"Cannot read the pairs in {path}: {error.strerror or error}.", advice=_ADVICE
        ) from None


def _record(line: bytes) -> Any:
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"it is longer than {MAX_LINE_BYTES // 1_000_000} MB")
    return json.loads(line.decode("utf-8"))


def _read_pair(
    where: str, path: Path, read: Callable[[], Mapping[str, Any]], advice: str = PAIR_ADVICE
) -> _Placed:
    """Read the pair at a place of a file, such as "line 3"; an invalid one becomes a pair with a problem."""
    folder = path.parent if path.is_file() and path.parent != Path("/dev") else Path()
    name = where
    try:
        record = read()
        if isinstance(record, Mapping):
            name = str(record.get("id") or where)
        return where, pair_of(record, folder)
    except NOT_A_PAIR as error:
        lacks = "it lacks " if isinstance(error, KeyError) else ""
        what = f"{where.capitalize()} of {path} is not a pair: {lacks}{error}."
        return where, invalid_pair(name, folder, ConfigurationError(what, advice=advice))
