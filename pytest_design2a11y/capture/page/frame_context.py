"""A loaded, frozen page, as the steps that read it see it: bounded calls into worlds beyond its reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pytest_design2a11y.capture.browser.bounded import Beside
from pytest_design2a11y.capture.browser.channel import Channel, calling
from pytest_design2a11y.exceptions import CaptureError, PageTooLarge
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.viewport import Viewport

# What JavaScript says of a walk that goes deeper than its stack.
TOO_DEEP = "RangeError: Maximum call stack size exceeded"

# Seconds in which a page makes the frame that a screenshot is taken of; then others paint it, and it is idle.
FRAME = 0.015


# Characters of a function that is sent with each call.
SHORT = 1000


@dataclass(frozen=True)
class FrameContext:
    """An isolated world of one frame: it sees the document, and no script of the page sees it."""

    frame_id: str  # The protocol's name of the frame
    is_main: bool  # Whether it is the page's main frame
    offset: tuple[float, float]  # Where the frame's viewport lies in the page, px
    # The part of the page in which the frame shows, (x, y, width, height) px; None: all of it
    clip: Box | None
    context_id: int
    channel: Channel = field(repr=False)
    _ahead: dict[str, Beside[None]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the process that renders this frame (see `Channel.send`)."""
        return self.channel.send(method, params)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a JavaScript function in this world."""
        if len(function) > SHORT and (name := self._kept(function)):
            function = f"(...given) => {name}(...given)"
        return self._value(
            self.send("Runtime.callFunctionOn", calling(function, self.context_id, *arguments))
        )

    def find(self, function: str, *arguments: Any) -> str:
        """Return the protocol's name of the object that a JavaScript function in this world gives."""
        order = {**calling(function, self.context_id, *arguments), "returnByValue": False}
        found: str = self.send("Runtime.callFunctionOn", order)["result"]["objectId"]
        return found

    def load_ahead(self, script: str) -> None:
        """Begin to run a script that `load` is to run, beside whatever else this thread waits for.

        All that it leaves for others are properties of `globalThis`.
        """
        name = self._kept(f"() => {{ {script}\n}}")
        self._ahead[script] = Beside(partial(self._load, f"{name}()" if name else script), delay=FRAME)

    def load(self, script: str) -> None:
        """Run a script in this world, such as a library that later calls use."""
        begun = self._ahead.pop(script, None)
        if begun is None:
            self._load(script)
            return
        try:
            begun.result(seconds=self.channel.deadline.remaining())
        except TimeoutError as error:
            raise self.channel.deadline.exceeded() from error

    def _load(self, script: str) -> None:
        answer = self.send(
            "Runtime.evaluate",
            {"expression": f"{script}\n;undefined", "contextId": self.context_id, "returnByValue": True},
        )
        self._value(answer)

    def _kept(self, function: str) -> str | None:
        """Return the name by which the document has a function of ours, if it does."""
        library = self.channel.library if self.is_main else None
        return None if library is None else library.name_of(function)

    def _value(self, answer: dict[str, Any]) -> Any:
        failure = answer.get("exceptionDetails")
        if failure:
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
class FrozenPage:
    """A page that has loaded, and on which nothing moves any more."""

    worlds: Sequence[FrameContext]  # One isolated world a frame, the main frame first, then document order
    page_size: tuple[int, int]  # Width and height of what is captured, px
    viewport: Viewport  # The window that it is laid out in
    channel: Channel = field(repr=False)  # The main frame's protocol session
    # What was applied to it that its numbers depend on, for `Capture.conditions`
    conditions: Mapping[str, Any] = field(default_factory=dict)
    # Addresses that it asked for and got nothing from; others may have failed, too
    unserved: frozenset[str] = frozenset()
    restless: frozenset[str] = frozenset()  # Kinds of content that may still move though everything is frozen
    may_hide_roots: bool = True  # Whether there may be shadow roots that no script is shown

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command to the main frame's process (see `Channel.send`)."""
        return self.channel.send(method, params)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Name the step that runs inside the `with` block, for the error if it takes too long."""
        with self.channel.deadline.during(name):
            yield
