"""What several engines found on a page, merged as the study that defined IR and IWIR merged it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pytest_design2a11y.accessibility.rates import status_of
from pytest_design2a11y.exceptions import NothingToCheck
from pytest_design2a11y.models.audit import Audit, MergedCounts
from pytest_design2a11y.models.engines import AXE
from pytest_design2a11y.models.issue_classes import ISSUE_CLASSES, class_of
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT, Impact, severity_of


def merge_as_study(audits: Mapping[str, Audit]) -> MergedCounts:
    """Merge what engines found on one page, by classes of issues.

    A class counts as often as the engine that found most of it says; which elements they mean is not looked
    at. How bad a failure is, is its class's. Findings in no class do not count. The number of checks is
    axe-core's, so that IR can be above 1.

    Raises:
        NothingToCheck: No rule of axe-core applied to anything.

    References:
        As `rates`; the study also merged Lighthouse's findings and some made by hand, which are not here.
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
                # HTML_CodeSniffer is sure of its errors; without a class they are for a person to judge.
                unclassified += rule.num_violations if audit.has_passes else rule.num_incomplete
        by_class |= own
    counts = {one.name: by_class[one.name] for one in ISSUE_CLASSES if by_class[one.name]}
    impacts: Counter[Impact] = Counter()
    for one in ISSUE_CLASSES:
        impacts[one.impact] += by_class[one.name]
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
