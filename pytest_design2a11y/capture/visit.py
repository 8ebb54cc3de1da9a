"""One visit to one page: a context of its own, load, freeze, and the end of it all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Dialog, Page
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.frames import WORLD, count_frames, frame_tree, open_worlds
from pytest_design2a11y.capture.freezing import bring_to_rest, stop_scripts
from pytest_design2a11y.capture.hosts import HostClient
from pytest_design2a11y.capture.isolation import ADDRESS, DEAD_PROXY, ORIGIN, Gate
from pytest_design2a11y.capture.journal import Journal
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.screenshot import page_size
from pytest_design2a11y.capture.scripts import script
from pytest_design2a11y.capture.shape import check_shape
from pytest_design2a11y.capture.world import Channel, Deadline, FrozenPage
from pytest_design2a11y.exceptions import (
    BrowserLost,
    CaptureError,
    NavigatedAway,
    NavigationFailed,
    RendererCrash,
)
from pytest_design2a11y.models import Document

EPOCH = 1_704_110_400_000  # 2024-01-01T12:00:00Z
HORIZON = 1_000
REAL_LIMIT = 2_000


@dataclass(frozen=True)
class VisitSettings:
    """What a visit needs to know; see `Renderer`."""

    timeout: float
    hosts: HostClient
    javascript: bool
    viewport: tuple[int, int]
    limits: CaptureLimits


@dataclass
class Visit:
    """A page that is open.

    Attributes:
        frozen: What the reading steps get; set once the page is frozen.
        journal: What happened on it.
        channel: Its protocol session.
        restless: Kinds of content that may still move.
        has_crashed: Whether its renderer ended.
    """

    journal: Journal
    deadline: Deadline
    browser: Browser
    page: Page
    channel: Channel = field(init=False)
    frozen: FrozenPage = field(init=False)
    restless: set[str] = field(default_factory=set)
    has_crashed: bool = False

    def explain(self) -> CaptureError | None:
        """Say what a failed command means, where more is known than that it failed."""
        if not self.browser.is_connected():
            return BrowserLost("The browser ended during the capture.", stage=self.deadline.stage)
        if self.has_crashed:
            return RendererCrash(
                "The page brought its renderer process down.",
                stage=self.deadline.stage,
                advice="Look for endless nesting or recursion in its layout.",
            )
        return None


@contextmanager
def visit_document(browser: Browser, document: Document, settings: VisitSettings) -> Iterator[Visit]:
    """Open a document in a context of its own, frozen; close it afterwards.

    Raises:
        CaptureError: The page cannot be loaded or frozen.
        SourceError: It turns out to be no page.
    """
    journal, deadline = Journal(), Deadline(settings.timeout)
    try:
        context = browser.new_context(
            **_context_options(settings, browser, is_hermetic=document.html is not None)
        )
    except PlaywrightError as error:
        raise BrowserLost(f"The browser does not open a page: {error.message}", stage="launch") from error
    try:
        visit = _open(browser, context, document, settings, journal, deadline)
        yield visit
    except PlaywrightError as error:
        raise _unexpected(browser, error, deadline) from error
    finally:
        with suppress(PlaywrightError):
            context.close()


def _unexpected(browser: Browser, error: PlaywrightError, deadline: Deadline) -> CaptureError:
    if not browser.is_connected():
        return BrowserLost("The browser ended during the capture.", stage=deadline.stage)
    if isinstance(error, PlaywrightTimeoutError):
        return deadline.exceeded()
    return CaptureError(f"The browser failed: {error.message}", stage=deadline.stage)


def _context_options(settings: VisitSettings, browser: Browser, *, is_hermetic: bool) -> dict[str, Any]:
    width, height = settings.viewport
    network = {"offline": True, "proxy": DEAD_PROXY} if is_hermetic else {}
    return {
        "viewport": {"width": width, "height": height},
        "device_scale_factor": 1,
        "java_script_enabled": settings.javascript,
        "service_workers": "block",
        "accept_downloads": False,
        "reduced_motion": "reduce",
        "color_scheme": "light",
        "locale": "en-US",
        "timezone_id": "UTC",
        "permissions": [],
        **network,
    }


def _open(
    browser: Browser,
    context: BrowserContext,
    document: Document,
    settings: VisitSettings,
    journal: Journal,
    deadline: Deadline,
) -> Visit:
    if document.html is not None:
        folder = Path(document.folder) if document.folder else None
        Gate(document.html, folder, settings.hosts, journal).guard(context)
    page = context.new_page()
    visit = Visit(journal, deadline, browser, page)
    visit.channel = Channel(context.new_cdp_session(page), deadline, visit.explain)
    _listen(visit, context)
    _prepare(visit.channel, settings)
    _load(visit, document.url or ADDRESS, settings)
    stop_scripts(visit.channel, journal)
    _freeze(visit, settings, is_hermetic=document.html is not None)
    return visit


def _listen(visit: Visit, context: BrowserContext) -> None:
    page, journal = visit.page, visit.journal

    def crashed(_: Page) -> None:
        visit.has_crashed = True

    def opened(popup: Page) -> None:
        if popup is not page:
            journal.note("popups")
            with suppress(PlaywrightError):
                popup.close()

    def answered(dialog: Dialog) -> None:
        journal.note("dialogs", dialog.type)
        with suppress(PlaywrightError):
            dialog.dismiss()

    page.on("crash", crashed)
    page.on("dialog", answered)
    page.on("download", lambda _: journal.note("downloads"))
    page.on("pageerror", lambda error: journal.note("js_errors", str(error.message)))
    context.on("page", opened)


def _prepare(channel: Channel, settings: VisitSettings) -> None:
    channel.send("Animation.enable")
    channel.send("Animation.setPlaybackRate", {"playbackRate": 0})
    if settings.javascript:
        channel.send("Page.enable")
        watch = {"source": script("watch.js"), "worldName": WORLD}
        channel.send("Page.addScriptToEvaluateOnNewDocument", watch)
        choices = f'{{epoch: {EPOCH}, horizon: {HORIZON}, realLimit: {REAL_LIMIT}, finished: "{WORLD}-clock-ended"}}'
        clock = {"source": f"({script('clock.js')})({choices})"}
        channel.send("Page.addScriptToEvaluateOnNewDocument", clock)


def _load(visit: Visit, address: str, settings: VisitSettings) -> None:
    limit = min(settings.timeout / 3, visit.deadline.remaining()) * 1000
    try:
        visit.page.goto(address, wait_until="load", timeout=limit)
    except PlaywrightTimeoutError:
        visit.journal.note("load_unfinished")
    except PlaywrightError as error:
        raise visit.explain() or NavigationFailed(
            f"{address} could not be loaded: {error.message.splitlines()[0]}",
            stage="load",
            advice="Check the address, and that its server runs.",
        ) from error


def _freeze(visit: Visit, settings: VisitSettings, *, is_hermetic: bool) -> None:
    channel, limits = visit.channel, settings.limits
    with channel.deadline.during("freeze"):
        tree = frame_tree(channel)
        if is_hermetic and not tree["frame"]["url"].startswith(ORIGIN):
            raise NavigatedAway(
                f"The page replaced itself by {tree['frame']['url']}.",
                stage="freeze",
                advice="Remove the script or link that leaves the page.",
            )
        limits.check_frames(count_frames(tree))
        worlds = open_worlds(channel, tree)
        surveys = [world.call(script("survey.js")) for world in worlds]
        limits.check_nodes(sum(survey["nodes"] for survey in surveys))
        check_shape(surveys[0], visit.journal)
        visit.restless = bring_to_rest(worlds)
        size = page_size(channel, settings.viewport[0], limits.max_height, visit.journal)
    visit.frozen = FrozenPage(worlds, size, settings.viewport, channel)
