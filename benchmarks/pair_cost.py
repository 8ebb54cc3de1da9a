"""What a stream of pairs, and of audits, costs, as a ratio to a floor that is measured in the same run.

Floor, in one warm browser: for both pages a new context, goto and a full-page screenshot; on the candidate
axe injected, `axe.run()`, and all its results sent to Python. Ours, in warm browsers: what `score --pairs`
does in the middle of many pairs, audit included; "cached" has the designs from the cache, "alone" does the
same with one pair after the other, as when each result is waited for. "audit" is what `audit` does on the
candidates, without screenshots. Processor time is that of Python, driver and browser.

    python -m benchmarks.pair_cost REFERENCES CANDIDATES [--limit N] [--scripts] [--block 4] [--rounds 3]

REFERENCES and CANDIDATES are folders; pages with the same file name are a pair. A few pairs are measured in
each way in turn, so that a machine whose speed changes within minutes changes no ratio.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser.launch import launch
from pytest_design2a11y.capture.page.markup import can_run_scripts
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.measuring import conditions
from pytest_design2a11y.measuring.executors.serial import score_pair, score_stream
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

Files = tuple[Path, Path]

RATIOS = (
    ("cold", "floor"),
    ("cached", "floor"),
    ("alone", "floor"),
    ("audit", "floor"),
    ("alone", "cached"),
)


Seconds = dict[str, float]


@dataclass
class Times:
    """The time that pairs took, for each block measured in all ways.

    Attributes:
        wall: Seconds per pair, by way.
        processor: Processor seconds per pair, by way.
    """

    wall: list[Seconds] = field(default_factory=list)
    processor: list[Seconds] = field(default_factory=list)

    def report(self) -> str:
        """Return what a pair took, with ratios."""
        lines = [f"median of {len(self.wall)}: a pair's wall time, and processor time"]
        for name in self.wall[0]:
            wall, processor = (median(row[name] for row in rows) for rows in (self.wall, self.processor))
            lines.append(f"{name:15}{wall * 1000:8.1f} ms   {processor:6.3f} s")
        for above, below in RATIOS:
            wall, processor = (
                median(row[above] / row[below] for row in rows) for rows in (self.wall, self.processor)
            )
            lines.append(f"{f'{above} / {below}':15}{wall:8.3f}   processor {processor:.3f}")
        return "\n".join(lines)


def shoot(browser: Browser, path: Path, then: Callable[[Page], object] = lambda page: None) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(path.as_uri())
    page.screenshot(full_page=True)
    then(page)
    context.close()


def floors(browser: Browser, pairs: Iterable[Files], axe: str) -> Iterator[None]:
    """Do the minimum of work for each pair."""

    def audit(page: Page) -> None:
        page.evaluate(axe)
        page.evaluate("() => axe.run()")

    for reference, candidate in pairs:
        shoot(browser, reference)
        shoot(browser, candidate, audit)
        yield


@dataclass
class Bench:
    """Measures pairs in several ways."""

    browser: Browser
    renderer: Renderer
    caching: Renderer
    cold: Settings
    cached: Settings
    axe: str
    numbers: Iterator[int] = field(default_factory=count)

    def measure(self, files: Sequence[Files], times: Times) -> None:
        """Measure some pairs once in each way."""
        cached, caching = self.cached, self.caching
        ways: dict[str, Callable[[], tuple[float, float]]] = {
            "floor": lambda: _clocked(floors(self.browser, files, self.axe), len(files)),
            "cold": lambda: self._stream(files, self.renderer, self.cold),
            "cached": lambda: self._stream(files, caching, cached),
            "alone": lambda: _clocked(
                (score_pair(pair, renderer=caching, settings=cached) for pair in self._pairs(files)),
                len(files),
            ),
            "audit": lambda: self._stream(files, self.renderer, self.cold, is_compared=False),
        }
        taken = {name: way() for name, way in ways.items()}
        times.wall.append({name: wall for name, (wall, _) in taken.items()})
        times.processor.append({name: processor for name, (_, processor) in taken.items()})

    def keep_designs(self, files: Sequence[Files]) -> None:
        """Put the designs of pairs into the cache."""
        deque(score_stream(self._pairs(files), opened=lambda: self.caching, settings=self.cached), maxlen=0)

    def _stream(
        self, files: Sequence[Files], renderer: Renderer, settings: Settings, *, is_compared: bool = True
    ) -> tuple[float, float]:
        # Two pairs have been rendered by the first result; these come before those that count.
        pairs = self._pairs([*files[:1], *files[:1], *files], is_compared=is_compared)
        results = score_stream(pairs, opened=lambda: renderer, settings=settings)
        next(results)
        taken = _clocked(results, len(files))
        deque(results, maxlen=0)
        return taken

    def _pairs(self, files: Sequence[Files], *, is_compared: bool = True) -> list[Pair]:
        """Make pairs that differ, since equal pages are rendered only once and equal pictures scored once."""
        conditions._scores.clear()
        return [
            Pair(
                Subject(id=candidate.stem, case=candidate.stem),
                str(reference) if is_compared else None,
                Answer(f"{candidate.read_text(encoding='utf-8')}\n<!-- {next(self.numbers)} -->"),
                reference.parent,
            )
            for reference, candidate in files
        ]


def _clocked(results: Iterator[Evaluation | None], number: int) -> tuple[float, float]:
    """Take `number` results; return the wall and processor seconds per result."""
    processor, start = processor_seconds(), time.perf_counter()
    for result in islice(results, number):
        if result is not None and result.error is not None:
            raise SystemExit(f"{result.id}: {result.error.message}")
    seconds = time.perf_counter() - start
    return seconds / number, (processor_seconds() - processor) / number


def matching_files(references: Path, candidates: Path) -> list[Files]:
    """Return the pages of two folders with the same file name."""
    return [
        (reference, candidate)
        for reference in sorted(references.resolve().glob("*.html"))
        if (candidate := candidates.resolve() / reference.name).exists()
    ]


def measure(pairs: Sequence[Files], *, block: int, rounds: int) -> Times:
    times = Times()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        start, cold = playwright.chromium.launch, Settings()
        cached = replace(cold, cache_folder=Path(folder))
        bench = Bench(
            browser=launch(start, chromium=None, options={}).browser,
            renderer=Renderer(start, limits=cold.capture),
            caching=Renderer(start, limits=cached.capture, references=CacheFolder(Path(folder))),
            cold=cold,
            cached=cached,
            axe=read_axe_script(None),
        )
        bench.keep_designs(pairs)
        for _ in range(rounds):
            for first in range(0, len(pairs), block):
                bench.measure(pairs[first : first + block], times)
        for closing in (bench.renderer, bench.caching, bench.browser):
            closing.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("references", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--scripts", action="store_true", help="only pairs in which a page may run scripts")
    parser.add_argument("--block", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    pairs = matching_files(arguments.references, arguments.candidates)
    if arguments.scripts:
        pairs = [pair for pair in pairs if any(can_run_scripts(page.read_bytes()) for page in pair)]
    print(measure(pairs[: arguments.limit], block=arguments.block, rounds=arguments.rounds).report())


if __name__ == "__main__":
    main()
