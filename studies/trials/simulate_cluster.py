"""How the throughput of the Ray executor grows with its workers, simulated over measured costs of pages.

    python -m studies.trials.simulate_cluster COSTS [--check] [--seed N]

COSTS comes from `studies.corpus_cost`. Simulated time passes; who gets which pair, what waits for what and
what is tried again is decided by the executor's own code. A page takes the processor time of a measured one,
on a processor of its own. With trouble, one page in 500 takes 40 s, one worker in 20 is half as fast, each
ends once an hour (another is there after 15 s), and one page in 10,000 ends every worker that gets it.

`--check` runs the executor itself, on Ray on this machine, with 1, 2, 4 and 8 workers that sleep where a page
would be rendered, and sets its seconds beside the simulated ones. Sleeping takes no processor: it checks all
but how pages share one.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.processes import AHEAD
from pytest_design2a11y.measuring.executors.ray import driver
from pytest_design2a11y.measuring.executors.ray.actor import Actor, Entry, Scored
from pytest_design2a11y.measuring.executors.ray.tasks import References, Task, Tasks
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.settings.values import Settings

#: Seconds of the driver's processor that a pair takes, measured with workers that do nothing.
DRIVER_SECONDS = 0.001

#: Pages of the corpus that come first: its designs, each rendered for the first time.
NUM_DESIGNS = 53

SAMPLES = 8
ENTRY_BYTES = 300_000


class Trouble(NamedTuple):
    """What goes wrong: shares of pages or workers, seconds, and how often a worker ends."""

    slow_pages: float = 0.0
    slow_page_seconds: float = 40.0
    slow_workers: float = 0.0
    ends_an_hour: float = 0.0
    restart_seconds: float = 15.0
    poison_pages: float = 0.0


NONE = Trouble()
MUCH = Trouble(slow_pages=1 / 500, slow_workers=1 / 20, ends_an_hour=1.0, poison_pages=1 / 10_000)


class Event(NamedTuple):
    """What happens when, in order: a worker ends a task or is lost with it, or is there again.

    Attributes:
        time: Seconds from the beginning.
        number: Tells events of one time apart.
        worker: Whose.
        task: The task; None: the worker is there again.
        is_lost: Whether the worker was lost.
        num_bytes: What the task made of its design.
    """

    time: float
    number: int
    worker: int
    task: Task | None = None
    is_lost: bool = False
    num_bytes: int = 0


@dataclass
class Costs:
    """What pages take, in seconds.

    Attributes:
        pages: Of pages whose designs are known, measured.
        design: What a design takes that is not, on average.
    """

    pages: Sequence[float]
    design: float

    @classmethod
    def read(cls, path: Path) -> Costs:
        """Read what `studies.corpus_cost` wrote."""
        seconds = [json.loads(line)["processor_seconds"] for line in path.read_text().splitlines()]
        first, pages = seconds[:NUM_DESIGNS], seconds[NUM_DESIGNS:]
        return cls(pages, max(0.0, sum(first) / len(first) - sum(pages) / len(pages)))


class Simulation:
    """A cluster and its driver in simulated time."""

    def __init__(
        self, costs: Costs, num_workers: int, trouble: Trouble, seed: int, *, ahead: int = AHEAD
    ) -> None:
        self._costs = costs
        self._num_workers = num_workers
        self._trouble = trouble
        self._seed = seed
        self._ahead = ahead
        self._chance = random.Random(seed)
        self._pace = [2.0 if self._is(trouble.slow_workers) else 1.0 for _ in range(num_workers)]
        self._references = References()
        self._numbers = count()
        self._events: list[Event] = []
        self._now = self._driver_is_free = 0.0
        #: Seconds that workers were at work, all together.
        self.busy = 0.0

    def run(self, num_pairs: int) -> float:
        """Return the seconds that so many pairs take."""
        tasks = Tasks(
            pairs(num_pairs),
            references=self._references,
            num_workers=self._num_workers,
            is_ordered=True,
            ahead=self._ahead,
        )
        idle, num_done = set(range(self._num_workers)), 0
        while num_done < num_pairs:
            for worker in sorted(idle):
                task = tasks.take()
                if task is None:
                    break
                idle.discard(worker)
                self._begin(task, worker)
            event = heapq.heappop(self._events)
            self._now = event.time
            if event.is_lost and event.task is not None:
                tasks.lose(event.task)
                self._later(self._now + self._trouble.restart_seconds, event.worker)
                continue
            idle.add(event.worker)
            if event.task is not None:
                self._references.end(event.task.design, object(), event.num_bytes)
                tasks.finish(event.task, Evaluation(id="", case="", candidate=""))
                num_done += sum(1 for _ in tasks.finished())
        return self._now

    def _begin(self, task: Task, worker: int) -> None:
        own = random.Random(f"{self._seed} {task.pair.subject.id}")  # The same when it is tried again.
        is_known = self._references.begin(task.design) is not None
        taken = own.choice(self._costs.pages) + (0.0 if is_known else self._costs.design)
        trouble = self._trouble
        if own.random() < trouble.slow_pages:
            taken = trouble.slow_page_seconds
        taken *= self._pace[worker]
        is_lost = own.random() < trouble.poison_pages or self._is(taken * trouble.ends_an_hour / 3600)
        self._driver_is_free = max(self._now, self._driver_is_free) + DRIVER_SECONDS
        self.busy += taken
        num_bytes = 0 if is_known else ENTRY_BYTES
        self._later(self._driver_is_free + taken, worker, task, is_lost, num_bytes)

    def _later(self, time: float, worker: int, *what: Any) -> None:
        heapq.heappush(self._events, Event(time, next(self._numbers), worker, *what))

    def _is(self, chance: float) -> bool:
        return self._chance.random() < chance


def pairs(number: int) -> Iterator[Pair]:
    """Return pairs as they stand in a file: all samples of a design, then those of the next."""
    for each in range(number):
        yield Pair(Subject(str(each), ""), f"{each // SAMPLES}.html", "page.html", Path())


def growth(costs: Costs, seed: int) -> Iterator[str]:
    """Tell pages an hour, and how much of the workers' time pages take, by number of workers."""
    yield "workers  no trouble         trouble            trouble, 8 results ahead"
    for workers in (1, 2, 4, 8, 16, 32, 64):
        cells = []
        for trouble, ahead in ((NONE, AHEAD), (MUCH, AHEAD), (MUCH, 8)):
            simulation = Simulation(costs, workers, trouble, seed, ahead=ahead)
            num_pairs = 2000 * workers
            seconds = simulation.run(num_pairs)
            share = simulation.busy / seconds / workers
            cells.append(f"{num_pairs / seconds * 3600:9,.0f} ({share:4.0%})")
        yield f"{workers:7}  " + "  ".join(cells)


def check(costs: Costs, seed: int, num_pairs: int) -> Iterator[str]:
    """Tell what the executor itself does with workers that sleep, beside the simulation."""
    yield "workers  simulated s  measured s  (after the first page)"
    for workers in (1, 2, 4, 8):
        simulated = Simulation(costs, workers, NONE, seed).run(num_pairs)
        yield f"{workers:7}  {simulated:11.1f}  {_slept(costs, workers, seed, num_pairs):10.1f}"


def _slept(costs: Costs, workers: int, seed: int, num_pairs: int) -> float:
    class Sleeper(Actor):
        def start(self, model: Any = None) -> None:
            return None

        def score(self, pair: Pair, digests: Any, given: Any) -> tuple[Scored, list[Entry]]:
            own = random.Random(f"{seed} {pair.subject.id}")
            time.sleep(own.choice(costs.pages) + (0.0 if given else costs.design))
            entries = [] if given else [("", bytes(ENTRY_BYTES))]
            evaluation = Evaluation(id=pair.subject.id, case="", candidate="")
            return Scored(evaluation, {}, 0 if given else ENTRY_BYTES), entries

    nothing: Mapping[str, Any] = {}
    with (
        patch.object(driver, "Actor", Sleeper),
        patch.object(driver, "open_renderer", lambda settings: nullcontext()),
        patch.object(driver, "machine_conditions", lambda renderer, settings: nothing),
    ):
        warm_up = workers * SAMPLES
        scored = score_pairs(pairs(num_pairs + warm_up), settings=Settings(), jobs=workers, executor="ray")
        for _ in range(warm_up):
            next(scored)
        began = time.monotonic()
        list(scored)
        return time.monotonic() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("costs", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--pairs", type=int, default=200, help="pairs that --check scores")
    parser.add_argument("--seed", type=int, default=0)
    choice = parser.parse_args()
    costs = Costs.read(choice.costs)
    mean = sum(costs.pages) / len(costs.pages)
    print(f"{len(costs.pages)} pages of {mean:.3f} s on average, a design {costs.design:.3f} s")
    lines = check(costs, choice.seed, choice.pairs) if choice.check else growth(costs, choice.seed)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
