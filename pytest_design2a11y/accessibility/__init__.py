"""Axe-core's results as an `Audit`, and how inaccessible a page is: IR, IWIR, weighted IR, IR by elements.

Definitions and sources are in `docs/accessibility.md`. An element reported by several engines is listed once.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from pytest_design2a11y.exceptions import AxeError, NothingToCheck
from pytest_design2a11y.models.audit import (
    MAX_IMPACT_WEIGHT,
    AccessibilityRates,
    Audit,
    CheckedNode,
    EngineCounts,
    RuleOutcome,
    Status,
    class_of,
    severity_of,
)
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.registry import label_of_engine

#: Status as in the study: red requires both rates above these, green both at or below.
_RED_IR, _RED_IWIR = 0.25, 0.6
_GREEN_IR, _GREEN_IWIR = 0.10, 0.3

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


def rates_from_axe(axe_result: Mapping[str, Any]) -> AccessibilityRates:
    """Compute the rates of a page from what `axe.run()` returned for it.

    The result must list every node of every group: axe's `resultTypes` option limits the other groups to one
    node per rule, which looks like a page with few elements.

    Args:
        axe_result: axe-core's result object: "violations", "passes", "incomplete", each a list of rules.

    Returns:
        The rates; see `rates`.

    Raises:
        AxeError: The object has another shape.
        NothingToCheck: No rule applied to anything.

    Examples:
        Of four checks one failed, seriously: IR is 1/4, and IWIR 6/10.

        >>> from pytest_design2a11y import rates_from_axe
        >>> button = {"target": ["button"], "impact": "serious"}
        >>> others = [{"target": [name], "impact": None} for name in ("h1", "p", "a")]
        >>> rates = rates_from_axe({
        ...     "violations": [{"id": "color-contrast", "impact": "serious", "nodes": [button]}],
        ...     "passes": [{"id": "region", "impact": None, "nodes": others}],
        ...     "incomplete": [],
        ... })
        >>> rates.ir, rates.iwir, rates.weighted_ir
        (0.25, 0.6, 0.15)
    """
    return rates(audit_from_axe(axe_result))


def rates(audit: Audit) -> AccessibilityRates:
    """Compute the rates of a page, each 0..1, from its checks; NothingToCheck if no rule applied.

    A check is one (rule, element) pair. With v_i failures of impact i, weights w_i (minor 1, moderate 3,
    serious 6, critical 10) and N checks of any outcome except "inapplicable":

    - ir = Σ v_i / N
    - iwir = Σ v_i·w_i / (10·Σ v_i), 0 without failures: the mean severity of what failed
    - weighted_ir = Σ v_i·w_i / (10·N) = ir·iwir

    References:
        IR and IWIR are defined in "Generating Code, Ignoring Accessibility: An Empirical Study of
        MLLM-Generated Web UIs" (2025), https://github.com/LLM4A11y/ui2code-study.
    """
    checked, failed = audit.checked, audit.failed
    if not checked or not audit.elements_checked:
        raise NothingToCheck(
            "No accessibility rule applies to anything on the page, so there is no rate to give.",
            stage="axe",
            advice="Look whether the page has content, and whether the chosen rules and selectors leave any.",
        )
    severity = severity_of(audit.by_impact)
    ir = failed / checked
    iwir = severity / (failed * MAX_IMPACT_WEIGHT) if failed else 0.0
    return AccessibilityRates(
        checked=checked,
        failed=failed,
        incomplete=sum(rule.num_incomplete for rule in audit.rules),
        ir=ir,
        iwir=iwir,
        weighted_ir=severity / (checked * MAX_IMPACT_WEIGHT),
        elements_checked=audit.elements_checked,
        elements_failed=audit.elements_failed,
        ir_elements=audit.elements_failed / audit.elements_checked,
        status=status_of(ir=ir, iwir=iwir),
        by_impact=audit.by_impact,
        unaudited=audit.unaudited,
    )


def count_failures(audit: Audit, label: str | None = None) -> EngineCounts:
    """Count an engine's findings, even if it does not report passes."""
    return EngineCounts(audit.version, audit.checked, audit.failed, audit.by_impact, label)


def status_of(*, ir: float, iwir: float) -> Status:
    """Return the study's status of a page: red requires both rates high, green both low."""
    if ir > _RED_IR and iwir > _RED_IWIR:
        return "red"
    if ir <= _GREEN_IR and iwir <= _GREEN_IWIR:
        return "green"
    return "yellow"
