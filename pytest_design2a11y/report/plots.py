"""Rankings as plots, by matplotlib."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_design2a11y.comparing.ranking import RankedMetric, RankedPlace, Ranking
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import replacing
from pytest_design2a11y.models.metrics import COMPARED

#: The same scale in every plot, so that plots can be compared. Most rates are near 0: their roots spread.
_LIKENESS_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_RATE_TICKS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
_INCHES = 0.25  # Height of a row
_SCATTER_ROWS = 18
_FORMATS = (".svg", ".pdf", ".png")


def is_rate(metric: str) -> bool:
    """Return whether a metric is a share of failures, shown on a square-root scale."""
    return COMPARED[metric].upper == 1.0 and not COMPARED[metric].is_higher_better


def plot_ranking(path: Path, ranking: Ranking) -> None:
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
            _draw_bars(panel, names, metric)
        if pair:
            _draw_scatter(panels[-1], names, pair)


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


def _draw_bars(panel: Any, names: Sequence[str], metric: RankedMetric) -> None:
    """Draw a bar for each contender, or a dot, whose place is not read as a share, on a square-root scale."""
    panel.set_title(_heading(metric.metric), loc="left", fontsize="medium")
    _set_scale(panel, "x", metric.metric)
    lines, means = range(len(metric.places)), [place.mean for place in metric.places]
    if is_rate(metric.metric):
        panel.plot(means, lines, "o")
    else:
        panel.barh(lines, means, height=0.6, color="#9db4dc")
    for line, place in enumerate(metric.places):
        panel.errorbar(place.mean, line, xerr=_distances(place), color="#1d3f8f", capsize=3)
        at = {"transform": panel.get_yaxis_transform(), "verticalalignment": "center"}
        panel.text(1.02, line, f"{place.mean:.4f}", **at)
    panel.set_yticks(lines, [sanitize(names[place.contender], limit=26) for place in metric.places])
    panel.set_ylim(len(lines) - 0.5, -0.5)


def _draw_scatter(panel: Any, names: Sequence[str], pair: tuple[RankedMetric, RankedMetric]) -> None:
    across, upwards = pair
    for side, metric in (("x", across), ("y", upwards)):
        _set_scale(panel, side, metric.metric)
        getattr(panel, f"set_{side}label")(_heading(metric.metric))
    for number, name in enumerate(names):
        places = across.place_of(number), upwards.place_of(number)
        xerr, yerr = map(_distances, places)
        color = f"C{number % 10}"
        label = sanitize(name, limit=40)
        panel.errorbar(*(place.mean for place in places), yerr, xerr, fmt="o", color=color, label=label)
    panel.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _distances(place: RankedPlace) -> list[list[float]] | None:
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
