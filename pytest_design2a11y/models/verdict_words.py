"""Sentences about limits and the values that break them."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_design2a11y.models.evaluation import CaseJudgement, Verdict
from pytest_design2a11y.models.metrics import metric_named, number_of
from pytest_design2a11y.wording import flag

#: Options and marker arguments that are limits: name -> metric and operator.
NAMED_LIMITS: dict[str, tuple[str, str]] = {
    "max_iwir": ("iwir", "<="),
    "max_ir": ("ir", "<="),
    "max_blocking": ("blocking", "<="),
    "min_fidelity": ("fidelity", ">="),
    "min_visual_similarity": ("visual", ">="),
}

_IN_WORDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_OPPOSITES = {">=": "<", "<=": ">", ">": "<=", "<": ">="}


def sentence(verdict: Verdict) -> str:
    """Return how a value compares with its limit, and which option sets it."""
    value = f"{verdict.value:.4f}"
    if metric_named(verdict.metric) is not None:
        value = number_of(verdict.metric, verdict.value)
    bound = limit_text(verdict).removeprefix(f"{verdict.metric} ")
    required = "as required" if verdict.is_passed else "required"
    return f"{verdict.metric} is {value}, {required}: {bound}"


def reason(verdict: Verdict) -> str:
    """Return in short which limit is broken: "ir 0.16 > 0.10 (--max-ir)"."""
    shown = (verdict.value, verdict.limit)
    texts = [f"{number:g}" for number in shown]
    metric = metric_named(verdict.metric)
    if metric is None or metric.upper is not None:
        written = ([f"{number:.{digits}f}" for number in shown] for digits in (2, 3, 4, 6))
        texts = next((pair for pair in written if pair[0] != pair[1]), texts)
    return f"{verdict.metric} {texts[0]} {_OPPOSITES[verdict.operator]} {texts[1]} ({_source(verdict)})"


def reasons(verdicts: Iterable[Verdict]) -> list[str]:
    """Return the broken limits, each as given by `reason`."""
    return [reason(verdict) for verdict in verdicts if not verdict.is_passed]


def limit_text(verdict: Verdict | CaseJudgement) -> str:
    """Name a limit: "ir at most 0.1 (--max-ir)"."""
    return f"{verdict.metric} {_IN_WORDS[verdict.operator]} {verdict.limit:g} ({_source(verdict)})"


def _source(verdict: Verdict | CaseJudgement) -> str:
    """Return the option that sets a limit, or else where it is set."""
    if verdict.origin != "command line":
        return verdict.origin
    for name, known in NAMED_LIMITS.items():
        if known == (verdict.metric, verdict.operator):
            return f"--{name.replace('_', '-')}"
    return flag("require")
