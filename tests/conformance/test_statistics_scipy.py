"""Resampling and rank test against SciPy's, on the same data."""

from __future__ import annotations

import numpy
import pytest
import scipy  # Which loads its parts as they are used
from numpy.typing import NDArray

from pytest_design2a11y.comparing.resampling import SEED, resample_means, resampled_means

Values = NDArray[numpy.float64]


def differences(num_cases: int, seed: int = 1) -> Values:
    generator = numpy.random.default_rng(seed)
    return generator.beta(30, 4, num_cases) - generator.beta(30, 4, num_cases)


@pytest.mark.parametrize("num_cases", [5, 10, 53, 1000])
def test_the_resampled_means_are_those_of_scipys_bootstrap(num_cases: int) -> None:
    values = differences(num_cases)

    ours = numpy.concatenate(list(resampled_means(values[:, None], 2000)))[:, 0]
    theirs = scipy.stats.bootstrap(
        (values,),
        numpy.mean,
        n_resamples=2000,
        vectorized=True,
        method="percentile",
        random_state=numpy.random.default_rng(SEED),
    )

    numpy.testing.assert_allclose(ours, theirs.bootstrap_distribution, rtol=0, atol=1e-12)


@pytest.mark.parametrize("num_cases", [10, 54])
def test_the_interval_is_scipys_of_symmetric_data_at_the_widened_level(num_cases: int) -> None:
    """Data that are symmetric around their mean have a symmetric percentile interval: it is ours."""
    half = numpy.abs(differences(num_cases // 2))
    values = numpy.concatenate([0.3 + half, 0.3 - half])
    size = len(values)
    widened = scipy.stats.norm.cdf(scipy.stats.t.ppf(0.025, size - 1) * numpy.sqrt(size / (size - 1)))

    half_width = resample_means(values[:, None], num_resamples=40_000).half_width(0, 0.025)
    theirs = scipy.stats.bootstrap(
        (values,),
        numpy.mean,
        n_resamples=40_000,
        confidence_level=1 - 2 * widened,
        vectorized=True,
        batch=2000,
        method="percentile",
        random_state=numpy.random.default_rng(7),
    ).confidence_interval

    assert half_width == pytest.approx((theirs.high - theirs.low) / 2, rel=0.04)


@pytest.mark.parametrize("num_cases", [53, 400])
def test_the_interval_is_near_scipys_bca_on_data_like_ours(num_cases: int) -> None:
    values = differences(num_cases)

    mean, half_width = float(values.mean()), resample_means(values[:, None]).half_width(0, 0.025)
    theirs = scipy.stats.bootstrap(
        (values,), numpy.mean, method="BCa", batch=500, random_state=numpy.random.default_rng(7)
    ).confidence_interval

    assert (mean - half_width, mean + half_width) == pytest.approx(tuple(theirs), abs=0.12 * half_width)
