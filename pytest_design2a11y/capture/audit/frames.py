"""From the frame elements of a world to the worlds of their frames."""

from __future__ import annotations

from pytest_design2a11y.capture.page.frame_context import FrameContext


def frame_id(parent: FrameContext, element: str, index: int) -> str:
    """Return the protocol's name of the frame that a frame element shows; "" where it shows none.

    Args:
        parent: The world of the document that the frame element is in.
        element: Source of a JavaScript function that gives the element by its index.
        index: Of the element.
    """
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
