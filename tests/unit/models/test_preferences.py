"""What a difference means to people, in figures and words."""

from __future__ import annotations

import math

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.models.preferences import AGREEMENT_SLOPE, agreement
from pytest_design2a11y.report.comparison.sentences import people_lines, share_text
from tests.factories import make_evaluation, make_run


def test_people_agree_the_more_the_larger_the_difference() -> None:
    shares = [agreement(difference) for difference in (0.0, 0.01, 0.02, 0.05, 0.1, 1.0)]

    assert shares[0] == 0.5
    assert shares == sorted(shares)
    assert shares[-1] < 1
    assert agreement(-0.05) == agreement(0.05)
    where_seven_of_ten_agree = math.log(0.7 / 0.3) / AGREEMENT_SLOPE
    assert agreement(where_seven_of_ten_agree) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.5, "people prefer the higher score about half of the time"),
        (0.57, "people prefer the higher score about 6 times in 10"),
        (0.8, "people prefer the higher score about 8 times in 10"),
        (0.96, "people prefer the higher score more than 9 times in 10"),
    ],
)
def test_shares_in_words(share: float, words: str) -> None:
    assert share_text(share) == words


def test_a_comparison_says_what_its_change_is_to_people_of_two_single_pages() -> None:
    old, new = (make_run(*(make_evaluation(str(case), score) for case in range(6))) for score in (0.9, 0.88))

    (line,) = people_lines(compare_runs(old, new))

    assert line == (
        "to people, by 470 published decisions: where two single pages differ by 0.0200 in visual, people "
        "prefer the higher score about 6 times in 10; a mean over many pages is another matter"
    )
    assert list(people_lines(compare_runs(old, old))) == []
