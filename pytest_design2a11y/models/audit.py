"""Accessibility findings, the choice of rules, and rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_design2a11y.models.engines import AXE
from pytest_design2a11y.models.from_json import NOT_SAVED, Count, Share
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.metrics import Impact, ManyNumbers, Status, severity_of


@dataclass(frozen=True, slots=True)
class CheckedNode:
    """An element that failed a check, or that needs a person to judge.

    Attributes:
        target: Selector, frames and shadow roots joined by " >>> ".
        html: The element's start, shortened.
        impact: How bad it is; None where axe gives none.
        summary: What to do, in axe's words.
        box: Where it is, in page pixels; None where it has no box.
        data: Facts that the check gives, such as both colours and the ratio of a contrast failure.
    """

    target: str
    html: str
    impact: Impact | None
    summary: str
    box: Box | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one accessibility rule found on a page; the counts are of (rule, node) checks."""

    rule: str
    help: str
    help_url: str
    tags: tuple[str, ...]
    impact: Impact | None
    num_passes: Count = 0
    num_violations: Count = 0
    num_incomplete: Count = 0
    violations_by_impact: Mapping[Impact, Count] = field(default_factory=dict)
    violations: tuple[CheckedNode, ...] = ()
    incomplete: tuple[CheckedNode, ...] = ()

    @property
    def severity(self) -> int:
        """The severities of its failed checks together."""
        return severity_of(self.violations_by_impact)


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A failed check, and the text that it is about.

    Attributes:
        rule: The rule that failed.
        impact: How bad it is.
        is_page: Whether the element is the page itself: html, body, or something in its head.
        owners: Owners (`TextRun.owner`) of the text that the element is, is in, or is one piece of, as a link
            is with all that it holds.
        around: Further owners that lie somewhere within the element.
    """

    rule: str
    impact: Impact
    is_page: bool = False
    owners: tuple[int, ...] = ()
    around: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What one engine found on a page: counts of everything, details of what failed.

    Attributes:
        version: The version of the engine that ran.
        rules: Every rule that applied, sorted by id.
        elements_checked: Distinct elements that any rule checked; None where the engine does not tell.
        elements_failed: Distinct elements with a violation.
        engine: Name of the engine.
        has_passes: Whether the engine tells of what passed; without, there are failures but no rates.
        unaudited: Share of the characters that a person sees which no rule looks at, 0..1; None where there
            are none, or that is not known.
        failures: Every failed check with the text that it is about; None where that is not known. Not saved.
    """

    version: str
    rules: tuple[RuleOutcome, ...]
    elements_checked: Count | None
    elements_failed: Count
    engine: str = AXE
    has_passes: bool = True
    unaudited: Share | None = None
    failures: tuple[FailedCheck, ...] | None = field(
        default=None, repr=False, compare=False, metadata=NOT_SAVED
    )

    @property
    def checked(self) -> int | None:
        """Number of (rule, node) checks, of whatever outcome; None where the engine does not tell."""
        if not self.has_passes:
            return None
        return self.failed + sum(rule.num_passes + rule.num_incomplete for rule in self.rules)

    @property
    def failed(self) -> int:
        """Number of (rule, node) checks that failed."""
        return sum(rule.num_violations for rule in self.rules)


@dataclass(frozen=True, slots=True)
class EngineCounts:
    """What one engine counted on a page.

    Attributes:
        version: The engine's version.
        checked: Number of (rule, node) checks; None where the engine does not tell.
        failed: Checks that failed.
        by_impact: Failed checks per impact, only impacts that occur.
    """

    version: str
    checked: Count | None
    failed: Count
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MergedCounts:
    """What several engines found on a page, merged by a named rule: other numbers than the rates.

    Attributes:
        rule: How it was merged: "study".
        checked: Number of axe-core's checks.
        failed_merged: Failures after merging.
        ir_merged: failed_merged / checked; can be above 1, since not all failures are of axe-core's checks.
        iwir_merged: Mean severity of these failures, 0..1; 0 without failures.
        weighted_ir_merged: ir_merged x iwir_merged.
        status_merged: "green", "yellow" or "red", as the study names it.
        by_impact_merged: Failures after merging per impact, only impacts that occur.
        by_class_merged: The same per class of issues.
        unclassified: Findings of any engine that fall into no class and count nowhere.
    """

    rule: str
    checked: Count
    failed_merged: Count
    ir_merged: float
    iwir_merged: Share
    weighted_ir_merged: float
    status_merged: Status
    by_impact_merged: Mapping[Impact, Count]
    by_class_merged: Mapping[str, Count]
    unclassified: Count = 0


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """Which accessibility rules run, and where; the default is all of axe's default rules on the whole page.

    Attributes:
        tags: Only rules with one of these tags; empty: axe's default set.
        rules_on: Rules that run whatever their tags.
        rules_off: Rules that do not run.
        include: Selectors of the parts to check; empty: the whole page.
        exclude: Selectors of parts to leave out.
        minimum_impact: Failures below this impact count as passed; None: all count.
    """

    tags: tuple[str, ...] = ()
    rules_on: tuple[str, ...] = ()
    rules_off: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    minimum_impact: Impact | None = None


@dataclass(frozen=True, slots=True)
class AccessibilityRates(ManyNumbers):
    """How inaccessible a page is, as far as automated rules can tell.

    Attributes:
        checked: Number of (rule, node) checks: failed + incomplete + passed.
        failed: Checks that failed.
        incomplete: Checks that need a person to judge.
        ir: failed / checked, 0..1.
        iwir: Mean severity of the failures, 0..1; 0 without failures.
        weighted_ir: ir x iwir, 0..1: falls whenever any failure is fixed.
        elements_checked: Distinct elements checked.
        elements_failed: Distinct elements with a failure.
        ir_elements: elements_failed / elements_checked, 0..1.
        status: "green", "yellow" or "red".
        by_impact: Failed checks per impact, only impacts that occur.
        unaudited: Share of the characters that a person sees which no rule looks at, 0..1; None where that is
            not known.
    """

    _comparing = "Write assert_ir(page) < 0.1 or assert_iwir(page) < 0.3, which assert, or compare its `.ir`."

    checked: Count
    failed: Count
    incomplete: Count
    ir: Share
    iwir: Share
    weighted_ir: Share
    elements_checked: Count
    elements_failed: Count
    ir_elements: Share
    status: Status
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)
    unaudited: Share | None = None


Accepted = Mapping[str, Mapping[str, int]]
"""How many failing elements are accepted, by evaluation and rule."""
