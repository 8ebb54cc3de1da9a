"""How often the gate fails where nothing changed, and how often it notices a drop.

    python -m studies.trials.simulate_gate [--runs 1000] [--seed 1]

Every simulated run draws its cases, each with its own mean visual similarity and its own spread between
samples; then samples for an old and a new run; and asks the gate "visual", as `design2a11y compare --fail-on
visual` does. The output is the table in docs/comparing-runs.md.

The noise is that of one model's pages, generated three times from each of 53 designs with one prompt: visual
similarity 0.871 on average, standard deviation 0.057 between cases and 0.032 between a case's samples (root
mean
square: 0.018 in typical cases, several times that in a few), skewed towards 0. A second prompt moved the mean
    by
0.015, and single cases by 0.024 (standard deviation) more or less than that: a change of prompt does not move
all cases alike.

Scenarios, each judged with margin 0 unless said otherwise:
    unchanged   old and new samples from the same cases
    breaking    the same, but one sample in twenty is a page that came out broken, at 0 to 0.6 of its value
    at margin   every case drops by 0.02 and the gate allows 0.02
    drop        cases drop by 0.02 on average, with a standard deviation of 0.024 between cases
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.aggregate import CONFIDENCE
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.resampling import resample_means

Values = NDArray[numpy.float64]

RUNS_AT_ONCE = 250

NUM_CASES = (10, 30, 100)
NUM_SAMPLES = (1, 3, 5)

MEAN, BETWEEN_CASES = 0.871, 0.057
TYPICAL_SPREAD, SPREAD_OF_SPREADS = 0.018, 0.77
DROP, SPREAD_OF_DROPS = 0.02, 0.024
BREAKING_SHARE, BREAKING_VALUE = 0.05, 0.6


@dataclass(frozen=True)
class Cases:
    """Cases with their true means and the standard deviations of their samples, (cases,) each."""

    means: Values
    spreads: Values

    def draw(self, num_samples: int, generator: numpy.random.Generator) -> Values:
        """Draw samples, (cases, samples)."""
        spreads = numpy.minimum(self.spreads, 0.9 * numpy.sqrt(self.means * (1 - self.means)))
        size = self.means * (1 - self.means) / spreads**2 - 1
        shape = (len(self.means), num_samples)
        return generator.beta((self.means * size)[:, None], ((1 - self.means) * size)[:, None], shape)

    def moved(self, changes: Values | float) -> Cases:
        """Return the same cases with other true means."""
        return Cases(numpy.clip(self.means + changes, 0.02, 0.995), self.spreads)


def draw_cases(num_cases: int, generator: numpy.random.Generator) -> Cases:
    size = MEAN * (1 - MEAN) / BETWEEN_CASES**2 - 1
    means = generator.beta(MEAN * size, (1 - MEAN) * size, num_cases)
    spreads = TYPICAL_SPREAD * numpy.exp(SPREAD_OF_SPREADS * generator.standard_normal(num_cases))
    return Cases(numpy.clip(means, 0.15, 0.995), spreads)


def unchanged(cases: Cases, num_samples: int, generator: numpy.random.Generator) -> tuple[Values, Values]:
    return cases.draw(num_samples, generator), cases.draw(num_samples, generator)


def breaking(cases: Cases, num_samples: int, generator: numpy.random.Generator) -> tuple[Values, Values]:
    def broken(samples: Values) -> Values:
        factors = generator.uniform(0, BREAKING_VALUE, samples.shape)
        return numpy.where(generator.random(samples.shape) < BREAKING_SHARE, samples * factors, samples)

    old, new = unchanged(cases, num_samples, generator)
    return broken(old), broken(new)


def at_margin(cases: Cases, num_samples: int, generator: numpy.random.Generator) -> tuple[Values, Values]:
    return cases.draw(num_samples, generator), cases.moved(-DROP).draw(num_samples, generator)


def drop(cases: Cases, num_samples: int, generator: numpy.random.Generator) -> tuple[Values, Values]:
    changes = generator.normal(-DROP, SPREAD_OF_DROPS, len(cases.means))
    return cases.draw(num_samples, generator), cases.moved(changes).draw(num_samples, generator)


Scenario = Callable[[Cases, int, numpy.random.Generator], tuple[Values, Values]]

SCENARIOS: dict[str, tuple[Scenario, Gate]] = {
    "unchanged": (unchanged, Gate("visual")),
    "breaking": (breaking, Gate("visual")),
    "at margin": (at_margin, Gate("visual", DROP)),
    "drop": (drop, Gate("visual")),
}


def is_failed(gate: Gate, old: Values, new: Values) -> NDArray[numpy.bool_]:
    """Tell which of many runs fail, as `judge_groups` does for each: all of them see the same draws.

    Args:
        gate: An absolute gate on a metric of which more is better.
        old: Values of the cases, (cases, runs).
        new: Values of the cases, (cases, runs).
    """
    distribution = resample_means(old - new - gate.margin)
    half_widths = [distribution.half_width(run, 1 - CONFIDENCE) for run in range(old.shape[1])]
    return distribution.means - half_widths > 0


def failing_share(name: str, *, num_cases: int, num_samples: int, num_runs: int, seed: int) -> float:
    """Return the share of simulated runs in which the gate fails."""
    scenario, gate = SCENARIOS[name]
    generator = numpy.random.default_rng([seed, list(SCENARIOS).index(name), num_cases, num_samples])
    runs = [scenario(draw_cases(num_cases, generator), num_samples, generator) for _run in range(num_runs)]
    old, new = (numpy.stack([run[side].mean(axis=1) for run in runs], axis=1) for side in (0, 1))
    parts = range(0, num_runs, RUNS_AT_ONCE)
    failures = (
        is_failed(gate, *(side[:, start : start + RUNS_AT_ONCE] for side in (old, new))) for start in parts
    )
    return sum(int(part.sum()) for part in failures) / num_runs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"| cases | samples | {' | '.join(SCENARIOS)} |")
    print(f"|--:|--:|{'--:|' * len(SCENARIOS)}")
    for num_cases in NUM_CASES:
        for num_samples in NUM_SAMPLES:
            shares = [
                failing_share(
                    name,
                    num_cases=num_cases,
                    num_samples=num_samples,
                    num_runs=arguments.runs,
                    seed=arguments.seed,
                )
                for name in SCENARIOS
            ]
            cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
            print(f"| {num_cases} | {num_samples} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
