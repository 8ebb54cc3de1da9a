"""Probes: findings from acting on a page, which no rule on a frozen page can find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.records import Count

if TYPE_CHECKING:
    from pytest_design2a11y.models.audit import Audit, CheckedNode


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
    place: Place | None  # The element; None: the whole page, or see `node`
    evidence: str = ""  # What was observed, one sentence
    data: Mapping[str, Any] = field(default_factory=dict)  # Facts, plain values
    picture: bytes | None = field(default=None, repr=False)  # Evidence as PNG
    node: CheckedNode | None = None  # The element, if already described


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
    # Failed checks per impact, only impacts that occur
    by_impact: Mapping[Impact, Count] = field(default_factory=dict)
    error: str | None = None  # Type of the error that kept it from finishing, or None
    reason: str | None = None  # The same in words

    def __post_init__(self) -> None:
        if self.error is not None and self.failed is not None:
            raise ValueError(f"failed is {self.failed}, not null: the probe did not finish")


def probe_failures(probes: Mapping[str, ProbeCounts]) -> int | None:
    """Sum the failures of all probes; None if there were none, or one of them did not finish."""
    failed = [counts.failed for counts in probes.values()]
    return sum(filter(None, failed)) if failed and None not in failed else None
