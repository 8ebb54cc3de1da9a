"""What the stages of a page cost: processor seconds of this process, the browser's driver and the browser.

    python -m studies.stage_cost CORPUS [--pages N] [--chromium PATH]

CORPUS is as for `studies.corpus_digest`; candidates are spread evenly over it. Each is scored twice, and the
second time counts, when its design is known. What one process does while another waits is in the stage that
waits. Linux only.
"""

from __future__ import annotations

import argparse
import functools
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.processes import processor_seconds
from pytest_design2a11y.capture.read_page import Reader
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring import pipeline
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.settings.values import Settings
from studies.corpus_digest import generated_pairs

STAGES = (
    (Renderer, "_read", "context, load, freeze, close"),
    (Reader, "read_frozen", "text, and what of it is painted"),
    (Reader, "_image", "screenshot"),
    (Reader, "_audits", "audit"),
    (pipeline, "measure_visual", "blocks, matching, components"),
)


class Watch:
    """Processor seconds by stage; what a stage within another one takes is its own."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._within = ["everything else"]
        self._since = processor_seconds()

    def watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Count what a function takes as a stage."""

        @functools.wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            self._mark()
            self._within.append(name)
            try:
                return call(*args, **kwargs)
            finally:
                self._mark()
                self._within.pop()

        return timed

    def clear(self) -> None:
        """Begin anew."""
        self._mark()
        self.seconds.clear()

    def _mark(self) -> None:
        now = processor_seconds()
        self.seconds[self._within[-1]] += now - self._since
        self._since = now

    def totals(self) -> dict[str, float]:
        """Return the seconds by stage, up to now."""
        self._mark()
        return dict(self.seconds)


def main() -> None:
    """Print seconds a page, and shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    pairs = generated_pairs(choice.corpus.resolve(), choice.pages)
    watch = Watch()
    totals: defaultdict[str, float] = defaultdict(float)
    with TemporaryDirectory() as folder, ExitStack() as stack:
        settings = Settings(chromium=choice.chromium, cache_folder=Path(folder))
        for owner, name, stage in STAGES:
            stack.enter_context(patch.object(owner, name, watch.watched(stage, getattr(owner, name))))
        renderer = stack.enter_context(open_renderer(settings))
        for pair in pairs:
            text = (pair.folder / pair.candidate).read_text(encoding="utf-8", errors="replace")
            for crop in ("auto", "never"):
                # Pages that are equal would be rendered once, and pictures that are equal scored once.
                page = replace(pair, candidate=Answer(f"{text}\n<!-- {crop} -->"))
                watch.clear()
                score_pair(page, renderer=renderer, settings=replace(settings, picture_crop=crop))
            for stage, seconds in watch.totals().items():
                totals[stage] += seconds
    total = sum(totals.values())
    for stage, taken in sorted(totals.items(), key=lambda item: -item[1]):
        print(f"{taken / len(pairs):7.3f} s  {taken / total:4.0%}  {stage}")
    print(f"{total / len(pairs):7.3f} s  100%  a page, over {len(pairs)}")


if __name__ == "__main__":
    main()
