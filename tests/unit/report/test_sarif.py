from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft4Validator

from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.report.sarif import sarif

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")
)

LABEL = RuleOutcome(
    "label",
    "Form elements must have labels",
    "https://dequeuniversity.com/rules/axe/4.10/label",
    ("wcag2a", "cat.forms"),
    "critical",
    num_violations=2,
    violations_by_impact={"critical": 1, "minor": 1},
    violations=(
        CheckedNode("#email", '<input id="email">', "critical", "Fix any of the following:\n  Add a label"),
        CheckedNode("#name", '<input id="name">', "minor", "Fix any of the following:\n  Add a label"),
    ),
)
REGION = RuleOutcome(
    "region",
    "Content in landmarks",
    "",
    (),
    "moderate",
    num_violations=3,
    violations_by_impact={"moderate": 3},
)
CLEAN = RuleOutcome("list", "Lists", "https://example.org", (), None, num_passes=4)


def evaluation(*rules: RuleOutcome, candidate: str = "generated/login.html", **changes: Any) -> Evaluation:
    one = Evaluation(
        id="t",
        case="c",
        candidate=candidate,
        accessibility=AccessibilityRates(9, 5, 0, 5 / 9, 0.5, 0.3, 9, 5, 5 / 9, "yellow"),
        audit=Audit("4.10.3", rules, 9, 5),
        environment=Environment("156", "4.10.3", "0.5.0"),
    )
    return replace(one, **changes)


def log_of(
    *evaluations: Evaluation, is_complete: bool = True, accepted: dict[str, dict[str, int]] | None = None
) -> dict[str, Any]:
    log = sarif(Run("run", "2026-01-01T00:00:00Z", is_complete, evaluations), accepted or {})
    Draft4Validator(SCHEMA).validate(log)
    only_run: dict[str, Any] = json.loads(json.dumps(log, allow_nan=False))["runs"][0]
    return only_run


def test_the_schema_is_the_standards_and_refuses_what_is_wrong() -> None:
    Draft4Validator.check_schema(SCHEMA)
    log = sarif(Run("run", "2026-01-01T00:00:00Z", True, (evaluation(LABEL),)), {})
    del log["runs"][0]["results"][0]["message"]

    assert [error.message for error in Draft4Validator(SCHEMA).iter_errors(log)] == [
        "'message' is a required property"
    ]


def test_every_violation_is_a_result_with_its_own_level_and_selector() -> None:
    results = log_of(evaluation(LABEL, CLEAN))["results"]

    assert [(result["ruleId"], result["level"]) for result in results] == [
        ("label", "error"),
        ("label", "note"),
    ]
    location = results[0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "generated/login.html"
    assert location["logicalLocations"] == [{"fullyQualifiedName": "#email", "kind": "element"}]
    assert results[0]["message"]["text"] == (
        "Form elements must have labels: #email. Add a label. "
        "Fix: Give every form control a <label for=...>, or an aria-label."
    )
    assert results[0]["properties"] == {"impact": "critical", "html": '<input id="email">'}


def test_rules_that_failed_are_described_and_referred_to_by_position() -> None:
    run = log_of(evaluation(REGION, LABEL, CLEAN))

    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["label", "region"]
    assert {result["ruleId"]: rules[result["ruleIndex"]]["id"] for result in run["results"]} == {
        "label": "label",
        "region": "region",
    }
    assert rules[0]["helpUri"] == "https://dequeuniversity.com/rules/axe/4.10/label"
    assert rules[0]["defaultConfiguration"]["level"] == "error"
    assert "helpUri" not in rules[1]


def test_violations_that_were_counted_only_are_told_as_one_result() -> None:
    (result,) = log_of(evaluation(REGION))["results"]

    assert result["occurrenceCount"] == 3
    assert result["message"]["text"] == "Content in landmarks: 3 elements"
    assert result["level"] == "warning"


def test_a_page_measured_twice_tells_its_violations_once() -> None:
    results = log_of(evaluation(LABEL), evaluation(LABEL), evaluation(LABEL, candidate="b.html"))["results"]

    fingerprints = {result["partialFingerprints"]["design2a11y/v1"] for result in results}
    assert len(results) == len(fingerprints) == 4


def test_fingerprints_do_not_depend_on_the_run() -> None:
    first, second = log_of(evaluation(LABEL)), log_of(evaluation(REGION, LABEL, id="other"))

    known = {result["partialFingerprints"]["design2a11y/v1"] for result in second["results"]}
    assert {result["partialFingerprints"]["design2a11y/v1"] for result in first["results"]} <= known


SERVED = {"candidate": "http://127.0.0.1:39349/login?tab=2", "id": "tests/test_app.py::test_login"}


def test_a_page_of_a_server_on_this_machine_is_found_by_its_path_and_its_tests_file() -> None:
    first = log_of(evaluation(LABEL, REGION, **SERVED))
    second = log_of(evaluation(LABEL, REGION, **{**SERVED, "candidate": "http://localhost:51/login?tab=2"}))

    assert first["results"] == second["results"]
    location = first["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "tests/test_app.py"
    assert location["logicalLocations"] == [
        {"fullyQualifiedName": "#email", "kind": "element"},
        {"fullyQualifiedName": "/login?tab=2", "kind": "resource"},
    ]
    assert "must have labels: #email on /login?tab=2." in first["results"][0]["message"]["text"]
    assert first["results"][2]["message"]["text"] == "Content in landmarks: 3 elements on /login?tab=2"


def test_html_texts_of_two_tests_are_two_pages() -> None:
    log = log_of(evaluation(LABEL, candidate="<html>", id="a"), evaluation(LABEL, candidate="<html>", id="b"))

    assert len(log["results"]) == 4


def test_a_page_that_was_not_measured_is_never_a_clean_one() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "The page hung."))

    (invocation,) = log_of(lost)["invocations"]

    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "RenderTimeout: The page hung."
    assert notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "lost.html"


@pytest.mark.parametrize(("is_complete", "expected"), [(True, True), (False, False)])
def test_a_run_that_ended_early_is_no_success(is_complete: bool, expected: bool) -> None:
    (invocation,) = log_of(evaluation(), is_complete=is_complete)["invocations"]

    assert invocation["executionSuccessful"] is expected


@pytest.mark.parametrize(
    ("candidate", "uri"),
    [
        ("generated/a b#1.html", "generated/a%20b%231.html"),
        ("generated\\win.html", "generated/win.html"),
        ("/abs/ü.html", "file:///abs/%C3%BC.html"),
        ("../away.html", f"file://{quote(str(Path.cwd().parent))}/away.html"),
        ("https://example.org/a?b=1", "https://example.org/a?b=1"),
        ("\ud800.html", "%3F.html"),
        ("<html>", None),
        ("", None),
    ],
)
def test_pages_are_named_by_uris(candidate: str, uri: str | None) -> None:
    location = log_of(evaluation(LABEL, candidate=candidate))["results"][0]["locations"][0]

    assert location.get("physicalLocation", {}).get("artifactLocation", {}).get("uri") == uri


def test_hostile_texts_stay_texts() -> None:
    attack = "\x1b[2J\u202e\x00</script>\ud800" + "x" * 5_000_000
    node = CheckedNode(attack, attack, "serious", "Fix:\n" + attack)
    rule = replace(LABEL, rule="label", help=attack, help_url="javascript:alert(1)", violations=(node,))

    run = log_of(evaluation(rule, error=Failure("AxeError", attack)))

    assert len(json.dumps(run)) < 20_000
    assert "helpUri" not in run["tool"]["driver"]["rules"][0]
    assert run["results"][0]["message"]["text"].isprintable()


def test_an_empty_run_is_valid() -> None:
    assert log_of()["results"] == []


def test_violations_are_suppressed_where_all_of_a_rule_are_accepted() -> None:
    results = log_of(evaluation(LABEL, REGION), accepted={"t": {"label": 2, "region": 2}})["results"]

    suppressed = {result["ruleId"]: result.get("suppressions") for result in results}
    assert suppressed == {
        "label": [{"kind": "external", "justification": "In the file of known violations."}],
        "region": None,
    }


def test_an_element_has_the_line_of_its_tag_where_the_page_is_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<form>\n<input id="email">\n\n<input id="name">')

    log = log_of(evaluation(LABEL, REGION, candidate=str(page)))

    regions = [result["locations"][0]["physicalLocation"]["region"] for result in log["results"]]
    assert regions == [{"startLine": 2}, {"startLine": 4}, {"startLine": 1}]
