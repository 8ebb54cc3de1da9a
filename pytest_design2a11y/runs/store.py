"""Storage of runs: each a file or a folder of chunks, with the details that reports need beside it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import msgspec

from pytest_design2a11y import files
from pytest_design2a11y.escaping import json_line, whole_characters
from pytest_design2a11y.exceptions import ConfigurationError, RunNotFound, RunUnreadable
from pytest_design2a11y.models.records import is_whole_in_runs, saved_fields
from pytest_design2a11y.models.run import Evaluation, Run, from_dict, to_dict, without_collecting
from pytest_design2a11y.runs.encoding import Header, decode_evaluation, decode_header, encode
from pytest_design2a11y.wording import did_you_mean, listed

SUFFIX = ".jsonl"
INDEX = "index.jsonl"
_FORMAT = "design2a11y chunks"
_END = {"end": True}
_AGAIN = "Score into the folder again: chunks that are there are not scored anew."

_DAMAGE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError)


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
        try:
            header = decode_header(next(lines, b""))
        except RunUnreadable as error:
            raise RunUnreadable(f"{path}: {error.what}", advice=error.advice) from None
        except _DAMAGE as error:
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
        except _DAMAGE as error:
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
    ) -> Iterator[ChunkIndex]:
        """Start a new index with the run's metadata, as in `Run`; existing chunks stay.

        Raises:
            ConfigurationError: Another run is writing into the folder.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        metadata = {"created": created, "labels": labels, "commit": commit, "prompts": prompts}
        try:
            with files.locked(self.folder / INDEX) as file:
                file.truncate(0)
                index = ChunkIndex(file)
                index.write({"format": _FORMAT, "schema": 1, **metadata})
                yield index
        except BlockingIOError:
            raise ConfigurationError(
                f"Another run is writing into {self.folder}.", advice="Wait for it, or give another folder."
            ) from None

    def find(self, key: str) -> Run | None:
        """Return a chunk if it exists and is complete."""
        try:
            run = read_run(self._path(key), has_audit=False)
        except (OSError, RunUnreadable):
            return None
        return run if run.is_complete else None

    def save(self, key: str, evaluations: Sequence[Evaluation]) -> None:
        """Write a chunk atomically."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        write_run(Run(key, created, is_complete=True, evaluations=tuple(evaluations)), self._path(key))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl"


@dataclass(frozen=True)
class ChunkIndex:
    """The index of a folder that is being written to."""

    file: BinaryIO

    def add(self, key: str) -> None:
        """Record an existing chunk as the next one of the run."""
        self.write({"chunk": key})

    def end(self) -> None:
        """Record that the run is complete."""
        self.write(_END)

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a line durably, so that it survives a power failure."""
        self.file.write(json.dumps(record).encode("ascii") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())


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
    """Return an index's header, the names of its chunks, and whether it is complete."""
    header, chunks, is_complete = None, [], False
    with files.open_regular(index) as file:
        for number, line in enumerate(files.limited_lines(file), 1):
            try:
                record = msgspec.json.decode(line)
                if header is None:
                    if not isinstance(record, dict) or record.get("format") != _FORMAT:
                        raise ValueError("it does not begin with a header")
                    header = msgspec.convert(record, _IndexHeader)
                elif record == _END:
                    is_complete = True
                elif not isinstance(record, dict) or Path(str(record["chunk"])).name != record["chunk"]:
                    raise ValueError("it names no chunk")
                else:
                    chunks.append(record["chunk"])
            except _DAMAGE as error:
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


DEFAULT_FOLDER = Path(".design2a11y") / "runs"

_DETAILS_SUFFIX = ".details.jsonl"
#: Stored beside a run, not in it: individual blocks and elements, and paths of pictures.
_DETAILS = (
    "visual",
    *(field.name for field in saved_fields(Evaluation) if not is_whole_in_runs(field)),
)

_NAME = re.compile(r"\w[\w.+@-]{0,99}")


def check_name(name: str, *, folder: Path | None = None) -> str:
    """Return the name if a run can be saved under it; ConfigurationError otherwise.

    Without a folder, existing runs are not checked.
    """
    if not _NAME.fullmatch(name) or name.endswith((".", SUFFIX)) or files.is_reserved(name):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a run.",
            advice="Take up to 100 letters, digits and . _ - + @, beginning with a letter or digit, "
            "without .jsonl, and no device of Windows (con, nul, ...).",
        )
    others = [] if folder is None or not folder.is_dir() else sorted(path.name for path in folder.iterdir())
    file = f"{name}{SUFFIX}"
    like = [other for other in others if other.casefold() == file.casefold()]
    if like and file not in like:
        raise ConfigurationError(
            f"A run {like[0].removesuffix(SUFFIX)!r} is there, and {name!r} would be the same file on "
            "Windows and macOS.",
            advice="Take its very name to replace it, or another one.",
        )
    return name


def save_run(run: Run, *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Write a run to its file atomically; an earlier run of the same name is replaced."""
    path = folder / f"{check_name(run.name)}{SUFFIX}"
    write_run(run, path)
    return path


@without_collecting()
def load_run(
    name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER, has_audit: bool = True
) -> Run:
    """Read a saved run.

    It is given by name, or by the path of a file or folder of chunks, and named after its file. A file with a
    truncated last line, or with fewer lines than its header says, is an incomplete run. Comparing does not
    need counts per rule (`has_audit`).

    Raises:
        RunNotFound: There is no such run.
        RunUnreadable: It is damaged, or not a saved run.
    """
    path = find_run(name_or_path, folder=folder)
    return (load_chunks if path.is_dir() else read_run)(path, has_audit=has_audit)


def find_run(name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Return the file of a saved run, or its folder; RunNotFound if there is none."""
    text = os.fspath(name_or_path)
    by_name = folder / f"{text}{SUFFIX}"
    if _NAME.fullmatch(text) and by_name.is_file():
        return by_name
    with suppress(OSError, ValueError):
        if Path(text).is_file() or (Path(text) / INDEX).is_file():
            return Path(text)
    names = sorted(name_of(path) for path in folder.glob(f"*{SUFFIX}"))
    advice = "None has been saved yet; save one with --design2a11y-save NAME."
    if names:
        advice = f"{did_you_mean(text, names)}Saved: {listed(names, most=20)}."
    raise RunNotFound(f"There is no saved run {text!r} in {folder}.", advice=advice)


def load_runs(folder: Path = DEFAULT_FOLDER) -> tuple[list[Run], list[RunUnreadable]]:
    """Read all saved runs, without their audits.

    The oldest come first; also return the errors of unreadable ones.
    """
    runs, problems = [], []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            runs.append(load_run(path, has_audit=False))
        except RunNotFound:
            problems.append(RunUnreadable(f"{path} is not a file."))
        except RunUnreadable as error:
            problems.append(error)
        except OSError as error:
            problems.append(RunUnreadable(f"{path} cannot be read: {error.strerror}."))
    return sorted(runs, key=lambda run: (run.created, run.name)), problems


def save_details(run: Run, *, folder: Path = DEFAULT_FOLDER.parent) -> Path:
    """Write the details of a run atomically, into a folder beside that of the runs."""
    path = folder / "details" / f"{run.name}{_DETAILS_SUFFIX}"
    records = chain([{"created": run.created}], map(to_dict, run.evaluations))
    files.write_text(path, (json_line(record) + "\n" for record in records))
    return path


def with_details(run: Run, *, folder: Path = DEFAULT_FOLDER.parent) -> Run:
    """Return a loaded run with its details, if this machine has them and they belong to it."""
    try:
        with files.open_regular(folder / "details" / f"{run.name}{_DETAILS_SUFFIX}") as file:
            lines = files.limited_lines(file)
            if msgspec.json.decode(next(lines))["created"] != run.created:
                return run
            kept = [from_dict(msgspec.json.decode(line)) for line in lines]
    except (*_DAMAGE, OSError, StopIteration):
        return run
    details = {
        (page.id, page.case_key, page.sample): {name: getattr(page, name) for name in _DETAILS}
        for page in kept
    }
    pages = (
        replace(page, **details.get((page.id, page.case_key, page.sample), {})) for page in run.evaluations
    )
    return replace(run, evaluations=tuple(pages))


def pages_of(run: Run, name: str) -> tuple[Evaluation, ...]:
    """Return the pages of a case by its name, or its last folders and name, or the page with that id.

    Raises:
        ConfigurationError: The run has neither.
    """
    case, cases = whole_characters(name), sorted({page.case for page in run.evaluations})
    chosen = tuple(page for page in run.evaluations if case in (page.case, page.id))
    if not chosen and len(ending := [known for known in cases if known.endswith(f"/{case}")]) == 1:
        chosen = tuple(page for page in run.evaluations if page.case == ending[0])
    if not chosen:
        raise ConfigurationError(
            f"{run.name} has no case {case!r}.",
            advice=f"{did_you_mean(case, cases)}It has: {listed(cases, most=20)}.",
        )
    return chosen
