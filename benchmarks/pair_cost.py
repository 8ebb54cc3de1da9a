"""What scoring a pair, and auditing a page, costs, as a ratio to a floor that is measured in the same run.

Floor, in one warm browser: for both pages a new context, goto and a full-page screenshot; on the candidate
axe injected, `axe.run()`, and all its results sent to Python. Ours: everything that `score` does, audit
included; "cached" has the design from the cache. "audit" is what `audit` does on the candidate, without a
screenshot. Processor time is that of Python, driver and browser, over all rounds.

    python -m benchmarks.pair_cost REFERENCES CANDIDATES [--limit N] [--rounds 3]

REFERENCES and CANDIDATES are folders; pages with the same file name are a pair.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.audit.run_audit import read_axe_script
from pytest_design2a11y.capture.browser.launch import launch
from pytest_design2a11y.capture.cache import FolderEntries
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring import caches
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.page import Answer, Capture
from pytest_design2a11y.models.run import Subject
from pytest_design2a11y.settings.values import Settings

SUBJECT = Subject(id="benchmark", case="benchmark")


@dataclass
class Times:
    """What each pair took.

    Attributes:
        wall: Seconds by what took them, the least of all rounds for each pair.
        processor: Seconds of processors by what took them, over all pairs and rounds.
    """

    wall: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    processor: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def report(self, rounds: int) -> str:
        """Tell medians and ratios."""
        wall = {name: numpy.array(seconds) for name, seconds in self.wall.items()}
        cold = wall["cold"] / wall["floor"]
        number = len(cold)
        milliseconds = {name: numpy.median(seconds) * 1000 for name, seconds in wall.items()}
        taken = {name: seconds / rounds / number for name, seconds in self.processor.items()}
        processor = {name: f"{seconds:6.3f} s" for name, seconds in taken.items()}
        return "\n".join(
            [
                f"{number} pairs: median of wall time, mean of processor time",
                f"floor          {milliseconds['floor']:8.1f} ms   {processor['floor']}",
                f"score, cold    {milliseconds['cold']:8.1f} ms   {processor['cold']}",
                f"score, cached  {milliseconds['warm']:8.1f} ms   {processor['warm']}",
                f"audit          {milliseconds['audit']:8.1f} ms   {processor['audit']}",
                f"after capture  {milliseconds['after']:8.1f} ms",
                f"cold / floor   {numpy.median(cold):8.3f}   95th percentile {numpy.percentile(cold, 95):.3f}"
                f"   processor {taken['cold'] / taken['floor']:.3f}",
                *(
                    f"{self._ratio(wall, *names)}   processor {taken[names[0]] / taken[names[1]]:.3f}"
                    for names in (("warm", "floor"), ("warm", "cold"), ("audit", "warm"))
                ),
            ]
        )

    @staticmethod
    def _ratio(wall: Mapping[str, NDArray[numpy.float64]], above: str, below: str) -> str:
        name = f"{above} / {below}".replace("warm", "cached")
        return f"{name:15}{numpy.median(wall[above] / wall[below]):8.3f}"


def shoot(browser: Browser, path: Path, then: Callable[[Page], object] = lambda page: None) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(path.as_uri())
    page.screenshot(full_page=True)
    then(page)
    context.close()


def floor(browser: Browser, reference: Path, candidate: Path, axe: str) -> None:
    def audit(page: Page) -> None:
        page.evaluate(axe)
        page.evaluate("() => axe.run()")

    shoot(browser, reference)
    shoot(browser, candidate, audit)


@dataclass(frozen=True)
class Bench:
    """What one pair is measured with."""

    times: Times
    browser: Browser
    renderer: Renderer
    caching: Renderer
    cold: Settings
    warm: Settings
    axe: str

    def measure(self, reference: Path, candidate: Path, rounds: int) -> None:
        """Measure a pair several times, and note the least of each."""
        self._reference(self.caching, reference, self.warm)
        rows = [self._round(reference, candidate, number) for number in range(rounds)]
        for name in rows[0]:
            self.times.wall[name].append(min(row[name] for row in rows))

    def _round(self, reference: Path, candidate: Path, number: int) -> dict[str, float]:
        # Pages that are equal would be rendered once, and pictures that are equal scored once.
        page = Answer(f"{candidate.read_text(encoding='utf-8')}\n<!-- {number} -->")
        caches._scores.clear()
        after: list[float] = []
        alone = partial(capture_source, page, role="candidate", renderer=self.renderer, has_image=False)
        ways: dict[str, Callable[[], object]] = {
            "floor": lambda: floor(self.browser, reference, candidate, self.axe),
            "cold": lambda: after.append(self._score(self.renderer, reference, page, self.cold)),
            "warm": lambda: self._score(self.caching, reference, page, self.warm),
            "audit": lambda: alone(settings=self.cold),
        }
        return {**{name: self._timed(name, way) for name, way in ways.items()}, "after": after[0]}

    def _timed(self, name: str, way: Callable[[], object]) -> float:
        taken, start = processor_seconds(), time.perf_counter()
        way()
        seconds = time.perf_counter() - start
        self.times.processor[name] += processor_seconds() - taken
        return seconds

    def _score(self, renderer: Renderer, reference: Path, candidate: Answer, settings: Settings) -> float:
        """Score a pair, and give the seconds that it took after both pages were captured."""
        design = self._reference(renderer, reference, settings)
        page = capture_source(candidate, role="candidate", renderer=renderer, settings=settings)
        captured = time.perf_counter()
        evaluate(SUBJECT, reference=design, candidate=page, settings=settings)
        return time.perf_counter() - captured

    @staticmethod
    def _reference(renderer: Renderer, reference: Path, settings: Settings) -> Capture:
        return capture_source(reference, role="reference", renderer=renderer, settings=settings)


def measure(pairs: list[tuple[Path, Path]], rounds: int) -> Times:
    times = Times()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        start, cold = playwright.chromium.launch, Settings()
        warm = replace(cold, cache_folder=Path(folder))
        bench = Bench(
            times,
            browser=launch(start, chromium=None, options={}).browser,
            renderer=Renderer(start, limits=cold.capture),
            caching=Renderer(start, limits=warm.capture, references=FolderEntries(Path(folder))),
            cold=cold,
            warm=warm,
            axe=read_axe_script(None),
        )
        for reference, candidate in pairs:
            bench.measure(reference, candidate, rounds)
        for closing in (bench.renderer, bench.caching, bench.browser):
            closing.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("references", type=Path)
    parser.add_argument("candidates", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    pairs = [
        (reference, candidate)
        for reference in sorted(arguments.references.glob("*.html"))
        if (candidate := arguments.candidates / reference.name).exists()
    ]
    print(measure(pairs[: arguments.limit], arguments.rounds).report(arguments.rounds))


if __name__ == "__main__":
    main()
