"""A loaded, frozen page, as the steps that read it see it: bounded calls into worlds beyond its reach."""

from __future__ import annotations

import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import CDPSession
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.browser.beside import Beside, together
from pytest_design2a11y.capture.browser.bounded import send_command
from pytest_design2a11y.capture.browser.pages import Library
from pytest_design2a11y.exceptions import BrowserLost, CaptureError, PageTooLarge, RenderTimeout, Unstable
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.viewport import Viewport

# What the protocol says of a world whose document is gone.
REPLACED = ("Cannot find context with specified id", "Execution context was destroyed")
# What it says where the process that paints has just ended: another browser can.
UNPAINTED = "Unable to capture screenshot"

# What JavaScript says of a walk that goes deeper than its stack.
TOO_DEEP = "RangeError: Maximum call stack size exceeded"

# Seconds in which a page makes the frame that a screenshot is taken of; then others paint it, and it is idle.
FRAME = 0.015


# Characters of a function that is sent with each call.
SHORT = 1000


class Deadline:
    """The time that one capture has, and the name of the step that is using it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds  # All of it
        self.stage: str = "load"  # Name of the running step
        self._end = time.monotonic() + seconds

    def is_over(self) -> bool:
        """Whether all the time is spent."""
        return time.monotonic() >= self._end

    def remaining(self) -> float:
        """Return the seconds that are left, at least a millisecond."""
        return max(self._end - time.monotonic(), 0.001)

    def check(self) -> None:
        """End the work where all the time is spent."""
        if self.is_over():
            raise self.exceeded()

    def extend(self, seconds: float) -> None:
        """Allow so many seconds from now on."""
        self._end = time.monotonic() + seconds

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """Name the step that runs inside the `with` block."""
        outer, self.stage = self.stage, stage
        try:
            yield
        finally:
            self.stage = outer

    def exceeded(self) -> RenderTimeout:
        """Build the error that says which step took too long."""
        return RenderTimeout(
            f"The page did not finish within {self.seconds:g} seconds.",
            stage=self.stage,
            advice="Fix what keeps the page busy, or allow more time with --design2a11y-timeout.",
        )


#: For what takes as long as it takes.
NO_DEADLINE = Deadline(float("inf"))


@dataclass(frozen=True)
class Channel:
    """A protocol session whose every command is bounded by the deadline."""

    session: CDPSession  # The session
    deadline: Deadline  # Of the capture
    # Tells what a protocol error means for this page (a crash, a lost browser), if anything
    explain: Callable[[], CaptureError | None] = lambda: None
    library: Library | None = None  # Functions that its documents have in their worlds

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        try:
            return send_command(self.session, method, params, seconds=self.deadline.remaining())
        except PlaywrightError as error:
            raise self.meaning(method, error) from error

    def send_together(self, commands: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
        """Send several commands at once, and wait for all answers; raises as `send` does."""
        seconds = self.deadline.remaining()
        calls = [partial(send_command, self.session, *command, seconds=seconds) for command in commands]
        try:
            return together(calls, seconds=seconds)
        except TimeoutError as error:
            raise self.deadline.exceeded() from error
        except PlaywrightError as error:
            raise self.meaning(commands[0][0], error) from error

    def ask(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float
    ) -> dict[str, Any] | None:
        """Send a command to a page that may not answer; None where it does not within that time."""
        try:
            seconds = min(seconds, self.deadline.remaining())
            return send_command(self.session, method, params, seconds=seconds)
        except PlaywrightTimeoutError:
            if known := self.explain():
                raise known from None
            return None
        except PlaywrightError as error:
            raise self.meaning(method, error) from error

    def post(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a command without waiting for its answer, or for its failure."""
        # Within an event, what gives up the call that the event interrupts cancels this one too.
        with suppress(PlaywrightError, CancelledError):
            send_command(self.session, method, params, seconds=0.1)

    def meaning(self, method: str, error: PlaywrightError) -> CaptureError:
        """Build the error that says what a failed command means."""
        known = self.explain()
        if known:
            return known
        if isinstance(error, PlaywrightTimeoutError):
            return self.deadline.exceeded()
        if any(sign in error.message for sign in REPLACED):
            return Unstable(
                "A frame of the page was loaded anew while the page was read.",
                stage=self.deadline.stage,
                advice="Remove what reloads the frame or leads it elsewhere.",
            )
        if UNPAINTED in error.message:
            return BrowserLost("The browser could not paint the page.", stage=self.deadline.stage)
        return CaptureError(f"The browser refused {method}: {error.message}", stage=self.deadline.stage)


def calling(function: str, context_id: int, *arguments: Any) -> dict[str, Any]:
    """Return what `Runtime.callFunctionOn` is given to call a function, possibly async, with JSON values."""
    return {
        "functionDeclaration": function,
        "executionContextId": context_id,
        "arguments": [{"value": argument} for argument in arguments],
        "awaitPromise": True,
        "returnByValue": True,
    }


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
