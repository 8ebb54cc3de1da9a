"""Exact checks on pages of our own, one a rule family, and equality with a plain run of axe on each."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.models.audit import AuditChoice, RuleOutcome
from pytest_design2a11y.models.page import Document

CASES = sorted(Path(__file__).resolve().parents[2].glob("pages_audit/*/page.html"))
EXPECTED = [page for page in CASES if page.with_name("expected.json").exists()]


def _name(case: Path) -> str:
    return case.parent.name


def checks(outcome: RuleOutcome) -> dict[str, Any]:
    return {
        "passes": outcome.num_passes,
        "violations": [node.target for node in outcome.violations],
        "incomplete": [node.target for node in outcome.incomplete],
    }


@pytest.fixture(scope="module")
def audited(audit: Any) -> Callable[[Path], Any]:
    """Audits a page once."""
    return cache(lambda case: audit(case.read_text()))


def test_every_rule_family_has_its_page() -> None:
    assert len(EXPECTED) >= 12


@pytest.mark.alike(9, is_long=True)
@pytest.mark.parametrize("case", EXPECTED, ids=_name)
def test_exactly_the_expected_checks_are_found(case: Path, audited: Any) -> None:
    """Each listed rule has the listed outcome, and no other rule finds anything."""
    expected = json.loads(case.with_name("expected.json").read_text())
    found, warnings = audited(case)

    outcomes = {outcome.rule: checks(outcome) for outcome in found.rules}
    assert {rule: outcomes.get(rule) for rule in expected} == {
        rule: {"incomplete": [], **outcome} for rule, outcome in expected.items()
    }
    others = {rule: outcome for rule, outcome in outcomes.items() if rule not in expected}
    assert {
        rule: outcome for rule, outcome in others.items() if outcome["violations"] or outcome["incomplete"]
    } == {}
    assert warnings == ()


# Frames, shadow roots and colors first. A plain run cannot enter a frame whose scripts are forbidden.
SPECIAL = ("frames", "shadow", "contrast")
PLAIN = sorted(
    (case for case in EXPECTED if _name(case) != "sandboxed"), key=lambda case: _name(case) not in SPECIAL
)


@pytest.mark.alike(2, is_long=True)
@pytest.mark.parametrize("case", PLAIN, ids=_name)
def test_the_audit_equals_a_plain_run_of_axe(
    case: Path, audited: Any, pages: Any, axe_script: str, told_by_axe: Any
) -> None:
    """Rule by rule, group by group, element by element, across frames and shadow roots too."""
    found, _ = audited(case)

    expected = pages.plain_axe(case.read_text(), axe_script)
    assert told_by_axe(found) == told_by_axe(expected)


def test_a_capture_carries_the_audit(renderer: Renderer, case_folder: Path) -> None:
    html = (case_folder / "lists" / "page.html").read_bytes()
    capture = renderer.capture(Document("lists", html), role="candidate", audit=AuditChoice())

    assert capture.audit is not None
    failed = {
        outcome.rule: outcome.num_violations for outcome in capture.audit.rules if outcome.num_violations
    }
    assert failed == {"definition-list": 1, "dlitem": 1, "list": 2, "listitem": 1}
    assert capture.environment.axe == capture.audit.version
