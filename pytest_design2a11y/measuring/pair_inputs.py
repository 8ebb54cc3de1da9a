"""What `--pairs` may name: JSON lines, a Parquet file, or a pattern of files beside a folder of designs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pairs import (
    PAIR_ADVICE,
    Pair,
    count_lines,
    invalid_pair,
    read_pair,
    stream_pairs,
)
from pytest_design2a11y.models.run import Subject
from pytest_design2a11y.runs.cases import FilePair, file_pairs

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

#: Rows of a Parquet file that are held at a time; a page may have megabytes.
_BATCH = 50


class PairInput(NamedTuple):
    """How many pairs there are, and the pairs, once, read as they are taken."""

    num_pairs: int
    pairs: Iterator[Pair]


def open_pairs(named: str, designs: str | None) -> PairInput:
    """Open what `--pairs` names: a file of JSON lines or, by its suffix, Parquet.

    Beside a folder of designs it is a folder or pattern, as for `page_pairs`.
    """
    if designs is not None:
        found = file_pairs(designs, named)
        return PairInput(len(found), map(_pair_of_files, found))
    if "{" in named or Path(named).is_dir():
        raise ConfigurationError(
            f"{named} needs the designs to pair its pages with.",
            advice="Give their folder: design2a11y score DESIGNS --pairs PATTERN.",
        )
    path = Path(named)
    if path.suffix.lower() != ".parquet":
        return PairInput(count_lines(path), stream_pairs(path))
    file = _open_parquet(path)
    return PairInput(file.metadata.num_rows, _rows(file, path))


def _pair_of_files(found: FilePair) -> Pair:
    subject = Subject(found.candidate.as_posix(), "", found.sample, found.axes)
    return Pair(subject, found.reference.as_posix(), found.candidate.as_posix(), Path.cwd())


def _open_parquet(path: Path) -> ParquetFile:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ConfigurationError(
            f"{path} needs pyarrow, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[parquet]"`, or give JSON lines.',
        ) from None
    try:
        file = ParquetFile(path)
    except (OSError, ArrowException) as error:
        raise ConfigurationError(
            f"Cannot read the pairs in {path}: {error}.", advice="Give a Parquet file with a row for each."
        ) from None
    if not file.metadata.num_rows:
        raise ConfigurationError(f"There are no pairs in {path}.", advice=PAIR_ADVICE)
    return file


def _rows(file: ParquetFile, path: Path) -> Iterator[Pair]:
    number = 0
    try:
        for batch in file.iter_batches(_BATCH):
            for row in _values(batch):
                number += 1
                yield read_pair(f"row {number}", path, partial(_record, row))
    except Exception as error:  # pyarrow does not document its exceptions.
        problem = ConfigurationError(
            f"Row {number + 1} of {path} and those after it cannot be read: {error}.",
            advice="Write the file again.",
        )
        yield invalid_pair(f"row {number + 1}", path.parent, problem)


def _values(batch: RecordBatch) -> Iterator[dict[str, Any] | Exception]:
    """Return values of every row, or why Python has none for them: text not UTF-8, a day in year 99,999."""
    try:
        yield from batch.to_pylist(maps_as_pydicts="strict")
    except Exception as error:
        if batch.num_rows == 1:
            yield error
            return
        for place in range(batch.num_rows):
            yield from _values(batch.slice(place, 1))


def _record(row: dict[str, Any] | Exception) -> dict[str, Any]:
    if isinstance(row, Exception):
        raise ValueError(f"{type(row).__name__}: {row}")
    return _said(row)


def _said(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out what a row does not say, which every row has a column for."""
    return {
        name: _said(value) if isinstance(value, dict) else value
        for name, value in row.items()
        if value is not None
    }
