"""Plots as inline SVG: a histogram is forty rectangles, which needs no chart library and no script."""

from __future__ import annotations

from markupsafe import Markup

from pytest_design2a11y.comparing.aggregate import MetricSummary

WIDTH, HEIGHT = 240, 44
NUM_BINS = 40
_BASE = HEIGHT - 2
_PEAK = 36


def histogram(summary: MetricSummary) -> Markup:
    """Draw the distribution of a metric over the cases, its mean, and the mean's interval."""
    label = Markup(
        "Distribution of {name} over {count} cases: from {low:.4f} to {high:.4f}, median {median:.4f}"
    ).format(
        name=summary.metric.name,
        count=len(summary.values),
        low=summary.values[0],
        high=summary.values[-1],
        median=summary.median,
    )
    bins, width = cases_per_bin(summary), WIDTH / NUM_BINS
    parts = [
        Markup('<path class="axis" d="M0 {0}H{1}"/>').format(_BASE, WIDTH),
        *(
            Markup('<rect class="bin" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                place * width + 0.5, _BASE - height, width - 1, height
            )
            for place, count in enumerate(bins)
            if (height := count / max(bins) * _PEAK)
        ),
    ]
    if summary.interval is not None:
        low, high = (_across(value, summary) for value in summary.interval)
        parts.append(
            Markup('<rect class="interval" x="{:.1f}" y="0" width="{:.1f}" height="{}"/>').format(
                low, max(1.0, high - low), _BASE
            )
        )
    parts.append(
        Markup('<path class="mean" d="M{:.1f} 0V{}"/>').format(_across(summary.mean, summary), _BASE)
    )
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, label, Markup("").join(parts))


def upper_end(summary: MetricSummary) -> float:
    """Return where the last bin ends: the metric's largest value, or the largest one seen."""
    return summary.metric.upper or max(summary.values[-1], 1.0)


def cases_per_bin(summary: MetricSummary) -> list[int]:
    """Count the cases in every bin, from 0 to `upper_end`."""
    bins = [0] * NUM_BINS
    for value in summary.values:
        bins[min(NUM_BINS - 1, int(value / upper_end(summary) * NUM_BINS))] += 1
    return bins


def _across(value: float, summary: MetricSummary) -> float:
    return value / upper_end(summary) * WIDTH
