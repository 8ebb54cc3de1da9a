"""What a difference of the metric means to people: weights and curves fitted to published decisions.

    python -m studies.trials.preferences FOLDER [--seed 1]

FOLDER holds `decisions.csv`: one row for each decision of a person between two pages for one design, with the
differences (first page minus second) of the mean of five and of its components, and whether the first was
preferred. Without it, nothing is done.

- *Curve*: P(people prefer the page with the higher score) = 1 / (1 + exp(-slope * difference)). It has no
  intercept, so that it does not matter which page comes first: in these data the first page won 64 %.
- *Weights*: the same model of all five differences, no weight below 0, divided by their sum.
- *Cross-validation*: five folds, 20 times. Some pairs of pages were judged twice; all decisions on a pair are
  in one fold. The data do not tell which rows share a design, so that designs are in several folds; the line
  of consecutive tenths is a check (rows that follow each other seem to be of one system).
- *Intervals*: 95 %, bootstrap over pairs of pages; those of curves refit the slope in each draw.

The curve and the weights of all of these decisions are committed here.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

#: The fitted weights of the components, which sum to 1; none is below 0, and text has none.
PREFERENCE_WEIGHTS = {
    "block_match": 0.114,
    "text": 0.0,
    "position": 0.291,
    "color": 0.078,
    "appearance": 0.517,
}
#: Number of decisions that the curves are fitted to, and the slope of that of `visual`.
NUM_DECISIONS, AGREEMENT_SLOPE = 470, 14.0
#: Slope of the curve of the components with these weights.
WEIGHTED_SLOPE = 22.2

#: Our component -> the column of its difference; CLIP is the fifth in the published scores.
COLUMNS = {name: "clip" if name == "appearance" else name for name in PREFERENCE_WEIGHTS}
SLOPES = {"visual": AGREEMENT_SLOPE, "weighted": WEIGHTED_SLOPE}
SHOWN = (0.01, 0.02, 0.05, 0.1)
NUM_FOLDS, NUM_REPETITIONS, NUM_DRAWS = 5, 20, 1000
LARGEST_SLOPE = 1000.0

Values = NDArray[numpy.float64]
Places = NDArray[numpy.intp]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions between two pages.

    Attributes:
        differences: Of the components, in the order of `COLUMNS`, (decisions, 5).
        means: Differences of the mean of five, (decisions, 1).
        signs: 1 where the first page was preferred, else -1, (decisions,).
        pairs: Which pair of pages each is about, (decisions,).
    """

    differences: Values
    means: Values
    signs: Values
    pairs: Places


def read_decisions(folder: Path) -> Decisions:
    """Read `decisions.csv`; rows with equal differences are about the same pair of pages."""
    with (folder / "decisions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    differences = numpy.array([[float(row[column]) for column in COLUMNS.values()] for row in rows])
    return Decisions(
        differences=differences,
        means=numpy.array([[float(row["mean_of_five"])] for row in rows]),
        signs=numpy.array([1.0 if row["is_preferred"] == "1" else -1.0 for row in rows]),
        pairs=numpy.unique(differences, axis=0, return_inverse=True)[1].ravel(),
    )


def fit(differences: Values, signs: Values) -> Values:
    """Return the coefficients of the logistic model without intercept, none below 0, (columns,)."""
    toward = differences * signs[:, None]

    def loss(coefficients: Values) -> tuple[float, Values]:
        evidence = toward @ coefficients
        return float(numpy.logaddexp(0, -evidence).mean()), -(toward * expit(-evidence)[:, None]).mean(axis=0)

    start = numpy.zeros(differences.shape[1])
    bounds = [(0.0, LARGEST_SLOPE)] * len(start)
    found: Values = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return found


def fit_weights(decisions: Decisions) -> dict[str, float]:
    """Return the weight of every component; together 1."""
    coefficients = fit(decisions.differences, decisions.signs)
    return dict(zip(COLUMNS, map(float, coefficients / coefficients.sum()), strict=True))


def slope_of(scores: Values, signs: Values) -> float:
    """Return the slope of the curve for the differences of one score, (decisions, 1)."""
    return float(fit(scores, signs)[0])


def agrees(evidence: Values, signs: Values) -> Values:
    """Return 1 for decisions for the page with the higher score, 0 against it, half where the scores tie."""
    return (numpy.sign(evidence) * signs + 1) / 2


def cross_validated(decisions: Decisions, folds: Places) -> Values:
    """Tell, as `agrees` does, which decisions agree with weights fitted to the other folds."""
    found = numpy.zeros(len(folds))
    for fold in range(int(folds.max()) + 1):
        held_out = folds == fold
        known = ~numpy.isin(decisions.pairs, decisions.pairs[held_out])
        coefficients = fit(decisions.differences[known], decisions.signs[known])
        evidence = decisions.differences[held_out] @ coefficients
        found[held_out] = agrees(evidence, decisions.signs[held_out])
    return found


def folds_by_pair(decisions: Decisions, generator: numpy.random.Generator) -> Places:
    """Put all decisions on a pair of pages into the same fold."""
    num_pairs = int(decisions.pairs.max()) + 1
    return (generator.permutation(num_pairs) % NUM_FOLDS)[decisions.pairs]


def resampled(pairs: Places, generator: numpy.random.Generator) -> Iterator[Places]:
    """Draw pairs of pages with replacement; give the rows of the decisions on them."""
    rows_of = [numpy.flatnonzero(pairs == pair) for pair in range(int(pairs.max()) + 1)]
    for _ in range(NUM_DRAWS):
        yield numpy.concatenate([rows_of[pair] for pair in generator.integers(0, len(rows_of), len(rows_of))])


def interval(values: Sequence[float] | Values) -> tuple[float, float]:
    """Return the middle 95 %."""
    low, high = numpy.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with decisions.csv")
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    if not (parsed.folder / "decisions.csv").is_file():
        print(f"skipped: there is no {parsed.folder / 'decisions.csv'}")
        return 0
    decisions = read_decisions(parsed.folder)
    generator = numpy.random.default_rng(parsed.seed)
    print(f"{len(decisions.signs)} decisions on {int(decisions.pairs.max()) + 1} pairs of pages\n")
    _print_weights(fit_weights(decisions))
    _print_agreement(decisions, generator)
    weights = numpy.array(list(PREFERENCE_WEIGHTS.values()))
    scores = {"visual": decisions.means, "weighted": (decisions.differences @ weights)[:, None]}
    for name, differences in scores.items():
        _print_curve(name, differences, decisions, generator)
    return 0


def _print_weights(weights: dict[str, float]) -> None:
    print("| component | weight | committed |\n|---|--:|--:|")
    for name, weight in weights.items():
        print(f"| {name} | {weight:.3f} | {PREFERENCE_WEIGHTS[name]:.3f} |")


def _print_agreement(decisions: Decisions, generator: numpy.random.Generator) -> None:
    repeated = [
        cross_validated(decisions, folds_by_pair(decisions, generator)) for _ in range(NUM_REPETITIONS)
    ]
    in_order = numpy.arange(len(decisions.signs)) * 10 // len(decisions.signs)
    mean = agrees(decisions.means[:, 0], decisions.signs)
    fitted = numpy.mean(repeated, axis=0)
    rows = {
        "mean of five": mean,
        "text alone": agrees(decisions.differences[:, 1], decisions.signs),
        "fitted weights, cross-validated": fitted,
        "the same, less the mean of five": fitted - mean,
        "fitted weights, consecutive tenths": cross_validated(decisions, in_order),
    }
    draws = list(resampled(decisions.pairs, generator))
    print("\n| score | agrees with people | 95 % interval |\n|---|--:|:-:|")
    for name, shares in rows.items():
        low, high = interval([shares[rows_drawn].mean() for rows_drawn in draws])
        print(f"| {name} | {100 * shares.mean():.1f} % | {100 * low:.1f} to {100 * high:.1f} |")


def _print_curve(name: str, scores: Values, decisions: Decisions, generator: numpy.random.Generator) -> None:
    slope = slope_of(scores, decisions.signs)
    drawn = [slope_of(scores[rows], decisions.signs[rows]) for rows in resampled(decisions.pairs, generator)]
    low, high = interval(drawn)
    print(f"\n{name}: slope {slope:.1f} ({low:.1f} to {high:.1f}), committed {SLOPES[name]:.1f}\n")
    print("| difference | people agree | 95 % interval |\n|--:|--:|:-:|")
    for difference in SHOWN:
        share, least, most = (100 * expit(one * difference) for one in (slope, low, high))
        print(f"| {difference:g} | {share:.0f} % | {least:.0f} to {most:.0f} |")
    print("\n| difference | decisions | people agree (counted) |\n|---|--:|--:|")
    sizes, agreed = numpy.abs(scores[:, 0]), agrees(scores[:, 0], decisions.signs)
    for start, end in zip((0.0, *SHOWN[1:]), (*SHOWN[1:], numpy.inf), strict=True):
        inside = (sizes >= start) & (sizes < end)
        print(f"| {start:g} to {end:g} | {inside.sum()} | {100 * agreed[inside].mean():.0f} % |")


if __name__ == "__main__":
    sys.exit(main())
