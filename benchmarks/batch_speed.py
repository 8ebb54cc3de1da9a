"""What `score --pairs` gains from a second process, and whether its memory stays flat.

    python -m benchmarks.batch_speed REFERENCES CANDIDATES [CANDIDATES ...] [--pairs 24] [--memory 500]

Folders; pages with the same file name are a pair. Processes, browsers and imports are started anew for each
measurement and count, and nothing is taken from a cache.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.processes import resident_megabytes

#: From here on everything that is loaded once has been.
SETTLED = 50


def score(pairs: Sequence[dict[str, str]], jobs: int) -> Iterator[int]:
    """Run the command line; give its process number at the start and after each pair."""
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
    """Give the seconds, and those of processors, that scoring takes."""
    start, taken = time.perf_counter(), ended_seconds()
    lines = sum(1 for _ in score(pairs, jobs)) - 1
    if lines != len(pairs):
        raise SystemExit(f"{lines} of {len(pairs)} pairs were scored.")
    return time.perf_counter() - start, ended_seconds() - taken


def ended_seconds() -> float:
    """Give the processor time of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def throughput(pairs: Sequence[dict[str, str]], rounds: int) -> None:
    ratios = []
    for _ in range(rounds):
        (alone, taken), (together, taken_together) = seconds(pairs, 1), seconds(pairs, 2)
        ratios.append(alone / together)
        print(
            f"{len(pairs)} pairs: -j 1 {alone:6.1f} s, -j 2 {together:6.1f} s, gain {ratios[-1]:.2f};"
            f" processor time a pair {taken / len(pairs):.3f} s, {taken_together / len(pairs):.3f} s",
            flush=True,
        )
    print(f"throughput of -j 2 / -j 1, median of {rounds}: {statistics.median(ratios):.2f}")


def memory(pairs: Sequence[dict[str, str]]) -> None:
    """Tell what our process holds after the first pairs and from then on."""
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
