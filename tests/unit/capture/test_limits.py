"""A page beyond a limit is refused with the limit's option."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.renderer import GRACE, Renderer
from pytest_design2a11y.exceptions import BrowserLost, PageTooLarge, RenderTimeout
from pytest_design2a11y.models.page import Document


def test_at_the_limit_a_page_passes_and_one_more_element_is_refused() -> None:
    limits = CaptureLimits(max_nodes=10)

    limits.check_nodes(10)
    with pytest.raises(PageTooLarge, match=r"11 elements; the limit is 10.*-o design2a11y_max_nodes"):
        limits.check_nodes(11)


def test_at_the_limit_a_page_passes_and_one_more_frame_is_refused() -> None:
    limits = CaptureLimits(max_frames=3)

    limits.check_frames(3)
    with pytest.raises(PageTooLarge, match=r"4 frames; the limit is 3.*-o design2a11y_max_frames"):
        limits.check_frames(4)


def test_a_second_attempt_ends_when_the_first_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer(pytest.fail, limits=CaptureLimits(timeout=10.0))
    errors = iter([BrowserLost("It ended."), RenderTimeout("It took too long.")])
    ends: list[float] = []

    def read(*given: Any) -> None:
        ends.append(given[-1])
        raise next(errors)

    monkeypatch.setattr(renderer._browsers, "get", lambda **_: SimpleNamespace())
    monkeypatch.setattr(renderer._browsers, "drop", lambda _: None)
    monkeypatch.setattr(renderer, "_read", read)
    began = time.monotonic()
    with pytest.raises(RenderTimeout):
        renderer.capture(Document(label="x", html=b"<p>x"), role="candidate", audit=None)

    assert ends == [ends[0]] * 2
    assert ends[0] == pytest.approx(began + 10.0 + GRACE, abs=1.0)
