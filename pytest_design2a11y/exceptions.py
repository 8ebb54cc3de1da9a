"""Exceptions for input, capture, measurement and saved runs, and the time limit that raises one.

Each holds what happened, at which stage, and what the user can do.
"""

import math
import time
from collections.abc import Sequence
from functools import partial

from pytest_design2a11y.wording import flag


class Design2a11yError(Exception):
    """Base class of all errors that this package raises.

    Attributes:
        what: What happened, in one sentence.
        stage: The stage: "source", "launch", "load", "freeze", "screenshot", "text", "axe" ..., or "".
        advice: What the user can do about it, or "".
    """

    #: Stage of errors of this type that do not name one.
    usual_stage = ""

    def __init__(self, what: str, *, stage: str | None = None, advice: str = "") -> None:
        stage = self.usual_stage if stage is None else stage
        super().__init__(what, stage, advice)
        self.what = what
        self.stage = stage
        self.advice = advice

    def __str__(self) -> str:
        # Not at the top, which every pytest run of every user imports.
        from pytest_design2a11y.escaping import terminal_line

        # A message names files, addresses and texts chosen by the author of a page.
        return "\n".join(map(terminal_line, self._lines()))

    def _lines(self) -> Sequence[str]:
        return (self._message(),)

    def _message(self) -> str:
        where = f" (stage: {self.stage})" if self.stage else ""
        todo = f" {self.advice}" if self.advice else ""
        return f"{self.what}{where}{todo}"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), self.what, stage=self.stage, advice=self.advice), ()


class ConfigurationError(Design2a11yError):
    """An option, marker or argument is not valid as written."""


class SourceError(Design2a11yError):
    """The input is not a page, or what comes with it is not valid."""

    usual_stage = "source"


class SourceNotFound(SourceError):
    """The named file does not exist or cannot be read."""


class EmptyDocument(SourceError):
    """The input has no content, or none of it becomes part of the page."""


class NotHtml(SourceError):
    """The input is something other than a page: a refusal, plain text, JSON, binary data."""


class InputTooLarge(SourceError):
    """The input has more bytes than the limit allows."""


class PictureUnreadable(SourceError):
    """The file cannot be read as a picture."""


class PictureTooLarge(SourceError):
    """The picture has more pixels than the limit allows."""


class CaptureError(Design2a11yError):
    """The page could not be rendered, or not as it is to be."""


class BrowserNotFound(CaptureError):
    """There is no Chromium to render with."""


class BrowserLost(CaptureError):
    """The browser process ended unexpectedly."""


class NavigationFailed(CaptureError):
    """The page at a URL could not be loaded."""


class NavigatedAway(CaptureError):
    """The page replaced itself with another document."""


class StepFailed(CaptureError):
    """A page did not come into its state: a step failed, or an element that it must show never does."""


class RenderTimeout(CaptureError):
    """An operation in the browser exceeded its time limit."""


class RendererCrash(CaptureError):
    """The page crashed its renderer process."""


class MemoryLimit(CaptureError):
    """The page took more memory than the limit allows."""


class PageTooLarge(CaptureError):
    """The page has more nodes or frames than the limit allows."""


class Unstable(CaptureError):
    """Two screenshots of the frozen page differ."""


class OcrUnavailable(CaptureError):
    """The library that reads pictures or their text is missing, or an unsupported version."""


class MeasurementError(Design2a11yError):
    """The page was rendered, but could not be measured."""


class NoVisibleText(MeasurementError):
    """The reference shows no text, so four of the five components have nothing to measure."""

    usual_stage = "blocks"


class NothingToCheck(MeasurementError):
    """No accessibility rule applies to anything on the page, so there is no rate."""


class TooMuchText(MeasurementError):
    """The pages have more text than can be matched."""

    usual_stage = "matching"


class MeasurementTimeout(MeasurementError):
    """Comparing the rendered pages exceeded its time limit."""


class AppearanceUnavailable(MeasurementError):
    """The chosen appearance backend cannot be used here."""

    usual_stage = "appearance"


class AxeError(MeasurementError):
    """The accessibility engine failed, or its script is not axe-core."""


class AxeTimeout(MeasurementError):
    """The accessibility engine exceeded its time limit."""


class HtmlcsError(MeasurementError):
    """HTML_CodeSniffer failed or exceeded its time limit, or its script is not HTML_CodeSniffer."""


class ProbeError(MeasurementError):
    """A probe could not finish on the page, or not in its time."""


class WorkerCrashed(Design2a11yError):
    """The pytest-xdist worker that ran a test crashed before its results arrived."""


class RunError(Design2a11yError):
    """A saved run cannot be used."""

    usual_stage = "runs"


class RunNotFound(RunError):
    """No saved run has that name."""


class RunUnreadable(RunError):
    """The file is not a saved run, or is damaged."""


class NotComparable(RunError):
    """Two runs were measured under conditions that do not compare."""


class AxesDiffer(NotComparable):
    """Two runs mix different models, prompts or other axes, so their means do not compare.

    The message has a table of several lines, escaped by the raiser.
    """

    def _lines(self) -> Sequence[str]:
        return self._message().split("\n")


class UncomparedMeasurement(UserWarning):
    """A test called an `assert_*` function, and neither it nor a limit compares the number."""

    def __init__(self, function: str, page: str) -> None:
        super().__init__(
            f"{function} of {page} was compared with nothing. Compare it by < or >, or set a limit; "
            "audit and visual_similarity measure without asserting."
        )


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
