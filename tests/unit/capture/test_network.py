"""The queue of a page's requests: one for which a script stands still never waits."""

from __future__ import annotations

from asyncio import CancelledError
from types import SimpleNamespace
from typing import Any

from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.page.network import MAX_REPORTED, MAX_REQUESTS, Traffic
from pytest_design2a11y.capture.page.visit import MAX_ERRORS, PageEvents, Visit

ADDRESS = "http://page.test/data.json"


def request() -> Any:
    return SimpleNamespace(url=ADDRESS, resource_type="xhr")


def is_sent(priority: str) -> dict[str, Any]:
    sent = {"url": ADDRESS, "initialPriority": priority}
    return {
        "request": sent,
        "type": "XHR",
        "frameId": "1",
        "requestId": "1",
        "documentURL": "http://page.test/",
    }


def answered_after(priority: str) -> list[str]:
    """What is answered where the route comes first and word of the request's priority second."""
    answered: list[str] = []
    traffic = Traffic(lambda _, asked: answered.append(asked.url))
    traffic.arrive(SimpleNamespace(), request())  # type: ignore[arg-type]
    traffic._began(is_sent(priority))
    return answered


def test_a_request_that_a_script_stands_still_for_passes_even_where_it_was_held() -> None:
    assert answered_after("VeryHigh") == [ADDRESS]


def test_any_other_waits_for_its_turn() -> None:
    assert answered_after("High") == []


def test_a_flood_is_told_and_not_answered() -> None:
    answered: list[str] = []
    floods: list[str] = []
    traffic = Traffic(lambda _, asked: answered.append(asked.url), is_open=True, flooded=floods.append)

    for _ in range(MAX_REQUESTS + 1):
        traffic.arrive(SimpleNamespace(), request())  # type: ignore[arg-type]

    assert len(answered) == MAX_REQUESTS
    assert floods == ["made more than 1,500 requests"]


def test_when_the_page_s_time_is_spent_nothing_is_sent_any_more() -> None:
    """1,400 style sheets of 100 kB were, for as long again as the page had."""
    answered: list[str] = []
    refused: list[bool] = []
    is_over = iter([False, True, True])
    traffic = Traffic(
        lambda _, asked: answered.append(asked.url), is_open=True, is_over=lambda: next(is_over)
    )

    for _ in range(3):
        route = SimpleNamespace(abort=lambda: refused.append(True))
        traffic.arrive(route, request())  # type: ignore[arg-type]

    assert (answered, refused) == ([ADDRESS], [True, True])


def test_a_flood_that_the_renderer_tells_of_is_heard_before_it_arrives() -> None:
    floods: list[str] = []
    traffic = Traffic(lambda *_: None, flooded=floods.append)

    for _ in range(MAX_REPORTED):
        traffic._began(is_sent("High"))
    assert floods == []
    traffic._began(is_sent("High"))

    assert floods == ["made more than 1,500 requests"]


def test_an_error_too_many_ends_the_page_once() -> None:
    ended: list[str] = []
    page: Any = SimpleNamespace(close=lambda: ended.append("page"))
    guard: Any = SimpleNamespace(
        end_browser=lambda: ended.append("browser"), is_over_memory=False, has_ended_browser=True
    )
    browser: Any = SimpleNamespace(is_connected=lambda: False)
    session: Any = SimpleNamespace()
    visit = Visit(browser, page, session, guard, deadline=Deadline(9.0))
    events = PageEvents(visit)

    for number in range(MAX_ERRORS + 9):
        assert bool(visit.flood) == (number > MAX_ERRORS)
        events.note_error("x")

    assert ended == ["browser", "page"]
    assert str(visit.explain()).startswith("The page threw more than 5,000 errors. (stage: load)")


def test_an_answer_that_is_cancelled_with_the_call_it_interrupts_makes_no_noise() -> None:
    def cancelled(*_: object) -> None:
        raise CancelledError

    traffic = Traffic(cancelled, is_open=True)

    traffic.arrive(SimpleNamespace(), request())  # type: ignore[arg-type]

    assert traffic.num_arrived == 1
