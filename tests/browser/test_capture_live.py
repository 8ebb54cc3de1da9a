"""A page that a test has open is read as it stands, and goes on as if nothing had been."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.exceptions import CaptureError, Unstable
from pytest_design2a11y.models.audit import AuditChoice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

HTML = """<!doctype html><html lang=en><title>Live</title><h1>Start</h1>
<img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' width=9 height=9>
<button onclick="document.querySelector('h1').textContent = 'Clicked'">Go</button>
<input value=Typed aria-label=Name autofocus><div style='height: 2000px'></div><p>Far below</p>"""


@pytest.fixture
def live(chromium: Browser) -> Iterator[Page]:
    """A page as a test would have it, in a context that is not ours."""
    context = chromium.new_context(viewport={"width": 900, "height": 600})
    page = context.new_page()
    page.set_content(HTML)
    yield page
    context.close()


def test_the_page_is_read_as_it_stands(live: Page) -> None:
    live.get_by_role("button").click()

    capture = capture_page(live, role="candidate", audit=AuditChoice())

    assert capture.page_size[0] == 900
    assert capture.page_size[1] > 2000
    assert capture.screenshot.pixels.shape[:2] == (capture.page_size[1], 900)
    assert {"Clicked", "Go", "Far below"} <= {run.text for run in capture.text_runs}
    assert capture.audit is not None
    assert {rule.rule: rule.num_violations for rule in capture.audit.rules}["image-alt"] == 1


def test_boxes_are_of_the_page_wherever_it_is_scrolled_to(live: Page) -> None:
    before = capture_page(live, role="candidate", audit=None)
    live.mouse.wheel(0, 700)
    live.wait_for_function("scrollY > 500")

    after = capture_page(live, role="candidate", audit=None)

    assert after.text_runs == before.text_runs
    assert live.evaluate("scrollY") > 500


def test_the_page_goes_on_afterwards(live: Page) -> None:
    live.evaluate("window.count = 0; setInterval(() => { count += 1 }, 10)")
    html = live.content()

    capture_page(live, role="candidate", audit=AuditChoice())

    counted = live.evaluate("count")
    live.wait_for_function("limit => count > limit", arg=counted)
    assert live.content() == html
    live.get_by_role("button").click()
    assert live.locator("h1").text_content() == "Clicked"


def test_a_page_that_does_not_hold_still_is_named(live: Page) -> None:
    live.evaluate("setInterval(() => { document.querySelector('h1').textContent = Math.random() }, 5)")

    with pytest.raises(Unstable, match="Wait in the test until the page is at rest"):
        capture_page(live, role="candidate", audit=None)


def test_a_closed_page_is_an_error(live: Page) -> None:
    live.close()

    with pytest.raises(CaptureError, match="The page is closed"):
        capture_page(live, role="candidate", audit=None)
