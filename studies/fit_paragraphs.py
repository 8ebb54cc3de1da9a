"""Fits what speaks for a picture's line going on in the next one; prints `paragraphs.WEIGHTS`.

    python -m studies.fit_paragraphs CORPUS

The pairs of neighboring lines of every design of a corpus folder (`references/N.html`), as read from its
picture; two lines go on where one element of the page owns both. The designs are fitted by halves too, to
tell how the weights do on designs that they were not fitted to.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.geometry import area, clipped
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.picture.capture_picture import believable, pieces_in
from pytest_design2a11y.picture.ocr import lines_of
from pytest_design2a11y.picture.paragraphs import WEIGHTS, Paragraph, evidence_of, foot, neighbor
from pytest_design2a11y.picture.pieces import Piece
from pytest_design2a11y.settings import Settings

CACHE = Path(".design2a11y") / "cache"
#: Strength with which weights are drawn to 0.
RIDGE = 1.0

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Pairs of lines, one row each.

    Attributes:
        evidence: Columns are the names of `WEIGHTS`, shape (pairs, names).
        goes_on: Whether one element owns both lines, 0 or 1.
        designs: Number of the design of each pair.
    """

    evidence: Numbers
    goes_on: Numbers
    designs: NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    pairs = _pairs(parser.parse_args().corpus)
    odd = pairs.designs % 2 == 1
    wrong = sum(_num_wrong(pairs, ~half, fitted(pairs, half)) for half in (odd, ~odd))
    print(f"{len(odd)} pairs; fitted to the other half of the designs, {wrong} are taken wrongly;")
    everything = np.ones_like(odd)
    print(f"with the weights as they are, {_num_wrong(pairs, everything, np.array([*WEIGHTS.values()]))}.")
    for name, weight in zip(WEIGHTS, fitted(pairs, everything), strict=True):
        print(f'    "{name}": {weight:.2f},')


def fitted(pairs: Pairs, chosen: NDArray[np.bool_]) -> Numbers:
    """Fit a logistic regression by Newton's method; the first weight, the constant, is not penalized."""
    evidence, goes_on = pairs.evidence[chosen], pairs.goes_on[chosen]
    ridge = RIDGE * np.eye(evidence.shape[1])
    ridge[0, 0] = 0.0
    weights = np.zeros(evidence.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-evidence @ weights))
        slope = evidence.T @ (chances - goes_on) + ridge @ weights
        weights -= np.linalg.solve((evidence.T * (chances * (1 - chances))) @ evidence + ridge, slope)
    return weights


def _num_wrong(pairs: Pairs, chosen: NDArray[np.bool_], weights: Numbers) -> int:
    return int(((pairs.evidence[chosen] @ weights > 0) != (pairs.goes_on[chosen] > 0)).sum())


def _pairs(corpus: Path) -> Pairs:
    rows, truths, designs = [], [], []
    settings = Settings(audit=False)
    with open_renderer(settings) as renderer:
        for path in sorted((corpus / "references").glob("*.html"), key=lambda path: int(path.stem)):
            design = capture_source(path, role="reference", renderer=renderer, settings=settings)
            for evidence, goes_on in _pairs_of(design):
                rows.append([evidence[name] for name in WEIGHTS])
                truths.append(goes_on)
                designs.append(int(path.stem))
    return Pairs(np.array(rows), np.array(truths, dtype=np.float64), np.array(designs))


def _pairs_of(design: Capture) -> Iterator[tuple[dict[str, float], bool]]:
    pixels = np.asarray(Image.open(io.BytesIO(design.screenshot.png)).convert("RGB"))
    lines = lines_of(pixels, CACHE / "lines")
    pieces = pieces_in(believable(lines), pixels)
    owners = {id(piece): _owners(piece, design.text_runs) for piece in pieces}
    above = {id(piece): neighbor(piece, pieces, is_below=False) for piece in pieces}
    for piece in pieces:
        before = above[id(piece)]
        if before is None:
            continue
        below = neighbor(piece, pieces, is_below=True)
        further = above[id(before)]
        is_one = further is None or not owners[id(further)] & owners[id(before)]
        paragraph = Paragraph([before], None if is_one or further is None else foot(before) - foot(further))
        evidence = evidence_of(paragraph, piece, None if below is None else foot(below) - foot(piece))
        yield evidence, bool(owners[id(before)] & owners[id(piece)])


def _owners(piece: Piece, runs: Sequence[TextRun]) -> set[int]:
    """Return the elements that own most of each run of a piece."""
    found = set()
    for own in piece.runs:
        shares = [(sum(_common(own.box, run.boxes)), run.owner) for run in runs]
        most, owner = max(shares, default=(0.0, -1))
        if most > 0:
            found.add(owner)
    return found


def _common(
    box: tuple[float, float, float, float], boxes: Iterable[tuple[float, float, float, float]]
) -> Iterator[float]:
    shared = (clipped(other, box) for other in boxes)
    return (area(part) for part in shared if part is not None)


if __name__ == "__main__":
    main()
