"""Which blocks are to blame for a visual score, in words for a terminal."""

from __future__ import annotations

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.findings import BlockFinding, Kind, find_block_findings


def explain_visual(visual: VisualScore, page_size: tuple[int, int], *, limit: int = 3) -> list[str]:
    """Return the components, and the blocks that cost the score most, as lines.

    Args:
        visual: The score with its matches.
        page_size: Width and height of the reference in pixels.
        limit: How many blocks at most.
    """
    values = ((name, getattr(visual, name)) for name in VISUAL_COMPONENTS)
    parts = "  ".join(f"{name} {value:.4f}" for name, value in values if value is not None)
    wrong = [finding for finding in find_block_findings(visual) if finding.kinds != ("fine",)]
    worst = sorted(wrong, key=lambda finding: -finding.cost)[:limit]
    lines = [f"  {finding.kinds[0]:<9} {_sentence(finding, page_size)}" for finding in worst]
    return [parts, *(["worst blocks:", *lines] if lines else [])]


def _sentence(finding: BlockFinding, page_size: tuple[int, int]) -> str:
    block = finding.reference or finding.candidate
    assert block is not None
    if finding.match is None:
        return f"{_quoted(block)} {_place(block, page_size)}"
    faults = (_fault(kind, finding.match, page_size) for kind in finding.kinds)
    return f"{_quoted(block)} {', '.join(faults)}"


def fault_sentence(finding: BlockFinding, kind: Kind, page_size: tuple[int, int]) -> str:
    """Return one thing that is wrong with a block as a sentence without a full stop.

    Args:
        finding: The block or pair.
        kind: One of its kinds.
        page_size: Width and height of the reference in pixels.
    """
    block = finding.reference or finding.candidate
    assert block is not None
    if finding.match is None:
        return f"{_quoted(block)} is {'missing' if kind == 'missing' else 'not in the design'}"
    return f"{_quoted(block)} {_fault(kind, finding.match, page_size)}"


def _fault(kind: Kind, match: Match, page_size: tuple[int, int]) -> str:
    if kind == "moved":
        return _shift(match, page_size)
    if kind == "recolored":
        return f"is {hex_color(match.candidate.color)} instead of {hex_color(match.reference.color)}"
    return f"reads {_quoted(match.candidate)}"


def _quoted(block: Block) -> str:
    return f'"{sanitize(block.text, limit=40)}"'


def _place(block: Block, page_size: tuple[int, int]) -> str:
    x, y, width, height = (
        round(fraction * size) for fraction, size in zip(block.box, (*page_size, *page_size), strict=True)
    )
    return f"at {x},{y}, {width}x{height} px"


def _shift(match: Match, page_size: tuple[int, int]) -> str:
    moves = []
    for axis, (backward, forward) in enumerate((("left", "right"), ("up", "down"))):
        first, second = match.reference.box, match.candidate.box
        shift = (second[axis] + second[axis + 2] / 2) - (first[axis] + first[axis + 2] / 2)
        pixels = round(abs(shift) * page_size[axis])
        if pixels:
            moves.append(f"{pixels} px {forward if shift > 0 else backward}")
    return f"moved {' and '.join(moves)}"
