"""Drive a page, in turns, until its requests, workers, timers and frames are done.

The page's clock stands still while anything is under way. Requests that scripts wait for are answered one
at a time, and only when the page is otherwise idle; then the clock advances to the next timer. So the order
of events does not depend on the machine.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_design2a11y.capture.browser.channel import calling
from pytest_design2a11y.capture.clock import Clocks, ClockState, Unanswered
from pytest_design2a11y.capture.isolation.request_router import ORIGIN
from pytest_design2a11y.capture.page.frames import SCRIPTS
from pytest_design2a11y.capture.page.network import Traffic
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.javascript import functions_of
from pytest_design2a11y.models.page import Unseen

# Milliseconds of the page's clock: timers within one such frame run without checking the network in between.
FRAME = 1000 / 60
SPARSE_AFTER, SPARSE_FRAME = 1000.0, 100.0
DRAWN_EACH = 100.0
# What a request, a repeated request to the same address, and a message to a worker cost of the page's time,
# so that none of them can repeat forever.
LATENCY, REPEATED_LATENCY, MESSAGE_LATENCY = 10.0, 100.0, 20.0

# Share of the window's height by which to scroll at a time, and the milliseconds of the page's clock that
# each stop, and the way back, add to its time.
SCROLLED_SHARE = 0.8
SCROLLED_EACH, AFTER_SCROLLING = 100.0, 2000.0
# How many windows of what scrolls by itself are looked through on a page.
MOST_STOPS = 60
_NOWHERE = (0.0, 0.0, 0.0, 0.0)
_UNREAD = Unseen("", _NOWHERE, _NOWHERE, is_read=False)

# Share of the real time that one request, or one call by a script, may take.
WAITED_SHARE = 0.4
# Real milliseconds between checks of what does not move.
PAUSE = 10

# Milliseconds: a timer this far away is no part of loading, such as one that logs out or waits for midnight.
_FAR = 60_000.0

# Real milliseconds without running scripts after which a page counts as at rest; more if it uses calls tied
# to the window's frames; and the seconds after which a page that goes on and on counts as busy.
QUIET, LONG_QUIET, MOST_SECONDS = 10, 80, 1.0


@dataclass
class PageDriver:
    """Drives a page until it rests, or its time is used up."""

    visit: Visit  # To the page
    clocks: Clocks  # Of its frames
    traffic: Traffic  # Its requests
    budget: float  # Milliseconds of the page's own clock; scrolling adds some
    max_height: int  # How far down the page is captured, px
    seconds: float  # Of real time, in total
    # Whether scripts are kept running by something other than the page's clock and its requests
    goes_on: bool = field(default=False, init=False)
    _limit: float = field(default=0.0, init=False)
    _draw_due: float = field(default=0.0, init=False)
    _is_drawn: bool = field(default=False, init=False)
    _spent: float = field(default=0.0, init=False)
    _answered: set[str] = field(default_factory=set, init=False)
    _still: tuple[object, float] = field(default=(None, 0.0), init=False)
    _given_up: list[str] = field(default_factory=list, init=False)
    # What the page's window showed only while it was scrolled
    _left_behind: list[Unseen] = field(default_factory=list, init=False)

    def run(self) -> bool:
        """Drive the page; return whether it came to an end in its real time."""
        try:
            state = self._until_rest(self.clocks.drive(limit=self._limit))
            if state.heeds_scrolling:
                state = self._scroll_through(state)
            state = self._watch(state)
            if len(self.clocks.contexts) > 1:
                # A frame from another site is drawn only after it has been seen to be in view.
                self.clocks.drive(draw=True)
        except Unanswered:
            return False
        for wait in state.unfired:
            if wait < _FAR:
                self.visit.log.note("timers_pending", f"{wait / 1000:g} s")
        known = [*self._given_up, *(address for address, _ in self.traffic.under_way.values())]
        for name in dict.fromkeys(known or state.pending):
            self.visit.log.note("requests_pending", name.removeprefix(f"{ORIGIN}/"))
        return True

    def go_on(self, milliseconds: float) -> None:
        """Advance the page's clock by `milliseconds`, after something was done to a page at rest."""
        self.clocks.end = time.monotonic() + self.seconds
        self.budget = self._limit + self._spent + milliseconds
        self._is_drawn = False
        self._watch(self._until_rest(self.clocks.drive(limit=self._limit)))

    def scroll_parts(self) -> tuple[Unseen, ...]:
        """Return what the page shows only while somebody scrolls through it, or parts of it.

        It is looked for in parts, and frames, that hold nothing in some of their room.
        """
        self.clocks.end = time.monotonic() + self.seconds
        try:
            parts = self._scrolling("findParts")
            found = [*self._left_behind, *self._scrolled(parts)]
            _, *frames = self.clocks.contexts.values()
            found += [_UNREAD for frame in frames if self._scrolling("hasPartsApart", world=frame)]
            if parts:
                self._draw(AFTER_SCROLLING)
        except Unanswered:
            found = [_UNREAD]
        return tuple(found)

    def _scrolled(self, parts: Sequence[int]) -> Iterator[Unseen]:
        stops = MOST_STOPS
        for at, windows in enumerate(parts):
            is_short = windows <= stops
            if is_short:
                stops -= windows
                self._scroll_part(at)
            part = self._scrolling("scrollBack", at)
            window = tuple(part["window"])
            yield from (Unseen(thing["text"], tuple(thing["box"]), window) for thing in part["things"])
            if not is_short:
                yield Unseen("", window, window, is_read=False)

    def _scroll_part(self, at: int) -> None:
        self._scrolling("toBeginning", at)
        for _ in range(MOST_STOPS):
            self._draw(SCROLLED_EACH)
            if not self._scrolling("scrollOn", at):
                return

    def _scrolling(self, name: str, *given: int, world: int | None = None) -> Any:
        function, world = functions_of(*SCRIPTS), world or next(iter(self.clocks.contexts.values()))
        called = self.visit.channel.by_name(function, world)
        order = calling(called, world, "capture/page/scroll_parts.js", name, *given)
        answer = self.clocks.send("Runtime.callFunctionOn", order)
        self.visit.channel.sent.add((function, world))
        return answer["result"].get("value")

    def _until_rest(self, state: ClockState) -> ClockState:
        while self._goes_on(state):
            if time.monotonic() > self.clocks.end:
                raise Unanswered
            state = self._turn(state)
        return state

    def _watch(self, state: ClockState) -> ClockState:
        """Wait for work tied to neither the page's clock nor its requests; it may never end."""
        end = min(self.clocks.end, time.monotonic() + MOST_SECONDS)
        while self._is_busy(state) or self._runs_scripts(LONG_QUIET if state.is_slow else QUIET):
            if time.monotonic() > end or self._left() <= 0:
                # Requests alone come in order, and the last one is the same each time.
                self.goes_on |= not (self.traffic.under_way or self.traffic.held)
                return state
            state = self._until_rest(self.clocks.drive(wait=True))
        return state

    def _runs_scripts(self, milliseconds: int) -> bool:
        # Whatever a script does allocates memory, unless garbage is collected meanwhile.
        before = self.clocks.send("Runtime.getHeapUsage")["usedSize"]
        self.visit.page.wait_for_timeout(milliseconds)
        return bool(self.clocks.send("Runtime.getHeapUsage")["usedSize"] != before)

    def _scroll_through(self, state: ClockState) -> ClockState:
        """Bring every part of the page, at its current height, into view once, and return to the top."""
        metrics = self.clocks.send("Page.getLayoutMetrics")
        window = metrics["cssLayoutViewport"]["clientHeight"]
        height = min(metrics["cssContentSize"]["height"], self.max_height)
        if height <= window:
            return state
        stops = range(0, int(height - window), max(int(window * SCROLLED_SHARE), 1))
        self._scrolling("noteWindow")
        for top in (*stops[1:], int(height - window)):
            state = self._draw(SCROLLED_EACH, scroll=top)
            self._scrolling("noteWindow")
        state = self._draw(AFTER_SCROLLING, scroll=0)
        for thing in self._scrolling("leftBehind"):
            box = tuple(thing["box"])
            self._left_behind.append(Unseen(thing["text"], box, box))
        if self._left_behind and height < metrics["cssContentSize"]["height"]:
            self._left_behind.append(_UNREAD)
        return state

    def _draw(self, moment: float, **order: int) -> ClockState:
        """Draw the page, scrolled to another place, and let it come to rest."""
        self.budget += moment
        self._is_drawn = False
        return self._until_rest(self.clocks.drive(draw=True, **order))

    def _turn(self, state: ClockState) -> ClockState:
        if self.traffic.held and not self.traffic.moving():
            self._is_drawn = False
            address = self.traffic.release()
            self._spent += REPEATED_LATENCY if address in self._answered else LATENCY
            self._answered.add(address)
            return self.clocks.drive(wait=True)
        if self._is_busy(state):
            return self._wait(state)
        if self._wants_drawing(state):
            self._limit = max(self._limit, self._draw_due)
            self._draw_due = self._limit + DRAWN_EACH
            drawn = self.clocks.drive(draw=True)
            self._is_drawn = not drawn.num_delivered
            return drawn
        self._is_drawn = False
        self._limit = max(self._limit, _end_of_frame(state.next or 0.0))
        return self.clocks.drive(limit=self._limit)

    def _goes_on(self, state: ClockState) -> bool:
        if self._is_busy(state):
            return self._left() > 0
        return self._wants_drawing(state) or (state.next is not None and state.next <= self._left())

    def _is_busy(self, state: ClockState) -> bool:
        return bool(self.traffic.under_way or self.traffic.held or state.pending or state.is_moving)

    def _wants_drawing(self, state: ClockState) -> bool:
        if not state.observes or self._is_drawn or self._draw_due > self._left():
            return False
        return state.next is None or _end_of_frame(state.next) > self._draw_due

    def _left(self) -> float:
        return self.budget - self._spent

    def _wait(self, state: ClockState) -> ClockState:
        """Let real time pass; give up on whatever does not move for too long."""
        if not (self.traffic.under_way or state.pending):
            self._spent += MESSAGE_LATENCY
        sign, now = (tuple(self.traffic.under_way), state.pending), time.monotonic()
        if sign != self._still[0]:
            self._still = (sign, now)
        waited = now - self._still[1]
        if waited > self.seconds * WAITED_SHARE:
            moving = [self.traffic.under_way.pop(number)[0] for number in self.traffic.moving()]
            self._given_up += moving or ([] if self._given_up else state.pending)
            self.goes_on |= not moving
            return self.clocks.drive(wait=True, abandon=not moving)
        if waited * 1000 > PAUSE:
            self.visit.page.wait_for_timeout(PAUSE)
        return self.clocks.drive(wait=True)


def _end_of_frame(moment: float) -> float:
    length = FRAME if moment < SPARSE_AFTER else SPARSE_FRAME
    return (moment // length + 1) * length
