"""Bring a page into the state to be captured: a user's steps, and what must show afterwards.

A page's clock stands still while a step acts, and then runs until the page has come to rest, so the state
does not depend on the machine.
"""

import inspect
import re

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.channel import frame_tree
from pytest_design2a11y.capture.clock.clocks import Unanswered
from pytest_design2a11y.capture.page.page_driver import PageDriver
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.models.viewport import PageState, Step
from pytest_design2a11y.wording import flag, setting

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
