"""Evaluations survive being written as JSON and read back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_design2a11y.measuring.records import case_of, named
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.verdicts import Failure, Subject, Verdict
from pytest_design2a11y.models.visual import Block, Match, VisualScore

BLOCK = Block("hello", (0.1, 0.2, 0.3, 0.05), (1, 2, 3))
NODE = CheckedNode("img", "<img>", "critical", "Add alt", (1.0, 2.0, 3.0, 4.0), {"ratio": 2.1})


def full_evaluation() -> Evaluation:
    return Evaluation(
        id="test_a.py::test",
        case="designs/login",
        candidate="generated/login.html",
        sample="2",
        reference="designs/login.html",
        visual=VisualScore(
            0.9,
            0.8,
            0.7,
            0.6,
            0.5,
            0.4,
            "indel",
            "embedded",
            (Match(BLOCK, BLOCK, 1.0, 1.0, 1.0),),
            (BLOCK,),
            (BLOCK,),
        ),
        accessibility=AccessibilityRates(10, 2, 1, 0.2, 0.6, 0.12, 5, 2, 0.4, "yellow", {"serious": 2}),
        engines={"htmlcs": EngineCounts("2.5.1", None, 3, {"serious": 3})},
        audit=Audit(
            "4.10.3",
            (
                RuleOutcome(
                    "image-alt",
                    "Images",
                    "https://x",
                    ("wcag2a",),
                    "critical",
                    1,
                    1,
                    0,
                    {"critical": 1},
                    (NODE,),
                    (),
                ),
            ),
            5,
            2,
        ),
        verdicts=(Verdict("iwir", "<=", 0.3, 0.6, False, "command line"),),
        warnings=(CaptureWarning("quirks_mode", "No doctype."),),
        environment=Environment("156", "4.10.3", "0.1"),
        settings={"viewport": "1280x720", "allowed_hosts": ["cdn.example"]},
        page_sizes={"reference": (1280, 720), "candidate": (1280, 900)},
        axes={"model": "m", "prompt": "v2", "state": "open"},
    )


def test_reading_gives_back_what_was_written() -> None:
    evaluation = full_evaluation()

    assert from_dict(json.loads(json.dumps(evaluation.to_dict(has_details=True)))) == evaluation


def test_only_a_block_that_was_read_from_a_picture_says_how_sure_it_is() -> None:
    read = replace(BLOCK, confidence=0.93)
    visual = full_evaluation().visual
    assert visual is not None
    score = replace(visual, matches=(Match(read, BLOCK, 1, 1, 1),), missing=(read,))
    record = json.loads(json.dumps(replace(full_evaluation(), visual=score).to_dict(has_details=True)))

    assert record["visual"]["missing"][0]["confidence"] == 0.93
    assert record["visual"]["matches"][0]["candidate"].keys() == {"text", "box", "color"}
    visual = from_dict(record).visual
    assert visual is not None
    assert visual.matches[0].reference.confidence == 0.93
    assert visual.matches[0].candidate.confidence is None


def test_an_error_survives_without_any_numbers() -> None:
    evaluation = Evaluation("a", "c", "p.html", error=Failure("NotHtml", "no page"))
    record = evaluation.to_dict(has_details=True)

    assert record["error"] == {"type": "NotHtml", "message": "no page", "role": ""}
    assert "visual" not in record
    assert "accessibility" not in record
    assert from_dict(record) == evaluation


def test_the_public_shape_is_kept() -> None:
    record = full_evaluation().to_dict()

    assert record["schema"] == 1
    assert record["visual"]["appearance"] == {"value": 0.4, "backend": "embedded"}
    assert {"score", "block_match", "text", "position", "color"} < set(record["visual"])
    assert {"checked", "failed", "incomplete", "ir", "iwir", "weighted_ir", "ir_elements", "status"} < set(
        record["accessibility"]
    )
    assert record["accessibility"]["by_impact"] == {"serious": 2}
    assert "matches" not in record["visual"]
    assert "audit" not in record


def test_keys_of_a_later_version_are_passed_over() -> None:
    record = full_evaluation().to_dict(has_details=True)
    record["accessibility"]["new_rate"] = 1
    record["something"] = {}

    assert from_dict(record) == full_evaluation()


@pytest.mark.parametrize(
    ("metric", "value"),
    [("visual", 0.9), ("appearance", 0.4), ("iwir", 0.6), ("failed", 2), ("ir_elements", 0.4)],
)
def test_metrics_are_found_by_id(metric: str, value: float) -> None:
    assert full_evaluation().value(metric) == value


def test_what_was_not_measured_is_none() -> None:
    assert Evaluation("a", "c", "p.html").value("visual") is None


@pytest.mark.parametrize(
    ("label", "case"),
    [
        ("designs/login.html", "designs/login"),
        ("designs/login.htm", "designs/login"),
        ("designs/login@2x.png", "designs/login"),
        ("designs/login.JPEG", "designs/login"),
        ("designs/login@home.html", "designs/login@home"),
        ("https://example.org/a.png?b", "https://example.org/a.png?b"),
        ("http://localhost:8000/designs/login.html", "designs/login"),
        ("http://127.0.0.1:3000", "index"),
        ("http://[::1]:3000/shop/index.xhtml", "shop"),
        ("./designs/../designs/login/index.html", "designs/login"),
        ("index.html", "index"),
        ("", ""),
    ],
)
def test_a_case_is_named_without_suffix_and_scale(label: str, case: str) -> None:
    assert case_of(label) == case


@pytest.mark.parametrize(
    ("label", "case", "axes"),
    [
        ("designs/signup~error.html", "designs/signup", {"state": "error"}),
        ("designs/signup~error@2x.png", "designs/signup", {"state": "error"}),
        ("designs/signup.html", "designs/signup", {}),
        ("~anna/page.html", "~anna/page", {}),
        ("~draft.html", "~draft", {}),
        ("http://host.test/~anna", "http://host.test/~anna", {}),
    ],
)
def test_a_state_in_a_designs_name_is_an_axis(label: str, case: str, axes: dict[str, str]) -> None:
    whole = named(Subject("id", ""), label)

    assert (whole.case, dict(whole.axes)) == (case, axes)
    assert named(Subject("id", "own", axes={"state": "x"}), label).axes == {"state": "x"}
