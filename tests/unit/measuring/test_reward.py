"""Rewards: weighted, 0 for a page that is to blame, and none where something else failed."""

from __future__ import annotations

import pytest

from pytest_design2a11y import reward
from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.models.verdicts import Failure
from tests.factories import make_evaluation, make_visual


def test_it_is_fidelity_unless_weights_say_more() -> None:
    whole = make_visual(0.9, elements=0.7, typography=0.8, fidelity=0.75)
    assert reward(make_evaluation("a", whole)) == 0.75


def test_where_fidelity_is_not_known_there_is_none_by_default() -> None:
    with pytest.raises(MeasurementError, match="has no fidelity, so there is no reward: It was not measured"):
        reward(make_evaluation(visual=0.8))


def test_rates_count_from_their_better_end() -> None:
    evaluation = make_evaluation(visual=0.8, ir=0.1)

    assert reward(evaluation, weights={"visual": 3, "ir": 1}) == pytest.approx((3 * 0.8 + 0.9) / 4)


@pytest.mark.parametrize("type_name", ["EmptyDocument", "NotHtml", "PageTooLarge"])
def test_a_candidate_that_is_to_blame_gets_nothing(type_name: str) -> None:
    failed = make_evaluation(
        visual=None, ir=None, reference="design.html", error=Failure(type_name, "No.", role="candidate")
    )

    assert reward(failed, weights={"visual": 1, "iwir": 1}) == 0.0


@pytest.mark.parametrize(
    "failure",
    [
        Failure("BrowserLost", "The browser ended.", role="candidate"),
        Failure("RenderTimeout", "Too slow.", role="candidate"),
        Failure("EmptyDocument", "No design.", role="reference"),
    ],
)
def test_no_reward_is_made_of_what_nobody_saw(failure: Failure) -> None:
    failed = make_evaluation(visual=None, ir=None, reference="design.html", error=failure)

    with pytest.raises(
        MeasurementError, match=f"login.html has no fidelity, so there is no reward: {failure.message}"
    ):
        reward(failed)


def test_a_metric_that_was_not_measured_is_named() -> None:
    with pytest.raises(MeasurementError, match="has no iwir, so there is no reward: It was not measured"):
        reward(make_evaluation(ir=None), weights={"iwir": 1})


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"beauty": 1}, "'beauty' cannot be part of a reward"),
        ({"failed": 1}, "'failed' cannot be part of a reward"),
        ({"visual": 0}, "The weight of visual is 0"),
        ({"visual": float("nan")}, "The weight of visual is nan"),
        ({}, "A reward needs a metric"),
    ],
)
def test_weights_are_checked(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        reward(make_evaluation(), weights=weights)
