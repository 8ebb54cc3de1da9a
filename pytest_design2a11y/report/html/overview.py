"""The overview of a run as data: one card per page, in a grid of designs and variants if there are any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pytest_design2a11y.comparing.variants import variant_name, varying_axes
from pytest_design2a11y.models.page import PICTURE_SUFFIXES
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import SEVERITIES, Severity
from pytest_design2a11y.report.causes import Cause, causes_of
from pytest_design2a11y.report.differences import differences_of
from pytest_design2a11y.report.shared_causes import SharedCause, shared_causes
from pytest_design2a11y.report.states import PageRow, likeness_of, worst_first

_SUFFIXES = (".html", ".htm", ".svg", *PICTURE_SUFFIXES)

#: Number of things listed that are wrong with several pages.
MAX_SHARED = 40

#: With more variants than this, cards name their variant instead of standing in columns.
MAX_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class Card:
    """The data of one page in the overview."""

    row: PageRow
    design: str  # The design's plain name, such as "shop"
    variant: str  # The page's variant among those of its design, such as "prompt v1", or ""
    causes: Sequence[Cause]  # What made it worse, the most costly first
    shared: Sequence[int]  # Which of the overview's shared causes it has

    @property
    def name(self) -> str:
        """The page's plain name."""
        return " · ".join(filter(None, (self.design, self.variant)))

    @property
    def severities(self) -> list[Severity]:
        """The severities of its differences, each once, the worst first."""
        found = {difference.severity for difference in differences_of(self.row.evaluation)}
        return [severity for severity in SEVERITIES if severity in found]

    @property
    def likeness(self) -> tuple[str, float | None]:
        """The most informative metric of likeness, and its value."""
        return likeness_of(self.row.evaluation)


@dataclass(frozen=True, slots=True)
class Overview:
    """The cards of a run."""

    cards: Sequence[Card]  # The worst first
    variants: Sequence[str]  # The columns, in order; empty if the cards have no grid
    # Every design's cards by variant, the design with the worst page first
    designs: Mapping[str, Mapping[str, Sequence[Card]]]
    shared: Sequence[SharedCause]  # What is wrong with several pages, the most costly over the run first

    @property
    def groups(self) -> dict[str, int]:
        """The number of pages that each group of causes made worse, the most costly over the run first."""
        costs: dict[str, float] = {}
        for cause in (cause for card in self.cards for cause in card.causes):
            costs[cause.group] = costs.get(cause.group, 0.0) + cause.cost
        counts = Counter(group for card in self.cards for group in {cause.group for cause in card.causes})
        return {group: counts[group] for group in sorted(costs, key=lambda group: -costs[group])}


def make_overview(run: Run) -> Overview:
    """Return the cards of a run and their arrangement in a grid."""
    names = plain_names(evaluation.case for evaluation in run.evaluations)
    varying = varying_axes(run.evaluations)
    shared = shared_causes(run.evaluations)[:MAX_SHARED]
    of_page: dict[int, list[int]] = {}
    for position, cause in enumerate(shared):
        for number in cause.pages:
            of_page.setdefault(number, []).append(position)
    cards = []
    for row in worst_first(run):
        page, shared_here = row.evaluation, of_page.get(row.number, [])
        cards.append(Card(row, names[page.case], variant_name(page, varying), causes_of(page), shared_here))
    variants = list(dict.fromkeys(variant_name(page, varying) for page in run.evaluations))
    designs: dict[str, dict[str, list[Card]]] = {}
    for card in cards:
        designs.setdefault(card.design, {}).setdefault(card.variant, []).append(card)
    is_grid = 1 < len(variants) <= MAX_COLUMNS and len(variants) * len(designs) <= 2 * len(cards)
    return Overview(cards, variants if is_grid else [], designs, shared)


def plain_names(cases: Iterable[str]) -> dict[str, str]:
    """Return the name of every case without folders and file extension, if that stays unique."""
    short: dict[str, str] = {}
    for case in cases:
        path = PurePosixPath(case.partition("?")[0].rstrip("/"))
        stem = path.stem if path.suffix.lower() in _SUFFIXES else path.name
        short[case] = (path.parent.name if stem == "index" else stem) or case
    counts = Counter(short.values())
    return {case: name if counts[name] == 1 else case for case, name in short.items()}
