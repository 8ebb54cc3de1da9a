"""A run as one file, or as a folder of chunks with an index, which a restarted run goes on with."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import msgspec

from pytest_design2a11y import files
from pytest_design2a11y.exceptions import ConfigurationError, RunUnreadable
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.runs.encoding import Header, decode_evaluation, decode_header, encode

SUFFIX = ".jsonl"
#: Errors of what is not a run.
DAMAGE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError)


def write_run(run: Run, path: Path) -> None:
    """Write a run atomically."""
    with files.replacing(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in encode(run))
        file.flush()
        os.fsync(file.fileno())


def read_run(path: Path, *, has_audit: bool) -> Run:
    """Read a run, named after its file; RunUnreadable if it is damaged. See `load_run`."""
    with files.open_regular(path) as file:
        lines = _lines(path, file)
        first = next(lines, b"")
        if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<!", b"<h", b"<H")):
            raise RunUnreadable(
                f"{path} is a page, not a saved run.",
                advice="Save a run, and give its name: design2a11y score DESIGN PAGE --save NAME.",
            )
        try:
            header = decode_header(first)
        except RunUnreadable as error:
            raise RunUnreadable(f"{path}: {error.what}", advice=error.advice) from None
        except DAMAGE as error:
            _unreadable(path, 1, _reason(error))
        evaluations = tuple(_read_evaluations(path, lines, header, has_audit=has_audit))
    if len(evaluations) > header.num_evaluations:
        _unreadable(path, header.num_evaluations + 2, "there are more lines than the header says")
    is_complete = header.is_complete and len(evaluations) == header.num_evaluations
    return Run(
        name_of(path), header.created, is_complete, evaluations, header.labels, header.commit, header.prompts
    )


def name_of(path: Path) -> str:
    """Return the name of a run."""
    return path.name.removesuffix(SUFFIX)


def _lines(path: Path, file: BinaryIO) -> Iterator[bytes]:
    for number, line in enumerate(files.limited_lines(file), 1):
        if len(line) > files.MAX_LINE_BYTES:
            _unreadable(path, number, f"it is longer than {files.MAX_LINE_BYTES // 1_000_000} MB")
        yield line


def _read_evaluations(
    path: Path, lines: Iterator[bytes], header: Header, *, has_audit: bool
) -> Iterator[Evaluation]:
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=2):
        try:
            evaluation = decode_evaluation(line, header, has_audit=has_audit)
        except DAMAGE as error:
            is_broken_off = type(error) in (msgspec.DecodeError, UnicodeDecodeError)
            if is_broken_off and not line.endswith(b"\n"):
                return
            _unreadable(path, number, _reason(error, line))
        if (first := seen.setdefault(evaluation.id, number)) != number:
            _unreadable(path, number, f"the id {evaluation.id!r} is on line {first} already")
        yield evaluation


def _reason(error: Exception, line: bytes = b"") -> str:
    if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return "a merge conflict is left in it"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _unreadable(path: Path, number: int, reason: str) -> NoReturn:
    raise RunUnreadable(
        f"{path} is not a saved run that can be read: line {number}: {reason}.",
        advice="Save the run again, or take the file from version control.",
    )


INDEX = "index.jsonl"
_FORMAT = "design2a11y chunks"
#: The index of a run that is complete ends with it.
END = {"end": True}
_AGAIN = "Score into the folder again: chunks that are there are not scored anew."


@dataclass(frozen=True, slots=True)
class _IndexHeader:
    """The first line of the index: the run's metadata, as in `Run`."""

    created: str
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChunkFolder:
    """The chunks in a folder, by key."""

    folder: Path

    @contextmanager
    def writing(
        self, *, labels: Mapping[str, str], commit: str, prompts: Mapping[str, str]
    ) -> Iterator[Callable[[Mapping[str, Any]], None]]:
        """Start a new index; ConfigurationError if another run is writing into the folder.

        Yield what appends a line, `{"chunk": key}` or `END`, durably, so that it survives a power failure.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        metadata = {"created": created, "labels": labels, "commit": commit, "prompts": prompts}
        try:
            with files.locked(self.folder / INDEX) as file:

                def write(record: Mapping[str, Any]) -> None:
                    file.write(json.dumps(record).encode("ascii") + b"\n")
                    file.flush()
                    os.fsync(file.fileno())

                file.truncate(0)
                write({"format": _FORMAT, "schema": 1, **metadata})
                yield write
        except BlockingIOError:
            raise ConfigurationError(
                f"Another run is writing into {self.folder}.", advice="Wait for it, or give another folder."
            ) from None

    def find(self, key: str) -> Run | None:
        """Return a chunk if it exists and is complete."""
        with suppress(OSError, RunUnreadable):
            run = read_run(self._path(key), has_audit=False)
            return run if run.is_complete else None
        return None

    def save(self, key: str, evaluations: Sequence[Evaluation]) -> None:
        """Write a chunk atomically."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        write_run(Run(key, created, is_complete=True, evaluations=tuple(evaluations)), self._path(key))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"


def load_chunks(path: Path, *, has_audit: bool) -> Run:
    """Read a run stored in chunks, named after its folder; RunUnreadable if it is damaged."""
    index = path / INDEX
    header, chunks, is_complete = _read_index(index)
    evaluations: dict[str, Evaluation] = {}
    for name in chunks:
        file = path / f"{name}.jsonl"
        try:
            chunk = read_run(file, has_audit=has_audit)
        except OSError as error:
            raise RunUnreadable(f"{file} cannot be read: {error.strerror}.", advice=_AGAIN) from None
        is_complete = is_complete and chunk.is_complete
        for page in chunk.evaluations:
            if evaluations.setdefault(page.id, page) is not page:
                raise RunUnreadable(
                    f"Two evaluations in {path} have the id {page.id!r}.",
                    advice="Give every pair an id of its own.",
                )
    return Run(
        path.resolve().name, header.created, is_complete, tuple(evaluations.values()),
        header.labels, header.commit, header.prompts,
    )  # fmt: skip


def _read_index(index: Path) -> tuple[_IndexHeader, list[str], bool]:
    header, chunks, is_complete = None, [], False
    with files.open_regular(index) as file:
        for number, line in enumerate(files.limited_lines(file), 1):
            try:
                record = msgspec.json.decode(line)
                if header is None:
                    if not isinstance(record, dict) or record.get("format") != _FORMAT:
                        raise ValueError("it does not begin with a header")
                    header = msgspec.convert(record, _IndexHeader)
                elif record == END:
                    is_complete = True
                elif not isinstance(record, dict) or Path(str(record["chunk"])).name != record["chunk"]:
                    raise ValueError("it names no chunk")
                else:
                    chunks.append(record["chunk"])
            except DAMAGE as error:
                if not line.endswith(b"\n"):  # Truncated.
                    break
                raise RunUnreadable(
                    f"{index} cannot be read: line {number}: {error}.", advice=_AGAIN
                ) from None
    if header is None:
        raise RunUnreadable(
            f"{index} cannot be read: line 1: it does not begin with a header.", advice=_AGAIN
        )
    return header, chunks, is_complete
