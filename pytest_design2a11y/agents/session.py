"""The one browser of a server: it starts with the first page, and a cancelled call ends its page."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_design2a11y.files import label_from
from pytest_design2a11y.settings import CALL_FIELDS, Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.evaluation import Evaluation
    from pytest_design2a11y.models.page import Capture

T = TypeVar("T")

#: Is told how many seconds of how many have passed.
Told = Callable[[float, float], Awaitable[None]]

#: Seconds between two messages on progress.
_BETWEEN = 1.0


class Session:
    """Measures pages for one client, one after the other; it writes into a temporary folder only."""

    def __init__(self, settings: Settings) -> None:
        """Prepare, without starting a browser yet."""
        self._temporary = TemporaryDirectory(prefix="design2a11y-")
        self.pictures = Path(self._temporary.name, "pictures")
        self.settings = replace(
            settings, cache_folder=Path(self._temporary.name, "cache"), picture_folder=None
        )
        self._thread: BrowserThread | None = None

    def close(self) -> None:
        """End the browser."""
        if self._thread is not None:
            self._thread.close()
        self._temporary.cleanup()

    def _open_thread(self) -> "BrowserThread":
        # Its imports would be half of the server's start.
        from pytest_design2a11y.measuring.browser_thread import BrowserThread

        self._thread = self._thread or BrowserThread(self.settings)
        return self._thread

    async def measure(
        self,
        page: str,
        design: str | None,
        choice: Mapping[str, Any],
        told: Told,
        *,
        has_pictures: bool = False,
    ) -> "Evaluation":
        """Return the evaluation of a page, with its verdicts, and its pictures if they are needed."""
        from pytest_design2a11y.limits import judge
        from pytest_design2a11y.measuring.executors.serial import score_pair
        from pytest_design2a11y.measuring.pairs import Pair, along_variants
        from pytest_design2a11y.models.page import Answer
        from pytest_design2a11y.models.verdicts import Subject

        settings = replace(self.settings, picture_folder=self.pictures) if has_pictures else self.settings
        given = {name: value for name, value in choice.items() if value and name in CALL_FIELDS}
        name = "<html>" if isinstance(page, Answer) else label_from(Path.cwd(), Path(page)) or page
        pair = Pair(Subject(name, ""), design, page, Path.cwd(), choices=given)
        (variant,) = along_variants([pair], settings)
        evaluation = await self.run(
            lambda renderer: score_pair(variant, renderer=renderer, settings=settings), told
        )
        return judge(evaluation, settings.limits_on(evaluation.case)).evaluation

    async def capture(self, design: str, choice: Mapping[str, Any], told: Told) -> "Capture":
        """Return the capture of a design."""
        from pytest_design2a11y.measuring.sources import capture_source

        settings = self.settings.with_choices({name: value for name, value in choice.items() if value})
        how: dict[str, Any] = {"role": "reference", "settings": settings, "folders": (Path.cwd(),)}
        return await self.run(lambda renderer: capture_source(design, renderer=renderer, **how), told)

    async def run(self, work: "Callable[[Renderer], T]", told: Told) -> T:
        """Return the result of work in the browser's thread; if the call is cancelled, the page ends."""
        started = time.monotonic()
        while True:
            thread = self._open_thread()
            future = thread.submit(work)
            waiting = asyncio.wrap_future(future)
            try:
                while not waiting.done():
                    await asyncio.wait([waiting], timeout=_BETWEEN)
                    await told(time.monotonic() - started, self.settings.capture.timeout)
            except asyncio.CancelledError:
                if not future.cancel() and thread is self._thread:
                    # Only closing the browser ends a page; what waits behind it goes to the next one.
                    self._thread = None
                    threading.Thread(target=thread.close, name="design2a11y-abandoned").start()
                raise
            if not waiting.cancelled():
                return waiting.result()
