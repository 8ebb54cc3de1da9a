"""Stopping a page's scripts for good, and bringing to rest what moves without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.isolation.request_router import MOVING_PICTURE
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.exceptions import Unstable
from pytest_design2a11y.javascript import function_of

if TYPE_CHECKING:
    from pytest_design2a11y.capture.page.visit import Visit
    from pytest_design2a11y.capture.warning_log import WarningLog

# Share of a page's time in which its scripts stop where it has come to rest; seconds, where it has not.
STOPPING_SHARE = 0.1
HUNG = 0.3

# Screenshots of a page that goes on by itself, and the seconds that each may take.
GLANCES, GLANCE = 4, 2.0

# How often what goes on by itself is ended, one after the other.
MAX_RESUMED = 50
# What ends by itself is soon over; a page that goes on is another one wherever it is ended.
FEW_RESUMED = 2


def refuse_changing(visit: Visit) -> None:
    """Refuse a page that goes on by itself, and shows something else by each moment.

    One that goes on without that is stopped, and loaded once more to see whether it looks the same.
    """
    visit.log.note("scripts_stopped")
    with visit.deadline.during("freeze"):
        how = {"optimizeForSpeed": True}
        # None where the page is too busy for that.
        glances = [visit.channel.ask("Page.captureScreenshot", how, seconds=GLANCE) for _ in range(GLANCES)]
        if any(glance != glances[0] for glance in glances):
            raise Unstable(
                "The page goes on changing when there is nothing left that it waits for; what it shows"
                " depends on when it is stopped.",
                stage="freeze",
                advice="Look for a loop that promises, messages or events of the page itself keep going.",
            )


def stop_scripts(visit: Visit, *, is_calm: bool) -> None:
    """Let no script of the page run any more; end the one that is running."""
    if not visit.has_scripts:
        return
    channel = visit.channel
    # A page that is merely slow, on a busy machine say, must not lose a script half-way.
    seconds = channel.deadline.seconds * STOPPING_SHARE if is_calm else HUNG
    with channel.deadline.during("freeze"):
        is_stopped = _is_stopped(channel, seconds)
        if not is_stopped:
            visit.log.note("scripts_stopped")
        while not is_stopped:
            channel.deadline.check()
            # The command before waits in the page's queue, and is obeyed once the running script has ended.
            channel.post("Runtime.terminateExecution")
            is_stopped = _is_stopped(channel, HUNG)


def stop_resumed(visit: Visit) -> None:
    """End scripts that go on because something of the browser's own resolves what they await.

    What takes longer to resolve than this takes is noticed when the page is read (see `Stillness`).
    """
    channel = visit.channel
    for ended in range(MAX_RESUMED):
        before = channel.send("Runtime.getHeapUsage")["usedSize"]
        channel.ask("Runtime.terminateExecution", seconds=HUNG)
        # A script that runs takes from the heap; where it stays as it is, none did.
        if channel.send("Runtime.getHeapUsage")["usedSize"] == before:
            return
        if ended == FEW_RESUMED:
            visit.log.note("scripts_stopped")


def keeps_changing(kinds: Iterable[str]) -> Unstable:
    """Return the error of a page that moves though it is frozen, by the kinds of content that do."""
    return Unstable(
        f"The frozen page keeps changing: it has {', '.join(sorted(kinds))}.",
        stage="screenshot",
        advice="Show a still picture in its place when the page is rendered for a test.",
    )


def stop_soon(visit: Visit) -> None:
    """End the page's scripts from within an event, where no answer can be waited for."""
    visit.log.note("scripts_stopped")
    visit.channel.post("Emulation.setScriptExecutionDisabled", {"value": True})
    visit.channel.post("Runtime.terminateExecution")


def _is_stopped(channel: Channel, seconds: float) -> bool:
    disabled = channel.ask("Emulation.setScriptExecutionDisabled", {"value": True}, seconds=seconds)
    # The first answer may come from outside the page's thread, the second cannot.
    return disabled is not None and channel.ask("Page.getLayoutMetrics", seconds=seconds) is not None


def bring_to_rest(worlds: Sequence[FrameContext], log: WarningLog, *, has_scripts: bool) -> frozenset[str]:
    """End animations, stop media, load lazy images, await fonts and pictures, in every frame.

    Return the kinds of content for which this cannot vouch. A picture whose own style sheet animates it is
    refused where it could not be stilled.
    """
    restless: set[str] = set()
    settle, may_move = function_of("capture/page/settle.js", "settle"), has_scripts or log.mentions_moving
    for world in worlds:
        settled = world.call(settle, has_scripts, may_move)
        restless.update(settled["restless"])
        log.note("hidden_overflow", times=settled["numHiding"])
    if log.has_moving_picture or MOVING_PICTURE in restless:
        raise keeps_changing([MOVING_PICTURE])
    return frozenset(restless)


class Stillness:
    """Watches whether a frozen page holds still, from its screenshot to the last thing that was read of it.

    Stopping a page's scripts does not stop what they await: a promise of the browser's own (of a blob, a
    picture, a stream) is still resolved, and the script goes on. Three things show it, none of which a
    page can reach: every change of a document is a mutation record, or makes the browser work out styles
    anew, which reading does not; and no script runs without taking memory from the heap, on which a
    screenshot leaves no trace.
    """

    def __init__(self, page: FrozenPage) -> None:
        """Begin to watch."""
        self._page = page
        self._page.send("Performance.enable")
        for world in page.worlds:
            world.call(function_of("capture/page/changes.js", "askForFonts"))
        self._changes = self._count_changes()
        self._num_styles, self._heap = self._num_styles_and_heap()
        self._retake: Callable[[], bool] = lambda: True

    def screenshot(self, take: Callable[[], bytes]) -> bytes:
        """Take the screenshot that what is read from now on must agree with."""
        shot = take()
        # It leaves the layout to be done anew; one of our scripts doing so would use the page's heap.
        self._page.send("Page.getLayoutMetrics")
        self._num_styles, heap = self._num_styles_and_heap()
        if heap != self._heap:
            # A script ran beside it, before or after the moment that it shows.
            self._retake = lambda: take() == shot
        return shot

    def has_held(self) -> bool:
        """Return whether all that was read meanwhile is of the moment that the screenshot shows."""
        has_changed = self._count_changes() != self._changes
        return not has_changed and self._num_styles_and_heap()[0] == self._num_styles and self._retake()

    def _count_changes(self) -> list[Any]:
        """Count what changed in each frame; its layout is done then."""
        return [world.call(function_of("capture/page/changes.js", "changes")) for world in self._page.worlds]

    def _num_styles_and_heap(self) -> tuple[int, int]:
        """Return how often styles were worked out, and the bytes of the heap that are used."""
        metrics = self._page.send("Performance.getMetrics")["metrics"]
        values = {metric["name"]: int(metric["value"]) for metric in metrics}
        return values["RecalcStyleCount"], values["JSHeapUsedSize"]
