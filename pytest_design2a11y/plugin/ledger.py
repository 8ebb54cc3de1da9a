"""What a test has seen: a ledger of what it rendered and which metrics it compared itself.

Closing the ledger applies the configured limits to the rest.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.limits.apply import apply_limits, remaining_limits, unmeasured_limits
from pytest_design2a11y.limits.thresholds import Limit
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Capture, Role, Viewport
from pytest_design2a11y.models.run import Evaluation, Subject, Verdict
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings.values import Settings

#: The ledger of the test that is running in this thread, if it renders anything.
current_ledger: ContextVar[Ledger | None] = ContextVar("current_ledger", default=None)


@dataclass
class Ledger:
    """What one test rendered, measured and compared.

    Attributes:
        subject: What the test is about.
        settings: Of the run.
        limits: Of the marker.
        is_sample: Whether this is one of several samples of a case; those are judged with their case.
    """

    subject: Subject
    settings: Settings = field(default_factory=Settings)
    limits: tuple[Limit, ...] = ()
    is_sample: bool = False
    _references: list[Capture] = field(default_factory=list)
    _candidates: list[Capture] = field(default_factory=list)
    _pairs: dict[Capture, Capture] = field(default_factory=dict)
    _visual: dict[tuple[Capture, Capture], VisualScore] = field(default_factory=dict)
    _verdicts: dict[Capture, list[Verdict]] = field(default_factory=dict)
    _errors: list[Closed] = field(default_factory=list)

    def viewport(self) -> Viewport:
        """Give the window that the next candidate is laid out in."""
        from pytest_design2a11y.measuring.pictures import viewport_beside

        return viewport_beside(self._references[-1] if self._references else None)

    def note_capture(self, capture: Capture) -> None:
        """Remember what was rendered; a candidate belongs to the reference rendered last before it."""
        if capture.role == "reference":
            self._references.append(capture)
            return
        self._candidates.append(capture)
        if self._references:
            self._pairs[capture] = self._references[-1]

    def note_error(self, label: str, role: Role, error: Design2a11yError) -> None:
        """Remember that a page could not be rendered: what was to be judged by it, no gate lets pass."""
        from pytest_design2a11y.measuring.records import failed_evaluation

        limits = remaining_limits((*self.limits, *self.settings.limits), ())
        unmeasured = (
            limit for limit in limits if role == "candidate" or METRICS[limit.metric].part == "visual"
        )
        reference = self._references[-1].label if role == "candidate" and self._references else None
        failed = failed_evaluation(self.subject, label, error, role=role, reference=reference)
        self._errors.append(Closed(failed, unmeasured=tuple(unmeasured)))

    def note_verdict(self, candidate: Capture, verdict: Verdict) -> None:
        """Remember that the test compared a metric itself."""
        self._verdicts.setdefault(candidate, []).append(verdict)

    def visual(self, reference: Capture, candidate: Capture) -> VisualScore:
        """Measure visual similarity, once a pair.

        Raises:
            NoVisibleText: The reference shows no text.
        """
        from pytest_design2a11y.measuring.measures import measure_visual

        self._pairs[candidate] = reference
        key = (reference, candidate)
        if key not in self._visual:
            self._visual[key] = measure_visual(reference, candidate, settings=self.settings)
        return self._visual[key]

    def accessibility(self, capture: Capture) -> AccessibilityRates:
        """Rate a page.

        Raises:
            NothingToCheck: No rule applied to anything on the page.
        """
        from pytest_design2a11y.measuring.measures import measure_accessibility

        return measure_accessibility(capture)

    def begun(self) -> dict[str, Any]:
        """Say what the test is about before it has measured anything, as JSON values for `Gathered`."""
        from pytest_design2a11y.measuring.records import case_of

        labels = [capture.label for capture in (*self._references, *self._candidates)] or [self.subject.id]
        subject = replace(self.subject, case=self.subject.case or case_of(labels[0]))
        return {"subject": asdict(subject), "candidate": labels[-1]}

    def close(self) -> tuple[Closed, ...]:
        """Evaluate every candidate, with the configured limits applied to what the test did not compare."""
        candidates = (self._close_candidate(number) for number in range(len(self._candidates)))
        return (*candidates, *map(self._numbered, self._errors, range(len(self._candidates), 10_000)))

    def _numbered(self, closed: Closed, number: int) -> Closed:
        """Give an error that is not the test's first record an id of its own."""
        if number == 0:
            return closed
        own_id = f"{self.subject.id}#{number + 1}"
        return replace(closed, evaluation=replace(closed.evaluation, id=own_id))

    def _close_candidate(self, number: int) -> Closed:
        from pytest_design2a11y.measuring.pipeline import evaluate
        from pytest_design2a11y.run_end.known import unaccepted

        candidate = self._candidates[number]
        reference = self._pairs.get(candidate)
        suffix = f"#{number + 1}" if len(self._candidates) > 1 else ""
        known = None if reference is None else self._visual.get((reference, candidate))
        evaluation = evaluate(
            replace(self.subject, id=self.subject.id + suffix),
            reference=reference,
            candidate=candidate,
            settings=self.settings,
            visual=known,
        )
        compared = self._verdicts.get(candidate, [])
        limits = remaining_limits((*self.limits, *self.settings.limits), compared)
        verdicts = tuple(apply_limits(evaluation, limits))
        judged = replace(evaluation, verdicts=(*compared, *verdicts))
        if self.is_sample:
            return Closed(judged, unaccepted=unaccepted(evaluation, self.settings))
        return Closed(
            judged,
            broken=tuple(verdict for verdict in verdicts if not verdict.is_passed),
            unmeasured=unmeasured_limits(evaluation, limits),
            unaccepted=unaccepted(evaluation, self.settings),
        )


@dataclass(frozen=True, slots=True)
class Closed:
    """A candidate at the end of its test.

    Attributes:
        evaluation: All that was measured.
        broken: Configured limits that it breaks.
        unmeasured: Configured limits whose metric could not be measured.
        unaccepted: What is to be said of violations beyond the accepted ones.
    """

    evaluation: Evaluation
    broken: tuple[Verdict, ...] = ()
    unmeasured: tuple[Limit, ...] = ()
    unaccepted: tuple[str, ...] = ()

    def complaint(self) -> str | None:
        """Say what is wrong, in several lines; None where nothing is."""
        from pytest_design2a11y.report.failure_text import explain_failures, explain_unmeasured

        lines = explain_failures(self.evaluation, self.broken)
        if self.unmeasured:
            lines += explain_unmeasured(self.evaluation, [str(limit) for limit in self.unmeasured])
        return "\n".join([*lines, *self.unaccepted]) or None
