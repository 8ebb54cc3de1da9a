"""How far scores against a picture of the design are from scores against its page.

    python -m studies.pictures CORPUS [--sets SET ...] [--limit N] [--pages]

For every design of a corpus folder (`references/N.html`, `candidates/SET/N.html`) its page is rendered, its
screenshot is taken for a picture of it, and each candidate is scored against both.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.stats import spearmanr

from pytest_design2a11y.capture.picture.capture_picture import capture_picture
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.settings.values import Settings

STRONG, WEAK = "gemini-naive-2025-06-18-10-18", "llava-zero-shot-2025-07-12-14-14"
CACHE = Path(".design2a11y") / "cache" / "lines"


@dataclass(frozen=True)
class Scored:
    """One candidate's scores against a design's page and against its picture."""

    candidates: str
    page: str
    against_page: float
    against_picture: float

    @property
    def difference(self) -> float:
        return self.against_picture - self.against_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sets", nargs="+", default=[STRONG, WEAK])
    parser.add_argument("--limit", type=int, default=None, help="designs")
    parser.add_argument("--pages", action="store_true", help="print every page")
    given = parser.parse_args()
    settings = Settings(audit=False, picture_crop="never")
    with open_renderer(settings) as renderer:
        found = list(_scored(given.corpus, given.sets, given.limit, renderer, settings))
    if given.pages:
        for one in sorted(found, key=lambda one: abs(one.difference)):
            print(f"{one.candidates} {one.page}: {one.against_page:.4f} {one.difference:+.4f}")
    for name in ["itself", *given.sets]:
        _print(name, [one for one in found if one.candidates == name])
    _print("all sets", [one for one in found if one.candidates != "itself"])


def _scored(
    corpus: Path, sets: list[str], limit: int | None, renderer: Renderer, settings: Settings
) -> Iterator[Scored]:
    for path in sorted((corpus / "references").glob("*.html"), key=lambda path: int(path.stem))[:limit]:
        design = capture_source(path, role="reference", renderer=renderer, settings=settings)
        picture = picture_of(design)
        yield Scored("itself", path.stem, 1.0, measure_visual(picture, design, settings=settings).score)
        for name in sets:
            try:
                candidate = capture_source(
                    corpus / "candidates" / name / path.name,
                    role="candidate",
                    renderer=renderer,
                    settings=settings,
                )
            except Design2a11yError as error:
                print(f"{name} {path.stem}: {type(error).__name__}")
                continue
            if candidate.text_runs:
                scores = [
                    measure_visual(reference, candidate, settings=settings).score
                    for reference in (design, picture)
                ]
                yield Scored(name, path.stem, *scores)


def picture_of(design: Capture) -> Capture:
    file = io.BytesIO()
    Image.fromarray(design.screenshot.pixels).save(file, "PNG")
    document = Document(label=design.label, html=None, picture=file.getvalue())
    return replace(capture_picture(document, role="reference", cache_folder=CACHE), warnings=())


def _print(name: str, scored: list[Scored]) -> None:
    if not scored:
        return
    apart = np.abs([one.difference for one in scored])
    line = (
        f"{name}: {len(scored)} pages, |d| median {np.median(apart):.4f} mean {apart.mean():.4f} "
        f"p95 {np.percentile(apart, 95):.4f} max {apart.max():.4f}"
    )
    if name == "itself":
        own = 1 - apart
        line += f"; score mean {own.mean():.4f} p5 {np.percentile(own, 5):.4f} min {own.min():.4f}"
    else:
        ranks = spearmanr([one.against_page for one in scored], [one.against_picture for one in scored])
        line += f", Spearman {ranks.statistic:.3f}"
    print(line)


if __name__ == "__main__":
    main()
