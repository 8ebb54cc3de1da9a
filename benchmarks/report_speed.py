"""How soon the overview of a large report can be used, how large the file is, and what writing it takes.

The run is made up: pages have as many blocks and failing elements as those of published benchmarks have in
the mean, and two pictures as large as they may be, no two alike. "usable" is from the start of the navigation
until the table can be filtered and sorted, by the page's own clock; "loaded" until the whole file is read.

    python -m benchmarks.report_speed [--pages 500] [--rounds 5] [--chromium PATH]
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from benchmarks.processes import MEGABYTE
from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Verdict
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.html.page import write_report
from pytest_design2a11y.runs.pictures import MAX_BYTES, SMALL_SIZE

NUM_BLOCKS, NUM_RULES, NUM_NODES = 40, 4, 4

WAIT_UNTIL_USABLE = """
const look = () => {
    if (document.getElementById("count")?.textContent) window.usable = performance.now();
    else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def picture(number: int, folder: Path) -> str:
    """Store a picture unlike any other; only its size matters here, not its content."""
    name = f"{number:040x}.webp"
    (folder / name).write_bytes(os.urandom(MAX_BYTES))
    width, height = SMALL_SIZE
    pixels = numpy.random.default_rng(number).integers(
        0, 256, (height // 4, width // 4, 3), dtype=numpy.uint8
    )
    buffer = io.BytesIO()
    Image.fromarray(pixels).resize(SMALL_SIZE).save(buffer, "WEBP", quality=50)
    (folder / name.replace(".webp", "-small.webp")).write_bytes(buffer.getvalue())
    return name


def evaluation(number: int, folder: Path) -> Evaluation:
    blocks = [
        Block(
            f"what block {place} says on page {number} ".ljust(80, "."),
            (0.1, place / NUM_BLOCKS, 0.3, 0.01),
            (20, 20, 20),
        )
        for place in range(NUM_BLOCKS)
    ]
    score = number / 1000
    node = CheckedNode(
        "main > p", "<p class=small>", "serious", "Fix any:\n  Too little contrast", (9, 9, 9, 9)
    )
    rule = RuleOutcome(
        "color-contrast",
        "Elements must meet minimum color contrast ratio thresholds",
        "https://dequeuniversity.com/rules/axe/4.12/color-contrast",
        ("wcag2aa",),
        "serious",
        num_violations=NUM_NODES,
        violations_by_impact={"serious": NUM_NODES},
        violations=(node,) * NUM_NODES,
    )
    return Evaluation(
        f"tests/test_pages.py::test_page[{number}]",
        f"designs/{number}",
        f"generated/{number}.html",
        reference=f"designs/{number}.html",
        visual=VisualScore(
            score, 0.9, 0.9, 0.9, 0.9, 0.9, "indel", "embedded",
            matches=tuple(Match(block, block, 0.9, 0.9, 0.9) for block in blocks),
        ),
        accessibility=AccessibilityRates(200, 60, 1, 0.3, 0.6, 0.18, 90, 60, 0.6, "yellow", {"serious": 60}),
        audit=Audit("4.12.1", (rule,) * NUM_RULES, 90, 60),
        verdicts=(Verdict("visual", ">=", 0.2, score, score >= 0.2, "command line"),),
        page_sizes={"reference": (1280, 2000), "candidate": (1280, 2000)},
        pictures={"reference": picture(2 * number, folder), "candidate": picture(2 * number + 1, folder)},
    )  # fmt: skip


def opened(browser: Browser, path: Path) -> dict[str, float]:
    """Return milliseconds from the start of the navigation, and for one filter operation."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(WAIT_UNTIL_USABLE)
    page.goto(path.as_uri(), wait_until="load", timeout=120_000)
    page.wait_for_function("window.usable")
    times: dict[str, float] = page.evaluate(
        """() => {
            const search = document.querySelector("[name=q]");
            const began = performance.now();
            search.value = "[7]";
            search.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            const { loadEventEnd } = performance.getEntriesByType("navigation")[0];
            const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
            const filter = performance.now() - began;
            return { painted, usable: window.usable, loaded: loadEventEnd, filter };
        }"""
    )
    page.context.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        pages = tuple(evaluation(number, folder) for number in range(choice.pages))
        run = Run("large", "2026-01-01T00:00:00+00:00", True, pages)
        path = folder / "report.html"
        began = time.perf_counter()
        write_report(path, run, picture_folder=folder)
        written = time.perf_counter() - began
        tracemalloc.start()
        write_report(path, run, picture_folder=folder)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        size = path.stat().st_size / 1e6
        print(f"{choice.pages} pages: {size:.1f} MB, written in {written:.2f} s")
        print(f"memory while writing: {peak / MEGABYTE:.1f} MiB at most")
        browser = launch(starting(playwright.chromium), chromium=choice.chromium, options={}).browser
        rounds = [opened(browser, path) for _ in range(choice.rounds)]
        browser.close()
    for what in rounds[0]:
        times = sorted(one[what] for one in rounds)
        print(f"{what:>8}: median {statistics.median(times):7.0f} ms, from {times[0]:.0f} to {times[-1]:.0f}")


if __name__ == "__main__":
    main()
