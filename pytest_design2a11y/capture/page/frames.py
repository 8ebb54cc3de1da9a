"""The frames of a page: a world for each, where it lies, which element shows it, and all their nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.page.frame_context import FrameContext, FrozenPage
from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.models.geometry import Box, clipped


def frame_tree(channel: Channel) -> dict[str, Any]:
    """Return the protocol's tree of the frames that this process renders."""
    tree: dict[str, Any] = channel.send("Page.getFrameTree")["frameTree"]
    return tree


def frames_of(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the frames of a tree, the main one first, then in document order."""
    yield tree["frame"]
    for child in tree.get("childFrames", ()):
        yield from frames_of(child)


def count_frames(tree: Mapping[str, Any]) -> int:
    """Count the frames of a tree, its root included."""
    return sum(1 for _ in frames_of(tree))


def open_worlds(channel: Channel, tree: dict[str, Any]) -> tuple[FrameContext, ...]:
    """Open a world in every frame, the main one first, then in document order."""
    return tuple(_open(channel, tree, offset=(0.0, 0.0), clip=None, is_main=True))


def open_foreign_worlds(outer: Channel, inner: Channel) -> tuple[FrameContext, ...]:
    """Open the worlds of a frame of another process; none where its place in the page is not known."""
    tree = frame_tree(inner)
    place = _place(outer, tree["frame"]["id"])
    if place is None:
        return ()
    return tuple(_open(inner, tree, offset=place[:2], clip=place, is_main=False))


def _open(
    channel: Channel, tree: dict[str, Any], *, offset: tuple[float, float], clip: Box | None, is_main: bool
) -> Iterator[FrameContext]:
    frame_id = tree["frame"]["id"]
    world = channel.send("Page.createIsolatedWorld", {"frameId": frame_id, "worldName": WORLD})
    context: int = world["executionContextId"]
    yield FrameContext(frame_id, is_main, offset, clip, context, channel)
    for child in tree.get("childFrames", ()):
        place = _place(channel, child["frame"]["id"])
        if place is None:
            continue
        shown = place if clip is None else clipped(place, clip) or (0.0, 0.0, 0.0, 0.0)
        yield from _open(channel, child, offset=place[:2], clip=shown, is_main=False)


def _place(channel: Channel, frame_id: str) -> Box | None:
    """Return the content box of the element that holds a frame, or None where it is not shown."""
    try:
        owner = channel.send("DOM.getFrameOwner", {"frameId": frame_id})
        quad = channel.send("DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]})["model"]["content"]
    except CaptureError:
        return None
    left, top = min(quad[0::2]), min(quad[1::2])
    return (left, top, max(quad[0::2]) - left, max(quad[1::2]) - top)


def frame_id(parent: FrameContext, element: str, index: int) -> str:
    """Return the protocol's name of the frame that a frame element shows; "" where it shows none."""
    node = parent.send("DOM.describeNode", {"objectId": parent.find(element, index)})["node"]
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
