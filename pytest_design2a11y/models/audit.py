"""Findings of audits and probes, the choice of rules, rates; how severe failures are, classes of issues."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

import msgspec

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.records import DETAIL, NOT_SAVED, RARE, Count, ManyNumbers, Share

Status = Literal["green", "yellow", "red"]
#: Severity of a failed check (IWIR's weights, as in the empirical study that defined it).
IMPACT_WEIGHTS: dict[Impact, int] = {"minor": 1, "moderate": 3, "serious": 6, "critical": 10}
MAX_IMPACT_WEIGHT = 10


def severity_of(by_impact: Mapping[Impact, int]) -> int:
    """Sum the severities of failed checks, counted by impact."""
    return sum(IMPACT_WEIGHTS[impact] * count for impact, count in by_impact.items())


#: Printed with every rate: automated checks cannot prove that a page is accessible.
LIMITS_OF_CHECKS = "Automated checks find only some accessibility barriers."


def severity_note(old: tuple[float, float], new: tuple[float, float], *, least: float = 0.0) -> str:
    """Explain an iwir that rises while weighted_ir falls, from the old pair to the new; otherwise return "".

    Changes smaller than `least` are ignored.
    """
    rise, fall = new[0] - old[0], old[1] - new[1]
    if min(rise, fall) <= 0 or min(rise, fall) < least:
        return ""
    return (
        f"iwir rises ({old[0]:.4f} -> {new[0]:.4f}) while weighted_ir falls ({old[1]:.4f} -> {new[1]:.4f}): "
        "fewer checks fail, but the remaining failures are more severe on average; judge by weighted_ir"
    )


#: Start of HTML_CodeSniffer's codes: the standard that it checks.
HTMLCS_STANDARD = "WCAG2AA."


@dataclass(frozen=True, slots=True)
class IssueClass:
    """A class of issues, as in the study that defined IR and IWIR; joins what several engines find."""

    name: str  # Its topic, from general to specific
    impact: Impact  # Severity of its issues, whatever an engine reports
    axe_rules: tuple[str, ...]  # Ids of axe-core's rules
    htmlcs_codes: tuple[str, ...]  # Codes of HTML_CodeSniffer's messages


#: As the study lists them; a code counts as a whole: "H43,H63" is one.
ISSUE_CLASSES = msgspec.json.decode(
    files(__package__).joinpath("issue_classes.json").read_bytes(), type=tuple[IssueClass, ...]
)

AXE_CLASSES = {rule: issues for issues in ISSUE_CLASSES for rule in issues.axe_rules}
HTMLCS_CLASSES = {code: issues for issues in ISSUE_CLASSES for code in issues.htmlcs_codes}


def class_of(rule: str) -> IssueClass | None:
    """Return the class of a rule of axe-core or a code of HTML_CodeSniffer; None if unclassified."""
    return AXE_CLASSES.get(rule) or HTMLCS_CLASSES.get(rule)


@dataclass(frozen=True, slots=True)
class CheckedNode:
    """An element that failed a check, or that needs a person to judge."""

    target: str  # Selector, frames and shadow roots joined by " >>> "
    html: str  # The element's start, shortened
    impact: Impact | None  # Severity; None if axe gives none
    summary: str  # What to do, in axe's words
    box: Box | None = None  # Its position, px of the page; None without a box
    # Facts provided by the check, such as both colors and the ratio of a contrast failure
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """The findings of one accessibility rule on a page; the counts are of (rule, node) checks."""

    rule: str
    help: str
    help_url: str
    tags: tuple[str, ...]
    impact: Impact | None
    num_passes: Count = 0
    num_violations: Count = 0
    num_incomplete: Count = 0
    violations_by_impact: Mapping[Impact, Count] = field(default_factory=dict)
    violations: tuple[CheckedNode, ...] = field(default=(), metadata=DETAIL)
    incomplete: tuple[CheckedNode, ...] = field(default=(), metadata=DETAIL)

    @property
    def severity(self) -> int:
        """The sum of the severities of its failed checks."""
        return severity_of(self.violations_by_impact)


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A failed check, and the text that it affects."""

    rule: str  # The rule that failed
    impact: Impact  # How bad it is
    is_page: bool = False  # Whether the element is the page itself: html, body, or something in its head
    # Owners (`TextRun.owner`) of the text that the element is, is in, or is one piece with, as is a link with
    # all of its content
    owners: tuple[int, ...] = ()
    around: tuple[int, ...] = ()  # Further owners anywhere within the element


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of one engine on a page: counts of everything, details of failures."""

    version: str  # The version of the engine that ran
    rules: tuple[RuleOutcome, ...]  # Every rule that applied, sorted by id
    elements_checked: Count | None  # Distinct elements that any rule checked; None if not reported
    elements_failed: Count  # Distinct elements with a violation
    engine: str = AXE  # Name of the engine
    has_passes: bool = True  # Whether the engine reports passes; otherwise there are failures but no rates
    # Share of visible characters that no rule checks, 0..1; None if there are none, or
    # that is not known
    unaudited: Share | None = field(default=None, metadata=DETAIL)
    # Every failed check with the text that it affects; None if unknown. Not saved.
    failures: tuple[FailedCheck, ...] | None = field(
        default=None, repr=False, compare=False, metadata=NOT_SAVED
    )

    @property
    def checked(self) -> int | None:
        """Number of (rule, node) checks with any outcome; None if the engine does not report it."""
        if not self.has_passes:
            return None
        return self.failed + sum(rule.num_passes + rule.num_incomplete for rule in self.rules)

    @property
    def failed(self) -> int:
        """Number of (rule, node) checks that failed."""
        return sum(rule.num_violations for rule in self.rules)

    @property
    def by_impact(self) -> dict[Impact, int]:
        """Number of checks that failed per impact, only impacts that occur."""
        counts: Counter[Impact] = Counter()
        for rule in self.rules:
            counts.update(rule.violations_by_impact)
        return {impact: counts[impact] for impact in IMPACT_WEIGHTS if counts[impact]}


@dataclass(frozen=True, slots=True)
class EngineCounts:
    """The counts of one engine on a page."""

    version: str  # The engine's version
    checked: Count | None  # Number of (rule, node) checks; None if the engine does not report it
    failed: Count  # Checks that failed
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)  # Failed checks per impact that occurs
    label: str | None = field(default=None, metadata=RARE)  # What people call it


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """Accessibility rules to run, and where; by default all of axe's default rules on the whole page."""

    tags: tuple[str, ...] = ()  # Only rules with one of these tags; empty: axe's default set
    rules_on: tuple[str, ...] = ()  # Rules that run whatever their tags
    rules_off: tuple[str, ...] = ()  # Rules that do not run
    include: tuple[str, ...] = ()  # Selectors of the parts to check; empty: the whole page
    exclude: tuple[str, ...] = ()  # Selectors of parts to leave out
    minimum_impact: Impact | None = None  # Failures below this impact count as passed; None: all count

    @property
    def has_names(self) -> bool:
        """Whether it names rules or tags, which must then be checked against the engine's."""
        return bool(self.tags or self.rules_on or self.rules_off)


@dataclass(frozen=True, slots=True)
class AccessibilityRates(ManyNumbers):
    """How inaccessible a page is according to automated rules."""

    _comparing = "Write assert_ir(page) < 0.1 or assert_iwir(page) < 0.3, which assert, or compare its `.ir`."

    checked: Count  # Number of (rule, node) checks: failed + incomplete + passed
    failed: Count  # Checks that failed
    incomplete: Count  # Checks that need a person to judge
    ir: Share  # failed / checked, 0..1
    iwir: Share  # Mean severity of the failures, 0..1; 0 without failures
    weighted_ir: Share  # ir x iwir, 0..1: falls whenever any failure is fixed
    elements_checked: Count  # Distinct elements checked
    elements_failed: Count  # Distinct elements with a failure
    ir_elements: Share  # elements_failed / elements_checked, 0..1
    status: Status  # "green", "yellow" or "red"
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)  # Failed checks per impact that occurs
    unaudited: Share | None = None  # Share of visible characters that no rule checks, 0..1; None: unknown


Accepted = Mapping[str, Mapping[str, int]]
"""How many failing elements are accepted, by evaluation and rule."""


#: Outcome of a check of an element; "unsure": a person has to judge.
CheckOutcome = Literal["passed", "failed", "unsure"]


@dataclass(frozen=True, slots=True)
class Check:
    """One question that a probe asks about elements."""

    name: str  # Its name in all outputs, prefixed with the probe's
    criterion: str  # The WCAG 2.2 success criterion it tests, such as "2.4.7"; "" if it tests none
    impact: Impact  # How bad a failure is
    help: str  # The requirement, one sentence without its full stop


@dataclass(frozen=True, slots=True)
class Place:
    """An element: the number of its frame's world, and its number within it (see probe.js)."""

    world: int
    number: int


@dataclass(frozen=True)
class ProbeFinding:
    """One check of one element."""

    check: Check  # The question
    outcome: CheckOutcome  # The answer
    place: Place | None  # The element; None: the whole page
    evidence: str = ""  # What was observed, one sentence
    data: Mapping[str, Any] = field(default_factory=dict)  # Facts, plain values
    picture: bytes | None = field(default=None, repr=False)  # Evidence as PNG


@dataclass(frozen=True, eq=False)
class ProbeResult:
    """The result of one probe on one page."""

    # One rule per check, `num_incomplete` of which a person has to judge. A finding's `data["picture"]` is
    # the name of its evidence in `pictures`.
    findings: Audit
    pictures: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # PNG files of evidence, by name
    # Of a design: what passed, with facts for the same probe on a candidate
    observed: tuple[ProbeFinding, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ProbeCounts:
    """Result of one probe on a page; without counts if it did not finish."""

    passed: Count | None  # Checks that passed; None if the probe did not finish
    failed: Count | None  # Checks that failed
    unsure: Count | None  # Checks that a person has to judge
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)  # Failed checks per impact that occurs
    error: str | None = None  # Type of the error that kept it from finishing, or None
    reason: str | None = None  # The same in words

    def __post_init__(self) -> None:
        if self.error is not None and self.failed is not None:
            raise ValueError(f"failed is {self.failed}, not null: the probe did not finish")


def probe_failures(probes: Mapping[str, ProbeCounts]) -> int | None:
    """Sum the failures of all probes; None if there were none, or one of them did not finish."""
    failed = [counts.failed for counts in probes.values()]
    return sum(filter(None, failed)) if failed and None not in failed else None
