from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.report.findings_file import code_quality
from tests.factories import make_run
from tests.unit.report.test_sarif import LABEL, REGION, evaluation

#: What GitLab's documentation asks of each issue.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)."},
                    "lines": {"type": "object", "required": ["begin"]},
                },
            },
        },
    },
}


def issues_of(*evaluations: Evaluation, accepted: dict[str, dict[str, int]] | None = None) -> Any:
    found = json.loads(json.dumps(code_quality(make_run(*evaluations), accepted or {})))
    Draft202012Validator(SCHEMA).validate(found)
    assert len({one["fingerprint"] for one in found}) == len(found)
    return found


def test_every_violation_is_an_issue_of_its_page() -> None:
    issues = issues_of(evaluation(LABEL, REGION, candidate="pages/log in.html"))

    assert [(one["check_name"], one["severity"]) for one in issues] == [
        ("label", "critical"),
        ("label", "info"),
        ("region", "minor"),
    ]
    assert issues[0]["description"] == (
        "Form elements must have labels: #email. Add a label. "
        "Fix: Give every form control a <label for=...>, or an aria-label."
    )
    assert issues[0]["location"] == {"path": "pages/log in.html", "lines": {"begin": 1}}
    assert issues[2]["description"] == "Content in landmarks: 3 elements"


def test_accepted_violations_are_no_issues_and_fingerprints_stay() -> None:
    everything = issues_of(evaluation(LABEL, REGION))
    rest = issues_of(evaluation(LABEL, REGION), accepted={"t": {"label": 2}})

    assert [one["fingerprint"] for one in rest] == [everything[2]["fingerprint"]]


def test_a_page_that_was_not_measured_is_never_a_clean_one() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "The page hung."))

    (issue,) = issues_of(lost)

    assert (issue["severity"], issue["description"]) == ("blocker", "RenderTimeout: The page hung.")
    assert issue["location"]["path"] == "lost.html"


def test_html_text_has_a_location_too() -> None:
    (issue, _) = issues_of(evaluation(LABEL, candidate="<html text>"))

    assert issue["location"]["path"] == "HTML text"


@pytest.mark.parametrize(
    ("name", "path"), [("tests/test_app.py::test_login", "tests/test_app.py"), ("login", "login")]
)
def test_a_page_of_a_server_on_this_machine_has_the_same_path_and_fingerprint_each_time(
    name: str, path: str
) -> None:
    runs = [
        issues_of(evaluation(LABEL, candidate=f"http://127.0.0.1:{port}/login", id=name)) for port in (41, 42)
    ]

    assert runs[0] == runs[1]
    assert runs[0][0]["location"]["path"] == path


def test_an_element_has_the_line_of_its_tag_where_the_page_is_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<form>\n<input id="email">\n\n<input id="name">')

    issues = issues_of(evaluation(LABEL, candidate=str(page)))

    assert [one["location"]["lines"] for one in issues] == [{"begin": 2}, {"begin": 4}]


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://127.0.0.1:8765/shop/cart.html?step=2", "shop/cart.html?step=2"),
        ("https://shop.example/cart", "shop.example/cart"),
        ("http://localhost:3000/", "/"),
    ],
)
def test_the_path_of_an_audited_address_is_relative_as_gitlab_wants_it(address: str, path: str) -> None:
    (issue,) = issues_of(Evaluation(address, "c", address, error=Failure("RenderTimeout", "It hung.")))

    assert issue["location"]["path"] == path
