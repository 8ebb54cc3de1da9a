"""Classes of issues to which findings of several audit engines belong, with their severity.

From "Generating Code, Ignoring Accessibility: An Empirical Study of MLLM-Generated Web UIs" (2025), which
merges engines by these classes; HTML_CodeSniffer does not grade its errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

import msgspec

from pytest_design2a11y.models.option import Impact

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
