"""The time of a page is that of all that is done with it: whatever comes later has what is left."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pytest_design2a11y.capture import renderer
from pytest_design2a11y.capture.isolation.hosts import HostClient
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.exceptions import MeasurementTimeout
from pytest_design2a11y.measuring import measures
from pytest_design2a11y.models.page import Capture, Environment
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.settings.values import Settings

LIMITS = CaptureLimits(timeout=30.0)


@pytest.mark.parametrize(("seconds", "left"), [(0.0, 30.0), (12.5, 17.5), (29.0, 5.0), (41.0, 5.0)])
def test_measuring_has_what_rendering_leaves(seconds: float, left: float) -> None:
    environment = Environment("156", "4", "0.1")
    capture = Capture("a", "candidate", None, (1, 1), (), (), environment, seconds=seconds)

    assert measures._time(Settings(capture=LIMITS), capture).seconds == left


@pytest.mark.parametrize(("used", "left"), [(0.0, 30.0), (20.0, 10.0), (29.0, 5.0)])
def test_a_second_attempt_has_what_the_first_leaves(used: float, left: float) -> None:
    settings = VisitSettings(remote=Remote(HostClient(())), limits=LIMITS)

    again = renderer._what_is_left(settings, time.monotonic() - used)

    assert again.limits.timeout == pytest.approx(left, abs=0.1)
    assert again.limits.settle == LIMITS.settle


def test_the_error_tells_how_long_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = TimeLimit(17.4567)
    now: Any = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 18)

    with pytest.raises(MeasurementTimeout, match=r"within 17\.5 seconds\. \(stage: matching\)"):
        limit.check("matching")
