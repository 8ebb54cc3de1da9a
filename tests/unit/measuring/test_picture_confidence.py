"""How sure the reader was goes from lines to the text runs that were made of them."""

from __future__ import annotations

import pytest

from pytest_design2a11y.exceptions import NothingToCheck
from pytest_design2a11y.measuring.checks import measure_accessibility
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.picture.ink import TextLine, with_confidence
from tests.factories import ENVIRONMENT


def test_a_run_is_as_sure_as_the_least_sure_of_its_lines() -> None:
    lines = [TextLine("one", (0, 0, 100, 20), 0.9, ()), TextLine("two", (0, 30, 100, 20), 0.8, ())]
    boxes = ((5.0, 2.0, 40.0, 16.0), (5.0, 32.0, 40.0, 16.0), (5.0, 90.0, 40.0, 16.0))
    runs = [TextRun("x", own, None, 0) for own in ((boxes[0],), boxes[:2], (boxes[2],))]

    assert [run.confidence for run in with_confidence(runs, lines)] == [0.9, 0.8, None]


def test_a_picture_has_no_accessibility_and_says_so() -> None:
    capture = Capture("a.png", "candidate", None, (1, 1), (), (), ENVIRONMENT, conditions={"kind": "picture"})

    with pytest.raises(NothingToCheck, match=r"a\.png is a picture, which has no.*Audit the page"):
        measure_accessibility(capture)
