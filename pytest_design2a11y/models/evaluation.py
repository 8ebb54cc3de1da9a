"""What is known of one candidate, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pytest_design2a11y.models.audit import AccessibilityRates, Audit, EngineCounts, MergedCounts
from pytest_design2a11y.models.from_json import Amount, Count, Rule, Share
from pytest_design2a11y.models.metric import Finding
from pytest_design2a11y.models.metrics import severity_note
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.probes import ProbeCounts, probe_failures
from pytest_design2a11y.models.visual import VisualScore

ReferenceKind = Literal["page", "picture"]

OPERATORS = (">", ">=", "<", "<=")
Operator = Annotated[
    str, Rule(lambda value: value in OPERATORS, f"one of {' '.join(OPERATORS)}", {"enum": list(OPERATORS)})
]

Axes = Mapping[str, str]
"""What a page varies in besides its case, such as {"model": "large", "prompt": "v2"}: name -> value."""

CaseKey = tuple[str, tuple[tuple[str, str], ...]]
"""A case along its axes, sorted by name: only equal keys are compared."""


def case_key(case: str, axes: Axes) -> CaseKey:
    """Return the key that the samples of a case along its axes share."""
    return case, tuple(sorted(axes.items()))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit applied to one value."""

    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: float  # The value that was required
    value: float  # What was measured
    is_passed: bool  # Whether the value keeps the limit
    origin: str  # Where the limit was set: "call", "marker", "command line" or "ini file"


@dataclass(frozen=True, slots=True)
class CaseJudgement:
    """One limit applied to a case with several samples, by what they come to together."""

    case: str  # Which case
    axes: Axes  # What its pages vary in besides
    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: float  # The value that was required
    origin: str  # Where the limit was set
    is_passed: bool  # Whether the case keeps the limit
    sentence: str  # What the samples come to, for the user
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
    role: str = ""  # Which side could not be rendered, "reference" or "candidate"; "" where that is not known

    def __str__(self) -> str:
        return f"{self.type}: {self.message}"


_PARTS = frozenset({"on_page", "unaudited", "failures", "others"})
DeliveredParts = Annotated[
    Mapping[str, Share],
    Rule(
        lambda parts: not parts or parts.keys() >= _PARTS,
        f"an object with {', '.join(sorted(_PARTS))}",
        {"required": sorted(_PARTS)},
    ),
]


@dataclass(frozen=True, slots=True, repr=False)
class EvaluationRecord:
    """What an `Evaluation` holds, below what writes it down.

    Attributes:
        id: Unique in a run; the test's node id in pytest, the pair's id on the command line.
        case: The reference's name: results of several runs are paired by it.
        sample: Which generation for that case it is.
        reference: Label of the reference; None for an audit alone.
        candidate: Label of the candidate.
        visual: None without a reference, or after an error.
        accessibility: Rates of the candidate; None where not measured.
        audit: What axe-core found on the candidate.
        further_audits: What other engines found on it, by their names.
        merged: Merged findings of all engines, if requested.
        engines: What every engine counted on the candidate, by its name.
        probes: Results of probes on the candidate, by name.
        probe_findings: What they found, by their names.
        reference_accessibility: Rates of the reference, if requested.
        verdicts: Limits applied.
        warnings: Of both pages.
        error: Why a measurement is missing; None where all were made.
        environment: What produced it; None where no page was rendered.
        settings: The conditions that the numbers depend on, by name, as the captures recorded them; under
            "reference" those in which the reference's differ.
        page_sizes: Pixels (width, height) of reference and candidate screenshots, by role.
        pictures: Paths of stored pictures by role, if a report was requested.
        axes: What the candidate varies in besides its case: its model, its prompt, the viewport ...
        tries: Which try of its test it is, the last one; more than 1 where a plugin ran the test again.
        candidate_digest: Equal for candidates that are the same byte for byte, with all that they load; None
            where that is not known.
        delivered: Share of the design's text that reaches everyone, 0..1; None where not measured.
        delivered_parts: What it comes from, 0..1 each: "on_page", less what "unaudited", "failures" and
            "others" take (see `accessibility.delivered`); empty where not measured.
        metrics: Values of the metrics that came from outside, by name; None where not measured.
        metric_reasons: Why they are what they are, by name; of each that was not measured.
        metric_findings: What they found, by name.
    """

    id: str
    case: str
    candidate: str
    sample: str = "1"
    reference: str | None = None
    visual: VisualScore | None = None
    accessibility: AccessibilityRates | None = None
    audit: Audit | None = None
    further_audits: Mapping[str, Audit] = field(default_factory=dict)
    merged: MergedCounts | None = None
    engines: Mapping[str, EngineCounts] = field(default_factory=dict)
    probes: Mapping[str, ProbeCounts] = field(default_factory=dict)
    probe_findings: Mapping[str, Audit] = field(default_factory=dict)
    reference_accessibility: AccessibilityRates | None = None
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[CaptureWarning, ...] = ()
    error: Failure | None = None
    environment: Environment | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    page_sizes: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    axes: Axes = field(default_factory=dict)
    tries: Count = 1
    candidate_digest: str | None = None
    delivered: Share | None = None
    delivered_parts: DeliveredParts = field(default_factory=dict)
    metrics: Mapping[str, Amount | None] = field(default_factory=dict)
    metric_reasons: Mapping[str, str] = field(default_factory=dict)
    metric_findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)

    @property
    def reference_kind(self) -> ReferenceKind | None:
        """What the reference was; None where there was none."""
        if self.reference is None:
            return None
        own = self.settings.get("reference") or {}
        return "picture" if own.get("kind", self.settings.get("kind")) == "picture" else "page"

    @property
    def severity_note(self) -> str:
        """Explains an iwir above the design's with a weighted_ir below it; "" elsewhere."""
        design, page = self.reference_accessibility, self.accessibility
        if design is None or page is None:
            return ""
        return severity_note((design.iwir, design.weighted_ir), (page.iwir, page.weighted_ir))

    @property
    def audits(self) -> dict[str, Audit]:
        """What every engine found on the candidate, by its name, axe-core first."""
        own = {} if self.audit is None else {AXE: self.audit}
        return own | dict(self.further_audits)

    @property
    def told_warnings(self) -> tuple[CaptureWarning, ...]:
        """Its warnings, without the one on `delivered` where `delivered` cannot be expected."""
        is_expected = self.reference is not None and self.audit is not None
        return tuple(one for one in self.warnings if is_expected or one.code != "delivered_unmeasured")

    @property
    def probe_failures(self) -> int | None:
        """Failed checks of all probes; None if no probe ran, or one did not finish."""
        return probe_failures(self.probes)

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes: its samples share it."""
        return case_key(self.case, self.axes)
