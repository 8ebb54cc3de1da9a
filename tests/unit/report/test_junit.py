from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.report.findings_file import junit_properties

EVALUATION = Evaluation(
    id="t",
    case="login",
    candidate="generated/login.html",
    reference="designs/login.html",
    visual=VisualScore(0.8125, 1.0, 0.5, 0.25, 1.0, None, "indel"),
    accessibility=AccessibilityRates(99, 2, 3, 2 / 99, 0.3, 0.6 / 99, 40, 2, 0.05, "green"),
    verdicts=(Verdict("visual", ">=", 0.9, 0.8125, False, "marker"),),
    warnings=(CaptureWarning("b", "x"), CaptureWarning("a", "y"), CaptureWarning("b", "z")),
    environment=Environment("156", "4.10.3", "0.5.0"),
    axes={"prompt": "naive", "state": "open"},
)


def test_names_are_flat_and_values_are_texts() -> None:
    properties = dict(junit_properties(EVALUATION))

    assert properties == {
        "design2a11y.case": "login",
        "design2a11y.sample": "1",
        "design2a11y.prompt": "naive",
        "design2a11y.axis.state": "open",
        "design2a11y.reference": "designs/login.html",
        "design2a11y.candidate": "generated/login.html",
        "design2a11y.visual": "0.8125",
        "design2a11y.block_match": "1",
        "design2a11y.text": "0.5",
        "design2a11y.position": "0.25",
        "design2a11y.color": "1",
        "design2a11y.ir": "0.020202",
        "design2a11y.iwir": "0.3",
        "design2a11y.weighted_ir": "0.00606061",
        "design2a11y.ir_elements": "0.05",
        "design2a11y.failed": "2",
        "design2a11y.checked": "99",
        "design2a11y.incomplete": "3",
        "design2a11y.status": "green",
        "design2a11y.limit.visual": ">= 0.9 fail (marker)",
        "design2a11y.warnings": "b, a",
        "design2a11y.chromium": "156",
        "design2a11y.axe": "4.10.3",
    }


def test_the_second_page_of_a_test_has_names_of_its_own() -> None:
    names = [name for name, _ in (*junit_properties(EVALUATION), *junit_properties(EVALUATION, number=2))]

    assert len(names) == len(set(names))
    assert "design2a11y.2.visual" in names


def test_what_was_not_measured_has_no_property() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "It hung."))

    properties = dict(junit_properties(lost))

    assert properties["design2a11y.error"] == "RenderTimeout: It hung."
    assert "design2a11y.visual" not in properties


@pytest.mark.parametrize(
    "text", ["\x00\x01\x08\x0b\x1f", "\ud800", "\ufffe\uffff", "]]>&<\"'", "a\nb\tc", "\x7f\x85"]
)
def test_any_text_gives_valid_xml(text: str) -> None:
    evaluation = replace(EVALUATION, case=text, candidate=text, error=Failure(text, text))
    root = ElementTree.Element("properties")
    for name, value in junit_properties(evaluation):
        ElementTree.SubElement(root, "property", name=name, value=value)

    parsed = ElementTree.fromstring(ElementTree.tostring(root, encoding="utf-8"))

    assert [(one.get("name"), one.get("value")) for one in parsed] == junit_properties(evaluation)
