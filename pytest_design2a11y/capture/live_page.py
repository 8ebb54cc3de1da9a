"""From a page that a test has open to a `Capture`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from playwright.sync_api import Page

from pytest_design2a11y.capture.audit.engine import AuditEngine
from pytest_design2a11y.capture.browser.launch import build_of, is_sandboxed
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.make_capture import cut_out, empty_capture
from pytest_design2a11y.capture.page.open_live import open_live
from pytest_design2a11y.capture.read_page import Reader
from pytest_design2a11y.capture.renderer import STANDARD_ENGINES
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Role
from pytest_design2a11y.models.page_state import AS_LOADED, PageState

STANDARD_LIMITS = CaptureLimits()


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
