"""Closed shadow roots: no script is shown them, the protocol is."""

from __future__ import annotations

from pytest_design2a11y.capture.page.flat_tree import flat_tree
from pytest_design2a11y.capture.page.frame_context import FrameContext

_REMEMBER = "function () { (globalThis.__design2a11yClosedRoots ??= new WeakMap()).set(this.host, this); }"


def open_closed_roots(world: FrameContext) -> int:
    """Count closed shadow roots, and map their hosts to them in the world (`__design2a11yClosedRoots`)."""
    known = flat_tree(world.channel).closed_roots
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
