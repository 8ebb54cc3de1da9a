"""Comparisons and rankings as an HTML page: a single file that opens from disk and loads nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_design2a11y.comparing.gates import Inconclusive
from pytest_design2a11y.comparing.pairing import AxisValues, axes_text
from pytest_design2a11y.comparing.ranking import RankedMetric, Ranking
from pytest_design2a11y.files import write_text
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison import ranking_sentences, rows, sentences
from pytest_design2a11y.report.comparison.plots import is_rate, scatter_metrics
from pytest_design2a11y.report.html.page import change_values, environment, page_frame


def write_comparisons(
    path: Path,
    groups: Sequence[tuple[AxisValues, dict[str, Any]]],
    *,
    runs: tuple[Run, Run] | None = None,
    picture_folder: Path | None = None,
    absent: Sequence[str] = (),
) -> None:
    """Write the page of two runs: the pages that got worse, then the statistics of each group with its axes.

    Without `runs` single pages are not shown. `absent` says why other groups have no comparison.
    """
    first = groups[0][1]
    _write(
        path,
        title=f"{first['old']['name']} → {first['new']['name']}",
        groups=[(axes_text(axes) if axes else "", comparison) for axes, comparison in groups],
        absent=absent,
        ranking=None,
        comparison=None if len(groups) > 1 else first,
        **change_values(runs, first, picture_folder),
    )


def write_ranking(
    path: Path,
    ranking: Ranking,
    judged: sentences.Judged = (),
    *,
    inconclusive: Inconclusive = "pass",
    num_moved: int | None = 0,
    absent: Sequence[str] = (),
) -> None:
    """Write the page of a ranking; see `ranking_lines` for the arguments."""
    names = [contender.name for contender in ranking.contenders]
    _write(
        path,
        title=f"{ranking_sentences.contenders_text(ranking)} ranked",
        groups=[],
        absent=absent,
        ranking=ranking,
        heading=list(ranking_sentences.heading_lines(ranking)),
        answer=list(ranking_sentences.standing_lines(ranking.metrics.values(), names)),
        rule=ranking_sentences.verdicts_rule(ranking),
        caveats=list(ranking_sentences.ranking_caveats(ranking)),
        judged=[(name, outcome) for name, outcomes in judged for outcome in outcomes],
        inconclusive=inconclusive,
        num_moved=num_moved,
        direction=ranking_sentences.direction_text,
        behind=rows.behind_best,
        ranks_text=rows.ranks_text,
        content=rows.content_text,
        percent=_percent,
        is_rate=is_rate,
        scatter=scatter_metrics(ranking),
    )


def _percent(metric: RankedMetric, value: float) -> float:
    """Return where a value is on the scale of its metric; most rates are near 0: their roots spread."""
    upper = COMPARED[metric.metric].upper
    if upper is None:
        upper = max(place.interval[1] if place.interval else place.mean for place in metric.places) or 1.0
    share = value / upper
    return 100 * (math.sqrt(share) if is_rate(metric.metric) else share)


def _write(path: Path, **values: Any) -> None:
    template = environment().get_template("comparison_page.html.j2")
    write_text(path, template.generate(**page_frame(has_scripts=False), **values))
