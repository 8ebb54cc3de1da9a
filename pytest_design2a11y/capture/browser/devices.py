"""What Playwright does besides showing pages: it knows devices by name, and prints drawings."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from functools import cache
from typing import Any

from playwright.sync_api import sync_playwright

from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.viewport import Viewport


def viewport_of_device(name: str) -> Viewport:
    """Return the window of a device that Playwright knows, such as "iPhone 13" or "Pixel 7 landscape"."""
    known = _devices()
    if name not in known:
        near = get_close_matches(name, known, n=3)
        raise ConfigurationError(
            f"Playwright knows no device {name!r}.",
            advice=f"Did you mean {', '.join(map(repr, near))}?" if near else "Write it as in 'iPhone 13'.",
        )
    device = known[name]
    return Viewport(
        width=device["viewport"]["width"],
        height=device["viewport"]["height"],
        scale=float(device["device_scale_factor"]),
        touch=device["has_touch"],
        mobile=device["is_mobile"],
        device=name,
        user_agent=device["user_agent"],
    )


@cache
def _devices() -> Mapping[str, Any]:
    def ask() -> dict[str, Any]:
        with sync_playwright() as playwright:
            return dict(playwright.devices)

    # The list is the driver's, which may be asked beside an event loop in a thread of its own.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()


# Pixels of a PNG per unit.
_SCALE = 3


def print_drawing(svg: str, size: tuple[float, float], suffix: str) -> bytes:
    """Return an SVG drawing, so many units wide and high, as a ".pdf" or ".png"."""
    width, height = map(round, size)
    with sync_playwright() as playwright:
        launched = launch(starting(playwright.chromium), chromium=None, options={}, is_hermetic=True)
        with launched.browser as browser:
            page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=_SCALE)
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
            if suffix == ".png":
                return page.screenshot()
            return page.pdf(width=f"{width}px", height=f"{height + 1}px", print_background=True)
