"""The committed weights and curve are those that the decisions of people give."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

from studies.trials.preferences import (
    AGREEMENT_SLOPE,
    NUM_DECISIONS,
    PREFERENCE_WEIGHTS,
    WEIGHTED_SLOPE,
    agrees,
    cross_validated,
    fit_weights,
    folds_by_pair,
    read_decisions,
    slope_of,
)

DECISIONS = Path(__file__).parents[3] / "shared" / "human-preferences"

pytestmark = pytest.mark.skipif(
    not (DECISIONS / "decisions.csv").is_file(), reason="the decisions are not beside the repository"
)


def test_weights_and_slopes_are_those_fitted() -> None:
    decisions = read_decisions(DECISIONS)

    assert len(decisions.signs) == NUM_DECISIONS
    assert fit_weights(decisions) == pytest.approx(PREFERENCE_WEIGHTS, abs=0.001)
    weights = numpy.array(list(PREFERENCE_WEIGHTS.values()))
    weighted = (decisions.differences @ weights)[:, None]
    assert slope_of(decisions.means, decisions.signs) == pytest.approx(AGREEMENT_SLOPE, abs=0.1)
    assert slope_of(weighted, decisions.signs) == pytest.approx(WEIGHTED_SLOPE, abs=0.1)


def test_weights_fitted_to_other_pairs_agree_as_often_as_the_documentation_says() -> None:
    decisions = read_decisions(DECISIONS)
    generator = numpy.random.default_rng(1)

    shares = [
        cross_validated(decisions, folds_by_pair(decisions, generator)).mean() for _repetition in range(5)
    ]

    assert numpy.mean(shares) == pytest.approx(0.743, abs=0.01)
    assert agrees(decisions.means[:, 0], decisions.signs).mean() == pytest.approx(0.721, abs=0.001)


def test_no_pair_of_pages_is_in_two_folds() -> None:
    decisions = read_decisions(DECISIONS)

    folds = folds_by_pair(decisions, numpy.random.default_rng(1))

    assert len(set(zip(decisions.pairs, folds, strict=True))) == len(set(decisions.pairs))
    assert set(folds) == set(range(5))
