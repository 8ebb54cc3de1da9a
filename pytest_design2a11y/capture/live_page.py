"""A page that a test has open: read as it stands, and left as it was.

Its scripts are the user's own and cannot be stopped safely, so it is not frozen: a second screenshot checks
afterwards that nothing moved.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from playwright.sync_api import CDPSession, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.channel import Channel, Deadline, frame_tree, frames_of
from pytest_design2a11y.capture.browser.launch import build_of, is_sandboxed
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.limits import LOAD_SHARE, STANDARD_LIMITS, CaptureLimits
from pytest_design2a11y.capture.mask import cut_out
from pytest_design2a11y.capture.page import frames
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.capture.page.load import wait_for_shown
from pytest_design2a11y.capture.page.refusals import check_survey
from pytest_design2a11y.capture.page.screenshot import captured_extent
from pytest_design2a11y.capture.page.visit import Visit
from pytest_design2a11y.capture.read_page import PageReader, empty_capture
from pytest_design2a11y.capture.renderer import STANDARD_ENGINES
from pytest_design2a11y.exceptions import CaptureError, ConfigurationError
from pytest_design2a11y.extending import AuditEngine
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Role, Unseen
from pytest_design2a11y.models.viewport import AS_LOADED, PageState, Viewport

# The window size as the page itself sees it.
_SIZE = "() => ({ width: innerWidth, height: innerHeight })"
_PREFERENCES = """() => ({
  scale: devicePixelRatio,
  touch: navigator.maxTouchPoints > 0,
  scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  forced_colors: matchMedia("(forced-colors: active)").matches ? "active" : "none",
  motion: matchMedia("(prefers-reduced-motion: reduce)").matches ? "reduce" : "no-preference",
  media: matchMedia("print").matches ? "print" : "screen",
  locale: navigator.language,
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
})"""

_ADVICE = {
    "Frame": "Render its page: render(frame.page).",
    "BrowserContext": "Render one of its pages.",
    "bytes": "Write render(html=data.decode()), or name the file.",
}

#: Builds a CSS selector from an element's position; null if it is not in the document itself.
_PATH = """(element) => {
  if (window !== window.top || element.getRootNode() !== document) return null;
  const number = (node) => [...node.parentNode.children].indexOf(node) + 1;
  const path = [];
  for (let node = element; node; node = node.parentElement)
    path.unshift(`${CSS.escape(node.localName)}:nth-child(${number(node)})`);
  return path.join(" > ");
}"""
#: What tells of the window's scrolling.
_SCROLLED = ("window", "document")
# Milliseconds to wait for an element to be present.
_PRESENT = 5000


@contextmanager
def open_live(
    page: Page, limits: CaptureLimits, state: PageState = AS_LOADED
) -> Iterator[tuple[Visit, FrozenPage]]:
    """Attach to a test's page, and detach afterwards."""
    deadline = Deadline(limits.timeout)
    browser = page.context.browser
    if page.is_closed() or browser is None:
        advice = "Capture it before the test closes it."
        raise CaptureError("The page is closed.", stage="load", advice=advice)
    session = page.context.new_cdp_session(page)
    visit = Visit(browser, page, session, Watchdog(None, 0), deadline)
    sessions = [session]
    try:
        if state.wait_for is not None:
            wait_for_shown(page, state.wait_for, seconds=LOAD_SHARE * limits.timeout)
        worlds = [*_worlds(visit, limits), *_foreign_worlds(visit, sessions)]
        window = page.viewport_size or worlds[0].call(_SIZE)
        preferences = worlds[0].call(_PREFERENCES)
        preferences["scale"] = float(preferences["scale"])
        viewport = Viewport(window["width"], window["height"], **preferences)
        extent = captured_extent(visit.channel, viewport.width, limits, visit.log)
        heeds = _heeds_scrolling(visit.channel)
        unread = worlds[0].run("capture/page/scroll_parts.js", "findUnread", heeds)
        conditions = {**state.conditions, **limits.conditions}
        placed = frames.placed(worlds, extent.origin)
        yield (
            visit,
            FrozenPage(
                placed,
                extent.size,
                viewport,
                visit.channel,
                conditions,
                start=extent.start,
                whole=extent.whole,
                scrolled=tuple(Unseen("", tuple(part), tuple(part), is_read=False) for part in unread),
            ),
        )
    except PlaywrightError as error:
        raise visit.channel.meaning("a command", error) from error
    finally:
        for session in sessions:
            with suppress(PlaywrightError):
                session.detach()


def _heeds_scrolling(channel: Channel) -> bool:
    """Return whether a script of the page listens to the scrolling of its window."""
    found = (channel.send("Runtime.evaluate", {"expression": name})["result"] for name in _SCROLLED)
    known = [channel.send("DOMDebugger.getEventListeners", {"objectId": one["objectId"]}) for one in found]
    return any(listener["type"] == "scroll" for each in known for listener in each["listeners"])


def _worlds(visit: Visit, limits: CaptureLimits) -> list[FrameContext]:
    tree = frame_tree(visit.channel)
    limits.check_frames(sum(1 for _ in frames_of(tree)))
    worlds = frames.open_worlds(visit.channel, tree)
    surveys = [world.run("capture/page/survey.js", "survey") for world in worlds]
    limits.check_nodes(sum(survey["nodes"] for survey in surveys))
    check_survey(surveys[0], visit.log)
    return worlds


def _foreign_worlds(visit: Visit, sessions: list[CDPSession]) -> Iterator[FrameContext]:
    """Open the worlds of frames that other processes render."""
    for frame in visit.page.frames[1:]:
        try:
            session = visit.page.context.new_cdp_session(frame)
        except PlaywrightError:  # the frame is in its parent's process
            continue
        sessions.append(session)
        worlds = frames.open_foreign_worlds(visit.channel, replace(visit.channel, session=session))
        if not worlds:
            visit.log.note("iframes_skipped")
        yield from worlds


def capture_page(
    page: Page,
    *,
    role: Role,
    audit: AuditChoice | None,
    engines: Sequence[AuditEngine] = STANDARD_ENGINES,
    limits: CaptureLimits = STANDARD_LIMITS,
    finds_pictures: bool = False,
    state: PageState = AS_LOADED,
) -> Capture:
    """Read everything from a page that a test has open, as it stands, and leave it as it was."""
    with open_live(page, limits, state) as (visit, frozen):
        reader = PageReader(audit, engines, finds_pictures=finds_pictures, mask=state.mask, part=state.part)
        browser = visit.browser
        empty = empty_capture(page.url, role, build=build_of(browser), has_sandbox=is_sandboxed(browser))
        contents = reader.read_live(visit, frozen, empty)
        return cut_out(replace(contents.capture, files={}), contents.part_box)


def is_locator(source: object) -> bool:
    """Return whether something is a locator of Playwright."""
    return type(source).__name__ == "Locator" and type(source).__module__.startswith("playwright.")


def path_of(locator: Any) -> str:
    """Return a CSS selector of the one element that a locator finds now."""
    try:
        path: str | None = locator.evaluate(_PATH, timeout=_PRESENT)
    except PlaywrightError as error:
        raise ConfigurationError(
            f"The locator does not find one element: {error.message.splitlines()[0]}",
            advice="Give one that finds a single element of the page, such as page.locator('main').",
        ) from None
    if path is None:
        raise ConfigurationError(
            "The locator's element lies in a frame or in a shadow root, of which no part can be captured.",
            advice="Give the element around it, or render the frame's address by itself.",
        )
    return path


def require_page(source: object) -> Page:
    """Return a page of the sync API as such; raise an error for anything else."""
    if isinstance(source, Page):
        return source
    if type(source).__module__.startswith("playwright.async_api"):
        raise ConfigurationError(
            "The page is one of Playwright's async API.",
            advice="Give its address, or render(html=await page.content()).",
        )
    name = type(source).__name__
    raise ConfigurationError(
        f"render takes a path, a URL, HTML text or a live page of Playwright, not {name}.",
        advice=_ADVICE.get(name, "Name a file or a URL, or give HTML text."),
    )
