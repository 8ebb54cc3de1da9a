"""A run that is too large for one file: a folder of chunks, each a run's file of its own, and their index.

The index holds a line for each chunk, in order, and an end. What it does not name is no part of the run: an
earlier start may have left it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from pytest_design2a11y.exceptions import ConfigurationError, RunUnreadable
from pytest_design2a11y.files import limited_lines, locked, open_regular
from pytest_design2a11y.models.from_json import from_json
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.runs.run_file import read_run, write_run

INDEX = "index.jsonl"
_FORMAT = "design2a11y chunks"
_END = {"end": True}
_AGAIN = "Score into the folder again: chunks that are there are not scored anew."


@dataclass(frozen=True, slots=True)
class _IndexHeader:
    """The first line of the index: what is said of the run, as in `Run`."""

    created: str
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ChunkFolder:
    """The chunks in a folder, by their keys."""

    folder: Path

    @contextmanager
    def writing(
        self, *, labels: Mapping[str, str], commit: str, prompts: Mapping[str, str]
    ) -> Iterator[ChunkIndex]:
        """Begin the index anew, with what is said of the run, as in `Run`; chunks that are there stay."""
        self.folder.mkdir(parents=True, exist_ok=True)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        said = {"created": created, "labels": labels, "commit": commit, "prompts": prompts}
        try:
            with locked(self.folder / INDEX) as file:
                file.truncate(0)
                index = ChunkIndex(file)
                index.write({"format": _FORMAT, "schema": 1, **said})
                yield index
        except BlockingIOError:
            raise ConfigurationError(
                f"Another run is writing into {self.folder}.", advice="Wait for it, or give another folder."
            ) from None

    def find(self, key: str) -> Run | None:
        """Return a chunk that is there whole."""
        try:
            run = read_run(self._path(key), has_audit=False)
        except (OSError, RunUnreadable):
            return None
        return run if run.is_complete else None

    def save(self, key: str, evaluations: Sequence[Evaluation]) -> None:
        """Write a chunk, whole or not at all."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        write_run(Run(key, created, is_complete=True, evaluations=tuple(evaluations)), self._path(key))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"


@dataclass(frozen=True)
class ChunkIndex:
    """The index of a folder that is being written."""

    file: BinaryIO

    def add(self, key: str) -> None:
        """Say that a chunk, which is there, is the next of the run."""
        self.write({"chunk": key})

    def end(self) -> None:
        """Say that the run is whole."""
        self.write(_END)

    def write(self, record: Mapping[str, Any]) -> None:
        """Add a line, which outlasts a loss of power."""
        self.file.write(json.dumps(record).encode("ascii") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())


def load_chunks(path: Path, *, has_audit: bool) -> Run:
    """Read a run that lies in chunks; it goes by its folder's name."""
    index = path / INDEX
    records = list(_records(index))
    if not records:
        raise _damaged(index, 1, "it does not begin with a header")
    is_complete = records[-1] == _END
    evaluations: list[Evaluation] = []
    for record in records[1:]:
        if record != _END:
            chunk = _read_chunk(path / f"{record['chunk']}.jsonl", has_audit=has_audit)
            evaluations.extend(chunk.evaluations)
            is_complete = is_complete and chunk.is_complete
    seen: set[str] = set()
    for evaluation in evaluations:
        if evaluation.id in seen:
            raise RunUnreadable(
                f"Two evaluations in {index.parent} have the id {evaluation.id!r}.",
                advice="Give every pair an id of its own.",
            )
        seen.add(evaluation.id)
    said = from_json(_IndexHeader, records[0])
    return Run(
        path.resolve().name, said.created, is_complete, tuple(evaluations),
        said.labels, said.commit, said.prompts,
    )  # fmt: skip


def _read_chunk(path: Path, *, has_audit: bool) -> Run:
    try:
        return read_run(path, has_audit=has_audit)
    except OSError as error:
        raise RunUnreadable(f"{path} cannot be read: {error.strerror}.", advice=_AGAIN) from None


def _records(index: Path) -> Iterator[dict[str, Any]]:
    with open_regular(index) as file:
        for number, line in enumerate(limited_lines(file), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                is_header = number == 1
                if not isinstance(record, dict) or (is_header and record.get("format") != _FORMAT):
                    raise ValueError("it does not begin with a header" if is_header else "it names no chunk")
                if is_header:
                    from_json(_IndexHeader, record)
                elif record != _END and Path(str(record["chunk"])).name != record["chunk"]:
                    raise ValueError("it names no chunk")
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                if not line.endswith(b"\n"):  # It broke off.
                    return
                raise _damaged(index, number, str(error)) from None
            yield record


def _damaged(index: Path, number: int, reason: str) -> RunUnreadable:
    return RunUnreadable(
        f"{index} cannot be read: line {number}: {reason}.",
        advice=_AGAIN,
    )
