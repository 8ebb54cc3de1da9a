"""Fits the embedded appearance to published similarities; writes pytest_design2a11y/visual/appearance.json.

Run: python -m studies.fit_appearance --corpus ../shared/corpus --captures /tmp/captures
                                         [--chromium /usr/lib/chromium/chromium] [--check]

Captures are kept in the folder given, so that a second run takes a minute. The corpus is not part of the
repository; without it the fitted file stays as it is. --check measures the file that is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.stats import spearmanr

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.capture.renderer import Renderer, open_renderer
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.visual.appearance import Look, Term, differences, fitted_terms, look_at, similarity

FITTED = Path(__file__).parents[1] / "pytest_design2a11y" / "visual" / "appearance.json"
REFERENCES = "references"
NUM_CASES = 53

#: Quantiles of a difference at which terms are capped.
QUANTILES = (0.1, 0.4, 0.95)
#: The last term continues this far beyond the largest cap, so that the result keeps falling.
REACH = 4.0
#: Prior for what each difference subtracts at its reach, and the strength of that prior.
BELIEF, STRENGTH = 0.05, 3.0

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Candidates with a published score: one row each."""

    names: tuple[str, ...]
    found: Numbers
    published: Numbers
    cases: NDArray[np.int64]


def capture_all(corpus: Path, captures: Path, chromium: str | None) -> None:
    """Render every page whose capture does not exist yet."""
    folders = [
        REFERENCES,
        *sorted(f"candidates/{folder.name}" for folder in (corpus / "candidates").iterdir()),
    ]
    missing = [
        (corpus / folder / f"{case}.html", captures / Path(folder).name / f"{case}.json")
        for folder in folders
        for case in range(1, NUM_CASES + 1)
        if not (captures / Path(folder).name / f"{case}.json").exists()
    ]
    if not missing:
        return
    with open_renderer(chromium=chromium) as renderer:
        for page, target in missing:
            try:
                capture(renderer, page, target)
            except Design2a11yError as error:
                print(f"left out: {page}: {error}")


def capture(renderer: Renderer, page: Path, target: Path) -> None:
    captured = renderer.capture(read_document(page, max_bytes=50_000_000), role="reference", audit=None)
    blocks = find_seen_text(text_runs=captured.text_runs, screenshot=captured.screenshot)[0]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".png").write_bytes(captured.screenshot.png)
    target.write_text(json.dumps({"blocks": [{"box": block.box} for block in blocks]}))


def look_of(captures: Path, candidate_set: str, case: int) -> Look:
    boxes = captures / candidate_set / f"{case}.json"
    pixels = Screenshot(boxes.with_suffix(".png").read_bytes()).pixels
    return look_at(pixels, [tuple(block["box"]) for block in json.loads(boxes.read_text())["blocks"]])


def read_pairs(corpus: Path, captures: Path) -> Pairs:
    references = {case: look_of(captures, REFERENCES, case) for case in range(1, NUM_CASES + 1)}
    rows, published, cases = [], [], []
    for expected in sorted((corpus / "expected").glob("*.jsonl")):
        for line in map(json.loads, expected.read_text().splitlines()):
            case = line["case"]
            if not (captures / expected.stem / f"{case}.json").exists():
                continue
            rows.append(differences(references[case], look_of(captures, expected.stem, case)))
            published.append(line["published"]["visual"]["clip"])
            cases.append(case)
    names = tuple(rows[0])
    return Pairs(
        names, np.array([[row[name] for name in names] for row in rows]), np.array(published), np.array(cases)
    )


def fit(names: Sequence[str], found: Numbers, published: Numbers) -> list[Term]:
    """Fit non-negative weights to the distance from 1 (ridge regression towards the prior)."""
    caps = [
        (name, max(float(np.quantile(column, quantile)), 1e-4))
        for name, column in zip(names, found.T, strict=True)
        for quantile in QUANTILES
    ]
    reaches = [
        (name, REACH * float(np.quantile(column, QUANTILES[-1])))
        for name, column in zip(names, found.T, strict=True)
    ]
    terms = [*caps, *reaches]
    believed = np.array([0.0] * len(caps) + [BELIEF] * len(reaches))
    columns = dict(zip(names, found.T, strict=True))
    table = np.array([np.minimum(columns[name] / cap, 1.0) for name, cap in terms]).T
    system = np.vstack([table, np.sqrt(STRENGTH) * np.eye(len(terms))])
    weights, _ = nnls(system, np.concatenate([1.0 - published, np.sqrt(STRENGTH) * believed]))
    return [
        (name, round(cap, 6), round(float(weight), 6))
        for (name, cap), weight in zip(terms, weights, strict=True)
        if weight > 1e-6
    ]


def predict(pairs: Pairs, terms: Sequence[Term], rows: Iterable[int]) -> list[float]:
    return [similarity(dict(zip(pairs.names, pairs.found[row], strict=True)), terms) for row in rows]


def folds(cases: NDArray[np.int64], seed: int, number: int = 10) -> Iterator[NDArray[np.bool_]]:
    """Yield splits by reference page: all candidates of a page are held out together."""
    order = np.random.default_rng(seed).permutation(np.unique(cases))
    for start in range(number):
        yield np.isin(cases, order[start::number])


def cross_validate(pairs: Pairs, seed: int) -> Numbers:
    predicted = np.empty(len(pairs.published))
    for is_held_out in folds(pairs.cases, seed):
        terms = fit(pairs.names, pairs.found[~is_held_out], pairs.published[~is_held_out])
        predicted[is_held_out] = predict(pairs, terms, np.flatnonzero(is_held_out).tolist())
    return predicted


def figures(predicted: Numbers, published: Numbers) -> tuple[float, float]:
    """Return the mean absolute error and Spearman's rank correlation."""
    error = float(np.abs(predicted - published).mean())
    return error, float(spearmanr(predicted, published).statistic)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--captures", type=Path, required=True)
    parser.add_argument("--chromium", default=None)
    parser.add_argument("--check", action="store_true", help="measure the fitted file; write nothing")
    arguments = parser.parse_args()
    capture_all(arguments.corpus, arguments.captures, arguments.chromium)
    pairs = read_pairs(arguments.corpus, arguments.captures)
    always_median = float(np.abs(pairs.published - np.median(pairs.published)).mean())
    print(f"{len(pairs.published)} pairs; always the median: mean absolute error {always_median:.4f}")
    if arguments.check:
        found = figures(
            np.array(predict(pairs, fitted_terms(), range(len(pairs.published)))), pairs.published
        )
        print(
            f"the fitted file, on the pairs it was fitted to: error {found[0]:.4f}, Spearman {found[1]:.3f}"
        )
        return
    results = [figures(cross_validate(pairs, seed), pairs.published) for seed in range(5)]
    for seed, (error, correlation) in enumerate(results):
        print(f"ten folds by reference page, seed {seed}: error {error:.4f}, Spearman {correlation:.3f}")
    for name, column in zip(pairs.names, pairs.found.T, strict=True):
        print(f"  {name:14s} alone: Spearman {spearmanr(-column, pairs.published).statistic:.3f}")
    terms = fit(pairs.names, pairs.found, pairs.published)
    mean_error, mean_correlation = np.mean(results, axis=0)
    cross_validated = {"error": round(float(mean_error), 4), "spearman": round(float(mean_correlation), 3)}
    document = {"pairs": len(pairs.published), "cross_validated": cross_validated, "terms": terms}
    FITTED.write_text(json.dumps(document, indent=1) + "\n")
    print(f"wrote {FITTED}: {cross_validated}")


if __name__ == "__main__":
    main()
