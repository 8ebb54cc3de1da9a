"""Measurements that assert when compared.

::

    assert_visual_similarity(reference, candidate) > 0.8
    assert_fidelity(reference, candidate) > 0.8
    assert assert_visual_similarity(reference, candidate).position > 0.7
    assert_iwir(candidate) < 0.6
    assert_accessible(candidate, max_ir=0.1, max_iwir=0.3)
    assert_no_differences(reference, candidate, severity="serious")
    assert evaluate(reference, candidate).fidelity > 0.8

A measurement behaves as a float. Comparing it with a number by >, >=, < or <= raises AssertionError if false,
even as a bare expression statement, so that a forgotten `assert` does no harm.
"""

from __future__ import annotations

import os
from inspect import isawaitable
from typing import Any, Literal, Self

from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.limits.thresholds import OPERATORS, Limit, make_limit, most_specific, named_limits
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import Evaluation, MetricValue, Subject
from pytest_design2a11y.models.visual import SEVERITIES, Severity, VisualScore
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
        measurement._metric, measurement._ledger = metric, _ledger()
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
        _judge(limit, float(self), self._ledger, reference=self._reference, candidate=self._candidate)
        return True


class _Component:
    """An attribute of a visual measurement: another metric of the same pair."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._metric = name

    def __get__(self, whole: VisualMeasurement | None, owner: type) -> Measurement:
        if whole is None or whole._reference is None:
            raise AttributeError(f"{self._metric} is an attribute of measurements")
        reference, candidate = whole._reference, whole._candidate
        value = _value_of(self._metric, whole.visual, reference, candidate)
        return Measurement(self._metric, value, reference=reference, candidate=candidate)


class VisualMeasurement(Measurement):
    """Visual similarity that asserts when it or one of its components is compared."""

    visual: VisualScore

    block_match = _Component("Share of the block area that was matched, 0..1.")
    text = _Component("Mean text ratio of the matches, 0..1.")
    position = _Component("Mean nearness of the matches' centres, 0..1.")
    color = _Component("Mean colour similarity of the matches, 0..1.")
    appearance = _Component("Similarity of the pictures without their text, 0..1.")
    elements = _Component("How alike everything is that is not text, 0..1.")
    typography = _Component("How alike sizes, families and weights of the text are, 0..1.")
    figures = _Component("Share of the stated numbers that are the design's, 0..1.")
    fidelity = _Component(
        "How alike the whole pages look, 0..1: the mean of visual, elements and typography less flaws."
    )
    blocking = _Component("Number of critical and serious differences.")
    visual_preference = _Component("Mean of the components weighted as in people's decisions, 0..1.")


def evaluate(reference: Capture | None, page: Capture) -> Evaluation:
    """Measure everything about a rendered page, without asserting.

    Args:
        reference: The design, as `render` returned it; None: the page is only audited.
        page: The generated page, as `render` returned it.

    Returns:
        All results, as `Scorer.score` returns them. A metric is an attribute:
        `assert evaluate(reference, page).fidelity > 0.8` fails with the differences.
    """
    _require_captures(page=page)
    if reference is not None:
        _require_pair(reference, page)
    return _ledger(*filter(None, (reference, page))).evaluate(reference, page)


def explain_comparison(operator: str, left: Any, right: Any) -> list[str] | None:
    """Return why a comparison of an evaluation's metric with a number is false; None for anything else."""
    if isinstance(right, MetricValue) and not isinstance(left, MetricValue):
        left, right, operator = right, left, _MIRRORED.get(operator, operator)
    if not isinstance(left, MetricValue) or operator not in OPERATORS or not isinstance(right, int | float):
        return None
    from pytest_design2a11y.report.failure_text import explain_failures

    verdict = Limit(left.metric, operator, float(right), "call").verdict(float(left))
    return explain_failures(left.evaluation, [verdict])


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def visual_similarity(reference: Capture, candidate: Capture) -> VisualScore:
    """Measure how alike two rendered pages look, without asserting.

    Args:
        reference: The design, as `render` returned it.
        candidate: The generated page, as `render` returned it.

    Returns:
        The score with its components, each in [0, 1], and the matched blocks.

    Raises:
        NoVisibleText: The reference shows no text.

    References:
        Si et al., "Design2Code", NAACL 2025, arXiv 2403.03163.
    """
    _require_pair(reference, candidate)
    return _ledger(reference, candidate).visual(reference, candidate)


def _require_pair(reference: Capture, candidate: Capture) -> None:
    _require_captures(reference=reference, candidate=candidate)
    if (reference.role, candidate.role) == ("candidate", "reference"):
        raise ConfigurationError(
            f"The pages are swapped: {reference.label} was rendered as a candidate, {candidate.label} as a "
            "reference.",
            advice="The reference comes first: assert_visual_similarity(reference, candidate).",
        )


def audit(page: Capture) -> AccessibilityRates:
    """Rate how inaccessible a rendered page is, without asserting.

    Args:
        page: What `render` returned.

    Returns:
        The accessibility rates; automated rules find only some accessibility barriers.

    Raises:
        NothingToCheck: No rule applied to anything on the page.
        ConfigurationError: The page was rendered as a reference, and references are not audited.
    """
    _require_captures(page=page)
    from pytest_design2a11y.measuring.measures import measure_accessibility

    _ledger(page)  # A page shared by several tests becomes part of the test that measures it.
    return measure_accessibility(page)


def assert_visual_similarity(reference: Capture, candidate: Capture) -> VisualMeasurement:
    """Measure how alike two rendered pages look; the result asserts when it is compared.

    Args:
        reference: The design, as `render` returned it.
        candidate: The generated page, as `render` returned it.

    Returns:
        A float in [0, 1] whose attributes are the five components, elements, typography and fidelity. A false
        comparison raises AssertionError with the components and the three worst blocks; accessing an
        attribute that was not measured raises MeasurementError with the reason.

    Raises:
        NoVisibleText: The reference shows no text.
    """
    return _visual_measurement("visual", reference, candidate, call="assert_visual_similarity")


def assert_fidelity(reference: Capture, candidate: Capture) -> VisualMeasurement:
    """Measure how alike two whole pages look, not just their text; the result asserts when it is compared.

    Args:
        reference: The design, as `render` returned it.
        candidate: The generated page, as `render` returned it.

    Returns:
        A float in [0, 1], `visual.score.fidelity`, with the same attributes as the result of
        `assert_visual_similarity`.

    Raises:
        NoVisibleText: The reference shows no text.
        MeasurementError: Fidelity could not be measured, for example against a design that is a picture.
    """
    return _visual_measurement("fidelity", reference, candidate, call="assert_fidelity")


def assert_no_differences(
    reference: Capture, candidate: Capture, severity: Severity = "serious"
) -> VisualScore:
    """Assert that a page has no severe differences from its design.

    Args:
        reference: The design, as `render` returned it.
        candidate: The generated page, as `render` returned it.
        severity: The least severity that fails: "critical", "serious", "moderate" or "minor".

    Returns:
        The score, with all differences.

    Raises:
        AssertionError: There are differences of that severity or worse and not accepted; the message
            lists all of them.
        NoVisibleText: The reference shows no text.
        MeasurementError: Not all differences are known, for example against a design that is a picture.
    """
    __tracebackhide__ = True
    if severity not in SEVERITIES:
        raise ConfigurationError(
            f"There is no severity {severity!r}.", advice=f"Use one of: {', '.join(SEVERITIES)}."
        )
    visual = visual_similarity(reference, candidate)
    blocking = _value_of("blocking", visual, reference, candidate)
    ledger = _ledger()
    if severity == "serious":
        ledger.note_verdict(candidate, Limit("blocking", "<=", 0, "call").verdict(blocking))
    ledger.note_compared(candidate, "blocking")
    severe = SEVERITIES[: SEVERITIES.index(severity) + 1]
    if found := [
        difference
        for difference in visual.differences
        if difference.severity in severe and difference.accepted is None
    ]:
        from pytest_design2a11y.report.failure_text import explain_differences

        evaluation = ledger.evaluate(reference, candidate)
        raise AssertionError("\n".join(explain_differences(evaluation, found, severity)))
    return visual


def _visual_measurement(
    metric: str, reference: Capture, candidate: Capture, *, call: str
) -> VisualMeasurement:
    visual = visual_similarity(reference, candidate)
    value = _value_of(metric, visual, reference, candidate)
    measurement = VisualMeasurement(metric, value, reference=reference, candidate=candidate)
    measurement.visual = visual
    measurement._ledger.note_measured(candidate, "visual", call)
    return measurement


def _value_of(metric: str, visual: VisualScore, reference: Capture, candidate: Capture) -> float:
    value: float | None = visual.score if metric == "visual" else getattr(visual, metric)
    if value is not None:
        return value
    from pytest_design2a11y.report.failure_text import why_unmeasured

    why = why_unmeasured(_ledger().evaluate(reference, candidate), metric)
    raise MeasurementError(f"{candidate.label} against {reference.label} has no {metric}: {why}.")


def assert_ir(page: Capture) -> Measurement:
    """Measure the share of checks that failed (IR, 0..1); the result asserts when it is compared.

    Raises:
        NothingToCheck: No rule applied to anything on the page.
    """
    return _rate("ir", page)


def assert_iwir(page: Capture) -> Measurement:
    """Measure the mean severity of what failed (IWIR, 0..1); the result asserts when it is compared.

    Raises:
        NothingToCheck: No rule applied to anything on the page.
    """
    return _rate("iwir", page)


def assert_accessible(
    page: Capture, *, max_ir: float | None = None, max_iwir: float | None = None
) -> AccessibilityRates:
    """Assert that a page keeps its accessibility limits.

    Args:
        page: What `render` returned.
        max_ir: Largest share of failed checks, 0..1.
        max_iwir: Largest mean severity of what failed, 0..1.

    Returns:
        The page's rates.

    Raises:
        AssertionError: A limit is broken. Without limits here, the configured ones apply; without those
            either, no check may fail.
        NothingToCheck: No rule applied to anything on the page.
    """
    __tracebackhide__ = True
    rates = audit(page)
    ledger = _ledger()
    limits = named_limits({"max_ir": max_ir, "max_iwir": max_iwir}, origin="call")
    if not limits:
        configured = most_specific(ledger.limits_on(ledger.subject.case))
        limits = tuple(limit for limit in configured if hasattr(rates, limit.metric))
    for limit in limits or (Limit("failed", "<=", 0, "call"),):
        _judge(limit, getattr(rates, limit.metric), ledger, reference=None, candidate=page)
    return rates


def _rate(metric: str, page: Capture) -> Measurement:
    measurement = Measurement(metric, getattr(audit(page), metric), reference=None, candidate=page)
    measurement._ledger.note_measured(page, metric, f"assert_{metric}")
    return measurement


def _judge(
    limit: Limit, value: float, ledger: Ledger, *, reference: Capture | None, candidate: Capture
) -> None:
    __tracebackhide__ = True
    verdict = limit.verdict(value)
    ledger.note_verdict(candidate, verdict)
    if verdict.is_passed:
        return
    from pytest_design2a11y.report.failure_text import explain_failures

    evaluation = ledger.evaluate(reference, candidate)
    raise AssertionError("\n".join(explain_failures(evaluation, [verdict], report=ledger.settings.html)))


def _ledger(*measured: Capture) -> Ledger:
    """Return the running test's ledger, or a throwaway one outside of tests."""
    return current_ledger(*measured) or Ledger(Subject(id="", case=""))


def _require_captures(**pages: Any) -> None:
    for name, page in pages.items():
        if isinstance(page, Capture):
            continue
        what, advice = type(page).__name__, "Pass what the render fixture returned: render('page.html')."
        if isinstance(page, str | os.PathLike):
            what = f"the path or text {str(page)[:60]!r}"
            advice = "Render it by the fixture render; parameters come rendered with indirect=True: "
            advice += "@pytest.mark.parametrize(('reference', 'candidate'), ..., indirect=True)."
        elif isawaitable(page):
            what, advice = "not awaited yet", "Write await: page = await render_async('page.html')."
        raise ConfigurationError(f"{name} is {what}, not a rendered page.", advice=advice)
