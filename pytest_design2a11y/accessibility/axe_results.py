"""Converts axe-core's results to an `Audit`; lists an element reported by several engines only once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from pytest_design2a11y.exceptions import AxeError
from pytest_design2a11y.models.audit import Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.issue_classes import class_of
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.models.severity import IMPACT_WEIGHTS
from pytest_design2a11y.registry import label_of_engine

_GROUPS = ("violations", "incomplete", "passes")
_ADVICE = "Pass the object that axe.run() gives, with all its groups (do not use resultTypes)."


def audit_from_axe(axe_result: Mapping[str, Any]) -> Audit:
    """Read axe-core's result object.

    A failed check's impact is that of its node or, if that is null, of its rule. Elements are distinguished
    by their targets, which axe makes unique on a page.

    Args:
        axe_result: The result of `axe.run()`: "violations", "incomplete" and "passes", each a list of rules
            with all of their nodes. Everything else, such as "inapplicable", is ignored.

    Returns:
        The audit: rules sorted by id, details of failures and of what needs a person, counts of the rest.

    Raises:
        AxeError: The object has another shape.
    """
    for group in _GROUPS:
        if not isinstance(axe_result, Mapping) or not isinstance(axe_result.get(group), list):
            raise AxeError(f'This is not a result of axe-core: it has no list "{group}".', advice=_ADVICE)
    groups = {group: [_checked_rule(rule, group) for rule in axe_result[group]] for group in _GROUPS}
    outcomes: dict[str, RuleOutcome] = {}
    for group, rules in groups.items():
        for rule in rules:
            new = RuleOutcome(
                rule=rule["id"],
                help=str(rule.get("help") or ""),
                help_url=str(rule.get("helpUrl") or ""),
                tags=tuple(str(tag) for tag in rule.get("tags") or ()),
                impact=None,
            )
            outcomes[new.rule] = _merged(outcomes.get(new.rule, new), rule, group)
    engine = axe_result.get("testEngine")
    return Audit(
        version=(str(engine.get("version") or "") if isinstance(engine, Mapping) else ""),
        rules=tuple(sorted(outcomes.values(), key=lambda outcome: outcome.rule)),
        elements_checked=len(_targets(rule for rules in groups.values() for rule in rules)),
        elements_failed=len(_targets(groups["violations"])),
    )


def _checked_rule(rule: Any, group: str) -> Mapping[str, Any]:
    is_rule = (
        isinstance(rule, Mapping) and isinstance(rule.get("id"), str) and isinstance(rule.get("nodes"), list)
    )
    if not is_rule:
        raise AxeError(
            f'This is not a result of axe-core: an entry of "{group}" has no "id" and "nodes".',
            advice=_ADVICE,
        )
    for node in rule["nodes"]:
        if not isinstance(node, Mapping) or not isinstance(node.get("target"), list):
            raise AxeError(
                f'This is not a result of axe-core: a node of {rule["id"]} in "{group}" has no "target".',
                advice=_ADVICE,
            )
    return cast("Mapping[str, Any]", rule)


def _merged(outcome: RuleOutcome, rule: Mapping[str, Any], group: str) -> RuleOutcome:
    impact = outcome.impact or _impact(rule, rule["id"])
    nodes = rule["nodes"]
    if group == "passes":
        return replace(outcome, impact=impact, num_passes=outcome.num_passes + len(nodes))
    details = tuple(
        CheckedNode(
            target=joined_target(node["target"]),
            html=str(node.get("html") or ""),
            impact=_impact(node, rule["id"]) or _impact(rule, rule["id"]),
            summary=str(node.get("failureSummary") or ""),
            data=_facts(node),
        )
        for node in nodes
    )
    if group == "incomplete":
        return replace(
            outcome,
            impact=impact,
            num_incomplete=outcome.num_incomplete + len(nodes),
            incomplete=outcome.incomplete + details,
        )
    total = Counter(outcome.violations_by_impact)
    for node in details:
        if node.impact is None:
            raise AxeError(
                f"A failure of {rule['id']} has no impact, so that it has no weight.", advice=_ADVICE
            )
        total[node.impact] += 1
    return replace(
        outcome,
        impact=impact,
        num_violations=outcome.num_violations + len(nodes),
        violations_by_impact={impact: total[impact] for impact in IMPACT_WEIGHTS if total[impact]},
        violations=outcome.violations + details,
    )


def _impact(owner: Mapping[str, Any], rule: str) -> Impact | None:
    impact = owner.get("impact")
    if impact is None or impact in IMPACT_WEIGHTS:
        return impact
    raise AxeError(
        f"{rule} has the impact {impact!r}; axe-core knows {', '.join(IMPACT_WEIGHTS)}.", advice=_ADVICE
    )


def _facts(node: Mapping[str, Any]) -> dict[str, Any]:
    checks = [check for kind in ("any", "all", "none") for check in node.get(kind) or ()]
    for check in checks:
        data = check.get("data") if isinstance(check, Mapping) else None
        if isinstance(data, Mapping):
            return {key: value for key, value in data.items() if isinstance(value, str | int | float | bool)}
    return {}


def joined_target(target: Iterable[Any]) -> str:
    """Write axe's target on one line: steps into frames and shadow roots are joined by " >>> "."""
    steps: list[str] = []
    for step in target:
        steps += [step] if isinstance(step, str) else [str(inner) for inner in step]
    return " >>> ".join(steps)


def _targets(rules: Iterable[Mapping[str, Any]]) -> set[str]:
    return {repr(node["target"]) for rule in rules for node in rule["nodes"]}


#: A class of issues, and an element that has it.
Key = tuple[str, str]


def deduplicate(audits: Mapping[str, Audit], engines: Mapping[str, EngineCounts]) -> dict[str, Audit]:
    """Return the audits of a page as shown to people; the arguments keep the counts of all findings.

    If a later engine reports an element for the same class of issue as the first engine, only the first one's
    finding is shown, with a note about it. Findings that only a later engine has carry its label, from
    `engines`.
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
