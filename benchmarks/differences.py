"""How long finding all differences of two pages of moved links takes, as a ratio to matching their texts.

Run: python -m benchmarks.differences [--sizes 250 1000 2500]. No browser is needed.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable

from PIL import Image, ImageDraw

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture, Environment, TextRun
from pytest_design2a11y.settings import Settings

COLUMNS = 5
LINE = 24  # px
INK = (20, 60, 120)


def page(num_links: int, *, right: float = 0.0) -> Capture:
    """Return a page of links in columns, of which every other one stands so many px further to the right."""
    height = LINE * (num_links // COLUMNS + 2)
    picture = Image.new("RGB", (1280, height), "white")
    ink = ImageDraw.Draw(picture)
    runs = []
    for at in range(num_links):
        row, column = divmod(at, COLUMNS)
        box = (40.0 + 240 * column + right * (at % 2), LINE * (row + 1.0), 120.0, 18.0)
        ink.text(box[:2], f"Link {at} of them", INK, font_size=16)
        runs.append(TextRun(f"Link {at} of them", (box,), INK, at))
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return Capture(
        label="page",
        role="candidate",
        image=Screenshot(stream.getvalue()),
        page_size=(1280, height),
        text_runs=tuple(runs),
        warnings=(),
        environment=Environment("", None, ""),
        elements=(),
        ground=(255, 255, 255),
    )


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure finding differences.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 1000, 2500])
    print("  links  matching (s)  all differences (s)  ratio")
    sizes = parser.parse_args().sizes
    measure_visual(page(50), page(50, right=40.0), settings=Settings())  # Loads what it needs.
    for size in sizes:
        design, moved = page(size), page(size, right=40.0)
        first, second = (
            find_seen_text(text_runs=one.text_runs, screenshot=one.screenshot)[0] for one in (design, moved)
        )
        floor = seconds(lambda: match_blocks(first, second))  # noqa: B023
        all_of_it = seconds(lambda: measure_visual(design, moved, settings=Settings()))  # noqa: B023
        print(f"{size:7d}  {floor:12.2f}  {all_of_it:19.2f}  {all_of_it / floor:5.1f}", flush=True)


if __name__ == "__main__":
    main()
