"""Loading a page: its clock and chance are ours before its first script runs."""

from __future__ import annotations

import json

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.frames import WORLD, main_world
from pytest_design2a11y.capture.freezing import is_answered
from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.capture.visit import Visit, VisitSettings
from pytest_design2a11y.capture.world import Channel
from pytest_design2a11y.exceptions import NavigationFailed

CLOCK = {
    "epoch": 1_704_110_400_000,  # 2024-01-01T12:00:00Z
    "horizon": 1_000,
    "realLimit": 2_000,
    "ended": f"{WORLD}-clock-ended",
}

LOAD_SHARE = 1 / 3
CLOCK_PATIENCE = 3.0


def prepare(channel: Channel, *, has_scripts: bool) -> None:
    """Stop CSS, SMIL and marquee animation, and set up the page's clock, before anything loads."""
    channel.send("Animation.enable")
    channel.send("Animation.setPlaybackRate", {"playbackRate": 0})
    if has_scripts:
        channel.send("Page.enable")
        _run_first(channel, f"({script('watch.js')})()", worldName=WORLD)
        _run_first(channel, f"({script('clock.js')})({json.dumps(CLOCK)})")


def _run_first(channel: Channel, source: str, **where: str) -> None:
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": source, **where})


def load(visit: Visit, address: str, settings: VisitSettings) -> None:
    """Go to an address, and let the page's clock run for its second.

    A page that has not loaded after its share of the time is taken as it stands.

    Raises:
        NavigationFailed: The address cannot be loaded.
        CaptureError: The page or the browser ended.
    """
    limit = min(settings.timeout * LOAD_SHARE, visit.deadline.remaining())
    try:
        visit.page.goto(address, wait_until="load", timeout=limit * 1000)
    except PlaywrightTimeoutError:
        visit.is_loaded = False
        visit.journal.note("load_unfinished")
        return
    except PlaywrightError as error:
        raise visit.explain() or NavigationFailed(
            f"{address} could not be loaded: {error.message.splitlines()[0]}",
            stage="load",
            advice="Check the address, and that its server runs.",
        ) from error
    if settings.javascript and not _has_clock_ended(visit.channel):
        visit.journal.note("scripts_unsettled")


def _has_clock_ended(channel: Channel) -> bool:
    return is_answered(
        channel,
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": "() => globalThis.clockEnded",
            "executionContextId": main_world(channel),
            "awaitPromise": True,
        },
        seconds=CLOCK_PATIENCE,
    )
