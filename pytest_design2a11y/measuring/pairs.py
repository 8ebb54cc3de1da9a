"""Pairs of pages to score, and what lists them: JSON lines, a Parquet file, a pattern beside designs."""

from __future__ import annotations

import codecs
import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import MAX_LINE_BYTES, FileTooLarge, limited_lines, sha256_of
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.run import Subject, along, read_axes
from pytest_design2a11y.runs.cases import file_pairs
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.settings.variants import rendering_axes, variant_name, variants

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

#: What reading a record raises that is not a pair.
NOT_A_PAIR = (ValueError, TypeError, KeyError, AttributeError, RecursionError)

# More than a page or a picture may have.
_MAX_DIGESTED = 200_000_000

#: Settings that a line may give for its pair.
CHOICES = ("root", "viewport", "device", "scheme", "locale", "timezone", "wait_for")

PAIR_ADVICE = 'Write {"id": ..., "reference": ..., "candidate": ...}.'


@dataclass(frozen=True, slots=True)
class Pair:
    """What to score: a candidate and its reference, or a candidate alone to audit; sources below a folder."""

    subject: Subject
    reference: str | None
    candidate: str  # An `Answer` where the line has it as `candidate_html`
    folder: Path
    # Why the line that asked for it is not valid; then nothing is rendered
    problem: ConfigurationError | None = None
    # Settings that hold for this pair, as `Settings.with_choices` takes them
    choices: Mapping[str, Any] = field(default_factory=dict)


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
        pairs = (
            Pair(
                Subject(one.candidate.as_posix(), "", one.sample, one.axes),
                one.reference.as_posix(),
                one.candidate.as_posix(),
                Path.cwd(),
            )
            for one in found
        )
        return PairInput(len(found), pairs)
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
                yield read_pair(f"row {number}", path, partial(_said, row))
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


def _said(row: dict[str, Any] | Exception) -> dict[str, Any]:
    """Leave out what a row does not say, which every row has a column for."""
    if isinstance(row, Exception):
        raise ValueError(f"{type(row).__name__}: {row}")
    return {
        name: _said(value) if isinstance(value, dict) else value
        for name, value in row.items()
        if value is not None
    }


def stream_pairs(path: Path) -> Iterator[Pair]:
    """Read lines `{"id":…, "reference":…, "candidate":…}`; an invalid line becomes a pair with a problem.

    The file is read as its pairs are taken.
    """
    is_empty = True
    for number, line in enumerate(_lines(path), 1):
        if number == 1 and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ConfigurationError(
                f"Cannot read the pairs in {path}: it is UTF-16.", advice="Give a UTF-8 file of JSON lines."
            )
        text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if text.strip():
            is_empty = False
            yield read_pair(f"line {number}", path, partial(_record, text))
    if is_empty:
        raise ConfigurationError(f"There are no pairs in {path}.", advice=PAIR_ADVICE)


def count_lines(path: Path) -> int:
    """Count the pairs in a file without reading them."""
    return sum(bool(line.strip()) for line in _lines(path))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        # Nothing but a line feed ends a line of JSON, whose texts may have other line ends in them.
        with path.open("rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty():
                raise OSError("it is a device")
            yield from limited_lines(file)
    except OSError as error:
        raise ConfigurationError(
            f"Cannot read the pairs in {path}: {error}.", advice="Give a UTF-8 file of JSON lines."
        ) from None


def require_distinct_ids(pairs: Iterable[Pair]) -> None:
    """Refuse pairs that could not be told apart in a saved run."""
    counts = Counter(pair.subject.id for pair in pairs)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise ConfigurationError(
            f"Several pairs have the id {twice[0]!r}, so that they cannot be saved as a run.",
            advice="Give every pair an id of its own; samples of a case differ in `sample`.",
        )


def _record(line: bytes) -> Any:
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"it is longer than {MAX_LINE_BYTES // 1_000_000} MB")
    return json.loads(line.decode("utf-8"))


def read_pair(place: str, path: Path, read: Callable[[], Mapping[str, Any]]) -> Pair:
    """Read the pair at a place of a file, such as "line 3"; what is not one becomes a pair with a problem."""
    try:
        return pair_of(read(), path.parent)
    except NOT_A_PAIR as error:
        lacks = "it lacks " if isinstance(error, KeyError) else ""
        problem = ConfigurationError(
            f"{place.capitalize()} of {path} is not a pair: {lacks}{error}.",
            advice=PAIR_ADVICE,
        )
        return invalid_pair(place, path.parent, problem)


def pair_of(record: Mapping[str, Any], folder: Path) -> Pair:
    """Read what stands in a line of a pairs file."""
    if not isinstance(record, Mapping):
        raise TypeError("it is no object")
    subject = Subject(
        id=str(record["id"]),
        case=str(record.get("case", "")),
        sample=str(record.get("sample", "1")),
        axes=read_axes(record),
    )
    html = record.get("candidate_html")
    if not isinstance(html, str | None):
        raise TypeError("candidate_html is not text")
    return Pair(
        subject,
        str(record["reference"]),
        str(record["candidate"]) if html is None else Answer(html),
        folder,
        choices={name: str(record[name]) for name in CHOICES if record.get(name) is not None},
    )


def along_variants(pairs: Iterable[Pair], settings: Settings) -> Iterator[Pair]:
    """Return each pair once for every viewport, scheme, locale and time zone that is to be rendered.

    What a pair's own line says of its rendering is kept. Where there are several variants, the id of each
    pair names its own.
    """
    for pair in pairs:
        try:
            found = [
                (variant, settings.with_choices({**pair.choices, **variant}))
                for variant in variants(settings.with_choices(pair.choices))
            ]
        except ConfigurationError as error:
            yield replace(pair, problem=pair.problem or error)
            continue
        for variant, chosen in found:
            own_id = f"{pair.subject.id}[{variant_name(variant)}]" if len(found) > 1 else pair.subject.id
            subject = replace(along(pair.subject, rendering_axes(chosen)), id=own_id)
            yield replace(pair, subject=subject, choices={**pair.choices, **variant})


def invalid_pair(name: str, folder: Path, problem: ConfigurationError) -> Pair:
    """Return what stands in the place of a pair that cannot be read: an evaluation that says why."""
    return Pair(Subject(id=name, case=""), None, "", folder, problem)


def file_digest(pair: Pair, source: str | None) -> str | None:
    """Digest a file that a pair names; None where the source is something else, or cannot be read."""
    try:
        return sha256_of(pair.folder / (source or ""), _MAX_DIGESTED)
    except (OSError, ValueError, FileTooLarge):
        return None
