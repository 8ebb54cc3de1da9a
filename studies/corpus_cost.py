"""What pages of a corpus cost, one after the other, and what memory the process and its browser hold.

    python -m studies.corpus_cost CORPUS COSTS [--pages N] [--chromium PATH]

CORPUS is as for `studies.corpus_digest`; its pages come again, each with a comment of its own, until there
are N. They are scored as `design2a11y score --pairs ... --out` does, into a temporary folder. COSTS gets a
JSON line a page: seconds, processor seconds of this process and all that it started, and their memory in
megabytes (proportional set size: what processes share counts once). Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from unittest.mock import patch

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.browser.processes import descendants
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.run_end import corpus
from pytest_design2a11y.settings.values import Settings
from studies.corpus_digest import corpus_pairs


def endless_pairs(folder: Path) -> Iterator[Pair]:
    """Return the pairs of a corpus again and again, no two of them equal."""
    pairs = list(corpus_pairs(folder))
    for number, pair in enumerate(pairs * 1000):
        text = (folder / pair.candidate).read_text(encoding="utf-8", errors="replace")
        page = Answer(f"{text}\n<!-- {number} -->")
        yield replace(pair, subject=Subject(str(number), pair.subject.case), candidate=page)


def megabytes() -> tuple[float, float]:
    """Return the memory of this process, and of all that it started."""
    sizes = {process: _size(process) for process in descendants(os.getpid())}
    own = sizes.pop(os.getpid())
    return own, sum(sizes.values())


def _size(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def watched(pairs: Iterable[Pair], costs: TextIO, **how: Any) -> Iterator[Evaluation]:
    """Score pairs, and write down what each has cost."""
    scored = score_pairs(pairs, **how)
    for page in count(1):
        began, taken = time.monotonic(), processor_seconds()
        evaluation = next(scored, None)
        if evaluation is None:
            return
        seconds, processor = time.monotonic() - began, processor_seconds() - taken
        own, others = megabytes()
        record = {
            "page": page,
            "seconds": round(seconds, 3),
            "processor_seconds": round(processor, 2),
            "megabytes": round(own, 1),
            "megabytes_browser": round(others, 1),
        }
        costs.write(json.dumps(record) + "\n")
        costs.flush()
        yield evaluation


def main() -> None:
    """Score, and write what it cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("costs", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    pairs = islice(endless_pairs(choice.corpus.resolve()), choice.pages)
    with TemporaryDirectory() as folder, choice.costs.open("w") as costs:
        settings = Settings(chromium=choice.chromium, cache_folder=Path(folder) / "cache")
        with patch.object(corpus, "score_pairs", partial(watched, costs=costs)):
            for done in corpus.score_corpus(pairs, folder=Path(folder), settings=settings, chunk_size=100):
                print(done, flush=True)


if __name__ == "__main__":
    main()
