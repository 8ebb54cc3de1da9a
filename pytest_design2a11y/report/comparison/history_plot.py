"""A history as a picture in plain SVG: one panel a metric, one mark a run, its interval around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.gates import COMPARED
from pytest_design2a11y.comparing.history import SHOWN, Entry, MetricMean
from pytest_design2a11y.escaping import markup
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.report.comparison.ranking_plot import scale_of

_PANEL_HEIGHT, _STEP, _LEFT, _RIGHT = 150, 70, 80, 30
_HEAD, _GAP, _LABEL_HEIGHT, _MIN_WIDTH = 60, 45, 110, 720

_INK, _FAINT = "#1f2328", "#d0d7de"
_COLORS = {"better": "#116329", "worse": "#a40e26"}
_MARKS = {"better": "M0,-7 L7,6 L-7,6 Z", "worse": "M0,7 L7,-6 L-7,-6 Z"}


def plot_history(entries: Sequence[Entry], *, metrics: Sequence[str] = SHOWN) -> str:
    """Draw runs over time.

    A run that is clearly better or worse than the one before is a triangle that points up or down; runs that
    were measured differently are parted by a dashed line.
    """
    drawn = [metric for metric in metrics if any(metric in entry.metrics for entry in entries)]
    if not drawn:
        raise ConfigurationError(
            f"There is nothing to draw: no saved run has {', '.join(metrics)}.",
            advice="Save runs with --design2a11y-save NAME first.",
        )
    sentences = []
    for metric in drawn:
        told = (f"{one.name} {_words(one.metrics[metric])}" for one in entries if metric in one.metrics)
        sentences.append(f"{metric}: {', '.join(told)}.")
    width = max(_MIN_WIDTH, _LEFT + _RIGHT + _STEP * len(entries))
    height = _HEAD + len(drawn) * (_PANEL_HEIGHT + _GAP) + _LABEL_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title description" font-family="sans-serif" '
        f'font-size="12" fill="{_INK}">',
        f'<title id="title">Saved runs over time: {markup(", ".join(drawn))}</title>',
        f'<desc id="description">{markup(" ".join(sentences))}</desc>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">Means over cases, with 95 % intervals; '
        "▲ clearly better, ▼ clearly worse than the run before</text>",
    ]
    for row, metric in enumerate(drawn):
        parts.extend(_panel(entries, metric, _HEAD + row * (_PANEL_HEIGHT + _GAP), width))
    top = height - _LABEL_HEIGHT
    for place, entry in enumerate(entries):
        name = entry.name if len(entry.name) <= 18 else f"{entry.name[:17]}…"
        turned = f'text-anchor="end" transform="rotate(-40 {_x_of(place)} {top})"'
        parts.append(f'<text x="{_x_of(place)}" y="{top}" {turned}>{markup(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _words(mean: MetricMean) -> str:
    change = {
        "better": " (better than before)",
        "worse": " (worse than before)",
        "refused": " (measured differently)",
    }
    return f"{mean.mean:.4f}{change.get(mean.change, '')}"


def _panel(entries: Sequence[Entry], metric: str, top: float, width: float) -> Iterator[str]:
    means = [entry.metrics.get(metric) for entry in entries]
    scale = scale_of(metric, filter(None, means))

    def y_of(value: float) -> float:
        return round(top + _PANEL_HEIGHT * (1 - scale.across(value)), 2)

    better = "higher" if COMPARED[metric].is_higher_better else "lower"
    roots = "; square-root scale" if scale.is_root else ""
    yield f'<text x="{_LEFT}" y="{top - 8}" font-weight="bold">{metric} ({better} is better{roots})</text>'
    for tick in scale.ticks:
        yield f'<path d="M{_LEFT},{y_of(tick)} H{width - _RIGHT}" stroke="{_FAINT}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y_of(tick) + 4}" text-anchor="end">{tick:g}</text>'
    points = [(_x_of(place), y_of(mean.mean)) for place, mean in enumerate(means) if mean is not None]
    yield f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" fill="none" stroke="{_FAINT}"/>'
    for place, mean in enumerate(means):
        if mean is None:
            continue
        x = _x_of(place)
        if mean.change == "refused":
            part = f"M{x - _STEP / 2},{top} V{top + _PANEL_HEIGHT}"
            yield f'<path d="{part}" stroke="{_INK}" stroke-dasharray="4"/>'
        if mean.interval is not None:
            start, end = map(y_of, mean.interval)
            bars = f"M{x},{start} V{end} M{x - 4},{start} h8 M{x - 4},{end} h8"
            yield f'<path d="{bars}" stroke="{_INK}"/>'
        shape = _MARKS.get(mean.change, "M-5,0 a5,5 0 1,0 10,0 a5,5 0 1,0 -10,0")
        turned = f'transform="translate({x},{y_of(mean.mean)})"'
        title = f"<title>{_words(mean)}</title>"
        yield f'<path {turned} d="{shape}" fill="{_COLORS.get(mean.change, _INK)}">{title}</path>'


def _x_of(place: int) -> float:
    return _LEFT + _STEP * (place + 0.5)
