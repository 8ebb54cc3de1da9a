"""IR, IWIR, weighted IR, IR by elements: how inaccessible a page is according to automated rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pytest_design2a11y.accessibility.axe_results import audit_from_axe
from pytest_design2a11y.exceptions import NothingToCheck
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, EngineCounts, MergedCounts
from pytest_design2a11y.models.issue_classes import ISSUE_CLASSES, class_of
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.severity import (
    GREEN_IR,
    GREEN_IWIR,
    IMPACT_WEIGHTS,
    MAX_IMPACT_WEIGHT,
    RED_IR,
    RED_IWIR,
    Status,
    severity_of,
)


def rates_from_axe(axe_result: Mapping[str, Any]) -> AccessibilityRates:
    """Compute the rates of a page from what `axe.run()` returned for it.

    The result must list every node of every group: axe's `resultTypes` option limits the other groups to one
    node per rule, which looks like a page with few elements.

    Args:
        axe_result: axe-core's result object: "violations", "passes", "incomplete", each a list of rules.

    Returns:
        The rates; see `rates`.

    Raises:
        AxeError: The object has another shape.
        NothingToCheck: No rule applied to anything.

    Examples:
        Of four checks one failed, seriously: IR is 1/4, and IWIR 6/10.

        >>> from pytest_design2a11y import rates_from_axe
        >>> button = {"target": ["button"], "impact": "serious"}
        >>> others = [{"target": [name], "impact": None} for name in ("h1", "p", "a")]
        >>> rates = rates_from_axe({
        ...     "violations": [{"id": "color-contrast", "impact": "serious", "nodes": [button]}],
        ...     "passes": [{"id": "region", "impact": None, "nodes": others}],
        ...     "incomplete": [],
        ... })
        >>> rates.ir, rates.iwir, rates.weighted_ir
        (0.25, 0.6, 0.15)
    """
    return rates(audit_from_axe(axe_result))


def rates(audit: Audit) -> AccessibilityRates:
    """Compute the rates of a page, each 0..1, from its checks; NothingToCheck if no rule applied.

    A check is one (rule, element) pair. With v_i failures of impact i, weights w_i (minor 1, moderate 3,
    serious 6, critical 10) and N checks of any outcome except "inapplicable":

    - ir = Σ v_i / N
    - iwir = Σ v_i·w_i / (10·Σ v_i), 0 without failures: the mean severity of what failed
    - weighted_ir = Σ v_i·w_i / (10·N) = ir·iwir

    References:
        IR and IWIR are defined in "Generating Code, Ignoring Accessibility: An Empirical Study of
        MLLM-Generated Web UIs" (2025), https://github.com/LLM4A11y/ui2code-study.
    """
    checked, failed = audit.checked, audit.failed
    if not checked or not audit.elements_checked:
        raise NothingToCheck(
            "No accessibility rule applies to anything on the page, so there is no rate to give.",
            stage="axe",
            advice="Look whether the page has content, and whether the chosen rules and selectors leave any.",
        )
    severity = severity_of(audit.by_impact)
    ir = failed / checked
    iwir = severity / (failed * MAX_IMPACT_WEIGHT) if failed else 0.0
    return AccessibilityRates(
        checked=checked,
        failed=failed,
        incomplete=sum(rule.num_incomplete for rule in audit.rules),
        ir=ir,
        iwir=iwir,
        weighted_ir=severity / (checked * MAX_IMPACT_WEIGHT),
        elements_checked=audit.elements_checked,
        elements_failed=audit.elements_failed,
        ir_elements=audit.elements_failed / audit.elements_checked,
        status=status_of(ir=ir, iwir=iwir),
        by_impact=audit.by_impact,
        unaudited=audit.unaudited,
    )


def count_failures(audit: Audit, label: str | None = None) -> EngineCounts:
    """Count an engine's findings, even if it does not report passes."""
    return EngineCounts(audit.version, audit.checked, audit.failed, audit.by_impact, label)


def status_of(*, ir: float, iwir: float) -> Status:
    """Return the study's status of a page: red requires both rates high, green both low."""
    if ir > RED_IR and iwir > RED_IWIR:
        return "red"
    if ir <= GREEN_IR and iwir <= GREEN_IWIR:
        return "green"
    return "yellow"


def merge_as_study(audits: Mapping[str, Audit]) -> MergedCounts:
    """Merge the findings of several engines on one page, by classes of issues; NothingToCheck as for `rates`.

    A class counts as often as in the engine that found it most often, whichever elements are meant. The
    severity of a failure is that of its class. Findings in no class do not count. The number of checks is
    axe-core's, so IR can be above 1. The study also merged Lighthouse's findings and some made by hand.
    """
    checked = audits[AXE].checked
    if not checked:
        raise NothingToCheck(
            "No accessibility rule applies to anything on the page, so there is nothing to merge.",
            stage="axe",
        )
    by_class: Counter[str] = Counter()
    unclassified = 0
    for audit in audits.values():
        own: Counter[str] = Counter()
        for rule in audit.rules:
            if (found := class_of(rule.rule)) is not None:
                own[found.name] += rule.num_violations
            else:
                # HTML_CodeSniffer's errors are certain; those without a class are left for a person to judge.
                unclassified += rule.num_violations if audit.has_passes else rule.num_incomplete
        by_class |= own
    counts = {issue.name: by_class[issue.name] for issue in ISSUE_CLASSES if by_class[issue.name]}
    impacts: Counter[Impact] = Counter()
    for issue in ISSUE_CLASSES:
        impacts[issue.impact] += by_class[issue.name]
    by_impact = {impact: impacts[impact] for impact in IMPACT_WEIGHTS if impacts[impact]}
    failed, severity = sum(counts.values()), severity_of(by_impact)
    ir = failed / checked
    iwir = severity / (failed * MAX_IMPACT_WEIGHT) if failed else 0.0
    return MergedCounts(
        rule="study",
        checked=checked,
        failed_merged=failed,
        ir_merged=ir,
        iwir_merged=iwir,
        weighted_ir_merged=severity / (checked * MAX_IMPACT_WEIGHT),
        status_merged=status_of(ir=ir, iwir=iwir),
        by_impact_merged=by_impact,
        by_class_merged=counts,
        unclassified=unclassified,
    )
