"""The thread that owns the browser: what nobody waits for any more holds it no longer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring import browser_thread
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.scorer import Scorer
from pytest_design2a11y.settings import Settings


class Browser:
    def __init__(self) -> None:
        self.is_ended = threading.Event()

    def allow_browsers(self) -> None: ...

    def kill_browsers(self) -> None:
        self.is_ended.set()


def test_a_page_given_up_while_the_browser_starts_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    starting, may_start, rendered = threading.Event(), threading.Event(), []

    @contextmanager
    def opened(*_: Any) -> Iterator[Browser]:
        starting.set()
        may_start.wait(30)
        yield Browser()

    monkeypatch.setattr(browser_thread, "open_renderer", opened)
    thread = BrowserThread(Settings())
    first = thread.submit(lambda renderer: rendered.append("first"))
    second = thread.submit(lambda renderer: rendered.append("second"))
    with suppress(TimeoutError), thread.waiting(first):
        starting.wait(30)
        raise TimeoutError
    may_start.set()
    second.result(30)
    thread.close()

    assert rendered == ["second"]
    assert first.cancelled() or first.exception() is not None


def test_a_page_given_up_under_way_loses_its_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, begun = Browser(), threading.Event()

    @contextmanager
    def opened(*_: Any) -> Iterator[Browser]:
        yield browser

    def render(renderer: Any) -> bool:
        begun.set()
        return bool(renderer.is_ended.wait(30))

    monkeypatch.setattr(browser_thread, "open_renderer", opened)
    thread = BrowserThread(Settings())
    page = thread.submit(render)
    with suppress(TimeoutError), thread.waiting(page):
        begun.wait(30)
        raise TimeoutError

    assert page.result(30), "its browser ended"
    thread.close()


@pytest.mark.parametrize("jobs", [0, -1, "four", 1.5])
def test_what_is_no_number_of_processes_is_refused(jobs: Any) -> None:
    with pytest.raises(ConfigurationError) as refused:
        Scorer(jobs=jobs)

    assert str(refused.value) == f"jobs={jobs!r} is not a number of processes. Give 1 or more."
