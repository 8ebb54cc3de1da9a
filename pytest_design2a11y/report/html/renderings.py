"""One page in several viewports, schemes and states: which cases of a report stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_design2a11y.models.run import RENDERING_AXES, Evaluation
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.report.html.islands import shown


def renderings_of(evaluations: Iterable[Evaluation]) -> Mapping[int, list[dict[str, Any]]]:
    """Return for every page, by its place in the run, all of its renderings; none where there is only one.

    Args:
        evaluations: Of a run, in its order.
    """
    groups: dict[tuple[Any, ...], list[tuple[int, Evaluation]]] = {}
    for number, evaluation in enumerate(evaluations):
        others = tuple(item for item in sorted(evaluation.axes.items()) if item[0] not in RENDERING_AXES)
        groups.setdefault((evaluation.case, evaluation.sample, others), []).append((number, evaluation))
    return {
        number: [_rendering(place, one) for place, one in group]
        for group in groups.values()
        if len({_label(one) for _place, one in group}) > 1
        for number, _evaluation in group
    }


def _rendering(number: int, evaluation: Evaluation) -> dict[str, Any]:
    name = evaluation.pictures.get("candidate", "").removesuffix(".webp")
    size = evaluation.page_sizes.get("candidate")
    return {
        "id": f"case-{number}",
        "label": shown(_label(evaluation)),
        "visual": metric_value(evaluation, "visual"),
        "iwir": metric_value(evaluation, "iwir"),
        "picture": f"picture-{shown(name)}" if name else None,
        "width": None if size is None else size[0],
    }


def _label(evaluation: Evaluation) -> str:
    values = [evaluation.axes[name] for name in RENDERING_AXES if name in evaluation.axes]
    return ", ".join(values) or "as usual"
