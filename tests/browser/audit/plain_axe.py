"""What plain `axe.run()` says about a page, as an `Audit` with its details."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome

_GROUPS = {"violations": "num_violations", "incomplete": "num_incomplete", "passes": "num_passes"}


def audit_of_plain_axe(result: Mapping[str, Any]) -> Audit:
    """Return axe-core's own result as a record; boxes, snippets and facts are left out."""
    outcomes: dict[str, RuleOutcome] = {}
    for group, count in _GROUPS.items():
        for rule in result[group]:
            new = RuleOutcome(rule["id"], rule["help"], rule["helpUrl"], tuple(rule["tags"]), rule["impact"])
            outcome = outcomes.get(rule["id"], new)
            nodes = tuple(_node(node, rule["impact"]) for node in rule["nodes"])
            own: dict[str, Any] = {count: len(nodes), "impact": outcome.impact or rule["impact"]}
            if group != "passes":
                own[group] = nodes
            if group == "violations":
                own["violations_by_impact"] = dict(Counter(node.impact for node in nodes))
            outcomes[rule["id"]] = replace(outcome, **own)
    checked, failed = (
        {str(node["target"]) for group in groups for rule in result[group] for node in rule["nodes"]}
        for groups in (_GROUPS, ("violations",))
    )
    return Audit(
        version=result["testEngine"]["version"],
        rules=tuple(outcomes[name] for name in sorted(outcomes)),
        elements_checked=len(checked),
        elements_failed=len(failed),
    )


def _node(node: Mapping[str, Any], impact: Any) -> CheckedNode:
    steps = [step if isinstance(step, str) else " >>> ".join(step) for step in node["target"]]
    summary = node.get("failureSummary") or ""
    return CheckedNode(" >>> ".join(steps), "", node["impact"] or impact, summary)
