"""Stop a page's scripts for good, and everything that moves without them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.isolation.request_router import MOVING_PICTURE
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import Unstable

# Time for scripts to stop: share of a page's time if it has come to rest; seconds if it has not.
STOPPING_SHARE = 0.1
HUNG = 0.3

# Number of screenshots of a page that goes on by itself, and the seconds that each may take.
GLANCES, GLANCE = 4, 2.0

# How many times scripts that go on by themselves are ended.
MAX_RESUMED = 50
# Scripts that end by themselves do so soon; otherwise the page depends on where it is stopped.
FEW_RESUMED = 2


def refuse_changing(visit: Visit) -> None:
    """Refuse a page that goes on by itself and keeps changing its appearance.

    One that goes on without changing is stopped, and loaded once more to see whether it looks the same.
    """
    visit.log.note("scripts_stopped")
    with visit.deadline.during("freeze"):
        how = {"optimizeForSpeed": True}
        # None if the page is too busy to answer.
        glances = [visit.channel.ask("Page.captureScreenshot", how, seconds=GLANCE) for _ in range(GLANCES)]
        if any(glance != glances[0] for glance in glances):
            raise Unstable(
                "The page goes on changing when there is nothing left that it waits for; what it shows"
                " depends on when it is stopped.",
                stage="freeze",
                advice="Look for a loop that promises, messages or events of the page itself keep going.",
            )


def stop_scripts(visit: Visit, *, is_calm: bool) -> None:
    """Stop all scripts of the page for good, including the one that is running."""
    if not visit.has_scripts:
        return
    channel = visit.channel
    # A page that is merely slow, for example on a busy machine, must not lose a script half-way.
    seconds = channel.deadline.seconds * STOPPING_SHARE if is_calm else HUNG
    with channel.deadline.during("freeze"):
        is_stopped = _is_stopped(channel, seconds)
        if not is_stopped:
            visit.log.note("scripts_stopped")
        while not is_stopped:
            channel.deadline.check()
            # The earlier command is queued, and takes effect once the running script has ended.
            channel.post("Runtime.terminateExecution")
            is_stopped = _is_stopped(channel, HUNG)


def stop_resumed(visit: Visit) -> None:
    """End scripts that go on because something in the browser resolves what they await.

    Anything that resolves later than this is noticed when the page is read (see `Stillness`).
    """
    channel = visit.channel
    for ended in range(MAX_RESUMED):
        before = channel.send("Runtime.getHeapUsage")["usedSize"]
        channel.ask("Runtime.terminateExecution", seconds=HUNG)
        # A running script allocates memory; if usage is unchanged, none ran.
        if channel.send("Runtime.getHeapUsage")["usedSize"] == before:
            return
        if ended == FEW_RESUMED:
            visit.log.note("scripts_stopped")


def keeps_changing(kinds: Iterable[str]) -> Unstable:
    """Return the error for a page that moves although it is frozen, by the kinds of moving content."""
    return Unstable(
        f"The frozen page keeps changing: it has {', '.join(sorted(kinds))}.",
        stage="screenshot",
        advice="Show a still picture in its place when the page is rendered for a test.",
    )


def _is_stopped(channel: Channel, seconds: float) -> bool:
    disabled = channel.ask("Emulation.setScriptExecutionDisabled", {"value": True}, seconds=seconds)
    # The first answer may come from outside the page's thread, the second cannot.
    return disabled is not None and channel.ask("Page.getLayoutMetrics", seconds=seconds) is not None


def bring_to_rest(worlds: Sequence[FrameContext], log: WarningLog, *, has_scripts: bool) -> frozenset[str]:
    """End animations, stop media, load lazy images, and await fonts and pictures, in every frame.

    Return the kinds of content that may still move. A picture animated by its own style sheet is refused if
    it could not be stopped.
    """
    restless: set[str] = set()
    may_move = has_scripts or log.mentions_moving
    for world in worlds:
        settled = world.run("capture/page/settle.js", "settle", has_scripts, may_move)
        restless.update(settled["restless"])
        log.note("hidden_overflow", times=settled["numHiding"])
    if log.has_moving_picture or MOVING_PICTURE in restless:
        raise keeps_changing([MOVING_PICTURE])
    return frozenset(restless)


class Stillness:
    """Checks that a frozen page holds still, from its screenshot until everything has been read.

    Stopping a page's scripts does not stop what they await: a promise of the browser's own (of a blob, a
    picture, a stream) still resolves, and the script goes on. Three signs show this, none of which the page
    can suppress: every change of a document is a mutation record, or makes the browser recalculate styles,
    which reading does not; and a script cannot run without allocating heap memory, while a screenshot leaves
    the heap unchanged.
    """

    def __init__(self, page: FrozenPage) -> None:
        """Prepare."""
        self._page = page
        self._page.send("Performance.enable")
        for world in page.worlds:
            world.run("capture/page/changes.js", "askForFonts")

    def start(self) -> None:
        """Watch from now on."""
        self._changes = self._count_changes()
        self._num_styles, self._heap = self._num_styles_and_heap()
        self._retake: Callable[[], bool] = lambda: True

    def screenshot(self, take: Callable[[], bytes]) -> bytes:
        """Take the screenshot that everything read from now on must agree with."""
        shot = self._shot(take)
        # If it is larger than the window, the styles of closed parts are redone when they are read.
        self._count_changes()
        self._num_styles, _ = self._num_styles_and_heap()
        return shot

    def glance(self, take: Callable[[], bytes]) -> tuple[bytes, bool]:
        """Take one more; return it, and whether nothing but ourselves has changed the page until now."""
        self._heap, self._retake = self._num_styles_and_heap()[1], lambda: True
        shot = self._shot(take)
        return shot, self._count_changes() == self._changes and self._retake()

    def _shot(self, take: Callable[[], bytes]) -> bytes:
        shot = take()
        # It leaves the layout to be redone; if one of our scripts did so, it would use the page's heap.
        if self._num_styles_and_heap(("Page.getLayoutMetrics", {}))[1] != self._heap:
            # A script ran meanwhile, before or after the moment of the screenshot.
            self._retake = lambda: take() == shot
        return shot

    def has_held(self) -> bool:
        """Return whether everything read meanwhile belongs to the moment of the screenshot."""
        has_changed = self._count_changes() != self._changes
        return not has_changed and self._num_styles_and_heap()[0] == self._num_styles and self._retake()

    def _count_changes(self) -> list[Any]:
        """Count the changes in each frame; this also updates its layout."""
        return [world.run("capture/page/changes.js", "changes") for world in self._page.worlds]

    def _num_styles_and_heap(self, *before: tuple[str, dict[str, Any]]) -> tuple[int, int]:
        """Return the number of style recalculations and the used heap size, bytes, after other commands."""
        *_, answer = self._page.channel.send_together([*before, ("Performance.getMetrics", {})])
        metrics = answer["metrics"]
        values = {metric["name"]: int(metric["value"]) for metric in metrics}
        return values["RecalcStyleCount"], values["JSHeapUsedSize"]
