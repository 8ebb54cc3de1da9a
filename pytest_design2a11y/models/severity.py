"""How severe failed checks are: weights of their impacts, limits of the status, classes of issues.

The classes, to which findings of several engines belong, are from "Generating Code, Ignoring Accessibility:
An Empirical Study of MLLM-Generated Web UIs" (2025), which merges engines by them; HTML_CodeSniffer does not
grade its errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

import msgspec

from pytest_design2a11y.models.option import Impact

Status = Literal["green", "yellow", "red"]

#: Severity of a failed check (IWIR's weights, as in the empirical study that defined it).
IMPACT_WEIGHTS: dict[Impact, int] = {"minor": 1, "moderate": 3, "serious": 6, "critical": 10}
MAX_IMPACT_WEIGHT = 10


def severity_of(by_impact: Mapping[Impact, int]) -> int:
    """Sum the severities of failed checks, counted by impact."""
    return sum(IMPACT_WEIGHTS[impact] * count for impact, count in by_impact.items())


#: Status as in the study: red requires both rates above these, green both at or below.
RED_IR, RED_IWIR = 0.25, 0.6
GREEN_IR, GREEN_IWIR = 0.10, 0.3


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
    """One class."""

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
