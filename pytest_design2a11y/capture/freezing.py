"""Stopping a page's scripts for good, and bringing to rest what moves without them."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.journal import Journal
from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.capture.world import Channel, World
from pytest_design2a11y.exceptions import RenderTimeout

PATIENCE_MS = 300
ATTEMPTS = 10


def stop_scripts(channel: Channel, journal: Journal) -> None:
    """Let no script of the page run any more; end the one that is running.

    Raises:
        RenderTimeout: The page cannot be stopped.
    """
    with channel.deadline.during("freeze"):
        if _disable(channel):
            return
        journal.note("scripts_stopped")
        for _ in range(ATTEMPTS):
            # What is waiting in the page's queue disables scripts as soon as the running one has ended.
            _try(channel, "Runtime.terminateExecution")
            if _disable(channel):
                return
        raise RenderTimeout(
            "The page's scripts could not be stopped.",
            stage="freeze",
            advice="Render it without scripts (--design2a11y-no-javascript), or mend the script that never ends.",
        )


def _disable(channel: Channel) -> bool:
    return _try(channel, "Emulation.setScriptExecutionDisabled", {"value": True})


def _try(channel: Channel, method: str, params: dict[str, bool] | None = None) -> bool:
    milliseconds = min(PATIENCE_MS, channel.deadline.remaining() * 1000)
    try:
        channel.session.send(method, params, timeout=milliseconds)
    except PlaywrightTimeoutError:
        return False
    return True


def bring_to_rest(worlds: Sequence[World]) -> set[str]:
    """End animations, stop media, load lazy images, await fonts and pictures, in every frame.

    Returns:
        Kinds of content for which this cannot vouch.
    """
    restless: set[str] = set()
    for world in worlds:
        restless.update(world.call(script("settle.js"))["restless"])
    return restless
