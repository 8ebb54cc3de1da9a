"""All nodes of a page as one list: closed shadow roots, which no script sees, and nesting of any depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.page.frame_context import FrameContext


def flat_tree(channel: Channel) -> tuple[Mapping[str, Sequence[int]], int]:
    """Return a page's closed shadow roots, and how many elements it has, those in such roots included.

    The roots are the protocol's names, by that of the frame in which they are; the outermost has the name "".
    """
    channel.send("DOM.getDocument", {"depth": 0})
    # As a tree, the protocol does not tell of more than some 150 elements within each other.
    nodes = channel.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True})["nodes"]
    frames: dict[int, str | None] = {}
    closed: dict[str, list[int]] = {"": []}
    num_elements = 0
    # Every node comes after those in it.
    for node in reversed(nodes):
        frame = frames.get(node.get("parentId"), "")
        frames[node["nodeId"]] = frame
        if frame is None:
            continue
        num_elements += node["nodeType"] == 1
        # What else is in it, with the frame that this belongs to; None: to the browser's own parts.
        inside = [
            (root, None if root["shadowRootType"] == "user-agent" else frame)
            for root in node.get("shadowRoots", ())
        ]
        if "contentDocument" in node:
            inside.append((node["contentDocument"], node.get("frameId", "")))
        for root, inner in inside:
            frames[root["nodeId"]] = inner
            found = closed.setdefault(inner or "", [])
            if root.get("shadowRootType") == "closed":
                found.append(root["backendNodeId"])
    return closed, num_elements


def count_elements(channel: Channel, *, above: int) -> int:
    """Count the elements of a page, those too that closed shadow roots keep from scripts.

    A page that holds no more nodes than `above`, text included, is not gone through, and counts 0.
    """
    if channel.send("Memory.getDOMCounters")["nodes"] <= above:
        return 0
    try:
        return flat_tree(channel)[1]
    finally:
        # Every change of the page would be told.
        channel.post("DOM.disable")


_REMEMBER = "function () { (globalThis.__design2a11yClosedRoots ??= new WeakMap()).set(this.host, this); }"


def open_closed_roots(world: FrameContext) -> int:
    """Count closed shadow roots, and map their hosts to them in the world (`__design2a11yClosedRoots`)."""
    known, _ = flat_tree(world.channel)
    # The outermost frame that this process renders is told without its name.
    roots = known.get(world.frame_id, known[""])
    for root in roots:
        resolved = world.send(
            "DOM.resolveNode", {"backendNodeId": root, "executionContextId": world.context_id}
        )
        world.send(
            "Runtime.callFunctionOn",
            {"objectId": resolved["object"]["objectId"], "functionDeclaration": _REMEMBER},
        )
    return len(roots)


def count_contents(world: FrameContext) -> int:
    """Count the elements with `display: contents`, as slots are, in closed shadow roots and frames too."""
    root = world.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    wanted = {"nodeId": root, "computedStyles": [{"name": "display", "value": "contents"}], "pierce": True}
    return len(world.send("DOM.getNodesForSubtreeByStyle", wanted)["nodeIds"])
