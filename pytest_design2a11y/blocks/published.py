"""The blocks that the code published with the metric finds, to rebuild published tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pytest_design2a11y.blocks.coverage import Pixels
from pytest_design2a11y.blocks.finder import block_of, find_ink
from pytest_design2a11y.blocks.ink import Ink, boxes_as_ink, ink_of
from pytest_design2a11y.models.page import Screenshot, TextRun
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block


def find_published_blocks(
    *, text_runs: Iterable[TextRun], screenshot: Screenshot, time_limit: TimeLimit | None = None
) -> tuple[Block, ...]:
    """Find the text blocks that the published code finds, with the white space of the source in their texts.

    It colours the text of listed elements and looks where that shows. So it overlooks generated text, form
    values, text in SVG and frames, and text outside these elements; it sees no ink of text that has a colour
    of its own inside one, and sees text that has the colour of its background. What an element owns and does
    not show is part of its text.
    """
    texts: dict[int, list[str]] = {}
    recolored = []
    for run in text_runs:
        if run.source is not None:
            texts.setdefault(run.owner, []).append(run.source.text)
            if run.source.is_recolored:
                recolored.append(run)
    found = find_ink(recolored, screenshot, _recolored_ink, time_limit or TimeLimit())
    return tuple(
        replace(block_of(found[owner], screenshot), text="".join(parts).lower())
        for owner, parts in texts.items()
        if owner in found
    )


def _recolored_ink(run: TextRun, pixels: Pixels, time_limit: TimeLimit) -> Ink | None:
    return ink_of(run, pixels, time_limit) or boxes_as_ink(run, pixels, time_limit)
