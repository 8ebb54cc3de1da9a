"""The ledger of a test: what it rendered, and which metrics it compared itself.

Closing it applies the configured limits to the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.limits import Limit, judge
from pytest_design2a11y.measuring.records import failed_evaluation, failure_of, named
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Capture, Role
from pytest_design2a11y.models.verdicts import Subject, Verdict, named_by
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings import Settings


@dataclass
class Ledger:
    """What a test rendered, measured and compared."""

    subject: Subject  # What the test is about
    settings: Settings = field(default_factory=Settings)  # The run's
    limits: tuple[Limit, ...] = ()  # The marker's
    is_sample: bool = False  # Whether it is one of several samples of a case, which are judged together
    expected: str = ""  # Name in reports of the candidate that the test will render, if known
    _compared: dict[Capture, Capture] = field(default_factory=dict)
    _awaited: dict[tuple[Capture, str], str] = field(default_factory=dict)
    _visual: dict[tuple[Capture, Capture], VisualScore] = field(default_factory=dict)
    _verdicts: dict[Capture, list[Verdict]] = field(default_factory=dict)
    # The rendered pages in order, each with its case, sample and axes
    _rendered: dict[Capture, Subject] = field(default_factory=dict)
    _errors: "list[Closed]" = field(default_factory=list)

    def limits_on(self, case: str) -> tuple[Limit, ...]:
        """Return the limits of the marker and of the run on a case."""
        return (*self.limits, *self.settings.limits_on(case))

    def of_role(self, role: Role) -> list[Capture]:
        """Return the designs, or the generated pages, that the test rendered."""
        return [capture for capture in self._rendered if capture.role == role]

    @property
    def roles(self) -> set[str]:
        """The roles of the pages that the test rendered or tried to render."""
        errors = (closed.evaluation.error for closed in self._errors)
        roles = {capture.role for capture in self._rendered}
        return roles | {error.role for error in errors if error is not None}

    @property
    def last_reference(self) -> Capture | None:
        """The design that the next candidate is compared with, or None."""
        references = self.of_role("reference")
        return references[-1] if references else None

    def note_capture(self, capture: Capture, page_subject: Subject) -> None:
        """Record a rendered page once, with its case, sample and axes."""
        self._rendered.setdefault(capture, page_subject)

    def note_error(self, label: str, role: Role, error: Design2a11yError, page_subject: Subject) -> None:
        """Record that a page could not be rendered, so that its limits count as unmeasured."""
        candidate, reference = label, None if self.last_reference is None else self.last_reference.label
        from pytest_design2a11y.measuring.measures import count_as_published

        if role == "reference":
            candidate, reference = self.expected or self.subject.id, label
        subject = named_by(self.subject, page_subject)
        failed = failed_evaluation(subject, candidate, error, role=role, reference=reference)
        limits = self.limits_on(failed.case)
        if role == "reference":
            limits = tuple(limit for limit in limits if METRICS[limit.metric].needs_design)
        else:
            failed = count_as_published(failed, self.last_reference, self.settings)
        judgement = judge(failed, limits, is_paired=True)
        self._errors.append(Closed(judgement.evaluation, judgement.broken, judgement.unmeasured))

    def note_measured(self, candidate: Capture, metric: str, call: str) -> None:
        """Record a measurement that the test should compare, and the function that made it."""
        self._awaited[candidate, metric] = call

    def note_compared(self, candidate: Capture, metric: str) -> None:
        """Record that the test compared a measurement; a component counts as the whole."""
        whole = "visual" if METRICS[metric].part == "visual" else metric
        self._awaited.pop((candidate, whole), None)

    def note_verdict(self, candidate: Capture, verdict: Verdict) -> None:
        """Record that the test compared a metric itself."""
        self._verdicts.setdefault(candidate, []).append(verdict)
        self.note_compared(candidate, verdict.metric)

    def evaluate(self, reference: Capture | None, candidate: Capture) -> Evaluation:
        """Measure everything about a page, visual similarity once per pair."""
        from pytest_design2a11y.measuring.pipeline import evaluate

        visual = None if reference is None else self._visual.get((reference, candidate))
        evaluation = evaluate(
            self.subject, reference=reference, candidate=candidate, settings=self.settings, visual=visual
        )
        if reference is not None:
            self._compared[candidate] = reference
            if evaluation.visual is not None:
                self._visual[reference, candidate] = evaluation.visual
        return evaluation

    def visual(self, reference: Capture, candidate: Capture) -> VisualScore:
        """Measure visual similarity, once per pair."""
        from pytest_design2a11y.measuring.accepted import with_accepted
        from pytest_design2a11y.measuring.measures import measure_visual

        self._compared[candidate] = reference
        key = (reference, candidate)
        if key not in self._visual:
            score = measure_visual(reference, candidate, settings=self.settings)
            page = self._rendered.get(candidate)
            subject = named(named_by(self.subject, page) if page else self.subject, reference.label)
            self._visual[key] = with_accepted(score, candidate, subject, self.settings)
        return self._visual[key]

    def uncompared(self) -> list[tuple[str, str]]:
        """Return function and page of measurements that neither the test nor a limit compares."""
        limited = {limit.metric for limit in self.limits_on(self.subject.case)}
        if any(METRICS[metric].part == "visual" for metric in limited):
            limited.add("visual")
        return [
            (call, page.label)
            for (page, metric), call in self._awaited.items()
            if page.role == "reference" or metric not in limited
        ]

    def begun(self) -> dict[str, Any]:
        """Return the subject before any measurement, as JSON values for `CollectedResults`."""
        rendered = (*self.of_role("reference"), *self.of_role("candidate"))
        labels = [capture.label for capture in rendered] or [self.subject.id]
        return {"subject": asdict(named(self.subject, labels[0])), "candidate": labels[-1]}

    def close(self) -> "tuple[Closed, ...]":
        """Evaluate every candidate, applying configured limits to metrics that the test did not compare."""
        candidates = self.of_role("candidate")
        if candidates:
            from pytest_design2a11y.measuring.pipeline import evaluate, with_pictures
        pairs = pair_by_role(tuple(self._rendered), self._compared)
        closed = []
        for number, candidate in enumerate(candidates, 1):
            reference = pairs.get(candidate)
            # A test may compare a page with a design rendered by something else.
            case = self._rendered[reference].case if reference in self._rendered else ""
            own_id = f"{self.subject.id}#{number}" if len(candidates) > 1 else self.subject.id
            subject = replace(self.subject, id=own_id, case=case or self.subject.case)
            pair: Any = {"reference": reference, "candidate": candidate, "settings": self.settings}
            visual = None if reference is None else self._visual.get((reference, candidate))
            evaluation = evaluate(named_by(subject, self._rendered[candidate]), **pair, visual=visual)
            closed.append(self._judged(with_pictures(evaluation, **pair), candidate))
        for number, failed in enumerate(self._errors, 1 + len(closed)):
            own_id = f"{self.subject.id}#{number}" if number > 1 else failed.evaluation.id
            closed.append(replace(failed, evaluation=replace(failed.evaluation, id=own_id)))
        return tuple(closed)

    def _judged(self, evaluation: Evaluation, candidate: Capture) -> "Closed":
        from pytest_design2a11y.measuring.accepted import unaccepted

        references = [reference.label for reference in self.of_role("reference")]
        if references and evaluation.reference is None and evaluation.error is None:
            unclear = ConfigurationError(
                f"It is not clear which reference {candidate.label} belongs to: {', '.join(references)}.",
                advice="Compare the pages of a pair by visual_similarity, or render one pair a test.",
            )
            evaluation = replace(evaluation, error=failure_of(unclear))
        judgement = judge(
            evaluation,
            self.limits_on(evaluation.case),
            compared=self._verdicts.get(candidate, ()),
            is_paired=bool(references),
        )
        unknown = unaccepted(evaluation, self.settings)
        if self.is_sample or self._rendered[candidate].sample:
            return Closed(judgement.evaluation, unaccepted=unknown, is_sample=True)
        return Closed(judgement.evaluation, judgement.broken, judgement.unmeasured, unknown)


@dataclass(frozen=True, slots=True)
class Closed:
    """A candidate at the end of its test."""

    evaluation: Evaluation  # All of its measurements
    broken: tuple[Verdict, ...] = ()  # Configured limits that it breaks
    unmeasured: tuple[Limit, ...] = ()  # Configured limits whose metric could not be measured
    unaccepted: tuple[str, ...] = ()  # Messages about violations beyond the accepted ones
    is_sample: bool = False  # Whether the limits are judged with the other samples of its case

    def complaint(self, *, report: Path | None = None) -> str | None:
        """Return the problems in several lines, with the path of the run's HTML report; None without any."""
        from pytest_design2a11y.report.failure_text import explain_failures, explain_unmeasured

        lines = explain_failures(self.evaluation, self.broken, report=report)
        if self.unmeasured:
            lines += explain_unmeasured(self.evaluation, self.unmeasured)
        return "\n".join([*lines, *self.unaccepted]) or None


def pair_by_role(rendered: Sequence[Capture], compared: Mapping[Capture, Capture]) -> dict[Capture, Capture]:
    """Pair a test's candidates with its references, in whatever order they were rendered.

    Pages that the test compared belong together. Of the rest, all candidates belong to a single reference;
    equal numbers of candidates and references are paired in order; otherwise each candidate belongs to the
    last reference rendered before it, if that uses every reference; else it is not paired.
    """
    candidates = [page for page in rendered if page.role == "candidate" and page not in compared]
    references = [page for page in rendered if page.role == "reference"]
    free = [page for page in references if page not in compared.values()] or references
    if len(free) == 1:
        return {**compared, **dict.fromkeys(candidates, free[0])}
    if len(free) == len(candidates):
        return {**compared, **dict(zip(candidates, free, strict=True))}
    preceding: dict[Capture, Capture] = {}
    last = None
    for page in rendered:
        last = page if page in free else last
        if last is not None and page in candidates:
            preceding[page] = last
    is_clear = len(preceding) == len(candidates) and set(preceding.values()) == set(free)
    return {**compared, **(preceding if is_clear else {})}
