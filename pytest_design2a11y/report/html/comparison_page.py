"""Comparisons and rankings as an HTML page: a single file that opens from disk and loads nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pytest_design2a11y.comparing.gates import Inconclusive
from pytest_design2a11y.comparing.pairing import AxisValues, axes_text
from pytest_design2a11y.comparing.rank import Ranking
from pytest_design2a11y.files import write_text
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison import rows, sentences
from pytest_design2a11y.report.comparison.plots import bars_of, scatter_of
from pytest_design2a11y.report.drawing import to_svg
from pytest_design2a11y.report.html.page import change_values, environment, page_frame


def write_comparisons(
    path: Path,
    groups: Sequence[tuple[AxisValues, dict[str, Any]]],
    *,
    runs: tuple[Run, Run] | None = None,
    picture_folder: Path | None = None,
    absent: Sequence[str] = (),
    reworded: Callable[[str], str] = str,
) -> None:
    """Write the page of two runs: the pages that got worse, then the statistics of each group.

    Args:
        path: The file to write.
        groups: Comparisons as returned by `comparison_to_dict`, each with the axes that it is restricted to.
        runs: The old and the new run, with their details; None: single pages are not shown.
        picture_folder: Where `store_pictures` kept their pictures.
        absent: Why other groups have no comparison.
        reworded: Rewrites option names in a text as its reader would type them.
    """
    first = groups[0][1]
    _write(
        path,
        reworded,
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
    reworded: Callable[[str], str] = str,
) -> None:
    """Write the page of a ranking; see `ranking_lines` for the arguments."""
    head, *more = sentences.heading_lines(ranking)
    scatter, names = scatter_of(ranking), [contender.name for contender in ranking.contenders]
    _write(
        path,
        reworded,
        title=f"{head.partition(', ranked')[0]} ranked",
        groups=[],
        absent=absent,
        ranking=ranking,
        heading=[head, *more],
        answer=list(sentences.standing_lines(ranking.metrics.values(), names)),
        rule=sentences.verdicts_rule(ranking),
        caveats=list(sentences.ranking_caveats(ranking)),
        judged=[(name, outcome) for name, outcomes in judged for outcome in outcomes],
        inconclusive=inconclusive,
        matrix=rows.matrix_of(ranking),
        num_moved=num_moved,
        direction=sentences.direction_text,
        behind=rows.behind_best,
        ranks_text=rows.ranks_text,
        content=rows.content_text,
        is_best=rows.is_among_the_best,
        bars=lambda metric: Markup(to_svg(bars_of(ranking, metric), is_of_page=True)),
        scatter=None if scatter is None else Markup(to_svg(scatter, is_of_page=True)),
    )


def _write(path: Path, reworded: Callable[[str], str], **values: Any) -> None:
    template = environment().get_template("comparison_page.html.j2")
    pieces = template.generate(**page_frame(has_scripts=False), **values)
    write_text(path, map(reworded, pieces))
