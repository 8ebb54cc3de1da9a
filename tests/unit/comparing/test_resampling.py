from __future__ import annotations

import numpy
import pytest
from scipy.special import stdtrit

from pytest_design2a11y.comparing import resampling
from pytest_design2a11y.comparing.resampling import MAX_CASES, MeanDistribution, resample_means

GENERATOR = numpy.random.default_rng(8)


def drawn(num_cases: int) -> MeanDistribution:
    return resample_means(numpy.random.default_rng(num_cases).normal(0.1, 1.0, (num_cases, 1)))


@pytest.mark.parametrize("num_cases", [2, 4, 5, 10, 30, 200])
def test_the_p_value_and_the_half_width_are_two_readings_of_one_curve(num_cases: int) -> None:
    distribution = drawn(num_cases)

    tolerance = 0.006 if num_cases == 5 else 0.002  # five cases have 126 distinct resamples only
    for tail in (0.05, 0.025):
        limit = float(distribution.means[0]) - distribution.half_width(0, tail)
        assert distribution.p_above(0, limit) == pytest.approx(tail, abs=tolerance)
        above = float(distribution.means[0]) + distribution.half_width(0, tail)
        assert distribution.p_above(0, above) == pytest.approx(1 - tail, abs=tolerance)


@pytest.mark.parametrize("num_cases", [2, 3, 4])
def test_few_cases_get_the_interval_of_student(num_cases: int) -> None:
    distribution = drawn(num_cases)

    expected = -stdtrit(num_cases - 1, 0.025) * distribution.errors[0]
    assert distribution.half_width(0, 0.025) == pytest.approx(expected)


@pytest.mark.parametrize("num_cases", [5, 10, 30, 200])
def test_normal_differences_get_about_the_interval_of_student(num_cases: int) -> None:
    widths, expected = [], []
    for seed in range(30):
        values = numpy.random.default_rng(seed).normal(0, 1, (num_cases, 1))
        distribution = resample_means(values, num_resamples=4000)
        widths.append(distribution.half_width(0, 0.05))
        expected.append(-stdtrit(num_cases - 1, 0.05) * distribution.errors[0])

    assert numpy.mean(widths) == pytest.approx(numpy.mean(expected), rel=0.05)


def test_a_tail_beyond_what_the_resamples_tell_is_students() -> None:
    distribution = resample_means(numpy.arange(5.0)[:, None], num_resamples=1000)

    expected = -stdtrit(4, 0.001) * distribution.errors[0]
    assert distribution.half_width(0, 0.001) == pytest.approx(expected)


def test_columns_do_not_disturb_each_other() -> None:
    values = GENERATOR.normal(0, 1, (12, 3))

    together = resample_means(values)
    alone = resample_means(values[:, 1:2])

    assert together.half_width(1, 0.05) == pytest.approx(alone.half_width(0, 0.05), rel=1e-12)


def test_many_cases_are_drawn_in_several_parts_with_the_same_result() -> None:
    values = GENERATOR.normal(0, 1, (3001, 1))

    distribution = resample_means(values, num_resamples=3000)

    assert distribution.spread is not None
    assert len(distribution.spread) == 3000
    assert distribution.half_width(0, 0.025) == pytest.approx(1.96 * distribution.errors[0], rel=0.06)


def test_one_case_has_no_spread() -> None:
    with pytest.raises(ValueError, match="at least two cases"):
        resample_means(numpy.ones((1, 1)))


def test_very_many_cases_have_the_interval_that_resampling_would_give_them() -> None:
    """Skewed differences, a few of them large: still the same to 3 %."""
    generator = numpy.random.default_rng(4)
    differences = generator.exponential(0.02, (MAX_CASES + 1, 1)) ** 1.5

    quick = resample_means(differences).half_width(0, 0.025)
    resampled = resample_means(differences[:MAX_CASES]).half_width(0, 0.025)

    assert quick == pytest.approx(resampled, rel=0.03)


def test_draws_that_are_kept_are_those_that_are_not() -> None:
    kept = numpy.concatenate(resampling._kept_counts(7, 50))
    drawn = numpy.concatenate(list(resampling._draw_counts(7, 50)))

    assert numpy.array_equal(kept, drawn)
    assert (kept.sum(axis=1) == 7).all()
    assert resampling._kept_counts(7, 50) is resampling._kept_counts(7, 50)
