"""What a server says of the page that it sends: an error page is not the page that was asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Response

from pytest_design2a11y.capture.isolation.content_types import UNBUILT
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import NavigationFailed


@contextmanager
def checked_status(page: Page, address: str, accepted: Collection[int], log: WarningLog) -> Iterator[None]:
    """Refuse what the `with` block loads if the server answers with an error; note what is not built."""
    statuses: list[int] = []

    def note(response: Response) -> None:
        with suppress(PlaywrightError):  # a frame that is gone
            if response.request.is_navigation_request() and response.frame == page.main_frame:
                statuses.append(response.status)
        path = urlsplit(response.url).path
        # A development server answers with what it has made of them.
        if path.endswith(UNBUILT) and "script" not in response.headers.get("content-type", ""):
            log.note_unbuilt(path)

    page.on("response", note)
    try:
        yield
    except NavigationFailed as error:
        # The browser gives up on an error without content, in words of its own.
        raise _refusal(address, statuses, accepted) or error from error
    finally:
        page.remove_listener("response", note)
    if refusal := _refusal(address, statuses, accepted):
        raise refusal


def _refusal(address: str, statuses: list[int], accepted: Collection[int]) -> NavigationFailed | None:
    if not statuses or statuses[-1] < HTTPStatus.BAD_REQUEST or statuses[-1] in accepted:
        return None
    known = statuses[-1] in HTTPStatus.__members__.values()
    named = f"{statuses[-1]} {HTTPStatus(statuses[-1]).phrase}" if known else str(statuses[-1])
    return NavigationFailed(
        f"{address} answered with the error {named}.",
        stage="load",
        advice="Check the address and its server; where the error page itself is to be scored, "
        f"give --design2a11y-accept-status {statuses[-1]}.",
    )
