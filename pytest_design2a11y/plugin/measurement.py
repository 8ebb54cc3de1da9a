"""Numbers that assert when they are compared, and what they record in the test's ledger."""

from typing import Any, Literal, Self

from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.limits import Limit, make_limit
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.plugin.ledger import Ledger
from pytest_design2a11y.plugin.running_test import current_ledger


class Measurement(float):
    """A measured number that asserts when it is compared, and records that in the test's ledger."""

    _metric: str
    _reference: Capture | None
    _candidate: Capture
    _ledger: Ledger

    def __new__(cls, metric: str, value: float, *, reference: Capture | None, candidate: Capture) -> Self:
        """Make a measurement from a page's value of a metric."""
        measurement = super().__new__(cls, value)
        measurement._metric, measurement._ledger = metric, ledger_for()
        measurement._reference, measurement._candidate = reference, candidate
        return measurement

    def __gt__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._compare(">", bound)

    def __ge__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._compare(">=", bound)

    def __lt__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._compare("<", bound)

    def __le__(self, bound: float) -> bool:
        __tracebackhide__ = True
        return self._compare("<=", bound)

    def __eq__(self, other: object) -> bool:
        self._ledger.note_compared(self._candidate, self._metric)
        return float(self) == other

    def __hash__(self) -> int:
        return hash(float(self))

    def __bool__(self) -> bool:
        __tracebackhide__ = True
        raise ConfigurationError(
            f"A measurement, {float(self):.4f} here, is neither true nor false.",
            advice="Compare it with a limit: assert_iwir(page) < 0.3.",
        )

    def _compare(self, comparison: str, bound: Any) -> Literal[True]:
        """Return True, or raise AssertionError if the comparison is false."""
        __tracebackhide__ = True
        if isinstance(bound, Measurement):
            bound._ledger.note_compared(bound._candidate, bound._metric)
            limit = Limit(self._metric, comparison, float(bound), "call")
        else:
            try:
                number = float(bound)
            except (TypeError, ValueError):
                raise ConfigurationError(
                    f"{self._metric} is compared with {bound!r}, which is not a number.",
                    advice="Give a number, such as 0.8.",
                ) from None
            limit = make_limit(self._metric, comparison, number, origin="call")
        judge_comparison(
            limit, float(self), self._ledger, reference=self._reference, candidate=self._candidate
        )
        return True


class _Component:
    """An attribute of a visual measurement: another metric of the same pair."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._metric = name

    def __get__(self, whole: "VisualMeasurement | None", owner: type) -> Measurement:
        if whole is None or whole._reference is None:
            raise AttributeError(f"{self._metric} is an attribute of measurements")
        reference, candidate = whole._reference, whole._candidate
        value = value_of(self._metric, whole.visual, reference, candidate)
        return Measurement(self._metric, value, reference=reference, candidate=candidate)


class VisualMeasurement(Measurement):
    """Visual similarity that asserts when it or one of its components is compared."""

    visual: VisualScore

    block_match = _Component("Share of the block area that was matched, 0..1.")
    text = _Component("Mean text ratio of the matches, 0..1.")
    position = _Component("Mean nearness of the matches' centers, 0..1.")
    color = _Component("Mean color similarity of the matches, 0..1.")
    appearance = _Component("Similarity of the pictures without their text, 0..1.")
    elements = _Component("How alike everything is that is not text, 0..1.")
    typography = _Component("How alike sizes, families and weights of the text are, 0..1.")
    figures = _Component("Share of the stated numbers that are the design's, 0..1.")
    fidelity = _Component(
        "How alike the whole pages look, 0..1: the mean of visual, elements and typography less differences."
    )
    blocking = _Component("Number of critical and serious differences.")


def value_of(metric: str, visual: VisualScore, reference: Capture, candidate: Capture) -> float:
    """Return a metric of a pair; MeasurementError, with the reason, if it was not measured."""
    value: float | None = visual.score if metric == "visual" else getattr(visual, metric)
    if value is not None:
        return value
    from pytest_design2a11y.report.failure_text import why_unmeasured

    why = why_unmeasured(ledger_for().evaluate(reference, candidate), metric)
    raise MeasurementError(f"{candidate.label} against {reference.label} has no {metric}: {why}.")


def judge_comparison(
    limit: Limit, value: float, ledger: Ledger, *, reference: Capture | None, candidate: Capture
) -> None:
    """Record a comparison in the ledger; AssertionError, which explains it, if it is false."""
    __tracebackhide__ = True
    verdict = limit.verdict(value)
    ledger.note_verdict(candidate, verdict)
    if verdict.is_passed:
        return
    from pytest_design2a11y.report.failure_text import explain_failures

    evaluation = ledger.evaluate(reference, candidate)
    raise AssertionError("\n".join(explain_failures(evaluation, [verdict], report=ledger.settings.html)))


def ledger_for(*measured: Capture) -> Ledger:
    """Return the running test's ledger, or a throwaway one outside of tests."""
    return current_ledger(*measured) or Ledger(Subject(id="", case=""))
