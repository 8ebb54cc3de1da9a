"""The driver's bookkeeping: which pair to score next, again or no more, and when to return evaluations."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from pytest_design2a11y.exceptions import BrowserLost
from pytest_design2a11y.measuring.executors.processes import AHEAD
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.models.run import Evaluation, Subject

#: Number of workers that may end on a pair before it is given up.
TRIES = 3


@dataclass
class Task:
    """A pair, its number, its design's name, and how many workers ended while scoring it."""

    number: int
    pair: Pair
    design: str
    num_lost: int = 0


class Tasks:
    """Gives every pair to workers until one scores it, and returns every evaluation once."""

    def __init__(
        self,
        pairs: Iterable[Pair],
        *,
        references: References,
        num_workers: int,
        is_ordered: bool,
        ahead: int = AHEAD,
    ) -> None:
        self._waiting = (Task(number, pair, design_of(pair)) for number, pair in enumerate(pairs))
        self._references = references
        self._ahead = ahead * num_workers
        self._is_ordered = is_ordered
        self._held: deque[Task] = deque()
        self._num_in_work = 0
        self._is_exhausted = False
        self._ready: dict[int, Evaluation] = {}
        self._num_given = 0

    def take(self) -> Task | None:
        """Return the next task; None if there is none, or none until a running task has ended."""
        for place, task in enumerate(self._held):
            if not self._references.has_to_wait(task.design):
                del self._held[place]
                return self._begun(task)
        # Otherwise one slow page would make all later results wait in memory.
        while len(self._ready) < self._ahead:
            new = next(self._waiting, None)
            if new is None:
                self._is_exhausted = True
                return None
            if len(self._held) >= self._ahead or not self._references.has_to_wait(new.design):
                return self._begun(new)
            self._held.append(new)
        return None

    @property
    def is_done(self) -> bool:
        """Whether every pair has been scored or given up."""
        return self._is_exhausted and not self._num_in_work and not self._held

    def finish(self, task: Task, evaluation: Evaluation) -> None:
        """Record the evaluation of a task."""
        self._num_in_work -= 1
        self._ready[task.number] = evaluation

    def lose(self, task: Task) -> None:
        """Score a task again after its worker ended, or give it up."""
        task.num_lost += 1
        self._references.give_up(task.design)
        if task.num_lost < TRIES:
            self._num_in_work -= 1
            self._held.appendleft(task)
        else:
            error = BrowserLost(
                f"{TRIES} workers ended while they scored this page, which is not tried again.",
                stage="capture",
                advice="Score it by itself, to see why; the others are not affected.",
            )
            pair = task.pair
            self.finish(
                task, failed_evaluation(pair.subject, pair.candidate, error, reference=pair.reference)
            )

    def finished(self) -> Iterator[Evaluation]:
        """Yield the evaluations whose turn it is."""
        while self._num_given in self._ready if self._is_ordered else self._ready:
            yield self._ready.pop(self._num_given if self._is_ordered else next(iter(self._ready)))
            self._num_given += 1

    def _begun(self, task: Task) -> Task:
        self._num_in_work += 1
        return task


#: Limits for bytes held in the object store, and for the number of known designs.
MAX_BYTES = 512 * 1024 * 1024
MAX_COUNT = 10_000


def design_of(pair: Pair) -> str:
    """Return a key of a pair's design: all of the pair but its candidate; "" if it has no design."""
    return "" if pair.reference is None else repr(replace(pair, subject=Subject("", ""), candidate=""))


class References:
    """Handles of captures in the object store, by design; the least recently used are released."""

    def __init__(self, *, max_bytes: int = MAX_BYTES, max_count: int = MAX_COUNT) -> None:
        self._max_bytes = max_bytes
        self._max_count = max_count
        self._kept: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._num_bytes = 0
        self._in_work: set[str] = set()

    def has_to_wait(self, design: str) -> bool:
        """Return whether a running pair is about to provide what others of its design need."""
        return design in self._in_work

    def begin(self, design: str) -> Any:
        """Return the handle for a pair of a design, or None for the first pair, which creates it."""
        if design in self._kept:
            self._kept.move_to_end(design)
            return self._kept[design][0]
        if design:
            self._in_work.add(design)
        return None

    def end(self, design: str, handle: Any, num_bytes: int) -> None:
        """Record what a pair made, 0 bytes if nothing; others of its design need not wait any more."""
        if num_bytes or design in self._in_work:
            self._forget(design)
            self._kept[design] = (handle if num_bytes else None, num_bytes)
            self._num_bytes += num_bytes
        self._in_work.discard(design)
        while len(self._kept) > self._max_count or self._num_bytes > self._max_bytes:
            self._forget(next(iter(self._kept)))

    def give_up(self, design: str) -> None:
        """Record that a pair was lost, so that others of its design do not wait for it."""
        self._in_work.discard(design)

    def _forget(self, design: str) -> None:
        _, num_bytes = self._kept.pop(design, (None, 0))
        self._num_bytes -= num_bytes
