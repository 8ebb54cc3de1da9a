"""Faults of what text is written in: size, family, weight; and of how it is aligned."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from pytest_design2a11y.visual.differences.fault import Compared, Details, Fault, shift_between
from pytest_design2a11y.visual.differences.names import pixels, quoted, way
from pytest_design2a11y.visual.differences.texts import LEAST_SHIFT, is_replaced
from pytest_design2a11y.visual.typography import (
    BOLD_LOSS,
    FAMILY_LOSS,
    FARTHEST_FAMILY,
    SHIFT_LOSS,
    Paragraph,
    family_distance,
)
from pytest_design2a11y.wording import counted

#: Font sizes that differ by less (px), shares of bold and distances of families below this are not told.
_LEAST_SIZE, _LEAST_BOLD, _LEAST_FAMILY, _LEAST_CONTRAST = 0.5, 0.25, 0.15, 0.1
#: Above this share of the page's text, "all text" is said.
_ALL = 0.9

# Widths of "imWag0eR", em, of well-known families, by which others are told.
_FAMILIES = (
    ("sans-serif", (0.222, 0.833, 0.944, 0.556, 0.556, 0.556, 0.556, 0.722)),
    ("sans-serif", (0.278, 0.974, 0.989, 0.613, 0.635, 0.636, 0.615, 0.695)),
    ("sans-serif", (0.258, 0.932, 0.931, 0.561, 0.615, 0.572, 0.564, 0.622)),
    ("sans-serif", (0.243, 0.876, 0.887, 0.544, 0.561, 0.562, 0.530, 0.616)),
    ("serif", (0.278, 0.778, 0.944, 0.444, 0.500, 0.500, 0.444, 0.667)),
    ("serif", (0.320, 0.948, 1.028, 0.596, 0.640, 0.636, 0.592, 0.753)),
    ("serif", (0.292, 0.880, 0.977, 0.504, 0.509, 0.613, 0.483, 0.702)),
    ("serif", (0.320, 0.944, 1.000, 0.562, 0.560, 0.559, 0.535, 0.660)),
    ("monospace", (0.600,) * 8),
    ("monospace", (0.550,) * 8),
)


def font_faults(compared: Compared) -> Iterator[Fault]:
    """Return what is wrong with fonts, paragraphs that changed alike as one fault, and what moved aside."""
    if compared.typography is None:
        return
    weight = compared.weight("typography")
    groups: dict[tuple[str, str], list[tuple[float, float, Paragraph, Paragraph]]] = {}
    for design, made, similarity, shift, share in compared.typography.pairs:
        if is_replaced(compared, design, made):
            continue
        losses = {
            "size": 1 - min(design.size, made.size) / max(design.size, made.size),
            "family": family_distance(design, made),
            "bold": abs(design.bold - made.bold),
            "contrast": 1 - min(design.contrast, made.contrast) / max(design.contrast, made.contrast),
        }
        parts = {**losses, "family": FAMILY_LOSS * losses["family"], "bold": BOLD_LOSS * losses["bold"]}
        aside = SHIFT_LOSS * shift
        scale = weight * share * (1 - similarity * (1 - aside)) / (sum(parts.values()) + aside or 1.0)
        if aside:
            yield _moved(design, made, scale * aside)
        for respect, part in parts.items():
            if part > 0:
                key = (respect, _words(respect, design, made, losses))
                groups.setdefault(key, []).append((scale * part, share, design, made))
    for (_, words), members in groups.items():
        yield _fault(words, members)


def _moved(design: Paragraph, made: Paragraph, cost: float) -> Fault:
    shift = shift_between(design.box, made.box)
    told = (f"text {quoted(design.text)} moved {way(shift)}", _details(design), _details(made))
    is_far = max(map(abs, shift)) >= LEAST_SHIFT
    return Fault("moved", "text", cost, is_far, lambda: told, (design.box, made.box), "font")


def family_of(paragraph: Paragraph) -> str:
    """Return "serif", "sans-serif" or "monospace", by the widths of letters; "" where unlike all known."""

    def distance(widths: tuple[float, ...]) -> float:
        return fmean(abs(one - other) for one, other in zip(paragraph.advances, widths, strict=True))

    if len(paragraph.advances) != len(_FAMILIES[0][1]):
        return ""
    name, widths = min(_FAMILIES, key=lambda family: distance(family[1]))
    return name if distance(widths) < FARTHEST_FAMILY / 2 else ""


def _words(respect: str, design: Paragraph, made: Paragraph, losses: dict[str, float]) -> str:
    """Return what changed; "" where nobody sees it."""
    if respect == "size":
        is_seen = abs(design.size - made.size) >= _LEAST_SIZE
        return f"is {made.size:.3g} px instead of {design.size:.3g} px" if is_seen else ""
    if respect == "bold":
        is_bolder = made.bold > design.bold
        seen = "is bold" if is_bolder else "is not bold"
        return seen if losses["bold"] >= _LEAST_BOLD else ""
    if respect == "contrast":
        is_harder = made.contrast < design.contrast and losses["contrast"] >= _LEAST_CONTRAST
        return f"is hard to read, at a contrast of {made.contrast:.1f}:1" if is_harder else ""
    if losses["family"] < _LEAST_FAMILY:
        return ""
    old, new = family_of(design), family_of(made)
    if old and new and old != new:
        return f"is {new} instead of {old}"
    ratio = fmean(made.advances) / max(fmean(design.advances), 0.01) - 1
    if abs(ratio) < 0.02 or 0.0 in (*made.advances, *design.advances):
        return "is in another typeface"
    return f"is in another typeface, whose letters are {'wider' if ratio > 0 else 'narrower'}"


def _fault(words: str, members: list[tuple[float, float, Paragraph, Paragraph]]) -> Fault:
    _, _, design, made = max(members, key=lambda member: member[0])
    share = sum(member[1] for member in members)
    if share >= _ALL and len(members) > 1:
        subject = "all text"
    else:
        subject = f"text {quoted(design.text)}"
        if len(members) > 1:
            subject += f" and {counted(len(members) - 1, 'more paragraph')}"
            words = words.replace("is ", "are ", 1)
    told = (f"{subject} {words}", _details(design), _details(made))
    cost = sum(member[0] for member in members)
    return Fault("font", "text", cost, bool(words), lambda: told, (design.box, made.box), "font")


def _details(paragraph: Paragraph) -> Details:
    return {
        "box": pixels(paragraph.box),
        "text": paragraph.text,
        "font_size": round(paragraph.size, 2),
        "family": family_of(paragraph),
        "weight": 700 if paragraph.bold > 0.5 else 400,
    }
