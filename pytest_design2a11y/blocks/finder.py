"""One block for every element that owns text with ink on the page; or those of the published code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pytest_design2a11y.blocks.ink import Ink, Pixels, boxes_as_ink, ink_of, united
from pytest_design2a11y.models.page import Screenshot, TextRun
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block, least_confidence


def find_blocks(
    *, text_runs: Iterable[TextRun], screenshot: Screenshot, time_limit: TimeLimit | None = None
) -> tuple[Block, ...]:
    """Find the text blocks of a page.

    A block is the text of one owner. Its box is the extent of its ink: the pixels that the text covers
    fully, as the published metric takes it, or covers most where strokes are too thin for that. Its
    colour is the mean of those pixels. Text without any ink is not seen, and makes no block.

    References:
        Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163, section 3.
    """
    return find_seen_text(text_runs=text_runs, screenshot=screenshot, time_limit=time_limit)[0]


def find_seen_text(
    *, text_runs: Iterable[TextRun], screenshot: Screenshot, time_limit: TimeLimit | None = None
) -> tuple[tuple[Block, ...], tuple[TextRun, ...]]:
    """Return the text blocks of a page, as `find_blocks` does, and the runs that have ink."""
    found = find_ink(text_runs, screenshot, ink_of, time_limit or TimeLimit())
    blocks = tuple(block_of(parts, screenshot) for parts in found.values())
    return blocks, tuple(run for parts in found.values() for run, _ in parts)


def find_ink(
    text_runs: Iterable[TextRun],
    screenshot: Screenshot,
    ink_of: Callable[[TextRun, Pixels, TimeLimit], Ink | None],
    time_limit: TimeLimit,
) -> dict[int, list[tuple[TextRun, Ink]]]:
    """Return the runs that have ink, with it, by their owners."""
    found: dict[int, list[tuple[TextRun, Ink]]] = {}
    for run in text_runs:
        time_limit.check("blocks")
        ink = ink_of(run, screenshot.pixels, time_limit)
        if ink is not None:
            found.setdefault(run.owner, []).append((run, ink))
    return found


def block_of(parts: Sequence[tuple[TextRun, Ink]], screenshot: Screenshot) -> Block:
    """Make one block of the runs of one owner."""
    height, width = screenshot.pixels.shape[:2]
    ink = united([ink for _, ink in parts])
    left, top, right, bottom = ink.extent
    red, green, blue = (int(channel) for channel in ink.color_sum // ink.num_pixels)
    return Block(
        text=" ".join(run.text for run, _ in parts).lower(),
        box=(left / width, top / height, (right - left) / width, (bottom - top) / height),
        color=(red, green, blue),
        confidence=least_confidence(run.confidence for run, _ in parts),
        owners=(parts[0][0].owner,),
    )


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
    found = find_ink(
        recolored, screenshot, lambda *run: ink_of(*run) or boxes_as_ink(*run), time_limit or TimeLimit()
    )
    return tuple(
        replace(block_of(found[owner], screenshot), text="".join(parts).lower())
        for owner, parts in texts.items()
        if owner in found
    )
