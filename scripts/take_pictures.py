"""Take the pictures of docs/images from a report and from what pytest printed.

pytest ... --design2a11y-html=report.html --color=yes | tee printed.txt
python scripts/take_pictures.py report.html printed.txt --case 9
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from pytest_design2a11y.capture.browser.launch import launch, starting

if TYPE_CHECKING:
    from playwright.sync_api import Page

IMAGES = Path(__file__).parents[1] / "docs" / "images"
_CODE = re.compile(r"\x1b\[([\d;]*)m")
_REPEATED = re.compile(r"^FAILED |short test summary info")
_STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "31": "color:#ff7b72", "32": "color:#7ee787"}
_TERMINAL = """<style>
pre { margin: 0; padding: 22px; width: max-content; font: 14px/1.5 monospace }
pre { background: #0d1117; color: #e6edf3 }
</style><pre>"""


def main() -> None:
    """Take all three."""
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=Path)
    parser.add_argument("printed", type=Path)
    parser.add_argument("--case", type=int, default=0)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = launch(starting(playwright.chromium), chromium=None, options={}).browser
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(options.report.resolve().as_uri())
        page.screenshot(path=IMAGES / "report-overview.png")
        _case(page, options.case)
        page = browser.new_page()
        page.set_content(_TERMINAL + _html(options.printed.read_text(encoding="utf-8")))
        page.locator("pre").screenshot(path=IMAGES / "terminal-summary.png")
        browser.close()


def _case(page: Page, number: int) -> None:
    """Take a page's comparison, with the card of the finding that costs most."""
    page.goto(page.url.partition("#")[0] + f"#case-{number}")
    page.set_viewport_size({"width": 1280, "height": 640})
    viewer = page.locator("section.viewer:visible")
    viewer.evaluate("viewer => window.scrollBy(0, viewer.getBoundingClientRect().top - 80)")
    viewer.locator(".item .outline").nth(2).hover()
    page.screenshot(path=IMAGES / "report-page.png")


def _html(printed: str) -> str:
    """Return the summary's part of what pytest printed, in colours."""
    lines = printed.splitlines()
    start = next(number for number, line in enumerate(lines) if "= design2a11y =" in _CODE.sub("", line))
    return "\n".join(_colored(line) for line in lines[start:] if not _REPEATED.search(_CODE.sub("", line)))


def _colored(line: str) -> str:
    return "".join(_pieces(line))


def _pieces(line: str) -> Iterator[str]:
    styles: list[str] = []
    for number, piece in enumerate(_CODE.split(line)):
        if number % 2:
            codes = piece.split(";")
            new = [_STYLES[one] for one in codes if one in _STYLES]
            styles = [] if codes in ([""], ["0"]) else [*styles, *new]
        elif piece:
            yield f'<span style="{";".join(styles)}">{escape(piece)}</span>'


if __name__ == "__main__":
    main()
