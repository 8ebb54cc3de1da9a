"""Closed shadow roots: no script is shown them, the protocol is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_design2a11y.capture.page.world import World

_REMEMBER = "function () { (globalThis.__design2a11yClosedRoots ??= new WeakMap()).set(this.host, this); }"


def open_closed_roots(world: World) -> int:
    """Tell the scripts of a world the closed shadow roots of its frame.

    Args:
        world: In which `__design2a11yClosedRoots` then maps hosts to roots.

    Returns:
        How many there are.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    tree = world.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    roots = list(_closed_roots(_document_of(world, tree) or tree))
    for root in roots:
        resolved = world.send(
            "DOM.resolveNode", {"backendNodeId": root, "executionContextId": world.context_id}
        )
        world.send(
            "Runtime.callFunctionOn",
            {"objectId": resolved["object"]["objectId"], "functionDeclaration": _REMEMBER},
        )
    return len(roots)


def count_contents(world: World) -> int:
    """Count the elements with `display: contents`, as slots are, in closed shadow roots and frames too.

    Raises:
        RenderTimeout: The page did not answer in time.
        CaptureError: The page ended.
    """
    root = world.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    wanted = {"nodeId": root, "computedStyles": [{"name": "display", "value": "contents"}], "pierce": True}
    return len(world.send("DOM.getNodesForSubtreeByStyle", wanted)["nodeIds"])


def _document_of(world: World, node: dict[str, Any]) -> dict[str, Any] | None:
    if world.is_main:
        return node
    for child in _children(node, with_documents=True):
        if child.get("frameId") == world.frame_id and "contentDocument" in child:
            document: dict[str, Any] = child["contentDocument"]
            return document
        found = _document_of(world, child)
        if found:
            return found
    return None


def _closed_roots(node: dict[str, Any]) -> Iterator[int]:
    if node.get("shadowRootType") == "closed":
        yield node["backendNodeId"]
    for child in _children(node, with_documents=False):
        yield from _closed_roots(child)


def _children(node: dict[str, Any], *, with_documents: bool) -> Iterator[dict[str, Any]]:
    yield from node.get("shadowRoots", ())
    yield from node.get("children", ())
    if with_documents and "contentDocument" in node:
        yield node["contentDocument"]
