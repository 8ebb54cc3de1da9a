"""Types about one candidate, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict

from msgspec import Meta

from pytest_design2a11y.models.records import Number, Share

Operator = Annotated[str, Meta(pattern="^[<>]=?$")]

Axes = Mapping[str, str]
"""What a page varies in besides its case, such as {"model": "large", "prompt": "v2"}: name -> value."""

CaseKey = tuple[str, tuple[tuple[str, str], ...]]
"""A case along its axes, sorted by name: only equal keys are compared."""


def case_key(case: str, axes: Axes) -> CaseKey:
    """Return the key shared by the samples of a case along its axes."""
    return case, tuple(sorted(axes.items()))


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
