"""Prints a report to PDF with the browser."""

from pathlib import Path

from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.capture.driver import open_driver

_SECONDS = 300

#: Lets a report lay itself out for paper, and waits for the pictures that this adds.
_PREPARE = """async () => {
  dispatchEvent(new Event("beforeprint"));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
}"""


def print_page(page: Path, *, chromium: str | None) -> bytes:
    """Return a report as a PDF, printed with all of its pictures; BrowserNotFound without a browser."""
    with open_driver() as driver:
        launched = launch(starting(driver().chromium), chromium=chromium, options={}, is_hermetic=True)
        try:
            tab = launched.browser.new_page()
            tab.set_default_timeout(_SECONDS * 1000)
            tab.goto(page.resolve().as_uri())
            tab.evaluate(_PREPARE)
            return tab.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
        finally:
            launched.browser.close()
