"""Calls that go on beside others, and pages that are opened ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.bounded import PendingCall, together
from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.capture.browser.pages import WORLD, PageOptions, PagePool
from pytest_design2a11y.exceptions import BrowserLost

WAITS = "new Promise((resolve) => { globalThis.release = resolve })"
NARROW = PageOptions({"viewport": {"width": 300, "height": 200}}, is_answered=True)
WIDE = PageOptions({"viewport": {"width": 900, "height": 200}}, is_answered=True)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def test_a_call_goes_on_while_the_thread_waits_for_another(page: Page) -> None:
    waiting = PendingCall(lambda: page.evaluate(WAITS))

    page.wait_for_function("() => Boolean(globalThis.release)")
    page.evaluate("release(7)")

    assert waiting.result(seconds=10.0) == 7


def test_what_fails_beside_fails_where_it_is_waited_for(page: Page) -> None:
    failing = PendingCall(lambda: page.evaluate("missing()"))
    page.evaluate("1")

    with pytest.raises(PlaywrightError, match="missing is not defined"):
        failing.result(seconds=10.0)


def test_a_call_that_does_not_end_is_not_waited_for_longer(page: Page) -> None:
    waiting = PendingCall(lambda: page.evaluate(WAITS))
    page.wait_for_function("() => Boolean(globalThis.release)")

    with pytest.raises(TimeoutError):
        waiting.result(seconds=0.05)

    page.evaluate("release(7)")
    assert waiting.result(seconds=10.0) == 7


def test_a_call_that_could_not_begin_is_made_when_it_is_waited_for(page: Page) -> None:
    assert PendingCall(lambda: page.evaluate("7")).result(seconds=10.0) == 7


def test_answers_of_several_calls_keep_the_order_of_the_calls(page: Page) -> None:
    def after(turns: int) -> Any:
        wait = "await null;" * turns
        return lambda: page.evaluate(f"(async () => {{ {wait} return {turns} }})()")

    assert together([after(500), after(0), after(20)], seconds=10.0) == [500, 0, 20]
    assert together([], seconds=10.0) == []


def test_a_page_that_was_opened_ahead_is_the_next_one(chromium: Browser) -> None:
    pages = PagePool(chromium)
    first = pages.open(NARROW, seconds=10.0)
    before = chromium.contexts
    pages.open_ahead()
    while chromium.contexts == before:
        first.page.evaluate("1")
    ahead = chromium.contexts[-1]
    first.context.close()

    second = pages.open(NARROW, seconds=10.0)

    assert second.context is ahead
    assert second.page.evaluate("innerWidth") == 300
    second.context.close()


def test_functions_that_a_shared_page_used_are_in_the_documents_of_the_next_one(chromium: Browser) -> None:
    pages = PagePool(chromium)
    options = PageOptions({}, is_answered=False, language="en")
    first, function = pages.open(options, seconds=10.0), "() => document.title"
    assert first.library is not None
    assert first.library.name_of(function) is None

    page = pages.open(options, seconds=10.0)
    page.page.goto("data:text/html,<title>Next</title>")
    place = {"frameId": page.main_frame, "worldName": WORLD}
    world = page.session.send("Page.createIsolatedWorld", place)["executionContextId"]
    assert page.library is not None
    call = {"expression": f"{page.library.name_of(function)}()", "contextId": world}

    assert page.session.send("Runtime.evaluate", call)["result"]["value"] == "Next"
    for opened in (first, page):
        opened.context.close()


def test_a_page_that_was_opened_ahead_is_closed_where_another_kind_is_wanted(chromium: Browser) -> None:
    before = len(chromium.contexts)
    pages = PagePool(chromium)
    first = pages.open(NARROW, seconds=10.0)
    pages.open_ahead()
    first.page.evaluate("1")

    second = pages.open(WIDE, seconds=10.0)
    # Where kinds take turns, none is opened for nothing.
    pages.open_ahead()
    second.page.evaluate("1")

    assert second.page.evaluate("innerWidth") == 900
    assert len(chromium.contexts) == before + 2
    for blank in (first, second):
        blank.context.close()


def test_a_page_that_could_not_be_opened_ahead_is_opened_when_it_is_wanted(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = PagePool(chromium)
    first = pages.open(NARROW, seconds=10.0)
    with monkeypatch.context() as patch:
        patch.setattr(pages, "_opened", lambda options: first.page.evaluate("missing()"))
        pages.open_ahead()
        first.page.evaluate("1")

    second = pages.open(NARROW, seconds=10.0)

    assert second.page.evaluate("innerWidth") == 300
    for blank in (first, second):
        blank.context.close()


def test_a_browser_that_has_ended_opens_no_page(playwright: Playwright) -> None:
    browser = launch(starting(playwright.chromium), chromium=None, options={}).browser
    pages = PagePool(browser)
    first = pages.open(NARROW, seconds=10.0)
    pages.open_ahead()
    first.page.evaluate("1")
    browser.close()

    with pytest.raises(BrowserLost, match="The browser does not open a page"):
        pages.open(NARROW, seconds=10.0)
