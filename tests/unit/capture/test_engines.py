"""What a second engine's messages count as, and how people are told of both engines."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_design2a11y.accessibility import count_failures, deduplicate
from pytest_design2a11y.capture.audit.htmlcs import (
    SHIPPED,
    FrameFindings,
    counted_messages,
    htmlcs_record,
    read_htmlcs_script,
)
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.fixing.untried import untried
from pytest_design2a11y.models.audit import (
    AXE_CLASSES,
    HTMLCS_CLASSES,
    ISSUE_CLASSES,
    Audit,
    CheckedNode,
    RuleOutcome,
    class_of,
)
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.models.run import Run, from_dict
from pytest_design2a11y.report.failure_text import pair_lines
from pytest_design2a11y.report.notes import engine_lines, summary_of_engines
from pytest_design2a11y.report.sarif import sarif
from pytest_design2a11y.runs.encoding import decode_evaluation, decode_header, encode
from pytest_design2a11y.settings.configuration import Given
from pytest_design2a11y.settings.options import make_settings
from tests.factories import make_evaluation, make_rates, report_record

HTMLCS = "htmlcs"

F68 = "WCAG2AA.Principle1.Guideline1_3.1_3_1.F68"
TEXT_NAME = "WCAG2AA.Principle4.Guideline4_1.4_1_2.H91.InputText.Name"
CONTRAST = "WCAG2AA.Principle1.Guideline1_4.1_4_3.G18.Fail"
NO_ANCHOR = "WCAG2AA.Principle2.Guideline2_4.2_4_1.G1,G123,G124.NoSuchID"
NO_TITLE = "WCAG2AA.Principle2.Guideline2_4.2_4_2.H25.1.NoTitleEl"


def found(*codes: str) -> list[dict[str, object]]:
    """What `htmlcs.js` gives for messages of elements 0, 1, 2 ... in that order."""
    return [{"rule": code, "found": [[number, "Wrong. Do it."]]} for number, code in enumerate(codes)]


def htmlcs(*messages: tuple[str, str]) -> Audit:
    """An audit with these messages: (code, selector of the element)."""
    targets = list(dict.fromkeys(target for _code, target in messages))
    by_code: dict[str, list[tuple[int, str]]] = {}
    for code, target in messages:
        by_code.setdefault(code, []).append((targets.index(target), "Wrong. Do it."))
    described = {
        number: {"target": [target], "html": "<i>", "box": [1, 2, 3, 4]}
        for number, target in enumerate(targets)
    }
    return htmlcs_record("2.5.1", [FrameFindings(True, by_code, described)])


def axe(impact: Impact, **rules: list[str]) -> Audit:
    """An audit in which rules failed at these selectors, of 20 checks."""
    outcomes = [
        RuleOutcome(
            rule=name.replace("_", "-"),
            help="Help",
            help_url="",
            tags=(),
            impact=impact,
            num_violations=len(targets),
            violations_by_impact={impact: len(targets)},
            violations=tuple(CheckedNode(target, "<i>", impact, "Fix:\n  this") for target in targets),
        )
        for name, targets in rules.items()
    ]
    failed = sum(outcome.num_violations for outcome in outcomes)
    passes = RuleOutcome("passing", "", "", (), None, num_passes=20 - failed)
    return Audit("4.12.1", (*outcomes, passes), 20, failed)


def test_the_table_has_every_class_rule_and_code_once() -> None:
    """Counts as in the study's own table; a code that is there twice would be lost here."""
    assert (len(ISSUE_CLASSES), len(AXE_CLASSES), len(HTMLCS_CLASSES)) == (42, 53, 82)
    assert sum(len(one.axe_rules) for one in ISSUE_CLASSES) == len(AXE_CLASSES)
    assert sum(len(one.htmlcs_codes) for one in ISSUE_CLASSES) == len(HTMLCS_CLASSES)
    assert "WCAG2AA.Principle1.Guideline1_3.1_3_1.H43,H63" in HTMLCS_CLASSES


def test_every_code_of_the_table_is_one_that_the_script_has() -> None:
    """By its last part; codes are put together in the script."""
    script, version = read_htmlcs_script(None)

    assert version == "2.5.1"
    missing = {
        code
        for code in HTMLCS_CLASSES
        if code.rpartition("_")[2].partition(".")[2].split(".")[0] not in script
    }
    assert missing == {"WCAG2AA.Principle1.Guideline1_3.1_3_1.H93"}  # of an older version
    assert "Redistribution and use in source and binary forms" in SHIPPED.with_name("licence.txt").read_text()


def test_messages_are_counted_and_not_elements() -> None:
    """A field without a name gives two messages, as the study counts them."""
    audit = htmlcs((F68, "input"), (TEXT_NAME, "input"), (CONTRAST, "p"))

    assert (audit.checked, audit.failed, audit.elements_failed) == (None, 3, 2)
    assert [(rule.rule, dict(rule.violations_by_impact)) for rule in audit.rules] == [
        (F68, {"critical": 1}),
        (CONTRAST, {"serious": 1}),
        (TEXT_NAME, {"critical": 1}),
    ]
    assert audit.rules[0].help == "Wrong"
    assert audit.rules[0].tags == ("wcag131",)
    assert audit.rules[0].help_url == "https://www.w3.org/WAI/WCAG22/Techniques/failures/F68"


def test_an_error_in_no_class_has_no_weight_and_is_left_to_a_person() -> None:
    audit = htmlcs((NO_ANCHOR, "a"))

    assert audit.failed == 0
    assert audit.elements_failed == 0
    assert audit.rules[0].num_incomplete == 1
    assert audit.rules[0].incomplete[0].target == "a"


def test_titles_are_asked_of_the_page_alone() -> None:
    rules = found(NO_TITLE, F68)

    assert list(counted_messages(rules, is_main=True, minimum_impact=None)) == [NO_TITLE, F68]
    assert list(counted_messages(rules, is_main=False, minimum_impact=None)) == [F68]


def test_milder_messages_are_left_out_where_an_impact_is_asked_for() -> None:
    rules = found(CONTRAST, F68, NO_ANCHOR)

    assert list(counted_messages(rules, is_main=True, minimum_impact="critical")) == [F68]


def test_elements_of_frames_are_placed_in_the_page() -> None:
    described = {0: {"target": ["p"], "html": "<p>", "box": [1, 2, 3, 4]}}
    inner = FrameFindings(False, {CONTRAST: [(0, "Pale.")]}, described, ("iframe",), (100.0, 50.0))

    node = htmlcs_record("2.5.1", [FrameFindings(True, {}), inner]).rules[0].violations[0]

    assert node.target == "iframe >>> p"
    assert node.box == (101.0, 52.0, 3, 4)


BOTH = {
    AXE: axe("serious", color_contrast=["#b", "#c"]),
    HTMLCS: htmlcs((CONTRAST, "#b"), (CONTRAST, "#y"), (F68, "#b")),
}


def test_an_element_that_both_report_is_told_once_and_says_so() -> None:
    told = deduplicate(BOTH, {})

    contrast = told[AXE].rules[0]
    assert [node.data.get("also") for node in contrast.violations] == [
        "HTML_CodeSniffer reports it too (G18.Fail).",
        None,
    ]
    assert [(rule.rule, [node.target for node in rule.violations]) for rule in told[HTMLCS].rules] == [
        (F68, ["#b"]),  # another class of issue than what axe-core says of the same element
        (CONTRAST, ["#y"]),
    ]
    assert told[HTMLCS].rules[1].num_violations == 1
    assert told[HTMLCS].rules[1].help == "HTML_CodeSniffer: Wrong"


def test_axe_alone_is_told_as_it_is() -> None:
    alone = {AXE: BOTH[AXE]}

    assert deduplicate(alone, {})[AXE] is BOTH[AXE]


EVALUATION = replace(
    make_evaluation(ir=None),
    accessibility=make_rates(),
    audit=BOTH[AXE],
    further_audits={HTMLCS: BOTH[HTMLCS]},
)


def with_counts() -> Evaluation:
    return replace(EVALUATION, engines={name: count_failures(audit) for name, audit in BOTH.items()})


def test_the_json_has_both_engines() -> None:
    record = with_counts().to_dict(has_details=True)

    assert record["engines"]["htmlcs"] == {
        "version": "2.5.1",
        "checked": None,
        "failed": 3,
        "by_impact": {"serious": 2, "critical": 1},
    }
    assert record["audits"]["htmlcs"]["rules"][0]["rule"] == F68
    assert from_dict(json.loads(json.dumps(record))) == with_counts()
    assert with_counts().value("failed") == 10


def test_without_a_second_engine_the_json_has_no_word_of_one() -> None:
    record = make_evaluation().to_dict(has_details=True)

    assert "audits" not in record


def test_a_saved_run_keeps_the_counts_of_every_engine() -> None:
    lines = [line.encode() for line in encode(Run("run", "2026-01-01T00:00:00Z", True, (with_counts(),)))]
    header = decode_header(lines[0])

    whole = decode_evaluation(lines[1], header)
    quick = decode_evaluation(lines[1], header, has_audit=False)

    assert whole.engines == quick.engines == with_counts().engines
    assert whole.further_audits[HTMLCS].failed == 3
    assert whole.further_audits[HTMLCS].checked is None
    assert [rule.help for rule in whole.further_audits[HTMLCS].rules] == ["Wrong", "Wrong"]
    assert quick.further_audits == {}


def test_the_terminal_tells_of_both() -> None:
    evaluation = with_counts()

    assert list(engine_lines(evaluation)) == [
        "HTML_CodeSniffer 2.5.1: 3 failed (2 serious, 1 critical), in no rate of axe-core's",
    ]
    assert next(summary_of_engines([evaluation, evaluation])) == (
        "HTML_CodeSniffer: 6 failed (4 serious, 2 critical) on 2 of 2 pages, in no rate of axe-core's"
    )
    text = "\n".join(pair_lines(replace(evaluation, visual=None), has_details=True))
    assert "this. HTML_CodeSniffer reports it too (G18.Fail)." in text
    assert f"{F68} (critical, 1 element): HTML_CodeSniffer: Wrong" in text


def test_reports_show_each_engines_findings() -> None:
    evaluation = replace(with_counts(), visual=None)

    groups = report_record(evaluation)["groups"]
    rules = [group for group in groups if group["category"] == "accessibility"]
    assert [(rule["rule"], rule["count"]) for rule in rules] == [
        ("color-contrast", 2),
        (F68, 1),
        (CONTRAST, 1),
    ]
    assert rules[0]["findings"][0]["summary"][-1] == "HTML_CodeSniffer reports it too (G18.Fail)."
    log = sarif(Run("run", "2026-01-01T00:00:00Z", True, (evaluation,)), {})["runs"][0]
    assert [result["ruleId"] for result in log["results"]] == [*["color-contrast"] * 2, F68, CONTRAST]
    assert "HTML_CodeSniffer reports it too (G18.Fail)." in log["results"][0]["message"]["text"]
    assert log["results"][2]["message"]["text"] == "HTML_CodeSniffer: Wrong: #b. Wrong. Do it."


def test_what_engines_found_is_to_be_repaired_a_rule_each() -> None:
    items = untried(replace(with_counts(), visual=None)).items

    assert [item.repairs for item in items] == [("color-contrast",), (F68,), (CONTRAST,)]
    assert all(item.cost is None for item in items)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("htmlcs", "IR and IWIR are computed from what axe finds: name it too"),
        ("axe,Wave!", "'Wave!' is not the name of an engine"),
    ],
)
def test_engines_that_are_not_there_are_refused(text: str, message: str) -> None:
    from pytest_design2a11y.settings.configuration import OPTIONS

    engines = next(option for option in OPTIONS if option.field == "engines")

    with pytest.raises(ConfigurationError, match=message):
        engines.value_of(text)
    assert engines.value_of(" htmlcs, axe") == "axe,htmlcs"


def test_an_engine_that_nobody_gives_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"There is no engine 'wave'\. Known: axe, htmlcs"):
        make_settings([Given("command line", {"engines": "axe,wave"})])


def test_a_class_of_neither_engine_is_none() -> None:
    assert class_of("aria-allowed-role") is None
