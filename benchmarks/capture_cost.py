"""What isolation and freezing add to a normal page, as a ratio to the plain capture.

Plain: a new context, goto, full-page screenshot, as anyone would write it with Playwright. Ours: the same
page through `visiting`, `frozen` and `take_stable`: routed, offline, its clock and chance set, frozen and
brought to rest, under the watchdog. Both run in turns in one browser; the processor time of browser,
driver and Python is given beside the wall time, since it does not depend on what else the machine does.

    python -m benchmarks.capture_cost PAGE.html ... [--rounds 3] [--chromium PATH]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.browser.launch import LaunchedBrowser, launch, starting
from pytest_design2a11y.capture.browser.pages import PagePool
from pytest_design2a11y.capture.browser.watchdog import Watchdog
from pytest_design2a11y.capture.isolation.hosts import HostClient
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.open_document import frozen, visiting
from pytest_design2a11y.capture.page.screenshot import take_stable
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.page import Document

SETTINGS = VisitSettings(remote=Remote(HostClient(())), limits=CaptureLimits(timeout=60.0))


def plain(launched: LaunchedBrowser, path: Path) -> None:
    context = launched.browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(path.as_uri())
    page.screenshot(full_page=True)
    context.close()


def ours(launched: LaunchedBrowser, path: Path) -> None:
    document = Document(label=path.name, html=path.read_bytes(), folder=str(path.parent))
    watchdog = Watchdog(launched.process_id, 4096)
    pages = PagePool(launched.browser)
    with watchdog.watching(60.0), visiting(pages, document, SETTINGS, watchdog) as (visit, blank):
        take_stable(frozen(visit, blank, document, SETTINGS), seconds=60.0)


def measured(
    capture: Callable[[LaunchedBrowser, Path], None], launched: LaunchedBrowser, path: Path
) -> tuple[float, float]:
    used, began = processor_seconds(), time.perf_counter()
    capture(launched, path)
    return time.perf_counter() - began, processor_seconds() - used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    walls, ratios = {"plain": 0.0, "ours": 0.0}, []
    used = dict(walls)
    with sync_playwright() as playwright:
        launched = launch(starting(playwright.chromium), chromium=choice.chromium, options={})
        plain(launched, choice.pages[0].resolve())
        for path in [page.resolve() for page in choice.pages] * choice.rounds:
            times: dict[str, float] = {}
            for capture in (plain, ours):
                try:
                    wall, processor = measured(capture, launched, path)
                except Design2a11yError as error:
                    print(f"{path.name}: {type(error).__name__}: {error}")
                    break
                times[capture.__name__] = wall
                walls[capture.__name__] += wall
                used[capture.__name__] += processor
            if len(times) == 2:
                ratios.append(times["ours"] / times["plain"])
        launched.browser.close()
    print(f"pages {len(ratios)}  median ratio of wall times {statistics.median(ratios):.3f}")
    print(f"wall seconds       plain {walls['plain']:.2f}  ours {walls['ours']:.2f}")
    print(f"processor seconds  plain {used['plain']:.2f}  ours {used['ours']:.2f}")
    print(f"ratio of processor times {used['ours'] / used['plain']:.3f}")


if __name__ == "__main__":
    main()
