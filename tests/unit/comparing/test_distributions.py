"""Student's t and the normal distribution, against SciPy's."""

import pytest
from scipy import special

from pytest_design2a11y.comparing.resampling import (
    normal_quantile,
    normal_tail,
    student_quantile,
    student_tail,
)

FREEDOMS = (1, 2, 3, 9, 49, 399, 401, 4_999, 999_999)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_students_tail_is_scipys(freedom: int) -> None:
    distances = (-2.0, 0.0, 0.001, 0.3, 1.0, 1.5, 2.0, 3.0, 8.0, 100.0)

    assert [student_tail(distance, freedom) for distance in distances] == pytest.approx(
        [special.stdtr(freedom, -distance) for distance in distances], rel=1e-9, abs=1e-200
    )


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_students_quantile_is_scipys(freedom: int) -> None:
    tails = (0.5, 0.49, 0.1, 0.025, 0.001, 1e-10)

    assert [student_quantile(tail, freedom) for tail in tails] == pytest.approx(
        [-special.stdtrit(freedom, tail) for tail in tails], rel=1e-9, abs=1e-9
    )


def test_a_distance_without_end_leaves_nothing() -> None:
    assert student_tail(float("inf"), 5) == 0.0


@pytest.mark.parametrize("distance", [-9.0, 0.0, 0.1, 2.0, 9.0])
def test_the_normal_tail_is_scipys(distance: float) -> None:
    assert normal_tail(distance) == pytest.approx(special.ndtr(-distance), rel=1e-12)
    assert normal_quantile(normal_tail(abs(distance))) == pytest.approx(abs(distance), abs=1e-9)
