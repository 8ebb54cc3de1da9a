"""What an audit costs, as a ratio to the naive way: inject axe-core, `axe.run()`, all its results to Python.

Both run in turns on the same pages in one browser, each on a page of its own that has been loaded before.
The processor time of browser, driver and Python is given beside the wall time, since it depends less on what
else the machine does. Both count the same checks, or the page is named.

    python -m benchmarks.audit_cost PAGE.html ... [--rounds 3] [--axe-script FILE] [--chromium PATH]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.processes import processor_seconds
from pytest_design2a11y.accessibility import rates, rates_from_axe
from pytest_design2a11y.capture.audit.axe import run_audit
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.channel import Channel, Deadline, frame_tree
from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.capture.page.frames import FrozenPage, open_worlds
from pytest_design2a11y.models.audit import AccessibilityRates, AuditChoice
from pytest_design2a11y.models.viewport import Viewport

SIZE = (1280, 720)

Way = Callable[[], AccessibilityRates]


@contextmanager
def naive(browser: Browser, path: Path, file: Path) -> Iterator[Way]:
    script = file.read_text(encoding="utf-8")
    with loaded(browser, path) as page:

        def audit() -> AccessibilityRates:
            page.evaluate(f"{script}\n;undefined")
            return rates_from_axe(page.evaluate("axe.run()"))

        yield audit


@contextmanager
def ours(browser: Browser, path: Path, file: Path) -> Iterator[Way]:
    script = read_axe_script(file)
    with loaded(browser, path) as page:
        channel = Channel(page.context.new_cdp_session(page), Deadline(600))
        channel.send("Emulation.setScriptExecutionDisabled", {"value": True})
        frozen = FrozenPage(open_worlds(channel, frame_tree(channel)), SIZE, Viewport(*SIZE), channel)
        yield lambda: rates(run_audit(frozen, script=script, choice=AuditChoice())[0])


@contextmanager
def loaded(browser: Browser, path: Path) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        yield page
    finally:
        context.close()


def measured(audit: Way) -> tuple[float, float, AccessibilityRates]:
    used, began = processor_seconds(), time.perf_counter()
    found = audit()
    return time.perf_counter() - began, processor_seconds() - used, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--axe-script", type=Path, default=AXE_FILE_PATH)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    walls: dict[str, list[float]] = {"naive": [], "ours": []}
    used = {"naive": 0.0, "ours": 0.0}
    with sync_playwright() as playwright:
        browser = launch(starting(playwright.chromium), chromium=choice.chromium, options={}).browser
        for path in [page.resolve() for page in choice.pages] * choice.rounds:
            counts = []
            for way in (naive, ours):
                with way(browser, path, choice.axe_script) as audit:
                    wall, processor, found = measured(audit)
                walls[way.__name__].append(wall)
                used[way.__name__] += processor
                counts.append(found)
            if counts[0] != counts[1]:
                print(f"{path.name}: the counts differ: {counts[0]} and {counts[1]}")
        browser.close()
    pairs = zip(walls["ours"], walls["naive"], strict=True)
    ratio = statistics.median(first / second for first, second in pairs)
    print(f"audits {len(walls['ours'])}  median ratio of wall times {ratio:.3f}")
    for name in walls:
        median = statistics.median(walls[name])
        print(
            f"{name:6} wall median {median:.3f} s, sum {sum(walls[name]):.2f} s; processor {used[name]:.2f} s"
        )
    print(f"ratio of wall sums {sum(walls['ours']) / sum(walls['naive']):.3f}")
    print(f"ratio of processor times {used['ours'] / used['naive']:.3f}")


if __name__ == "__main__":
    main()
