"""Work that a thread does while its caller goes on with the next piece."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Generic, Self, TypeVar

T = TypeVar("T")

#: Seconds that work which nobody waits for any more has to end, before it is left to its own time limit.
PATIENCE = 2.0


class Behind(Generic[T]):
    """Does one thing at a time in a thread, and keeps its result until it is asked for."""

    def __init__(self) -> None:
        self._future: Future[T] | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def begin(self, work: Callable[[], T]) -> None:
        """Begin with something, after what was begun before has been asked for."""
        future: Future[T] = Future()
        self._future = future
        # A daemon, for which Python's end does not wait.
        self._thread = threading.Thread(
            target=_do, args=(future, work), name="design2a11y-behind", daemon=True
        )
        self._thread.start()

    def results(self) -> list[T]:
        """Wait for what was begun, and give its result, once; nothing where nothing was begun."""
        future, self._future = self._future, None
        if future is None or self._thread is None:
            return []
        # Its end, not only its result: until then it holds what it worked on.
        self._thread.join()
        return [future.result()]


def _do(future: Future[T], work: Callable[[], T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)
