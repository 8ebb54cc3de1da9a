"""Rankings and histories as plots: means with intervals for each metric, and one metric against another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_design2a11y.comparing.history import Entry, MetricMean
from pytest_design2a11y.comparing.rank import Place, RankedMetric, Ranking
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import COMPARED, shown_in
from pytest_design2a11y.report.drawing import NUM_SERIES, Drawing, text_width

_WIDTH, _LEFT, _RIGHT = 740, 200, 90
_ROW, _HEAD, _FOOT = 24, 34, 34
_SCATTER_HEIGHT = 420
_PAD, _LINE = 14, 14
# Vertical offsets of a label beside its dot, in order of preference; the last ones are always free.
_LABEL_SHIFTS = (-7, 16, *(side * _LINE * number for number in range(2, 99) for side in (-1, 1)))
#: Marks of the means in a history.
LEGEND = "\u25b2 better, \u25bc worse than before; line: measured differently"
_MARKS = {"better": "\u25b2 ", "worse": "\u25bc "}
_STEPS = (1, 2, 2.5, 5, 10)
_MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from 0 to a tick."""

    ticks: tuple[float, ...]  # The labelled values; the last one is the end of the axis
    # Whether positions follow the square root of the values, which spreads small ones apart
    is_root: bool = False

    def across(self, value: float) -> float:
        """Return the position of a value along the axis, 0..1."""
        share = value / self.ticks[-1]
        return math.sqrt(share) if self.is_root else share


class Row(NamedTuple):
    """A row of a panel; a line separates it from the rows above if it `is_apart`."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    mark: str = ""  # Shown before its mean
    color: str = "ink"  # Colour of the mean, a key of `COLORS`
    is_apart: bool = False

    @property
    def text(self) -> str:
        """The text beside the row."""
        return f"{self.mark}{self.mean:.4f}"


class Panel(NamedTuple):
    """Rows on one scale, below a heading."""

    heading: str
    scale: Scale
    rows: Sequence[Row]

    @property
    def height(self) -> float:
        """Height of the panel."""
        return _HEAD + _ROW * len(self.rows) + _FOOT


_LIKENESS = Scale((0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
_RATE = Scale((0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0), is_root=True)


def scale_of(metric: str, means: Iterable[Place | MetricMean]) -> Scale:
    """Return the scale of a metric: the same in every plot, except for metrics without an upper bound.

    Shares of failures are mostly near 0 and could not be read on a linear scale from 0 to 1. Without an upper
    bound, round ticks span all means and their intervals.
    """
    if COMPARED[metric].upper == 1.0:
        return _LIKENESS if COMPARED[metric].is_higher_better else _RATE
    end = max(mean.interval[1] if mean.interval else mean.mean for mean in means) or 1.0
    size = 10.0 ** math.floor(math.log10(end / _MOST_TICKS))
    step = next(size * number for number in _STEPS if end / (size * number) <= _MOST_TICKS)
    return Scale(tuple(number * step for number in range(math.ceil(end / step - 1e-9) + 1)))


def plot_ranking(ranking: Ranking, *, has_pages: bool = False) -> Drawing:
    """Draw a ranking: a panel of bars per metric, and below them a scatter plot of two metrics.

    Raises:
        ConfigurationError: There are no values to plot.
    """
    metrics = [metric for metric in ranking.metrics.values() if metric.state == "compared"]
    if not metrics:
        raise ConfigurationError(
            "There is nothing to plot: the runs have no metric in common.", advice="See the ranking for why."
        )
    pair = scatter_metrics(ranking)
    title = f"Ranking by {', '.join(metric.metric for metric in metrics)}: means and 95 % intervals"
    panels = [_panel(ranking, metric) for metric in metrics]
    drawing = draw_panels(title, panels, below=_SCATTER_HEIGHT if pair else 0)
    if pair:
        add_scatter(drawing, ranking, pair, drawing.height - _SCATTER_HEIGHT, has_pages=has_pages)
    return drawing


def bars_of(ranking: Ranking, metric: RankedMetric) -> Drawing:
    """Draw the bars of one metric."""
    means = (f"{ranking.contenders[place.contender].name} {place.mean:.4f}" for place in metric.places)
    title = f"{metric.metric}, the best first: {', '.join(means)}"
    return draw_panels(title, [_panel(ranking, metric)])


def scatter_of(ranking: Ranking) -> Drawing | None:
    """Draw likeness against inaccessibility; None if the ranking lacks either."""
    pair = scatter_metrics(ranking)
    if pair is None:
        return None
    drawing = Drawing(_WIDTH, _SCATTER_HEIGHT, f"{pair[1].metric} against {pair[0].metric}")
    add_scatter(drawing, ranking, pair, 0.0, has_pages=False)
    return drawing


def plot_history(entries: Sequence[Entry], *, metrics: Sequence[str] = ()) -> Drawing:
    """Draw runs over time: one panel per metric, one row per run, the oldest first.

    A triangle that points up or down marks a mean that is clearly better or worse than the previous one; a
    line separates runs that were measured differently.

    Raises:
        ConfigurationError: There are no values to plot.
    """
    metrics = metrics or shown_in("ranking")
    panels = []
    for metric in metrics:
        if means := [(entry.name, mean) for entry in entries if (mean := entry.metrics.get(metric))]:
            scale = scale_of(metric, (mean for _name, mean in means))
            rows = []
            for name, mean in means:
                mark = _MARKS.get(mean.change, "")
                color = mean.change if mark else "ink"
                rows.append(Row(name, mean.mean, mean.interval, mark, color, mean.change == "refused"))
            panels.append(Panel(_heading(metric, scale), scale, rows))
    if not panels:
        raise ConfigurationError(
            f"There is nothing to draw: no saved run has {', '.join(metrics)}.",
            advice="Save runs with --design2a11y-save NAME first.",
        )
    texts = (f"{name}: {', '.join(f'{row.name} {row.text}' for row in rows)}." for name, _, rows in panels)
    drawing = draw_panels(f"Saved runs over time. {' '.join(texts)}", panels, below=24)
    drawing.words(14, drawing.height - 10, LEGEND, "muted")
    return drawing


def _panel(ranking: Ranking, metric: RankedMetric) -> Panel:
    names = ranking.contenders
    rows = [Row(names[place.contender].name, place.mean, place.interval) for place in metric.places]
    scale = scale_of(metric.metric, metric.places)
    return Panel(_heading(metric.metric, scale), scale, rows)


def draw_panels(title: str, panels: Sequence[Panel], *, below: float = 0.0) -> Drawing:
    """Draw panels one below the other, leaving `below` units free at the bottom."""
    drawing = Drawing(_WIDTH, sum(panel.height for panel in panels) + below, title)
    top = 0.0
    for panel in panels:
        heading, scale, rows = panel
        width = _WIDTH - _LEFT - _RIGHT
        bottom = top + _HEAD + _ROW * len(rows)
        drawing.words(_PAD, top + 18, heading)
        for tick in scale.ticks:
            x = _LEFT + scale.across(tick) * width
            drawing.line(x, top + _HEAD - 4, x, bottom, "line")
            drawing.words(x, bottom + 14, f"{tick:.10g}", "muted", "middle")
        for number, row in enumerate(rows):
            y = top + _HEAD + _ROW * number
            if row.is_apart:
                drawing.line(_PAD, y, _WIDTH - _PAD, y, "muted")
            drawing.words(_LEFT - 10, y + 14, row.name[:26], anchor="end")
            x, middle = _LEFT + scale.across(row.mean) * width, y + _ROW / 2 - 1
            if scale.is_root:  # A bar's length would be read as a share.
                drawing.dot(x, middle, 5, "bar")
            else:
                drawing.box(_LEFT, y + 3, x - _LEFT, _ROW - 8, "bar")
            if row.interval:
                low, high = (_LEFT + scale.across(end) * width for end in row.interval)
                drawing.line(low, middle, high, middle, "interval")
                for end in (low, high):
                    drawing.line(end, middle - 4, end, middle + 4, "interval")
            drawing.words(_WIDTH - _PAD, y + 14, row.text, row.color, "end")
        top += panel.height
    return drawing


def _heading(metric: str, scale: Scale) -> str:
    better = "higher" if COMPARED[metric].is_higher_better else "lower"
    return f"{metric} ({better} is better{'; square-root scale' if scale.is_root else ''})"


def scatter_metrics(ranking: Ranking) -> tuple[RankedMetric, RankedMetric] | None:
    """Return the metrics on the x and y axes of the scatter plot, or None if the ranking lacks either."""
    compared = {name: metric for name, metric in ranking.metrics.items() if metric.state == "compared"}
    across, upwards = compared.get("weighted_ir"), compared.get("fidelity") or compared.get("visual")
    return (across, upwards) if across and upwards else None


def add_scatter(
    drawing: Drawing,
    ranking: Ranking,
    pair: tuple[RankedMetric, RankedMetric],
    top: float,
    *,
    has_pages: bool,
) -> None:
    """Add one dot per contender with the intervals of both means, on demand with small dots for its pages."""
    left, right, floor, ceiling = 60, _WIDTH - 20, top + _SCATTER_HEIGHT - 48, top + 34
    across, upwards = pair
    scales = [scale_of(metric.metric, metric.places) for metric in pair]

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            left + scales[0].across(x) * (right - left),
            floor - scales[1].across(y) * (floor - ceiling),
        )

    drawing.words(_PAD, top + 18, _heading(upwards.metric, scales[1]))
    drawing.words(right, floor + 34, _heading(across.metric, scales[0]), anchor="end")
    for tick in scales[0].ticks:
        x, _y = at(tick, 0.0)
        drawing.line(x, floor, x, ceiling, "line")
        drawing.words(x, floor + 16, f"{tick:.10g}", "muted", "middle")
    for tick in scales[1].ticks:
        _x, y = at(0.0, tick)
        drawing.line(left, y, right, y, "line")
        drawing.words(left - 8, y + 4, f"{tick:.10g}", "muted", "end")
    others = dict(zip(upwards.cases, upwards.values, strict=True))
    for case, values in zip(across.cases, across.values, strict=True) if has_pages else ():
        for number, (value, other) in enumerate(zip(values, others.get(case, ()), strict=False)):
            drawing.dot(*at(float(value), float(other)), 1.6, f"series-{number % NUM_SERIES}")
    labels: list[tuple[float, float, float]] = []
    for number, contender in enumerate(ranking.contenders):
        places = across.place_of(number), upwards.place_of(number)
        x, y = at(places[0].mean, places[1].mean)
        color = f"series-{number % NUM_SERIES}"
        if places[0].interval and places[1].interval:
            low, high = (at(end, places[1].mean)[0] for end in places[0].interval)
            drawing.line(low, y, high, y, color)
            low, high = (at(places[0].mean, end)[1] for end in places[1].interval)
            drawing.line(x, low, x, high, color)
        drawing.dot(x, y, 5, color)
        name = contender.name[:30]
        width = text_width(name)
        start = x + 9 if x + 9 + width < right else x - 9 - width
        lines = (y + shift for shift in _LABEL_SHIFTS)
        taken = [other for begin, other, wide in labels if begin < start + width and start < begin + wide]
        line = next(line for line in lines if all(abs(line - other) >= _LINE for other in taken))
        labels.append((start, line, width))
        drawing.words(start, line, name, color)
