"""Load a page, and let it run until it comes to rest."""

import time
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.channel import Channel, calling
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.clock.clocks import Clocks
from pytest_design2a11y.capture.isolation.request_router import ORIGIN
from pytest_design2a11y.capture.page.network import Traffic
from pytest_design2a11y.capture.page.page_driver import PageDriver
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.wording import flag

# Real seconds after which a page that has not loaded may be waiting for a held request.
STALLED = 1.0

_HAS_LOADED = "() => globalThis.hasLoaded"
# Runs in a world where no script of the page could keep the event from us.
_LOADS = """() => document.readyState === "complete" ||
    new Promise((resolve) => addEventListener("load", () => resolve(true), { once: true }))"""


@dataclass(frozen=True)
class Loaded:
    """How loading a page went."""

    is_calm: bool  # Whether it loaded and its scripts came to rest in time
    driver: PageDriver | None = None  # Its driver; None if it runs no scripts, or did not load
    went_on: bool = False  # Whether it was going on by itself when it was lost (see `goes_on`)

    @property
    def goes_on(self) -> bool:
        """Whether its scripts are kept running by something other than its clock and its requests."""
        return self.went_on or (self.driver is not None and self.driver.goes_on)


def go_to(visit: Visit, address: str, settings: VisitSettings, traffic: Traffic) -> Loaded:
    """Go to an address, and let the page run until it comes to rest.

    A page that is still loading or busy after its share of the time is taken as it is.
    """
    limit = min(settings.limits.timeout * settings.load_share, visit.deadline.remaining())
    if visit.has_scripts:
        traffic.listen(visit.channel.session)
    event: Literal["commit", "load"] = "commit" if settings.limits.javascript else "load"
    loaded = Loaded(is_calm=False)
    try:
        visit.page.goto(address, wait_until=event, timeout=limit * 1000)
    except PlaywrightError as error:
        text = error.message.splitlines()[0]
        if is_late := isinstance(error, PlaywrightTimeoutError):
            text = f"no answer within {limit:.3g} seconds, the share of {flag('timeout')} for that."
        if not is_late or (event == "commit" and not address.startswith(ORIGIN)):
            raise visit.explain() or exceptions.NavigationFailed(
                f"{address} could not be loaded: {text}",
                stage="load",
                advice="Check the address, and that its server runs.",
            ) from error
    else:
        is_driven = settings.limits.javascript
        loaded = _come_to_rest(visit, traffic, limit, settings) if is_driven else Loaded(is_calm=True)
    if not loaded.is_calm:
        visit.log.note("load_unfinished")
        for number in traffic.moving():
            visit.log.note("requests_pending", traffic.under_way[number][0].removeprefix(f"{ORIGIN}/"))
    return loaded


def _come_to_rest(visit: Visit, traffic: Traffic, seconds: float, settings: VisitSettings) -> Loaded:
    end, limits, driver = time.monotonic() + seconds, settings.limits, None
    try:
        if not visit.has_scripts:
            return Loaded(_has_loaded(visit.channel, traffic, end, _LOADS))
        clocks = Clocks(visit.channel, end, limits.max_frames)
        if not _has_loaded(visit.channel, traffic, end, _HAS_LOADED):
            return Loaded(is_calm=False)
        driver = PageDriver(visit, clocks, traffic, limits.settle * 1000, limits.max_height, seconds)
        return Loaded(driver.run(), driver)
    except exceptions.CaptureError:
        if visit.explain():
            raise
        # The page has left for another document, or tries to: what it shows is checked once it is frozen.
        return Loaded(is_calm=False, went_on=driver is not None and driver.goes_on)


def _has_loaded(channel: Channel, traffic: Traffic, end: float, function: str) -> bool:
    # Not through Playwright's load event, which does not fire if the page tries to leave meanwhile.
    place = {"frameId": traffic.main_frame, "worldName": WORLD}
    world = channel.ask("Page.createIsolatedWorld", place, seconds=end - time.monotonic())
    if world is None:
        return False
    waiting = calling(function, world["executionContextId"])
    while time.monotonic() < end:
        seconds = min(STALLED, end - time.monotonic())
        if channel.ask("Runtime.callFunctionOn", waiting, seconds=seconds) is not None:
            traffic.has_loaded = True
            return True
        if traffic.held and not traffic.moving():
            traffic.release()
    return False
