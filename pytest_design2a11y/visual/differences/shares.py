"""How much of what a person sees to differ each difference explains: the order of those of one severity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared
from pytest_design2a11y.visual.scene.sight import part_of


def with_shares(found: Iterable[Difference], compared: Compared) -> Iterator[Difference]:
    """Yield differences with the part of the striking pixels where they and their members are, 0..1.

    Pixels on the first screen count twice.
    """
    mask, window = compared.sight.striking, compared.reference.viewport
    first = window.height if window else 800

    def pixels_in(box: Box) -> int:
        rows, columns = part_of(box)
        shown = mask[rows, columns]
        return int(np.count_nonzero(shown)) + int(np.count_nonzero(shown[: max(0, first - rows.start)]))

    total = pixels_in((0, 0, mask.shape[1], mask.shape[0]))
    for difference in found:
        if not total:
            yield difference
            continue
        if difference.what == "page" and difference.kind != "unexplained":
            yield replace(difference, share=1.0)
            continue
        parts = difference.members or (difference,)
        boxes = {box for part in parts for box in part.boxes if box[2] and box[3]}
        # Of a region, what other differences explain is theirs.
        own = float(difference.actual or 1.0) if difference.property == "look" else 1.0
        yield replace(difference, share=round(min(1.0, own * sum(map(pixels_in, boxes)) / total), 4))
