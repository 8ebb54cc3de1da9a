"""What is evaluated, and the verdicts of limits on it, with their sentences."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypedDict

from msgspec import Meta

from pytest_design2a11y.models.metrics import metric_named, number_of
from pytest_design2a11y.models.records import Number, Share
from pytest_design2a11y.wording import flag

Operator = Annotated[str, Meta(pattern="^[<>]=?$")]

Axes = Mapping[str, str]
"""What a page varies in besides its case, such as {"model": "large", "prompt": "v2"}: name -> value."""

CaseKey = tuple[str, tuple[tuple[str, str], ...]]
"""A case along its axes, sorted by name: only equal keys are compared."""


#: Axes that markers, pairs files and patterns set without `axes`.
USUAL_AXES = ("model", "prompt")

#: Axes of how one page was rendered; a mean across them is always labeled.
RENDERING_AXES = ("viewport", "scheme", "locale", "timezone", "state", "part")

_AXIS_NAME = re.compile(r"\w[\w-]*")


def case_key(case: str, axes: Axes) -> CaseKey:
    """Return the key shared by the samples of a case along its axes."""
    return case, tuple(sorted(axes.items()))


def read_axes(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the axes, sorted, of a marker or line of pairs, in `model`, `prompt`, `axes`; or ValueError."""
    more = values.get("axes") or {}
    if not more and values.keys().isdisjoint(USUAL_AXES):
        return {}
    if not isinstance(more, Mapping):
        raise ValueError(f"axes are names with values, not {more!r}")
    axes: dict[str, str] = {}
    for name, value in (*((name, values.get(name)) for name in USUAL_AXES), *more.items()):
        if value is None or value == "":
            continue
        if not isinstance(name, str) or not _AXIS_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of an axis: write letters, digits, - and _")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(f"the axis {name!r} has the value {value!r}, which is not a text")
        if axes.setdefault(name, str(value)) != str(value):
            raise ValueError(f"the axis {name!r} is given twice: {axes[name]!r} and {value!r}")
    return dict(sorted(axes.items()))


def case_name(key: CaseKey) -> str:
    """Return a case's name with its axes."""
    case, axes = key
    return " ".join([case, *(value for _name, value in axes)])


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of an evaluation, as in `Evaluation`; an empty case means the page's path."""

    id: str
    case: str
    sample: str = "1"
    axes: Axes = field(default_factory=dict)


def along(subject: Subject, axes: Axes) -> Subject:
    """Return a subject with additional axes."""
    return replace(subject, axes=dict(sorted({**subject.axes, **axes}.items()))) if axes else subject


def named_by(subject: Subject, page: Subject) -> Subject:
    """Return a subject updated with a page's own case and sample, unless empty, and axes."""
    return replace(
        along(subject, page.axes), case=page.case or subject.case, sample=page.sample or subject.sample
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit applied to one value."""

    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: Number  # The value that was required
    value: Number  # What was measured
    is_passed: bool  # Whether the value keeps the limit
    origin: str  # Where the limit was set: "call", "marker", "command line" or "ini file"


@dataclass(frozen=True, slots=True)
class CaseJudgement:
    """One limit applied to a case with several samples, judged jointly."""

    case: str  # The case
    axes: Axes  # Other properties in which its pages vary
    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: Number  # The value that was required
    origin: str  # Where the limit was set
    is_passed: bool  # Whether the case keeps the limit
    sentence: str  # The joint outcome of the samples, for the user
    is_judged: bool = True  # False: a sample that its policy needs was not measured

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes."""
        return case_key(self.case, self.axes)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a measurement is missing."""

    type: str  # The error's type name
    message: str  # What happened, for the user
    role: str = ""  # Which side could not be rendered, "reference" or "candidate"; "" if unknown

    def __str__(self) -> str:
        return f"{self.type}: {self.message}"


class DeliveredParts(TypedDict):
    """Shares of the design's text: "on_page", and what is subtracted from it (`accessibility.delivered`)."""

    on_page: Share
    unaudited: Share
    failures: Share
    others: Share


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
