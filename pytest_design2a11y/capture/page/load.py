"""Load a page, let it run until it comes to rest, and bring it into the state to be captured.

A page's clock stands still while a user's step acts, and then runs until the page has come to rest, so the
state does not depend on the machine.
"""

import inspect
import re
import time
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.channel import Channel, calling, frame_tree
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.clock import Clocks, Unanswered
from pytest_design2a11y.capture.isolation.request_router import ORIGIN
from pytest_design2a11y.capture.page.network import Traffic
from pytest_design2a11y.capture.page.page_driver import PageDriver
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.models.viewport import PageState, Step
from pytest_design2a11y.wording import flag, setting

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
    where = {"frameId": traffic.main_frame, "worldName": WORLD}
    world = channel.ask("Page.createIsolatedWorld", where, seconds=end - time.monotonic())
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


#: Seconds that one action of a step may take, and its share of the page's remaining time.
ACTING, ACTING_SHARE = 5.0, 0.3

_STANDING = (
    "Check the selector. The page's clock stands still during a step: put what waits for a timer or a "
    "request of the page into the next step."
)


def bring_into_state(visit: Visit, driver: PageDriver | None, state: PageState, *, seconds: float) -> None:
    """Take the steps on a page that has come to rest, and check that the expected elements show."""
    if state.steps and visit.has_scripts and driver is None:
        raise exceptions.StepFailed(
            "The page was still loading or busy after its time, so that no step can be taken on it.",
            stage="steps",
            advice=f"Fix what keeps it busy, or allow more time with {flag('timeout')}.",
        )
    if state.steps:
        visit.channel.send("Input.setIgnoreInputEvents", {"ignore": False})
    before = _place(visit) if state.steps else None
    for number, step in enumerate(state.steps, 1):
        try:
            with visit.deadline.during(f"step {number}"):
                _take(visit, step, number)
                _settle(driver, seconds)
        except exceptions.CaptureError as error:
            if visit.explain() is None and _place(visit) != before:
                raise _led_away(visit, number) from error
            raise
        if _place(visit) != before:
            raise _led_away(visit, number)
    if state.wait_for is not None and not _shows(visit.page, state.wait_for):
        _settle(driver, seconds)
        if not _shows(visit.page, state.wait_for):
            raise exceptions.StepFailed(
                f"No element {state.wait_for!r} shows when the page has come to rest.",
                stage="wait_for",
                advice=f"Check the selector, or give the page more of its own time ({setting('settle')}).",
            )


def wait_for_shown(page: Page, selector: str, *, seconds: float) -> None:
    """Wait until an element is visible on a page that a test has open."""
    try:
        page.locator(selector).first.wait_for(state="visible", timeout=seconds * 1000)
    except PlaywrightError as error:
        if "Timeout" not in error.message:
            raise _not_a_selector(selector, error) from error
        raise exceptions.StepFailed(
            f"No element {selector!r} shows within {seconds:.3g} seconds.",
            stage="wait_for",
            advice=f"Check the selector, or allow more time with {flag('timeout')}.",
        ) from error


def _take(visit: Visit, step: Step, number: int) -> None:
    visit.page.set_default_timeout(1000 * min(ACTING, ACTING_SHARE * visit.deadline.remaining()))
    try:
        answer = step(visit.page)
    except exceptions.Design2a11yError:
        raise
    except Exception as error:
        if known := visit.explain():
            raise known from error
        line = (getattr(error, "message", None) or str(error)).strip().partition("\n")[0]
        late = re.match(r"(\S+): Timeout ([\d.]+)ms exceeded", line)
        why = f"{type(error).__name__}: {line}"
        if late is not None:
            why = f"{late[1]} did not end within {float(late[2]) / 1000:.1f} s."
        raise exceptions.StepFailed(
            f"Step {number} ({_name(step)}) failed: {why}",
            stage=f"step {number}",
            advice=_STANDING if isinstance(error, PlaywrightError) else "",
        ) from error
    if inspect.isawaitable(answer):
        getattr(answer, "close", lambda: None)()
        raise exceptions.ConfigurationError(
            f"Step {number} ({_name(step)}) is asynchronous.",
            advice="Write it as a plain function of the page.",
        )


def _name(step: Step) -> str:
    return str(getattr(step, "__name__", type(step).__name__))


def _settle(driver: PageDriver | None, seconds: float) -> None:
    if driver is None:
        return
    try:
        driver.go_on(seconds * 1000)
    except Unanswered:
        raise exceptions.StepFailed(
            "The page did not answer any more after a step.",
            stage="steps",
            advice=f"Look for a script that goes on without end, or give {flag('timeout')} more.",
        ) from None


def _place(visit: Visit) -> tuple[int, str]:
    """Return how often the page has tried to leave, and which document it shows."""
    return visit.log.counts["navigations"], frame_tree(visit.channel)["frame"]["loaderId"]


def _led_away(visit: Visit, number: int) -> exceptions.StepFailed:
    addresses = visit.log.named("navigations") or "another address"
    return exceptions.StepFailed(
        f"The page tried to leave for {addresses}.",
        stage=f"step {number}",
        advice="Render the page that the step leads to by itself, or go there in the test and render(page).",
    )


def _shows(page: Page, selector: str) -> bool:
    try:
        return page.locator(selector).first.is_visible()
    except PlaywrightError as error:
        raise _not_a_selector(selector, error) from error


def _not_a_selector(selector: str, error: PlaywrightError) -> exceptions.ConfigurationError:
    text = error.message.strip().partition("\n")[0]
    return exceptions.ConfigurationError(
        f"wait_for does not take {selector!r}: {text}", advice="Write a selector, such as '#results li'."
    )
