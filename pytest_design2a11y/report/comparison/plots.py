"""Rankings and histories as plots, drawn by matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pytest_design2a11y.comparing.history import Entry
from pytest_design2a11y.comparing.ranking import Place, RankedMetric, Ranking
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import replacing
from pytest_design2a11y.models.metrics import COMPARED, shown_in

#: Marks of the means in a history, with their colors.
_MARKS = {"better": ("\u25b2 ", "#116329"), "worse": ("\u25bc ", "#a40e26")}
_LEGEND = "\u25b2 better, \u25bc worse than before; line: measured differently"
#: The same scale in every plot, so that plots can be compared. Most rates are near 0: their roots spread.
_LIKENESS_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_RATE_TICKS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
_INCHES = 0.25  # Height of a row
_SCATTER_ROWS = 18
_FORMATS = (".svg", ".pdf", ".png")


class Row(NamedTuple):
    """A row of a panel; a line separates it from the rows above if it `is_apart`."""

    name: str
    mean: float
    interval: tuple[float, float] | None
    mark: str = ""  # Shown before its mean
    color: str = "black"
    is_apart: bool = False


def is_rate(metric: str) -> bool:
    """Return whether a metric is a share of failures, shown on a square-root scale."""
    return COMPARED[metric].upper == 1.0 and not COMPARED[metric].is_higher_better


def plot_ranking(path: Path, ranking: Ranking, *, has_pages: bool = False) -> None:
    """Draw a ranking: a panel of bars per metric, and below them a scatter plot of two metrics.

    Raises:
        ConfigurationError: There are no values to plot, the file's name has another suffix than .svg, .pdf
            or .png, or matplotlib is not installed.
    """
    metrics = [metric for metric in ranking.metrics.values() if metric.state == "compared"]
    if not metrics:
        raise ConfigurationError(
            "There is nothing to plot: the runs have no metric in common.", advice="See the ranking for why."
        )
    pair = scatter_metrics(ranking)
    names = [contender.name for contender in ranking.contenders]
    heights = [len(names)] * len(metrics) + ([_SCATTER_ROWS] if pair else [])
    with _panels(path, heights) as panels:
        for panel, metric in zip(panels, metrics, strict=False):
            rows = [Row(names[place.contender], place.mean, place.interval) for place in metric.places]
            _draw_rows(panel, metric.metric, rows)
        if pair:
            _draw_scatter(panels[-1], names, pair, has_pages=has_pages)


def plot_history(path: Path, entries: Sequence[Entry]) -> None:
    """Draw runs over time: one panel per metric, one row per run, the oldest first.

    A triangle that points up or down marks a mean that is clearly better or worse than the previous one; a
    line separates runs that were measured differently.

    Raises:
        ConfigurationError: As for `plot_ranking`.
    """
    metrics = shown_in("ranking")
    measured = [metric for metric in metrics if any(metric in entry.metrics for entry in entries)]
    if not measured:
        raise ConfigurationError(
            f"There is nothing to draw: no saved run has {', '.join(metrics)}.",
            advice="Save runs with --design2a11y-save NAME first.",
        )
    found = {metric: [entry for entry in entries if metric in entry.metrics] for metric in measured}
    with _panels(path, [len(runs) for runs in found.values()]) as panels:
        for panel, (metric, runs) in zip(panels, found.items(), strict=True):
            rows = []
            for entry in runs:
                mean = entry.metrics[metric]
                mark, color = _MARKS.get(mean.change, ("", "black"))
                rows.append(Row(entry.name, mean.mean, mean.interval, mark, color, mean.change == "refused"))
            _draw_rows(panel, metric, rows)
        panels[-1].set_xlabel(_LEGEND, color="gray")


@contextmanager
def _panels(path: Path, heights: Sequence[int]) -> Iterator[list[Any]]:
    """Give empty panels one below the other, each of so many rows, and write what was drawn in them."""
    if path.suffix.lower() not in _FORMATS:
        raise ConfigurationError(
            f"A plot is written as .svg, .pdf or .png, not as {path.name!r}.", advice="Rename the file."
        )
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ConfigurationError(
            "Plots need matplotlib, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[plot]"`, or take --csv to another program.',
        ) from None
    rows = [height + 3 for height in heights]  # With heading and ticks
    with rc_context({"svg.fonttype": "none", "text.parse_math": False}):
        figure = Figure(figsize=(8, _INCHES * sum(rows)), layout="constrained", dpi=200)
        yield list(figure.subplots(len(rows), squeeze=False, height_ratios=rows)[:, 0])
        with replacing(path) as temporary:
            figure.savefig(temporary, format=path.suffix[1:].lower())


def _draw_rows(panel: Any, metric: str, rows: Sequence[Row]) -> None:
    """Draw a bar for each row, or a dot, whose place is not read as a share, on a square-root scale."""
    panel.set_title(_heading(metric), loc="left", fontsize="medium")
    _set_scale(panel, "x", metric)
    lines, means = range(len(rows)), [row.mean for row in rows]
    if is_rate(metric):
        panel.plot(means, lines, "o")
    else:
        panel.barh(lines, means, height=0.6, color="#9db4dc")
    for line, row in enumerate(rows):
        if row.interval:
            ends = [[row.mean - row.interval[0]], [row.interval[1] - row.mean]]
            panel.errorbar(row.mean, line, xerr=ends, color="#1d3f8f", capsize=3)
        if row.is_apart:
            panel.axhline(line - 0.5, color="gray")
        at = {"transform": panel.get_yaxis_transform(), "verticalalignment": "center", "color": row.color}
        panel.text(1.02, line, f"{row.mark}{row.mean:.4f}", **at)
    panel.set_yticks(lines, [sanitize(row.name, limit=26) for row in rows])
    panel.set_ylim(len(rows) - 0.5, -0.5)


def _draw_scatter(
    panel: Any, names: Sequence[str], pair: tuple[RankedMetric, RankedMetric], *, has_pages: bool
) -> None:
    """Draw a dot for each contender, with both intervals, and on demand a small one for each page."""
    across, upwards = pair
    for side, metric in (("x", across), ("y", upwards)):
        _set_scale(panel, side, metric.metric)
        getattr(panel, f"set_{side}label")(_heading(metric.metric))
    others = dict(zip(upwards.cases, upwards.values, strict=True))
    cases = zip(across.cases, across.values, strict=True)
    both = [(values, others[case]) for case, values in cases if case in others]
    for number, name in enumerate(names):
        places = across.place_of(number), upwards.place_of(number)
        xerr, yerr = map(_distances, places)
        color = f"C{number % 10}"
        label = sanitize(name, limit=40)
        panel.errorbar(*(place.mean for place in places), yerr, xerr, fmt="o", color=color, label=label)
        if has_pages:
            panel.plot(*zip(*((x[number], y[number]) for x, y in both), strict=True), ".", color=color, ms=3)
    panel.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _distances(place: Place) -> list[list[float]] | None:
    if place.interval is None:
        return None
    return [[place.mean - place.interval[0]], [place.interval[1] - place.mean]]


def _set_scale(panel: Any, side: str, metric: str) -> None:
    import numpy

    if is_rate(metric):
        getattr(panel, f"set_{side}scale")("function", functions=(numpy.sqrt, numpy.square))
    if COMPARED[metric].upper == 1.0:
        ticks = _RATE_TICKS if is_rate(metric) else _LIKENESS_TICKS
        getattr(panel, f"set_{side}ticks")(ticks, [f"{tick:g}" for tick in ticks])
        getattr(panel, f"set_{side}lim")(0, 1)
    panel.grid(axis=side, color="#d5dae1")
    panel.set_axisbelow(True)


def _heading(metric: str) -> str:
    better = "higher" if COMPARED[metric].is_higher_better else "lower"
    return f"{metric} ({better} is better{'; square-root scale' if is_rate(metric) else ''})"


def scatter_metrics(ranking: Ranking) -> tuple[RankedMetric, RankedMetric] | None:
    """Return the metrics on the x and y axes of the scatter plot, or None if the ranking lacks either."""
    compared = {name: metric for name, metric in ranking.metrics.items() if metric.state == "compared"}
    across, upwards = compared.get("weighted_ir"), compared.get("fidelity") or compared.get("visual")
    return (across, upwards) if across and upwards else None
