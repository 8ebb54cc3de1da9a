"""Names of cases, evaluations of failures, the run of all evaluations, and an evaluation as one number."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import STATE_IN_NAME, Role
from pytest_design2a11y.models.run import Run, is_page_fault, without_server
from pytest_design2a11y.models.verdicts import Failure, Subject, along

# A picture's scale is not part of its design's name.
_SUFFIX = re.compile(r"\.x?html?$|\.svg$|(?:@[123](?:\.5)?x)?\.(?:png|jpe?g|webp)$", re.IGNORECASE)
_INDEX = re.compile(r"(?<=[^/])/index$")


def case_of(label: str) -> str:
    """Return the case name of a page or picture: its path without the suffix and the state.

    It is "designs/login" for "designs/login.html", "designs/login/index.html" and
    "http://localhost:8000/designs/login~error.html".
    """
    return _divided(label)[0]


def named(subject: Subject, label: str) -> Subject:
    """Complete a subject with the name of its design, or of the page if there is no design.

    "designs/signup~error.html" is the case "designs/signup" in the state "error".
    """
    case, state = _divided(label)
    whole = replace(subject, case=subject.case or case)
    return along(whole, {"state": state}) if state and "state" not in subject.axes else whole


def _divided(label: str) -> tuple[str, str]:
    path = without_server(label)
    path = path if path == label else path[1:]
    name = _SUFFIX.sub("", path)
    match = STATE_IN_NAME.search(name) if name != path else None
    case, state = (name, "") if match is None else (name[: match.start()], match[1])
    if "://" not in case and label:
        case = _INDEX.sub("", posixpath.normpath(case) if case else "index")
    return case, state


def failed_evaluation(
    subject: Subject, label: str, error: Exception, *, role: Role = "candidate", reference: str | None = None
) -> Evaluation:
    """Record that one of the pages could not be rendered."""
    failure = replace(failure_of(error), role=role)
    return Evaluation(
        **asdict(named(subject, reference or label)), reference=reference, candidate=label, error=failure
    )


def failure_of(error: BaseException) -> Failure:
    """Return an error as data; an unexpected one has its own type name."""
    text = ""
    with suppress(Exception):  # A library's own error may fail to print itself.
        text = str(error)
    return Failure(type(error).__name__, terminal_line(text) or "Nothing more is known.")


def make_run(name: str, evaluations: Sequence[Evaluation], *, is_complete: bool = True) -> Run:
    """Return a run that ends now."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(name, created, is_complete, tuple(evaluations))


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
        value = evaluation.value(metric)
        if value is None:
            why = evaluation.metric_reasons.get(metric, "It was not measured")
            reason = evaluation.error.message if evaluation.error else f"{why}."
            raise MeasurementError(f"{evaluation.candidate} has no {metric}, so there is no reward: {reason}")
        share = value / (METRICS[metric].upper or 1.0)
        parts.append(weight * (share if METRICS[metric].is_higher_better else 1 - share))
    return sum(parts) / sum(chosen.values())
