"""The gate's error, by simulation: it fails in about 5 % of comparisons where nothing changed."""

from __future__ import annotations

import numpy
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.comparing import Comparison, MetricComparison, RunFacts
from pytest_design2a11y.comparing.gates import Gate
from studies.trials.simulate_gate import SCENARIOS, draw_cases, failing_share, is_failed
from tests.factories import judge_gates


def share(scenario: str, num_cases: int, num_samples: int, num_runs: int) -> float:
    value: float = failing_share(
        scenario, num_cases=num_cases, num_samples=num_samples, num_runs=num_runs, seed=1
    )
    return value


@pytest.mark.parametrize("num_samples", [1, pytest.param(3, marks=pytest.mark.slow), 5])
@pytest.mark.parametrize("num_cases", [10, *(pytest.param(one, marks=pytest.mark.slow) for one in (30, 100))])
def test_where_nothing_changed_the_gate_fails_in_3_to_7_percent(num_cases: int, num_samples: int) -> None:
    assert 0.03 <= share("unchanged", num_cases, num_samples, 1000) <= 0.07


@pytest.mark.parametrize("scenario", ["drop", "at margin"])
def test_the_simulation_decides_as_the_gate_does(scenario: str) -> None:
    draw, gate = SCENARIOS[scenario]
    generator = numpy.random.default_rng(5)
    runs = [draw(draw_cases(10, generator), 1, generator) for _run in range(60)]
    old, new = (numpy.stack([run[side].mean(axis=1) for run in runs], axis=1) for side in (0, 1))

    decisions = is_failed(gate, old, new)

    judged = [judge(gate, old[:, run], new[:, run]) for run in range(60)]
    assert list(decisions) == judged
    assert any(judged)


def judge(gate: Gate, old: NDArray[numpy.float64], new: NDArray[numpy.float64]) -> bool:
    cases = tuple(str(number) for number in range(len(old)))
    metric = MetricComparison(
        "visual", "compared", cases=cases, old_values=old, new_values=new, num_losses=len(cases)
    )
    side = RunFacts("simulated", "", True, len(cases), len(cases))
    comparison = Comparison(side, side, len(cases), len(cases), {"visual": metric}, (), (), (), ())
    return judge_gates([gate], comparison)[0].state == "failed"


def test_pages_that_come_out_broken_do_not_make_it_cry_wolf() -> None:
    assert share("breaking", 10, 1, 500) <= 0.07


def test_a_drop_as_large_as_the_margin_fails_no_more_often() -> None:
    assert share("at margin", 30, 1, 400) <= 0.08


def test_a_drop_is_noticed_with_enough_cases() -> None:
    assert share("drop", 10, 1, 200) < share("drop", 30, 3, 200)
    assert share("drop", 30, 3, 200) >= 0.85
