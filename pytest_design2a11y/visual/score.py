"""A matching, measured: the components and their mean."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from pytest_design2a11y.models.visual import Match, Matching, VisualScore
from pytest_design2a11y.visual.block_match import block_match
from pytest_design2a11y.visual.color import color, color_similarities
from pytest_design2a11y.visual.position import nearness, position
from pytest_design2a11y.visual.text import text


def score_matching(
    matching: Matching, *, appearance: float | None = None, appearance_backend: str | None = None
) -> VisualScore:
    """Measure how alike two pages are whose blocks have been matched.

    Args:
        matching: Blocks of both sides and which stands for which.
        appearance: Similarity of the pictures without their text, 0..1; None where not measured.
        appearance_backend: What computed `appearance`.

    Returns:
        Each component in 0..1; the four of the text are 0 where no block has a counterpart. The score is
        the mean of the five components, or of the four where there is no appearance.

    References:
        Si et al.: Design2Code, NAACL 2025, arXiv 2403.03163, section 3.
    """
    pairs = [(matching.reference[i], matching.candidate[j], ratio) for i, j, ratio in matching.pairs]
    colors = color_similarities([one.color for one, _, _ in pairs], [other.color for _, other, _ in pairs])
    matches = tuple(
        Match(one, other, text=ratio, position=nearness(one, other), color=similarity)
        for (one, other, ratio), similarity in zip(pairs, colors, strict=True)
    )
    components: dict[str, Any] = {
        "block_match": block_match(matching, matches),
        "text": text(matches),
        "position": position(matches),
        "color": color(matches),
    }
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
