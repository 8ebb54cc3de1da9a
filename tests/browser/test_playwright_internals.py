"""What `bounded.py` and `beside.py` rest on and Playwright does not document: these say when it has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.metadata import version

import pytest
from greenlet import getcurrent
from playwright.sync_api import Browser, CDPSession, Page

from pytest_design2a11y.capture.browser.bounded import ENDS_COMMANDS, PendingCall, bounded

BROKEN = f"Playwright {version('playwright')} broke what {{}} rests on: {{}}"
ENDLESS = "new Promise(() => {})"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def test_a_call_is_a_task_of_the_event_loop_in_its_own_thread(chromium: Browser, page: Page) -> None:
    told = BROKEN.format("bounded.py", "a call no longer runs as a task that can be cancelled")
    tasks: list[int] = []
    asyncio.get_running_loop().call_later(0.05, lambda: tasks.append(len(asyncio.all_tasks())))
    before = len(asyncio.all_tasks())

    with pytest.raises(TimeoutError):
        bounded(lambda: page.evaluate(ENDLESS), browser=chromium, seconds=0.3)

    assert max(tasks, default=0) > before, told


def test_a_caller_waits_in_a_greenlet_that_others_run_beside(page: Page) -> None:
    told = BROKEN.format("beside.py", "a call in a greenlet of its own no longer goes on while another waits")
    seen = []

    def call() -> None:
        page.evaluate("2")
        seen.append(getcurrent())

    beside = PendingCall(call)
    page.wait_for_timeout(300)

    assert [one is getcurrent() for one in seen] == [False], told
    beside.result(seconds=1.0)


def test_a_command_can_be_bounded(page: Page) -> None:
    told = BROKEN.format("bounded.py", "neither `timeout` nor what `CDPSession.send` calls is there")
    session = page.context.new_cdp_session(page)

    has_internals = hasattr(session, "_impl_obj") and hasattr(CDPSession, "_sync")

    assert ENDS_COMMANDS or has_internals, told
