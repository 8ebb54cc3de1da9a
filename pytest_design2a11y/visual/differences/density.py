"""Things that stand closer together, or farther apart, all the way down the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim

#: Number of things whose gaps changed, and the share of them in one direction, that make one cause.
_LEAST, _MOST = 4, 0.75
#: Share of its height by which the page changed, at least.
_LEAST_CHANGE = 0.1
#: The gaps explain the page's height if they add up to this share of its change, at least and at most.
_EXPLAINED = (0.5, 1.5)


def of_page_gaps(
    compared: Compared, found: Sequence[Difference], gaps: Mapping[int, tuple[float, float]]
) -> list[Difference] | None:
    """Return the differences, with changed gaps as one cause if they make the page higher, or lower.

    None if they do not. What also moved sideways keeps that part.

    Args:
        compared: The pages.
        found: The differences.
        gaps: The gaps above things that moved, by the place of the difference in `found`: on each page, px.
    """
    height, own_height = (page.page_size[1] for page in compared.pages)
    grown = own_height - height
    if abs(grown) < _LEAST_CHANGE * height:
        return None
    joint = {at: gap for at, gap in gaps.items() if (gap[1] > gap[0]) == (grown > 0)}
    explained = _total([(found[at].boxes[0][1], *gap) for at, gap in gaps.items()]) / grown
    is_most = len(joint) >= max(_LEAST, _MOST * len(gaps))
    if not (is_most and _EXPLAINED[0] <= explained <= _EXPLAINED[1]):
        return None
    wanted, own = ({"box": [0, 0, *page.page_size]} for page in compared.pages)
    members = [found[at] for at in joint]
    kept = [
        replace(one, candidate={**one.made, "shift": [across, 0]})
        for one in members
        if (across := one.made["shift"][0])
    ]
    rest = [one for at, one in enumerate(found) if at not in joint]
    rest = [one for one in rest if (one.what, one.property) != ("page", "height")]
    return [claim("moved", "page", "gap", str(height), str(own_height), wanted, own, members), *kept, *rest]


def _total(gaps: Sequence[tuple[float, float, float]]) -> float:
    """Return by how much gaps changed in all, px; of those at the same height, such as in a row, one counts.

    Each has the top of the thing below it, and its size in the design and on the page.
    """
    total, end = 0.0, float("-inf")
    for top, before, after in sorted(gaps):
        if top - max(before, 0.0) >= end:
            total += after - before
            end = top
    return total
