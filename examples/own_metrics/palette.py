"""Share of a page's text and boxes whose color is one of the design system's, which tokens.json lists."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_design2a11y import Measured, Metric
from pytest_design2a11y.extending import Finding, Pages

TOKENS = Path(__file__).with_name("tokens.json")
#: Colors as near as this, per channel, are the same: edges of letters are mixed with what is behind.
TOLERANCE = 6

Color = tuple[int, ...]
Box = tuple[float, float, float, float]


def read_tokens() -> dict[str, Color]:
    """Return the colors of the design system by name."""
    return {name: tuple(bytes.fromhex(text[1:])) for name, text in json.loads(TOKENS.read_text()).items()}


def measure(pages: Pages) -> Measured:
    """Weigh every color by the area of what has it."""
    tokens = read_tokens()
    page = pages.candidate
    colored: list[tuple[str, Color, Box]] = [
        (f'text "{run.text[:40]}"', run.color, box)
        for run in page.text_runs
        if run.color
        for box in run.boxes
    ]
    colored += [(one.tag, one.fill, one.box) for one in page.elements or () if one.has_fill]
    if not colored:
        return Measured(None, "the page shows neither text nor boxes")
    findings, known, total = [], 0.0, 0.0
    for what, color, box in colored:
        area = box[2] * box[3]
        total += area
        if any(is_near(color, token) for token in tokens.values()):
            known += area
        else:
            named = "#" + bytes(color[:3]).hex()
            findings.append(Finding(f"{what} has {named}, a color of no token", "moderate", box))
    return Measured(
        known / total, f"{len(findings)} of {len(colored)} parts have a color of no token", findings
    )


def is_near(color: Color, token: Color) -> bool:
    """Tell whether two colors are the same but for rounding."""
    return all(abs(one - other) <= TOLERANCE for one, other in zip(color, token, strict=False))


PALETTE = Metric(
    "palette", "share of the page in the design system's colors", upper=1.0, version="1", measure=measure
)
