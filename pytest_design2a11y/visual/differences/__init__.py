"""In what two pages differ, as facts, each difference with what it costs of fidelity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.visual import BLOCKING, LEAST_COST, SEVERITIES, Difference
from pytest_design2a11y.visual.differences.causes import appearance_difference, join_causes
from pytest_design2a11y.visual.differences.charges import (
    Charge,
    charged,
    flaw_charges,
    font_charges,
    text_charges,
)
from pytest_design2a11y.visual.differences.compared import Compared, box_of
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.elements import element_differences, things_in_place
from pytest_design2a11y.visual.differences.fonts import font_differences
from pytest_design2a11y.visual.differences.layout import join_moves
from pytest_design2a11y.visual.differences.severity import graded
from pytest_design2a11y.visual.differences.sight import Mask, look, part_of
from pytest_design2a11y.visual.differences.text_pairing import match_units
from pytest_design2a11y.visual.differences.texts import text_differences
from pytest_design2a11y.visual.differences.troubles import trouble_differences
from pytest_design2a11y.visual.differences.unexplained import unexplained, untold
from pytest_design2a11y.visual.differences.units import read_as_words, units_of

__all__ = ["Compared", "find_differences"]

#: Differences that are reported one by one: as many, and however many block.
_MOST = 200
#: In what a text may differ a little.
_GRADUAL = {"moved", "font", "recolored"}


def find_differences(compared: Compared) -> tuple[Difference, ...]:
    """Return in what a page differs from its design, the worst first.

    Each is checked against the pixels of both screenshots before it is reported; regions that visibly differ
    without another difference are differences themselves. Differences with one cause are joined. The costs
    add up to what fidelity lacks of 1, apart from negligible ones.
    """
    sight = look(compared.reference, compared.candidate)
    pages = compared.reference, compared.candidate
    runs = compared.runs or tuple(page.text_runs for page in pages)
    texts = match_units(*(units_of(read_as_words(*own)) for own in zip(runs, pages, strict=True)))
    found = [
        *text_differences(compared, texts, sight),
        *font_differences(compared, texts, sight),
        *element_differences(compared, texts, sight),
        *trouble_differences(compared, texts, sight),
        *appearance_difference(compared),
    ]
    charges = [*text_charges(compared), *font_charges(compared), *flaw_charges(compared)]
    found, left = charged(without_consequences(found), charges)
    small = [one for one in found if one.severity is None]
    found = join_causes(compared, [one for one in found if one.severity is not None], texts)
    found = join_moves(found, [*things_in_place(compared)])
    found += unexplained(compared, found, texts, sight)
    letters = [one for one in found if one.kind == "font" and (one.reference or {}).get("is_all")]
    seen = _in_order(graded(one, compared, letters) for one in found)
    most = max(_MOST, sum(one.severity in BLOCKING for one in seen))
    seen, cut = seen[:most], seen[most:]
    small, left, lost = _apart_from(seen, small, left, untold(seen, sight))
    if total := _cost_of(seen):
        seen = [replace(one, cost=one.cost * (1 + lost / total)) for one in seen]
    others = (*small, *cut)
    rest = _cost_of(left) + _cost_of(others) + (0.0 if total else lost)
    if rest >= LEAST_COST or cut:
        seen.append(graded(_summary(others, left, rest), compared))
    return tuple(_in_order(seen))


def _apart_from(
    seen: Sequence[Difference], small: Sequence[Difference], charges: Sequence[Charge], mask: Mask
) -> tuple[list[Difference], list[Charge], float]:
    """Return what differs to the eye where nothing is reported, in a mask, and what all the rest costs.

    A picture that shows something else makes the whole page look different; a button of another color, the
    panel around it.
    """
    apart = [one for one in small if any(mask[part_of(box_of(one, side))].any() for side in (0, 1))]
    left = [one for one in charges if mask[part_of(one.box)].any()]
    if not seen and not apart:
        return [*small], [*charges], 0.0
    return apart, left, _cost_of(small) + _cost_of(charges) - _cost_of(apart) - _cost_of(left)


def _cost_of(things: Iterable[Difference | Charge]) -> float:
    return sum(one.cost for one in things)


def _summary(others: Sequence[Difference], charges: Sequence[Charge], cost: float) -> Difference:
    """Return one difference for those that are not reported one by one: how many of which kind, and where.

    Of what is too small to be seen, no kind is named; where no difference lies, only one of degrees.

    Args:
        others: Differences without a report of their own.
        charges: What places take from fidelity where no difference lies.
        cost: What all of them cost.
    """
    # A text that moved takes from several metrics.
    apart = {(one.what, one.kind, *map(round, one.box[:2])): one for one in charges if one.cost >= LEAST_COST}
    charges = [*apart.values()]
    others = [one for one in others if one.what != "page"]
    counts = Counter(f"{one.what} {one.kind if one.severity else ''}" for one in others)
    counts.update(f"{one.what} {one.kind if one.kind in _GRADUAL else ''}" for one in charges)
    sides = [one.reference or one.candidate or {} for one in others]
    tops = [side["box"][1] for side in sides if "box" in side] + [round(one.box[1]) for one in charges]
    side: dict[str, Any] = {"counts": dict(counts.most_common())}
    if tops and len(tops) == counts.total():
        side["extent"] = [min(tops), max(tops)]
    return Difference("moved", "page", cost, None, "small", None, counts.total(), side, None)


def _rank(one: Difference) -> int:
    """Return 0 for what concerns all, 1 for what happened to one thing, 2 for what follows from others."""
    if one.property in {"place", "small", "height", "room", "appearance"} or (
        one.property == "size" and one.what != "page"
    ):
        return 2
    is_of_all = one.what == "page" and one.kind != "unexplained"
    return 0 if is_of_all or (one.reference or {}).get("is_all") else 1


def _in_order(differences: Iterable[Difference]) -> list[Difference]:
    """Sort differences: the worst first, what follows from others last, then what costs most."""
    return sorted(
        differences,
        key=lambda one: (
            SEVERITIES.index(one.severity or "minor"),
            _rank(one),
            -one.cost,
        ),
    )
