"""Refuse what is not a page to measure: an error of its server, an empty document, another kind of file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Response

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.isolation.remote import WITHHELD
from pytest_design2a11y.capture.isolation.site_files import UNBUILT
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.wording import flag


@contextmanager
def checked_status(page: Page, address: str, log: WarningLog) -> Iterator[None]:
    """Refuse what is loaded if the server answers with an error; note unbuilt scripts and other paths."""
    statuses: list[int] = []
    path_there = urlsplit(address).path

    def note(response: Response) -> None:
        nonlocal path_there
        path = urlsplit(response.url).path
        with suppress(PlaywrightError):  # the frame is gone
            if response.request.is_navigation_request() and response.frame == page.main_frame:
                statuses.append(response.status)
                path_there = path
        # A development server answers with the built script.
        if path.endswith(UNBUILT) and "script" not in response.headers.get("content-type", ""):
            log.note_unbuilt(path)

    page.on("response", note)
    try:
        yield
    except exceptions.NavigationFailed as error:
        # On an error without content, the browser fails with a message of its own.
        raise _refusal(address, statuses) or error from error
    finally:
        page.remove_listener("response", note)
    if refusal := _refusal(address, statuses):
        raise refusal
    if path_there.rstrip("/") != urlsplit(address).path.rstrip("/"):
        log.note("redirected", path_there)


def _refusal(url: str, statuses: list[int]) -> exceptions.NavigationFailed | None:
    if not statuses or statuses[-1] < HTTPStatus.BAD_REQUEST:
        return None
    known = statuses[-1] in HTTPStatus.__members__.values()
    named = f"{statuses[-1]} {HTTPStatus(statuses[-1]).phrase}" if known else str(statuses[-1])
    return exceptions.NavigationFailed(
        f"{url} answered with the error {named}.",
        stage="load",
        advice="Check the address and its server.",
    )


def check_survey(survey: dict[str, Any], log: WarningLog) -> None:
    """Refuse input that is empty or not a page, and note other oddities."""
    if survey["rootName"] and not survey["isHtml"]:
        raise exceptions.NotHtml(
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
    """Note attempts of a frame's scripts that were refused."""
    for name, number in survey["attempts"].items():
        code = "blocked_requests" if name in WITHHELD else "popups" if name == "open" else "dialogs"
        log.note(code, name, times=number)


def _empty(unclosed: str | None, log: WarningLog) -> exceptions.SourceError | exceptions.CaptureError:
    if unclosed:
        return exceptions.EmptyDocument(
            f"The page is empty: an unclosed {unclosed} swallows it.",
            stage="load",
            advice=f"Close the {unclosed}.",
        )
    if log.counts["navigations"]:
        return exceptions.NavigatedAway(
            f"The page shows nothing itself: it sends its visitors on to {log.named('navigations')}.",
            stage="load",
            advice="Render the page that it leads to.",
        )
    if log.counts["scripts_stopped"]:
        return exceptions.RenderTimeout(
            "A script of the page did not end, and the page shows nothing without it.",
            stage="load",
            advice=f"Look for a loop without an end, or allow more time with {flag('timeout')}.",
        )
    happened = [warning.message for warning in log.warnings() if warning.code != "quirks_mode"]
    return exceptions.EmptyDocument(
        " ".join(["The page's body is empty.", *happened]),
        stage="load",
        advice="Look at what the model answered.",
    )
