"""Screenshots of pages on devices of a finer scale, drawn as at scale 1 where the page is the same there.

What a page draws at scale 3 and what is made of it at scale 1 differ in the edges of letters and boxes, which
is nothing of the page's own. A page that may choose other pictures or styles is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pytest_design2a11y.capture.page.frame_context import FrozenPage
from pytest_design2a11y.capture.page.tall_window import resize
from pytest_design2a11y.capture.scripts import tree_function


@contextmanager
def drawn_at_scale_one(page: FrozenPage) -> Iterator[bool]:
    """Have a page drawn at scale 1, inside the `with` block, where that changes nothing else.

    Yields:
        Whether it is.
    """
    if _may_choose(page):
        yield False
        return
    width, height = page.viewport.size
    resize(page, width, height, scale=1.0)
    try:
        yield True
    finally:
        resize(page, width, height)


def _may_choose(page: FrozenPage) -> bool:
    has_foreign = page.conditions.get("allowed_hosts") != [] or "assets" in page.conditions
    return any(world.call(tree_function(__package__, "fine_scale.js"), has_foreign) for world in page.worlds)
