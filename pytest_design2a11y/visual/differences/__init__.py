"""The differences of two pages, as facts, each with its cost in fidelity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.visual import BLOCKING, LEAST_COST, SEVERITIES, Difference
from pytest_design2a11y.visual.differences.causes import appearance_difference, join_causes
from pytest_design2a11y.visual.differences.charges import (
    Charge,
    charged,
    font_charges,
    text_charges,
)
from pytest_design2a11y.visual.differences.compared import Compared, both_boxes
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.covers import join_covers
from pytest_design2a11y.visual.differences.elements import element_differences, things_in_place
from pytest_design2a11y.visual.differences.exchanges import join_exchanges
from pytest_design2a11y.visual.differences.flow import follow_flow
from pytest_design2a11y.visual.differences.layout import join_aligned, join_moves
from pytest_design2a11y.visual.differences.lost import join_lost
from pytest_design2a11y.visual.differences.setting import setting_differences
from pytest_design2a11y.visual.differences.severity import graded
from pytest_design2a11y.visual.differences.shares import with_shares
from pytest_design2a11y.visual.differences.sight import part_of
from pytest_design2a11y.visual.differences.texts import (
    font_differences,
    line_differences,
    text_differences,
)
from pytest_design2a11y.visual.differences.troubles import trouble_differences
from pytest_design2a11y.visual.differences.unexplained import unexplained, unreported
from pytest_design2a11y.visual.score import severity_costs

__all__ = ["Compared", "find_differences"]

#: Number of differences reported individually, unless more of them block.
_MOST = 200
#: Differences of texts that may be slight.
_GRADUAL = {"moved", "font", "recolored"}
#: Properties that change because something else does; for things on a page, "size" too.
_CONSEQUENCES = {"place", "gap", "small", "height", "room", "appearance"}


def find_differences(compared: Compared) -> tuple[Difference, ...]:
    """Return the differences of a page from its design, worst first.

    Each is checked against the pixels of both screenshots before it is reported; regions that visibly differ
    without another difference are differences themselves. Differences with one cause are joined. The costs
    add up to 1 minus fidelity, apart from negligible ones.
    """
    found = [
        *text_differences(compared),
        *font_differences(compared),
        *line_differences(compared),
        *setting_differences(compared),
        *element_differences(compared),
        *trouble_differences(compared),
        *appearance_difference(compared),
    ]
    charges = [*text_charges(compared), *font_charges(compared)]
    found, left = charged(without_consequences(found), charges)
    small = [difference for difference in found if difference.severity is None]
    found = join_covers(compared, [difference for difference in found if difference.severity is not None])
    found = join_lost(compared, join_causes(compared, join_exchanges(compared, found)))
    in_place = [*things_in_place(compared)]
    found, caused = follow_flow(compared, join_aligned(found, in_place))
    found = join_moves(found, in_place)
    found += unexplained(compared, [*found, *caused])
    found = [*with_shares(found, compared)]
    fonts = (difference for difference in found if difference.kind == "font")
    letters = [font for font in fonts if (font.reference or {}).get("is_all")]
    seen = _in_order(graded(difference, compared, letters) for difference in found)
    most = max(_MOST, sum(difference.severity in BLOCKING for difference in seen))
    seen, cut = seen[:most], seen[most:]
    # A picture with other content makes the whole page look different; a button of another color, the panel
    # around it. Only visible differences where nothing is reported count in addition.
    mask, lost = unreported([*seen, *caused], compared.sight), _cost_of(caused)
    apart = [slight for slight in small if any(mask[part_of(box)].any() for box in both_boxes(slight))]
    if seen or apart:
        unseen = [charge for charge in left if mask[part_of(charge.box)].any()]
        lost += _cost_of(small) + _cost_of(left) - _cost_of(apart) - _cost_of(unseen)
        small, left = apart, unseen
    if total := _cost_of(seen):
        seen = [replace(difference, cost=difference.cost * (1 + lost / total)) for difference in seen]
    others = (*small, *cut)
    rest = _cost_of(left) + _cost_of(others) + (0.0 if total else lost)
    if rest >= LEAST_COST or cut:
        seen.append(graded(_summary(others, left, rest), compared))
    return tuple(_in_order(_with_severity_costs(seen, compared.mean)))


def _with_severity_costs(differences: Sequence[Difference], mean: float | None) -> Iterator[Difference]:
    """Yield the differences with what their severities cost in fidelity, if there is a mean to lower."""
    shares = severity_costs(differences)
    for difference, share in zip(differences, shares, strict=True):
        yield replace(difference, cost=difference.cost + (mean or 0.0) * share)


def _cost_of(things: Iterable[Difference | Charge]) -> float:
    return sum(thing.cost for thing in things)


def _summary(others: Sequence[Difference], charges: Sequence[Charge], cost: float) -> Difference:
    """Return one difference for those not reported individually: how many of which kind, and where.

    For those too small to be seen, no kind is named; for charges, only a gradual one.

    Args:
        others: Differences without a report of their own.
        charges: Losses of fidelity at places without a difference.
        cost: The total cost.
    """
    apart: dict[tuple[object, ...], Charge] = {}  # A text that moved lowers several metrics.
    for charge in charges:
        if charge.cost >= LEAST_COST:
            apart[charge.what, charge.kind, *map(round, charge.box[:2])] = charge
    others = [other for other in others if other.what != "page"]
    counts = Counter(f"{other.what} {other.kind if other.severity else ''}" for other in others)
    charges = [*apart.values()]
    counts.update(f"{charge.what} {charge.kind if charge.kind in _GRADUAL else ''}" for charge in charges)
    sides = [other.reference or other.candidate or {} for other in others]
    tops = [side["box"][1] for side in sides if "box" in side] + [round(charge.box[1]) for charge in charges]
    side: dict[str, Any] = {"counts": dict(counts.most_common())}
    if tops and len(tops) == counts.total():
        side["extent"] = [min(tops), max(tops)]
    return Difference("moved", "page", cost, None, "small", None, counts.total(), side, None)


def _in_order(differences: Iterable[Difference]) -> list[Difference]:
    """Sort differences: worst first, consequences of others last, and then by cost."""

    def order(difference: Difference) -> tuple[int, int, float, float]:
        is_page, property = difference.what == "page", difference.property
        is_of_all = (is_page and difference.kind != "unexplained") or (difference.reference or {}).get(
            "is_all"
        )
        rank = 0 if is_of_all else 1
        if property in _CONSEQUENCES or (property == "size" and not is_page):
            rank = 2
        return (
            SEVERITIES.index(difference.severity or "minor"),
            rank,
            -(difference.share or 0),
            -difference.cost,
        )

    return sorted(differences, key=order)
