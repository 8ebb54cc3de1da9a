"""Processor time by stage, over all processes, beside the floor that is measured in the same run.

    python -m benchmarks.stage_cost REFERENCES CANDIDATES [--pages N] [--rounds 2]

Columns: this process, Playwright's driver, the browser's own processes (painting included), its renderers.
The floor is what nobody can do without: a context, `goto` and a full-page screenshot a page, axe injected and
run on the candidate. Ways are measured in turn on each pair, so that a machine whose speed changes within
minutes changes no ratio; what one process does while another waits belongs to that stage. Linux only.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Browser, sync_playwright

from benchmarks.pair_cost import Files, floors, matching_files, shoot
from benchmarks.processes import KINDS, TICKS, kind_of
from pytest_design2a11y.capture import read_page, renderer, see_page
from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.launch import launch
from pytest_design2a11y.capture.browser.pages import Pages
from pytest_design2a11y.capture.browser.processes import descendants
from pytest_design2a11y.capture.page import open_document
from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.capture.read_page import Reader
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.measuring import caches, measures
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.run import Subject
from pytest_design2a11y.settings.values import Settings

#: Where a stage starts: the owner of the function, its name, and the name in the table.
STAGES = (
    (Pages, "open", "context and blank page"),
    (open_document, "arrive", "load and settle"),
    (renderer, "frozen", "freeze"),
    (open_document, "_close", "close"),
    (Reader, "_image", "screenshot"),
    (read_page, "read_text", "text and candidates"),
    (Reader, "_hidden", "second picture, without text"),
    (see_page, "painted_runs", "what is painted"),
    (see_page, "find_elements", "elements"),
    (FrameContext, "load", "axe-core loaded"),
    (Axe, "audit", "audit"),
    (measures, "_blocks", "blocks"),
    (measures, "match_blocks", "matching"),
    (measures, "embedded_appearance", "components"),
    (measures, "with_whole_page", "components"),
    (measures, "page_rates", "rates"),
)
#: Work that starts alongside other stages and would be counted in them: it is done on demand instead.
AHEAD = ((Pages, "open_ahead"), (FrameContext, "load_ahead"))


class AtOnce(Executor):
    """Does what is submitted to a thread immediately, so that it is counted by itself."""

    def __init__(self, _number: int) -> None:
        """Take the arguments of `ThreadPoolExecutor`."""

    def submit(self, work: Callable[..., Any], /, *given: Any, **how: Any) -> Future[Any]:
        """Return a future that is done."""
        future: Future[Any] = Future()
        future.set_result(work(*given, **how))
        return future


REST = "everything else"
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


@dataclass
class Table:
    """The cost of stages: processor ticks by kind of process, and messages to the driver."""

    ticks: defaultdict[str, Ticks] = field(default_factory=lambda: defaultdict(Counter))
    messages: Counter[str] = field(default_factory=Counter)

    def lines(self, title: str, pages: int, floor: float) -> Iterator[str]:
        """Yield the rows: ms by kind of process, their sum, its share, and its ratio to the floor."""
        total = sum(sum(ticks.values()) for ticks in self.ticks.values()) or 1
        heads = "".join(f"{name:>11}" for name in (*KINDS, "sum", "share", "floors", "messages"))
        yield f"{title + ', ms':34}{heads}"
        rows = sorted(self.ticks.items(), key=lambda row: -sum(row[1].values()))
        for stage, ticks in [*rows, ("together", sum((row for _, row in rows), Counter()))]:
            spent = sum(ticks.values())
            ms = [1000 * ticks[kind] / TICKS / pages for kind in KINDS]
            number = self.messages.total() if stage == "together" else self.messages[stage]
            yield (
                f"{stage:34}"
                + "".join(f"{one:11.1f}" for one in (*ms, sum(ms)))
                + (f"{spent / total:11.0%}{spent / TICKS / pages / floor:11.3f}{number / pages:11.1f}")
            )


class Watch:
    """Adds whatever happens to the current stage in a table."""

    def __init__(self) -> None:
        self._clock = Clock()
        self._within = [REST]
        self._since = self._clock.read()
        self.table = Table()

    def watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose cost is counted as a stage."""

        @functools.wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            self.mark()
            self._within.append(name)
            try:
                return call(*args, **kwargs)
            finally:
                self.mark()
                self._within.pop()

        return timed

    def mark(self) -> Ticks:
        """Add what was used since the last mark to the current stage, and return it."""
        now = self._clock.read()
        used = Counter({kind: now[kind] - self._since[kind] for kind in KINDS})
        self.table.ticks[self._within[-1]].update(used)
        self._since = now
        return used

    def sent(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that also counts a message to the driver."""

        @functools.wraps(call)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.table.messages[self._within[-1]] += 1
            return call(*args, **kwargs)

        return counted

    @contextmanager
    def into(self, table: Table) -> Iterator[Callable[[], float]]:
        """Record into a table; the yielded function returns the seconds since then."""
        self.mark()
        self.table, before = table, sum(self._since.values())
        yield lambda: (sum(self.mark().values()) + sum(self._since.values()) - before) / TICKS
        self.mark()


class WithoutElements:
    """A renderer that does not look for elements."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def capture(self, *args: Any, **how: Any) -> Any:
        return self._renderer.capture(*args, **{**how, "finds_elements": False})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._renderer, name)


@dataclass
class Bench:
    """Ways to measure a pair, with the cost of each."""

    browser: Browser
    cold: Renderer
    caching: Renderer
    settings: Settings
    axe: str
    watch: Watch
    tables: defaultdict[str, Table] = field(default_factory=lambda: defaultdict(Table))
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    number: int = 0

    def measure(self, files: Files) -> None:
        """Measure a pair once in each way."""
        caching, cold = self.settings, replace(self.settings, cache_folder=None)
        self._way("floor", lambda: list(floors(self.browser, [files], self.axe)))
        self._way("floor of a page without an audit", lambda: shoot(self.browser, files[0]))
        self._way("cold", lambda: self._score(files, self.cold, cold))
        self._way("cached", lambda: self._score(files, self.caching, caching))
        self._way("cached, no audit", lambda: self._score(files, self.caching, replace(caching, audit=False)))
        without: Any = WithoutElements(self.cold)
        self._way("cold, no elements", lambda: self._score(files, without, cold))
        self._way("audit alone", lambda: self._score(files, self.cold, cold, is_compared=False))

    def _way(self, name: str, do: Callable[[], object]) -> None:
        before = sum(sum(ticks.values()) for ticks in self.tables[name].ticks.values())
        with self.watch.into(self.tables[name]):
            do()
        after = sum(sum(ticks.values()) for ticks in self.tables[name].ticks.values())
        self.seconds[name].append((after - before) / TICKS)

    def _score(
        self, files: Files, renderer: Renderer, settings: Settings, *, is_compared: bool = True
    ) -> None:
        """Score a pair with nothing of its page cached."""
        reference, candidate = files
        self.number += 1
        caches._scores.clear()
        page = Answer(f"{candidate.read_text(encoding='utf-8')}\n<!-- {self.number} -->")
        design = str(reference) if is_compared else None
        pair = Pair(Subject(candidate.stem, candidate.stem), design, page, reference.parent)
        done = score_pair(pair, renderer=renderer, settings=settings)
        if done.error is not None:
            raise SystemExit(f"{candidate}: {done.error.message}")

    def report(self) -> Iterator[str]:
        """Yield one table by way, and one by stage for three ways."""
        floor = sum(self.seconds["floor"]) / len(self.seconds["floor"])
        yield f"{'way, ms of processors a pair':34}" + "".join(
            f"{name:>11}" for name in (*KINDS, "sum", "floors", "median", "95 %")
        )
        for way, seconds in self.seconds.items():
            ticks: Ticks = sum(self.tables[way].ticks.values(), Counter())
            ms = [1000 * ticks[kind] / TICKS / len(seconds) for kind in KINDS]
            high = quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
            yield (
                f"{way:34}"
                + "".join(f"{one:11.1f}" for one in (*ms, sum(ms)))
                + (f"{sum(ms) / 1000 / floor:11.3f}{1000 * median(seconds):11.0f}{1000 * high:11.0f}")
            )
        for way in ("cold", "cached", "audit alone"):
            yield ""
            yield from self.tables[way].lines(way, len(self.seconds[way]), floor)


def measure(pairs: Sequence[Files], *, rounds: int) -> Bench:
    watch = Watch()
    with TemporaryDirectory() as folder, sync_playwright() as playwright, ExitStack() as stack:
        start, settings = playwright.chromium.launch, Settings(cache_folder=Path(folder))
        for owner, name, stage in STAGES:
            timed: Any = watch.watched(stage, getattr(owner, name))
            is_static = isinstance(inspect.getattr_static(owner, name), staticmethod)
            stack.enter_context(patch.object(owner, name, staticmethod(timed) if is_static else timed))
        for owner, name in AHEAD:
            stack.enter_context(patch.object(owner, name, lambda *_: None))
        stack.enter_context(patch.object(read_page, "ThreadPoolExecutor", AtOnce))
        connection: Any = playwright._impl_obj._connection
        name = next(one for one in SENDS if hasattr(connection, one))
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
            bench._score(files, bench.caching, settings)
        bench._score(pairs[0], bench.cold, replace(settings, cache_folder=None))
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
