"""The time of a page is that of all that is done with it: whatever comes later has what is left."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.capture import renderer
from pytest_design2a11y.capture.isolation import HostClient
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.exceptions import MeasurementTimeout, TimeLimit, TooMuchText
from pytest_design2a11y.measuring import measures
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture, Environment, TextRun
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual import figures_of, match_figures

LIMITS = CaptureLimits(timeout=30.0)


@pytest.mark.parametrize(("seconds", "left"), [(0.0, 30.0), (12.5, 17.5), (29.0, 1.0), (41.0, 1.0)])
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

    with pytest.raises(MeasurementTimeout, match=r"within 17\.5 s\. \(stage: matching\)"):
        limit.check("matching")


def test_a_long_page_keeps_the_score_of_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes too long is null, with the reason."""
    run = TextRun("Sales 12", ((0.0, 0.0, 90.0, 20.0),), (0, 0, 0), 0)
    block = Block("Sales 12", (0.1, 0.1, 0.2, 0.05), (0, 0, 0))
    white = Screenshot.of_pixels(np.full((40, 100, 3), 255, np.uint8))
    page = Capture("a", "reference", white, (100, 40), (run,), (), Environment("156", "4", "0.1"))
    monkeypatch.setattr(measures, "_blocks", lambda *_: (block,))
    monkeypatch.setattr(measures, "with_whole_page", lambda _score, *_: TimeLimit(-1.0).check("elements"))

    score = measures.measure_visual(page, replace(page, role="candidate"), settings=Settings())

    assert score.text == 1
    assert (score.elements, score.fidelity, score.blocking) == (None, None, None)
    assert score.unmeasured["fidelity"].startswith("Measuring the page did not end within -1 s")


def test_labels_that_repeat_are_compared_once() -> None:
    """A table of all numbers against all, each with the words of the page, would take minutes."""
    box = (0.0, 0.0, 900.0, 9000.0)
    few, many = (
        figures_of([TextRun("total sum 12 " * number, (box,), (0, 0, 0), 0)]) for number in (3, 9000)
    )

    found = match_figures(few, many, ((900, 9000), (900, 9000)))

    assert found is not None
    assert len(found.pairs) == 9000


def test_words_beside_numbers_have_a_limit() -> None:
    many = TextRun("total sum 12 " * 60_000, ((0.0, 0.0, 900.0, 9000.0),), (0, 0, 0), 0)
    figures = figures_of([many])

    with pytest.raises(TooMuchText, match=r"599,999 and 599,999 characters, are too long to compare"):
        match_figures(figures, figures, ((900, 9000), (900, 9000)))
    with pytest.raises(MeasurementTimeout, match=r"\(stage: figures\)"):
        figures_of([many], TimeLimit(-1.0))
