"""The frames of a frozen page: each one's isolated world and place."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pytest_design2a11y.capture.browser.bounded import PendingCall
from pytest_design2a11y.capture.browser.channel import Channel, calling, frame_tree
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.exceptions import CaptureError, MeasurementError, PageTooLarge
from pytest_design2a11y.javascript import functions_of
from pytest_design2a11y.models.geometry import Box, clipped, moved
from pytest_design2a11y.models.page import Unseen
from pytest_design2a11y.models.viewport import Viewport

# JavaScript's error for recursion deeper than its stack.
TOO_DEEP = "RangeError: Maximum call stack size exceeded"

# Seconds in which a page makes the frame for a screenshot; then other processes paint it, and it is idle.
FRAME = 0.015

# Our scripts for pages, which a world gets all at once, with the first call.
_OF_PAGES = ("scroll_parts", "survey", "settle", "keep_boxes", "changes", "layout", "mask")
SCRIPTS = (
    *(f"capture/page/{name}.js" for name in _OF_PAGES),
    *(f"capture/text/{name}.js" for name in ("read_text", "hide_text")),
)


@dataclass(frozen=True)
class FrameContext:
    """An isolated world of one frame: it sees the document, but no script of the page sees it."""

    frame_id: str  # The frame's id in the protocol
    is_main: bool  # Whether it is the page's main frame
    offset: tuple[float, float]  # Where the frame's viewport lies in the page, px
    # The part of the page in which the frame is visible, (x, y, width, height) px; None: all of it
    clip: Box | None
    context_id: int
    channel: Channel = field(repr=False)
    _ahead: dict[str, PendingCall[None]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the process that renders this frame (see `Channel.send`)."""
        return self.channel.send(method, params)

    def run(self, path: str, name: str, *arguments: Any) -> Any:
        """Call a function that one of our scripts exports."""
        return self.call_long(functions_of(*SCRIPTS), path, name, *arguments)

    def call_long(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function that is sent to this world only once."""
        name = self._kept(function)
        by_name = f"(...given) => {name}(...given)"
        called = by_name if name else self.channel.by_name(function, self.context_id)
        answer = self.call(called, *arguments)
        self.channel.sent.add((function, self.context_id))
        return answer

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function in this world."""
        # As text, since Playwright copies every value of an answer.
        function = f"async (...given) => JSON.stringify(await ({function})(...given))"
        order = calling(function, self.context_id, *arguments)
        answer = self._value(self.send("Runtime.callFunctionOn", order))
        return None if answer is None else json.loads(answer)

    def find(self, function: str, *arguments: Any) -> str:
        """Return the protocol's id of the object that a JavaScript function in this world returns."""
        order = {**calling(function, self.context_id, *arguments), "returnByValue": False}
        return str(self.send("Runtime.callFunctionOn", order)["result"]["objectId"])

    def load_ahead(self, script: str) -> None:
        """Begin to run a script that `load` will request; it may only leave properties of `globalThis`."""
        self._ahead[script] = PendingCall(partial(self._load, script), delay=FRAME)

    def load(self, script: str) -> None:
        """Run a script in this world, such as a library that later calls use."""
        begun = self._ahead.pop(script, None)
        self.channel.awaited(begun or PendingCall(partial(self._load, script)))

    def _load(self, script: str) -> None:
        name = self._kept(f"() => {{ {script}\n}}")
        expression = f"{name}()" if name else f"{script}\n;undefined"
        order = {"expression": expression, "contextId": self.context_id, "returnByValue": True}
        self._value(self.send("Runtime.evaluate", order))

    def _kept(self, function: str) -> str | None:
        """Return the name under which the document has a function of ours, if it does."""
        library = self.channel.library if self.is_main else None
        return None if library is None else library.name_of(function)

    def _value(self, answer: dict[str, Any]) -> Any:
        if failure := answer.get("exceptionDetails"):
            thrown = failure.get("exception", {})
            text = thrown.get("description") or thrown.get("value") or failure.get("text")
            stage = self.channel.deadline.stage
            if TOO_DEEP in str(text):
                raise PageTooLarge(
                    "The page's elements are nested too deeply to be read: some thousand within each other.",
                    stage=stage,
                    advice="Look for a script that puts each element into the one before.",
                )
            raise CaptureError(f"A script of ours failed in the page: {text}", stage=stage)
        return answer["result"].get("value")


@dataclass(frozen=True)
class Extent:
    """The captured part of a page."""

    size: tuple[int, int]  # Width and height, px
    # Where it begins in the document, px: left of 0 if a page from right to left is wider than its window
    origin: tuple[float, float]
    start: tuple[float, float]  # Where it begins in everything that the window can be scrolled to, px
    whole: tuple[int, int]  # Width and height of all of that, px


@dataclass(frozen=True)
class FrozenPage:
    """A page that has loaded, and on which nothing moves any more."""

    worlds: Sequence[FrameContext]  # One isolated world per frame, main frame first, then in document order
    page_size: tuple[int, int]  # Width and height of the captured part, px
    viewport: Viewport  # The window that it is laid out in
    channel: Channel = field(repr=False)  # The main frame's protocol session
    # Settings applied to it that its numbers depend on, for `Capture.conditions`
    conditions: Mapping[str, Any] = field(default_factory=dict)
    # Addresses that it requested and got nothing from; others may have failed, too
    unserved: frozenset[str] = frozenset()
    restless: frozenset[str] = frozenset()  # Kinds of content that may still move
    # Where the captured part begins in everything that the window can be scrolled to, px
    start: tuple[float, float] = (0.0, 0.0)
    whole: tuple[int, int] = (0, 0)  # Width and height of all of that, px
    # What parts of it showed only while they were scrolled; texts as written, places px of the document
    scrolled: tuple[Unseen, ...] = ()

    @property
    def area(self) -> Box:
        """The captured part of the page, (x, y, width, height) px."""
        return (0.0, 0.0, float(self.page_size[0]), float(self.page_size[1]))

    def in_scroll_area(self, box: Box) -> Box:
        """Return where a part of the page lies in everything that the window can be scrolled to."""
        return (box[0] + self.start[0], box[1] + self.start[1], *box[2:])

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the main frame's process (see `Channel.send`)."""
        return self.channel.send(method, params)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Name the step that runs inside the `with` block, for the error if it takes too long."""
        with self.channel.deadline.during(name):
            yield


def open_worlds(
    channel: Channel, tree: Mapping[str, Any], *, box: Box | None = None, clip: Box | None = None
) -> list[FrameContext]:
    """Open a world in every frame, in document order; `box` and `clip` are the main one's in the page."""
    frame_id, offset = tree["frame"]["id"], (0.0, 0.0) if box is None else box[:2]
    world = channel.send("Page.createIsolatedWorld", {"frameId": frame_id, "worldName": WORLD})
    worlds = [FrameContext(frame_id, box is None, offset, clip, world["executionContextId"], channel)]
    for child in tree.get("childFrames", ()):
        if inner := _content_box(channel, child["frame"]["id"]):
            shown = inner if clip is None else clipped(inner, clip) or (0.0, 0.0, 0.0, 0.0)
            worlds += open_worlds(channel, child, box=inner, clip=shown)
    return worlds


def open_foreign_worlds(outer: Channel, inner: Channel) -> list[FrameContext]:
    """Open the worlds of a frame of another process; empty if its place in the page is unknown."""
    tree = frame_tree(inner)
    box = _content_box(outer, tree["frame"]["id"])
    return [] if box is None else open_worlds(inner, tree, box=box, clip=box)


def _content_box(channel: Channel, frame_id: str) -> Box | None:
    """Return the content box of the element that holds a frame, or None if it is not shown."""
    try:
        owner = channel.send("DOM.getFrameOwner", {"frameId": frame_id})
        quad = channel.send("DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]})["model"]["content"]
    except CaptureError:
        return None
    left, top = min(quad[0::2]), min(quad[1::2])
    return (left, top, max(quad[0::2]) - left, max(quad[1::2]) - top)


def placed(worlds: Sequence[FrameContext], origin: tuple[float, float]) -> list[FrameContext]:
    """Return the worlds with their places in a page that begins at a place of the document, px."""
    left, top = origin
    return [
        replace(
            world,
            offset=(world.offset[0] - left, world.offset[1] - top),
            clip=in_page(world.clip, (-left, -top)),
        )
        for world in worlds
    ]


def frame_id(parent: FrameContext, element: str, index: int) -> str:
    """Return the protocol's id of the frame in a frame element; "" if there is none."""
    node = parent.send("DOM.describeNode", {"objectId": parent.find(element, index)})["node"]
    return str(node.get("frameId", ""))


def worlds_of_frames(
    page: FrozenPage, parent: FrameContext, element: str, count: int
) -> Iterator[FrameContext | str]:
    """Yield the world of each frame in a document, or why it cannot be entered."""
    by_id = {world.frame_id: world for world in page.worlds}
    for index in range(count):
        world = by_id.get(frame_id(parent, element, index))
        if world is None:
            yield "it is not shown or rendered by another process"
        elif world.call("() => location.protocol") == "chrome-error:":
            yield "it did not load"
        else:
            yield world


def in_page(box: Sequence[float] | None, offset: tuple[float, float]) -> Box | None:
    """Return a box in a frame's viewport as a box in the page, px."""
    return None if box is None else moved(box, offset)


def load_engine(
    world: FrameContext, script: str, error: type[MeasurementError], name: str, *, stage: str
) -> None:
    """Run an engine's script in a frame; a script that fails is the engine's error, not the page's."""
    try:
        world.load(script)
    except CaptureError as failure:
        # More specific errors, such as a timeout, are the page's.
        if type(failure) is not CaptureError:
            raise
        raise error(f"The {name} script does not run: {failure.what}", stage=stage) from failure
