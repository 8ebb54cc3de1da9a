"""What the tools that help to fix a page answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pytest_design2a11y.fixing.fix_list import FixList, Item, State


@dataclass(frozen=True)
class StateAnswer:
    """What a page measures; what has no value was not measured."""

    fidelity: float | None
    visual: float | None
    blocking: int | None
    failed: int | None
    delivered: float | None


@dataclass(frozen=True)
class ItemAnswer:
    """What to do: edits with selector, CSS, texts, attributes and markup, and both boxes."""

    id: str
    name: str
    gain: float | None
    repairs: list[str]
    edits: list[dict[str, Any]]


@dataclass(frozen=True)
class FixListAnswer:
    """What to change on a page, the best first."""

    number: str
    page: str
    design: str | None
    before: StateAnswer
    after: StateAnswer | None
    items: list[ItemAnswer]
    num_items: int
    left_out: list[str]
    remaining: list[dict[str, Any]]
    remarks: list[str]


@dataclass(frozen=True)
class WhyAnswer:
    """Why an item is on its list."""

    item: ItemAnswer
    reasons: list[str]
    differences: list[str]


@dataclass(frozen=True)
class PatchAnswer:
    """What a page measures before and after a change that was tried."""

    before: StateAnswer
    after: StateAnswer
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


def state_answer(state: State) -> StateAnswer:
    """Return what a page measures."""
    return StateAnswer(**asdict(state))


def item_answer(item: Item, name: str) -> ItemAnswer:
    """Return an item, without what is empty in its edits."""
    edits = [{key: value for key, value in asdict(edit).items() if value} for edit in item.edits]
    return ItemAnswer(name, item.name, item.gain, [*item.repairs], edits)


def fix_list_answer(found: FixList, name: str, max_items: int) -> FixListAnswer:
    """Return the first items of a list."""
    return FixListAnswer(
        number=name,
        page=found.page,
        design=found.design,
        before=state_answer(found.before),
        after=None if found.after is None else state_answer(found.after),
        items=[item_answer(item, f"{name}.{at}") for at, item in enumerate(found.items[:max_items], 1)],
        num_items=len(found.items),
        left_out=[*found.left_out],
        remaining=[asdict(one) for one in found.remaining],
        remarks=[*found.remarks],
    )


def why_answer(item: ItemAnswer, reasons: Iterable[str], differences: Iterable[str]) -> WhyAnswer:
    """Return why an item is on its list."""
    return WhyAnswer(item, [*dict.fromkeys(reasons)], [*differences])


def measure_answer(found: Mapping[str, Any]) -> MeasureAnswer:
    """Return what an element measures."""
    return MeasureAnswer(**found)
