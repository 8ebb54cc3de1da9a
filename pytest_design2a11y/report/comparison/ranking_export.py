"""A ranking as JSON values, and as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pytest_design2a11y.comparing.ranking import PairVerdict, RankedMetric, Ranking
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.report.comparison.export import gate_to_dict
from pytest_design2a11y.report.comparison.ranking_terminal import Judged

#: Cells are empty where a metric has no ranking; `reason` then says why.
RANKING_COLUMNS = (
    "name", "failed_pages", "metric", "state", "reason", "rank", "num_cases", "mean", "lower", "upper",
    "surely_worse_than", "surely_better_than",
)  # fmt: skip


def ranking_rows(ranking: Ranking) -> Iterator[dict[str, Any]]:
    """Return a row for each metric and contender, by column, `axis_NAME` for the axes it was grouped by."""
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
                row |= _figures(ranking, metric, number)
            yield {f"axis_{axis}": value for axis, value in contender.axes} | row


def _figures(ranking: Ranking, metric: RankedMetric, number: int) -> dict[str, Any]:
    place = metric.place_of(number)
    lower, upper = place.interval or (None, None)
    names = [one.name for one in ranking.contenders]
    decided = [one for one in metric.pairs if one.better is not None and number in (one.first, one.second)]
    return {
        "rank": place.rank,
        "num_cases": len(metric.cases),
        "mean": place.mean,
        "lower": lower,
        "upper": upper,
        "surely_worse_than": "; ".join(names[_other(one, number)] for one in decided if one.better != number),
        "surely_better_than": "; ".join(
            names[_other(one, number)] for one in decided if one.better == number
        ),
    }


def _other(pair: PairVerdict, number: int) -> int:
    return pair.second if pair.first == number else pair.first


def ranking_to_dict(ranking: Ranking, judged: Judged = (), *, num_moved: int | None = 0) -> dict[str, Any]:
    """Return a ranking as JSON values, in a stable order of keys.

    Args:
        ranking: The ranking.
        judged: The outcomes of the gates, by what they judge.
        num_moved: How many cases that differ most are listed, a metric; None: all of them.
    """
    names = [one.name for one in ranking.contenders]
    return {
        "schema": SCHEMA_VERSION,
        "ranked": [
            {
                "name": one.name,
                "group": dict(one.axes),
                "run": asdict(one.side),
                "absent": list(one.absent),
                "errors": {case: list(texts) for case, texts in one.errors.items()},
            }
            for one in ranking.contenders
        ],
        "num_cases": ranking.num_cases,
        "changes": {axis: list(values) for axis, values in ranking.changes.items()},
        "axes": {axis: list(values) for axis, values in ranking.axes.items()},
        "failed_pages": ranking.failed_pages,
        "confidence": ranking.confidence,
        "num_resamples": ranking.num_resamples,
        "seed": ranking.seed,
        "metrics": {
            metric.metric: _metric(ranking, metric, names, num_moved) for metric in ranking.metrics.values()
        },
        "differences": [
            asdict(one.difference)
            | {"metrics": list(one.difference.metrics), "between": [list(pair) for pair in one.pairs]}
            for one in ranking.differences
        ],
        "gates": [{"name": name, **gate_to_dict(outcome)} for name, found in judged for outcome in found],
    }


def _metric(
    ranking: Ranking, metric: RankedMetric, names: list[str], num_moved: int | None
) -> dict[str, Any]:
    if metric.state != "compared":
        return {"state": metric.state, "reason": metric.reason}
    return {
        "state": metric.state,
        "num_cases": len(metric.cases),
        "ranking": [
            {
                "rank": place.rank,
                "name": names[place.contender],
                "mean": place.mean,
                "interval": None if place.interval is None else list(place.interval),
                "beaten_by": list(place.beaten_by),
                "block_match": place.block_match,
                "lacks_content": place.lacks_content,
            }
            for place in metric.places
        ],
        "pairs": [
            {
                "first": names[pair.first],
                "second": names[pair.second],
                "difference": pair.difference,
                "interval": None if pair.interval is None else list(pair.interval),
                "p_value": pair.p_value,
                "better": None if pair.better is None else names[pair.better],
            }
            for pair in metric.pairs
        ],
        "differ_most": [
            {"case": case, "values": dict(zip(names, values, strict=True))}
            for case, values in metric.moved_most(num_moved)
        ],
    }
