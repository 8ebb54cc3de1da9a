"""The clocks of a page's frames, driven from isolated worlds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_design2a11y.capture.browser.channel import Channel, calling
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.page.frames import frames_of
from pytest_design2a11y.exceptions import CaptureError

_DRIVE = "(order) => globalThis.drive?.(order) ?? null"


@dataclass(frozen=True)
class State:
    """What the clocks of all frames say together."""

    next: float | None  # When the next timer is due, ms of the page's clock; None: there is none
    unfired: tuple[float, ...]  # Delays of timers that have not come and that no other timer has led to, ms
    pending: tuple[str, ...]  # What scripts wait for outside of their thread: addresses, names of calls
    is_moving: bool  # Whether messages between the page and its workers are under way
    is_slow: bool  # Whether a call may take as long as a frame of the window, and nothing tells its end
    observes: bool  # Whether a script is told of what frames show
    heeds_scrolling: bool  # Whether a script is told of scrolling
    num_delivered: int  # What the drawing of a frame had scripts be told


class Unanswered(Exception):
    """The page did not answer in its time."""


@dataclass
class Clocks:
    """Drives the clocks of all frames of a page."""

    channel: Channel  # To the page
    end: float  # When to give up, in the time of `time.monotonic`
    max_frames: int  # How many frames are driven
    _contexts: Mapping[str, int] = field(default_factory=dict, init=False)
    _has_changed: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        for event in ("Page.frameAttached", "Page.frameDetached", "Page.frameNavigated"):
            self.channel.session.on(event, lambda _: setattr(self, "_has_changed", True))

    def num_frames(self) -> int:
        """Count the frames that were driven last."""
        return len(self._contexts)

    def drive(self, **order: Any) -> State:
        """Send an order (see drive.js) to every frame, in the order of the document."""
        if self._has_changed:
            self._has_changed = False
            self._contexts = dict(self._open())
        main, *others = self._contexts
        answers = [self._ask(self._contexts[main], order)]
        for frame in others:
            try:
                answers.append(self._ask(self._contexts[frame], order))
            except CaptureError:  # it has gone meanwhile
                self._has_changed = True
        told = [answer for answer in answers if answer]
        return State(
            next=min((answer["next"] for answer in told if answer["next"] is not None), default=None),
            unfired=tuple(wait for answer in told for wait in answer["unfired"]),
            pending=tuple(name for answer in told for name in answer["pending"]),
            is_moving=any(answer["isMoving"] for answer in told),
            is_slow=any(answer["isSlow"] for answer in told),
            observes=any(answer["observes"] for answer in told),
            heeds_scrolling=any(answer["heedsScrolling"] for answer in told),
            num_delivered=sum(answer["numDelivered"] for answer in told),
        )

    def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command, and wait for its answer as long as the page may take to come to rest."""
        answer = self.channel.ask(method, params, seconds=max(self.end - time.monotonic(), 0.001))
        if answer is None:
            raise Unanswered
        return answer

    def _open(self) -> Iterator[tuple[str, int]]:
        main, *others = (one["id"] for one in frames_of(self.send("Page.getFrameTree")["frameTree"]))
        yield main, self._context(main)
        for frame in others[: self.max_frames]:
            try:
                yield frame, self._context(frame)
            except CaptureError:
                self._has_changed = True

    def _context(self, frame: str) -> int:
        answer = self.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
        context: int = answer["executionContextId"]
        return context

    def _ask(self, context: int, order: Mapping[str, Any]) -> dict[str, Any] | None:
        answer = self.send("Runtime.callFunctionOn", calling(_DRIVE, context, order))
        value: dict[str, Any] | None = answer["result"].get("value")
        return value
