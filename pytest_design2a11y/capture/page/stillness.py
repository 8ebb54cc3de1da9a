"""Whether a frozen page held still, from its screenshot to the last thing that was read of it.

Stopping a page's scripts does not stop what they await: a promise of the browser's own (of a blob, a picture,
a stream) is still resolved, and the script goes on. Three things tell of it, none of which a page can reach:
every change of a document is a mutation record, or makes the browser work out styles anew, which reading does
not; and no script runs without taking memory from the heap, on which a screenshot leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.capture.scripts import script, tree_function


class Stillness:
    """Watches a page while it is read."""

    def __init__(self, page: FrozenPage) -> None:
        """Begin to watch."""
        self._page = page
        self._page.send("Performance.enable")
        for world in page.worlds:
            world.call(script(__package__, "ask_for_fonts.js"))
        self._changes = self._count_changes()
        self._num_styles, self._heap = self._num_styles_and_heap()
        self._retake: Callable[[], bool] = lambda: True

    def screenshot(self, take: Callable[[], bytes]) -> bytes:
        """Take the screenshot that what is read from now on must agree with."""
        shot = take()
        # It leaves the layout to be done anew; a script of ours that did so would take from the heap.
        self._page.send("Page.getLayoutMetrics")
        self._num_styles, heap = self._num_styles_and_heap()
        if heap != self._heap:
            # A script ran beside it, before or after the moment that it shows.
            self._retake = lambda: take() == shot
        return shot

    def has_held(self) -> bool:
        """Tell whether all that was read meanwhile is of the moment that the screenshot shows."""
        if self._count_changes() != self._changes or self._num_styles_and_heap()[0] != self._num_styles:
            return False
        return self._retake()

    def _count_changes(self) -> list[Any]:
        """Count what changed in each frame; its layout is done then."""
        return [world.call(tree_function(__package__, "changes.js")) for world in self._page.worlds]

    def _num_styles_and_heap(self) -> tuple[int, int]:
        """Return how often styles were worked out, and the bytes of the heap that are used."""
        metrics = self._page.send("Performance.getMetrics")["metrics"]
        values = {metric["name"]: int(metric["value"]) for metric in metrics}
        return values["RecalcStyleCount"], values["JSHeapUsedSize"]
