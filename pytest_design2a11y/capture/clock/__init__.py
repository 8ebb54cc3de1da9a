"""The clocks of a page's frames and workers: set up before their first scripts, then driven together."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pytest_design2a11y.capture.browser.channel import Channel, calling, frames_of
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.isolation.remote import WITHHELD
from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.javascript import call_of

EPOCH = 1_704_110_400_000  # 2024-01-01T12:00:00Z

_DRIVE = "(order) => globalThis.drive?.(order) ?? null"


def set_clock(channel: Channel, *, is_hermetic: bool) -> None:
    """Set up the clock of a page whose scripts run, and remove ways to connect, before anything loads."""
    watch = call_of("capture/clock/watch.js", "watch", WITHHELD)
    clock = call_of("capture/clock/page_clock.js", "startPageClock", EPOCH, worker_clock())
    scripts = [{"source": watch, "worldName": WORLD}, {"source": clock}]
    if is_hermetic:
        scripts.append({"source": call_of("capture/isolation/withheld.js", "withhold", WITHHELD)})
    added = [("Page.addScriptToEvaluateOnNewDocument", script) for script in scripts]
    channel.send_together([("Page.enable", {}), ("Network.enable", {}), *added])


@cache
def worker_clock() -> str:
    """Return the script that runs before every worker's own."""
    return call_of("capture/clock/worker_clock.js", "startWorkerClock", EPOCH)


@dataclass(frozen=True)
class ClockState:
    """The combined report of all frames' clocks."""

    next: float | None  # When the next timer is due, ms of the page's clock; None if there is none
    unfired: tuple[float, ...]  # Delays of timers not fired yet and not started by another timer, ms
    pending: tuple[str, ...]  # What scripts wait for outside their thread: addresses, names of calls
    is_moving: bool  # Whether messages between the page and its workers are under way
    is_slow: bool  # Whether a call may last a frame of the window, without a sign of its end
    observes: bool  # Whether a script observes what frames show
    heeds_scrolling: bool  # Whether a script observes scrolling
    num_delivered: int  # Observations delivered to scripts by drawing a frame


class Unanswered(Exception):
    """The page did not answer in time."""


@dataclass
class Clocks:
    """Drives the clocks of all frames of a page."""

    channel: Channel  # To the page
    end: float  # When to give up, by `time.monotonic`
    max_frames: int  # How many frames to drive
    contexts: dict[str, int] = field(default_factory=dict, init=False)  # Our worlds, by frame
    _has_changed: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        for event in ("Page.frameAttached", "Page.frameDetached", "Page.frameNavigated"):
            self.channel.session.on(event, lambda _: setattr(self, "_has_changed", True))

    def drive(self, **order: Any) -> ClockState:
        """Send an order (see drive.js) to every frame, in document order."""
        if self._has_changed:
            self._has_changed = False
            self.contexts = dict(self._open())
        main, *others = self.contexts.values()
        states = [self._ask(main, order)]
        for context in others:
            try:
                states.append(self._ask(context, order))
            except CaptureError:  # it is gone by now
                self._has_changed = True
        known = [state for state in states if state]
        return ClockState(
            next=min((state["next"] for state in known if state["next"] is not None), default=None),
            unfired=tuple(wait for state in known for wait in state["unfired"]),
            pending=tuple(name for state in known for name in state["pending"]),
            is_moving=any(state["isMoving"] for state in known),
            is_slow=any(state["isSlow"] for state in known),
            observes=any(state["observes"] for state in known),
            heeds_scrolling=any(state["heedsScrolling"] for state in known),
            num_delivered=sum(state["numDelivered"] for state in known),
        )

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command, and wait for its answer as long as the page may take to come to rest."""
        answer = self.channel.ask(method, params, seconds=max(self.end - time.monotonic(), 0.001))
        if answer is None:
            raise Unanswered
        return answer

    def _open(self) -> Iterator[tuple[str, int]]:
        tree = self.send("Page.getFrameTree")["frameTree"]
        main, *others = (frame["id"] for frame in frames_of(tree))
        yield main, self._context(main)
        for frame in others[: self.max_frames]:
            try:
                yield frame, self._context(frame)
            except CaptureError:
                self._has_changed = True

    def _context(self, frame: str) -> int:
        where = {"frameId": frame, "worldName": WORLD}
        return int(self.send("Page.createIsolatedWorld", where)["executionContextId"])

    def _ask(self, context: int, order: Mapping[str, Any]) -> dict[str, Any] | None:
        answer = self.send("Runtime.callFunctionOn", calling(_DRIVE, context, order))
        state: dict[str, Any] | None = answer["result"].get("value")
        return state
