"""A page that a probe acts on: its scripts run, by its own clock, and nothing it does leads it away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_design2a11y.capture.audit.record import in_page, read_axe_script
from pytest_design2a11y.capture.browser.channel import calling
from pytest_design2a11y.capture.page.frames import FrameContext, frame_tree, frames_of, open_worlds
from pytest_design2a11y.capture.page.load import Loaded
from pytest_design2a11y.capture.page.page_driver import Unanswered
from pytest_design2a11y.capture.page.screenshot import resize, shot
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.warning_log import FLOOD
from pytest_design2a11y.exceptions import CaptureError, NavigatedAway, ProbeError, ProbeTimeout
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.probes import Place
from pytest_design2a11y.models.viewport import Viewport

#: Milliseconds of the page's own clock in which it may react to an action.
ANSWERING = 400.0

_KEYS = {"Tab": 9, "Escape": 27, "Enter": 13}
_SHIFT = 8


@dataclass
class RunningPage:
    """An open page."""

    visit: Visit  # The visit to it
    loaded: Loaded  # How it loaded, with its driver
    viewport: Viewport  # The window that it was opened in
    worlds: Sequence[FrameContext] = field(init=False)  # One isolated world per frame, the main one first
    _parents: Mapping[str, str | None] = field(init=False)
    _loader: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.loaded.is_calm:
            raise ProbeError(
                "The page was still loading or busy after its time, so that nothing can be tried on it.",
                stage=self.visit.deadline.stage,
                advice="Fix what keeps it busy, or allow more time with --design2a11y-timeout.",
            )
        tree = frame_tree(self.visit.channel)
        self._loader = tree["frame"]["loaderId"]
        self._parents = {frame["id"]: frame.get("parentId") for frame in frames_of(tree)}
        self.worlds = open_worlds(self.visit.channel, tree)
        for world in self.worlds:
            world.load(f"globalThis.design2a11yProbes ??= {namespace_of('capture/probes/probes.js')};")
        self.call_all("probe.hideCaret")

    @staticmethod
    def calling(name: str) -> str:
        """Return a call of one of the probes' functions, such as "hover.aim"."""
        return f"(...given) => design2a11yProbes.{name}(...given)"

    def call(self, name: str, *given: Any, world: int = 0) -> Any:
        """Call one of the probes' functions in a frame, by default the main one."""
        return self.worlds[world].call(self.calling(name), *given)

    def call_all(self, name: str) -> list[Any]:
        """Call one of the probes' functions in every frame."""
        return [world.call(self.calling(name)) for world in self.worlds]

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the page (see `Channel.send`)."""
        return self.visit.channel.send(method, params)

    def settle(self, milliseconds: float = ANSWERING) -> None:
        """Let the page react to an action, and check that it is still there."""
        try:
            if self.loaded.driver is not None:
                self.loaded.driver.go_on(milliseconds)
            self.require_same_page()
            self.call_all("probe.rest")
        except Unanswered:
            raise ProbeTimeout(
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
            left = ", ".join(self.visit.log.examples.get("navigations", [])) or "another document"
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

    def resize(self, width: int, height: int) -> None:
        """Lay the page out in a window of another size, and let it react (see `settle`)."""
        # A mobile browser would lay a page out at least 980 px wide, unless it asks for less, and shrink it.
        resize(self.visit.channel, replace(self.viewport, mobile=False), width, height)
        self.draw()

    def draw(self) -> None:
        """Draw the page, so that it notices its new size, and let it react (see `settle`)."""
        self.call("probe.drawn")
        self.settle()

    def window(self) -> Box:
        """Return the part of the page that is in the window, px."""
        left, top, width, height = self.worlds[0].call("() => [scrollX, scrollY, innerWidth, innerHeight]")
        return left, top, width, height

    def restore(self) -> None:
        """Restore the page's initial state: its window, scrolled to the top, nothing focused."""
        self.resize(*self.viewport.size)
        self.call_all("probe.restore")
        self.settle()

    def screenshot(self, area: Box, *, is_beyond_window: bool = False) -> bytes:
        """Take a screenshot of a part (x, y, width, height) of the page, px, as PNG."""
        seconds = self.visit.deadline.remaining()
        return shot(self.visit.channel, area, is_beyond_window=is_beyond_window, seconds=seconds)

    def describe(self, places: Iterable[Place]) -> dict[Place, dict[str, Any]]:
        """Describe elements as audits do: selector, start of the HTML, box in the page."""
        by_world: dict[int, list[int]] = {}
        for place in dict.fromkeys(places):
            by_world.setdefault(place.world, []).append(place.number)
        found: dict[Place, dict[str, Any]] = {}
        for index, numbers in by_world.items():
            world = self.worlds[index]
            frames = self.frame_elements(world)
            prefix = [step for outer, at in frames for step in self._described(outer, [at])[0]["target"]]
            for number, element in zip(numbers, self._described(world, numbers), strict=True):
                box = in_page(element["box"], world.offset)
                target = " >>> ".join([*prefix, *element["target"]])
                found[Place(index, number)] = {"target": target, "html": element["html"], "box": box}
        return found

    @staticmethod
    def _described(world: FrameContext, wanted: Sequence[int]) -> list[dict[str, Any]]:
        if world.call("() => typeof axe === 'undefined'"):
            world.load(read_axe_script(None))
        answer: list[dict[str, Any]] = world.call(RunningPage.calling("probe.describe"), wanted)
        return answer

    def frame_elements(self, world: FrameContext) -> list[tuple[FrameContext, int]]:
        """Return the frame elements that lead to a frame, outermost first: world and number of each."""
        parent = self._parents.get(world.frame_id)
        outer = next((other for other in self.worlds if other.frame_id == parent), None)
        if outer is None:
            return []
        node = outer.send("DOM.getFrameOwner", {"frameId": world.frame_id})["backendNodeId"]
        number = self.number(outer, node)
        return [*self.frame_elements(outer), *([] if number is None else [(outer, number)])]

    @staticmethod
    def number(world: FrameContext, node: int) -> int | None:
        """Return an element's number in a world from its protocol id; None if it is in another document."""
        where = {"backendNodeId": node, "executionContextId": world.context_id}
        try:
            element = world.send("DOM.resolveNode", where)["object"]["objectId"]
        except CaptureError:
            return None
        order = calling("(element) => design2a11yProbes.probe.ownNumberOf(element)", world.context_id)
        order["arguments"] = [{"objectId": element}]
        number = world.send("Runtime.callFunctionOn", order)["result"].get("value")
        return None if number is None else int(number)


def listeners(page: RunningPage, world: FrameContext) -> Iterator[tuple[int, str]]:
    """Yield the elements of a frame that scripts listen on, by number, each with the event."""
    numbers: dict[int, int | None] = {}
    for index in range(world.call("() => design2a11yProbes.tree.allRoots().length")):
        root = world.find("(index) => design2a11yProbes.tree.allRoots()[index]", index)
        node = world.send("DOM.describeNode", {"objectId": root})["node"]["backendNodeId"]
        # As the page's scripts see it: from our world, Chromium reports other worlds' listeners only together
        # with those in frames, and takes their nodes for another frame's, or crashes.
        own = world.send("DOM.resolveNode", {"backendNodeId": node})["object"]["objectId"]
        found = world.send("DOMDebugger.getEventListeners", {"objectId": own, "depth": -1})["listeners"]
        for listener in found:
            node = listener.get("backendNodeId")
            if node is not None and node not in numbers:
                numbers[node] = page.number(world, node)
            if (number := numbers.get(node)) is not None:
                yield number, listener["type"]
