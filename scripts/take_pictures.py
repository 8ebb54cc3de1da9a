"""Take the pictures in docs/images of a report, a comparison and pytest's output.

pytest ... --design2a11y-html=report.html --color=yes | tee printed.txt
design2a11y report NEW --against OLD -o comparison.html
python scripts/take_pictures.py report.html comparison.html printed.txt --page 9
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from playwright.sync_api import sync_playwright

from pytest_design2a11y.capture.browser.launch import launch, starting

IMAGES = Path(__file__).parents[1] / "docs" / "images"
_CODE = re.compile(r"\x1b\[([\d;]*)m")
_REPEATED = re.compile(r"^FAILED |short test summary info")
_STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "31": "color:#ff7b72", "32": "color:#7ee787"}
_TERMINAL = """<style>
pre { margin: 0; padding: 22px; width: max-content; font: 14px/1.5 monospace }
pre { background: #0d1117; color: #e6edf3 }
</style><pre>"""


def main() -> None:
    """Take all pictures: the report and the comparison in desktop and phone size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=Path)
    parser.add_argument("comparison", type=Path)
    parser.add_argument("printed", type=Path)
    parser.add_argument("--page", type=int, default=0)
    options = parser.parse_args()
    report, comparison = (path.resolve().as_uri() for path in (options.report, options.comparison))
    shown = {
        "report-overview": report,
        "report-page": f"{report}#page-{options.page}",
        "report-comparison": f"{comparison}#comparison",
    }
    with sync_playwright() as playwright:
        browser = launch(starting(playwright.chromium), chromium=None, options={}).browser
        for suffix, (width, height) in {"": (1440, 960), "-phone": (390, 844)}.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            for name, address in shown.items():
                page.goto(address)
                page.wait_for_timeout(500)
                page.screenshot(path=IMAGES / f"{name}{suffix}.png")
        page = browser.new_page()
        page.set_content(_TERMINAL + _html(options.printed.read_text(encoding="utf-8")))
        page.locator("pre").screenshot(path=IMAGES / "terminal-summary.png")
        browser.close()


def _html(printed: str) -> str:
    """Return the summary in pytest's output as HTML, with colors."""
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
