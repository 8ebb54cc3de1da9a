"""Opening a document in a browser: a context of its own, load, freeze, and the end of it all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.bounded import bounded
from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.browser.pages import LOADS, PAINTS, SERVICES, BlankPage, PageOptions, Pages
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.isolation.remote import note_sockets, refusing_proxy, withhold
from pytest_design2a11y.capture.isolation.request_router import ORIGIN, RequestRouter
from pytest_design2a11y.capture.isolation.site_files import SiteFiles, content_type
from pytest_design2a11y.capture.page.events import PageEvents
from pytest_design2a11y.capture.page.frames import (
    FrameContext,
    FrozenPage,
    count_elements,
    count_frames,
    frame_tree,
    open_worlds,
)
from pytest_design2a11y.capture.page.freeze import (
    bring_to_rest,
    refuse_changing,
    refuse_moving,
    stop_scripts,
    stop_soon,
)
from pytest_design2a11y.capture.page.load import (
    Loaded,
    can_run_scripts,
    check_survey,
    checked_status,
    language_of,
    load,
    note_attempts,
    set_clock,
    worker_clock,
)
from pytest_design2a11y.capture.page.network import (
    RequestQueue,
    Traffic,
    passing_on,
    refuse_leaving,
    stored_login,
)
from pytest_design2a11y.capture.page.screenshot import page_size
from pytest_design2a11y.capture.page.steps import bring_into_state
from pytest_design2a11y.capture.page.visit import CHECKING, IMAGE_SHARE, Visit, VisitSettings, begin_visit
from pytest_design2a11y.exceptions import (
    BrowserLost,
    CaptureError,
    MemoryLimit,
    NavigatedAway,
    NavigationFailed,
    RendererCrash,
    RenderTimeout,
)
from pytest_design2a11y.javascript import function_of
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import context_options

# The same with and without a window, and on every system.
PLATFORM = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
USER_AGENT = f"{PLATFORM} Chrome/{{major}}.0.0.0 Safari/537.36"

# In which what is ASCII stands for itself alone.
PLAIN_ENCODINGS = ("UTF-8", "windows-1252")

# Seconds that closing a page may take; it takes a fraction of one even while a script runs.
CLOSING = 4.0


@contextmanager
def visiting(
    pages: Pages, document: Document, settings: VisitSettings, watchdog: Watchdog, *, may_share: bool = False
) -> Iterator[tuple[Visit, BlankPage]]:
    """Open a blank page for a document, and close it afterwards, whatever happened.

    Where it may, it shares a page and its context with others; where these could show in it, it has its own.
    """
    deadline = Deadline(settings.timeout)
    language = language_of(document.html) if may_share and _leaves_settings(document, settings) else None
    options = _page_options(pages.browser, settings, url=document.url, language=language)
    blank = pages.open(options, seconds=deadline.remaining())
    try:
        visit = begin_visit(
            pages.browser,
            blank.page,
            blank.session,
            watchdog,
            deadline=deadline,
            has_scripts=settings.javascript and can_run_scripts(document.html),
            library=blank.library,
        )
        events = PageEvents(visit)
        events.listen(blank.context)
        try:
            pages.services.note()
            yield visit, blank
        except PlaywrightError as error:
            raise visit.channel.meaning("a command", error) from error
        except RenderTimeout as error:
            if names := visit.log.examples.get("requests_pending"):
                message = f"{error.what} It still waited for {', '.join(names)}."
                advice = "Look why that is not answered, or allow more time with --design2a11y-timeout."
                raise RenderTimeout(message, stage=error.stage, advice=advice) from error
            raise
    except BaseException as error:
        if _close(blank, pages, watchdog):
            # The next page would get events for losing them.
            watchdog.end_browser()
        is_used = blank.num_visits or (may_share and isinstance(error, MemoryLimit) and pages.shared)
        if isinstance(error, (MemoryLimit, NavigationFailed, RendererCrash)) and is_used:
            raise BrowserLost("The renderer that had shown other pages ended.", stage=error.stage) from error
        raise
    spent: BlankPage | None = blank
    if language is not None and _leaves_nothing(visit):
        events.stop(blank.context)
        spent = pages.keep(blank)
    lost = _close(spent, pages, watchdog)
    # Without scripts there is nothing to see that is not painted anew.
    for service in (LOADS, PAINTS) if visit.has_scripts else (LOADS,):
        if service in lost:
            raise BrowserLost(f"{SERVICES[service]} ended during the capture.", stage="screenshot")


def _leaves_settings(document: Document, settings: VisitSettings) -> bool:
    """Whether a visit leaves its page as it found it, by how it looks at it, and loads what it shows."""
    viewport, state = settings.viewport, settings.state
    is_plain = viewport.media == "screen" and viewport.scale == 1 and not viewport.mobile
    # To a fragment of the address that it shows, a browser goes without loading anything.
    has_fragment = document.site is not None and "#" in document.site.address
    return settings.javascript and is_plain and not state.steps and not has_fragment


def _leaves_nothing(visit: Visit) -> bool:
    """Whether a page tried nothing, was given nothing that could show in the next one, and is done."""
    log = visit.log
    kinds = {content_type(PurePosixPath(urlsplit(address).path)) for address in log.served}
    is_plain = all(kind.startswith(("image/", "font/")) and "svg" not in kind for kind in kinds)
    # What was not painted or checked in its share of the time goes on; a taller window leaves another screen.
    is_done = visit.deadline.remaining() > max(visit.deadline.seconds * IMAGE_SHARE, CHECKING)
    left = log.counts.keys() & {"navigations", "popups", "downloads", "page_clipped"}
    return log.is_repeatable and is_plain and is_done and not left


def _page_options(
    browser: Browser, settings: VisitSettings, *, url: str | None, language: str | None
) -> PageOptions:
    limits = settings.limits
    refused: dict[str, Any] = {"offline": True, "proxy": refusing_proxy()}
    context = {
        "user_agent": USER_AGENT.format(major=browser.version.split(".")[0]),
        **context_options(settings.viewport),
        "java_script_enabled": settings.javascript,
        "service_workers": "block",
        "accept_downloads": False,
        "permissions": [],
        **(refused if url is None else stored_login(limits, url)),
    }
    is_answered = url is None or settings.javascript or bool(settings.state.steps or limits.header)
    return PageOptions(context, is_answered, language)


def _close(blank: BlankPage | None, pages: Pages, watchdog: Watchdog) -> Collection[str]:
    """Close a page, where there is one, and return what its browser has lost meanwhile.

    A browser that cannot even do that is ended, and the next page gets another.
    """
    asked = pages.services.ask()
    try:
        if blank is not None:
            bounded(blank.context.close, browser=pages.browser, seconds=CLOSING)
    except TimeoutError:
        watchdog.end_browser()
    except PlaywrightError:
        pass
    return pages.services.lost(asked)


def arrive(
    visit: Visit, blank: BlankPage, document: Document, settings: VisitSettings
) -> tuple[Loaded, RequestRouter]:
    """Load a document, and let its scripts go on, by the page's own clock."""
    if visit.has_scripts:
        set_clock(visit.channel)
    if settings.viewport.media != "screen":
        # What Playwright's emulate_media says of a page is forgotten where that goes to an address.
        visit.channel.send("Emulation.setEmulatedMedia", {"media": settings.viewport.media})
    stop = partial(stop_soon, visit)
    site = SiteFiles(document)
    router = RequestRouter(
        visit.page.main_frame, site, settings.remote, visit.log, stop, has_scripts=visit.has_scripts
    )
    is_hermetic = document.html is not None
    answer = router.answer if is_hermetic else passing_on(settings.limits, document.url or "")
    request_queue = RequestQueue(
        answer,
        worker_clock(),
        is_open=not visit.has_scripts,
        flooded=visit.end.end_flood,
        is_over=visit.deadline.is_over,
    )
    if is_hermetic and visit.has_scripts:
        withhold(visit.channel)
        note_sockets(visit.page, visit.channel, visit.log)
    blank.answer = request_queue.arrive
    address = document.url or router.address
    # Of a document the answers are ours, and to hear of each of them costs.
    checked = (
        nullcontext()
        if is_hermetic
        else checked_status(visit.page, address, document.accept_status, visit.log)
    )
    with checked:
        loaded = load(visit, address, settings, Traffic(request_queue, blank.main_frame))
    settings.limits.check_frames(len(visit.page.frames))
    return loaded, router


def frozen(visit: Visit, blank: BlankPage, document: Document, settings: VisitSettings) -> FrozenPage:
    """Load a document, bring it into its state, and stop it for good."""
    channel, limits = visit.channel, settings.limits
    is_hermetic = document.html is not None
    with _told_if_replaced(visit, document):
        loaded, router = arrive(visit, blank, document, settings)
        if not is_hermetic and settings.state.steps and blank.answer is not None:
            blank.answer = refuse_leaving(blank.answer, visit.page.main_frame, visit.log)
        bring_into_state(visit, loaded.driver, settings.state, seconds=limits.settle)
        if is_hermetic and loaded.goes_on:
            refuse_changing(visit)
        stop_scripts(visit, is_calm=loaded.is_calm)
        with channel.deadline.during("freeze"):
            tree = frame_tree(channel)
            if is_hermetic:
                _check_address(tree["frame"]["url"])
            limits.check_frames(count_frames(tree))
            worlds = open_worlds(channel, tree)
            surveys = [_restored(world, visit) for world in worlds]
            limits.check_nodes(sum(survey["nodes"] for survey in surveys))
            may_hide_roots = visit.has_scripts or _may_declare_roots(document, surveys)
            if may_hide_roots:
                limits.check_nodes(count_elements(channel, above=limits.max_nodes))
            check_survey(surveys[0], visit.log)
            for survey in surveys:
                note_attempts(survey, visit.log)
            restless = bring_to_rest(worlds, visit.log, has_scripts=visit.has_scripts)
            refuse_moving(restless, visit.log)
            size = page_size(channel, settings.viewport.width, limits, visit.log)
    # A page loaded from its own address is let through to any host.
    hosts = settings.remote.conditions if is_hermetic else limits.login
    clock = {"settle": limits.settle} if settings.javascript else {}
    own = {**settings.state.conditions, **limits.conditions}
    conditions = {"javascript": settings.javascript, **clock, **hosts, **own}
    unserved = visit.log.unserved
    router.stop_noting()
    return FrozenPage(
        worlds, size, settings.viewport, channel, conditions, unserved, restless, may_hide_roots
    )


@contextmanager
def _told_if_replaced(visit: Visit, document: Document) -> Iterator[None]:
    """A page that leaves between two commands makes the second one fail, in many ways: say that it left."""
    try:
        yield
    except CaptureError:
        tree = None
        if document.html is not None and visit.end.explain() is None:
            with suppress(CaptureError):
                tree = frame_tree(visit.channel)
        if tree is not None:
            _check_address(tree["frame"]["url"])
        raise


def _restored(world: FrameContext, visit: Visit) -> dict[str, Any]:
    """Take back what would make a frame read otherwise than it is; return what survey.js found in it."""
    restore = function_of("capture/page/restore.js", "restoreAndSurvey")
    names, found = world.call(restore, visit.has_scripts)
    for name in names:
        visit.log.note("shadowing_names", name)
    return dict(found)


def _may_declare_roots(document: Document, surveys: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a page's markup may hold shadow roots: it contains a certain word, or is not all readable."""
    if document.html is None or len(surveys) > 1 or surveys[0]["encoding"] not in PLAIN_ENCODINGS:
        return True
    return b"shadowroot" in document.html.lower()


def _check_address(address: str) -> None:
    if not address.startswith(ORIGIN):
        raise NavigatedAway(
            f"The page replaced itself by {address}.",
            stage="freeze",
            advice="Remove the script or link that leaves the page.",
        )
