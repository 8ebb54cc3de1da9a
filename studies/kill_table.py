"""What a run over real pages loses when parts of it are killed: Ray on two nodes of this machine.

    python -m studies.kill_table CORPUS [--pairs 100] [--chromium PATH]

CORPUS is as for `studies.corpus_digest`. The same pairs are scored in one process, in two, and on two Ray
nodes with a worker each, of which parts are killed on the way; then by the command, which is killed itself
and started again, and a second time at once. A line a case tells the pairs that are missing, there twice, or
other than one process scored them, bit for bit; seconds from the first result to the last and, where all
workers lived, of processors. Needs the extra `ray` and Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.processes import processes_named, processor_seconds
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.ray import driver
from pytest_design2a11y.measuring.executors.ray.actor import Actor
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.runs.store import load_chunks, read_run, write_run
from pytest_design2a11y.settings.values import Settings
from studies.cluster_nodes import nodes
from studies.corpus_digest import generated_pairs

CHUNK = 10
POISON = 40

#: Seconds in which everything that a killed command had started must end.
LEAVE_SECONDS = 120

#: Numbers of results after which something is killed.
KILLS = (30, 60)

_Strike = Callable[[int, Any], None]


@dataclass
class Table:
    """Scores pairs and compares them with the results of one process.

    Attributes:
        pairs: What to score.
        folder: For caches, cluster and results.
        chromium: The browser; None: the one found on this machine.
        expected: The results of one process.
    """

    pairs: list[Pair]
    folder: Path
    chromium: str | None
    expected: list[Evaluation] = field(default_factory=list)

    def row(
        self,
        name: str,
        *,
        jobs: int,
        strike: _Strike | None = None,
        cluster: Any = None,
        executor: str = "ray",
    ) -> None:
        """Score while something is killed on the way, and print the outcome."""
        settings = Settings(chromium=self.chromium, cache_folder=self.folder / name)
        scored = score_pairs(
            self.pairs,
            settings=settings,
            jobs=jobs,
            executor=executor,
            ray_address=cluster and cluster.address,
        )
        found = [next(scored)]
        began, taken, workers = time.monotonic(), processor_seconds(), _actors()
        for evaluation in scored:
            found.append(evaluation)
            if strike is not None:
                strike(len(found), cluster)
            if len(found) == len(self.pairs):  # Before workers end and their usage is lost
                more = f"{time.monotonic() - began:7.1f} s"
                if set(workers) <= set(_actors()):
                    each = (processor_seconds() - taken) / (len(found) - 1)
                    more += f"  {each:5.2f} s of processors a pair"
        self.expected = self.expected or found
        tell(name, found, self.expected, more)


def tell(name: str, found: Sequence[Evaluation], expected: Sequence[Evaluation], more: str) -> None:
    """Print the number of missing, duplicate and deviating results."""
    by_id = {one.id: one for one in expected}
    counts = Counter(one.id for one in found)
    others = [one for one in found if one != by_id[one.id]]
    print(
        f"{name:32} pairs {len(found):4}  lost {len(by_id.keys() - counts.keys()):2}"
        f"  twice {sum(count > 1 for count in counts.values()):2}  other {len(others):2}  {more}",
        flush=True,
    )
    for one in others:
        print(f"    {one.id}: {one.error or 'other numbers'}", flush=True)


def kill_worker(num_results: int, cluster: Any) -> None:
    """Kill an actor that is working."""
    if num_results in KILLS:
        os.kill(_actors()[0], signal.SIGKILL)


def remove_node(num_results: int, cluster: Any) -> None:
    """Remove a node for good."""
    if num_results == KILLS[0]:
        cluster.remove_node(list(cluster.list_all_nodes())[-1], allow_graceful=False)


def _actors() -> list[int]:
    return sorted(processes_named(b"ray::Actor", b"ray::Fragile"))


@contextmanager
def poison(name: str, deaths: Path) -> Iterator[None]:
    """Make the page of this name kill every worker that gets it, recording that in a file."""

    class Fragile(Actor):
        def score(self, pair: Pair, digests: Any, given: Any) -> Any:
            if pair.subject.id == name:
                with deaths.open("a") as file:
                    file.write("x")
                os.kill(os.getpid(), signal.SIGKILL)
            return super().score(pair, digests, given)

    with patch.object(driver, "Actor", Fragile):
        yield


def started(table: Table, pairs_file: Path, out: Path) -> subprocess.Popen[str]:
    """Start the command, which starts its own cluster."""
    arguments = ["score", "--pairs", str(pairs_file), "--out", str(out), "--executor", "ray", "-j", "2"]
    more = ["--chunk", str(CHUNK), "--json", *(["--chromium", table.chromium] if table.chromium else [])]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest_design2a11y", *arguments, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def chunks_in(out: Path) -> int:
    return sum(path.name != "index.jsonl" for path in out.glob("*.jsonl"))


def wait_for_chunks(number: int, out: Path, command: subprocess.Popen[str]) -> None:
    while chunks_in(out) < number and command.poll() is None:
        time.sleep(0.2)


def left_behind(mark: str) -> list[str]:
    """Return the names of processes still running that were started with this mark in their environment."""
    names = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                names.append((folder / "comm").read_text().strip())
        except OSError:
            continue
    return names


def kill_command(table: Table) -> None:
    """Kill the command halfway, restart it, and start it once more while it is working."""
    pairs_file, out = table.folder / "pairs.jsonl", table.folder / "out"
    pairs_file.write_text("".join(json.dumps(_line(pair)) + "\n" for pair in table.pairs))
    with tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True) as home:
        os.environ.update(HOME=home, RAY_TMPDIR=home)
        command = started(table, pairs_file, out)
        wait_for_chunks(len(table.pairs) // CHUNK // 2, out, command)
        command.kill()
        command.wait()
        _tell_left(chunks_in(out), home)
        began, num_whole = time.monotonic(), chunks_in(out)
        again = started(table, pairs_file, out)
        wait_for_chunks(num_whole + 1, out, again)
        third = started(table, pairs_file, out)
        refusal = third.communicate()[1].strip().splitlines()[-1:]
        told = json.loads(again.communicate()[0])
    more = (
        f"{time.monotonic() - began:7.1f} s, exit code {again.returncode}, {told['known']} known from before"
    )
    _tell_saved(table, out, more)
    print(f"second start meanwhile: exit code {third.returncode}, {' '.join(refusal)}", flush=True)


def _line(pair: Pair) -> dict[str, str]:
    return {
        "id": pair.subject.id,
        "case": pair.subject.case,
        "reference": str(pair.folder / (pair.reference or "")),
        "candidate": str(pair.folder / pair.candidate),
    }


def _tell_left(num_whole: int, mark: str) -> None:
    began = time.monotonic()
    while (left := left_behind(mark)) and time.monotonic() - began < LEAVE_SECONDS:
        time.sleep(1)
    took = time.monotonic() - began
    print(
        f"killed after {num_whole} chunks of {CHUNK}; after {took:.0f} s, processes left: {left}", flush=True
    )


def _tell_saved(table: Table, out: Path, more: str) -> None:
    found = load_chunks(out, has_audit=True)
    assert found.is_complete
    path = table.folder / "expected.jsonl"
    write_run(Run("expected", "", is_complete=True, evaluations=tuple(table.expected)), path)
    # Labels of pages are paths, which the lines contain in full.
    expected = [_unlabelled(one) for one in read_run(path, has_audit=True).evaluations]
    tell("command killed, started again", [_unlabelled(one) for one in found.evaluations], expected, more)


def _unlabelled(evaluation: Evaluation) -> Evaluation:
    return replace(evaluation, reference=None, candidate="")


def main() -> None:
    """Print a line a case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    pairs = generated_pairs(choice.corpus.resolve(), choice.pairs)
    every = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as name:
        table = Table(pairs, Path(name), choice.chromium)
        table.row("one process", jobs=1, executor="serial")
        table.row("two processes", jobs=2, executor="processes")
        with nodes([every, every]) as cluster:
            table.row("Ray, two nodes", jobs=2, cluster=cluster)
            table.row("two workers killed", jobs=2, cluster=cluster, strike=kill_worker)
            with poison(pairs[POISON].subject.id, table.folder / "deaths"):
                table.row("a page that kills its worker", jobs=2, cluster=cluster)
            print(f"    workers that it took down: {len((table.folder / 'deaths').read_text())}", flush=True)
            table.row("a node removed", jobs=2, cluster=cluster, strike=remove_node)
        kill_command(table)


if __name__ == "__main__":
    main()
