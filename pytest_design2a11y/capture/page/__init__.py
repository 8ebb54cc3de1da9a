"""Open a document in a browser: create its context, load it, freeze it, and end it."""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.bounded import bounded
from pytest_design2a11y.capture.browser.channel import Deadline, frame_tree, frames_of
from pytest_design2a11y.capture.browser.pages import LOADS, PAINTS, SERVICES, BlankPage, PageOptions, PagePool
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.clock import set_clock, worker_clock
from pytest_design2a11y.capture.isolation.remote import note_sockets, refusing_proxy
from pytest_design2a11y.capture.isolation.request_router import ORIGIN, RequestRouter
from pytest_design2a11y.capture.isolation.site_files import SiteFiles, content_type
from pytest_design2a11y.capture.page import frames, freeze, load, markup, network, refusals
from pytest_design2a11y.capture.page.load import bring_into_state
from pytest_design2a11y.capture.page.screenshot import captured_extent
from pytest_design2a11y.capture.page.snapshot import count_elements
from pytest_design2a11y.capture.page.visit import CHECKING, IMAGE_SHARE, PageEvents, Visit, VisitSettings
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import context_options
from pytest_design2a11y.wording import flag

# The same with and without a window, and on every system.
PLATFORM = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
USER_AGENT = f"{PLATFORM} Chrome/{{major}}.0.0.0 Safari/537.36"

# Encodings in which ASCII bytes always stand for themselves.
PLAIN_ENCODINGS = ("UTF-8", "windows-1252")

# Errors that may be caused by pages that the renderer showed before.
_OF_OTHERS = (exceptions.MemoryLimit, exceptions.NavigationFailed, exceptions.RendererCrash)

# Seconds that closing a page may take; it takes a fraction of one even while a script runs.
CLOSING = 4.0


@contextmanager
def visiting(
    pages: PagePool,
    document: Document,
    settings: VisitSettings,
    watchdog: Watchdog,
    *,
    may_share: bool = False,
) -> Iterator[tuple[Visit, BlankPage]]:
    """Open a blank page for a document, shared with others if that cannot show, and close it afterwards."""
    browser, deadline = pages.browser, Deadline(settings.limits.timeout)
    language = (
        markup.language_of(document.html) if may_share and _leaves_settings(document, settings) else None
    )
    options = _page_options(browser, settings, url=document.url, language=language)
    blank = pages.open(options, seconds=deadline.remaining())
    try:
        can_run = settings.limits.javascript and markup.can_run_scripts(document.html)
        visit = Visit(browser, blank.page, blank.session, watchdog, deadline, blank.library, can_run)
        events = PageEvents(visit)
        events.listen(blank.context)
        try:
            pages.services.note()
            yield visit, blank
        except PlaywrightError as error:
            raise visit.channel.meaning("a command", error) from error
        except exceptions.RenderTimeout as error:
            if names := visit.log.named("requests_pending"):
                message = f"{error.what} It still waited for {names}."
                advice = f"Look why that is not answered, or allow more time with {flag('timeout')}."
                raise exceptions.RenderTimeout(message, stage=error.stage, advice=advice) from error
            raise
    except BaseException as error:
        if _close(blank, pages, watchdog):
            # The next page would otherwise get the events of that loss.
            watchdog.end_browser()
        is_full = isinstance(error, exceptions.MemoryLimit)
        if isinstance(error, _OF_OTHERS) and (blank.num_visits or (may_share and is_full and pages.shared)):
            message = "The renderer that had shown other pages ended."
            raise exceptions.BrowserLost(message, stage=error.stage) from error
        raise
    spent: BlankPage | None = blank
    if language is not None and _leaves_nothing(visit):
        events.stop(blank.context)
        spent = pages.keep(blank)
    lost = _close(spent, pages, watchdog)
    # Without scripts, everything visible is painted anew.
    for service in (LOADS, PAINTS) if visit.has_scripts else (LOADS,):
        if service in lost:
            raise exceptions.BrowserLost(f"{SERVICES[service]} ended during the capture.", stage="screenshot")


def _leaves_settings(document: Document, settings: VisitSettings) -> bool:
    """Return whether a visit leaves its page's settings unchanged, and actually loads its document."""
    viewport, state = settings.viewport, settings.state
    is_plain = viewport.media == "screen" and viewport.scale == 1 and not viewport.mobile
    # For a mere fragment of the current address, a browser loads nothing.
    has_fragment = document.site is not None and "#" in document.site.address
    return settings.limits.javascript and is_plain and not state.steps and not has_fragment


def _leaves_nothing(visit: Visit) -> bool:
    """Return whether a page attempted nothing, got nothing that could show in the next one, and is done."""
    log = visit.log
    kinds = {content_type(PurePosixPath(urlsplit(address).path)) for address in log.served}
    is_plain = all(kind.startswith(("image/", "font/")) and "svg" not in kind for kind in kinds)
    # Unfinished painting or checking goes on; a taller window leaves another screen size behind.
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
        "java_script_enabled": limits.javascript,
        "service_workers": "block",
        "accept_downloads": False,
        "permissions": [],
        **(refused if url is None else network.stored_login(limits, url)),
    }
    is_answered = url is None or limits.javascript or bool(settings.state.steps or limits.header)
    return PageOptions(context, is_answered, language)


def _close(blank: BlankPage | None, pages: PagePool, watchdog: Watchdog) -> Collection[str]:
    """Close a page, if any, and return what its browser has lost; kill a browser that cannot close it."""
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
) -> tuple[load.Loaded, RequestRouter]:
    """Load a document, and let its scripts run by the page's own clock."""
    is_hermetic = document.html is not None
    if visit.has_scripts:
        set_clock(visit.channel, is_hermetic=is_hermetic)
    if settings.viewport.media != "screen":
        # Playwright's emulate_media setting is lost when the page goes to an address.
        visit.channel.send("Emulation.setEmulatedMedia", {"media": settings.viewport.media})
    frame, site = visit.page.main_frame, SiteFiles(document)
    router = RequestRouter(
        frame, site, settings.remote, visit.log, visit.stop_soon, has_scripts=visit.has_scripts
    )
    answer = router.answer if is_hermetic else network.passing_on(settings.limits, document.url or "")
    traffic = network.Traffic(
        answer,
        blank.main_frame,
        worker_clock(),
        is_open=not visit.has_scripts,
        flooded=visit.end_flood,
        is_over=visit.deadline.is_over,
    )
    if is_hermetic and visit.has_scripts:
        note_sockets(visit.page, visit.channel, visit.log)
    blank.answer = traffic.arrive
    address = document.url or router.address
    # For documents, all answers are our own, and listening to each costs time.
    with ExitStack() as stack:
        if not is_hermetic:
            stack.enter_context(refusals.checked_status(visit.page, address, visit.log))
        loaded = load.go_to(visit, address, settings, traffic)
    settings.limits.check_frames(len(visit.page.frames))
    return loaded, router


def frozen(visit: Visit, blank: BlankPage, document: Document, settings: VisitSettings) -> frames.FrozenPage:
    """Load a document, bring it into its state, and freeze it."""
    channel, limits = visit.channel, settings.limits
    is_hermetic = document.html is not None
    with _noticing_replacement(visit, document):
        loaded, router = arrive(visit, blank, document, settings)
        if not is_hermetic and settings.state.steps and blank.answer is not None:
            blank.answer = network.refuse_leaving(blank.answer, visit.page.main_frame, visit.log)
        bring_into_state(visit, loaded.driver, settings.state, seconds=limits.settle)
        scrolled = loaded.driver.scroll_parts() if loaded.is_calm and loaded.driver else ()
        if is_hermetic and loaded.goes_on:
            freeze.refuse_changing(visit)
        freeze.stop_scripts(visit, is_calm=loaded.is_calm)
        with channel.deadline.during("freeze"):
            tree = frame_tree(channel)
            if is_hermetic:
                _check_address(tree["frame"]["url"])
            limits.check_frames(sum(1 for _ in frames_of(tree)))
            worlds = frames.open_worlds(channel, tree)
            # First of all, undo what would make a frame read differently from what it is.
            restore = "capture/page/survey.js", "restoreAndSurvey"
            surveys = [world.run(*restore, visit.has_scripts) for world in worlds]
            for name in chain.from_iterable(survey["hiding"] for survey in surveys):
                visit.log.note("shadowing_names", name)
            limits.check_nodes(sum(survey["nodes"] for survey in surveys))
            # Markup may contain shadow roots if it has a certain word, or cannot be read completely.
            html, is_plain = document.html or b"", surveys[0]["encoding"] in PLAIN_ENCODINGS
            is_readable = is_hermetic and len(surveys) == 1 and is_plain
            if visit.has_scripts or not is_readable or b"shadowroot" in html.lower():
                limits.check_nodes(count_elements(channel, above=limits.max_nodes))
            refusals.check_survey(surveys[0], visit.log)
            for survey in surveys:
                refusals.note_attempts(survey, visit.log)
            restless = freeze.bring_to_rest(worlds, visit.log, has_scripts=visit.has_scripts)
            unserved = frozenset(visit.log.asked.keys() - visit.log.served)
            refused = sorted(address for address in unserved if not address.startswith(ORIGIN))
            if is_hermetic and refused:
                for world in worlds:
                    world.run("capture/page/keep_boxes.js", "keepBoxes", refused)
            extent = captured_extent(channel, settings.viewport.width, limits, visit.log)
    # A page loaded from its own address may reach any host.
    hosts = settings.remote.conditions if is_hermetic else limits.login
    clock = {"settle": limits.settle} if limits.javascript else {}
    chosen = {**settings.state.conditions, **limits.conditions}
    conditions = {"javascript": limits.javascript, **clock, **hosts, **chosen}
    router.stop_noting()
    return frames.FrozenPage(
        frames.placed(worlds, extent.origin),
        extent.size,
        settings.viewport,
        channel,
        conditions,
        unserved,
        restless,
        extent.start,
        extent.whole,
        scrolled,
    )


@contextmanager
def _noticing_replacement(visit: Visit, document: Document) -> Iterator[None]:
    """Raise NavigatedAway if a command fails because the page has left, which can show in many ways."""
    try:
        yield
    except exceptions.CaptureError:
        tree = None
        if document.html is not None and visit.explain() is None:
            with suppress(exceptions.CaptureError):
                tree = frame_tree(visit.channel)
        if tree is not None:
            _check_address(tree["frame"]["url"])
        raise


def _check_address(address: str) -> None:
    if not address.startswith(ORIGIN):
        raise exceptions.NavigatedAway(
            f"The page replaced itself by {address}.",
            stage="freeze",
            advice="Remove the script or link that leaves the page.",
        )
