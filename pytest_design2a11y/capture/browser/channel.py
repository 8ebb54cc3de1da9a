"""Commands to a page, each bounded by the time that its capture has; and the frames that it has."""

import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from playwright.sync_api import CDPSession
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.browser.bounded import PendingCall, T, send_command, together
from pytest_design2a11y.capture.browser.pages import Library
from pytest_design2a11y.exceptions import BrowserLost, CaptureError, RenderTimeout, Unstable
from pytest_design2a11y.wording import flag

# The protocol's errors for a world whose document no longer exists.
REPLACED = ("Cannot find context with specified id", "Execution context was destroyed")
# The protocol's error if the process that paints has just ended; another browser can still take the picture.
UNPAINTED = "Unable to capture screenshot"


class Deadline:
    """The time that one capture has, and the name of the step that is using it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds  # The total
        self.stage: str = "load"  # Name of the running step
        self._end = time.monotonic() + seconds

    def is_over(self) -> bool:
        """Return whether the time is used up."""
        return time.monotonic() >= self._end

    def remaining(self) -> float:
        """Return the seconds that are left, at least a millisecond."""
        return max(self._end - time.monotonic(), 0.001)

    def check(self) -> None:
        """Raise an error if the time is used up."""
        if self.is_over():
            raise self.exceeded()

    def extend(self, seconds: float) -> None:
        """Allow `seconds` from now on."""
        self._end = time.monotonic() + seconds

    def beside(self, stage: str) -> "Deadline":
        """Return the same limit for a step that another thread does meanwhile."""
        copied = copy(self)
        copied.stage = stage
        return copied

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """Name the step that runs inside the `with` block."""
        outer, self.stage = self.stage, stage
        try:
            yield
        finally:
            self.stage = outer

    def exceeded(self) -> RenderTimeout:
        """Build the error that names the step that took too long."""
        return RenderTimeout(
            f"The page did not finish within {self.seconds:g} seconds.",
            stage=self.stage,
            advice=f"Fix what keeps the page busy, or allow more time with {flag('timeout')}.",
        )


@dataclass(frozen=True)
class Channel:
    """A protocol session whose every command is bounded by the deadline."""

    session: CDPSession  # The session
    deadline: Deadline  # The capture's
    # Returns what a protocol error means for this page (a crash, a lost browser), if anything
    explain: Callable[[], CaptureError | None] = lambda: None
    library: Library | None = None  # Functions defined in the worlds of the page's documents
    # Functions that worlds have by name since they were called there
    sent: set[tuple[str, int]] = field(default_factory=set, init=False, repr=False, compare=False)

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        try:
            return send_command(self.session, method, params, seconds=self.deadline.remaining())
        except PlaywrightError as error:
            raise self.meaning(method, error) from error

    def by_name(self, function: str, world: int) -> str:
        """Return a function that calls a long one by its name in a world, which has it from then on."""
        name = f"design2a11ySent{abs(hash(function))}"
        known = name if (function, world) in self.sent else f"(globalThis.{name} = {function})"
        return f"(...given) => {known}(...given)"

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

    def awaited(self, begun: PendingCall[T]) -> T:
        """Return the result of a call that was begun ahead; raises as `send` does."""
        try:
            return begun.result(seconds=self.deadline.remaining())
        except TimeoutError as error:
            raise self.deadline.exceeded() from error

    def ask(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float
    ) -> dict[str, Any] | None:
        """Send a command to a page that may not answer; return None if it does not answer in time."""
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
        """Send a command without waiting for its answer; failures are ignored."""
        # Within an event handler, abandoning the call that the event interrupted cancels this one too.
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
    """Return parameters for `Runtime.callFunctionOn`: a function, async or not, and its JSON arguments."""
    return {
        "functionDeclaration": function,
        "executionContextId": context_id,
        "arguments": [{"value": argument} for argument in arguments],
        "awaitPromise": True,
        "returnByValue": True,
    }


def frame_tree(channel: Channel) -> dict[str, Any]:
    """Return the protocol's tree of the frames that this process renders."""
    return dict(channel.send("Page.getFrameTree")["frameTree"])


def frames_of(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the frames of a tree, the main one first, then in document order."""
    yield tree["frame"]
    for child in tree.get("childFrames", ()):
        yield from frames_of(child)
