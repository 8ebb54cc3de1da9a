"""The differences of two pages, as facts, each with its cost in fidelity; `models/words.py` words them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.visual import BLOCKING, LEAST_COST, SEVERITIES, Difference
from pytest_design2a11y.visual.differences.causes import appearance_difference, join_causes
from pytest_design2a11y.visual.differences.compared import Compared, with_shares
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.covers import join_covers, veil_differences
from pytest_design2a11y.visual.differences.elements import element_differences, things_in_place
from pytest_design2a11y.visual.differences.exchanges import join_exchanges
from pytest_design2a11y.visual.differences.flow import follow_flow
from pytest_design2a11y.visual.differences.fonts import font_differences, line_differences
from pytest_design2a11y.visual.differences.gaps import empty_space_differences
from pytest_design2a11y.visual.differences.joining import join_graded
from pytest_design2a11y.visual.differences.layout import join_aligned, join_moves
from pytest_design2a11y.visual.differences.lost import join_lost, join_undrawn, with_known
from pytest_design2a11y.visual.differences.markers import marker_differences
from pytest_design2a11y.visual.differences.setting import setting_differences
from pytest_design2a11y.visual.differences.severity import graded
from pytest_design2a11y.visual.differences.texts import text_differences
from pytest_design2a11y.visual.differences.troubles import trouble_differences
from pytest_design2a11y.visual.differences.unexplained import unexplained
from pytest_design2a11y.visual.score import severity_costs

__all__ = ["Compared", "find_differences"]

#: Number of differences reported individually, unless more of them block.
_MOST = 200
#: Properties of the page that change because things on it do.
_CONSEQUENCES = {"small", "height", "room", "appearance"}

#: How much of a text's box its letters fill.
_INK = 0.2


def find_differences(compared: Compared) -> tuple[Difference, ...]:
    """Return the differences of a page from its design, worst first.

    Each is checked against the pixels of both screenshots before it is reported; regions that visibly differ
    without another difference are differences themselves. Differences with one cause are joined. The costs
    add up to 1 minus fidelity; without fidelity, to 1 minus the score.
    """
    differences = without_consequences(
        [
            *text_differences(compared),
            *font_differences(compared),
            *line_differences(compared),
            *setting_differences(compared),
            *marker_differences(compared),
            *element_differences(compared),
            *trouble_differences(compared),
            *appearance_difference(compared),
        ]
    )
    differences = join_covers(compared, differences)
    differences += veil_differences(compared, differences)
    differences = join_causes(compared, join_exchanges(compared, with_known(differences)))
    differences = join_lost(compared, join_undrawn(compared, differences))
    in_place = [*things_in_place(compared)]
    differences, caused = follow_flow(compared, join_aligned(differences, in_place))
    differences = join_moves(
        differences, [*in_place, *(one for one in caused if one.kind == "moved" and one.what != "page")]
    )
    if not any(one.what == "page" and one.property in {"style", "gap"} for one in differences):
        differences += empty_space_differences(compared)
    differences += unexplained(compared, [*differences, *caused])
    differences = [*with_shares(differences, compared)]
    fonts = (difference for difference in differences if difference.kind == "font")
    letters = [font for font in fonts if font.design.get("is_all")]
    seen = _in_order(join_graded(graded(difference, compared, letters) for difference in differences))
    most = max(_MOST, sum(difference.severity in BLOCKING for difference in seen))
    mean = compared.mean
    lacking = 1.0 - (compared.score.score if mean is None else mean)
    if seen[most:] or (not seen and lacking >= LEAST_COST):
        seen[most:] = [_summary(seen[most:])]
    return tuple(_with_costs(seen, mean, lacking))


def _with_costs(seen: Sequence[Difference], mean: float | None, lacking: float) -> Iterator[Difference]:
    """Yield the differences with what they cost.

    Each has its part of what the mean lacks, by the pixels that it explains, and what its severity takes.
    What follows from others, such as the page's height, explains nothing by itself.
    """
    shares = [0.0 if one.property in _CONSEQUENCES else one.share or 0.0 for one in seen]
    total = sum(shares)
    shares = [share / total if total else 1 / len(seen) for share in shares]
    taken = severity_costs(seen)
    for difference, share, severe in zip(seen, shares, taken, strict=True):
        yield replace(difference, cost=lacking * share + (mean or 0.0) * severe)


def _summary(others: Sequence[Difference]) -> Difference:
    """Return one difference for those not reported individually: how many of which kind, and where."""
    counts = Counter(f"{other.what} {other.kind}" for other in others if other.what != "page")
    sides = [other.facts for other in others]
    tops = [side["box"][1] for side in sides if "box" in side]
    side: dict[str, Any] = {"counts": dict(counts.most_common())}
    if tops and len(tops) == counts.total():
        side["extent"] = [min(tops), max(tops)]
    return Difference("moved", "page", 0.0, "minor", "small", None, counts.total(), side)


def _in_order(differences: Iterable[Difference]) -> list[Difference]:
    """Sort differences: worst first, consequences last, and then by how much of what differs they explain."""

    def order(difference: Difference) -> tuple[int, int, float]:
        is_of_page = difference.what == "page" and difference.kind != "unexplained"
        rank = 2 if difference.property in _CONSEQUENCES else 0 if is_of_page else 1
        ink = _INK if difference.kind == "font" and difference.severity in BLOCKING else 1.0
        seen = (difference.share or 0.0) * ink
        return SEVERITIES.index(difference.severity), rank, -seen

    return sorted(differences, key=order)
