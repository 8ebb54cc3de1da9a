"""Findings of several engines side by side, an element that more than one reports told once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from pytest_design2a11y.models.audit import Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.issue_classes import class_of
from pytest_design2a11y.registry import label_of_engine

_NO_KEY = "", ""
#: A class of issues, and the element that has it.
Key = tuple[str, str]


def deduplicate(audits: Mapping[str, Audit], engines: Mapping[str, EngineCounts]) -> dict[str, Audit]:
    """Return the audits of a page as people are told of them; the counts of all findings are in those given.

    An element that a later engine reports for the same class of issue as the first one is told with the
    first one's finding, which then says so, and is left out of the later one's. What a later engine says
    carries its name, as `engines` tell it.
    """
    if len(audits) < 2:
        return dict(audits)
    (name, first), *others = audits.items()
    keys = {key for rule in first.rules for node in rule.violations if (key := _key(rule, node))}
    also: dict[Key, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for engine, audit in others:
        for rule in audit.rules:
            code = rule.rule.rpartition("_")[2].partition(".")[2] or rule.rule
            for node in rule.violations:
                if (key := _key(rule, node)) is not None and key in keys:
                    also[key][engine].append(code)
    noted = []
    for rule in first.rules:
        nodes = ((node, also.get(_key(rule, node) or _NO_KEY)) for node in rule.violations)
        noted.append(replace(rule, violations=tuple(_with_note(*one, engines) for one in nodes)))
    told = {name: replace(first, rules=tuple(noted))}
    for engine, audit in others:
        rules = (_reduced(rule, keys, label_of_engine(engine, engines)) for rule in audit.rules)
        left = tuple(rule for rule in rules if rule.num_violations or rule.num_incomplete)
        told[engine] = replace(audit, rules=left)
    return told


def _key(rule: RuleOutcome, node: CheckedNode) -> Key | None:
    found = class_of(rule.rule)
    return None if found is None else (found.name, node.target)


def _with_note(
    node: CheckedNode, also: Mapping[str, list[str]] | None, engines: Mapping[str, EngineCounts]
) -> CheckedNode:
    if also is None:
        return node
    notes = [
        f"{label_of_engine(engine, engines)} reports it too ({', '.join(dict.fromkeys(codes))})."
        for engine, codes in also.items()
    ]
    return replace(node, data={**node.data, "also": " ".join(notes)})


def _reduced(rule: RuleOutcome, keys: set[Key], label: str) -> RuleOutcome:
    """Leave out the elements that are told already."""
    left = tuple(node for node in rule.violations if _key(rule, node) not in keys)
    num_told = len(rule.violations) - len(left)
    number = rule.num_violations - num_told
    by_impact = {rule.impact: number} if rule.impact and number else {}
    return replace(
        rule,
        help=f"{label}: {rule.help}",
        num_violations=number,
        violations_by_impact=by_impact,
        violations=left,
    )
