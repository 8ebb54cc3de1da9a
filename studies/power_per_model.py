"""How often a gate notices a drop, with the noise of each of several real models.

    python -m studies.power_per_model ROUNDS [--runs 1000] [--seed 1]

ROUNDS is a folder with `rounds.jsonl` (see `studies.null_rounds`): three rounds of one prompt from several
models. A simulated comparison draws cases from a model's 53, each with the mean and the spread of its three
pages, and for each an old and a new set of samples; every case drops by 0.02 on average, by 0.024 (standard
deviation) more or less than that, as a change of prompt moved single cases. It asks the gate "visual", with
margin 0.
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
from pytest_design2a11y.models.run import Run
from studies.null_rounds import saved_rounds
from studies.trials.simulate_gate import DROP, RUNS_AT_ONCE, SPREAD_OF_DROPS, is_failed

Values = NDArray[numpy.float64]

SIZES = ((10, 3), (30, 1), (30, 3), (30, 5), (53, 3), (100, 3), (200, 3))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rounds", type=Path, help="folder with rounds.jsonl")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    if not (parsed.rounds / "rounds.jsonl").is_file():
        print(f"skipped: there is no {parsed.rounds / 'rounds.jsonl'}")
        return 0
    with tempfile.TemporaryDirectory() as saved:
        groups = saved_rounds(parsed.rounds / "rounds.jsonl", Path(saved))
    models = {model: scores(runs) for (model, prompt), runs in groups.items() if prompt == "naive"}
    print(f"| cases | samples | {' | '.join(models)} |")
    print(f"|--:|--:|{'--:|' * len(models)}")
    for num_cases, num_samples in SIZES:
        shares = [
            noticed_share(cases, num_cases, num_samples, num_runs=parsed.runs, seed=parsed.seed)
            for cases in models.values()
        ]
        cells = " | ".join(f"{100 * share:.0f} %" for share in shares)
        print(f"| {num_cases} | {num_samples} | {cells} |", flush=True)
    return 0


def scores(runs: Sequence[Run]) -> Values:
    """Return the visual scores of the cases in every round, (cases, rounds)."""
    rounds = [
        {one.case: one.visual.score for one in run.evaluations if one.visual is not None} for run in runs
    ]
    shared = sorted(set.intersection(*map(set, rounds)))
    return numpy.array([[scores[case] for scores in rounds] for case in shared])


def noticed_share(scores: Values, num_cases: int, num_samples: int, *, num_runs: int, seed: int) -> float:
    """Return the share of simulated comparisons in which the gate fails."""
    generator = numpy.random.default_rng([seed, num_cases, num_samples])
    means, spreads = scores.mean(axis=1), scores.std(axis=1, ddof=1)
    drawn = generator.integers(0, len(scores), (num_cases, num_runs))
    noise = spreads[drawn] / numpy.sqrt(num_samples)
    changes = generator.normal(-DROP, SPREAD_OF_DROPS, drawn.shape)
    old = means[drawn] + noise * generator.standard_normal(drawn.shape)
    new = means[drawn] + changes + noise * generator.standard_normal(drawn.shape)
    parts = [slice(start, start + RUNS_AT_ONCE) for start in range(0, num_runs, RUNS_AT_ONCE)]
    return sum(int(is_failed(Gate("visual"), old[:, part], new[:, part]).sum()) for part in parts) / num_runs


if __name__ == "__main__":
    sys.exit(main())
