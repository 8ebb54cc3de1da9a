"""A progress bar on the terminal's standard error; elsewhere nothing, or a line from time to time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Self, TextIO

_BAR = 30


class Progress:
    """Shows how many of a known total are done, the rate, and the time left, on a terminal."""

    def __init__(self, total: int, stream: TextIO, *, every: float | None = None) -> None:
        """Show nothing for a total of one; `every`: seconds between lines if the stream is not a terminal."""
        self._total = total
        self._stream = stream
        self._done = 0
        self._worked = 0
        self._start = self._reported = time.monotonic()
        self._every = None if stream.isatty() else every
        self._is_shown = total > 1 and stream.isatty()

    def __enter__(self) -> Self:
        self._draw()
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def advance(self, number: int = 1, *, is_work: bool = True) -> None:
        """Count more as done."""
        self._done += number
        self._worked += number if is_work else 0
        self._draw()
        now = time.monotonic()
        if self._every is not None and now - self._reported >= self._every:
            self._reported = now
            self._stream.write(f"{self._done}/{self._total}{self._pace()}\n")
            self._stream.flush()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar while something else is printed."""
        self._erase()
        yield
        self._draw()

    def _draw(self) -> None:
        if self._is_shown:
            filled = _BAR * self._done // self._total
            self._stream.write(f"\r[{'#' * filled:<{_BAR}}] {self._done}/{self._total}{self._pace()}")
            self._stream.flush()

    def _pace(self) -> str:
        elapsed = time.monotonic() - self._start
        if not self._worked or not elapsed:
            return ""
        rate = self._worked / elapsed
        left = timedelta(seconds=round((self._total - self._done) / rate))
        return f", {rate:.2f} a second, {left} left"

    def _erase(self) -> None:
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
