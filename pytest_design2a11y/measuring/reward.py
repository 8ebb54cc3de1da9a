"""An evaluation as one number, for training."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.models.evaluation import Evaluation, metric_value
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import is_page_fault


def reward(evaluation: Evaluation, *, weights: Mapping[str, float] | None = None) -> float:
    """Return the weighted mean of an evaluation's metrics, each turned so that 1 is best.

    A candidate that is empty, refused or broken by its own fault gets 0. If something else failed (a lost
    browser, a timeout of the machine, a missing design) there is no reward, since the page was not seen.

    Args:
        evaluation: What was measured.
        weights: Weight above 0 by metric id, such as {"fidelity": 0.7, "iwir": 0.3}; None: `fidelity`
            alone, which a picture has only if its elements are known.

    Returns:
        From 0 (worst) to 1 (best).

    Raises:
        ConfigurationError: A weight is not above 0, or its metric is unknown or has no upper bound.
        MeasurementError: The evaluation lacks a metric, not by the candidate's fault.
    """
    chosen = {"fidelity": 1.0} if weights is None else weights
    for metric, weight in chosen.items():
        if metric not in METRICS or METRICS[metric].upper is None:
            bounded = [name for name, metric in METRICS.items() if metric.upper is not None]
            raise ConfigurationError(
                f"{metric!r} cannot be part of a reward.", advice=f"Bounded metrics: {', '.join(bounded)}."
            )
        if not 0 < weight < float("inf"):
            raise ConfigurationError(
                f"The weight of {metric} is {weight}.", advice="Weights are numbers above 0."
            )
    if not chosen:
        raise ConfigurationError("A reward needs a metric.", advice='Give weights such as {"fidelity": 1}.')
    if is_page_fault(evaluation):
        return 0.0
    parts = []
    for metric, weight in chosen.items():
        value = metric_value(evaluation, metric)
        if value is None:
            why = evaluation.metric_reasons.get(metric, "It was not measured")
            reason = evaluation.error.message if evaluation.error else f"{why}."
            raise MeasurementError(f"{evaluation.candidate} has no {metric}, so there is no reward: {reason}")
        share = value / (METRICS[metric].upper or 1.0)
        parts.append(weight * (share if METRICS[metric].is_higher_better else 1 - share))
    return sum(parts) / sum(chosen.values())
