"""What Ray costs on one node, and what a second one gains: real pages, each node on a processor of its own.

    python -m studies.cluster_nodes CORPUS [--pairs 100] [--every 250] [--chromium PATH]

CORPUS is as for `studies.corpus_digest`; its candidates are scored in one process on one processor, on one
Ray node that has the same processor, and on two nodes with one each; where more pairs are asked for than it
has, they come again, as in `studies.corpus_cost`. Time is counted from the first result on, when browsers
have started; that of processors is the one to go by where other work runs beside. After so many pairs, the
memory of all processes is told by kind. Results must be the same, bit for bit. Needs the extra `ray`, two
processors and Linux.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.processes import kind_of, processor_seconds
from pytest_design2a11y.capture.browser.processes import command_line, descendants
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.ray.cluster import require_ray
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.values import Settings
from studies.corpus_cost import endless_pairs, size_of
from studies.corpus_digest import generated_pairs

STORE_BYTES = 1 << 28


@contextmanager
def nodes(processors: Sequence[set[int]]) -> Iterator[Any]:
    """Start a node on each of these sets of processors, with one worker each; yield the cluster."""
    folder = tempfile.mkdtemp(prefix="r")  # Holds sockets, whose paths must be short.
    os.environ.update(HOME=folder, RAY_TMPDIR=folder, RAY_USAGE_STATS_ENABLED="0")
    require_ray()
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster()
    try:
        for own in processors:
            # Processes started here inherit the processors that this process is bound to.
            with bound_to(own):
                cluster.add_node(num_cpus=1, include_dashboard=False, object_store_memory=STORE_BYTES)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def bound_to(processors: set[int]) -> Iterator[None]:
    """Run this process, and what it starts, only on these processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def timed(scored: Iterator[Evaluation], num_pairs: int, every: int) -> tuple[float, float, list[Evaluation]]:
    """Return the seconds per pair from the first result to the last, processor seconds, and the results."""
    found = [next(scored)]
    began, taken = time.monotonic(), processor_seconds()
    for evaluation in islice(scored, num_pairs - 1):
        found.append(evaluation)
        if len(found) % every == 0:
            held = ", ".join(f"{kind} {size:,.0f}" for kind, size in sorted(megabytes().items()))
            print(f"    {len(found):,} pairs: {held} MB", flush=True)
    # Before workers end, after which their usage is no longer available.
    seconds, processor = time.monotonic() - began, processor_seconds() - taken
    found += scored
    return seconds / (num_pairs - 1), processor / (num_pairs - 1), found


def megabytes() -> dict[str, float]:
    """Return the memory of this process and all that it started, by kind."""
    held: defaultdict[str, float] = defaultdict(float)
    for process in descendants(os.getpid()):
        words = command_line(process)
        if words and words[0].startswith("ray::"):
            kind = "workers"
        elif process != os.getpid() and any("/ray/" in word for word in words):
            kind = "ray"
        else:
            kind = kind_of(process)
        held[kind] += size_of(process)
    return held


def main() -> None:
    """Print seconds per pair."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--every", type=int, default=250)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    first, second = sorted(os.sched_getaffinity(0))[:2]
    corpus = choice.corpus.resolve()
    pairs = generated_pairs(corpus, choice.pairs)
    if len(pairs) < choice.pairs:
        pairs = list(islice(endless_pairs(corpus), choice.pairs))
    alone = set(descendants(os.getpid()))

    def told(
        name: str,
        seconds: float,
        processor: float,
        results: list[Evaluation],
        expected: list[Evaluation],
    ) -> None:
        others = [pair for pair in zip(results, expected, strict=True) if pair[0] != pair[1]]
        same = f"{len(expected) - len(others)} of {len(expected)} the same as serial"
        print(f"{name:28}{seconds:7.3f} s a pair, {processor:6.3f} of processors   {same}", flush=True)
        for one, other in others:
            names = [
                each.name for each in fields(one) if getattr(one, each.name) != getattr(other, each.name)
            ]
            print(f"    {one.id} differs in {', '.join(names)}: {one.error} {one.warnings}", flush=True)

    def settings(name: str) -> Settings:
        return Settings(chromium=choice.chromium, cache_folder=Path(folder) / name)

    with tempfile.TemporaryDirectory() as folder:
        with bound_to({first}):
            scored = score_pairs(pairs, settings=settings("serial"), executor="serial")
            serial, processor, expected = timed(scored, len(pairs), choice.every)
        told("serial, one processor", serial, processor, expected, expected)
        took = []
        for processors in ([{first}], [{first}, {second}]):
            with nodes(processors) as cluster:
                jobs = len(processors)
                scored = score_pairs(
                    pairs,
                    settings=settings(str(jobs)),
                    jobs=jobs,
                    executor="ray",
                    ray_address=cluster.address,
                )
                seconds, processor, results = timed(scored, len(pairs), choice.every)
            took.append(seconds)
            told(f"ray, nodes: {jobs}", seconds, processor, results, expected)
    print(f"one node / serial {took[0] / serial:.3f}, two nodes / one {took[0] / took[1]:.2f} x as fast")
    print(f"processes left behind: {len(set(descendants(os.getpid())) - alone)}")


if __name__ == "__main__":
    main()
