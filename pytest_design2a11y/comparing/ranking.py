"""Several runs, or parts of runs, ranked over their common cases: who is surely better than whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy

from pytest_design2a11y.comparing import NEGLIGIBLE, TIE, ComparisonState, RunFacts, refusals
from pytest_design2a11y.comparing.aggregate import CONFIDENCE, Interval, estimate, mean_over_axes
from pytest_design2a11y.comparing.compare import facts_of
from pytest_design2a11y.comparing.conditions import DifferingCondition, find_differences
from pytest_design2a11y.comparing.pairing import Alignment, AxisValues, align_cases, prompt_changes
from pytest_design2a11y.comparing.resampling import MIN_CASES, holm
from pytest_design2a11y.comparing.selection import RunPart
from pytest_design2a11y.comparing.table import RunTable, Values, make_table
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import COMPARED, MISSING_CONTENT, shown_in
from pytest_design2a11y.models.verdicts import case_name


@dataclass(frozen=True, slots=True)
class Contender:
    """A ranked run, or the part of a run with certain values of axes."""

    name: str  # Unique in the ranking
    # Values of the axes that it was grouped by, with "run" first if several runs have such a group; empty if
    # whole runs are ranked
    axes: AxisValues
    run: RunFacts  # Limited to that part
    absent: tuple[str, ...] = ()  # Cases, along their axes, that others have but it lacks
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two contenders in one metric."""

    first: int  # Number, from 0, of the contender that was named earlier
    second: int  # Number of the other contender
    difference: float  # Mean of second - first over the cases
    interval: Interval | None  # Of the difference, 95 % confidence, for this pair alone; None with one case
    p_value: float  # Two-sided, of "the mean difference is 0", corrected for all pairs and metrics (Holm)
    better: int | None  # Number of the contender that is surely better; None if neither is


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """The place of a contender in one metric."""

    contender: int
    rank: int  # From 1; contenders with the same mean share it
    mean: float
    interval: Interval | None  # Of the mean, 95 % confidence, within the metric's bounds; None with one case
    beaten_by: tuple[int, ...] = ()  # Ranks of the contenders that are surely better
    # Its mean `block_match` if the metric is blind to missing text and contenders differ in it by more than
    # `MISSING_CONTENT`; else None
    block_match: float | None = None
    lacks_content: bool = False  # Whether it has that much less than another; then it is never the best


@dataclass(frozen=True, eq=False)
class RankedMetric:
    """One metric over all contenders."""

    metric: str  # Id in `COMPARED`
    # "compared", "refused" (measured in incompatible ways) or "not measured" (no case has a value for all of
    # them)
    state: ComparisonState
    reason: str = ""  # Why there is no ranking, or ""
    cases: tuple[str, ...] = ()  # The cases for which all contenders have a value
    # Their values, (cases, contenders); each the mean over the axes that cases are aligned along
    values: Values = field(default_factory=lambda: numpy.empty((0, 0)), repr=False)
    places: tuple[RankedPlace, ...] = ()  # Best first
    pairs: tuple[PairVerdict, ...] = ()  # One for every two contenders
    lacking: tuple[int, ...] = ()  # Number of cases, by contender, without a value that others have

    @property
    def has_verdicts(self) -> bool:
        """Whether there are enough cases for sure verdicts."""
        return len(self.cases) >= MIN_CASES

    @property
    def is_higher_better(self) -> bool:
        """Whether higher values are better."""
        return COMPARED[self.metric].is_higher_better

    def place_of(self, contender: int) -> RankedPlace:
        """Return the place of a contender."""
        return next(place for place in self.places if place.contender == contender)

    def moved_most(self, limit: int | None) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Return the cases that differ most between contenders, with values; None: all that differ."""
        spread = numpy.ptp(self.values, axis=1)
        order = numpy.argsort(-spread, kind="stable")[:limit]
        return tuple(
            (self.cases[row], tuple(map(float, self.values[row]))) for row in order if spread[row] > TIE
        )


@dataclass(frozen=True, slots=True)
class DifferingPairs:
    """A measuring condition in which contenders differ."""

    difference: DifferingCondition  # Between two of them
    pairs: tuple[tuple[str, str], ...]  # Names of all pairs with the same difference


@dataclass(frozen=True, eq=False)
class Ranking:
    """Several contenders, ranked in some metrics."""

    contenders: tuple[Contender, ...]
    metrics: Mapping[str, RankedMetric]
    num_cases: int
    differences: tuple[DifferingPairs, ...]
    # Axes in which the contenders differ, each with the value per contender
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Values of the axes that cases are aligned along, for axes with several values
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    grouped_by: tuple[str, ...] = ()  # Axes that contenders were grouped by, "run" first if it is one


def rank_parts(parts: Sequence[RunPart], *, metrics: Sequence[str] = ()) -> Ranking:
    """Rank runs, or parts of them, by their means over the cases that all of them have.

    Cases are aligned along equal axes, as for two runs. All contenders are compared pairwise by paired
    differences; significance is corrected for all pairs and metrics together (Holm). NotComparable if they
    mix different axes, ConfigurationError for fewer than two.
    """
    if len(parts) < 2:
        raise ConfigurationError(
            "There is only one run, or part of a run, so there is nothing to compare it with.",
            advice="Name more runs, or an axis with several values (--by).",
        )
    tables = [make_table(part.run) for part in parts]
    names = [part.name for part in parts]
    heads = [f"#{number}" for number in range(1, len(parts) + 1)]
    aligned = align_cases(tables, names=names, heads=heads)
    differences = _differences(tables, aligned, names)
    refused = refusals(pair.difference for pair in differences)
    ranked = [
        _rank_metric(metric, tables, aligned, refused.get(metric, ""))
        for metric in metrics or shown_in("ranking")
    ]
    return Ranking(
        contenders=tuple(_contenders(parts, tables, aligned)),
        metrics=_with_content(_with_verdicts(ranked), tables, aligned),
        num_cases=len({case for case, _axes in aligned.keys}),
        differences=differences,
        changes={**aligned.changes, **prompt_changes([part.run for part in parts])},
        axes=aligned.axes,
        grouped_by=tuple(name for name, _value in parts[0].axes),
    )


def _with_content(
    metrics: Mapping[str, RankedMetric], tables: Sequence[RunTable], aligned: Alignment
) -> dict[str, RankedMetric]:
    """Add matched text to metrics that are blind to missing text, if contenders differ much in it."""
    matched = _rank_metric("block_match", tables, aligned, "")
    if matched.state != "compared" or numpy.ptp(means := matched.values.mean(axis=0)) <= MISSING_CONTENT:
        return dict(metrics)
    lacking = means < means.max() - MISSING_CONTENT
    noted = dict(metrics)
    for name, metric in metrics.items():
        if COMPARED[name].is_blind_to_missing:
            places = (
                replace(
                    place,
                    block_match=float(means[place.contender]),
                    lacks_content=bool(lacking[place.contender]),
                )
                for place in metric.places
            )
            noted[name] = replace(metric, places=tuple(places))
    return noted


def _contenders(
    parts: Sequence[RunPart], tables: Sequence[RunTable], aligned: Alignment
) -> Iterator[Contender]:
    everything = tuple(dict.fromkeys(key for keys in aligned.all_keys for key in keys))
    for part, table, cases in zip(parts, tables, aligned.all_keys, strict=True):
        has = frozenset(cases)
        yield Contender(
            name=part.name,
            axes=part.axes,
            run=facts_of(part.run, table),
            absent=tuple(case_name(key) for key in everything if key not in has),
            # Case names omit the axes in which the contenders differ.
            errors={
                case_name((case, tuple(axis for axis in axes if axis[0] not in aligned.changes))): texts
                for (case, axes), texts in table.errors.items()
            },
        )


def _differences(
    tables: Sequence[RunTable], aligned: Alignment, names: Sequence[str]
) -> tuple[DifferingPairs, ...]:
    found: dict[str, tuple[DifferingCondition, list[tuple[str, str]]]] = {}
    for first, second in combinations(range(len(tables)), 2):
        rows = zip(aligned.rows[first], aligned.rows[second], strict=True)
        pairs = ((tables[first].conditions[row], tables[second].conditions[other]) for row, other in rows)
        for difference in find_differences(pairs):
            found.setdefault(str(difference), (difference, []))[1].append((names[first], names[second]))
    return tuple(DifferingPairs(difference, tuple(same)) for difference, same in found.values())


def _rank_metric(metric: str, tables: Sequence[RunTable], aligned: Alignment, refusal: str) -> RankedMetric:
    """Return the means of a metric and the difference of every pair; p-values are not corrected yet."""
    column = list(COMPARED).index(metric)
    cells = numpy.stack(
        [table.means[rows, column] for table, rows in zip(tables, aligned.rows, strict=True)], axis=1
    )
    measured = ~numpy.isnan(cells)
    is_whole = measured.all(axis=1)
    if not is_whole.any():
        return RankedMetric(metric, "not measured", "no case has it in all of them")
    if refusal:
        return RankedMetric(metric, "refused", refusal)
    cases, values = mean_over_axes(aligned.keys, numpy.where(is_whole[:, None], cells, numpy.nan))
    kept = ~numpy.isnan(values[:, 0])
    values = values[kept]
    pairs = list(combinations(range(values.shape[1]), 2))
    changes = numpy.stack([values[:, second] - values[:, first] for first, second in pairs], axis=1)
    changes = numpy.where(numpy.abs(changes) <= TIE, 0.0, changes)
    estimates = estimate(values, metric, is_difference=False)
    compared = zip(pairs, estimate(changes, metric, is_difference=True), strict=True)
    verdicts = (
        PairVerdict(*pair, mean, interval, p_value, None) for pair, (mean, interval, p_value) in compared
    )
    means = [mean for mean, _interval, _p_value in estimates]
    sign = -1 if COMPARED[metric].is_higher_better else 1
    order = sorted(range(len(means)), key=lambda contender: sign * means[contender])
    places = []
    for contender in order:
        ties = (rank for rank, other in enumerate(order, 1) if abs(means[other] - means[contender]) <= TIE)
        places.append(RankedPlace(contender, next(ties), *estimates[contender][:2]))
    return RankedMetric(
        metric,
        "compared",
        cases=tuple(cases[row] for row in numpy.flatnonzero(kept)),
        values=values,
        places=tuple(places),
        pairs=tuple(verdicts),
        lacking=tuple(int(number) for number in (measured.any(axis=1)[:, None] & ~measured).sum(axis=0)),
    )


def _with_verdicts(metrics: Sequence[RankedMetric]) -> dict[str, RankedMetric]:
    """Add sure verdicts, corrected for all pairs of all metrics that are shown."""
    judged = {
        (metric.metric, number): pair.p_value
        for metric in metrics
        if metric.has_verdicts
        for number, pair in enumerate(metric.pairs)
    }
    corrected = {test: p_value for test, _num_open, p_value in holm(judged)}
    judged_metrics = {}
    for metric in metrics:
        ranks = {place.contender: place.rank for place in metric.places}
        pairs: list[PairVerdict] = []
        beaten: dict[int, list[int]] = {contender: [] for contender in ranks}
        for number, pair in enumerate(metric.pairs):
            p_value, better = corrected.get((metric.metric, number), 1.0), None
            if p_value < 1 - CONFIDENCE and abs(pair.difference) >= NEGLIGIBLE:
                is_second = (pair.difference > 0) == metric.is_higher_better
                better, worse = (pair.second, pair.first) if is_second else (pair.first, pair.second)
                beaten[worse].append(ranks[better])
            pairs.append(replace(pair, p_value=p_value, better=better))
        places = (replace(place, beaten_by=tuple(sorted(beaten[place.contender]))) for place in metric.places)
        judged_metrics[metric.metric] = replace(metric, pairs=tuple(pairs), places=tuple(places))
    return judged_metrics
