"""Measurements that assert when compared.

::

    assert_fidelity(reference, candidate) > 0.4
    assert assert_visual_similarity(reference, candidate).position > 0.7
    assert_iwir(candidate) < 0.6
    assert_accessible(candidate, max_ir=0.1, max_iwir=0.3)
    assert_no_differences(reference, candidate, severity="serious")
    assert evaluate(reference, candidate).fidelity > 0.4

A measurement behaves as a float. Comparing it with a number by >, >=, < or <= raises AssertionError if false,
even as a bare expression statement, so that a forgotten `assert` does no harm.
"""

import os
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import OPERATORS, Limit, most_specific, named_limits
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation, MetricValue
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import SEVERITIES, Severity, VisualScore
from pytest_design2a11y.plugin.measurement import (
    Measurement,
    VisualMeasurement,
    judge_comparison,
    ledger_for,
    value_of,
)


def evaluate(reference: Capture | None, page: Capture) -> Evaluation:
    """Measure everything about a rendered page, without asserting.

    Args:
        reference: The design, as `render` returned it; None: the page is only audited.
        page: The generated page, as `render` returned it.

    Returns:
        All results, as `Scorer.score` returns them. A metric is an attribute:
        `assert evaluate(reference, page).fidelity > 0.4` fails with the differences.
    """
    _require_captures(page=page)
    if reference is not None:
        _require_pair(reference, page)
    return ledger_for(*filter(None, (reference, page))).evaluate(reference, page)


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
    return ledger_for(reference, candidate).visual(reference, candidate)


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
    from pytest_design2a11y.measuring.checks import measure_accessibility

    ledger_for(page)  # A page shared by several tests becomes part of the test that measures it.
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
    blocking = value_of("blocking", visual, reference, candidate)
    ledger = ledger_for()
    if severity == "serious":
        ledger.note_verdict(candidate, Limit("blocking", "<=", 0, "call").verdict(blocking))
    ledger.note_compared(candidate, "blocking")
    severe = SEVERITIES[: SEVERITIES.index(severity) + 1]
    if failing := [
        difference
        for difference in visual.differences
        if difference.severity in severe and difference.accepted is None
    ]:
        from pytest_design2a11y.report.failure_text import explain_differences

        evaluation = ledger.evaluate(reference, candidate)
        raise AssertionError("\n".join(explain_differences(evaluation, failing, severity)))
    return visual


def _visual_measurement(
    metric: str, reference: Capture, candidate: Capture, *, call: str
) -> VisualMeasurement:
    visual = visual_similarity(reference, candidate)
    value = value_of(metric, visual, reference, candidate)
    measurement = VisualMeasurement(metric, value, reference=reference, candidate=candidate)
    measurement.visual = visual
    measurement._ledger.note_measured(candidate, "visual", call)
    return measurement


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
    ledger = ledger_for()
    limits = named_limits({"max_ir": max_ir, "max_iwir": max_iwir}, origin="call")
    if not limits:
        configured = most_specific(ledger.limits_on(ledger.subject.case))
        limits = tuple(limit for limit in configured if hasattr(rates, limit.metric))
    for limit in limits or (Limit("failed", "<=", 0, "call"),):
        judge_comparison(limit, getattr(rates, limit.metric), ledger, reference=None, candidate=page)
    return rates


def _rate(metric: str, page: Capture) -> Measurement:
    measurement = Measurement(metric, getattr(audit(page), metric), reference=None, candidate=page)
    measurement._ledger.note_measured(page, metric, f"assert_{metric}")
    return measurement


def _require_captures(**pages: Any) -> None:
    for name, page in pages.items():
        if isinstance(page, Capture):
            continue
        what, advice = type(page).__name__, "Pass what the render fixture returned: render('page.html')."
        if isinstance(page, str | os.PathLike):
            what = f"the path or text {str(page)[:60]!r}"
            advice = "Render it by the fixture render; parameters come rendered with indirect=True: "
            advice += "@pytest.mark.parametrize(('reference', 'candidate'), ..., indirect=True)."
        raise ConfigurationError(f"{name} is {what}, not a rendered page.", advice=advice)
