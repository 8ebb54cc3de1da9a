"""Which elements scripts listen on, as the browser knows it."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.capture.page.frame_context import FrameContext
from pytest_design2a11y.capture.probes.running_page import RunningPage


def listeners(page: RunningPage, world: FrameContext) -> Iterator[tuple[int, str]]:
    """Return the elements of a frame that scripts listen on, by their numbers, with what for."""
    where = {"expression": "document", "contextId": world.context_id}
    document = world.send("Runtime.evaluate", where)["result"]["objectId"]
    how = {"objectId": document, "depth": -1, "pierce": True}
    numbers: dict[int, int | None] = {}
    for listener in world.send("DOMDebugger.getEventListeners", how)["listeners"]:
        node = listener.get("backendNodeId")
        if node is None:
            continue
        if node not in numbers:
            numbers[node] = page.number(world, node)
        number = numbers[node]
        if number is not None:
            yield number, listener["type"]
