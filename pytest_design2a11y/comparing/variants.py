"""The variants of a run: results for each prompt, model or viewport, and which is surely better."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pytest_design2a11y.comparing.aggregate import MetricSummary, summarize_table
from pytest_design2a11y.comparing.ranking import RankedMetric, rank_parts
from pytest_design2a11y.comparing.selection import RunPart
from pytest_design2a11y.comparing.table import RunTable, make_table
from pytest_design2a11y.exceptions import NotComparable
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS, shown_in
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import RENDERING_AXES, Axes

#: With more variants than this, they get no rows of their own.
MAX_VARIANTS = 40


@dataclass(frozen=True, eq=False)
class Variant:
    """The pages of one variant."""

    name: str  # Such as "prompt v1"; "" for the whole run
    evaluations: Sequence[Evaluation]  # Its pages
    table: RunTable  # Their numbers
    summaries: Mapping[str, MetricSummary]  # Means over its cases with their intervals, by metric

    @property
    def pages(self) -> str:
        """The number of pages, or "11/12" if not all were measured."""
        total = len(self.evaluations)
        measured = sum(page.error is None for page in self.evaluations)
        return str(total) if measured == total else f"{measured}/{total}"

    @property
    def num_broken(self) -> int | None:
        """Number of pages that break a limit; None if no page has a limit."""
        if not any(page.verdicts for page in self.evaluations):
            return None
        return sum(any(not verdict.is_passed for verdict in page.verdicts) for page in self.evaluations)


@dataclass(frozen=True, eq=False)
class Variants:
    """A run, divided into its variants."""

    # Best first if they are ranked, else in the order of the run; if only samples differ, starts with the
    # unnamed variant, the whole run
    all: Sequence[Variant]
    columns: Sequence[str]  # Metrics of quality, and those with a limit
    choices: Sequence[str]  # Names of the variants to choose between, so neither viewports nor samples
    ranked: Mapping[str, RankedMetric]  # Over the choices, on cases common to all; empty without a choice

    @property
    def judged(self) -> list[RankedMetric]:
        """The columns in which the choices are ranked."""
        return [metric for name, metric in self.ranked.items() if name in self.columns]

    def is_best(self, variant: Variant, metric: str) -> bool:
        """Check whether a variant is surely better than all others that have the designs' text."""
        ranked = self.ranked.get(metric)
        places = [place for place in ranked.places if not place.lacks_content] if ranked else []
        return len(places) > 1 and (
            self.choices[places[0].contender] == variant.name
            and all(places[0].rank in other.beaten_by for other in places[1:])
        )


def find_variants(evaluations: Sequence[Evaluation]) -> Variants:
    """Return the results of each variant of a run, and their ranking."""
    varying = varying_axes(evaluations)
    named = [name for name in varying if name != "sample"]
    parts = _parts(evaluations, named or varying)
    if not 1 < len(parts) <= MAX_VARIANTS:
        parts = _parts(evaluations, ())
    elif not named:  # Samples are repetitions: the whole run matters most, so it comes first.
        parts = [*_parts(evaluations, ()), *parts]
    tables = [make_table(part.run) for part in parts]
    variants = [
        Variant(part.name, part.run.evaluations, table, summarize_table(table))
        for part, table in zip(parts, tables, strict=True)
    ]
    chosen = _parts(evaluations, [name for name in named if name not in (*RENDERING_AXES, "sample")])
    ranked: Mapping[str, RankedMetric] = {}
    if 1 < len(chosen) <= MAX_VARIANTS:
        with suppress(NotComparable):  # Without common cases or axes, the means stand alone.
            ranked = rank_parts(chosen).metrics
    measured = {name for variant in variants for name in variant.summaries}
    limited = {verdict.metric for page in evaluations for verdict in page.verdicts}
    # Metrics of quality: those that are ranked and also shown for single pages.
    quality = [name for name in shown_in("ranking") if name in shown_in("summary", "wide")]
    # Leave out components whose whole metric is shown.
    whole = [name for name in quality if METRICS[name].of not in measured]
    columns = [name for name in dict.fromkeys([*whole, *METRICS]) if name in {*whole, *limited} & measured]
    choices = [part.name for part in chosen]
    first = next((metric.places for metric in ranked.values() if metric.places), ())
    ranks = {choices[place.contender]: place.rank for place in first}
    variants.sort(key=lambda variant: ranks.get(variant.name, 0))
    return Variants(variants, columns, choices, ranked)


def _parts(evaluations: Iterable[Evaluation], axes: Sequence[str]) -> list[RunPart]:
    groups: dict[str, list[Evaluation]] = {}
    for page in evaluations:
        groups.setdefault(variant_name(page, axes), []).append(page)
    return [RunPart(name, Run(name, "", True, tuple(pages))) for name, pages in groups.items()]


def varying_axes(evaluations: Iterable[Evaluation]) -> list[str]:
    """Return the axes, including "sample", in which the pages of a case differ."""
    by_case: dict[str, list[Axes]] = {}
    for page in evaluations:
        by_case.setdefault(page.case, []).append(_all_axes(page))
    differing = {
        name
        for pages in by_case.values()
        for name in {name for axes in pages for name in axes}
        if len({axes.get(name) for axes in pages}) > 1
    }
    return sorted(differing, key=lambda name: (name == "sample", name))


def variant_name(evaluation: Evaluation, varying: Iterable[str]) -> str:
    """Return the name of a page's variant: "prompt v1", "model x · sample 2"."""
    axes = _all_axes(evaluation)
    values = ((name, axes[name]) for name in varying if name in axes)
    return " · ".join(
        value if name == "model" or value.lower().startswith(name.lower()) else f"{name} {value}"
        for name, value in values
    )


def _all_axes(evaluation: Evaluation) -> Axes:
    return {**evaluation.axes, "sample": evaluation.sample}
