"""What `score --pairs` gains from a second process, and whether its memory stays flat.

    python -m benchmarks.batch_speed REFERENCES CANDIDATES [CANDIDATES ...] [--pairs 24] [--memory 500]

Folders; pages with the same file name are a pair. Processes, browsers and imports are started anew for each
measurement and count, and nothing is taken from a cache. Beside it stands what the floor of `pair_cost` gains
from a second process, each with half of the pairs: what this machine has to give.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.pair_cost import floors
from benchmarks.processes import resident_megabytes
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.launch import launch

#: Number of pairs after which everything loaded once has been loaded.
SETTLED = 50


def score(pairs: Sequence[dict[str, str]], jobs: int) -> Iterator[int]:
    """Run the command; yield its process number at the start and after each pair."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(pair) + "\n" for pair in pairs)
        file.flush()
        command = [sys.executable, "-m", "pytest_design2a11y", "score", "--pairs", file.name]
        command += ["-j", str(jobs), "--json", "--no-cache"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            yield process.pid
            for _ in process.stdout:
                yield process.pid


def seconds(pairs: Sequence[dict[str, str]], jobs: int) -> tuple[float, float]:
    """Return the wall seconds and processor seconds that scoring takes."""
    start, taken = time.perf_counter(), ended_seconds()
    lines = sum(1 for _ in score(pairs, jobs)) - 1
    if lines != len(pairs):
        raise SystemExit(f"{lines} of {len(pairs)} pairs were scored.")
    return time.perf_counter() - start, ended_seconds() - taken


def ended_seconds() -> float:
    """Return the processor time of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def floor_seconds(pairs: Sequence[dict[str, str]], jobs: int) -> float:
    """Return the seconds that the floor takes in `jobs` processes, each with its share of the pairs."""
    context = multiprocessing.get_context("spawn")
    start = time.perf_counter()
    processes = [context.Process(target=_floors, args=(pairs[job::jobs],)) for job in range(jobs)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        if process.exitcode:
            raise SystemExit("The floor could not be measured.")
    return time.perf_counter() - start


def _floors(pairs: Sequence[dict[str, str]]) -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium.launch, chromium=None, options={}).browser
        files = [(Path(pair["reference"]), Path(pair["candidate"])) for pair in pairs]
        deque(floors(browser, files, read_axe_script(None)), maxlen=0)
        browser.close()


def throughput(pairs: Sequence[dict[str, str]], rounds: int) -> None:
    """Print the gain from a second process, for us and the floor in turn, by the fastest of all rounds."""
    rows = []
    for _ in range(rounds):
        (alone, taken), (together, taken_together) = seconds(pairs, 1), seconds(pairs, 2)
        rows.append((alone, together, floor_seconds(pairs, 1), floor_seconds(pairs, 2)))
        print(
            f"{len(pairs)} pairs: -j 1 {alone:6.1f} s, -j 2 {together:6.1f} s;"
            f" processor time a pair {taken / len(pairs):.3f} s, {taken_together / len(pairs):.3f} s;"
            f" floor {rows[-1][2]:6.1f} s, two at a time {rows[-1][3]:6.1f} s",
            flush=True,
        )
    alone, together, floor_alone, floor_together = (min(column) for column in zip(*rows, strict=True))
    print(f"throughput of -j 2 / -j 1, least of {rounds}: {alone / together:.2f}")
    print(f"the same of the floor: {floor_alone / floor_together:.2f}")


def memory(pairs: Sequence[dict[str, str]]) -> None:
    """Print the memory of our process after the first pairs and at later points."""
    held = []
    for number, process in enumerate(score(pairs, 1)):
        held.append(resident_megabytes([process]))
        if number in (SETTLED, len(pairs)) or number % 100 == 0:
            print(f"after {number:4d} pairs {held[-1]:7.1f} MB", flush=True)
    if len(held) > SETTLED:
        print(f"last / after {SETTLED}: {held[-1] / held[SETTLED]:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("references", type=Path)
    parser.add_argument("candidates", type=Path, nargs="+")
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, default=0, metavar="PAIRS")
    arguments = parser.parse_args()
    pairs = [
        {
            "id": f"{folder.name}/{page.stem}",
            "reference": str(page.resolve()),
            "candidate": str(candidate.resolve()),
        }
        for folder in arguments.candidates
        for page in sorted(arguments.references.glob("*.html"))
        if (candidate := folder / page.name).exists()
    ]
    if arguments.rounds:
        throughput(pairs[: arguments.pairs], arguments.rounds)
    if arguments.memory:
        memory(list(itertools.islice(itertools.cycle(pairs), arguments.memory)))


if __name__ == "__main__":
    main()
