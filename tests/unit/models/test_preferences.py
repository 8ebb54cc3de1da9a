"""The second composite, and what a difference means to people, in figures and words."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.models.metrics import METRICS, VISUAL_COMPONENTS
from pytest_design2a11y.models.preferences import (
    AGREEMENT_SLOPES,
    PREFERENCE_WEIGHTS,
    agreement,
    weighted_preference,
)
from pytest_design2a11y.models.run import from_dict, metric_value, to_dict
from pytest_design2a11y.report.comparison.sentences import people_lines, share_text
from tests.factories import make_evaluation, make_run, make_visual

PARTS = {"block_match": 0.6, "text": 0.1, "position": 0.9, "color": 0.7, "appearance": 0.8}


def test_the_weights_are_shares_of_the_five_components_and_text_has_none() -> None:
    assert tuple(PREFERENCE_WEIGHTS) == VISUAL_COMPONENTS
    assert math.fsum(PREFERENCE_WEIGHTS.values()) == pytest.approx(1, abs=1e-12)
    assert all(weight >= 0 for weight in PREFERENCE_WEIGHTS.values())
    assert PREFERENCE_WEIGHTS["text"] == 0


def test_a_preference_by_hand_and_at_its_ends() -> None:
    expected = 0.114 * 0.6 + 0.291 * 0.9 + 0.078 * 0.7 + 0.517 * 0.8
    assert weighted_preference(PARTS) == pytest.approx(expected, abs=1e-12)
    assert weighted_preference(dict.fromkeys(PARTS, 1.0)) == 1.0
    assert weighted_preference(dict.fromkeys(PARTS, 0.0)) == 0.0


def test_text_moves_visual_and_not_the_preference() -> None:
    first, second = (make_visual(0.5, **PARTS | {"text": text}) for text in (0.0, 1.0))

    assert first.visual_preference == second.visual_preference
    assert metric_value(make_evaluation(visual=first), "visual_preference") == first.visual_preference


def test_without_appearance_there_is_no_preference() -> None:
    assert make_visual(0.9).visual_preference is None


def test_json_tells_the_preference_and_reading_computes_it_anew() -> None:
    evaluation = make_evaluation(visual=make_visual(0.5, **PARTS))
    record = to_dict(evaluation)
    told = record["visual"].pop("visual_preference")

    old_run = from_dict(record)

    assert told == evaluation.visual.visual_preference  # type: ignore[union-attr]
    assert metric_value(old_run, "visual_preference") == told


def test_runs_of_other_appearance_backends_do_not_compare_in_it() -> None:
    score = make_visual(0.5, **PARTS, appearance_backend="embedded")
    old = make_run(*(make_evaluation(str(case), score) for case in range(6)))
    other = replace(score, appearance_backend="clip")
    new = make_run(*(make_evaluation(str(case), other) for case in range(6)))

    states = {name: metric.state for name, metric in compare_runs(old, new).metrics.items()}

    assert states["visual_preference"] == "refused"
    assert states["position"] == "compared"


@pytest.mark.parametrize("metric", AGREEMENT_SLOPES)
def test_people_agree_the_more_the_larger_the_difference(metric: str) -> None:
    shares = [agreement(metric, difference) for difference in (0.0, 0.01, 0.02, 0.05, 0.1, 1.0)]

    assert metric in METRICS
    assert shares[0] == 0.5
    assert shares == sorted(shares)
    assert shares[-1] < 1
    assert agreement(metric, -0.05) == agreement(metric, 0.05)
    where_seven_of_ten_agree = math.log(0.7 / 0.3) / AGREEMENT_SLOPES[metric]
    assert agreement(metric, where_seven_of_ten_agree) == pytest.approx(0.7)


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
