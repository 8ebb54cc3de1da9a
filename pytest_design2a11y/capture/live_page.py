"""A page that a test has open: read as it stands, and left as it was.

Its scripts are the user's own and cannot be stopped without harm, so it is not frozen: that it held still is
checked afterwards by a second screenshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from playwright.sync_api import CDPSession, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.audit.engine import AuditEngine
from pytest_design2a11y.capture.browser.launch import build_of, is_sandboxed
from pytest_design2a11y.capture.browser.watchdog import Watchdog
from pytest_design2a11y.capture.limits import STANDARD_LIMITS, CaptureLimits
from pytest_design2a11y.capture.mask import cut_out
from pytest_design2a11y.capture.page.frame_context import Deadline, FrameContext, FrozenPage
from pytest_design2a11y.capture.page.frames import count_frames, frame_tree, open_foreign_worlds, open_worlds
from pytest_design2a11y.capture.page.screenshot import page_size
from pytest_design2a11y.capture.page.steps import wait_for_shown
from pytest_design2a11y.capture.page.survey import check_survey
from pytest_design2a11y.capture.page.visit import LOAD_SHARE, Visit, begin_visit
from pytest_design2a11y.capture.read_page import Reader, empty_capture
from pytest_design2a11y.capture.renderer import STANDARD_ENGINES
from pytest_design2a11y.capture.scripts import tree_function
from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Role
from pytest_design2a11y.models.page_state import AS_LOADED, PageState
from pytest_design2a11y.models.viewport import Viewport

# The window as the page itself sees it, whoever set it up.
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


@contextmanager
def open_live(
    page: Page, limits: CaptureLimits, state: PageState = AS_LOADED
) -> Iterator[tuple[Visit, FrozenPage]]:
    """Attach to a test's page, and detach afterwards."""
    deadline = Deadline(limits.timeout)
    browser = page.context.browser
    if page.is_closed() or browser is None:
        raise CaptureError(
            "The page is closed.", stage="load", advice="Capture it before the test closes it."
        )
    session = page.context.new_cdp_session(page)
    visit = begin_visit(browser, page, session, Watchdog(None, 0), deadline=deadline)
    sessions = [session]
    try:
        if state.wait_for is not None:
            wait_for_shown(page, state.wait_for, seconds=LOAD_SHARE * limits.timeout)
        worlds = [*_worlds(visit, limits), *_foreign_worlds(visit, sessions)]
        window = page.viewport_size or worlds[0].call(_SIZE)
        told = worlds[0].call(_PREFERENCES)
        told["scale"] = float(told["scale"])
        viewport = Viewport(window["width"], window["height"], **told)
        size = page_size(visit.channel, viewport.width, limits, visit.log)
        conditions = {**state.conditions, **limits.conditions}
        yield visit, FrozenPage(worlds, size, viewport, visit.channel, conditions)
    except PlaywrightError as error:
        raise visit.channel.meaning("a command", error) from error
    finally:
        for session in sessions:
            with suppress(PlaywrightError):
                session.detach()


def _worlds(visit: Visit, limits: CaptureLimits) -> tuple[FrameContext, ...]:
    tree = frame_tree(visit.channel)
    limits.check_frames(count_frames(tree))
    worlds = open_worlds(visit.channel, tree)
    surveys = [world.call(tree_function(f"{__package__}.page", "survey.js")) for world in worlds]
    limits.check_nodes(sum(survey["nodes"] for survey in surveys))
    check_survey(surveys[0], visit.log)
    return worlds


def _foreign_worlds(visit: Visit, sessions: list[CDPSession]) -> Iterator[FrameContext]:
    """Open the worlds of frames that other processes render."""
    for frame in visit.page.frames[1:]:
        try:
            session = visit.page.context.new_cdp_session(frame)
        except PlaywrightError:  # the frame lives in its parent's process
            continue
        sessions.append(session)
        worlds = open_foreign_worlds(visit.channel, replace(visit.channel, session=session))
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
        reader = Reader(audit, engines, finds_pictures=finds_pictures, mask=state.mask, part=state.part)
        browser = visit.end.browser
        empty = empty_capture(page.url, role, build=build_of(browser), has_sandbox=is_sandboxed(browser))
        contents = reader.read_live(visit, frozen, empty)
        return cut_out(replace(contents.capture, files={}), contents.part_box)
