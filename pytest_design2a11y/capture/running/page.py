"""A page that a probe acts on: its scripts run, by its own clock, and nothing it does leads it away.

It is all that probes see of the browser.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.channel import calling, frame_tree, frames_of
from pytest_design2a11y.capture.clock import Unanswered
from pytest_design2a11y.capture.page.frames import FrameContext, frame_id, in_page, open_worlds
from pytest_design2a11y.capture.page.load import Loaded
from pytest_design2a11y.capture.page.screenshot import resize, shot
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.warning_log import FLOOD
from pytest_design2a11y.exceptions import CaptureError, NavigatedAway, ProbeError
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.audit import Place
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.wording import flag

#: Milliseconds of the page's own clock in which it may react to an action.
ANSWERING = 400.0

#: The script that all probes share; their own import it.
SHARED = "capture/running/page.js"

_KEYS = {"Tab": 9, "Escape": 27, "Enter": 13}
_SHIFT = 8


@dataclass
class RunningPage:
    """An open page."""

    visit: Visit  # The visit to it
    loaded: Loaded  # How it loaded, with its driver
    viewport: Viewport  # The window that it was opened in
    capture: Capture  # What was read from it before, when it was frozen
    design: Capture | None  # The design that it is compared with, if known
    # Opens the same page anew, in a context of its own
    anew: "Callable[[], AbstractContextManager[RunningPage]]"
    worlds: Sequence[FrameContext] = field(init=False)  # One isolated world per frame, the main one first
    _parents: Mapping[str, str | None] = field(init=False)
    _loader: str = field(init=False)
    _loaded: set[tuple[int, str]] = field(default_factory=set, init=False)  # Scripts, by world

    def __post_init__(self) -> None:
        if not self.loaded.is_calm:
            raise ProbeError(
                "The page was still loading or busy after its time, so that nothing can be tried on it.",
                stage=self.visit.deadline.stage,
                advice=f"Fix what keeps it busy, or allow more time with {flag('timeout')}.",
            )
        tree = frame_tree(self.visit.channel)
        self._loader = tree["frame"]["loaderId"]
        self._parents = {frame["id"]: frame.get("parentId") for frame in frames_of(tree)}
        self.worlds = open_worlds(self.visit.channel, tree)
        self.call_all(SHARED, "hideCaret")

    def call(self, script: str, name: str, *given: Any, world: int = 0) -> Any:
        """Call a function that a script of the package exports, in a frame, by default the main one.

        The script is loaded once per frame, and keeps its state.
        """
        return self.worlds[world].call(self._calling(script, name, world), *given)

    def call_all(self, script: str, name: str, *given: Any) -> list[Any]:
        """Call a function that a script exports in every frame."""
        return [self.call(script, name, *given, world=world) for world in range(len(self.worlds))]

    def _calling(self, script: str, name: str, world: int) -> str:
        key = json.dumps(script)
        if (world, script) not in self._loaded:
            self._loaded.add((world, script))
            namespace = namespace_of(script)
            self.worlds[world].load(f"(globalThis.design2a11yScripts ??= {{}})[{key}] ??= {namespace};")
        return f"(...given) => design2a11yScripts[{key}].{name}(...given)"

    def _find(self, name: str, *given: Any, world: int) -> str:
        """Return the protocol's id of the object that a function of the shared script returns."""
        return self.worlds[world].find(self._calling(SHARED, name, world), *given)

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the page (see `Channel.send`)."""
        return self.visit.channel.send(method, params)

    def settle(self, milliseconds: float = ANSWERING) -> None:
        """Let the page react to an action, and check that it is still there."""
        try:
            if self.loaded.driver is not None:
                self.loaded.driver.go_on(milliseconds)
            self.require_same_page()
            self.call_all(SHARED, "rest")
        except Unanswered:
            raise ProbeError(
                "The page did not answer any more after something was done to it.",
                stage=self.visit.deadline.stage,
                advice="Look for a script that goes on without end when the focus or the pointer moves.",
            ) from None

    def require_same_page(self) -> None:
        """Check that the page is still there, and no longer occupied by dialogs."""
        stage, counts = self.visit.deadline.stage, self.visit.log.counts
        if counts["dialogs"] > FLOOD:
            raise ProbeError(
                f"The page opened more than {FLOOD} dialogs.",
                stage=stage,
                advice="Remove the script that opens dialogs when the focus or the pointer moves.",
            )
        if counts["navigations"] or frame_tree(self.visit.channel)["frame"]["loaderId"] != self._loader:
            left = self.visit.log.named("navigations") or "another document"
            raise NavigatedAway(
                f"The page left for {left} by itself.",
                stage=stage,
                advice="Remove the script that leaves the page when the focus or the pointer moves.",
            )

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key, and let the page react (see `settle`)."""
        held = {"windowsVirtualKeyCode": _KEYS[key], "modifiers": _SHIFT if shift else 0}
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key, **held})
        self.settle()

    def move(self, x: float, y: float) -> None:
        """Move the pointer to a point of the window, px, and let the page react (see `settle`)."""
        self.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
        self.draw()

    def click(self, x: float, y: float) -> None:
        """Click at a point of the window, px, and let the page react (see `settle`)."""
        for kind in ("mousePressed", "mouseReleased"):
            where = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.send("Input.dispatchMouseEvent", where)
        self.draw()

    def attempts(self) -> dict[str, int]:
        """Return how often the page has tried to do what is refused, or asked for files, by kind."""
        return {**self.visit.log.counts, **self.call(SHARED, "attempted")}

    def resize(self, width: int, height: int) -> None:
        """Lay the page out in a window of another size, and let it react (see `settle`)."""
        # A mobile browser would lay a page out at least 980 px wide, unless it asks for less, and shrink it.
        resize(self.visit.channel, replace(self.viewport, mobile=False), width, height)
        self.draw()

    def draw(self) -> None:
        """Draw the page, so that it notices its new size, and let it react (see `settle`)."""
        self.call(SHARED, "drawn")
        self.settle()

    def window(self) -> Box:
        """Return the part of the page that is in the window, px."""
        left, top, width, height = self.worlds[0].call("() => [scrollX, scrollY, innerWidth, innerHeight]")
        return left, top, width, height

    def restore(self) -> None:
        """Restore the page's initial state: its window, scrolled to the top, nothing focused."""
        self.resize(*self.viewport.size)
        self.call_all(SHARED, "restore")
        self.settle()

    def screenshot(self, area: Box, *, is_beyond_window: bool = False) -> bytes:
        """Take a screenshot of a part (x, y, width, height) of the page, px, as PNG."""
        seconds = self.visit.deadline.remaining()
        return shot(self.visit.channel, area, is_beyond_window=is_beyond_window, seconds=seconds)

    def bring(self, place: Place) -> Box | None:
        """Scroll an element into view and return its place, px of its frame; None if it is not visible."""
        box = self.call(SHARED, "bring", place.number, world=place.world)
        return None if box is None else (box[0], box[1], box[2], box[3])

    def leave(self) -> None:
        """Take the focus from whatever has it, and let the page react (see `settle`)."""
        self.call_all(SHARED, "leave")
        self.settle()

    def accessible_name(self, place: Place) -> str:
        """Return the name by which the browser presents an element to assistive technology."""
        element = self._find("elementOf", place.number, world=place.world)
        how = {"objectId": element, "fetchRelatives": False}
        nodes = self.worlds[place.world].send("Accessibility.getPartialAXTree", how)["nodes"]
        return str((nodes[0].get("name") or {}).get("value", "")) if nodes else ""

    def describe(self, places: Iterable[Place]) -> dict[Place, dict[str, Any]]:
        """Describe elements as audits do: selector, start of the HTML, box in the page."""
        by_world: dict[int, list[int]] = {}
        for place in dict.fromkeys(places):
            by_world.setdefault(place.world, []).append(place.number)
        found: dict[Place, dict[str, Any]] = {}
        for world, numbers in by_world.items():
            frames = self.frame_elements(world)
            prefix = [
                step for outer in frames for step in self._described(outer.world, [outer.number])[0]["target"]
            ]
            for number, element in zip(numbers, self._described(world, numbers), strict=True):
                box = in_page(element["box"], self.worlds[world].offset)
                target = " >>> ".join([*prefix, *element["target"]])
                found[Place(world, number)] = {"target": target, "html": element["html"], "box": box}
        return found

    def _described(self, world: int, wanted: Sequence[int]) -> list[dict[str, Any]]:
        if self.worlds[world].call("() => typeof axe === 'undefined'"):
            self.worlds[world].load(read_axe_script(None))
        answer: list[dict[str, Any]] = self.call(SHARED, "describe", wanted, world=world)
        return answer

    def frame_elements(self, world: int) -> list[Place]:
        """Return the elements that lead to a frame, outermost first."""
        frame = self.worlds[world].frame_id
        ids = [other.frame_id for other in self.worlds]
        if self._parents.get(frame) not in ids:
            return []
        outer = ids.index(str(self._parents[frame]))
        node = self.worlds[outer].send("DOM.getFrameOwner", {"frameId": frame})["backendNodeId"]
        number = self._number(outer, node)
        return [*self.frame_elements(outer), *([] if number is None else [Place(outer, number)])]

    def frame_in(self, place: Place) -> int | None:
        """Return the world of the frame that an element shows; None if there is none."""
        outer = self.worlds[place.world]
        shown = frame_id(outer, self._calling(SHARED, "elementOf", place.world), place.number)
        return next((index for index, world in enumerate(self.worlds) if world.frame_id == shown), None)

    def listeners(self, world: int) -> Iterator[tuple[int, str]]:
        """Yield the elements of a frame that scripts listen on, by number, each with the event."""
        send = self.worlds[world].send
        numbers: dict[int, int | None] = {}
        for index in range(self.call(SHARED, "countRoots", world=world)):
            root = self._find("rootAt", index, world=world)
            node = send("DOM.describeNode", {"objectId": root})["node"]["backendNodeId"]
            # As the page's scripts see it: from our world, Chromium reports other worlds' listeners only
            # together with those in frames, and takes their nodes for another frame's, or crashes.
            object_id = send("DOM.resolveNode", {"backendNodeId": node})["object"]["objectId"]
            found = send("DOMDebugger.getEventListeners", {"objectId": object_id, "depth": -1})["listeners"]
            for listener in found:
                node = listener.get("backendNodeId")
                if node is not None and node not in numbers:
                    numbers[node] = self._number(world, node)
                if (number := numbers.get(node)) is not None:
                    yield number, listener["type"]

    def _number(self, world: int, node: int) -> int | None:
        """Return an element's number in a world from its protocol id; None if it is in another document."""
        context = self.worlds[world]
        where = {"backendNodeId": node, "executionContextId": context.context_id}
        try:
            element = context.send("DOM.resolveNode", where)["object"]["objectId"]
        except CaptureError:
            return None
        order = calling(self._calling(SHARED, "ownNumberOf", world), context.context_id)
        order["arguments"] = [{"objectId": element}]
        number = context.send("Runtime.callFunctionOn", order)["result"].get("value")
        return None if number is None else int(number)
