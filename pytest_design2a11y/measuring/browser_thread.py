"""A renderer in its own thread: only the thread that started Playwright may use it.

So programs may render from any thread, and a test's own thread remains free for an event loop.
"""

import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

T = TypeVar("T")

#: Seconds that a page under way has to end when the thread is closed, before its browser is killed.
PATIENCE = 2.0

_Task = tuple["Future[Any]", Callable[["Renderer"], Any]]


@dataclass
class _UnderWay:
    """What the thread is doing, and with what."""

    renderers: "list[Renderer]" = field(default_factory=list)  # None before the first task
    future: Future[Any] | None = None  # Of the task under way
    given_up: Future[Any] | None = None  # Of the last task that nobody waits for any more
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, future: Future[Any] | None) -> None:
        """Note the task under way; CancelledError if it was given up while the browser started."""
        with self.lock:
            if future is not None and future is self.given_up:
                raise CancelledError
            self.future = future

    def end(self, future: Future[Any]) -> None:
        """End the browsers if this task is under way, or keep it from beginning."""
        with self.lock:
            self.given_up = future
            for renderer in self.renderers if self.future is future else ():
                renderer.kill_browsers()


class BrowserThread:
    """Runs tasks with one renderer, one after the other; its browser starts with the first one.

    It ends with `close`, or when it is garbage collected or Python exits; no browser is left behind.
    """

    def __init__(self, settings: Settings, **browser: Any) -> None:
        """Prepare without starting a browser; further arguments are those of `open_renderer`."""
        opened = partial(open_renderer, settings, **browser)
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._work = _UnderWay()
        thread = threading.Thread(
            target=_serve, args=(self._tasks, self._work, opened), name="design2a11y-browser", daemon=True
        )
        self._end = weakref.finalize(self, _end, self._tasks, self._work, thread)
        thread.start()

    def submit(self, work: "Callable[[Renderer], T]") -> Future[T]:
        """Run `work` in the thread, for a future result; ConfigurationError if the thread is closed."""
        if not self._end.alive:
            raise ConfigurationError("This scorer is closed.", advice="Make a new one.")
        future: Future[T] = Future()
        self._tasks.put((future, work))
        return future

    @contextmanager
    def waiting(self, future: Future[T]) -> Iterator[Future[T]]:
        """Wait for a future inside the `with` block; if that ends earlier, so does the page, at once."""
        try:
            yield future
        finally:
            if not future.done() and not future.cancel():
                self._work.end(future)

    def capture(self, source: Any, **how: Any) -> "Future[Capture]":
        """Render a path, URL or HTML text in the thread, as `capture_source` does."""
        return self.submit(lambda renderer: capture_source(source, renderer=renderer, **how))

    def close(self) -> None:
        """End the browser; pending work is cancelled, and running work has two seconds to end."""
        self._end()


def _serve(
    tasks: SimpleQueue[_Task | None],
    current: _UnderWay,
    opened: "Callable[[], AbstractContextManager[Renderer]]",
) -> None:
    with ExitStack() as stack:
        while (task := tasks.get()) is not None:
            future, work = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if not current.renderers:
                    current.renderers.append(stack.enter_context(opened()))
                current.renderers[0].allow_browsers()
                current.begin(future)
                future.set_result(work(current.renderers[0]))
            except BaseException as error:
                future.set_exception(error)
            current.begin(None)
            # Otherwise the last page, or its error, would be kept until the next one.
            del task, future, work


def _end(tasks: SimpleQueue[_Task | None], work: _UnderWay, thread: threading.Thread) -> None:
    with suppress(Empty):
        while (task := tasks.get_nowait()) is not None:
            task[0].cancel()
    tasks.put(None)
    thread.join(PATIENCE)
    if thread.is_alive():
        for renderer in work.renderers:
            renderer.kill_browsers()
        thread.join()
