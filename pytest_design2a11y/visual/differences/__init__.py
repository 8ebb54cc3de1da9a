"""In what two pages differ, in words, each difference with what it costs of fidelity."""

from __future__ import annotations

from pytest_design2a11y.models.visual import LEAST_COST, Difference
from pytest_design2a11y.visual.differences.causes import appearance_fault, join_causes
from pytest_design2a11y.visual.differences.elements import element_faults, things_in_place
from pytest_design2a11y.visual.differences.fault import Compared, joined
from pytest_design2a11y.visual.differences.fonts import font_faults
from pytest_design2a11y.visual.differences.layout import join_aligned, join_moves
from pytest_design2a11y.visual.differences.texts import text_faults
from pytest_design2a11y.wording import counted

__all__ = ["Compared", "find_differences"]

#: Differences that are told one by one.
_MOST_TOLD = 200


def find_differences(compared: Compared) -> tuple[Difference, ...]:
    """Return in what a page differs from its design, the most costly first.

    What has one cause for the whole page (no style sheet, another theme, a shift of everything) is one
    difference. The costs add up to what fidelity lacks of 1, but for what costs next to nothing.
    """
    appearance = appearance_fault(compared)
    texts = join_aligned([*text_faults(compared), *font_faults(compared)])
    faults = [*texts, *element_faults(compared)]
    faults = join_causes(compared, [*faults, *([appearance] if appearance else [])])
    faults = join_moves(faults, [*things_in_place(compared)])
    seen = sorted((fault for fault in faults if fault.is_seen), key=lambda fault: -fault.cost)
    told = seen[:_MOST_TOLD]
    small = [*(fault for fault in faults if not fault.is_seen), *seen[_MOST_TOLD:]]
    if sum(fault.cost for fault in small) >= LEAST_COST:
        number = counted(len(small), "small difference")
        message = f"{number} of place, size, color or font, none of which stands out"
        told.append(joined(small, "moved", "page", message))
    return tuple(fault.told() for fault in sorted(told, key=lambda fault: -fault.cost))
