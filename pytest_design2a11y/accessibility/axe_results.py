"""Counts axe-core's results as an `Audit`; lists an element reported by several engines only once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from pytest_design2a11y.exceptions import AxeError
from pytest_design2a11y.models.audit import Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.issue_classes import class_of
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.registry import label_of_engine

_ADVICE = "Pass the object that axe.run() gives, with all its groups (do not use resultTypes)."


class _AxeNode(Struct):
    target: list[Any]  # A selector for each step into a frame; into shadow roots, a list of them
    impact: Impact | None = None


class _AxeRule(Struct):
    id: str
    nodes: list[_AxeNode]
    impact: Impact | None = None


class _Result(Struct):
    violations: list[_AxeRule]
    incomplete: list[_AxeRule]
    passes: list[_AxeRule]


def audit_from_axe(axe_result: Mapping[str, Any]) -> Audit:
    """Count the result of `axe.run()`, without its details; AxeError for an object of another shape.

    A failed check's impact is that of its node or, if that is null, of its rule. Elements are distinguished
    by their targets, which axe makes unique on a page.
    """
    try:
        result = msgspec.convert(axe_result, _Result)
    except msgspec.ValidationError as error:
        raise AxeError(f"This is not a result of axe-core: {error}.", advice=_ADVICE) from None
    outcomes = []
    for group in ("violations", "incomplete", "passes"):
        for rule in getattr(result, group):
            count: dict[str, Any] = {f"num_{group}": len(rule.nodes)}
            outcome = RuleOutcome(rule.id, "", "", (), rule.impact, **count)
            if group == "violations":
                impacts = Counter(node.impact or rule.impact for node in rule.nodes)
                if None in impacts:
                    what = f"A failure of {rule.id} has no impact, so that it has no weight."
                    raise AxeError(what, advice=_ADVICE)
                outcome = replace(outcome, violations_by_impact=impacts)
            outcomes.append(outcome)
    rules = (*result.violations, *result.incomplete, *result.passes)
    checked, failed = (
        {repr(node.target) for rule in some for node in rule.nodes} for some in (rules, result.violations)
    )
    return Audit("", tuple(outcomes), elements_checked=len(checked), elements_failed=len(failed))


#: A class of issues, and an element that has it.
Key = tuple[str, str]


def deduplicate(audits: Mapping[str, Audit], engines: Mapping[str, EngineCounts]) -> dict[str, Audit]:
    """Return the audits of a page as shown to people; the arguments keep the counts of all findings.

    If a later engine reports an element for the same class of issue as the first engine, only the first one's
    finding is shown, with a note about it. Findings that only a later engine has carry its label.
    """
    if len(audits) < 2:
        return dict(audits)
    (name, first), *others = audits.items()
    keys = {key for rule in first.rules for node in rule.violations if (key := _key(rule, node))}
    also: dict[Key | None, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for engine, audit in others:
        for rule in audit.rules:
            code = rule.rule.rpartition("_")[2].partition(".")[2] or rule.rule
            for node in rule.violations:
                if (key := _key(rule, node)) in keys:
                    also[key][engine].append(code)
    noted = []
    for rule in first.rules:
        nodes = []
        for node in rule.violations:
            notes = " ".join(
                f"{label_of_engine(engine, engines)} reports it too ({', '.join(dict.fromkeys(codes))})."
                for engine, codes in also.get(_key(rule, node), {}).items()
            )
            nodes.append(replace(node, data={**node.data, "also": notes}) if notes else node)
        noted.append(replace(rule, violations=tuple(nodes)))
    shown = {name: replace(first, rules=tuple(noted))}
    for engine, audit in others:
        rules = (_reduced(rule, keys, label_of_engine(engine, engines)) for rule in audit.rules)
        left = tuple(rule for rule in rules if rule.num_violations or rule.num_incomplete)
        shown[engine] = replace(audit, rules=left)
    return shown


def _key(rule: RuleOutcome, node: CheckedNode) -> Key | None:
    found = class_of(rule.rule)
    return None if found is None else (found.name, node.target)


def _reduced(rule: RuleOutcome, keys: set[Key], label: str) -> RuleOutcome:
    """Leave out elements that are already shown."""
    left = tuple(node for node in rule.violations if _key(rule, node) not in keys)
    number = rule.num_violations - len(rule.violations) + len(left)
    return replace(
        rule,
        help=f"{label}: {rule.help}",
        num_violations=number,
        violations_by_impact={rule.impact: number} if rule.impact and number else {},
        violations=left,
    )
