"""Blocks made of others: those with one box, and neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.visual import Block, least_confidence


def join_identical_boxes(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Join blocks that lie in exactly the same box: texts with a space, colours as the mean, in order."""
    by_box: dict[Box, Block] = {}
    for block in blocks:
        earlier = by_box.get(block.box)
        by_box[block.box] = block if earlier is None else _joined(earlier, block)
    return tuple(by_box.values())


def _joined(earlier: Block, later: Block) -> Block:
    mean = tuple((one + other) / 2 for one, other in zip(earlier.color, later.color, strict=True))
    confidence = least_confidence((earlier.confidence, later.confidence))
    return Block(f"{earlier.text} {later.text}", earlier.box, cast("Color", mean), confidence)


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
    )
