"""A progress bar on a terminal's standard error; nothing anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_BAR = 30


class Progress:
    """Shows how many of a known number are done, on a terminal, where there is more than one."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._done = 0
        self._is_shown = total > 1 and stream.isatty()

    def __enter__(self) -> Progress:
        self._draw()
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def advance(self) -> None:
        """Count one more as done."""
        self._done += 1
        self._draw()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while something else is printed."""
        self._erase()
        yield
        self._draw()

    def _draw(self) -> None:
        if self._is_shown:
            filled = _BAR * self._done // self._total
            self._stream.write(f"\r[{'#' * filled:<{_BAR}}] {self._done}/{self._total}")
            self._stream.flush()

    def _erase(self) -> None:
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
