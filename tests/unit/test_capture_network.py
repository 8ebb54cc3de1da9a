"""The turnstile before a page's requests: one for which a script stands still never waits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pytest_design2a11y.capture.page.network import MAX_REQUESTS, Traffic, Turnstile

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
    turnstile = Turnstile(lambda _, asked: answered.append(asked.url))
    turnstile._arrive(SimpleNamespace(), request())  # type: ignore[arg-type]
    Traffic(turnstile, "1")._began(is_sent(priority))
    return answered


def test_a_request_that_a_script_stands_still_for_passes_even_where_it_was_held() -> None:
    assert answered_after("VeryHigh") == [ADDRESS]


def test_any_other_waits_for_its_turn() -> None:
    assert answered_after("High") == []


def test_a_flood_is_told_once_and_not_answered() -> None:
    answered: list[str] = []
    floods: list[bool] = []
    turnstile = Turnstile(
        lambda _, asked: answered.append(asked.url), is_open=True, flooded=lambda: floods.append(True)
    )

    for _ in range(MAX_REQUESTS + 3):
        turnstile._arrive(SimpleNamespace(), request())  # type: ignore[arg-type]

    assert len(answered) == MAX_REQUESTS
    assert floods == [True]
