"""Load a page, with clock and randomness set up before its first script runs, and note its server's answers.

Then check whether what the browser made of the input is a page at all.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from html import unescape
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Response
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.channel import Channel, calling
from pytest_design2a11y.capture.browser.pages import WORLD
from pytest_design2a11y.capture.isolation.remote import WITHHELD
from pytest_design2a11y.capture.isolation.request_router import ORIGIN
from pytest_design2a11y.capture.isolation.site_files import UNBUILT
from pytest_design2a11y.capture.page.network import Traffic
from pytest_design2a11y.capture.page.page_driver import Clocks, PageDriver
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.javascript import call_of

EPOCH = 1_704_110_400_000  # 2024-01-01T12:00:00Z

# Real seconds after which a page that has not loaded may be waiting for a held request.
STALLED = 1.0

# Signs that a document may run or load scripts: elements, and attributes after a space, a slash or a value.
# With a zero byte, it is in an encoding in which these look different.
SCRIPTED = re.compile(
    rb"<script|<i?frame|<object|<embed|[\s/\"']on[a-z]+\s*=|\bas\s*=[\s\"']*script|modulepreload|\0",
    re.IGNORECASE,
)

# Signs of a character that not every font has, or of text in another language, here or in what it loads; of
# anything that may outlive its page; and of media queries on the screen, which tell used from new pages.
_LEAVING = re.compile(
    r"[^\0-\u017f\u2010-\u203a\u20ac\u2122\ufeff]|-webkit-locale|content-language|<link|@import|svg\+xml|\.svg"
    r"|http-equiv[\s='\"]*refresh|view-transition|[-(<>]=?\s*device-[wha]"
)
_LANGUAGES = re.compile(r"""(?P<root><html\b[^>]*?[\s"'/])?\blang\s*=\s*["']?(?P<name>[\w-]*)""")
_ESCAPED = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.DOTALL)

_HAS_LOADED = "() => globalThis.hasLoaded"
# Runs in a world where no script of the page could keep the event from us.
_LOADS = """() => document.readyState === "complete" ||
    new Promise((resolve) => addEventListener("load", () => resolve(true), { once: true }))"""


def can_run_scripts(html: bytes | None) -> bool:
    """Return whether a document may run scripts; None (the browser loads it itself) always may."""
    return html is None or SCRIPTED.search(html) is not None


def language_of(html: bytes | None) -> str | None:
    """Return the language of all text of a document, "" if it names none, None if that is uncertain.

    A renderer remembers the font it chose for a character missing from a page's own fonts, in any language,
    as text or as an emoji, and on some systems uses it for others too. So pages may share a renderer if their
    language is the same and every font has their characters; list markers still depend on the language.
    """
    if html is None or can_run_scripts(html):
        return None
    text = unescape(html.decode("utf-8", "replace")).lower()
    unescaped = _ESCAPED.sub(lambda escape: escape[2] or chr(min(int(escape[1], 16), 0x10FFFF)), text)
    if any(map(_LEAVING.search, {text, unescaped})):
        return None
    named = list(_LANGUAGES.finditer(text))
    languages = {attribute["name"] for attribute in named}
    if len(languages) > 1 or (named and not named[0]["root"]):
        return None
    return next(iter(languages), "")


def set_clock(channel: Channel) -> None:
    """Set up the clock of a page whose scripts run, before anything loads."""
    watch = call_of("capture/page/watch.js", "watch", WITHHELD)
    clock = call_of("capture/page/page_clock.js", "startPageClock", EPOCH, worker_clock())
    channel.send("Page.enable")
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": watch, "worldName": WORLD})
    channel.send("Network.enable")
    channel.send("Page.addScriptToEvaluateOnNewDocument", {"source": clock})


@cache
def worker_clock() -> str:
    """Return the script that runs before every worker's own."""
    return call_of("capture/page/worker_clock.js", "startWorkerClock", EPOCH)


@dataclass(frozen=True)
class Loaded:
    """How loading a page went."""

    is_calm: bool  # Whether it loaded and its scripts came to rest in time
    driver: PageDriver | None = None  # Its driver; None if it runs no scripts, or did not load
    went_on: bool = False  # Whether it was going on by itself when it was lost (see `goes_on`)

    @property
    def goes_on(self) -> bool:
        """Whether its scripts are kept running by something other than its clock and its requests."""
        return self.went_on or (self.driver is not None and self.driver.goes_on)


def go_to(visit: Visit, address: str, settings: VisitSettings, traffic: Traffic) -> Loaded:
    """Go to an address, and let the page run until it comes to rest.

    A page that is still loading or busy after its share of the time is taken as it is.
    """
    limit = min(settings.limits.timeout * settings.load_share, visit.deadline.remaining())
    if visit.has_scripts:
        traffic.listen(visit.channel.session)
    event: Literal["commit", "load"] = "commit" if settings.limits.javascript else "load"
    loaded = Loaded(is_calm=False)
    try:
        visit.page.goto(address, wait_until=event, timeout=limit * 1000)
    except PlaywrightError as error:
        text = error.message.splitlines()[0]
        if is_late := isinstance(error, PlaywrightTimeoutError):
            text = f"no answer within {limit:.3g} seconds, the share of --design2a11y-timeout for that."
        if not is_late or (event == "commit" and not address.startswith(ORIGIN)):
            raise visit.explain() or exceptions.NavigationFailed(
                f"{address} could not be loaded: {text}",
                stage="load",
                advice="Check the address, and that its server runs.",
            ) from error
    else:
        is_driven = settings.limits.javascript
        loaded = _come_to_rest(visit, traffic, limit, settings) if is_driven else Loaded(is_calm=True)
    if not loaded.is_calm:
        visit.log.note("load_unfinished")
        for number in traffic.moving():
            visit.log.note("requests_pending", traffic.under_way[number][0].removeprefix(f"{ORIGIN}/"))
    return loaded


def _come_to_rest(visit: Visit, traffic: Traffic, seconds: float, settings: VisitSettings) -> Loaded:
    end, limits, driver = time.monotonic() + seconds, settings.limits, None
    try:
        if not visit.has_scripts:
            return Loaded(_has_loaded(visit.channel, traffic, end, _LOADS))
        clocks = Clocks(visit.channel, end, limits.max_frames)
        if not _has_loaded(visit.channel, traffic, end, _HAS_LOADED):
            return Loaded(is_calm=False)
        driver = PageDriver(visit, clocks, traffic, limits.settle * 1000, limits.max_height, seconds)
        return Loaded(driver.run(), driver)
    except exceptions.CaptureError:
        if visit.explain():
            raise
        # The page has left for another document, or tries to: what it shows is checked once it is frozen.
        return Loaded(is_calm=False, went_on=driver is not None and driver.goes_on)


def _has_loaded(channel: Channel, traffic: Traffic, end: float, function: str) -> bool:
    # Not through Playwright's load event, which does not fire if the page tries to leave meanwhile.
    place = {"frameId": traffic.main_frame, "worldName": WORLD}
    world = channel.ask("Page.createIsolatedWorld", place, seconds=end - time.monotonic())
    if world is None:
        return False
    waiting = calling(function, world["executionContextId"])
    while time.monotonic() < end:
        seconds = min(STALLED, end - time.monotonic())
        if channel.ask("Runtime.callFunctionOn", waiting, seconds=seconds) is not None:
            traffic.has_loaded = True
            return True
        if traffic.held and not traffic.moving():
            traffic.release()
    return False


@contextmanager
def checked_status(page: Page, address: str, accepted: Collection[int], log: WarningLog) -> Iterator[None]:
    """Refuse what the `with` block loads if the server answers with an error; note unbuilt scripts.

    A path other than the requested one is noted, too: often it is a login.
    """
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
        raise _refusal(address, statuses, accepted) or error from error
    finally:
        page.remove_listener("response", note)
    if refusal := _refusal(address, statuses, accepted):
        raise refusal
    if path_there.rstrip("/") != urlsplit(address).path.rstrip("/"):
        log.note("redirected", path_there)


def _refusal(url: str, statuses: list[int], accepted: Collection[int]) -> exceptions.NavigationFailed | None:
    if not statuses or statuses[-1] < HTTPStatus.BAD_REQUEST or statuses[-1] in accepted:
        return None
    known = statuses[-1] in HTTPStatus.__members__.values()
    named = f"{statuses[-1]} {HTTPStatus(statuses[-1]).phrase}" if known else str(statuses[-1])
    return exceptions.NavigationFailed(
        f"{url} answered with the error {named}.",
        stage="load",
        advice="Check the address and its server; where the error page itself is to be scored, "
        f"give -o design2a11y_accept_status={statuses[-1]}.",
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
        addresses = ", ".join(log.examples["navigations"])
        return exceptions.NavigatedAway(
            f"The page shows nothing itself: it sends its visitors on to {addresses}.",
            stage="load",
            advice="Render the page that it leads to.",
        )
    if log.counts["scripts_stopped"]:
        return exceptions.RenderTimeout(
            "A script of the page did not end, and the page shows nothing without it.",
            stage="load",
            advice="Look for a loop without an end, or allow more time with --design2a11y-timeout.",
        )
    happened = [warning.message for warning in log.warnings() if warning.code != "quirks_mode"]
    return exceptions.EmptyDocument(
        " ".join(["The page's body is empty.", *happened]),
        stage="load",
        advice="Look at what the model answered.",
    )
