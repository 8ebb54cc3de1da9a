"""Loading a page: its clock and chance are ours before its first script runs."""

from __future__ import annotations

import json
from typing import Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.isolation.connections import WITHHELD
from pytest_design2a11y.capture.page.frames import WORLD, frame_tree
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.capture.page.world import Channel
from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.exceptions import CaptureError, NavigationFailed

CLOCK = {
    "epoch": 1_704_110_400_000,  # 2024-01-01T12:00:00Z
    "horizon": 1_000,
    "realLimit": 2_000,
}

LOAD_SHARE = 1 / 3


def prepare(channel: Channel, *, has_scripts: bool) -> None:
    """Stop CSS, SMIL and marquee animation, and set up the page's clock, before anything loads."""
    channel.send("Animation.enable")
    channel.send("Animation.setPlaybackRate", {"playbackRate": 0})
    if has_scripts:
        channel.send("Page.enable")
        _run_first(channel, f"({script(__package__, 'watch.js')})({json.dumps(WITHHELD)})", worldName=WORLD)
        _run_first(channel, f"({script(__package__, 'clock.js')})({json.dumps(CLOCK)})")


def _run_first(channel: Channel, source: str, **where: str) -> None:
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": source, **where})


def load(visit: Visit, address: str, settings: VisitSettings) -> None:
    """Go to an address, and let the page's clock run for its second once the page has loaded.

    A page that is still loading or busy after its share of the time is taken as it is.

    Raises:
        NavigationFailed: The address cannot be loaded.
        CaptureError: The page or the browser ended.
    """
    limit = min(settings.timeout * LOAD_SHARE, visit.deadline.remaining())
    frame_id = frame_tree(visit.channel)["frame"]["id"]
    visit.is_calm = _is_reached(visit, address, limit, "commit" if settings.javascript else "load")
    if visit.is_calm and settings.javascript:
        visit.is_calm = _rests(visit, frame_id, limit)
    if not visit.is_calm:
        visit.journal.note("load_unfinished")


def _is_reached(visit: Visit, address: str, seconds: float, event: Literal["commit", "load"]) -> bool:
    try:
        visit.page.goto(address, wait_until=event, timeout=seconds * 1000)
    except PlaywrightTimeoutError:
        return False
    except PlaywrightError as error:
        raise visit.explain() or NavigationFailed(
            f"{address} could not be loaded: {error.message.splitlines()[0]}",
            stage="load",
            advice="Check the address, and that its server runs.",
        ) from error
    return True


def _rests(visit: Visit, frame_id: str, seconds: float) -> bool:
    try:
        return _has_come_to_rest(visit.channel, frame_id, seconds)
    except CaptureError:
        if visit.explain():
            raise
        # The page has left for another document, or tries to: what it shows is looked at once it is frozen.
        return False


def _has_come_to_rest(channel: Channel, frame_id: str, seconds: float) -> bool:
    # Not through Playwright's load event, which does not come where the page tries to leave meanwhile.
    place = {"frameId": frame_id, "worldName": WORLD}
    world = channel.ask("Page.createIsolatedWorld", place, seconds=seconds)
    if world is None:
        return False
    waiting = {
        "functionDeclaration": "() => globalThis.clockEnded.then(() => true)",
        "executionContextId": world["executionContextId"],
        "awaitPromise": True,
        "returnByValue": True,
    }
    return channel.ask("Runtime.callFunctionOn", waiting, seconds=seconds) is not None
