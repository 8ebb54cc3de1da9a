"""What a difference means to people: figures fitted to published decisions.

In the human study of Design2Code people saw a design and two pages generated for it, and said which is more
like the design. `studies/trials/preferences.py` fits, to 470 of these 588 decisions, how likely people are to
prefer the page with the higher score, given by how much it is higher; a fifth is kept apart for checking. The
scores are those of Design2Code's own program, whose fifth component is CLIP: `appearance` with the backend
"embedded" replaces it.

References:
    Si et al., "Design2Code", NAACL 2025, arXiv 2403.03163; `Pix2Code/metrics/whole_res_new.npy` in the
    history of its repository, at 083f7dcb.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

#: What a component counts in `visual_preference`; together 1. Fitted without weights below 0: text has none.
PREFERENCE_WEIGHTS: Mapping[str, float] = {
    "block_match": 0.114,
    "text": 0.0,
    "position": 0.291,
    "color": 0.078,
    "appearance": 0.517,
}

#: How fast people come to agree as two pages differ more: slope of the logistic curve, by metric.
AGREEMENT_SLOPES: Mapping[str, float] = {"visual": 14.0, "visual_preference": 22.2}

#: Decisions that the figures were fitted to.
NUM_DECISIONS = 470


def weighted_preference(components: Mapping[str, float]) -> float:
    """Return the mean of the five components (0..1, by id), each with its weight in people's decisions."""
    return math.fsum(weight * components[name] for name, weight in PREFERENCE_WEIGHTS.items())


def agreement(metric: str, difference: float) -> float:
    """Return how often people prefer the page with the higher score, of two pages for one design.

    The share of their decisions, from 0.5 (a coin) to 1, by how much the scores differ, either way.
    """
    return 1 / (1 + math.exp(-AGREEMENT_SLOPES[metric] * abs(difference)))
