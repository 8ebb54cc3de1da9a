"""What ways to take the picture of a page cost: processor time of taking and decoding it, and its size.

    python -m studies.screenshot_formats PAGE.html ... [--rounds 4] [--chromium PATH]

The processor time is that of browser, driver and Python. Ways that give other pixels than the first one are
told. Linux only.
"""

from __future__ import annotations

import argparse
import base64
import io
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, CDPSession, sync_playwright

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.browser.launch import launch, starting

WIDTH = 1280

#: By name: arguments of the command, and the number of strips in which the page is taken.
WAYS: dict[str, tuple[dict[str, Any], int]] = {
    "png, fast (in use)": ({"format": "png", "optimizeForSpeed": True}, 1),
    "png": ({"format": "png"}, 1),
    "webp, lossless": ({"format": "webp", "quality": 100}, 1),
    "webp, lossless, fast": ({"format": "webp", "quality": 100, "optimizeForSpeed": True}, 1),
    "png, fast, two strips": ({"format": "png", "optimizeForSpeed": True}, 2),
}


def take(session: CDPSession, height: int, how: dict[str, Any], num_strips: int) -> list[bytes]:
    """Take the screenshot of a page in strips."""
    edges = [height * place // num_strips for place in range(num_strips + 1)]
    clips = (
        {"x": 0, "y": top, "width": WIDTH, "height": bottom - top, "scale": 1}
        for top, bottom in pairwise(edges)
    )
    return [
        base64.b64decode(
            session.send("Page.captureScreenshot", {**how, "captureBeyondViewport": True, "clip": clip})[
                "data"
            ]
        )
        for clip in clips
    ]


def decoded(strips: list[bytes]) -> NDArray[numpy.uint8]:
    """Return the pixels."""
    return numpy.concatenate([numpy.asarray(Image.open(io.BytesIO(one)).convert("RGB")) for one in strips])


def measure(browser: Browser, path: Path, rounds: int) -> Iterator[tuple[str, float, float, int, bool]]:
    """Per way: seconds of taking and of decoding, bytes, and whether pixels are the first way's."""
    context = browser.new_context(viewport={"width": WIDTH, "height": 720}, offline=True)
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    session = context.new_cdp_session(page)
    height = int(session.send("Page.getLayoutMetrics")["cssContentSize"]["height"])
    first = None
    for name, way in WAYS.items():
        strips = take(session, height, *way)
        began = processor_seconds()
        for _ in range(rounds):
            strips = take(session, height, *way)
        taken = (processor_seconds() - began) / rounds
        start = time.process_time()
        pixels = decoded(strips)
        took = time.process_time() - start
        first = pixels if first is None else first
        yield name, taken, took, sum(map(len, strips)), numpy.array_equal(pixels, first)
    context.close()


def main() -> None:
    """Print a line per way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    totals: dict[str, Counter[str]] = {name: Counter() for name in WAYS}
    with sync_playwright() as playwright:
        browser = launch(starting(playwright.chromium), chromium=choice.chromium, options={}).browser
        for path in choice.pages:
            for name, taken, took, size, is_same in measure(browser, path, choice.rounds):
                milliseconds = {"taking": taken * 1000, "decoding": took * 1000}
                totals[name].update({**milliseconds, "kB": size / 1000, "same": is_same})
        browser.close()
    number = len(choice.pages)
    for name, total in totals.items():
        means = "  ".join(f"{what} {total[what] / number:6.1f}" for what in ("taking", "decoding", "kB"))
        print(f"{name:24}{means}  same pixels {total['same']} of {number}")


if __name__ == "__main__":
    main()
