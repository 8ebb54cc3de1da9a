"""Scores a corpus into a folder, in chunks that a restarted run does not score again."""

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, fields
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import BrowserLost, BrowserNotFound
from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.run_end import current_commit
from pytest_design2a11y.runs.run_file import END, ChunkFolder
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.run_options import RUN_FIELDS

#: Settings that are only locations; their contents are among the conditions of the machine.
_PLACES = frozenset(
    {
        "limits", "capture", "cache_folder", "picture_folder", "chromium", "axe_script", "htmlcs_script",
        "typed",
    }
)  # fmt: skip
_LOSSES = frozenset(error.__name__ for error in (BrowserLost, BrowserNotFound))


class Done(NamedTuple):
    """A chunk in the folder."""

    num_pages: int  # Pairs in it
    num_errors: int  # Pairs that could not be measured
    is_new: bool  # Whether it was scored in this call


class _Chunk(NamedTuple):
    key: str
    num_pages: int
    num_errors: int | None  # None: still to be scored


def score_corpus(
    pairs: Iterable[Pair],
    *,
    folder: Path,
    settings: Settings,
    jobs: int = 1,
    executor: str | None = None,
    chunk_size: int,
) -> Iterator[Done]:
    """Score pairs into a folder, which is a saved run once all pairs have been scored.

    A chunk's name is a digest of its pairs, the files that they name, the settings, auditing scripts and
    recorded assets, and of browser, code, platform and fonts; files loaded by pages are not included. A chunk
    in which a browser or process was lost is scored again. It holds `chunk_size` pairs, the most that are
    lost on a kill; only a few chunks are read ahead.

    Of the settings of a whole run, labels and prompt files are saved, together with the commit; for
    `executor` see `score_pairs`.
    """
    store = ChunkFolder(folder)
    conditions = _conditions_of_chunks(settings)
    waiting: deque[_Chunk] = deque()

    def begun() -> Iterator[Pair]:
        remaining = iter(pairs)
        while chunk := list(islice(remaining, chunk_size)):
            key = _chunk_key(chunk, conditions=conditions)
            kept = () if (run := store.find(key)) is None else run.evaluations
            is_whole = kept and not any(page.error and page.error.type in _LOSSES for page in kept)
            num_errors = _num_errors(kept) if is_whole else None
            waiting.append(_Chunk(key, len(chunk), num_errors))
            if num_errors is None:
                yield from chunk

    scored = score_pairs(begun(), settings=settings, jobs=jobs, executor=executor)
    labels, prompts = dict(settings.label), dict(settings.prompt_file)
    # Closed even on errors here: otherwise Python would wait for the browser at exit.
    with (
        store.writing(labels=labels, commit=current_commit(Path()), prompts=prompts) as write,
        closing(scored),
    ):
        fresh: list[Evaluation] = []
        for evaluation in scored:
            yield from _known(waiting, write)
            fresh.append(evaluation)
            if len(fresh) == waiting[0].num_pages:
                chunk = waiting.popleft()
                store.save(chunk.key, fresh)
                write({"chunk": chunk.key})
                yield Done(chunk.num_pages, _num_errors(fresh), is_new=True)
                fresh = []
        yield from _known(waiting, write)
        write(END)


def _num_errors(evaluations: Iterable[Evaluation]) -> int:
    return sum(page.error is not None for page in evaluations)


def _known(waiting: deque[_Chunk], write: Callable[[dict[str, Any]], None]) -> Iterator[Done]:
    while waiting and (num_errors := waiting[0].num_errors) is not None:
        chunk = waiting.popleft()
        write({"chunk": chunk.key})
        yield Done(chunk.num_pages, num_errors, is_new=False)


def _conditions_of_chunks(settings: Settings) -> dict[str, Any]:
    """Return what all chunks depend on: the settings, and the conditions of the machine."""
    names = [field.name for field in fields(Settings) if field.name not in RUN_FIELDS | _PLACES]
    limits = asdict(settings.capture)
    del limits["assets"]
    with open_renderer(settings) as renderer:
        machine = machine_conditions(renderer, settings)
    return {**machine, "capture": limits, **{name: getattr(settings, name) for name in names}}


def _chunk_key(pairs: Iterable[Pair], *, conditions: Mapping[str, Any]) -> str:
    inputs = [
        [
            asdict(pair) | {"problem": str(pair.problem), "is_answer": isinstance(pair.candidate, Answer)},
            *(file_digest(pair, source) for source in (pair.reference, pair.candidate)),
        ]
        for pair in pairs
    ]
    text = json.dumps([conditions, inputs], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
