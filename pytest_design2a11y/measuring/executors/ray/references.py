"""Captures of designs that the actors share: one renders a design, the others get what it made."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Subject

#: Bytes of the object store that are held, and designs that are known at most.
MAX_BYTES = 512 * 1024 * 1024
MAX_COUNT = 10_000


def design_of(pair: Pair) -> str:
    """Name a pair's design by all that the pair says but its candidate; "" where it has none."""
    return "" if pair.reference is None else repr(replace(pair, subject=Subject("", ""), candidate=""))


class References:
    """Handles of captures in the object store, by design; those used longest ago are let go."""

    def __init__(self, *, max_bytes: int = MAX_BYTES, max_count: int = MAX_COUNT) -> None:
        self._max_bytes = max_bytes
        self._max_count = max_count
        self._kept: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._num_bytes = 0
        self._in_work: set[str] = set()

    def has_to_wait(self, design: str) -> bool:
        """Tell whether a pair in work is about to bring what others of its design need."""
        return design in self._in_work

    def begin(self, design: str) -> Any:
        """Return the handle for a pair of a design; None: there is none, and the first pair makes it."""
        if design in self._kept:
            self._kept.move_to_end(design)
            return self._kept[design][0]
        if design:
            self._in_work.add(design)
        return None

    def end(self, design: str, handle: Any, num_bytes: int) -> None:
        """Take what a pair made, 0 bytes where it made nothing; others of its design need not wait."""
        if num_bytes or design in self._in_work:
            self._forget(design)
            self._kept[design] = (handle if num_bytes else None, num_bytes)
            self._num_bytes += num_bytes
        self._in_work.discard(design)
        while len(self._kept) > self._max_count or self._num_bytes > self._max_bytes:
            self._forget(next(iter(self._kept)))

    def give_up(self, design: str) -> None:
        """Take note that a pair was lost, whatever it was making."""
        self._in_work.discard(design)

    def _forget(self, design: str) -> None:
        _, num_bytes = self._kept.pop(design, (None, 0))
        self._num_bytes -= num_bytes
