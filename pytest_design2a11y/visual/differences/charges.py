"""What the scores lack, place by place: each difference is charged with its loss of fidelity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import Box, area
from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Block, Difference, DifferenceKind, DifferenceSubject
from pytest_design2a11y.visual.differences.compared import Compared, box_of
from pytest_design2a11y.visual.typography import SHIFT_LOSS, Paragraph, reads_alike

#: A difference bears a charge if it covers at least this share of its place.
_LEAST_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class Charge:
    """The loss of fidelity at one place."""

    kind: DifferenceKind  # The kind of difference there
    cost: float  # 0..1
    box: Box  # Where, px of its page
    side: int  # Of which page: the design (0) or the generated page (1)
    what: DifferenceSubject = "text"


def text_charges(compared: Compared) -> Iterator[Charge]:
    """Yield each text's loss in the visual score's part of fidelity."""
    score, weight = compared.score, compared.weight("visual")
    measured = sum(getattr(score, name) is not None for name in VISUAL_COMPONENTS)
    matched = [block for match in score.matches for block in (match.reference, match.candidate)]
    total = sum(area(block.box) for block in (*matched, *score.missing, *score.extra)) or 1.0
    # If nothing matched, the unmatched texts also bear the means over matches.
    lost = weight * ((1.0 if matched else 4.0) / total / measured)
    unlike = weight * (1.0 / measured / max(1, len(score.matches)))
    alone: list[tuple[DifferenceKind, Block]] = [("missing", block) for block in score.missing]
    alone += [("extra", block) for block in score.extra]
    fonts = _font_costs(compared, alone)
    for kind, block in alone:
        side = int(kind == "extra")
        cost = (lost + fonts.get(kind, 0.0)) * area(block.box)
        yield Charge(kind, cost, block_box(block, compared.pages[side]), side)
    for match in score.matches:
        box = block_box(match.reference, compared.reference)
        likenesses: dict[DifferenceKind, float]
        likenesses = {"moved": match.position, "reworded": match.text, "recolored": match.color}
        for kind, likeness in likenesses.items():
            if cost := unlike * (1 - likeness):
                yield Charge(kind, cost, box, 0)


def font_charges(compared: Compared) -> Iterator[Charge]:
    """Yield the losses of typography, text by text."""
    weight = compared.weight("typography")
    for design, made, similarity, shift, share in compared.typography.pairs if compared.typography else ():
        if not _is_replaced(compared, design, made):
            aside = similarity * SHIFT_LOSS * shift
            yield Charge("font", weight * share * (1 - similarity), design.box, 0)
            yield Charge("moved", weight * share * aside, design.box, 0)


def charged(found: Sequence[Difference], charges: Sequence[Charge]) -> tuple[list[Difference], list[Charge]]:
    """Return the differences with the charges at their or their members' places, and the other charges.

    The ground, which lies below the whole page, bears no charges of things on it.
    """
    costs = [difference.cost for difference in found]
    above = [(at, difference) for at, difference in enumerate(found) if difference.kind != "ground"]
    bearers = [(at, part) for at, difference in above for part in (difference, *difference.members)]
    if not bearers:
        return [*found], [*charges]
    boxes = [np.array([box_of(part, side) for _, part in bearers]).T for side in (0, 1)]
    kinds = np.array([part.kind for _, part in bearers])
    left = []
    for charge in charges:
        shares = _shares_in(charge.box, boxes[charge.side])
        fits = np.where(shares >= _LEAST_OVERLAP, shares + (kinds == charge.kind), 0.0)
        best = int(fits.argmax())
        if fits[best]:
            costs[bearers[best][0]] += charge.cost
        else:
            left.append(charge)
    return [replace(difference, cost=cost) for difference, cost in zip(found, costs, strict=True)], left


def _shares_in(box: Box, others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of a box that lies in each of others: left, top, width, height by row."""
    low = [np.maximum(box[at], others[at]) for at in (0, 1)]
    high = [np.minimum(box[at] + box[at + 2], others[at] + others[at + 2]) for at in (0, 1)]
    is_common = (high[0] > low[0]) & (high[1] > low[1])
    common = (high[0] - low[0]) * (high[1] - low[1])
    return np.where(is_common, common / max(area(box), 1.0), 0.0)


def _font_costs(
    compared: Compared, alone: Sequence[tuple[DifferenceKind, Block]]
) -> dict[DifferenceKind, float]:
    """Return typography's loss from text that only one page has, per part of its area."""
    if compared.typography is None:
        return {}
    weight = compared.weight("typography")
    replaced = sum(
        share * (1 - similarity * (1 - SHIFT_LOSS * shift))
        for design, made, similarity, shift, share in compared.typography.pairs
        if _is_replaced(compared, design, made)
    )
    losses = [cost + replaced / 2 for cost in compared.typography.alone]
    kinds: tuple[DifferenceKind, ...] = ("missing", "extra")
    areas = [sum(area(block.box) for own, block in alone if own == kind) for kind in kinds]
    if not all(areas):  # If only one page has unmatched blocks, they bear the loss of both.
        losses = [sum(losses)] * 2
    costs = zip(kinds, losses, areas, strict=True)
    return {kind: weight * cost / size for kind, cost, size in costs if size}


def _is_replaced(compared: Compared, design: Paragraph, made: Paragraph) -> bool:
    """Return whether a paragraph was paired only by its place: one is missing, the other is extra."""
    has_lone_texts = bool(compared.score.missing and compared.score.extra)
    return has_lone_texts and not reads_alike(design, made)


def block_box(block: Block, page: Capture) -> Box:
    """Return the box of a block, px of its page."""
    (x, y, width, height), (across, down) = block.box, page.page_size
    return x * across, y * down, width * across, height * down
