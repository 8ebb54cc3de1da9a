"""Everything that can go wrong, as types: errors of input, capture, measurement and saved runs.

Each carries what happened, the stage at which it happened, and what the user can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial


class Design2a11yError(Exception):
    """Base of every error that this package raises on purpose.

    Attributes:
        what: One sentence: what happened.
        stage: Where: "source", "launch", "load", "freeze", "screenshot", "text", "axe" ...; "" if nowhere.
        advice: What the user can do about it; "" where nothing is to be done.
    """

    #: Where errors of a type happen, unless they say otherwise.
    usual_stage = ""

    def __init__(self, what: str, *, stage: str | None = None, advice: str = "") -> None:
        stage = self.usual_stage if stage is None else stage
        super().__init__(what, stage, advice)
        self.what = what
        self.stage = stage
        self.advice = advice

    def __str__(self) -> str:
        # Not at the top: imported in every pytest run of every user.
        from pytest_design2a11y.escaping import terminal_line

        # A message names files, addresses and texts that the author of a page chose.
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


class NotText(ConfigurationError, TypeError):
    """What stands for a model's answer is not text."""


class SourceError(Design2a11yError):
    """The input is not a page."""

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
    """The file is not a picture that can be read."""


class PictureTooLarge(SourceError):
    """The picture has more pixels than one may have."""


class BlocksFileInvalid(SourceError):
    """The file that tells a picture's text blocks is not valid, or is that of another picture."""


class CaptureError(Design2a11yError):
    """The page could not be rendered."""


class BrowserNotFound(CaptureError):
    """No Chromium to render with."""


class BrowserLost(CaptureError):
    """The browser process ended while it was needed."""


class NodeDiffers(CaptureError):
    """A node of a cluster does not have what the machine has that asks it to score."""


class FontsMissing(CaptureError):
    """The machine has no fonts, so that no page would show text."""


class NavigationFailed(CaptureError):
    """The page of a URL source could not be loaded."""


class NavigatedAway(CaptureError):
    """The page replaced itself by another document."""


class StepFailed(CaptureError):
    """A step that brings the page into its state could not be taken."""


class NeverShown(CaptureError):
    """The element that was waited for does not show."""


class MissingAssets(CaptureError):
    """The page asks for files that it did not get, and that is not allowed."""


class RenderTimeout(CaptureError):
    """A step in the browser did not end within its time."""


class RendererCrash(CaptureError):
    """The page brought its renderer process down."""


class MemoryLimit(CaptureError):
    """The page took more memory than the limit allows."""


class PageTooLarge(CaptureError):
    """The page has more nodes or frames than the limit allows."""


class Unstable(CaptureError):
    """Two screenshots of the frozen page differ."""


class OcrUnavailable(CaptureError):
    """What reads pictures or their text is not installed, or not the one that was measured."""


class MeasurementError(Design2a11yError):
    """The page was rendered, but there is no number to give."""


class NoVisibleText(MeasurementError):
    """The reference shows no text, so that four of the five components have nothing to measure."""

    usual_stage = "blocks"


class NothingToCheck(MeasurementError):
    """No accessibility rule applies to anything on the page, so that there is no rate."""


class TooMuchText(MeasurementError):
    """The pages have more text than can be matched."""

    usual_stage = "matching"


class MeasurementTimeout(MeasurementError):
    """Comparing the pages, after they were rendered, did not end within its time."""


class AppearanceUnavailable(MeasurementError):
    """The chosen appearance backend cannot be used here."""

    usual_stage = "appearance"


class AxeError(MeasurementError):
    """The accessibility engine failed or is not the script that it should be."""


class AxeTimeout(MeasurementError):
    """The accessibility engine did not end within its time."""


class HtmlcsError(MeasurementError):
    """HTML_CodeSniffer failed or is not the script that it should be."""


class HtmlcsTimeout(MeasurementError):
    """HTML_CodeSniffer did not end within its time."""


class ProbeError(MeasurementError):
    """A probe could not be brought to its end on the page."""


class ProbeTimeout(MeasurementError):
    """A probe did not end within its time."""


class WorkerCrashed(Design2a11yError):
    """The pytest-xdist worker that ran a test ended before what it measured arrived."""


class RunError(Design2a11yError):
    """A saved run cannot be used."""

    usual_stage = "runs"


class RunNotFound(RunError):
    """No saved run has that name."""


class RunUnreadable(RunError):
    """The file is not a saved run, or is damaged."""


class NotComparable(RunError):
    """Two runs were measured in ways that do not compare."""


class AxesDiffer(NotComparable):
    """Two runs mix different models, prompts or other axes, so that their means do not compare.

    The message has a table, a line each; what is in the lines is escaped by whoever raises it.
    """

    def _lines(self) -> Sequence[str]:
        return self._message().split("\n")


class UncomparedMeasurement(UserWarning):
    """A test measured something to assert on it, and neither it nor a limit compares the number."""

    def __init__(self, function: str, page: str) -> None:
        super().__init__(
            f"{function} of {page} was compared with nothing. Compare it by < or >, or set a limit; "
            "audit and visual_similarity measure without asserting."
        )
