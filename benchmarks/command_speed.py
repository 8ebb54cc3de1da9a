"""What `check`, `history` and `compare` take for large saved runs, beside plain decoding of the same files.

    python -m benchmarks.command_speed [--cases 10000] [--samples 3] [--runs 145]

Processor time and memory are those of the whole command, imports included; the floor is a process that
decodes every line of the same files as JSON and keeps nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.compare_speed import make_run
from pytest_design2a11y.runs import save_run

COMMAND = ("-m", "pytest_design2a11y")
FLOOR = """
import json, pathlib
for path in pathlib.Path("{folder}").glob("*.jsonl"):
    for line in path.open("rb"):
        json.loads(line)
"""
#: Number of cases and samples in one of the study's rounds.
STUDY = (53, 3)


def save_runs(folder: Path, *, number: int, cases: int, samples: int) -> None:
    for place in range(number):
        run = make_run(f"run-{place}", num_cases=cases, num_samples=samples, seed=place + 1)
        created = f"2026-01-01T{place // 60:02d}:{place % 60:02d}:00+00:00"
        save_run(replace(run, created=created), folder=folder)


def processor_seconds(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Run Python; return processor seconds and peak memory in MB."""
    process = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{arguments} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def show(title: str, folder: Path, commands: list[list[str]]) -> None:
    runs = folder / ".design2a11y" / "runs"
    floor, _memory = processor_seconds(["-c", FLOOR.format(folder=runs)], folder)
    size = sum(path.stat().st_size for path in runs.iterdir()) / 1e6
    print(f"{title}: {size:.0f} MB; decoding all of it as JSON takes {floor:.2f} s")
    for command in commands:
        seconds, memory = processor_seconds([*COMMAND, *command], folder)
        print(f"  {command[0]}: {seconds:.2f} s, {seconds / floor:.2f} of it; {memory:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--runs", type=int, default=145)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        large, many = Path(temporary, "large"), Path(temporary, "many")
        save_runs(large / ".design2a11y" / "runs", number=2, cases=given.cases, samples=given.samples)
        compare = ["compare", "run-0", "run-1", "--fail-on", "visual:0.02", "--set", "allow_missing=5%"]
        title = f"2 runs of {given.cases} cases with {given.samples} samples"
        show(title, large, [["check", "run-1", "--max-iwir", "0.2"], ["runs", "list"], compare])
        cases, samples = STUDY
        save_runs(many / ".design2a11y" / "runs", number=given.runs, cases=cases, samples=samples)
        show(f"{given.runs} runs of {cases} cases with {samples} samples", many, [["runs", "list"]])


if __name__ == "__main__":
    main()
