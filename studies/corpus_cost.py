"""What pages of a corpus cost, one after the other, and what memory each kind of process holds.

    python -m studies.corpus_cost CORPUS COSTS [--pages N] [--jobs N] [--every 250] [--like COSTS]

CORPUS is as for `studies.corpus_digest`; its pages come again, each with a comment of its own, until there
are N. They are scored as `design2a11y score --pairs ... --out` does, into a temporary folder. COSTS gets a
JSON line a page: seconds, processor seconds of this process and all that it started, and their memory in
megabytes (proportional set size: what processes share counts once). In the end a table has the medians of so
many pages and by how much memory grows after the first 500; then how many pages measure the same as in
another run, `--like` its COSTS, and what processes and temporary files are left. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import linear_regression, median
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from unittest.mock import patch

from benchmarks.processes import KINDS, kind_of, processor_seconds
from pytest_design2a11y.capture.browser.processes import command_line, descendants
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.run_end import corpus
from pytest_design2a11y.settings import Settings
from studies.corpus_digest import corpus_pairs, digest_of

#: Number of pages until memory use settles.
FIRST = 500


def endless_pairs(folder: Path) -> Iterator[Pair]:
    """Yield the pairs of a corpus endlessly, no two of them equal."""
    pairs = list(corpus_pairs(folder))
    for number, pair in enumerate(pairs * 1000):
        text = (folder / pair.candidate).read_text(encoding="utf-8", errors="replace")
        page = Answer(f"{text}\n<!-- {number} -->")
        yield replace(pair, subject=Subject(str(number), pair.subject.case), candidate=page)


def megabytes() -> dict[str, float]:
    """Return the memory of processes, by kind."""
    held = dict.fromkeys(KINDS, 0.0)
    for process in descendants(os.getpid()):
        held[kind_of(process)] += size_of(process)
    return held


def size_of(process: int) -> float:
    """Return the megabytes of a process, with its part of shared memory."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def watched(pairs: Iterable[Pair], costs: TextIO, **how: Any) -> Iterator[Evaluation]:
    """Score pairs, and record the cost of each."""
    scored = score_pairs(pairs, **how)
    for page in count(1):
        began, taken = time.monotonic(), processor_seconds()
        evaluation = next(scored, None)
        if evaluation is None:
            return
        seconds, processor = time.monotonic() - began, processor_seconds() - taken
        record = {
            "page": page,
            "digest": digest_of(evaluation),
            "seconds": round(seconds, 3),
            "processor_seconds": round(processor, 2),
            "megabytes": {kind: round(held, 1) for kind, held in megabytes().items()},
        }
        costs.write(json.dumps(record) + "\n")
        costs.flush()
        yield evaluation


def told(costs: Sequence[Mapping[str, Any]], every: int) -> Iterator[str]:
    """Yield a row per `every` pages, and the megabytes that 1,000 pages add after the first ones."""
    yield "pages".ljust(16) + "".join(name.rjust(12) for name in (*KINDS, "seconds", "processor"))
    for first in range(0, len(costs), every):
        part = costs[first : first + every]
        memory = [median(page["megabytes"][kind] for page in part) for kind in KINDS]
        cost = [median(page[name] for page in part) for name in ("seconds", "processor_seconds")]
        yield f"{first + 1:,} to {first + len(part):,}".ljust(16) + (
            "".join(f"{one:12.0f}" for one in memory) + "".join(f"{one:12.2f}" for one in cost)
        )
    later = costs[FIRST:]
    if len(later) > every:
        slopes = [
            1000 * linear_regression(range(len(later)), [page["megabytes"][kind] for page in later]).slope
            for kind in KINDS
        ]
        yield "MB in 1,000 more".ljust(16) + "".join(f"{one:12.1f}" for one in slopes)


def read(costs: Path) -> list[dict[str, Any]]:
    """Return the recorded costs, page by page."""
    return [json.loads(line) for line in costs.read_text().splitlines()]


def main() -> None:
    """Score, and record the costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("costs", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--like", type=Path)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    pairs = islice(endless_pairs(choice.corpus.resolve()), choice.pages)
    with TemporaryDirectory() as folder, TemporaryDirectory() as temporary, choice.costs.open("w") as file:
        # All started processes, including browsers, put their temporary files here.
        os.environ["TMPDIR"] = tempfile.tempdir = temporary
        settings = Settings(chromium=choice.chromium, cache_folder=Path(folder) / "cache")
        with patch.object(corpus, "score_pairs", partial(watched, costs=file)):
            for done in corpus.score_corpus(
                pairs, folder=Path(folder), settings=settings, jobs=choice.jobs, chunk_size=100
            ):
                print(done, flush=True)
        left = [path.name for path in Path(temporary).iterdir()]
    costs = read(choice.costs)
    print("\n".join(told(costs, choice.every)))
    if choice.like:
        both = list(zip(costs, read(choice.like), strict=False))
        print(f"{sum(one['digest'] == other['digest'] for one, other in both)} of {len(both)} pages the same")
    commands = [" ".join(command_line(one)) for one in descendants(os.getpid()) if one != os.getpid()]
    # Python's own process, which ends with this one, may stay.
    left += [command for command in commands if "resource_tracker" not in command]
    print(f"left behind: {', '.join(left) or 'nothing'}")


if __name__ == "__main__":
    main()
