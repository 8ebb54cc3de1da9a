"""Probes as data: names, counts, records, limits, saved runs, what is listed of them."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_design2a11y.capture.audit.axe_script import read_axe_script, rules_of
from pytest_design2a11y.capture.running import listed, probe_result
from pytest_design2a11y.exceptions import ConfigurationError, NavigatedAway
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.fixing.untried import untried
from pytest_design2a11y.limits import judge, parse_limit
from pytest_design2a11y.measuring.checks import measure_probes
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.models.audit import Check, Place, ProbeCounts, ProbeFinding, probe_failures
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.readers import probe_names
from pytest_design2a11y.models.run import Run, from_dict
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.probes import pytest_design2a11y_probes
from pytest_design2a11y.probes.adapting import forbids_zoom
from pytest_design2a11y.probes.keyboard import change_between, opened, side_by_side
from pytest_design2a11y.probes.quick import contains_label, empty_alternative, is_in_words
from pytest_design2a11y.registry import available
from pytest_design2a11y.report.notes import explain_probes, probe_lines, summary_of_probes
from pytest_design2a11y.report.sarif import sarif
from pytest_design2a11y.runs.encoding import decode_evaluation, decode_header, encode
from pytest_design2a11y.runs.pictures import load_evidence, store_evidence
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.configuration import OPTIONS
from pytest_design2a11y.settings.options import settings_from_keywords
from tests.factories import ENVIRONMENT, make_evaluation, report_record

NOT_RUN = ", ".join(["probes not run: reflow", *list(available(Probe))[2:]]) + " (--probes)"
VISIBLE = Check("keyboard-focus-visible", "2.4.7", "serious", "What has the focus looks different")
TRAP = Check("keyboard-trap", "2.1.2", "critical", "The focus can be moved away again")


def png(size: tuple[int, int] = (40, 20), dot: int = 0, level: int = 0) -> bytes:
    """Make a white picture with a row of so many pixels that are darker by so many levels."""
    picture = Image.new("RGB", size, "white")
    for x in range(dot):
        picture.putpixel((x, 3), (255 - level,) * 3)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


FINDINGS = [
    ProbeFinding(VISIBLE, "passed", Place(0, 1)),
    ProbeFinding(
        VISIBLE,
        "failed",
        Place(0, 2),
        "“Save” looks the same with and without the focus.",
        {"changed_pixels": 0},
        png(),
    ),
    ProbeFinding(VISIBLE, "unsure", Place(0, 3), "“Send” hardly looks different when it has the focus."),
    ProbeFinding(TRAP, "passed", None),
]
DESCRIPTIONS: dict[Place, dict[str, Any]] = {
    Place(0, 2): {"target": "#save", "html": "<button>", "box": (1.0, 2.0, 30.0, 10.0)},
    Place(0, 3): {"target": "#send", "html": "<button>", "box": None},
}
RESULT = probe_result("keyboard", (VISIBLE, TRAP), FINDINGS, DESCRIPTIONS, version="1")


def captured(**changes: object) -> Capture:
    values: dict[str, object] = {
        "label": "page.html", "role": "candidate", "image": None, "page_size": (10, 10), "text_runs": (),
        "warnings": (), "environment": ENVIRONMENT,
    }  # fmt: skip
    return Capture(**values | changes)  # type: ignore[arg-type]


def probed() -> Evaluation:
    counts = measure_probes(captured(probes={"keyboard": RESULT}))
    return make_evaluation(probes=counts, probe_findings={"keyboard": RESULT.findings})


ENDED = replace(
    probed(),
    probe_findings={},
    probes={"keyboard": ProbeCounts(None, None, None, {}, "ProbeError", "too long")},
)


def test_a_probe_has_a_rule_a_check_with_its_criterion_and_evidence() -> None:
    visible, trap = RESULT.findings.rules
    (node,) = visible.violations

    assert (visible.num_passes, visible.num_violations, visible.num_incomplete) == (1, 1, 1)
    assert (visible.tags, visible.violations_by_impact) == (("wcag247",), {"serious": 1})
    assert visible.help_url == "https://www.w3.org/WAI/WCAG22/Understanding/focus-visible"
    assert (node.target, node.box, node.impact) == ("#save", (1.0, 2.0, 30.0, 10.0), "serious")
    assert node.data["changed_pixels"] == 0
    assert RESULT.pictures[node.data["picture"]] == png()
    assert (trap.num_passes, trap.impact) == (1, None)


def test_of_many_findings_all_are_counted_and_some_told() -> None:
    many = [ProbeFinding(VISIBLE, "failed", Place(0, number), "x") for number in range(300)]
    descriptions = {
        place: DESCRIPTIONS[Place(0, 3)] for place in (one.place for one in listed(many)) if place
    }

    (rule,) = probe_result("keyboard", (VISIBLE,), many, descriptions, version="1").findings.rules

    assert (rule.num_violations, len(rule.violations)) == (300, 100)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("all", "all"),
        ("keyboard", "keyboard"),
        (" keyboard , all", "all"),
        ("none", ""),
    ],
)
def test_probes_are_named_or_all(given: str, read: str) -> None:
    assert probe_names(given) == read


def test_an_unknown_probe_is_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match=r"There is no probe 'mouse'\. Known: keyboard, reflow"):
        settings_from_keywords({"probes": "keyboard,mouse"}, cache_folder=None)
    with pytest.raises(ConfigurationError, match="'none' stands alone"):
        settings_from_keywords({"probes": "none,all"}, cache_folder=None)


def test_failures_of_all_probes_are_a_metric_unless_one_came_to_no_end() -> None:
    assert probed().value("probe_failures") == 1
    assert make_evaluation().value("probe_failures") is None
    assert probe_failures({"a": ProbeCounts(3, 2, 0), "b": ProbeCounts(None, None, None, error="x")}) is None
    assert probe_failures({"a": ProbeCounts(3, 0, 0)}) == 0


def test_a_limit_judges_the_failures_and_no_probe_passes_it_for_want_of_an_end() -> None:
    limits = (parse_limit("probe_failures<=0", origin="call"),)

    (verdict,) = judge(probed(), limits).evaluation.verdicts

    assert (verdict.value, verdict.is_passed) == (1, False)
    assert (
        judge(probed(), (parse_limit("probe_failures<=1", origin="call"),)).evaluation.verdicts[0].is_passed
    )
    assert judge(ENDED, limits).evaluation.verdicts == ()
    assert judge(ENDED, limits).unmeasured == limits


def test_a_probe_that_came_to_no_end_is_an_error_and_leaves_the_other_numbers() -> None:
    left = NavigatedAway("The page left.", stage="probe keyboard")
    candidate = captured(probe_errors={"keyboard": left})

    evaluation = evaluate(
        Subject("t", "c"), reference=None, candidate=candidate, settings=Settings(audit=False)
    )

    assert evaluation.error is not None
    assert evaluation.error.type == "ProbeError"
    assert evaluation.error.message == (
        "The probe keyboard did not finish: NavigatedAway: The page left. (stage: probe keyboard)"
    )
    counts = evaluation.probes["keyboard"]
    assert (counts.passed, counts.failed, counts.error) == (None, None, "NavigatedAway")
    # The error of the page has been printed before.
    assert list(probe_lines(evaluation)) == [
        NOT_RUN,
    ]


@pytest.mark.parametrize("evaluation", [probed(), ENDED])
def test_json_gives_back_what_it_was_given(evaluation: Evaluation) -> None:
    assert from_dict(json.loads(json.dumps(evaluation.to_dict(has_details=True)))) == evaluation


def test_a_saved_run_keeps_counts_and_checks_without_elements() -> None:
    header, *lines = (line.encode() for line in encode(Run("r", "2026-01-01", True, (probed(), ENDED))))

    read = [decode_evaluation(line, decode_header(header)) for line in lines]

    assert [one.probes["keyboard"].failed for one in read] == [1, None]
    (visible, _trap) = read[0].probe_findings["keyboard"].rules
    assert (visible.num_violations, visible.violations, visible.tags) == (1, (), ("wcag247",))


def test_a_saved_count_beside_no_end_is_refused() -> None:
    header, line = (line.encode() for line in encode(Run("r", "2026-01-01", True, (ENDED,))))

    with pytest.raises(ValueError, match=r"^failed is 0, not null: .* - at `\$\.probes\[\.\.\.\]`$"):
        decode_evaluation(line.replace(b'"failed": null', b'"failed": 0'), decode_header(header))


def test_a_page_is_told_by_probe_check_and_element() -> None:
    assert list(probe_lines(probed())) == [
        "probe keyboard: 1 failed (1 serious), 1 for a person to judge, 2 passed",
        NOT_RUN,
    ]
    assert list(probe_lines(make_evaluation())) == ["probes not run (--probes)"]
    assert list(probe_lines(make_evaluation(ir=None))) == []
    assert list(explain_probes(probed())) == [
        "keyboard-focus-visible (WCAG 2.4.7, serious): 1 failed",
        "  #save: “Save” looks the same with and without the focus.",
    ]
    assert list(summary_of_probes([probed(), ENDED, make_evaluation()])) == [
        "probe keyboard: 1 failed (1 serious) on 1 of 1 page, 1 for a person to judge; "
        "not finished: ProbeError 1"
    ]


def test_sarif_the_fix_list_and_the_report_tell_what_failed() -> None:
    run = Run("r", "2026-01-01", True, (probed(),))
    name = RESULT.findings.rules[0].violations[0].data["picture"]

    (result,) = sarif(run, {})["runs"][0]["results"]
    (item,) = untried(probed()).items
    island = report_record(probed(), evidence={name: "picture-1"})

    assert (result["ruleId"], result["level"]) == ("keyboard-focus-visible", "error")
    assert (
        item.name == "keyboard-focus-visible: Probe keyboard, WCAG 2.4.7: What has the focus looks different"
    )
    assert list(item.lines()) == ["#save: “Save” looks the same with and without the focus."]
    (rule,), (unsure,) = island["groups"], island["unsure"]
    assert rule["help"] == "Probe keyboard, WCAG 2.4.7: What has the focus looks different"
    assert rule["findings"][0]["picture"] == "picture-1"
    assert unsure["findings"][0]["message"] == "#send"


def test_evidence_is_kept_small_and_only_by_its_own_names(tmp_path: Path) -> None:
    store_evidence(RESULT.pictures, tmp_path)
    (name,) = RESULT.pictures

    kept = load_evidence(name, tmp_path)

    assert kept is not None
    assert len(kept) < 6_000
    assert load_evidence("../run.jsonl", tmp_path) is None
    assert load_evidence(None, tmp_path) is None


@pytest.mark.parametrize(
    ("dot", "level", "num_pixels", "is_clear"),
    [(0, 0, 0, False), (20, 100, 20, True), (5, 100, 5, False), (30, 8, 30, False), (30, 2, 0, False)],
)
def test_a_focus_shows_where_enough_pixels_change_enough(
    dot: int, level: int, num_pixels: int, is_clear: bool
) -> None:
    before, after = Image.new("RGB", (40, 20), "white"), opened(png(dot=dot, level=level))

    assert change_between(before, after) == (num_pixels, is_clear)
    with Image.open(io.BytesIO(side_by_side(before, after))) as both:
        assert both.size == (88, 20)


@pytest.mark.parametrize(
    ("content", "is_forbidden"),
    [
        ("width=device-width", False),
        ("user-scalable=yes, initial-scale=0.8", False),
        ("maximum-scale=6.0", False),
        ("maximum-scale=-1", False),
        ("user-scalable=no", True),
        ("maximum-scale=yes", True),
        ("user-scalable=0.5, maximum-scale=6.0", True),
        ("maximum-scale=1.9", True),
        ("user-scalable=invalid", True),
        ("maximum-scale=invalid", True),
        ("user-scalable=device-width", False),
        ("width=device-width; user-scalable = no", True),
    ],
)
def test_a_viewport_forbids_zoom_as_act_rule_b4f0c3_says(content: str, is_forbidden: bool) -> None:
    assert forbids_zoom(content) is is_forbidden


@pytest.mark.parametrize(
    ("name", "text", "is_contained"),
    [
        ("Find it", "Find it", True),
        ("find   IT!", "Find it", True),
        ("Search: find it here", "Find it", True),
        ("Download specification", "Download gizmo specification", False),
        ("the full", "The full label", False),
        ("WCAG", "W C A G", False),
        ("Nextdoor", "Next", False),
        ("", "Next", False),
    ],
)
def test_a_label_is_in_a_name_word_by_word_as_act_rule_2ee8b8_says(
    name: str, text: str, is_contained: bool
) -> None:
    assert contains_label(name, text) is is_contained


def test_signs_are_no_labels() -> None:
    assert [is_in_words(text) for text in ("X", "→", "A B", "OK")] == [False, False, False, True]


@pytest.mark.parametrize(
    ("alternative", "file", "word"),
    [
        ("A dog", "dog.jpg", ""),
        ("Image", "", "says nothing"),
        ("dog.jpg", "", "name of a file"),
        ("DSC_0042", "", "name of a file"),
        ("W3C_logo", "W3C_logo", "name of a file"),
    ],
)
def test_alternative_texts_that_say_nothing(alternative: str, file: str, word: str) -> None:
    why = empty_alternative(alternative, file)

    assert (word in why) if word else not why


#: W3C, WCAG 2.2, levels A and AA: the numbers of the criteria in each guideline.
CRITERIA = {
    "1.1": [1],
    "1.2": [1, 2, 3, 4, 5],
    "1.3": [1, 2, 3, 4, 5],
    "1.4": [1, 2, 3, 4, 5, 10, 11, 12, 13],
    "2.1": [1, 2, 4],
    "2.2": [1, 2],
    "2.3": [1],
    "2.4": [1, 2, 3, 4, 5, 6, 7, 11],
    "2.5": [1, 2, 3, 4, 7, 8],
    "3.1": [1, 2],
    "3.2": [1, 2, 3, 4, 6],
    "3.3": [1, 2, 3, 4, 7, 8],
    "4.1": [2, 3],
}


def test_the_documentation_names_who_looks_at_each_criterion() -> None:
    text = (Path(__file__).parents[3] / "docs" / "probes.md").read_text(encoding="utf-8")
    table = text[text.index("## WCAG 2.2") :].partition("\n## ")[0]
    rows = {row.split()[1]: row for row in table.splitlines() if row.startswith(("| 1", "| 2", "| 3", "| 4"))}
    assert list(rows) == [f"{group}.{number}" for group, numbers in CRITERIA.items() for number in numbers]
    checks = [check for probe in available(Probe).values() for check in probe.checks]
    unnamed = [
        check.name for check in checks if check.criterion and check.name not in rows.get(check.criterion, "")
    ]
    assert unnamed == []

    for rule, tags in rules_of(read_axe_script(None)).items():
        criteria = [
            ".".join(found.groups()) for tag in tags if (found := re.fullmatch(r"wcag(\d)(\d)(\d+)", tag))
        ]
        for criterion in {*criteria} & {*rows} - {"4.1.2"}:
            assert f"`{rule}`" in rows[criterion], (criterion, rule)


def test_the_help_of_probes_names_those_that_are_built_in_and_which_are_quick() -> None:
    (option,) = (option for option in OPTIONS if option.name == "probes")
    found = re.search(r"quick \((.*?);.*commas, of (.*)\.$", option.help)
    assert found

    built_in = pytest_design2a11y_probes()
    assert sorted(found[2].split(", ")) == sorted(probe.name for probe in built_in)
    assert sorted(found[1].split(", ")) == sorted(probe.name for probe in built_in if probe.only_looks)
