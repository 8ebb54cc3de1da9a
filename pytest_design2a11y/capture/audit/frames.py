"""From the frame elements of a world to the worlds of their frames."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.capture.page.frame_context import FrameContext, FrozenPage


def frame_id(parent: FrameContext, element: str, index: int) -> str:
    """Return the protocol's name of the frame that a frame element shows; "" where it shows none."""
    found = parent.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": element,
            "executionContextId": parent.context_id,
            "arguments": [{"value": index}],
        },
    )["result"]
    node = parent.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]
    return str(node.get("frameId", ""))


def worlds_of_frames(
    page: FrozenPage, parent: FrameContext, element: str, count: int
) -> Iterator[FrameContext | str]:
    """Yield the world of each frame that a document shows, or why it cannot be entered."""
    by_id = {world.frame_id: world for world in page.worlds}
    for index in range(count):
        world = by_id.get(frame_id(parent, element, index))
        if world is None:
            yield "it is not shown or rendered by another process"
        elif world.call("() => location.protocol") == "chrome-error:":
            yield "it did not load"
        else:
            yield world
