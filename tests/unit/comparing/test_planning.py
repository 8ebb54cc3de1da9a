"""How many cases and samples notice a drop."""

from __future__ import annotations

import numpy
import pytest

from pytest_design2a11y.comparing import planning
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.planning import POWER, Noise, make_plan, power_curve, read_noise
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from studies.trials.simulate_gate import is_failed
from tests.factories import make_evaluation, make_run


def run_of(values: dict[str, list[float | None]], **axes: str) -> Run:
    return make_run(
        *(
            make_evaluation(
                case,
                value,
                sample=str(number),
                axes=axes,
                reference=case,
                error=Failure("EmptyDocument", "Nothing.", "candidate") if value is None else None,
            )
            for case, samples in values.items()
            for number, value in enumerate(samples)
        ),
        name="main",
    )


def noisy(within: float, *, num_cases: int = 60, num_samples: int = 3) -> Noise:
    generator = numpy.random.default_rng(7)
    samples = generator.normal(0.7, within, (num_cases, num_samples)) + generator.normal(
        0, 0.05, (num_cases, 1)
    )
    return read_noise(
        run_of({str(number): list(map(float, row)) for number, row in enumerate(samples)}), "visual"
    )


def test_the_noise_is_that_of_the_samples_and_not_of_the_cases() -> None:
    noise = noisy(0.03)

    assert noise.within_cases == pytest.approx(0.03, rel=0.15)
    assert noise.between_cases == pytest.approx(0.053, rel=0.25)
    assert (noise.num_cases, noise.num_samples) == (60, 3)


@pytest.mark.parametrize(
    ("within", "num_cases", "num_samples"), [(0.03, 12, 1), (0.03, 12, 3), (0.06, 40, 3)]
)
def test_the_power_is_that_of_the_gate(within: float, num_cases: int, num_samples: int) -> None:
    noise = noisy(within)
    generator = numpy.random.default_rng(3)
    old, new = generator.normal(0, noise.within_cases, (2, num_samples, num_cases, 400)).mean(axis=1)
    worse_by = old - new + generator.normal(0.02, 0.024, old.shape)

    noticed = is_failed(Gate("visual"), worse_by, numpy.zeros_like(worse_by)).mean()
    planned = power_curve(noise, drop=0.02, spread=0.024, num_samples=num_samples, max_cases=num_cases)[-1]

    assert planned == pytest.approx(noticed, abs=0.08)  # three standard errors of 400 comparisons


def test_a_plan_takes_as_many_cases_as_four_in_five_need() -> None:
    noise = noisy(0.05)

    plan = make_plan(noise, drop=0.02)

    assert plan.spread == pytest.approx(0.024)
    cases = [plan.needed[samples] for samples in (1, 2, 3, 5)]
    assert cases == sorted(cases, key=lambda one: -(one or 0))
    assert all(cases)
    curve = power_curve(noise, drop=0.02, spread=0.024, num_samples=1)
    needed = plan.needed[1]
    assert needed is not None
    assert curve[needed - 1] >= POWER > curve[needed - 2]
    assert plan.own_power == pytest.approx(
        power_curve(noise, drop=0.02, spread=0.024, num_samples=3, max_cases=60)[-1]
    )


def test_what_no_number_of_cases_notices_is_said_to_be_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MAX_CASES", 150)

    plan = make_plan(noisy(0.2), drop=0.005, spread=0.001)

    assert set(plan.needed.values()) == {None}


def test_samples_that_do_not_differ_leave_the_spread_of_the_drop() -> None:
    same = read_noise(run_of({str(number): [0.5, 0.5] for number in range(6)}), "visual")

    assert same.within_cases == 0
    assert len(set(make_plan(same, drop=0.02).needed.values())) == 1


def test_the_power_is_that_of_a_t_test() -> None:
    # G*Power 3.1, difference of matched pairs, one tail, dz = 0.5, alpha = 0.05, power 0.8: 27 pairs.
    even = Noise("visual", mean=0.7, between_cases=0.1, within_cases=0.0, num_cases=60, num_samples=3)

    curve = power_curve(even, drop=0.05, spread=0.1, num_samples=1, max_cases=30)

    assert curve[26] >= POWER > curve[25]
    assert [*curve[:4]] == [0.0] * 4  # Gates judge five cases or more


def test_a_large_drop_is_noticed_for_sure() -> None:
    even = Noise("visual", mean=0.7, between_cases=0.1, within_cases=0.0, num_cases=60, num_samples=3)

    assert power_curve(even, drop=0.5, spread=0.1, num_samples=1)[4:] == pytest.approx(1.0)


def test_pages_that_were_not_measured_are_left_out_and_tests_of_one_sample_averaged() -> None:
    run = run_of({str(number): [0.5, 0.6, None if number == 0 else 0.7] for number in range(6)})
    again = make_run(
        *run.evaluations,
        *run_of({str(number): [0.5] for number in range(6)}).evaluations,
        name="main",
    )

    assert read_noise(run, "visual").num_cases == 6
    assert read_noise(again, "visual") == read_noise(run, "visual")


def test_too_little_to_plan_by_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="'main' has 4 cases with two samples or more"):
        read_noise(run_of({**{str(n): [0.5, 0.6] for n in range(4)}, "x": [0.5]}), "visual")
    with pytest.raises(ConfigurationError, match=r"cannot become worse by 1\.5"):
        make_plan(noisy(0.03), drop=1.5)
    mixed = make_run(
        *run_of({"a": [0.5, 0.6]}, model="small").evaluations,
        *run_of({"a": [0.5, 0.6]}, model="large").evaluations,
        name="main",
    )
    with pytest.raises(ConfigurationError, match=r"mixes model, .* -o design2a11y_only=model=small"):
        read_noise(mixed, "visual")
