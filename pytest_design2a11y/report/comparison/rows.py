"""Comparisons and rankings as tables of values, which every output format renders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from pytest_design2a11y.comparing import NOWHERE, Comparison, MetricComparison
from pytest_design2a11y.comparing.aggregate import CONFIDENCE
from pytest_design2a11y.comparing.gates import GateOutcome
from pytest_design2a11y.comparing.ranking import RankedMetric, RankedPlace, Ranking
from pytest_design2a11y.comparing.resampling import NUM_RESAMPLES, SEED
from pytest_design2a11y.models.metrics import ERRORS, SCHEMA_VERSION, shown_in
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report import comparison as sentences

#: How intervals were computed.
BOOTSTRAP = {"confidence": CONFIDENCE, "num_resamples": NUM_RESAMPLES, "seed": SEED}

#: One metric of a comparison, with the keys of its JSON.
MetricRow = dict[str, Any]

#: Table columns. Cells are empty if a metric has nothing to compare; `reason` then says why.
COLUMNS = (
    "old", "new", "metric", "state", "reason", "num_cases", "old_mean", "new_mean",
    "difference", "lower", "upper", "trend", "p_value", "corrected_p", "wins", "ties", "losses",
    "missing",
)  # fmt: skip


#: What a metric's row has as the comparison has it.
_FIGURES = (
    "old_mean", "new_mean", "difference", "interval", "p_value", "corrected_p", "lost", "gained", "missing"
)  # fmt: skip


def metric_rows(
    comparison: Comparison, outcomes: Sequence[GateOutcome] = (), *, num_moved: int | None = 0
) -> dict[str, MetricRow]:
    """Return one row per metric, marked if its gate failed, with `num_moved` cases; None: all."""
    return {
        name: {**_row(metric, outcomes, num_moved), "note": comparison.content_note(name)}
        for name, metric in comparison.metrics.items()
    }


def shown_rows(
    comparison: Comparison, outcomes: Sequence[GateOutcome], *, num_moved: int | None = 0
) -> dict[str, MetricRow]:
    """Return the rows worth showing: no metrics measured nowhere, and errors only if there are any."""
    gated = {outcome.gate.metric for outcome in outcomes}
    return {
        name: row
        for name, row in metric_rows(comparison, outcomes, num_moved=num_moved).items()
        if name in gated or (row.get("reason") != NOWHERE and (name != ERRORS.name or comparison.errors))
    }


def notes_of(shown: Mapping[str, MetricRow]) -> list[str]:
    """Return what is to be known about metrics, each once with their names: "ir, iwir: ..."."""
    names: dict[str, list[str]] = {}
    for name, row in shown.items():
        if note := row.get("note"):
            names.setdefault(note, []).append(name)
    return [f"{', '.join(metrics)}: {note}" for note, metrics in names.items()]


def cells_of(row: MetricRow) -> tuple[str, str, str, str, str, str, str]:
    """Return the cells of a metric: old, new, change, interval, counts, p-value, mark ("" if unclear)."""
    interval = "-" if row["interval"] is None else "{:+.4f} .. {:+.4f}".format(*row["interval"])
    counts = f"{row['wins']}/{row['ties']}/{row['losses']}"
    p_value = "<0.001" if row["corrected_p"] < 0.001 else f"{row['corrected_p']:.3f}"
    numbers = f"{row['old_mean']:.4f}", f"{row['new_mean']:.4f}", f"{row['difference']:+.4f}"
    return *numbers, interval, counts, p_value, "" if row["trend"] == "unclear" else row["trend"]


def moved_rows(
    comparison: Comparison, outcomes: Sequence[GateOutcome], num_moved: int | None
) -> dict[str, list[MetricRow]]:
    """Return the cases that moved most, by metric: in the gated metrics, and in the watched ones."""
    wanted = {outcome.gate.metric for outcome in outcomes} | set(shown_in("watched"))
    rows = metric_rows(comparison, outcomes, num_moved=num_moved)
    return {name: row["moved_most"] for name, row in rows.items() if name in wanted and "moved_most" in row}


def comparison_rows(
    comparison: Comparison, outcomes: Sequence[GateOutcome], *, axes: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Return a comparison as rows, by column; `axis_NAME` columns hold the axes that it is restricted to."""
    group = {f"axis_{axis}": value for axis, value in axes.items()}
    for name, row in metric_rows(comparison, outcomes).items():
        lower, upper = row.get("interval") or (None, None)
        cells = row | {
            "old": comparison.old.name,
            "new": comparison.new.name,
            "metric": name,
            "lower": lower,
            "upper": upper,
        }
        yield group | {column: cells.get(column) for column in COLUMNS}


def comparison_to_dict(
    comparison: Comparison, outcomes: Sequence[GateOutcome] = (), *, num_moved: int | None = 5
) -> dict[str, Any]:
    """Return a comparison as JSON values, with a stable order of keys; see `metric_rows`."""
    return {
        "schema": SCHEMA_VERSION,
        "old": asdict(comparison.old),
        "new": asdict(comparison.new),
        "num_cases": comparison.num_cases,
        "changes": [asdict(change) for change in comparison.changes],
        "axes": {axis: list(values) for axis, values in comparison.axes.items()},
        "verdicts": list(sentences.verdict_sentences(comparison)),
        "notes": [comparison.severity_note] if comparison.severity_note else [],
        **BOOTSTRAP,
        "metrics": metric_rows(comparison, outcomes, num_moved=num_moved),
        "only_old": list(comparison.only_old),
        "only_new": list(comparison.only_new),
        "errors": [asdict(error) for error in comparison.errors],
        "differences": [asdict(difference) for difference in comparison.differences],
        "blockers": [
            {"case": change.name, "new": _facts(change.new), "gone": _facts(change.gone)}
            for change in comparison.blockers
        ],
        "gates": [gate_to_dict(outcome) for outcome in outcomes],
    }


def page_values(comparison: Comparison, outcomes: Sequence[GateOutcome] = ()) -> dict[str, Any]:
    """Return a comparison as its HTML page shows it: as JSON values, with sentences about them."""
    values = comparison_to_dict(comparison, outcomes)
    shown = shown_rows(comparison, outcomes, num_moved=5)
    return {
        **values,
        "metrics": shown,
        "notes": [*values["notes"], *notes_of(shown)],
        "pairing": sentences.pairing_lines(comparison),
        "unpaired": list(sentences.unpaired(comparison)),
        "rule": sentences.marks_rule(comparison),
    }


def _facts(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    names = ("kind", "what", "severity")
    return [
        {name: getattr(difference, name) for name in names} | {"message": in_words(difference)}
        for difference in differences
    ]


def _row(metric: MetricComparison, outcomes: Sequence[GateOutcome], num_moved: int | None) -> MetricRow:
    if metric.state != "compared":
        return {"state": metric.state, "reason": metric.reason}
    # A gate on the metric may find it surely worse, too.
    failed = any(outcome.gate.metric == metric.metric and outcome.state == "failed" for outcome in outcomes)
    return {
        "state": metric.state,
        "num_cases": len(metric.cases),
        **{name: getattr(metric, name) for name in _FIGURES},
        "trend": "worse" if failed else metric.trend,
        **{name: getattr(metric, f"num_{name}") for name in ("wins", "ties", "losses")},
        "moved_most": [
            asdict(change) | {"difference": change.difference} for change in metric.moved_most(num_moved)
        ],
    }


def gate_to_dict(outcome: GateOutcome) -> dict[str, Any]:
    """Return a gate's outcome as JSON values."""
    return {**asdict(outcome), "gate": str(outcome.gate), "metric": outcome.gate.metric}


#: Table columns; see `COLUMNS`.
RANKING_COLUMNS = (
    "name", "metric", "state", "reason", "rank", "num_cases", "mean", "lower", "upper",
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
        **BOOTSTRAP,
        "metrics": {metric.metric: _ranked(metric, names, num_moved) for metric in ranking.metrics.values()},
        "differences": [asdict(each.difference) | {"between": each.pairs} for each in ranking.differences],
        "gates": [{"name": name, **gate_to_dict(outcome)} for name, of_gate in judged for outcome in of_gate],
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
