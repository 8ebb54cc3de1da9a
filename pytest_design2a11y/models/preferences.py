"""The meaning of a difference to people: a curve fitted to published decisions.

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

#: How fast agreement grows with the difference of two pages in `visual`: slope of the logistic curve.
AGREEMENT_SLOPE = 14.0

#: Number of decisions that it was fitted to.
NUM_DECISIONS = 470


def agreement(difference: float) -> float:
    """Return how often people prefer the page with the higher `visual`, 0.5 to 1, by the difference."""
    return 1 / (1 + math.exp(-AGREEMENT_SLOPE * abs(difference)))
