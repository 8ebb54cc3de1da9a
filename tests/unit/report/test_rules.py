"""What an audit found, in words."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.option import Impact
from pytest_design2a11y.report.rules import (
    criteria,
    explain_audit,
    failing_rules,
    incomplete_lines,
    reason_and_fix,
    why,
)


def _node(target: str = "#logo", impact: Impact = "critical", **more: Any) -> CheckedNode:
    summary = "Fix any of the following:\n  Element has no alt attribute\n  Element has no title attribute"
    return CheckedNode(
        **{"target": target, "html": f"<img id={target}>", "impact": impact, "summary": summary, **more}
    )


def _rule(rule: str, nodes: tuple[CheckedNode, ...], count: int | None = None, **more: Any) -> RuleOutcome:
    impact = nodes[0].impact or "minor"
    number = len(nodes) if count is None else count
    return RuleOutcome(
        **{
            "rule": rule,
            "help": f"{rule} must hold",
            "help_url": f"https://example.org/{rule}",
            "tags": ("wcag2a", "wcag111"),
            "impact": impact,
            "num_violations": number,
            "violations_by_impact": {impact: number},
            "violations": nodes,
            **more,
        }
    )


def _audit(*rules: RuleOutcome) -> Audit:
    return Audit("4.10.3", tuple(sorted(rules, key=lambda rule: rule.rule)), 100, 3)


_CONTRAST = {
    "fgColor": "#777777",
    "bgColor": "#ffffff",
    "contrastRatio": 4.47,
    "expectedContrastRatio": "4.5:1",
    "fontSize": "12.0pt (16px)",
}


def test_a_failure_names_impact_count_criterion_elements_todo_and_help() -> None:
    audit = _audit(_rule("image-alt", (_node("#one"), _node("#two")), count=5))

    assert explain_audit(audit) == [
        "image-alt (critical, 5 elements): image-alt must hold [WCAG 1.1.1 Non-text Content]",
        '  Fix: Give every image an alt text that says what it shows; alt="" where it only decorates.',
        "  Why: Element has no alt attribute; Element has no title attribute",
        "  #one",
        "    <img id=#one>",
        "  #two",
        "    <img id=#two>",
        "  and 3 more",
        "  https://example.org/image-alt",
    ]


def test_a_contrast_failure_names_both_colours_and_the_ratio() -> None:
    audit = _audit(_rule("color-contrast", (_node("p", "serious", data=_CONTRAST),)))

    lines = explain_audit(audit)
    assert "  Why: contrast 4.47:1, needs 4.5:1: text #777777 on #ffffff; text #767676 has enough" in lines


def test_a_contrast_without_known_background_is_told_in_axes_words() -> None:
    data = {"fgColor": "#777777", "messageKey": "bgGradient"}
    audit = _audit(_rule("color-contrast", (_node("p", "serious", data=data),)))

    assert explain_audit(audit)[2].startswith("  Why: Element has no alt")


def test_the_worst_impact_comes_first_and_the_others_are_counted() -> None:
    audit = _audit(
        _rule("a-minor", (_node(impact="minor"),), count=9),
        _rule("b-critical", (_node(),), count=1),
        _rule("c-serious", (_node(impact="serious"),), count=4),
        _rule("d-moderate", (_node(impact="moderate"),), count=1),
    )

    assert [rule.rule for rule in failing_rules(audit)] == [
        "b-critical",
        "c-serious",
        "d-moderate",
        "a-minor",
    ]
    assert explain_audit(audit, max_rules=2)[-1] == "and 2 more rules: d-moderate (1), a-minor (9)"


def test_what_needs_a_person_is_told_apart_with_its_count() -> None:
    unsure = _rule(
        "color-contrast",
        (_node(impact="serious"),),
        num_violations=0,
        violations_by_impact={},
        violations=(),
        num_incomplete=3,
        incomplete=(_node(impact="serious"),),
    )

    assert failing_rules(_audit(unsure)) == []
    assert explain_audit(_audit(unsure)) == [
        "3 checks need a person to judge: color-contrast (3)",
        "  color-contrast: #logo",
    ]


def test_a_page_without_findings_has_nothing_to_explain() -> None:
    clean = RuleOutcome("region", "", "", (), None, num_passes=4)

    assert explain_audit(_audit(clean)) == []
    assert incomplete_lines(_audit(clean)) == []


def test_pages_cannot_act_on_the_terminal() -> None:
    evil = _node("#\x1b[2J\u202eevil", html="<p\x07>\n\x9b31m\u2028\ud800</p>", summary="Fix\r\n \x08this")
    lines = explain_audit(_audit(_rule("region", (evil,))))

    assert r"  Why: \x08this" in lines
    assert r"  #\x1b[2J\u202eevil" in lines
    assert r"    <p\x07> \x9b31m \ud800</p>" in lines
    assert "\n".join(lines).encode("utf-8")


def test_only_web_addresses_are_given_as_help() -> None:
    audit = _audit(_rule("region", (_node(),), help_url="javascript:alert(1)"))

    assert "javascript" not in "".join(explain_audit(audit))
    assert "https://example.org/region" in "".join(explain_audit(_audit(_rule("region", (_node(),)))))


@pytest.mark.parametrize(
    ("text", "longest", "expected"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("one too many", 11, "one too ma…"),
        ("a \n\t b", 10, "a b"),
        ("x" * 10_000_000, 5, "xxxx…"),
    ],
)
def test_long_text_is_cut(text: str, longest: int, expected: str) -> None:
    assert sanitize(text, limit=longest) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (("cat.color", "wcag2aa", "wcag143"), ("WCAG 1.4.3 Contrast (Minimum)",)),
        (("wcag21aa", "wcag1412"), ("WCAG 1.4.12 Text Spacing",)),
        (("wcag244", "wcag412"), ("WCAG 2.4.4 Link Purpose (In Context)", "WCAG 4.1.2 Name, Role, Value")),
        (("best-practice", "wcag2a", "wcag22aa"), ()),
        (("wcag999",), ("WCAG 9.9.9",)),
    ],
)
def test_criteria_are_read_from_tags(tags: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert criteria(tags) == expected


def test_two_sentences_on_an_element_are_two_sentences() -> None:
    """A reason has no full stop of its own: one comes before what another engine, or the advice, adds."""
    rule = _rule("color-contrast", (_node("p", data=_CONTRAST),))
    noted = _node("p", data={**_CONTRAST, "also": "HTML_CodeSniffer reports it too: 1.4.3."})

    assert why(noted).endswith("text #767676 has enough. HTML_CodeSniffer reports it too: 1.4.3.")
    assert "text #767676 has enough. Fix: Change one" in reason_and_fix(rule, rule.violations[0])
