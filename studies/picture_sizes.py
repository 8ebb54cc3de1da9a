"""How much further scores against a picture move from the page's when it is larger, lossy or wider.

    python -m studies.picture_sizes CORPUS [--set SET] [--limit N]

For every design of a corpus folder its page is pictured at scale 1, 2 and 3, as JPEG of quality 60, and at a
layout 1440 px wide; a candidate is scored against the page and against each picture of it.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.page import Capture, Document, Role
from pytest_design2a11y.picture.capture_picture import capture_picture
from pytest_design2a11y.settings.values import Settings
from studies.pictures import CACHE, STRONG

SETTINGS = Settings(audit=False, picture_crop="never")
WIDE = "1440x720"
PARTS = ("score", "block_match", "text", "position", "color", "appearance")


class Pictured(NamedTuple):
    """A picture of a design, with the page it shows and the page it is compared with."""

    kind: str
    name: str
    content: bytes
    design: Capture
    candidate: Capture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--set", default=STRONG)
    parser.add_argument("--limit", type=int, default=12, help="designs")
    parser.add_argument("--first", type=int, default=1, help="of the designs")
    given = parser.parse_args()
    apart: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        launcher = starting(playwright.chromium)
        browser = launch(launcher, chromium=None, options={}).browser
        renderer = Renderer(launcher, limits=SETTINGS.capture)
        paths = sorted((given.corpus / "references").glob("*.html"), key=lambda path: int(path.stem))
        for path in paths[given.first - 1 :][: given.limit]:
            candidate = given.corpus / "candidates" / given.set / path.name
            for one in _pictured(path, candidate, renderer, browser):
                total, *components = _differences(one)
                apart.setdefault(one.kind, []).append(total)
                parts = " ".join(f"{part:+.4f}" for part in components)
                print(f"{path.stem} {one.kind}: {total:+.4f} = {parts}", flush=True)
    plain = np.mean(np.abs(apart["plain"]))
    for kind, found in apart.items():
        mean = np.mean(np.abs(found))
        print(f"{kind}: {len(found)} pages, mean |d| {mean:.4f}, {mean - plain:+.4f} to plain")


def _pictured(design: Path, candidate: Path, renderer: Renderer, browser: Browser) -> Iterator[Pictured]:
    def captured(path: Path, role: Role, viewport: str = "1280x720") -> Capture:
        settings = SETTINGS.with_choices({"viewport": viewport})
        return capture_source(path, role=role, renderer=renderer, settings=settings)

    pages = captured(design, "reference"), captured(candidate, "candidate")
    wide = captured(design, "reference", WIDE), captured(candidate, "candidate", WIDE)
    yield Pictured("plain", "design.png", _file(pages[0]), *pages)
    for scale in (2, 3):
        yield Pictured(
            f"scale {scale}", f"design@{scale}x.png", _shot(browser, design, scale, pages[0]), *pages
        )
    yield Pictured("JPEG 60", "design.jpg", _file(pages[0], "JPEG", quality=60), *pages)
    yield Pictured("1440 wide", "design.png", _file(wide[0]), *wide)


def _file(page: Capture, format: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(page.screenshot.pixels).save(file, format, **options)
    return file.getvalue()


def _shot(browser: Browser, path: Path, scale: int, page: Capture) -> bytes:
    """Take a picture of a page at a higher density, with the height of its capture."""
    tab = browser.new_page(viewport={"width": 1280, "height": 720}, device_scale_factor=scale)
    tab.goto(path.resolve().as_uri())
    width, height = page.page_size
    content = tab.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})
    tab.close()
    return content


def _differences(one: Pictured) -> list[float]:
    """Return how much higher total and components are against the picture than against the page."""
    document = Document(label=one.name, html=None, picture=one.content)
    picture = capture_picture(document, role="reference", cache_folder=CACHE)
    assert picture.page_size[0] == one.design.page_size[0]
    page_score, picture_score = (
        measure_visual(design, one.candidate, settings=SETTINGS) for design in (one.design, picture)
    )
    return [getattr(picture_score, part) - getattr(page_score, part) for part in PARTS]


if __name__ == "__main__":
    main()
