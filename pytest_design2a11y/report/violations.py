"""What fails on a page, element by element: the records that every format of findings is written from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import Accepted, CheckedNode, RuleOutcome
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.page_identity import file_of, page_name
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.report.rules import failing_rules, line_of, reason_and_fix
from pytest_design2a11y.wording import counted


@dataclass(frozen=True, slots=True)
class Violation:
    """An element that fails a rule; without a node, all elements of the rule that were only counted."""

    evaluation: Evaluation
    rule: RuleOutcome
    node: CheckedNode | None
    count: int
    is_accepted: bool  # Whether all elements of the rule on that page are accepted

    @property
    def impact(self) -> Impact | None:
        """How bad it is."""
        return (self.node and self.node.impact) or self.rule.impact

    @property
    def line(self) -> int | None:
        """The line of the page's file where the element begins; None if that is not known."""
        return line_of(self.evaluation.candidate, self.node) if self.node else None

    @property
    def sentence(self) -> str:
        """What fails, where, why, and what to do."""
        page = page_name(self.evaluation.candidate, self.evaluation.id)
        where = "" if file_of(self.evaluation) == self.evaluation.candidate else f" on {page}"
        title = self.rule.help or self.rule.rule
        if self.node is None:
            noun = "more element" if self.rule.violations else "element"
            return f"{title}: {counted(self.count, noun)}{where}"
        return f"{title}: {self.node.target}{where}. {reason_and_fix(self.rule, self.node)}".strip()

    @property
    def fingerprint(self) -> str:
        """The same in every run for the same element of the same page."""
        page = page_name(self.evaluation.candidate, self.evaluation.id)
        return digest(page, self.rule.rule, self.node.target if self.node else "")


def violations(run: Run, accepted: Accepted) -> Iterator[Violation]:
    """Yield what fails on the pages of a run, page by page, the worst rules of an engine first."""
    for evaluation in run.evaluations:
        counts = accepted.get(evaluation.id, {})
        audits = deduplicate(evaluation.audits, evaluation.engines).values()
        for audit in (*audits, *evaluation.probe_findings.values()):
            for rule in failing_rules(audit):
                is_accepted = counts.get(rule.rule, 0) >= rule.num_violations
                for node in rule.violations:
                    yield Violation(evaluation, rule, node, 1, is_accepted)
                if (rest := rule.num_violations - len(rule.violations)) > 0:
                    yield Violation(evaluation, rule, None, rest, is_accepted)


def digest(*parts: str) -> str:
    """Return a short name for texts, the same on every machine."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def place_of(evaluation: Evaluation) -> str | None:
    """Return the file or address where a page is, or that of its test; None if it has neither."""
    page = file_of(evaluation) or evaluation.candidate
    if not page or page.startswith("<"):
        return None
    if page.startswith(".."):  # Relative to a folder that a reader of the findings does not know.
        return str(Path(page).resolve())
    return page if "://" in page else page.replace("\\", "/")
