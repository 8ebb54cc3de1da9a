"""One situation: the page as a person finds it in the end, and our capture of it, compared."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_design2a11y.capture.isolation import Asset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.isolation.site_files import content_type
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.read_document import read_document
from studies.trials.situations.server import serving
from studies.trials.situations.table import APPS, Situation

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from pytest_design2a11y.capture.renderer import Renderer

#: The window and the wishes of the person in front of it; else Playwright's own defaults.
PERSON: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "reduced_motion": "reduce",
    "color_scheme": "light",
    "locale": "en-US",
    "timezone_id": "UTC",
}
# Real milliseconds that a page has to show that it is ready.
READY = 30_000
MAX_BYTES = 10_000_000
ELSEWHERE = "https://cdn.example/"


@dataclass(frozen=True)
class Outcome:
    """How one capture compares with the settled page.

    Attributes:
        score: Visual similarity, 0..1; None where nothing could be captured or scored.
        differing: Share of pixels that differ, 0..1; 1 where the sizes do.
        is_text_equal: Whether all text runs agree, boxes and colors included.
        warnings: Codes of the capture's warnings.
        seconds: Of the capture.
        error: Why there is no score.
        capture: Ours.
    """

    score: float | None
    differing: float
    is_text_equal: bool
    warnings: tuple[str, ...]
    seconds: float
    error: str = ""
    capture: Capture | None = None

    @property
    def is_as_seen(self) -> bool:
        return self.score == 1.0 and self.is_text_equal and self.differing == 0.0

    def is_same_as(self, other: Outcome) -> bool:
        """Tell whether two captures agree to the bit."""
        one, another = self.capture, other.capture
        return (
            one is not None
            and another is not None
            and one.text_runs == another.text_runs
            and one.screenshot.png == another.screenshot.png
        )


def score(
    situation: Situation, *, browser: Browser, renderer: Renderer, times: int = 1, rest: float = 1.0
) -> list[Outcome]:
    """Settle a page in a plain browser, capture it with ours as often as wanted, and compare.

    Args:
        situation: The page.
        browser: The plain one.
        renderer: Ours.
        times: How often ours captures the page.
        rest: Seconds that the page has in the plain browser once it has shown that it is ready.
    """
    with ExitStack() as stack:
        address = stack.enter_context(
            serving(situation.root, delays=situation.delays, fallback=situation.fallback)
        )
        context = stack.enter_context(browser.new_context(**PERSON))
        page = context.new_page()
        if situation.assets:
            page.route(f"{ELSEWHERE}**", lambda route: _answer(route, situation))
        settle(page, address + situation.page, situation.ready, rest)
        seen = capture_page(page, role="reference", audit=None)
        source = (
            address + situation.page if situation.served == "url" else str(situation.root / situation.page)
        )
        return [_compared(seen, source, renderer) for _ in range(times)]


def limits_of(situation: Situation, folder: Path) -> dict[str, Any]:
    """Return the limits that a situation needs; what it loads from elsewhere is recorded in a folder."""
    limits: dict[str, Any] = {} if situation.settle is None else {"settle": situation.settle}
    if situation.assets:
        _record(APPS / situation.assets, Recordings(folder))
        limits["assets"] = folder
    return limits


def _record(source: Path, recordings: Recordings) -> None:
    for file in source.rglob("*.*"):
        url = f"{ELSEWHERE}{file.relative_to(source).as_posix()}"
        answer = Asset(200, content_type(file), file.read_bytes(), has_cors=True, final_url=url)
        recordings.keep(url, answer)


def settle(page: Page, address: str, ready: str, rest: float) -> None:
    """Open a page as a person would, scroll through it once, and wait until it has settled."""
    page.goto(address, wait_until="load")
    height = page.evaluate("document.documentElement.scrollHeight")
    for top in range(0, height, 400):
        page.evaluate("top => scrollTo({ top, behavior: 'instant' })", top)
        page.wait_for_timeout(100)
    page.locator(ready).first.wait_for(state="attached", timeout=READY)
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    # He sees each part laid out where he looks; only so are all laid out at once.
    page.add_style_tag(content="* { content-visibility: visible !important }")
    page.wait_for_timeout(rest * 1000)


def _answer(route: Route, situation: Situation) -> None:
    assert situation.assets
    file = APPS / situation.assets / urlsplit(route.request.url).path.lstrip("/")
    route.fulfill(path=file, headers={"access-control-allow-origin": "*"})


def _compared(seen: Capture, source: str, renderer: Renderer) -> Outcome:
    started = time.perf_counter()
    try:
        document = read_document(source, max_bytes=MAX_BYTES)
        capture = renderer.capture(document, role="candidate", audit=None)
        seconds = time.perf_counter() - started
        value = measure_visual(seen, capture, settings=Settings()).score
    except Design2a11yError as error:
        return Outcome(
            None, 1.0, False, (), time.perf_counter() - started, f"{type(error).__name__}: {error}"
        )
    return Outcome(
        score=value,
        differing=differing_pixels(seen, capture),
        is_text_equal=seen.text_runs == capture.text_runs,
        warnings=tuple(warning.code for warning in capture.warnings),
        seconds=seconds,
        capture=capture,
    )


def differing_pixels(first: Capture, second: Capture) -> float:
    """Return the share of pixels that are not of the same color; 1 where the sizes differ."""
    one, other = first.screenshot.pixels, second.screenshot.pixels
    return float((one != other).any(axis=2).mean()) if one.shape == other.shape else 1.0
