"""A run that is too large for one file: a folder of chunks, each a run's file of its own, and their index.

The index holds a line for each chunk, in order, and an end. What it does not name is no part of the run: an
earlier start may have left it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import RunUnreadable
from pytest_design2a11y.files import limited_lines, open_regular
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.runs.run_file import read_run, write_run
from pytest_design2a11y.runs.validation import check_said

INDEX = "index.jsonl"
_FORMAT = "design2a11y chunks"
_END = {"end": True}
#: What the header may say of the run, as in `Run`.
_SAID = ("labels", "commit", "prompts")
_AGAIN = "Score into the folder again: chunks that are there are not scored anew."


@dataclass(frozen=True)
class ChunkFolder:
    """The chunks in a folder, by their keys."""

    folder: Path

    def start(self, *, labels: Mapping[str, str], commit: str, prompts: Mapping[str, str]) -> None:
        """Begin the index anew, with what is said of the run, as in `Run`; chunks that are there stay."""
        self.folder.mkdir(parents=True, exist_ok=True)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        said = {"created": created, "labels": labels, "commit": commit, "prompts": prompts}
        self._write("w", {"format": _FORMAT, "schema": 1, **said})

    def find(self, key: str) -> Run | None:
        """Give a chunk that is there whole."""
        try:
            run = read_run(self._path(key), has_audit=False)
        except (OSError, RunUnreadable):
            return None
        return run if run.is_complete else None

    def save(self, key: str, evaluations: Sequence[Evaluation]) -> None:
        """Write a chunk, whole or not at all."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        write_run(Run(key, created, is_complete=True, evaluations=tuple(evaluations)), self._path(key))

    def add(self, key: str) -> None:
        """Say that a chunk, which is there, is the next of the run."""
        self._write("a", {"chunk": key})

    def end(self) -> None:
        """Say that the run is whole."""
        self._write("a", _END)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"

    def _write(self, mode: str, record: dict[str, Any]) -> None:
        with (self.folder / INDEX).open(mode, encoding="ascii", newline="\n") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())


def load_chunks(path: Path, *, has_audit: bool) -> Run:
    """Read a run that lies in chunks; it goes by its folder's name.

    Raises:
        RunUnreadable: The index or a chunk is damaged, or two evaluations have one id.
    """
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
    _refuse_repeated(index, evaluations)
    said = {name: records[0][name] for name in _SAID if name in records[0]}
    return Run(path.resolve().name, records[0]["created"], is_complete, tuple(evaluations), **said)


def _read_chunk(path: Path, *, has_audit: bool) -> Run:
    try:
        return read_run(path, has_audit=has_audit)
    except OSError as error:
        raise RunUnreadable(
            f"{path} cannot be read: {error.strerror}.", stage="runs", advice=_AGAIN
        ) from None


def _records(index: Path) -> Iterator[dict[str, Any]]:
    with open_regular(index) as file:
        for number, line in enumerate(limited_lines(file), 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                _check(record, is_header=number == 1)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                if not line.endswith(b"\n"):  # It broke off.
                    return
                raise _damaged(index, number, str(error)) from None
            yield record


def _check(record: Any, *, is_header: bool) -> None:
    if not isinstance(record, dict) or (is_header and record.get("format") != _FORMAT):
        raise ValueError("it does not begin with a header" if is_header else "it names no chunk")
    if is_header:
        check_said(record)
    elif record != _END and Path(str(record["chunk"])).name != record["chunk"]:
        raise ValueError("it names no chunk")


def _refuse_repeated(index: Path, evaluations: Iterable[Evaluation]) -> None:
    seen: set[str] = set()
    for evaluation in evaluations:
        if evaluation.id in seen:
            raise RunUnreadable(
                f"Two evaluations in {index.parent} have the id {evaluation.id!r}.",
                stage="runs",
                advice="Give every pair an id of its own.",
            )
        seen.add(evaluation.id)


def _damaged(index: Path, number: int, reason: str) -> RunUnreadable:
    return RunUnreadable(
        f"{index} cannot be read: line {number}: {reason}.",
        stage="runs",
        advice=_AGAIN,
    )
