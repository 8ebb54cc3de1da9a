"""The one pairing of two pages: their texts, and everything else that they show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.match.elements import pair_elements
from pytest_design2a11y.visual.match.texts import UnitMatching, match_units
from pytest_design2a11y.visual.scene.element_facts import label_of
from pytest_design2a11y.visual.scene.sight import Sight, look
from pytest_design2a11y.visual.scene.units import read_as_words, units_of

__all__ = ["PageMatch", "Thing", "match_pages"]

#: An element of the design and its counterpart, if any.
Thing = tuple[Element | None, Element | None]


@dataclass(frozen=True)
class PageMatch:
    """Two pages, with what is the same on both."""

    reference: Capture  # The design
    candidate: Capture  # The compared part of the generated page
    texts: UnitMatching  # Their texts as people read them, in pairs and alone
    labels: tuple[Sequence[str], Sequence[str]]  # The labels of the elements of both
    # The pairs of elements, by their indices on each page; None if one page's are unknown
    indices: Sequence[tuple[int, int]] | None

    @cached_property
    def pairs(self) -> Sequence[tuple[Element, Element]]:
        """The elements that both pages have."""
        designs, made = self.reference.elements or (), self.candidate.elements or ()
        return [(designs[i], made[j]) for i, j in self.indices or ()]

    @cached_property
    def sight(self) -> Sight:
        """Where the pages visibly differ."""
        return look(self.reference, self.candidate)

    def looks_same(self, *boxes: Box) -> bool:
        """Return whether both pages look the same in all of these boxes, px."""
        return not any(self.sight.pixels_in(box) for box in boxes)

    @cached_property
    def things(self) -> Sequence[Thing]:
        """All elements of both pages, each once, with its counterpart if it has one."""
        if self.indices is None:
            return []
        taken = [{pair[side] for pair in self.indices} for side in (0, 1)]
        gone, new = (
            [element for at, element in enumerate(page.elements or ()) if at not in known]
            for page, known in zip((self.reference, self.candidate), taken, strict=True)
        )
        return [*self.pairs, *((one, None) for one in gone), *((None, one) for one in new)]


def match_pages(
    reference: Capture,
    candidate: Capture,
    runs: tuple[Sequence[TextRun], Sequence[TextRun]] | None = None,
    *,
    time_limit: TimeLimit | None = None,
) -> PageMatch:
    """Pair the texts of two pages, and then their elements, which move with the texts in and beside them.

    Args:
        reference: The design.
        candidate: The generated page.
        runs: The visible text of both; None: all that the captures contain.
        time_limit: The time limit; None for no limit.

    Raises:
        MeasurementTimeout: The time limit was reached.
    """
    pages, limit = (reference, candidate), time_limit or TimeLimit()
    shown = runs or tuple(page.text_runs for page in pages)
    texts = match_units(*(units_of(read_as_words(*own)) for own in zip(shown, pages, strict=True)))
    reference_names, candidate_names = (
        [label_of(element, page) for element in page.elements or ()] for page in pages
    )
    indices = None
    if reference.elements is not None and candidate.elements is not None:
        indices = pair_elements(
            (reference.elements, candidate.elements), (reference_names, candidate_names), texts, limit
        )
    return PageMatch(reference, candidate, texts, (reference_names, candidate_names), indices)
