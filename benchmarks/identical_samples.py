"""What three identical samples of a page cost, beside one: they are rendered and scored once.

    python -m benchmarks.identical_samples REFERENCES CANDIDATES [--pages 30] [--samples 3]

Each page is scored with one sample, with several copies of it under other names, and with the same copies but
every one rendered anew (`--no-cache`). References come from the cache on disk, warmed before.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shutil
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings.values import Settings


def make_pairs(references: Path, candidates: Path, folder: Path, pages: int, samples: int) -> list[Pair]:
    """Copy each candidate once per sample, under its own name, beside the files of its folder."""
    shutil.copytree(candidates, folder, dirs_exist_ok=True)
    names = [page.name for page in sorted(candidates.glob("*.html")) if (references / page.name).is_file()]
    pairs = []
    for name in names[:pages]:
        for sample in range(1, samples + 1):
            copy = folder / f"{Path(name).stem}.sample-{sample}.html"
            shutil.copyfile(candidates / name, copy)
            subject = Subject(id=copy.name, case=name, sample=str(sample))
            pairs.append(Pair(subject, str((references / name).resolve()), str(copy), folder))
    return pairs


def seconds(pairs: list[Pair], settings: Settings) -> tuple[float, list[float | None]]:
    """Score pairs in a fresh process; return the time and the scores."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_seconds, pairs, settings).result()


def _seconds(pairs: list[Pair], settings: Settings) -> tuple[float, list[float | None]]:
    start = time.perf_counter()
    found = list(score_pairs(pairs, settings=settings))
    return time.perf_counter() - start, [None if one.visual is None else one.visual.score for one in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("references", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--samples", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pairs = make_pairs(given.references, given.candidates, folder / "pages", given.pages, given.samples)
        cached = Settings(cache_folder=folder / "cache")
        firsts = pairs[:: given.samples]
        seconds([replace(pair, candidate=str(pair.reference)) for pair in firsts], cached)
        one, _scores = seconds(firsts, cached)
        several, scores = seconds(pairs, cached)
        anew, scores_anew = seconds(pairs, Settings())
    print(f"{len(firsts)} pages, 1 sample each: {one:.1f} s")
    print(f"{given.samples} identical samples each: {several:.1f} s, {several / one:.2f} times as much")
    print(f"the same, each rendered anew: {anew:.1f} s; identical ones take {several / anew:.2f} of it")
    print(f"scores are the same: {scores == scores_anew}")


if __name__ == "__main__":
    main()
