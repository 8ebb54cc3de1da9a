"""What the tools that help to fix a page answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.fixing.fix_list import Item, Remaining, State
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.visual import Difference


@dataclass(frozen=True)
class FixListAnswer:
    """What to change on a page, and what each item gains by itself.

    An item has `id`, `name`, `gain`, `cost`, `repairs`, `edits` (selector, CSS, texts, attributes, markup and
    both boxes) and `more`: how many edits its gain counts besides.
    """

    number: str
    page: str
    design: str | None
    before: State
    after: State | None
    items: list[dict[str, Any]]
    num_items: int
    left_out: list[str]
    remaining: list[Remaining]
    remarks: list[str]


@dataclass(frozen=True)
class WhyAnswer:
    """Why an item is on its list."""

    item: dict[str, Any]
    reasons: list[str]
    differences: list[str]


@dataclass(frozen=True)
class PatchAnswer:
    """What a page measures before and after a change that was tried."""

    before: State
    after: State
    changes: list[str]
    patches: int


@dataclass(frozen=True)
class MeasureAnswer:
    """An element of a page; box is left, top, width, height in CSS px."""

    selector: str
    count: int
    box: list[float]
    text: str
    lines: int
    style: dict[str, str]


def is_in(difference: Difference, areas: Iterable[Box]) -> bool:
    """Return whether a difference shows in one of several parts of either page."""
    boxes = [side["box"] for side in (difference.design, difference.made) if "box" in side]
    return any(clipped(tuple(box), area) is not None for area in areas for box in boxes)


def is_about(difference: Difference, item: Item) -> bool:
    """Return whether a difference is where an item edits something."""
    if difference.what == "page":
        return any(edit.name == "page" for edit in item.edits)
    return is_in(difference, [box for edit in item.edits for box in (edit.page_box, edit.design_box) if box])
