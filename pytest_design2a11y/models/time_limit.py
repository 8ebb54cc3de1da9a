"""Time limit for a stage without a browser, which cannot be interrupted from outside."""

import math
import time

from pytest_design2a11y.exceptions import MeasurementTimeout
from pytest_design2a11y.wording import flag


class TimeLimit:
    """A clock that starts on creation; loops whose length depends on a page check it.

    Attributes:
        seconds: Maximum duration of the work; infinity: no limit.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self, stage: str) -> None:
        """Raise an error if the time is over."""
        if time.monotonic() > self._end:
            raise MeasurementTimeout(
                f"Measuring the page did not end within {self.seconds:.3g} s.",
                stage=stage,
                advice=f"Look for content that repeats, or allow more time with {flag('timeout')}: "
                "measuring gets the time that rendering left, and at least 1 second.",
            )
