"""The input for finding differences: two pages, with everything that was matched."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference, DifferenceKind, DifferenceSubject, Value, VisualScore
from pytest_design2a11y.visual.match import PageMatch
from pytest_design2a11y.visual.match.texts import UnitMatching
from pytest_design2a11y.visual.scene.places import Details, is_moved
from pytest_design2a11y.visual.scene.sight import Sight, part_of
from pytest_design2a11y.visual.score import mean_of


@dataclass(frozen=True)
class Compared:
    """Two pages, what is the same on both, and how alike they are."""

    match: PageMatch
    score: VisualScore  # With the metrics of the whole page

    @property
    def reference(self) -> Capture:
        """The design."""
        return self.match.reference

    @property
    def candidate(self) -> Capture:
        """The compared part of the generated page."""
        return self.match.candidate

    @property
    def pages(self) -> tuple[Capture, Capture]:
        """The design and the generated page."""
        return self.reference, self.candidate

    @property
    def texts(self) -> UnitMatching:
        """Their texts as people read them, in pairs and alone."""
        return self.match.texts

    @property
    def pairs(self) -> Sequence[tuple[Element, Element]]:
        """The elements that both pages have."""
        return self.match.pairs

    @property
    def mean(self) -> float | None:
        """The mean that fidelity starts from; None if a part of it was not measured."""
        return mean_of(self.score.score, self.score.elements, self.score.typography)

    @property
    def sight(self) -> Sight:
        """Where the pages visibly differ."""
        return self.match.sight

    @cached_property
    def num_striking(self) -> int:
        """How many pixels strike the eye as different."""
        return int(np.count_nonzero(self.sight.striking))


def claim(
    kind: DifferenceKind,
    what: DifferenceSubject,
    property: str | None = None,
    expected: Value = None,
    actual: Value = None,
    reference: Details | None = None,
    candidate: Details | None = None,
    members: Sequence[Difference] = (),
) -> Difference:
    """Return a difference that was seen; what it costs and how severe it is follow from all of them."""
    return Difference(
        kind, what, 0.0, "minor", property, expected, actual, reference, candidate, tuple(members)
    )


def screen_height(page: Capture) -> int:
    """Return the height of the first screen of a page, px."""
    return min(page.page_size[1], page.viewport.height if page.viewport else 800)


def of_alike(missing: int, on_page: Sequence[tuple[Box, Box]]) -> dict[str, list[int]]:
    """Return how many of several similar things are missing, "of" how many; empty if it is known which.

    It is known if none of those that are `on_page` moved.
    """
    is_doubtful = any(is_moved(*boxes) for boxes in on_page)
    return {"of": [missing, missing + len(on_page)]} if is_doubtful else {}


def with_shares(differences: Iterable[Difference], compared: Compared) -> Iterator[Difference]:
    """Yield differences with the part of the striking pixels where they and their members are, 0..1.

    Pixels on the first screen count twice.
    """
    mask, window = compared.sight.striking, compared.reference.viewport
    first = window.height if window else 800

    def pixels_in(box: Box) -> int:
        rows, columns = part_of(box)
        shown = mask[rows, columns]
        return int(np.count_nonzero(shown)) + int(np.count_nonzero(shown[: max(0, first - rows.start)]))

    total = pixels_in((0, 0, mask.shape[1], mask.shape[0]))
    for difference in differences:
        if not total:
            yield difference
            continue
        if difference.what == "page" and difference.kind != "unexplained":
            yield replace(difference, share=1.0)
            continue
        parts = difference.members or (difference,)
        boxes = {box for part in parts for box in part.boxes if box[2] and box[3]}
        # Of a region, what other differences explain is theirs.
        own = float(difference.actual or 1.0) if difference.property == "look" else 1.0
        yield replace(difference, share=round(min(1.0, own * sum(map(pixels_in, boxes)) / total), 4))
