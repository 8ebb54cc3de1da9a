"""The meaning of a difference to people: numbers fitted to published decisions.

In the human study of Design2Code, people saw a design and two pages generated for it, and decided which is
more similar. `studies/trials/preferences.py` fits, to 470 of these 588 decisions, the probability that people
prefer the page with the higher score as a function of the score difference; a fifth is held out. The scores
come from Design2Code's own program, whose fifth component is CLIP: it corresponds to `appearance` with the
backend "embedded".

References:
    Si et al., "Design2Code", NAACL 2025, arXiv 2403.03163; `Pix2Code/metrics/whole_res_new.npy` in the
    history of its repository, at 083f7dcb.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

#: Weights of the components in `visual_preference`, which sum to 1; fitted to be at least 0, text has none.
PREFERENCE_WEIGHTS: Mapping[str, float] = {
    "block_match": 0.114,
    "text": 0.0,
    "position": 0.291,
    "color": 0.078,
    "appearance": 0.517,
}

#: How fast agreement grows with the difference of two pages: slope of the logistic curve, by metric.
AGREEMENT_SLOPES: Mapping[str, float] = {"visual": 14.0, "visual_preference": 22.2}

#: Number of decisions that the values were fitted to.
NUM_DECISIONS = 470


def weighted_preference(components: Mapping[str, float]) -> float:
    """Return the mean of the five components (0..1, by id), weighted as in people's decisions."""
    return math.fsum(weight * components[name] for name, weight in PREFERENCE_WEIGHTS.items())


def agreement(metric: str, difference: float) -> float:
    """Return how often people prefer the page with the higher score, out of two pages for one design.

    This is the share of their decisions, from 0.5 (a coin toss) to 1, for a score difference of either sign.
    """
    return 1 / (1 + math.exp(-AGREEMENT_SLOPES[metric] * abs(difference)))
