"""Which blocks are to blame for a visual score: missing, extra, moved, recoloured, reworded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_design2a11y.models import Block, Color, Match, VisualScore
from pytest_design2a11y.report.texts import harmless
from pytest_design2a11y.standards import VISUAL_COMPONENTS


@dataclass(frozen=True, slots=True)
class Blame:
    """One thing that is wrong with one block.

    Attributes:
        kind: "missing", "extra", "moved", "recolored" or "reworded".
        loss: How much of one component it costs, 0..1.
        sentence: What is wrong, for a terminal.
    """

    kind: str
    loss: float
    sentence: str


def worst_blocks(visual: VisualScore, page_size: tuple[int, int], *, limit: int = 3) -> list[Blame]:
    """Give what costs the score most, the worst first.

    Args:
        visual: The score with its matches.
        page_size: Width and height of the reference in pixels.
        limit: How many at most.
    """
    found = [*_unmatched(visual, page_size), *_differing(visual.matches, page_size)]
    return sorted(found, key=lambda blame: -blame.loss)[:limit]


def explain_visual(visual: VisualScore, page_size: tuple[int, int]) -> list[str]:
    """Give the components and the three worst blocks as lines."""
    values = ((name, getattr(visual, name)) for name in VISUAL_COMPONENTS)
    parts = "  ".join(f"{name} {value:.4f}" for name, value in values if value is not None)
    worst = [f"  {blame.kind:<9} {blame.sentence}" for blame in worst_blocks(visual, page_size)]
    return [parts, *(["worst blocks:", *worst] if worst else [])]


def _unmatched(visual: VisualScore, page_size: tuple[int, int]) -> Iterator[Blame]:
    matched = [block for match in visual.matches for block in (match.reference, match.candidate)]
    total = sum(_area(block) for block in (*matched, *visual.missing, *visual.extra)) or 1.0
    for kind, blocks in (("missing", visual.missing), ("extra", visual.extra)):
        for block in blocks:
            yield Blame(kind, _area(block) / total, f"{_quoted(block)} {_place(block, page_size)}")


def _differing(matches: Sequence[Match], page_size: tuple[int, int]) -> Iterator[Blame]:
    for match in matches:
        reference, candidate = match.reference, match.candidate
        for kind, likeness, sentence in (
            ("moved", match.position, f"{_quoted(reference)} {_shift(match, page_size)}"),
            (
                "recolored",
                match.color,
                f"{_quoted(reference)} is {_hex(candidate.color)} instead of {_hex(reference.color)}",
            ),
            ("reworded", match.text, f"{_quoted(reference)} reads {_quoted(candidate)}"),
        ):
            if likeness < 1:
                yield Blame(kind, (1 - likeness) / len(matches), sentence)


def _area(block: Block) -> float:
    return block.box[2] * block.box[3]


def _quoted(block: Block) -> str:
    return f'"{harmless(block.text, limit=40)}"'


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
    return "moved " + (" and ".join(moves) or "by less than a pixel")


def _hex(color: Color) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in color)
