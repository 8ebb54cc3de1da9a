"""Whether what the browser made of the input is a page at all."""

from __future__ import annotations

from typing import Any

from pytest_design2a11y.capture.isolation.connections import WITHHELD
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import (
    CaptureError,
    EmptyDocument,
    NavigatedAway,
    NotHtml,
    RenderTimeout,
    SourceError,
)


def check_survey(survey: dict[str, Any], log: WarningLog) -> None:
    """Refuse what is not a page or an empty one, and note what is odd about the rest."""
    if survey["rootName"] and not survey["isHtml"]:
        raise NotHtml(
            f"The page's root is <{survey['rootName']}>, not <html>.",
            stage="load",
            advice="Give an HTML document; another format can be put into an <img> or <svg> element of one.",
        )
    unclosed = survey["unclosed"]
    if survey["isBlank"]:
        raise _empty(unclosed, log)
    if unclosed:
        log.note("unclosed_element", unclosed)
    if survey["isQuirky"]:
        log.note("quirks_mode")


def note_attempts(survey: dict[str, Any], log: WarningLog) -> None:
    """Note what the scripts of a frame tried and were refused."""
    for name, number in survey["attempts"].items():
        code = "blocked_requests" if name in WITHHELD else "popups" if name == "open" else "dialogs"
        log.note(code, name, times=number)


def _empty(unclosed: str | None, log: WarningLog) -> SourceError | CaptureError:
    if unclosed:
        return EmptyDocument(
            f"The page is empty: an unclosed {unclosed} swallows it.",
            stage="load",
            advice=f"Close the {unclosed}.",
        )
    if log.counts["navigations"]:
        places = ", ".join(log.examples["navigations"])
        return NavigatedAway(
            f"The page shows nothing itself: it sends its visitors on to {places}.",
            stage="load",
            advice="Render the page that it leads to.",
        )
    if log.counts["scripts_stopped"]:
        return RenderTimeout(
            "A script of the page did not end, and the page shows nothing without it.",
            stage="load",
            advice="Look for a loop without an end, or allow more time with --design2a11y-timeout.",
        )
    happened = [warning.message for warning in log.warnings() if warning.code != "quirks_mode"]
    return EmptyDocument(
        " ".join(["The page's body is empty.", *happened]),
        stage="load",
        advice="Look at what the model answered.",
    )
