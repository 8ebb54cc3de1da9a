"""Rankings as tables of values, which every output format renders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from pytest_design2a11y.comparing.ranking import RankedMetric, RankedPlace, Ranking
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.report.comparison import sentences
from pytest_design2a11y.report.comparison.rows import BOOTSTRAP, gate_to_dict

#: Table columns; see `rows.COLUMNS`.
RANKING_COLUMNS = (
    "name", "failed_pages", "metric", "state", "reason", "rank", "num_cases", "mean", "lower", "upper",
    "surely_worse_than", "surely_better_than",
)  # fmt: skip


def content_text(place: RankedPlace) -> str:
    """Return how much of the designs' text is present, if contenders differ much in that; else ""."""
    if place.block_match is None:
        return ""
    why = ": missing text cannot fail a check" if place.lacks_content else ""
    return f"block_match {place.block_match:.4f}{why}"


def ranks_text(ranks: tuple[int, ...]) -> str:
    """Return ranks in words: "rank 1", "ranks 1 and 2", "ranks 1-3 and 5"."""
    runs = groupby(enumerate(sorted(set(ranks))), key=lambda item: item[1] - item[0])
    parts = ([rank for _place, rank in run] for _start, run in runs)
    texts = [f"{part[0]}-{part[-1]}" if len(part) > 2 else " and ".join(map(str, part)) for part in parts]
    return f"{'rank' if len(set(ranks)) == 1 else 'ranks'} {', '.join(texts)}" if texts else ""


def place_cells(
    ranking: Ranking, metric: RankedMetric, place: RankedPlace
) -> tuple[str, str, str, str, str, str]:
    """Return a contender's cells: name, mean, interval, distance to the best, who is better, its content."""
    name = ranking.contenders[place.contender].name
    interval = "-" if place.interval is None else "{:.4f} .. {:.4f}".format(*place.interval)
    distance = "" if place.rank == 1 else f"{behind_best(metric, place):+.4f}"
    return name, f"{place.mean:.4f}", interval, distance, ranks_text(place.beaten_by), content_text(place)


def behind_best(metric: RankedMetric, place: RankedPlace) -> float:
    """Return how far a contender's mean is from the best."""
    return place.mean - metric.places[0].mean


def ranking_rows(ranking: Ranking) -> Iterator[dict[str, Any]]:
    """Return one row per metric and contender, by column; `axis_NAME` holds an axis it was grouped by."""
    for metric in ranking.metrics.values():
        for number, contender in enumerate(ranking.contenders):
            row = dict.fromkeys(RANKING_COLUMNS) | {
                "name": contender.name,
                "failed_pages": ranking.failed_pages,
                "metric": metric.metric,
                "state": metric.state,
                "reason": metric.reason,
            }
            if metric.state == "compared":
                place = metric.place_of(number)
                row |= {"rank": place.rank, "num_cases": len(metric.cases), "mean": place.mean}
                row["lower"], row["upper"] = place.interval or (None, None)
                for column, is_sure in (("surely_worse_than", False), ("surely_better_than", True)):
                    others = (
                        pair.second if pair.first == number else pair.first
                        for pair in metric.pairs
                        if number in (pair.first, pair.second)
                        and pair.better is not None
                        and (pair.better == number) is is_sure
                    )
                    row[column] = "; ".join(ranking.contenders[other].name for other in others)
            yield {f"axis_{axis}": value for axis, value in contender.axes} | row


def ranking_to_dict(
    ranking: Ranking, judged: sentences.Judged = (), *, num_moved: int | None = 0
) -> dict[str, Any]:
    """Return a ranking as JSON values, with a stable order of keys."""
    names = [contender.name for contender in ranking.contenders]
    return {
        "schema": SCHEMA_VERSION,
        "ranked": [
            {
                "name": contender.name,
                "group": dict(contender.axes),
                "run": asdict(contender.run),
                "absent": contender.absent,
                "errors": dict(contender.errors),
            }
            for contender in ranking.contenders
        ],
        "num_cases": ranking.num_cases,
        "changes": {axis: list(values) for axis, values in ranking.changes.items()},
        "axes": {axis: list(values) for axis, values in ranking.axes.items()},
        "failed_pages": ranking.failed_pages,
        **BOOTSTRAP,
        "metrics": {metric.metric: _ranked(metric, names, num_moved) for metric in ranking.metrics.values()},
        "differences": [asdict(each.difference) | {"between": each.pairs} for each in ranking.differences],
        "gates": [{"name": name, **gate_to_dict(outcome)} for name, found in judged for outcome in found],
    }


def _ranked(metric: RankedMetric, names: Sequence[str], num_moved: int | None) -> dict[str, Any]:
    if metric.state != "compared":
        return {"state": metric.state, "reason": metric.reason}
    return {
        "state": metric.state,
        "num_cases": len(metric.cases),
        "ranking": [
            {"rank": facts.pop("rank"), "name": names[facts.pop("contender")], **facts}
            for facts in map(asdict, metric.places)
        ],
        "pairs": [
            asdict(pair)
            | {
                "first": names[pair.first],
                "second": names[pair.second],
                "better": None if pair.better is None else names[pair.better],
            }
            for pair in metric.pairs
        ],
        "differ_most": [
            {"case": case, "values": dict(zip(names, values, strict=True))}
            for case, values in metric.moved_most(num_moved)
        ],
    }
