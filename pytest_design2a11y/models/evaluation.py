"""An evaluation: its values, summary and JSON."""

import base64
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Literal

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.models.audit import (
    AccessibilityRates,
    Audit,
    EngineCounts,
    ProbeCounts,
    probe_failures,
)
from pytest_design2a11y.models.metric import Finding
from pytest_design2a11y.models.metrics import FAILED, METRICS, SCHEMA_VERSION, WARNINGS
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.records import (
    DETAIL,
    NOT_IN_RUNS,
    RARE,
    SHORT_IN_RUNS,
    Amount,
    Count,
    Share,
    to_json,
)
from pytest_design2a11y.models.verdicts import (
    Axes,
    CaseKey,
    DeliveredParts,
    Failure,
    Verdict,
    case_key,
    sentence,
)
from pytest_design2a11y.models.visual import VisualScore

_LONGEST = 160
_IMAGE = '<td><img alt="{}" style="max-width: 420px; max-height: 420px" src="data:image/{};base64,{}"></td>'
_FINDINGS = RARE | SHORT_IN_RUNS


class MetricValue(float):
    """A metric's value, which knows what it was measured on, to explain a failed comparison."""

    metric: str
    evaluation: "Evaluation"

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)


class _Value:
    """An attribute of an evaluation: the value of the metric with its name."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._metric = name

    def __get__(self, evaluation: "Evaluation | None", owner: type) -> MetricValue:
        if evaluation is None:
            raise AttributeError(f"{self._metric} is an attribute of evaluations")
        value = evaluation.value(self._metric)
        if value is None:
            why = _why_unmeasured(evaluation, self._metric)
            raise MeasurementError(f"{evaluation.candidate} has no {self._metric}: {why}")
        measured = MetricValue(value)
        measured.metric, measured.evaluation = self._metric, evaluation
        return measured


def _why_unmeasured(evaluation: "Evaluation", metric: str) -> str:
    if evaluation.error is not None:
        return str(evaluation.error)
    if METRICS[metric].needs_design and evaluation.reference is None:
        return "there is no design to compare with."
    codes = (f"{metric}_unmeasured", "visual_unmeasured", "accessibility_unmeasured")
    return next((one.message for one in evaluation.warnings if one.code in codes), "it was not measured.")


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """All that is known of one candidate: the record that is reported, saved and compared.

    A metric is read by its name, as `evaluation.fidelity` or `evaluation.iwir`; MeasurementError, with the
    reason, if it was not measured. The similarity itself is `evaluation.visual.score`.
    """

    id: str  # Unique in a run; the test's node id in pytest, the pair's id on the command line
    case: str  # The reference's name: results of several runs are paired by it
    candidate: str  # Label of the candidate
    sample: str = "1"  # Which of the generated pages for that case it is
    reference: str | None = None  # Label of the reference; None for an audit alone
    visual: VisualScore | None = field(default=None, metadata=RARE)  # None without design, or after an error
    # Rates of the candidate; None if not measured
    accessibility: AccessibilityRates | None = field(default=None, metadata=RARE)
    audit: Audit | None = field(default=None, metadata=_FINDINGS)  # Findings of axe-core on the candidate
    # Findings of other engines on it, by engine
    further_audits: Mapping[str, Audit] = field(default_factory=dict, metadata=_FINDINGS)
    engines: Mapping[str, EngineCounts] = field(default_factory=dict)  # Counts of every engine, by its name
    # Results of probes on the candidate, by name
    probes: Mapping[str, ProbeCounts] = field(default_factory=dict, metadata=RARE)
    # Findings of probes, by name
    probe_findings: Mapping[str, Audit] = field(default_factory=dict, metadata=_FINDINGS)
    # Rates of the reference, if requested
    verdicts: tuple[Verdict, ...] = ()  # Limits applied
    warnings: tuple[CaptureWarning, ...] = ()  # Of both pages
    error: Failure | None = field(default=None, metadata=RARE)  # Why a measurement is missing, or None
    environment: Environment | None = None  # The software that produced it; None if no page was rendered
    # The conditions that the numbers depend on, by name, as the captures recorded them; under "reference"
    # those of the reference if they differ
    settings: Mapping[str, Any] = field(default_factory=dict)
    # Pixels (width, height) of reference and candidate screenshots, by role
    page_sizes: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    # Paths of stored pictures by role, if a report was requested
    pictures: Mapping[str, str] = field(default_factory=dict, metadata=NOT_IN_RUNS)
    # Properties besides the case in which candidates vary: model, prompt, viewport
    axes: Axes = field(default_factory=dict)
    tries: Count = 1  # Number of tries of its test, of which it is the last; 1 unless a plugin reran it
    # Equal for candidates identical byte for byte, including everything they load; None if unknown
    candidate_digest: str | None = None
    delivered: Share | None = None  # Share of the design's text that reaches everyone, 0..1, or None
    # Its parts, 0..1 each: "on_page", from which "unaudited", "failures" and "others" are subtracted (see
    # `accessibility.delivered`); None if not measured
    delivered_parts: DeliveredParts | None = field(default=None, metadata=RARE)
    # Values of extension metrics, by name; None if not measured
    metrics: Mapping[str, Amount | None] = field(default_factory=dict, metadata=RARE)
    # Explanations of these values, by name; present for each that was not measured
    metric_reasons: Mapping[str, str] = field(default_factory=dict, metadata=RARE)
    # Findings of these metrics, by name
    metric_findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict, metadata=RARE | DETAIL)

    fidelity = _Value("How alike the whole pages look, 0..1.")
    blocking = _Value("Number of critical and serious differences.")
    block_match = _Value("Share of the text's area that has a counterpart, 0..1.")
    text = _Value("How alike matched texts read, 0..1.")
    position = _Value("How near matched texts are, 0..1.")
    color = _Value("How alike matched texts are colored, 0..1.")
    appearance = _Value("How alike the pictures without their text are, 0..1.")
    elements = _Value("How alike everything is that is not text, 0..1.")
    typography = _Value("How alike sizes, families and weights of the text are, 0..1.")
    figures = _Value("Share of the stated numbers that are the design's, 0..1.")
    ir = _Value("Share of checks that failed, 0..1.")
    iwir = _Value("Mean severity of what failed, 0..1.")
    weighted_ir = _Value("How much failed, by severity, 0..1.")

    def value(self, metric: str) -> float | None:
        """Return the value of a metric by its name, such as "visual" or one of yours; None: not measured."""
        part = METRICS[metric].part
        if part == "metrics":
            return self.metrics.get(metric)
        if part == "warnings":
            code = metric.removeprefix(WARNINGS)
            numbers = (warning.count for warning in self.warnings if warning.code == code)
            return None if self.environment is None else sum(numbers)
        if part == "engines":
            counts = self.engines.get(metric.removeprefix(FAILED))
            return None if counts is None else counts.failed
        holder = getattr(self, part) if part in ("visual", "accessibility") else self
        name = "score" if metric == "visual" else metric
        value: float | None = None if holder is None else getattr(holder, name)
        return value

    @property
    def reference_kind(self) -> Literal["page", "picture"] | None:
        """Kind of the reference; None without one."""
        if self.reference is None:
            return None
        design = self.settings.get("reference") or {}
        return "picture" if design.get("kind", self.settings.get("kind")) == "picture" else "page"

    @property
    def audits(self) -> dict[str, Audit]:
        """The findings of every engine on the candidate, by its name, axe-core first."""
        axe = {} if self.audit is None else {AXE: self.audit}
        return axe | dict(self.further_audits)

    @property
    def told_warnings(self) -> tuple[CaptureWarning, ...]:
        """Its warnings, without the one about `delivered` if `delivered` cannot be expected."""
        if self.reference is not None and self.audit is not None:
            return self.warnings
        return tuple(warning for warning in self.warnings if warning.code != "delivered_unmeasured")

    @property
    def probe_failures(self) -> int | None:
        """Failed checks of all probes; None if no probe ran, or one did not finish."""
        return probe_failures(self.probes)

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes, which its samples share."""
        return case_key(self.case, self.axes)

    @property
    def _measured(self) -> Iterator[tuple[str, float]]:
        values = zip(METRICS, metric_values(self), strict=True)
        return ((name, value) for name, value in values if value is not None)

    def __repr__(self) -> str:
        shown = (metric for metric in self._measured if "summary" in METRICS[metric[0]].shown)
        values = [f"{name}={value:.4g}" for name, value in shown]
        error = [] if self.error is None else [f"error={self.error.type}"]
        pages = [
            repr(page if len(page) <= _LONGEST else f"...{page[-_LONGEST:]}")
            for page in (self.reference, self.candidate)
            if page is not None
        ]
        return f"<Evaluation {' -> '.join(pages)}: {', '.join([*values, *error]) or 'nothing measured'}>"

    def summary(self) -> str:
        """Return what was compared and measured, verdicts, warnings and the error, one line each."""
        against = "" if self.reference is None else f" against {self.reference}"
        lines = [f"{self.candidate}{against}"]
        for name, value in self._measured:
            lines.append(f"  {name:<18}{value:.4f}" if isinstance(value, float) else f"  {name:<18}{value}")
        for verdict in self.verdicts:
            lines.append(f"{'keeps' if verdict.is_passed else 'BREAKS'} its limit: {sentence(verdict)}")
        lines += [f"warning: {warning.code}: {warning.message}" for warning in self.warnings]
        if self.error is not None:
            lines.append(f"error: {self.error}")
        return "\n".join(map(terminal_line, lines))

    def to_dict(self, *, has_details: bool = False) -> dict[str, Any]:
        """Return the JSON object that `design2a11y score --json` prints, as Python values.

        Args:
            has_details: Whether to list blocks, elements and differences.
        """
        from pytest_design2a11y.models.words import difference_to_json

        record = {"schema": SCHEMA_VERSION, **to_json(self, has_details=has_details, without={"visual"})}
        record["reference_kind"] = self.reference_kind
        if "further_audits" in record:
            record["audits"] = record.pop("further_audits")
        if (visual := self.visual) is not None:
            record["visual"] = {
                **to_json(visual, has_details=has_details, without={"appearance_backend"}),
                "appearance": {"value": visual.appearance, "backend": visual.appearance_backend},
            }
            if has_details:
                record["visual"]["differences"] = list(map(difference_to_json, visual.differences))
        return record

    def _repr_html_(self) -> str:
        """Return the summary as HTML, with the stored screenshots side by side."""
        pictures = ""
        for role, path in self.pictures.items():
            with suppress(OSError):
                data = base64.b64encode(Path(path).read_bytes()).decode()
                pictures += _IMAGE.format(escape(role), Path(path).suffix[1:], data)
        heading, *lines = self.summary().splitlines()
        text = escape("\n".join(lines))
        return f"<b>{escape(heading)}</b><table><tr>{pictures}</tr></table><pre>{text}</pre>"


def metric_values(evaluation: Evaluation) -> list[float | None]:
    """Return the values of all metrics, in the order of `METRICS`."""
    return [evaluation.value(metric) for metric in METRICS]
