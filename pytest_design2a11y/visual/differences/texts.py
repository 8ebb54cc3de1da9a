"""Faults of the texts: missing, extra, moved, reworded, recolored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.models.geometry import Box, Color, area, contrast, hex_color
from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.visual.differences.fault import Compared, Details, Fault, shift_between
from pytest_design2a11y.visual.differences.names import pixels, place, quoted, way
from pytest_design2a11y.visual.typography import SHIFT_LOSS, Paragraph, ground_of, reads_alike

#: A shift by less (px) is not told by itself.
LEAST_SHIFT = 4.0
#: A colour similarity from this on is not told: CIEDE2000 under 5, and anti-aliased text wavers.
_SAME_COLOR = 0.95
#: What WCAG asks of the contrast of text.
LEAST_CONTRAST = 4.5


def text_faults(compared: Compared) -> Iterator[Fault]:
    """Return what is wrong with each text, with what it takes from the visual score's part of fidelity."""
    score = compared.score
    lost, unlike = (compared.weight("visual") * cost for cost in _text_costs(score))
    alone = [("missing", block) for block in score.missing] + [("extra", block) for block in score.extra]
    fonts = _font_costs(compared, alone)
    for kind, block in alone:
        yield _lone(compared, kind, block, (lost + fonts.get(kind, 0.0)) * area(block.box))
    for match in score.matches:
        yield from _pair(compared, match, unlike)


def _text_costs(score: VisualScore) -> tuple[float, float]:
    """Return the cost in the visual score of unmatched text, by area, and of a pair, by what it is unlike."""
    measured = sum(getattr(score, name) is not None for name in VISUAL_COMPONENTS)
    matched = [block for match in score.matches for block in (match.reference, match.candidate)]
    total = sum(area(block.box) for block in (*matched, *score.missing, *score.extra)) or 1.0
    # Where nothing matched, the means over matches are lost with what did not match.
    return (1.0 if matched else 4.0) / total / measured, 1.0 / measured / max(1, len(score.matches))


def _font_costs(compared: Compared, alone: Sequence[tuple[str, Block]]) -> dict[str, float]:
    """Return what typography loses by text that only one page has, for each part of its area."""
    if compared.typography is None:
        return {}
    weight = compared.weight("typography")
    replaced = sum(
        share * (1 - similarity * (1 - SHIFT_LOSS * shift))
        for design, made, similarity, shift, share in compared.typography.pairs
        if is_replaced(compared, design, made)
    )
    losses = [cost + replaced / 2 for cost in compared.typography.alone]
    areas = {
        kind: sum(area(block.box) for one, block in alone if one == kind) for kind in ("missing", "extra")
    }
    if not all(areas.values()):  # Unmatched blocks of one page alone bear what is lost on both.
        losses = [sum(losses)] * 2
    costs = zip(("missing", "extra"), losses, strict=True)
    return {kind: weight * cost / areas[kind] for kind, cost in costs if areas[kind]}


def is_replaced(compared: Compared, design: Paragraph, made: Paragraph) -> bool:
    """Tell whether a paragraph was paired for its place alone: one is missing, the other is extra."""
    has_lone_texts = bool(compared.score.missing and compared.score.extra)
    return has_lone_texts and not reads_alike(design, made)


def _lone(compared: Compared, kind: str, block: Block, cost: float) -> Fault:
    page = compared.reference if kind == "missing" else compared.candidate
    box = block_box(block, page)

    def words() -> tuple[str, Details | None, Details | None]:
        values = _in_values(block.color, _ground(box, page, block.color))
        details = {"box": pixels(box), "text": block.text, **values}
        if kind == "missing":
            return f"text {quoted(block.text)} {place(box)} is missing", details, None
        return f"text {quoted(block.text)} {place(box)} is not in the design", None, details

    if kind == "missing":
        return Fault("missing", "text", cost, True, words, (box, None))
    return Fault("extra", "text", cost, True, words, (None, box))


def _pair(compared: Compared, match: Match, weight: float) -> Iterator[Fault]:
    boxes = block_box(match.reference, compared.reference), block_box(match.candidate, compared.candidate)
    sides: tuple[Details, Details] = (
        {"box": pixels(boxes[0]), "text": match.reference.text},
        {"box": pixels(boxes[1]), "text": match.candidate.text},
    )
    name = f"text {quoted(match.reference.text)}"
    shift = shift_between(*boxes)
    if match.position < 1.0:
        is_far = max(map(abs, shift)) >= LEAST_SHIFT
        told = (f"{name} moved {way(shift)}", *sides)
        yield Fault("moved", "text", weight * (1 - match.position), is_far, lambda: told, boxes)
    if match.text < 1.0:
        reads = (f"{name} reads {quoted(match.candidate.text)}", *sides)
        yield Fault("reworded", "text", weight * (1 - match.text), True, lambda: reads, boxes)
    if match.color < 1.0:
        is_other = match.color < _SAME_COLOR
        cost = weight * (1 - match.color)
        yield Fault(
            "recolored", "text", cost, is_other, lambda: _recolored(compared, match, name, sides), boxes
        )


def _recolored(
    compared: Compared, match: Match, name: str, sides: Sequence[Details]
) -> tuple[str, Details, Details]:
    """Tell a text's colour with its ground, pair against pair: a colour alone says nothing of legibility."""
    design, made = match.reference, match.candidate
    wanted = _ground(block_box(design, compared.reference), compared.reference, design.color)
    own = _ground(block_box(made, compared.candidate), compared.candidate, made.color)
    message = f"{name} is {_in_words(made.color, own)} instead of {_in_words(design.color, wanted)}"
    if contrast(design.color, wanted) < LEAST_CONTRAST:
        message += f"; the design's own contrast is low: give the text at least {LEAST_CONTRAST}:1"
    elif contrast(design.color, own) < LEAST_CONTRAST:
        message += "; change the ground with it, on which the design's text color is not legible"
    return (
        message,
        {**sides[0], **_in_values(design.color, wanted)},
        {**sides[1], **_in_values(made.color, own)},
    )


def _ground(box: Box, page: Capture, color: Color) -> Color:
    return ground_of(box, page.screenshot, color) or page.ground or (255, 255, 255)


def _in_words(color: Color, ground: Color) -> str:
    return f"{hex_color(color)} on {hex_color(ground)} (contrast {contrast(color, ground):.1f}:1)"


def _in_values(color: Color, ground: Color) -> Details:
    ratio = round(contrast(color, ground), 2)
    return {"color": hex_color(color), "ground": hex_color(ground), "contrast": ratio}


def block_box(block: Block, page: Capture) -> Box:
    """Return where a block lies, px of its page."""
    width, height = page.page_size
    x, y, w, h = block.box
    return x * width, y * height, w * width, h * height
