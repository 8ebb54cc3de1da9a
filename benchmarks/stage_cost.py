"""What a pair costs by stage, beside the floor that is measured in the same run; and its critical path.

    python -m benchmarks.stage_cost REFERENCES CANDIDATES [--pages N] [--rounds 2]

Processor time is that of all processes: this one, Playwright's driver, the browser's own (painting included),
its renderers. The floor is what nobody can do without: a context, `goto` and a full-page screenshot a page,
axe injected and run on the candidate. Pairs in which a page may run scripts are told apart.

By stage, everything is done one after the other, so that what one process does while another waits belongs to
that stage. The critical path is wall time as pages are really measured, each pair by itself: what its thread
does or waits for, from the first command to the result. Linux only.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import os
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Browser, sync_playwright

from benchmarks.pair_cost import Files, floors, matching_files
from benchmarks.processes import KINDS, TICKS, kind_of
from pytest_design2a11y.capture import page as opening
from pytest_design2a11y.capture import read_page, renderer, see_page
from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.bounded import PendingCall
from pytest_design2a11y.capture.browser.launch import launch
from pytest_design2a11y.capture.browser.pages import PagePool
from pytest_design2a11y.capture.browser.processes import descendants
from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.capture.page.markup import can_run_scripts
from pytest_design2a11y.capture.read_page import PageReader
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.measuring import conditions, measures
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

#: Where a stage starts: the owner of the function, its name, and the name in the table.
STAGES = (
    (PagePool, "open", "context and blank page"),
    (opening, "arrive", "load and settle"),
    (renderer, "frozen", "freeze"),
    (opening, "_close", "close"),
    (PageReader, "_image", "screenshot"),
    (read_page, "read_text", "text and candidates"),
    (PageReader, "_hidden", "second picture, without text"),
    (see_page, "painted_runs", "what is painted"),
    (see_page, "find_elements", "elements"),
    (FrameContext, "load", "axe-core loaded"),
    (Axe, "audit", "audit"),
    (measures, "_blocks", "blocks"),
    (measures, "match_blocks", "matching"),
    (measures, "embedded_appearance", "components"),
    (measures, "with_whole_page", "whole page, with all differences"),
)
#: Work that starts alongside other stages and would be counted in them: it is done on demand instead.
AHEAD = ((PagePool, "open_ahead"), (FrameContext, "load_ahead"))


class AtOnce(Executor):
    """Does what is submitted to a thread immediately, so that it is counted by itself."""

    def __init__(self, _number: int) -> None:
        """Take the arguments of `ThreadPoolExecutor`."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **how: Any) -> Future[Any]:
        """Return a future that is done."""
        future: Future[Any] = Future()
        future.set_result(work(*given, **how))
        return future


#: Methods by which Playwright's connection sends a message, depending on the version.
SENDS = ("send_message_to_server", "_send_message_to_server")

Ticks = Counter[str]


class Clock:
    """Processor ticks by kind of process, without the cost of measuring itself."""

    def __init__(self) -> None:
        self._kinds: dict[int, str] = {}
        self._own = 0.0

    def read(self) -> Ticks:
        """Return the ticks used by each kind, in hundredths of a second."""
        began = time.thread_time()
        ticks: Ticks = Counter()
        for process in descendants(os.getpid()):
            kind = self._kinds.setdefault(process, kind_of(process))
            try:
                fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            ticks[kind] += sum(map(int, fields[11:15]))
        self._own += time.thread_time() - began
        ticks["ours"] -= round(self._own * TICKS)
        return ticks


NEVER = 3600.0  # Seconds, after all that is measured

REST, WAITING = "everything else", "waiting for another thread"


@dataclass
class Table:
    """What stages took of some pairs."""

    pairs: int = 0
    ticks: defaultdict[str, Ticks] = field(default_factory=lambda: defaultdict(Counter))
    walls: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))  # Seconds
    messages: Counter[str] = field(default_factory=Counter)  # To the driver

    def lines(self, title: str) -> Iterator[str]:
        """Yield the rows: milliseconds of processors by kind of process, their sum, wall time, messages."""
        heads = "".join(f"{name:>11}" for name in (*KINDS, "sum", "wall", "messages"))
        yield f"{title + f', ms, {self.pairs} times':48}{heads}"
        for stage in sorted(self.walls, key=lambda stage: -self.walls[stage]):
            yield self._line(stage, self.ticks[stage], self.walls[stage], self.messages[stage])
        ticks: Ticks = sum(self.ticks.values(), Counter())
        yield self._line("together", ticks, sum(self.walls.values()), self.messages.total())

    def _line(self, stage: str, ticks: Ticks, wall: float, messages: int) -> str:
        spent = [1000 * ticks[kind] / TICKS / self.pairs for kind in KINDS]
        numbers = (*spent, sum(spent), 1000 * wall / self.pairs, messages / self.pairs)
        return f"{stage:48}" + "".join(f"{number:11.1f}" for number in numbers)


class Watch:
    """Adds whatever happens to the current stage of a table; other threads than its own have no stages."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._thread = threading.current_thread()
        self._within = [REST]
        self._since, self._at = self._clock.read(), time.perf_counter()
        self.table = Table()

    def watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose cost is counted as a stage."""

        @functools.wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            if threading.current_thread() is not self._thread:
                return call(*args, **kwargs)
            self._mark()
            self._within.append(name)
            try:
                return call(*args, **kwargs)
            finally:
                self._mark()
                self._within.pop()

        return timed

    def sent(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that also counts a message to the driver."""

        @functools.wraps(call)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.table.messages[self._within[-1]] += 1
            return call(*args, **kwargs)

        return counted

    @contextmanager
    def into(self, table: Table) -> Iterator[None]:
        """Record a pair into a table."""
        self._mark()
        self.table = table
        yield
        self._mark()
        table.pairs += 1

    def _mark(self) -> None:
        self.table.walls[self._within[-1]] += time.perf_counter() - self._at
        now = self._clock.read()
        self.table.ticks[self._within[-1]].update({kind: now[kind] - self._since[kind] for kind in KINDS})
        self._since, self._at = now, time.perf_counter()


@dataclass
class Bench:
    """Ways to measure a pair, with the cost of each."""

    browser: Browser
    cold: Renderer
    caching: Renderer
    settings: Settings
    axe: str
    watch: Watch
    # By way and kind of pair: by stage, and the critical path; the seconds of whole pairs as they run
    stages: defaultdict[tuple[str, str], Table] = field(default_factory=lambda: defaultdict(Table))
    paths: defaultdict[tuple[str, str], Table] = field(default_factory=lambda: defaultdict(Table))
    walls: defaultdict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    number: int = 0

    def measure(self, files: Files) -> None:
        """Measure a pair in each way, by stage and as it runs."""
        kind = "with scripts" if any(can_run_scripts(file.read_bytes()) for file in files) else "no scripts"
        cold = replace(self.settings, cache_folder=None)
        ways: dict[str, Callable[[], object]] = {
            "floor": lambda: list(floors(self.browser, [files], self.axe)),
            "cold": lambda: self.score(files, self.cold, cold),
            "cached": lambda: self.score(files, self.caching, self.settings),
            "audit alone": lambda: self.score(files, self.cold, cold, is_compared=False),
        }
        for way, do in ways.items():
            with one_after_the_other(), self.watch.into(self.stages[way, kind]):
                do()
            began = time.perf_counter()
            with self.watch.into(self.paths[way, kind]):
                do()
            self.walls[way, kind].append(time.perf_counter() - began)

    def score(
        self, files: Files, renderer: Renderer, settings: Settings, *, is_compared: bool = True
    ) -> None:
        """Score a pair with nothing of its page cached."""
        reference, candidate = files
        self.number += 1
        conditions._scores.clear()
        page = Answer(f"{candidate.read_text(encoding='utf-8')}\n<!-- {self.number} -->")
        design = str(reference) if is_compared else None
        pair = Pair(Subject(candidate.stem, candidate.stem), design, page, reference.parent)
        done = score_pair(pair, renderer=renderer, settings=settings)
        if done.error is not None:
            raise SystemExit(f"{candidate}: {done.error.message}")

    def report(self) -> Iterator[str]:
        """Yield what the ways took, what each stage took, and the critical paths."""
        yield f"{'way':34}{'wall, ms':>11}{'floors':>11}{'processors':>11}{'floors':>11}"
        for (way, kind), walls in self.walls.items():
            floor, own = self.paths["floor", kind], self.paths[way, kind]
            spent, least = (sum(sum(own.ticks.values(), Counter()).values()) for own in (own, floor))
            ratio = median(wall / one for wall, one in zip(walls, self.walls["floor", kind], strict=True))
            used = 1000 * spent / TICKS / own.pairs
            numbers = f"{1000 * median(walls):11.0f}{ratio:11.3f}{used:11.0f}{spent / least:11.3f}"
            yield f"{f'{way}, {kind}':34}{numbers}"
        for (way, kind), table in self.stages.items():
            if way != "floor":
                yield ""
                yield from table.lines(f"{way}, {kind}, one after the other")
                yield from self.paths[way, kind].lines(f"{way}, {kind}, critical path")


@contextmanager
def one_after_the_other() -> Iterator[None]:
    """Do what is done ahead or beside something else when its result is wanted."""
    with ExitStack() as stack:
        for owner, name in AHEAD:
            stack.enter_context(patch.object(owner, name, lambda *_: None))
        stack.enter_context(patch.object(renderer, "ThreadPoolExecutor", AtOnce))
        stack.enter_context(
            patch.object(read_page, "PendingCall", lambda call, **_: PendingCall(call, delay=NEVER))
        )
        yield


def measure(pairs: Sequence[Files], *, rounds: int) -> Bench:
    watch = Watch()
    with TemporaryDirectory() as folder, sync_playwright() as playwright, ExitStack() as stack:
        start, settings = playwright.chromium.launch, Settings(cache_folder=Path(folder))
        for owner, name, stage in STAGES:
            timed: Any = watch.watched(stage, getattr(owner, name))
            is_static = isinstance(inspect.getattr_static(owner, name), staticmethod)
            stack.enter_context(patch.object(owner, name, staticmethod(timed) if is_static else timed))
        stack.enter_context(patch.object(Future, "result", watch.watched(WAITING, Future.result)))
        connection: Any = playwright._impl_obj._connection
        name = next(name for name in SENDS if hasattr(connection, name))
        stack.enter_context(patch.object(connection, name, watch.sent(getattr(connection, name))))
        bench = Bench(
            browser=launch(start, chromium=None, options={}).browser,
            cold=Renderer(start, limits=settings.capture),
            caching=Renderer(start, limits=settings.capture, references=CacheFolder(Path(folder))),
            settings=settings,
            axe=read_axe_script(None),
            watch=watch,
        )
        for files in pairs:  # Cache the designs, and warm up everything.
            bench.score(files, bench.caching, settings)
        bench.score(pairs[0], bench.cold, replace(settings, cache_folder=None))
        for files in [*pairs] * rounds:
            bench.measure(files)
        for closing in (bench.cold, bench.caching, bench.browser):
            closing.close()
    return bench


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("references", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    choice = parser.parse_args()
    pairs = matching_files(choice.references, choice.candidates)
    spread = pairs[:: max(1, len(pairs) // choice.pages)][: choice.pages]
    load = os.getloadavg()[0]
    bench = measure(spread, rounds=choice.rounds)
    print(f"{len(spread)} pairs, {choice.rounds} times each; {os.cpu_count()} processors, load {load:.1f}")
    print("\n".join(bench.report()))


if __name__ == "__main__":
    main()
