"""The frames of a page: one isolated world each, where each lies, and which element shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
