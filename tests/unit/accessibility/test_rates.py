"""The accessibility rates from axe-core's results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_design2a11y.accessibility import (
    audit_from_axe,
    count_failures,
    rates,
    rates_from_axe,
    status_of,
)
from pytest_design2a11y.exceptions import AxeError, NothingToCheck
from pytest_design2a11y.models.audit import (
    IMPACT_WEIGHTS,
    AccessibilityRates,
    Audit,
    EngineCounts,
    RuleOutcome,
)
from pytest_design2a11y.models.option import Impact

_Json = dict[str, Any]


def _node(target: str, impact: str | None = None, **more: Any) -> _Json:
    return {"target": [target], "impact": impact, "html": f"<{target}>", **more}


def _rule(rule_id: str, nodes: list[_Json], impact: str | None = None) -> _Json:
    return {
        "id": rule_id,
        "impact": impact,
        "help": f"{rule_id} must hold",
        "helpUrl": f"https://example.org/{rule_id}",
        "tags": ["wcag2a"],
        "nodes": nodes,
    }


def _result(
    violations: list[_Json] | None = None,
    passes: list[_Json] | None = None,
    incomplete: list[_Json] | None = None,
) -> _Json:
    return {
        "testEngine": {"name": "axe-core", "version": "4.10.3"},
        "violations": violations or [],
        "passes": passes or [],
        "incomplete": incomplete or [],
        "inapplicable": [_rule("not-here", [])],
    }


def _page() -> _Json:
    """Ten checks: a critical and two minor failures, two to be judged, five passes; on six elements."""
    return _result(
        violations=[
            _rule("image-alt", [_node("img", "critical")], "critical"),
            _rule("region", [_node("p", "minor"), _node("h1", "minor")], "minor"),
        ],
        incomplete=[_rule("color-contrast", [_node("p", "serious"), _node("a", "serious")], "serious")],
        passes=[
            _rule("region", [_node("img"), _node("a")]),
            _rule("document-title", [_node("html")]),
            _rule("html-has-lang", [_node("html")]),
            _rule("link-name", [_node("body")]),
        ],
    )


def test_every_rate_of_a_page_follows_from_its_definition() -> None:
    expected = AccessibilityRates(
        checked=10,
        failed=3,
        incomplete=2,
        ir=0.3,
        iwir=(10 + 1 + 1) / 30,
        weighted_ir=12 / 100,
        elements_checked=6,
        elements_failed=3,
        ir_elements=0.5,
        status="yellow",
        by_impact={"minor": 2, "critical": 1},
    )

    assert rates_from_axe(_page()) == expected


def test_a_page_without_failures_has_zero_rates_and_is_green() -> None:
    page = rates_from_axe(_result(passes=[_rule("region", [_node("p")])]))

    assert (page.ir, page.iwir, page.weighted_ir, page.ir_elements) == (0, 0, 0, 0)
    assert (page.status, page.by_impact) == ("green", {})


def test_one_critical_failure_on_an_otherwise_perfect_page_gives_iwir_one() -> None:
    page = rates_from_axe(
        _result(
            violations=[_rule("image-alt", [_node("img", "critical")], "critical")],
            passes=[_rule("region", [_node(f"p{number}") for number in range(99)])],
        )
    )

    assert page.iwir == 1.0
    assert page.weighted_ir == page.ir == 0.01


def test_a_page_with_nothing_checked_has_no_rate() -> None:
    with pytest.raises(
        NothingToCheck, match="No accessibility rule applies to anything on the page"
    ) as caught:
        rates_from_axe(_result())

    assert caught.value.advice == (
        "Look whether the page has content, and whether the chosen rules and selectors leave any."
    )
    assert caught.value.stage == "axe"


def test_checks_of_no_element_give_no_rate_either() -> None:
    rule = RuleOutcome("region", "", "", (), "minor", num_passes=3)
    with pytest.raises(NothingToCheck):
        rates(Audit("4.10.3", (rule,), 0, 0))


def test_what_no_rule_checks_and_an_engines_label_are_kept() -> None:
    audit = replace(audit_from_axe(_page()), unaudited=0.25)

    assert rates(audit).unaudited == 0.25
    assert count_failures(audit, "axe-core") == EngineCounts(
        "", 10, 3, {"minor": 2, "critical": 1}, "axe-core"
    )


def test_nodes_that_only_need_a_person_count_as_checked_and_not_as_failed() -> None:
    page = rates_from_axe(_result(incomplete=[_rule("color-contrast", [_node("p", "serious")], "serious")]))

    assert (page.checked, page.failed, page.incomplete, page.ir) == (1, 0, 1, 0.0)


def test_a_node_weighs_by_its_own_impact_and_by_its_rules_where_it_has_none() -> None:
    page = rates_from_axe(
        _result(violations=[_rule("list", [_node("ul", "minor"), _node("ol", None)], "serious")])
    )

    assert page.by_impact == {"minor": 1, "serious": 1}
    assert page.iwir == (1 + 6) / 20


def test_a_rule_in_several_groups_counts_in_each() -> None:
    page = rates_from_axe(_page())

    assert (page.checked, page.failed, page.incomplete) == (10, 3, 2)
    assert page.by_impact == {"minor": 2, "critical": 1}


def test_elements_in_frames_and_shadow_roots_are_told_apart() -> None:
    nodes: list[_Json] = [
        {"target": ["iframe", ["#host", "img"]], "impact": "critical"},
        {"target": ["img"], "impact": "critical"},
    ]
    page = rates_from_axe(_result(violations=[_rule("image-alt", nodes, "critical")]))

    assert (page.elements_checked, page.elements_failed) == (2, 2)


@pytest.mark.parametrize(
    ("axe_result", "message"),
    [
        ([], "Expected `object`, got `array`"),
        ({"violations": [], "passes": []}, "Object missing required field `incomplete`"),
        ({**_result(), "passes": {}}, "Expected `array`, got `object` - at `$.passes`"),
        (_result(violations=[{"id": "x"}]), "missing required field `nodes` - at `$.violations[0]`"),
        (_result(passes=[_rule("x", [{"html": ""}])]), "field `target` - at `$.passes[0].nodes[0]`"),
        (
            _result(violations=[_rule("x", [_node("p", "huge")])]),
            "Invalid enum value 'huge' - at `$.violations[0].nodes[0].impact`",
        ),
        (_result(violations=[_rule("x", [_node("p")])]), "A failure of x has no impact"),
    ],
)
def test_an_object_of_another_shape_is_refused(axe_result: Any, message: str) -> None:
    with pytest.raises(AxeError, match=r"Pass the object that axe\.run\(\) gives") as caught:
        rates_from_axe(axe_result)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("ir", "iwir", "expected"),
    [
        (0.0, 0.0, "green"),
        (0.10, 0.3, "green"),
        (0.11, 0.3, "yellow"),
        (0.10, 0.31, "yellow"),
        (0.25, 0.61, "yellow"),
        (0.26, 0.6, "yellow"),
        (0.26, 0.61, "red"),
    ],
)
def test_status_follows_the_studys_limits(ir: float, iwir: float, expected: str) -> None:
    assert status_of(ir=ir, iwir=iwir) == expected


def _audit(failures: dict[Impact, int], num_passes: int) -> Audit:
    rules = [
        RuleOutcome(
            rule=impact,
            help="",
            help_url="",
            tags=(),
            impact=impact,
            num_violations=count,
            violations_by_impact={impact: count},
        )
        for impact, count in failures.items()
    ]
    rules.append(RuleOutcome(rule="rest", help="", help_url="", tags=(), impact=None, num_passes=num_passes))
    return Audit(version="", rules=tuple(rules), elements_checked=10, elements_failed=1)


_FAILURES = st.dictionaries(st.sampled_from(sorted(IMPACT_WEIGHTS)), st.integers(1, 1000), min_size=1)


@given(failures=_FAILURES, num_passes=st.integers(0, 5000))
def test_weighted_ir_is_the_product_and_falls_when_any_failure_is_fixed(
    failures: dict[Impact, int], num_passes: int
) -> None:
    before = rates(_audit(failures, num_passes))

    assert before.weighted_ir == pytest.approx(before.ir * before.iwir)
    assert 0 < before.ir <= 1
    assert 0.1 <= before.iwir <= 1
    for impact in failures:
        fewer = {**failures, impact: failures[impact] - 1}
        assert rates(_audit(fewer, num_passes + 1)).weighted_ir < before.weighted_ir


def test_fixing_a_minor_failure_can_raise_iwir() -> None:
    before = rates(_audit({"minor": 9, "critical": 1}, 90))
    after = rates(_audit({"critical": 1}, 99))

    assert before.iwir == pytest.approx(0.19)
    assert after.iwir == 1.0
    assert after.weighted_ir < before.weighted_ir
    assert after.ir < before.ir


def test_an_engine_that_does_not_tell_what_passed_has_counts_and_no_rates() -> None:
    rule = RuleOutcome(
        "H37", "", "", (), "serious", num_violations=2, violations_by_impact={"minor": 1, "serious": 1}
    )
    audit = Audit("2.5.1", (rule,), None, 2, engine="htmlcs", has_passes=False)

    assert count_failures(audit) == EngineCounts("2.5.1", None, 2, {"minor": 1, "serious": 1})
    with pytest.raises(NothingToCheck):
        rates(audit)
