"""Scores of a matching: the components of its text and their mean; and the whole page's fidelity."""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from statistics import fmean
from typing import Any

import numpy as np

from pytest_design2a11y.models.colors import ciede2000, lab_from_srgb
from pytest_design2a11y.models.geometry import MeanColor, area
from pytest_design2a11y.models.metrics import FIDELITY_WEIGHTS
from pytest_design2a11y.models.visual import Block, Difference, Match, Matching, Severity, VisualScore

#: What the worst difference counts by severity; one of 1 takes the share `_WEIGHT / (1 + _WEIGHT)`.
GRADES: Mapping[Severity, float] = {"critical": 3.0, "serious": 1.0, "moderate": 0.15, "minor": 0.02}
_WEIGHT = 0.1
#: The order of the mean over differences: large ones count, and many small ones do not add up to one of them.
_ORDER = 3


def score_matching(
    matching: Matching, *, appearance: float | None = None, appearance_backend: str | None = None
) -> VisualScore:
    """Measure the similarity of two pages whose blocks have been matched.

    Args:
        matching: Blocks of both sides and which correspond to each other.
        appearance: Similarity of the pictures without their text, 0..1; None if not measured.
        appearance_backend: What computed `appearance`.

    Returns:
        Each component in 0..1; the four of the text are 0 if no block has a counterpart. The score is the
        mean of the five components, or of four without appearance.

    References:
        Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163, section 3.
    """
    pairs = [(matching.reference[i], matching.candidate[j], ratio) for i, j, ratio in matching.pairs]
    colors = color_similarities(
        [reference.color for reference, _, _ in pairs], [candidate.color for _, candidate, _ in pairs]
    )
    matches = tuple(
        Match(reference, candidate, text=ratio, position=nearness(reference, candidate), color=similarity)
        for (reference, candidate, ratio), similarity in zip(pairs, colors, strict=True)
    )
    components: dict[str, Any] = {"block_match": block_match(matching, matches)}
    for name in ("text", "position", "color"):
        components[name] = fmean(getattr(match, name) for match in matches) if matches else 0.0
    measured = [*components.values()] if appearance is None else [*components.values(), appearance]
    matched_references = {reference for reference, _, _ in matching.pairs}
    matched_candidates = {candidate for _, candidate, _ in matching.pairs}
    return VisualScore(
        score=fmean(measured),
        **components,
        appearance=appearance,
        text_ratio=matching.text_ratio,
        appearance_backend=appearance_backend,
        published=matching.published,
        matches=matches,
        missing=tuple(b for i, b in enumerate(matching.reference) if i not in matched_references),
        extra=tuple(b for i, b in enumerate(matching.candidate) if i not in matched_candidates),
    )


def block_match(matching: Matching, matches: Sequence[Match]) -> float:
    """Return the area of the matched blocks of both sides over the area of all of them.

    If no block has any area, blocks are counted instead.
    """
    everything = (*matching.reference, *matching.candidate)
    matched = [block for match in matches for block in (match.reference, match.candidate)]
    total = fsum(area(block.box) for block in everything)
    if total > 0:
        return min(1.0, fsum(area(block.box) for block in matched) / total)
    return len(matched) / len(everything) if everything else 0.0


def nearness(first: Block, second: Block) -> float:
    """Return 1 minus the larger of the two distances between centers, in page fractions; not below 0."""
    (x1, y1), (x2, y2) = (
        (left + width / 2, top + height / 2) for left, top, width, height in (first.box, second.box)
    )
    return max(0.0, 1.0 - max(abs(x1 - x2), abs(y1 - y2)))


def color_similarities(first: Sequence[MeanColor], second: Sequence[MeanColor]) -> list[float]:
    """Return max(0, 1 - CIEDE2000 / 100) of each pair of sRGB colors."""
    if not first:
        return []
    differences = ciede2000(lab_from_srgb(first), lab_from_srgb(second))
    similarities: list[float] = np.maximum(0.0, 1.0 - differences / 100.0).tolist()
    return similarities


def fidelity(
    *,
    visual: float,
    elements: float | None,
    typography: float | None,
    differences: Iterable[Difference] = (),
) -> float | None:
    """Return `mean_of` the three, minus what the differences take by their severities: see `severity_costs`.

    A mean shows how much of a page is right; one wrong price, lost button or blank chart drowns in it.

    Returns:
        0..1, 1 for a page against itself; None if a part of the mean was not measured.
    """
    mean = mean_of(visual, elements, typography)
    return None if mean is None else mean * (1.0 - fsum(severity_costs(differences)))


def severity_costs(differences: Iterable[Difference]) -> tuple[float, ...]:
    """Return the share of fidelity that each difference costs, 0..1; together less than 1.

    With n = (the sum of grade ** 3) ** (1/3), all cost 1 - 1 / (1 + .1 n): .091 for a serious one, .23 for
    a critical one, .18 for ten serious ones; this is divided in proportion to grade ** 3. What is summed up
    as too small to be told by itself costs nothing.
    """
    grades = (0.0 if one.property == "small" else GRADES[one.severity] for one in differences)
    powers = [grade**_ORDER for grade in grades]
    total = fsum(powers)
    if total == 0.0:
        return (0.0,) * len(powers)
    size = _WEIGHT * total ** (1 / _ORDER)
    return tuple(power / total * size / (1.0 + size) for power in powers)


def mean_of(visual: float, elements: float | None, typography: float | None) -> float | None:
    """Return the mean by `FIDELITY_WEIGHTS`; None if one of them was not measured."""
    if elements is None or typography is None:
        return None
    values = {"visual": visual, "elements": elements, "typography": typography}
    return sum(weight * values[name] for name, weight in FIDELITY_WEIGHTS.items()) / sum(
        FIDELITY_WEIGHTS.values()
    )
