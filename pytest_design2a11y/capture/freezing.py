"""Stopping a page's scripts for good, and bringing to rest what moves without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.capture.world import Channel, World
from pytest_design2a11y.exceptions import RenderTimeout

if TYPE_CHECKING:
    from pytest_design2a11y.capture.visit import Visit

PATIENCE_SHARE = 0.1
HUNG_PATIENCE = 0.3
ATTEMPTS = 10


def stop_scripts(visit: Visit) -> None:
    """Let no script of the page run any more; end the one that is running.

    Raises:
        RenderTimeout: The page cannot be stopped.
        CaptureError: The page ended.
    """
    channel = visit.channel
    # A page that is merely slow, on a busy machine say, must not lose a script half-way.
    patience = channel.deadline.seconds * PATIENCE_SHARE if visit.is_loaded else HUNG_PATIENCE
    with channel.deadline.during("freeze"):
        if _disable_scripts(channel, patience):
            return
        visit.journal.note("scripts_stopped")
        for _ in range(ATTEMPTS):
            # The command before waits in the page's queue, and is obeyed once the running script has ended.
            is_answered(channel, "Runtime.terminateExecution", seconds=HUNG_PATIENCE)
            if _disable_scripts(channel, HUNG_PATIENCE):
                return
    raise RenderTimeout(
        "The page's scripts could not be stopped.",
        stage="freeze",
        advice="Mend the script that never ends, or render without scripts (--design2a11y-no-javascript).",
    )


def _disable_scripts(channel: Channel, seconds: float) -> bool:
    return is_answered(channel, "Emulation.setScriptExecutionDisabled", {"value": True}, seconds=seconds)


def is_answered(
    channel: Channel, method: str, params: dict[str, Any] | None = None, *, seconds: float
) -> bool:
    """Send a command, and tell whether the page answered in that time.

    Raises:
        CaptureError: The page ended.
    """
    try:
        channel.session.send(method, params, timeout=min(seconds, channel.deadline.remaining()) * 1000)
    except PlaywrightTimeoutError:
        return False
    except PlaywrightError as error:
        raise channel.meaning(method, error) from error
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
