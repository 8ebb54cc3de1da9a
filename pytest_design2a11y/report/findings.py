"""What is wrong with every text block, and what that costs: for runs that hold no differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.visual import Block, Match, VisualScore

Kind = Literal["missing", "extra", "moved", "recolored", "reworded", "fine"]

#: Likeness below which a matched block is called wrong. Position: its centre is off by more than 1 % of the
#: page (13 px of 1280). Colour: a CIEDE2000 difference of more than 5, which people see side by side; the
#: mean colour of anti-aliased text wavers by less. Text: any difference.
TOLERATED: dict[Kind, float] = {"moved": 0.99, "recolored": 0.95, "reworded": 1.0 - 1e-9}

_LIKENESS: dict[Kind, str] = {"moved": "position", "recolored": "color", "reworded": "text"}


@dataclass(frozen=True, slots=True)
class BlockFinding:
    """A text block, or a matched pair of them, with what is wrong.

    Attributes:
        kinds: All that is wrong, the most costly first; ("fine",) where nothing is.
        cost: What all of it takes from the visual score, 0..1, other blocks left as they are.
        share: The block's or pair's part of the area of all blocks of both pages, 0..1.
        reference: The block in the design; None for an extra one.
        candidate: The block in the generated page; None for a missing one.
        match: How alike the two are; None without a counterpart.
    """

    kinds: tuple[Kind, ...]
    cost: float
    share: float
    reference: Block | None
    candidate: Block | None
    match: Match | None = None


def find_block_findings(visual: VisualScore) -> list[BlockFinding]:
    """Return every block or pair, in order of appearance: pairs, missing, extra."""
    matched = [block for match in visual.matches for block in (match.reference, match.candidate)]
    total = sum(_area(block) for block in (*matched, *visual.missing, *visual.extra)) or 1.0
    weight = _component_weight(visual)
    pairs = [_pair_finding(match, total, weight / len(visual.matches)) for match in visual.matches]
    missing = [_lone_finding("missing", block, total, weight) for block in visual.missing]
    return [*pairs, *missing, *(_lone_finding("extra", block, total, weight) for block in visual.extra)]


def kind_cost(visual: VisualScore, finding: BlockFinding, kind: Kind) -> float:
    """Return what one kind of fault of a finding takes from the visual score."""
    if finding.match is None:
        return finding.cost
    return _loss(finding.match, kind) * _component_weight(visual) / len(visual.matches)


def _component_weight(visual: VisualScore) -> float:
    return 1 / sum(getattr(visual, component) is not None for component in VISUAL_COMPONENTS)


def _loss(match: Match, kind: Kind) -> float:
    likeness: float = getattr(match, _LIKENESS[kind])
    return 1 - likeness


def _pair_finding(match: Match, total: float, weight: float) -> BlockFinding:
    losses = {kind: _loss(match, kind) for kind in TOLERATED}
    wrong = [kind for kind, tolerated in TOLERATED.items() if losses[kind] > 1 - tolerated]
    kinds = tuple(sorted(wrong, key=lambda kind: -losses[kind])) or ("fine",)
    share = (_area(match.reference) + _area(match.candidate)) / total
    return BlockFinding(kinds, sum(losses.values()) * weight, share, match.reference, match.candidate, match)


def _lone_finding(kind: Kind, block: Block, total: float, weight: float) -> BlockFinding:
    share = _area(block) / total
    sides = (block, None) if kind == "missing" else (None, block)
    return BlockFinding((kind,), share * weight, share, *sides)


def _area(block: Block) -> float:
    return block.box[2] * block.box[3]
