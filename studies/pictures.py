"""How far scores against a picture of the design are from scores against its page.

    python -m studies.pictures CORPUS [--sets SET ...] [--limit N] [--pages]

For every design of a corpus folder (`references/N.html`, `candidates/SET/N.html`) its page is rendered, its
screenshot is taken for a picture of it, and each candidate is scored against both. Beside that: the share of
letters that are read wrongly, and what reading takes, where nothing was read before (see CACHE).
"""

from __future__ import annotations

import argparse
import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np
from PIL import Image
from rapidfuzz.distance import Levenshtein
from scipy.stats import spearmanr

from pytest_design2a11y.blocks import ink_of
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, Document, TextRun
from pytest_design2a11y.picture.capture_picture import believable, capture_picture
from pytest_design2a11y.picture.ocr import lines_of
from pytest_design2a11y.settings import Settings

STRONG, WEAK = "gemini-naive-2025-06-18-10-18", "llava-zero-shot-2025-07-12-14-14"
CACHE = Path(".design2a11y") / "cache"


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
    letters = Letters()
    for path in sorted((corpus / "references").glob("*.html"), key=lambda path: int(path.stem))[:limit]:
        design = capture_source(path, role="reference", renderer=renderer, settings=settings)
        picture = letters.read(design)
        assert picture.viewport
        assert design.viewport
        if picture.viewport.width != design.viewport.width:
            # It is wider than its window: candidates are laid out with the picture's width.
            wide = replace(settings, viewport=(f"{picture.viewport.width}x{design.viewport.height}",))
            design = capture_source(path, role="reference", renderer=renderer, settings=wide)
        itself = capture_source(path, role="candidate", renderer=renderer, settings=settings, beside=picture)
        yield Scored("itself", path.stem, 1.0, measure_visual(picture, itself, settings=settings).score)
        for name in sets:
            try:
                candidate = capture_source(
                    corpus / "candidates" / name / path.name,
                    role="candidate",
                    renderer=renderer,
                    settings=settings,
                    beside=picture,
                )
            except Design2a11yError as error:
                print(f"{name} {path.stem}: {type(error).__name__}")
                continue
            own = tuple(run for run in candidate.text_runs if run.confidence is None)
            if own:
                page = replace(candidate, text_runs=own)
                scores = [
                    measure_visual(reference, one, settings=settings).score
                    for reference, one in ((design, page), (picture, candidate))
                ]
                yield Scored(name, path.stem, *scores)
    letters.tell()


@dataclass
class Letters:
    """Number of letters read, and of those misread; white space is not counted."""

    num_letters: int = 0
    num_wrong: int = 0
    seconds: list[float] = field(default_factory=list)

    def read(self, design: Capture) -> Capture:
        """Read the picture of a design, and compare the letters with the page's."""
        started = process_time()
        picture = picture_of(design)
        self.seconds.append(process_time() - started)
        seen = [run for run in design.text_runs if ink_of(run, design.screenshot.pixels) is not None]
        texts = {number: run.text for number, run in enumerate(seen)}
        found = _letters_in(seen, design)
        self.num_letters += sum(len(_bare(text)) for text in texts.values())
        self.num_wrong += sum(
            Levenshtein.distance(_bare(texts.get(number, "")), _bare(found.get(number, "")))
            for number in {*texts, *found}
        )
        return picture

    def tell(self) -> None:
        """Print the figures."""
        memory = getrusage(RUSAGE_SELF).ru_maxrss / 1000
        print(
            f"{self.num_wrong / self.num_letters:.2%} of {self.num_letters} letters are wrong; "
            f"processor time a picture: median {np.median(self.seconds):.2f} s, mean "
            f"{np.mean(self.seconds):.2f} s; memory {memory:.0f} MB, everything included"
        )


def _letters_in(runs: Sequence[TextRun], design: Capture) -> dict[int, str]:
    """Return what was read in each run, by its number; text outside of all runs under -1."""
    places = [(number, box) for number, run in enumerate(runs) for box in run.boxes]
    read = lines_of(design.screenshot.pixels, CACHE / "lines")
    found: dict[int, str] = {}
    for line in believable(read):
        middle = line.box[1] + line.box[3] / 2
        for letter, across in zip(line.text.replace(" ", ""), line.middles, strict=True):
            number = _run_at(across, middle, places)
            found[number] = found.get(number, "") + letter
    return found


def _run_at(across: float, down: float, places: Sequence[tuple[int, Box]]) -> int:
    inside = (
        number
        for number, (left, top, width, height) in places
        if left - 1 <= across <= left + width + 1 and top <= down <= top + height
    )
    return next(inside, -1)


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


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
