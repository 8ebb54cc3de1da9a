"""Time limit of a stage without a browser, which cannot be ended from outside."""

from __future__ import annotations

import math
import time

from pytest_design2a11y.exceptions import MeasurementTimeout


class TimeLimit:
    """A clock that starts when it is made; loops over what a page decides ask it.

    Attributes:
        seconds: How long the work may take; infinity: as long as it takes.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self, stage: str) -> None:
        """End the work where its time is over."""
        if time.monotonic() > self._end:
            raise MeasurementTimeout(
                f"Measuring the page did not end within {self.seconds:.3g} seconds.",
                stage=stage,
                advice="Look for content that repeats, or allow more time with --design2a11y-timeout: "
                "measuring has what rendering leaves of it, and 5 seconds at least.",
            )
