"""Pictures of layers of text are taken within the page's own time, however many they are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.capture import read_page
from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.read_page import PageReader

AREA = (0.0, 0.0, 9.0, 9.0)


@pytest.mark.parametrize("is_watched", [False, True])
def test_no_layer_gets_more_time_than_the_page_has(monkeypatch: pytest.MonkeyPatch, is_watched: bool) -> None:
    deadline, given = Deadline(30.0), []

    def take(_: Any, *, seconds: float, area: Any) -> bytes:
        given.append(seconds)
        deadline.extend(deadline.remaining() - 3.0)
        return b""

    def nine(_page: Any, _found: Any, shot: Callable[[Any], bytes]) -> Any:
        return [shot(AREA) for _ in range(9)]

    monkeypatch.setattr(read_page, "take_stable", take)
    monkeypatch.setattr(read_page, "hide_text", nine)
    visit: Any = SimpleNamespace(deadline=deadline)
    page: Any = SimpleNamespace(stage=lambda _: nullcontext())
    read: Any = SimpleNamespace(taken=SimpleNamespace(image=b"x"), text=SimpleNamespace(texts=()))
    still: Any = SimpleNamespace(glance=lambda shot: (shot(), True)) if is_watched else None

    PageReader._hidden(visit, page, read, still)

    assert given == pytest.approx([30.0 - 3.0 * layer for layer in range(9)], abs=1.0)
    assert deadline.remaining() == pytest.approx(3.0, abs=1.0)
