"""Measures the cost of viewports, and how scores at device scales 2 and 3 differ from those at scale 1.

`python -m studies.viewports CORPUS [--pages 12]`: a corpus has references/N.html and candidates/SET/N.html.
Ten pages without pictures are used for the scales, all pages for the cost.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_design2a11y.scorer import Scorer

VIEWPORTS = ("1280x720", "1920x1080", "768x1024@2", "375x812@3", "375x812@3+mobile")
_PICTURE = re.compile(rb"<img|<svg|<canvas|<picture|background[^;{}]*url\(", re.IGNORECASE)


def main() -> None:
    """Print one line per page, and a summary."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--set", default="")
    given = parser.parse_args()
    name = given.set or sorted(path.name for path in (given.corpus / "candidates").iterdir())[0]
    pairs = [
        (
            given.corpus / "references" / f"{number}.html",
            given.corpus / "candidates" / name / f"{number}.html",
        )
        for number in range(1, 54)
    ]
    there = [pair for pair in pairs if all(path.is_file() for path in pair)]
    plain = [pair for pair in there if not any(_PICTURE.search(path.read_bytes()) for path in pair)]
    print(f"{name}: {len(there)} pages, {len(plain)} of them without pictures")
    with Scorer(audit=False) as scorer:
        print("scales:", _told(list(_scales(scorer, plain[:10]))))
    for sizes in (VIEWPORTS[:1], VIEWPORTS):
        with Scorer() as scorer:
            began = time.monotonic()
            seconds = [_seconds(scorer, pair, size) for pair in there[: given.pages] for size in sizes]
            print(
                f"{len(sizes)} viewports: {len(seconds)} scores in {time.monotonic() - began:.1f} s, "
                f"median {sorted(seconds)[len(seconds) // 2]:.2f} s; this process {_peak():.0f} MB at most",
                flush=True,
            )


def _scales(scorer: Scorer, pairs: Sequence[tuple[Path, Path]]) -> Iterator[float]:
    for design, page in pairs:
        scores = []
        for scale in (1, 2, 3):
            visual = scorer.score(design, page, viewport=f"1280x720@{scale}").visual
            assert visual is not None
            scores.append(visual.score)
        apart = max(abs(score - scores[0]) for score in scores)
        print(f"{page.stem}: {' '.join(f'{score:.4f}' for score in scores)}  {apart:.4f}", flush=True)
        yield apart


def _told(apart: Sequence[float]) -> str:
    return f"{len(apart)} pages, at most {max(apart, default=0.0):.4f} from scale 1"


def _seconds(scorer: Scorer, pair: tuple[Path, Path], size: str) -> float:
    began = time.monotonic()
    evaluation = scorer.score(*pair, viewport=size)
    if evaluation.error is not None:
        print(f"{pair[1].stem} {size}: {evaluation.error.type}: {evaluation.error.message}")
    return time.monotonic() - began


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
