"""Evaluations, verdicts and runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.models.audit import AccessibilityRates, Audit
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.visual import VisualScore

if TYPE_CHECKING:
    pass

CaseKey = tuple[str, str | None, str | None]
"""Case, prompt and model."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit applied to one value.

    Attributes:
        metric: Metric id.
        operator: ">", ">=", "<" or "<=".
        limit: What was asked for.
        value: What was measured.
        is_passed: Whether the value keeps the limit.
        origin: Where the limit was set: "call", "marker", "command line" or "ini file".
    """

    metric: str
    operator: str
    limit: float
    value: float
    is_passed: bool
    origin: str


@dataclass(frozen=True, slots=True)
class CaseJudgement:
    """One limit applied to a case with several samples, by what they come to together.

    Attributes:
        case: Which case.
        prompt: Of which prompt, where known.
        model: Of which model, where known.
        metric: Metric id.
        operator: ">", ">=", "<" or "<=".
        limit: What was asked for.
        origin: Where the limit was set.
        is_passed: Whether the case keeps the limit.
        sentence: What the samples come to, for the user.
    """

    case: str
    prompt: str | None
    model: str | None
    metric: str
    operator: str
    limit: float
    origin: str
    is_passed: bool
    sentence: str

    @property
    def case_key(self) -> CaseKey:
        """The case, of one prompt and one model."""
        return self.case, self.prompt, self.model


@dataclass(frozen=True, slots=True)
class Subject:
    """What an evaluation is about, as in `Evaluation`; an empty case stands for the page's path."""

    id: str
    case: str
    sample: str = "1"
    prompt: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no measurement: the error's type name and its message."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that is known of one candidate: the record that is reported, saved and compared.

    Attributes:
        id: Unique in a run; the test's node id in pytest, the pair's id on the command line.
        case: The reference's name: results of several runs are paired by it.
        sample: Which generation for that case it is.
        reference: Label of the reference; None for an audit alone.
        candidate: Label of the candidate.
        visual: None where there is no reference, or an error.
        accessibility: Rates of the candidate; None where not measured.
        audit: Findings on the candidate.
        reference_accessibility: Rates of the reference, where asked for.
        verdicts: Limits applied.
        warnings: Of both pages.
        error: Why a measurement is missing; None where all were made.
        environment: What produced it; None where no page was rendered.
        settings: Choices that the numbers depend on.
        page_sizes: Pixels (width, height) of reference and candidate screenshots, by role.
        pictures: Paths of stored pictures by role, where a report was asked for.
        prompt: Name of the prompt, where known.
        model: Name of the model, where known.
        tries: Which try of its test it is, the last one; more than 1 where a plugin ran the test again.
    """

    id: str
    case: str
    candidate: str
    sample: str = "1"
    reference: str | None = None
    visual: VisualScore | None = None
    accessibility: AccessibilityRates | None = None
    audit: Audit | None = None
    reference_accessibility: AccessibilityRates | None = None
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[CaptureWarning, ...] = ()
    error: Failure | None = None
    environment: Environment | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    page_sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    prompt: str | None = None
    model: str | None = None
    tries: int = 1

    @property
    def case_key(self) -> CaseKey:
        """The case, of one prompt and one model: its samples share it."""
        return self.case, self.prompt, self.model


@dataclass(frozen=True, slots=True)
class Run:
    """All evaluations of one run.

    Attributes:
        name: As saved.
        created: ISO 8601 time, UTC.
        is_complete: False where the run ended early, or a crash took what a test had measured.
        evaluations: In order of case, sample and id.
    """

    name: str
    created: str
    is_complete: bool
    evaluations: tuple[Evaluation, ...]
