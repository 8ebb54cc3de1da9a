"""A report's data: one card per page, in a grid of designs and variants; how pages changed; pictures."""

import base64
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from markupsafe import Markup

from pytest_design2a11y.comparing.pairing import anchor
from pytest_design2a11y.comparing.variants import variant_name, varying_axes
from pytest_design2a11y.files import write_whole
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import PICTURE_SUFFIXES
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import SEVERITIES, Severity
from pytest_design2a11y.report.causes import (
    Cause,
    causes_of,
    differences_of,
    failed_rules,
    lacks_differences,
    like_differences,
    page_causes,
    rule_in_words,
)
from pytest_design2a11y.report.run_pages import PageRow, SharedCause, likeness_of, shared_causes, worst_first
from pytest_design2a11y.runs.pictures import evidence_names, is_picture_name, load_evidence, load_picture

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
        seen = {difference.severity for difference in differences_of(self.row.evaluation)}
        return [severity for severity in SEVERITIES if severity in seen]

    @property
    def likeness(self) -> tuple[str, float | None]:
        """The most informative metric of likeness, and its value."""
        return likeness_of(self.row.evaluation)


@dataclass(frozen=True, slots=True)
class Overview:
    """The cards of a run."""

    cards: Sequence[Card]  # The worst first
    variants: Sequence[str]  # The columns, in order; empty if the cards have no grid
    designs: Mapping[str, Mapping[str, Sequence[Card]]]  # By design and variant, the worst design first
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


#: A page with a smaller loss or gain counts as about the same.
MIN_CHANGE = 0.001


@dataclass(frozen=True, slots=True)
class PageChange:
    """One page, before and after."""

    name: str  # The page's plain name
    old: Evaluation
    new: Evaluation
    figures: Sequence[tuple[str, float | None, float | None]]  # Both of its metrics: label, old and new value
    # Its loss of likeness plus its gain in IR×IWIR, below 0 if it became better; 1 more if it cannot be
    # measured any more
    loss: float
    wrong: Sequence[str]  # What is wrong only now, the most costly first
    fixed: Sequence[str]  # What was wrong only before, by the same rule


@dataclass(frozen=True, slots=True)
class Changes:
    """The pages that two runs have in common."""

    worse: Sequence[PageChange]  # The pages that got worse, the worst first
    better: Sequence[PageChange]  # The pages that got better, the best first
    num_same: int  # Number of pages that stayed about the same


def find_changes(old: Run, new: Run, *, changed_axes: Collection[str] = ()) -> Changes:
    """Return the changes of every page in both runs, matched apart from the axes that differ."""
    before = {_key(page, changed_axes): page for page in old.evaluations}
    names = plain_names(page.case for page in new.evaluations)
    varying = varying_axes(new.evaluations)
    moved = []
    for page in new.evaluations:
        if (earlier := before.get(_key(page, changed_axes))) is None:
            continue
        name = " · ".join(filter(None, (names[page.case], variant_name(page, varying))))
        known = (metric for metric, value in map(likeness_of, (page, earlier)) if value is not None)
        metric = next(known, "visual")
        labels = {metric: metric, "failed": "failed checks"}
        figures = [(label, earlier.value(id), page.value(id)) for id, label in labels.items()]
        loss = _difference(earlier, page, metric) + _difference(page, earlier, "weighted_ir")
        loss += (page.error is not None) - (earlier.error is not None)
        wrong, fixed = list(_only_in(page, earlier)), list(_only_in(earlier, page))
        moved.append(PageChange(name, earlier, page, figures, loss, wrong, fixed))
    worse = sorted((change for change in moved if change.loss > MIN_CHANGE), key=lambda change: -change.loss)
    better = sorted((change for change in moved if change.loss < -MIN_CHANGE), key=lambda change: change.loss)
    return Changes(worse, better, len(moved) - len(worse) - len(better))


def _key(evaluation: Evaluation, changed_axes: Collection[str]) -> tuple[object, ...]:
    axes = (item for item in sorted(evaluation.axes.items()) if item[0] not in changed_axes)
    return evaluation.case, evaluation.sample, *axes


def _difference(page: Evaluation, other: Evaluation, metric: str) -> float:
    value, other_value = page.value(metric), other.value(metric)
    return 0.0 if value is None or other_value is None else value - other_value


def _only_in(page: Evaluation, other: Evaluation) -> Iterator[str]:
    """Yield what is wrong in one of two measurements of a page but not in the other."""
    causes = {cause.text for cause in page_causes(other)}
    yield from (cause.text for cause in page_causes(page) if cause.text not in causes)
    if other.error is not None:
        return
    known = {anchor(difference) for difference in differences_of(other)}
    unlike = () if lacks_differences(other) else differences_of(page)
    differences = [difference for difference in unlike if anchor(difference) not in known]
    texts = [
        (cause, group.message if len(group.members) == 1 else cause.text)
        for cause, group in like_differences(differences)
    ]
    seen = {(rule.rule, node.target) for _cause, rule in failed_rules(other) for node in rule.violations}
    for cause, rule in failed_rules(page):
        if count := sum((rule.rule, node.target) not in seen for node in rule.violations):
            texts.append((cause, rule_in_words(rule.rule, count)))
    yield from (text for _order, text in sorted((cause.order, text) for cause, text in texts))


ROLES = ("reference", "candidate")

#: Maximum size of a report, and of each page's part of it without its larger pictures, both in bytes.
MAX_REPORT_BYTES, BYTES_PER_PAGE = 55_000_000, 48_000


class PictureStore:
    """The pictures of a report: small ones in its overview, larger ones after it or beside it."""

    def __init__(self, overview: Overview, folder: Path, beside: Path | None) -> None:
        """Choose which larger pictures fit into the report, starting with those of the worst pages."""
        self._folder = folder
        self._beside = beside
        self._given: set[str] = set()
        #: Where larger pictures are, by name: "#id" of an element of the report, or an address beside it.
        self.places: dict[str, str] = {}
        room = MAX_REPORT_BYTES - BYTES_PER_PAGE * len(overview.cards)
        pictures = (card.row.evaluation.pictures.get(role, "") for card in overview.cards for role in ROLES)
        for name in dict.fromkeys(pictures):
            path = folder / name
            if is_picture_name(name) and path.is_file():
                room -= path.stat().st_size * 4 // 3
                if room > 0:
                    self.places[name] = _place(name)
                elif beside is not None:
                    self.places[name] = quote(f"{beside.name}/{name}")

    def thumbnail(self, card: Card, role: str) -> str | None:
        """Return the address of a picture of the top of a page; None if no picture was kept."""
        picture = load_picture(card.row.evaluation, role, self._folder)
        return None if picture is None else data_url(picture.small)

    def islands(self, card: Card) -> Iterator[tuple[str, str, Markup]]:
        """Return id, type and content of the data elements for a page's pictures not returned before."""
        evaluation = card.row.evaluation
        for role in ROLES:
            picture = load_picture(evaluation, role, self._folder)
            if picture is None or picture.name in self._given or picture.name not in self.places:
                continue
            self._given.add(picture.name)
            if (place := self.places[picture.name]).startswith("#"):
                yield _island(place, picture.full)
            elif self._beside is not None:
                write_whole(self._beside / picture.name, picture.full)
        for name in evidence_names(evaluation):
            data = None if name in self.places else load_evidence(name, self._folder)
            if data is not None:
                self.places[name] = _place(name)
                yield _island(self.places[name], data)


def _place(name: str) -> str:
    return f"#picture-{name.removesuffix('.webp')}"


def _island(place: str, data: bytes) -> tuple[str, str, Markup]:
    return place[1:], "text/plain", Markup(in_base64(data))


def in_base64(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode("ascii")


def data_url(data: bytes) -> str:
    """Return the address of a picture that is part of the markup."""
    return f"data:image/webp;base64,{in_base64(data)}"
