"""What scoring a pair costs, as a ratio to a floor that is measured in the same run.

Floor, in one warm browser: for both pages a new context, goto and a full-page screenshot; on the candidate
axe injected, `axe.run()`, and all its results sent to Python. Ours: everything that `score` does, audit
included.

    python -m benchmarks.pair_cost REFERENCES CANDIDATES [--limit N] [--rounds 3]

REFERENCES and CANDIDATES are folders; pages with the same file name are a pair.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy
from playwright.sync_api import Browser, Page, sync_playwright

from pytest_design2a11y.capture.audit.run_audit import read_axe_script
from pytest_design2a11y.capture.browser.launch import launch
from pytest_design2a11y.capture.cache import FolderEntries
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import Subject
from pytest_design2a11y.settings.values import Settings

SUBJECT = Subject(id="benchmark", case="benchmark")


@dataclass
class Times:
    """Seconds by what took them, the least of all rounds for each pair."""

    floor: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    warm: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)

    def report(self) -> str:
        """Tell medians and ratios."""
        floor, cold, warm = (numpy.array(values) for values in (self.floor, self.cold, self.warm))
        after = numpy.array(self.after)
        return "\n".join(
            [
                f"{len(floor)} pairs, medians",
                f"floor          {numpy.median(floor) * 1000:8.1f} ms",
                f"score, cold    {numpy.median(cold) * 1000:8.1f} ms",
                f"score, cached  {numpy.median(warm) * 1000:8.1f} ms",
                f"after capture  {numpy.median(after) * 1000:8.1f} ms",
                f"score / floor  {numpy.median(cold / floor):8.3f}   "
                f"95th percentile {numpy.percentile(cold / floor, 95):.3f}",
                f"cached / cold  {numpy.median(warm / cold):8.3f}",
            ]
        )


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

    browser: Browser
    renderer: Renderer
    caching: Renderer
    cold: Settings
    warm: Settings
    axe: str

    def measure(self, reference: Path, candidate: Path, rounds: int) -> list[float]:
        """Give the least seconds of all rounds: floor, cold, warm, after capture."""
        self._capture(self.caching, reference, candidate, self.warm)
        rows = [self._round(reference, candidate) for _ in range(rounds)]
        return [min(column) for column in zip(*rows, strict=True)]

    def _round(self, reference: Path, candidate: Path) -> tuple[float, float, float, float]:
        start = time.perf_counter()
        floor(self.browser, reference, candidate, self.axe)
        took_floor = time.perf_counter() - start
        took_capture, took_after = self._score(self.renderer, reference, candidate, self.cold)
        took_cached = sum(self._score(self.caching, reference, candidate, self.warm))
        return took_floor, took_capture + took_after, took_cached, took_after

    def _score(
        self, renderer: Renderer, reference: Path, candidate: Path, settings: Settings
    ) -> tuple[float, float]:
        start = time.perf_counter()
        captures = self._capture(renderer, reference, candidate, settings)
        captured = time.perf_counter()
        evaluate(SUBJECT, reference=captures[0], candidate=captures[1], settings=settings)
        return captured - start, time.perf_counter() - captured

    @staticmethod
    def _capture(renderer: Renderer, reference: Path, candidate: Path, settings: Settings) -> list[Capture]:
        return [
            capture_source(reference, role="reference", renderer=renderer, settings=settings),
            capture_source(candidate, role="candidate", renderer=renderer, settings=settings),
        ]


def measure(pairs: list[tuple[Path, Path]], rounds: int) -> Times:
    times = Times()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        start, cold = playwright.chromium.launch, Settings()
        warm = replace(cold, cache_folder=Path(folder))
        bench = Bench(
            browser=launch(start, chromium=None, options={}).browser,
            renderer=Renderer(start, limits=cold.capture),
            caching=Renderer(start, limits=warm.capture, references=FolderEntries(Path(folder))),
            cold=cold,
            warm=warm,
            axe=read_axe_script(None),
        )
        for reference, candidate in pairs:
            took = bench.measure(reference, candidate, rounds)
            for column, seconds in zip((times.floor, times.cold, times.warm, times.after), took, strict=True):
                column.append(seconds)
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
    print(measure(pairs[: arguments.limit], arguments.rounds).report())


if __name__ == "__main__":
    main()
