"""Converts axe-core's results to an `Audit`; lists an element reported by several engines only once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from pytest_design2a11y.exceptions import AxeError
from pytest_design2a11y.models.audit import Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.issue_classes import class_of
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.severity import IMPACT_WEIGHTS
from pytest_design2a11y.registry import label_of_engine

_ADVICE = "Pass the object that axe.run() gives, with all its groups (do not use resultTypes)."


class _Check(Struct):
    data: Any = None


class _Node(Struct, rename="camel"):
    target: list[Any]  # A selector for each step into a frame; into shadow roots, a list of them
    html: str | None = None
    impact: Impact | None = None
    failure_summary: str | None = None
    any: list[_Check] = []
    all: list[_Check] = []
    none: list[_Check] = []

    @property
    def facts(self) -> dict[str, Any]:
        """The first plain values that one of its checks gives."""
        for check in (*self.any, *self.all, *self.none):
            if isinstance(check.data, dict):
                return {
                    name: value
                    for name, value in check.data.items()
                    if isinstance(value, str | int | float | bool)
                }
        return {}


class _Rule(Struct, rename="camel"):
    id: str
    nodes: list[_Node]
    impact: Impact | None = None
    help: str | None = None
    help_url: str | None = None
    tags: tuple[str, ...] | None = None


class _Engine(Struct):
    version: str | None = None


class _Result(Struct, rename="camel"):
    violations: list[_Rule]
    incomplete: list[_Rule]
    passes: list[_Rule]
    test_engine: _Engine | None = None


def audit_from_axe(axe_result: Mapping[str, Any]) -> Audit:
    """Read the result of `axe.run()`: "violations", "incomplete" and "passes"; AxeError for another shape.

    A failed check's impact is that of its node or, if that is null, of its rule. Elements are distinguished
    by their targets, which axe makes unique on a page. The rules of the audit are sorted by id.
    """
    try:
        result = msgspec.convert(axe_result, _Result)
    except msgspec.ValidationError as error:
        raise AxeError(f"This is not a result of axe-core: {error}.", advice=_ADVICE) from None
    outcomes: dict[str, RuleOutcome] = {}
    for group in ("violations", "incomplete", "passes"):
        for rule in getattr(result, group):
            new = RuleOutcome(rule.id, rule.help or "", rule.help_url or "", rule.tags or (), None)
            outcomes[rule.id] = _merged(outcomes.get(rule.id, new), rule, group)
    return Audit(
        version=(result.test_engine and result.test_engine.version) or "",
        rules=tuple(sorted(outcomes.values(), key=lambda outcome: outcome.rule)),
        elements_checked=len(_targets((*result.violations, *result.incomplete, *result.passes))),
        elements_failed=len(_targets(result.violations)),
    )


def _merged(outcome: RuleOutcome, rule: _Rule, group: str) -> RuleOutcome:
    outcome = replace(outcome, impact=outcome.impact or rule.impact)
    if group == "passes":
        return replace(outcome, num_passes=outcome.num_passes + len(rule.nodes))
    details = tuple(
        CheckedNode(
            target=_joined_target(node.target),
            html=node.html or "",
            impact=node.impact or rule.impact,
            summary=node.failure_summary or "",
            data=node.facts,
        )
        for node in rule.nodes
    )
    if group == "incomplete":
        return replace(
            outcome,
            num_incomplete=outcome.num_incomplete + len(details),
            incomplete=outcome.incomplete + details,
        )
    total = Counter(outcome.violations_by_impact)
    for node in details:
        if node.impact is None:
            raise AxeError(f"A failure of {rule.id} has no impact, so that it has no weight.", advice=_ADVICE)
        total[node.impact] += 1
    return replace(
        outcome,
        num_violations=outcome.num_violations + len(details),
        violations_by_impact={impact: total[impact] for impact in IMPACT_WEIGHTS if total[impact]},
        violations=outcome.violations + details,
    )


def _joined_target(target: Iterable[Any]) -> str:
    """Write axe's target on one line: steps into frames and shadow roots are joined by " >>> "."""
    steps: list[str] = []
    for step in target:
        steps += [step] if isinstance(step, str) else map(str, step)
    return " >>> ".join(steps)


def _targets(rules: Iterable[_Rule]) -> set[str]:
    return {repr(node.target) for rule in rules for node in rule.nodes}


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
