"""What an audit found, in words: what failed, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_design2a11y.accessibility.wcag import criteria
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.metrics import Impact

WIDEST = 160


@dataclass(frozen=True, slots=True)
class NodeExplanation:
    """One failing element, fit for a terminal.

    Attributes:
        target: Selector.
        html: Its HTML, shortened.
        todo: What to do about it, on one line.
    """

    target: str
    html: str
    todo: str


@dataclass(frozen=True, slots=True)
class RuleExplanation:
    """What one rule found, fit for a terminal.

    Attributes:
        rule: Rule id.
        impact: How bad it is; None where axe gives none.
        count: Number of elements, told or not.
        help: What should be, in axe's words.
        help_url: Where to read more; "" where axe gives no web address.
        criteria: Success criteria of WCAG, such as "WCAG 1.4.3 Contrast (Minimum)".
        nodes: The first elements.
    """

    rule: str
    impact: Impact | None
    count: int
    help: str
    help_url: str
    criteria: tuple[str, ...]
    nodes: tuple[NodeExplanation, ...]

    def lines(self) -> list[str]:
        """Tell it, a heading and then indented lines."""
        impact = f"{self.impact}, " if self.impact else ""
        elements = "1 element" if self.count == 1 else f"{self.count} elements"
        reference = f" [{'; '.join(self.criteria)}]" if self.criteria else ""
        lines = [f"{self.rule} ({impact}{elements}): {self.help}{reference}"]
        for node in self.nodes:
            lines += [f"  {node.target}", f"    {node.html}"]
            lines += [f"    {node.todo}"] if node.todo else []
        if self.count > len(self.nodes):
            lines.append(f"  and {self.count - len(self.nodes)} more")
        return [*lines, f"  {self.help_url}"] if self.help_url else lines


def explain_audit(audit: Audit, *, max_rules: int = 3, max_nodes: int = 2) -> list[str]:
    """Tell what failed, the worst rules first, and how much needs a person.

    Args:
        audit: What axe-core found.
        max_rules: How many rules to tell; the others are counted.
        max_nodes: How many elements a rule to tell; the others are counted.

    Returns:
        Lines without colours and without anything that could act on a terminal.
    """
    failures = explain_failures(audit, max_nodes=max_nodes)
    lines = [line for rule in failures[:max_rules] for line in rule.lines()]
    if len(failures) > max_rules:
        others = ", ".join(f"{rule.rule} ({rule.count})" for rule in failures[max_rules:])
        lines.append(f"and {len(failures) - max_rules} more rules: {others}")
    return [*lines, *incomplete_lines(audit)]


def explain_failures(audit: Audit, *, max_nodes: int = 3) -> tuple[RuleExplanation, ...]:
    """Explain every rule that failed, by how much its failures weigh together, heaviest first."""
    failing = sorted(
        (rule for rule in audit.rules if rule.num_violations), key=lambda rule: (-rule.severity, rule.rule)
    )
    return tuple(_explanation(rule, rule.num_violations, rule.violations[:max_nodes]) for rule in failing)


def explain_incomplete(audit: Audit, *, max_nodes: int = 3) -> tuple[RuleExplanation, ...]:
    """Explain every rule that could not tell for some elements, so that a person must look."""
    open_rules = (rule for rule in audit.rules if rule.num_incomplete)
    return tuple(_explanation(rule, rule.num_incomplete, rule.incomplete[:max_nodes]) for rule in open_rules)


def incomplete_lines(audit: Audit) -> list[str]:
    """Tell how many checks need a person, by rule; nothing where there are none."""
    rules = explain_incomplete(audit, max_nodes=0)
    if not rules:
        return []
    total = sum(rule.count for rule in rules)
    checks = "1 check needs" if total == 1 else f"{total} checks need"
    return [f"{checks} a person to judge: {', '.join(f'{rule.rule} ({rule.count})' for rule in rules)}"]


def _explanation(rule: RuleOutcome, count: int, nodes: Sequence[CheckedNode]) -> RuleExplanation:
    is_address = rule.help_url.startswith(("https://", "http://"))
    return RuleExplanation(
        rule=_told(rule.rule),
        impact=rule.impact,
        count=count,
        help=_told(rule.help),
        help_url=sanitize(rule.help_url, limit=300) if is_address else "",
        criteria=criteria(rule.tags),
        nodes=tuple(NodeExplanation(_told(node.target), _told(node.html), _todo(node)) for node in nodes),
    )


def _todo(node: CheckedNode) -> str:
    return f"{_told(_what_to_do(node))} {_told(str(node.data.get('also', '')))}".strip()


def _what_to_do(node: CheckedNode) -> str:
    facts = node.data
    if all(facts.get(name) for name in ("fgColor", "bgColor", "contrastRatio")):
        wanted = facts.get("expectedContrastRatio")
        needed = f", needs {wanted}" if wanted else ""
        return f"contrast {facts['contrastRatio']}:1{needed}: text {facts['fgColor']} on {facts['bgColor']}"
    # axe writes "Fix any of the following:" and a line for each way.
    heading, *ways = [line.strip() for line in node.summary.splitlines() if line.strip()] or [""]
    return f"{heading} {'; '.join(ways)}".strip()


def _told(text: str) -> str:
    return sanitize(text, limit=WIDEST)
