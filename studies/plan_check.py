"""Whether `design2a11y runs plan` predicts what gates then do, on published rounds of real models.

    python -m studies.plan_check ROUNDS [--runs 400] [--seed 1]

ROUNDS is a folder with `rounds.jsonl` (see `studies.null_rounds`): three rounds of several prompts from
several models. The plan is made from the three rounds of one prompt ("naive"), as a user would make it. Then
gates judge, with the resampling that `compare` does:

    drawn   comparisons drawn from the same pages: cases with replacement, each with old and new samples that
            deviate from its mean as its own three do
    pages   real pages of *other prompts* of the model, against those of another round of the same prompt: one
            sample a case, nothing modelled but the drop

Both are made worse by 0.02 on average, by 0.024 (standard deviation) more or less than that from case to
case.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.planning import Noise, power_curve, read_noise
from pytest_design2a11y.models.run import Run
from studies.null_rounds import joined, saved_rounds
from studies.power_per_model import scores
from studies.trials.simulate_gate import DROP, RUNS_AT_ONCE, SPREAD_OF_DROPS, is_failed

Values = NDArray[numpy.float64]

SIZES = ((10, 1), (10, 3), (30, 1), (30, 3), (30, 5), (53, 1), (53, 3), (100, 3), (200, 3))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rounds", type=Path, help="folder with rounds.jsonl")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    if not (parsed.rounds / "rounds.jsonl").is_file():
        print(f"skipped: there is no {parsed.rounds / 'rounds.jsonl'}")
        return 0
    with tempfile.TemporaryDirectory() as saved:
        groups = saved_rounds(parsed.rounds / "rounds.jsonl", Path(saved))
    print("| model | cases | samples | planned | drawn | pages |")
    print("|---|--:|--:|--:|--:|--:|")
    for model in dict.fromkeys(model for model, _prompt in groups):
        rounds = groups[model, "naive"]
        noise, deviations = read_noise(joined(rounds), "visual"), strays(scores(rounds))
        others = [runs for (name, prompt), runs in groups.items() if name == model and prompt != "naive"]
        for num_cases, num_samples in SIZES:
            how = {"num_runs": parsed.runs, "seed": parsed.seed}
            told = row(noise, deviations, others, num_cases, num_samples, **how)
            print(f"| {model} | {num_cases} | {num_samples} | {told} |", flush=True)
    return 0


def row(
    noise: Noise,
    deviations: Values,
    others: Sequence[Sequence[Run]],
    num_cases: int,
    num_samples: int,
    *,
    num_runs: int,
    seed: int,
) -> str:
    """Return the three shares for one size, in per cent."""
    curve = power_curve(
        noise, drop=DROP, spread=SPREAD_OF_DROPS, num_samples=num_samples, max_cases=num_cases
    )
    drawn = drawn_share(deviations, num_cases, num_samples, num_runs=num_runs, seed=seed)
    shares = [float(curve[-1]), drawn]
    if num_samples == 1 and others:
        shares.append(pages_share(others, num_cases, num_runs=num_runs, seed=seed))
    return " | ".join([*(f"{100 * share:.0f} %" for share in shares), *[""] * (3 - len(shares))])


def strays(values: Values) -> Values:
    """Return the deviation of each sample from its case's mean, scaled to the variance of pages."""
    num_samples = values.shape[1]
    deviations: Values = values - values.mean(axis=1, keepdims=True)
    deviations *= numpy.sqrt(num_samples / (num_samples - 1))
    return deviations


def drawn_share(deviations: Values, num_cases: int, num_samples: int, *, num_runs: int, seed: int) -> float:
    """Return the share of simulated comparisons in which the resampling gate fails."""
    generator = numpy.random.default_rng([seed, num_cases, num_samples])
    cases = generator.integers(0, len(deviations), (num_cases, num_runs))
    worse_by = generator.normal(DROP, SPREAD_OF_DROPS, cases.shape)
    for sign in (1, -1):
        for _sample in range(num_samples):
            drawn = generator.integers(0, deviations.shape[1], cases.shape)
            worse_by += sign * deviations[cases, drawn] / num_samples
    return _failing(worse_by)


def pages_share(groups: Sequence[Sequence[Run]], num_cases: int, *, num_runs: int, seed: int) -> float:
    """Return the share of comparisons of real pages in which the resampling gate fails."""
    generator = numpy.random.default_rng([seed, num_cases])
    rounds = numpy.concatenate([scores(runs) for runs in groups])
    cases = generator.integers(0, len(rounds), (num_cases, num_runs))
    old = generator.integers(0, rounds.shape[1], cases.shape)
    new = (old + generator.integers(1, rounds.shape[1], cases.shape)) % rounds.shape[1]
    worse_by = rounds[cases, old] - rounds[cases, new]
    return _failing(worse_by + generator.normal(DROP, SPREAD_OF_DROPS, worse_by.shape))


def _failing(worse_by: Values) -> float:
    num_runs = int(worse_by.shape[1])
    parts = (worse_by[:, start : start + RUNS_AT_ONCE] for start in range(0, num_runs, RUNS_AT_ONCE))
    return (
        sum(int(is_failed(Gate("visual"), part, numpy.zeros_like(part)).sum()) for part in parts) / num_runs
    )


if __name__ == "__main__":
    sys.exit(main())
