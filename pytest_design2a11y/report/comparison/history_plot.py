"""A history as a drawing: one panel a metric, one row a run, the oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.history import Entry
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import COMPARED, shown_in
from pytest_design2a11y.report.comparison.ranking_plot import Panel, Row, draw_panels, scale_of
from pytest_design2a11y.report.drawing import Drawing

LEGEND = "\u25b2 better, \u25bc worse than before; line: measured differently"
_MARKS = {"better": "\u25b2", "worse": "\u25bc"}


def plot_history(entries: Sequence[Entry], *, metrics: Sequence[str] = ()) -> Drawing:
    """Draw runs over time.

    The mean of a run that is clearly better or worse than the one before has a triangle that points up or
    down; a line separates runs that were measured differently.

    Raises:
        ConfigurationError: There are no values to plot.
    """
    metrics = metrics or shown_in("ranking")
    drawn = [metric for metric in metrics if any(metric in entry.metrics for entry in entries)]
    if not drawn:
        raise ConfigurationError(
            f"There is nothing to draw: no saved run has {', '.join(metrics)}.",
            advice="Save runs with --design2a11y-save NAME first.",
        )
    panels = []
    for metric in drawn:
        scale = scale_of(metric, filter(None, (entry.metrics.get(metric) for entry in entries)))
        better = "higher" if COMPARED[metric].is_higher_better else "lower"
        heading = f"{metric} ({better} is better{'; square-root scale' if scale.is_root else ''})"
        panels.append(Panel(heading, scale, list(_rows(entries, metric))))
    sentences = (
        f"{panel.heading}: {', '.join(f'{row.name} {row.text}' for row in panel.rows)}." for panel in panels
    )
    drawing = draw_panels(f"Saved runs over time. {' '.join(sentences)}", panels, below=24)
    drawing.words(14, drawing.height - 10, LEGEND, "muted")
    return drawing


def _rows(entries: Sequence[Entry], metric: str) -> Iterator[Row]:
    for entry in entries:
        if mean := entry.metrics.get(metric):
            mark = _MARKS.get(mean.change)
            yield Row(
                entry.name,
                mean.mean,
                mean.interval,
                mark=f"{mark} " if mark else "",
                color=mean.change if mark else "ink",
                is_apart=mean.change == "refused",
            )
