"""Blocks made of others: those with one box, and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import cast

from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.visual import Block, least_confidence


def join_identical_boxes(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Join blocks that lie in exactly the same box: texts with a space, colours as the mean, in order."""
    by_box: dict[Box, list[Block]] = {}
    for block in blocks:
        by_box.setdefault(block.box, []).append(block)
    return tuple(_joined(parts) if len(parts) > 1 else parts[0] for parts in by_box.values())


def _joined(parts: Sequence[Block]) -> Block:
    return Block(
        text=" ".join(part.text for part in parts),
        box=parts[0].box,
        color=reduce(_mean_color, (part.color for part in parts)),
        confidence=least_confidence(part.confidence for part in parts),
        owners=tuple(owner for part in parts for owner in part.owners),
    )


def _mean_color(earlier: Color, later: Color) -> Color:
    return cast("Color", tuple((one + other) / 2 for one, other in zip(earlier, later, strict=True)))


def merge_neighbours(first: Block, second: Block) -> Block:
    """Merge two blocks: texts with a space, box = union, colour = channel-wise integer mean."""
    left, top = min(first.box[0], second.box[0]), min(first.box[1], second.box[1])
    right = max(first.box[0] + first.box[2], second.box[0] + second.box[2])
    bottom = max(first.box[1] + first.box[3], second.box[1] + second.box[3])
    mean = tuple((one + other) // 2 for one, other in zip(first.color, second.color, strict=True))
    return Block(
        text=f"{first.text} {second.text}",
        box=(left, top, right - left, bottom - top),
        color=cast("Color", mean),
        confidence=least_confidence((first.confidence, second.confidence)),
        owners=first.owners + second.owners,
    )
