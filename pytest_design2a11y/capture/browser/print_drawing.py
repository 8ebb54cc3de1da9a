"""Drawings as PDF and PNG files, by the browser that is there for pages."""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from pytest_design2a11y.capture.browser.launch import launch, starting

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
