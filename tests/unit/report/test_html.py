from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from pytest_design2a11y.command.main import main
from pytest_design2a11y.escaping import link
from pytest_design2a11y.models.audit import (
    LIMITS_OF_CHECKS,
    AccessibilityRates,
    Audit,
    CheckedNode,
    RuleOutcome,
)
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseJudgement, Failure, Verdict
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore
from pytest_design2a11y.report.causes import causes_of
from pytest_design2a11y.report.html import render_report, write_report
from pytest_design2a11y.report.html.islands import LONGEST_SNIPPET, MAX_LISTED, script_json
from pytest_design2a11y.runs import save_run
from tests.factories import make_audited, report_record, with_differences

ATTACKS = {
    "script": "</script><script>alert(1)</script>",
    "attribute": "\"'><img src=x onerror=alert(1)>",
    "comment": "<!--<script>",
    "separators": "a\u2028b\u2029c",
    "template": "{{7*7}} ${7*7} %s {0} {% raw %}",
    "terminal": "\x1b[2J\u202egnp.exe",
    "nul": "a\0b",
    "surrogate": "a\ud800b",
    "entity": "&lt;b&gt;",
}


SIZES = {"reference": (1000, 500), "candidate": (2000, 800)}


def hostile(text: str) -> Evaluation:
    """An evaluation with a hostile text wherever a text can be."""
    block = Block(text, (0.1, 0.1, 0.2, 0.1), (1, 2, 3))
    moved = replace(block, box=(0.2, 0.1, 0.2, 0.1))
    node = CheckedNode(text, text, "serious", text, (1, 2, 3, 4), {"fgColor": text, "bgColor": "#fff"})
    rule = RuleOutcome(text, text, text, (text,), "serious", 1, 1, 1, {"serious": 1}, (node,), (node,))
    return Evaluation(
        id=text,
        case=text,
        candidate=text,
        sample=text,
        reference=text,
        visual=with_differences(
            VisualScore(
                *(0.5,) * 6, "indel", text, (Match(block, moved, 0.9, 0.9, 0.9),), (block,), (block,)
            ),
            SIZES,
        ),
        accessibility=AccessibilityRates(3, 1, 1, 1 / 3, 0.6, 0.2, 3, 1, 1 / 3, "yellow", {"serious": 1}),
        audit=Audit(text, (rule,), 3, 1),
        verdicts=(Verdict("visual", ">=", 0.8, 0.5, False, "call"),),
        warnings=(CaptureWarning(text, text),),
        error=Failure(text, text),
        environment=Environment(text, text, text, text, text),
        settings={"viewport": text, "javascript": True, "allowed_hosts": [text]},
        page_sizes=SIZES,
        axes={"model": text, "state": text},
    )


def failed(record: dict[str, Any]) -> dict[str, Any]:
    return next(group for group in record["groups"] if group["category"] == "accessibility")


def side(finding: dict[str, Any]) -> list[list[str]]:
    return [known for known_of_side in finding.get("sides", ()) for known in known_of_side or ()]


def judgement(text: str) -> CaseJudgement:
    return CaseJudgement(text, {"model": text}, "visual", ">=", 0.8, text, False, text)


def make_run(*evaluations: Evaluation, **changes: Any) -> Run:
    return replace(Run("run", "2026-01-01T00:00:00Z", True, evaluations), **changes)


def rendered(run: Run, folder: Path, **options: Any) -> str:
    return "".join(render_report(run, picture_folder=folder, **options))


class Outline(HTMLParser):
    """Counts the elements, and keeps what scripts, styles and policies contain."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.policy = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "meta" and ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in self.texts:
            self.texts[self.tags[-1]].append(data)


def test_causes_come_in_the_order_of_their_cost_in_every_process(tmp_path: Path) -> None:
    one = hostile("x")
    page = rendered(make_run(one), tmp_path)

    (select,) = re.findall(r'<select name="cause">(.*?)</select>', page, re.DOTALL)
    named = re.findall(r'<option value="([^"]+)"', select)
    assert named == [*dict.fromkeys(cause.group for cause in causes_of(one))]
    assert named == ["page", "layout", "accessibility"]


@cache
def outline(text: str) -> Outline:
    run = make_run(hostile(text), name=text)
    return Outline(rendered(run, Path("no-pictures"), policy=text, judgements=[judgement(text)]))


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_hostile_texts_add_no_element_and_no_attribute(attack: str) -> None:
    attacked, plain = outline(attack), outline("plain")

    assert attacked.tags == plain.tags
    assert [name for name, _ in attacked.attributes] == [name for name, _ in plain.attributes]


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_a_page_record_is_json_without_markup_and_keeps_the_text_literal(attack: str) -> None:
    text = script_json(report_record(hostile(attack)))

    assert not set(text) & set("<>&\u2028\u2029")
    assert text.isascii()
    texts = json.loads(text)["groups"]
    shown = [
        value for group in texts for finding in group["findings"] for _name, value, _color in side(finding)
    ]
    assert all(one.isprintable() for one in shown)
    if attack.isprintable():
        assert attack in shown


def test_the_policy_allows_our_style_and_script_and_nothing_else(tmp_path: Path) -> None:
    outline = Outline(rendered(make_run(hostile("x")), tmp_path))

    digests = [
        "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (outline.texts["style"][0], outline.texts["script"][0])
    ]
    assert outline.policy.startswith("default-src 'none'; img-src data:;")
    assert [f"'{digest}'" in outline.policy for digest in digests] == [True, True]
    assert "unsafe" not in outline.policy
    assert not [name for name, _ in outline.attributes if name.startswith("on") or name == "style"]


def test_nothing_is_loaded_from_anywhere(tmp_path: Path) -> None:
    outline = Outline(rendered(make_run(hostile("x")), tmp_path))

    loads = [
        value for name, value in outline.attributes if name in ("src", "href", "action", "srcset", "data")
    ]
    assert {value[0] for value in loads} == {"#"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://dequeuniversity.com/rules/axe/4.10/label", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        (" https://example.org", False),
        ("data:text/html,x", False),
        ("https:///x", False),
        ("https://a\x00b", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(url: str, expected: bool) -> None:
    assert link(url) == (url if expected else None)


@pytest.mark.parametrize(
    ("color", "is_color"),
    [
        ("#767676", True),
        ("rgb(1, 2, 3)", True),
        ("rgba(1, 2, 3, 0.5)", True),
        ("red;background:url(//x)", False),
        ("url(http://x)", False),
        ("#fff;", False),
    ],
)
def test_only_colours_become_colours(color: str, is_color: bool) -> None:
    data = {"fgColor": color, "bgColor": "#ffffff", "contrastRatio": 4.2, "expectedContrastRatio": "4.5:1"}
    node = CheckedNode("p", "<p>", "serious", "Fix it", None, data)
    evaluation = hostile("x")
    assert evaluation.audit is not None
    rule = replace(evaluation.audit.rules[0], violations=(node,))

    island = report_record(replace(evaluation, audit=replace(evaluation.audit, rules=(rule,))))

    contrast = failed(island)["findings"][0]["contrast"]
    expected = {"foreground": color, "background": "#ffffff", "ratio": "4.2", "required": "4.5:1"}
    assert contrast == (expected if is_color else None)


def test_huge_snippets_and_many_elements_are_cut() -> None:
    node = CheckedNode("#a", "<p>" + "x" * 5_000_000, "minor", "y" * 5_000_000)
    evaluation = hostile("x")
    assert evaluation.audit is not None
    rule = replace(evaluation.audit.rules[0], num_violations=900, violations=(node,) * 900)

    island = report_record(replace(evaluation, audit=replace(evaluation.audit, rules=(rule,))))

    assert failed(island)["count"] == 900
    assert len(failed(island)["findings"]) == MAX_LISTED
    assert len(failed(island)["findings"][0]["html"]) == LONGEST_SNIPPET
    assert len(script_json(island)) < 100_000


def test_a_lost_control_is_shown_without_the_records_of_the_texts_in_it() -> None:
    shown = {"name": "button", "label": "Go", "has_fill": True, "texts": [{"text": "Go", "weight": 400}]}
    button = Difference("missing", "control", 0.1, reference=shown, severity="serious")
    page = hostile("x")
    assert page.visual is not None
    page = replace(page, visual=replace(page.visual, differences=(button,)))

    findings = [finding for group in report_record(page)["groups"] for finding in group["findings"]]
    (finding,) = (finding for finding in findings if "sides" in finding)

    assert finding["sides"] == [
        [["name", "button", None], ["label", "Go", None], ["has fill", "yes", None]],
        None,
    ]


def test_a_value_that_is_no_number_does_not_cost_the_report() -> None:
    evaluation = hostile("x")
    assert evaluation.visual is not None

    island = report_record(replace(evaluation, visual=replace(evaluation.visual, text=float("nan"))))

    assert {one["id"]: one["value"] for one in island["metrics"]}["text"] is None
    assert script_json(island)


def test_failures_beyond_the_accepted_ones_are_told_apart() -> None:
    rule = failed(report_record(hostile("x"), accepted={"x": 1}))

    assert (rule["count"], rule["accepted"]) == (1, 1)
    assert failed(report_record(hostile("x"), accepted={"other": 1}))["accepted"] == 0


def test_what_numbers_about_accessibility_come_to_is_told_in_sentences() -> None:
    parts = {"on_page": 0.88, "unaudited": 0.0, "failures": 0.19, "others": 0.08}

    page = make_audited(
        "shop", 0.8, delivered=0.61, delivered_parts=parts,
        accessibility=AccessibilityRates(20, 1, 2, 0.05, 1.0, 0.05, 20, 1, 0.05, "yellow", {"critical": 1}),
    )  # fmt: skip

    assert report_record(page)["told"] == [
        "delivered 0.61: 88 % of the design's text is on the page; "
        "accessibility failures on it subtract 0.19; accessibility failures elsewhere subtract 0.08",
        f"1 of 20 automated checks failed, 2 need a person. {LIMITS_OF_CHECKS}",
        "probes not run (--probes)",
    ]


def test_boxes_are_page_pixels_of_their_own_page() -> None:
    groups = {group["title"]: group for group in report_record(hostile("x"))["groups"]}
    moved = groups["texts are in other places"]

    assert [[100, 50, 200, 50], [400, 80, 400, 80]] in [one["boxes"] for one in moved["findings"]]
    assert (moved["category"], moved["count"]) == ("text", 2)


def test_the_report_comes_in_pieces_overview_and_scripts_before_the_cases(tmp_path: Path) -> None:
    run = make_run(*(hostile(str(number)) for number in range(20)))

    page = rendered(run, tmp_path)

    assert page.index('id="pages"') < page.index("class Overview") < page.index('id="page-0"')
    pieces = list(render_report(run, picture_folder=tmp_path))
    assert len(pieces) > 20
    assert max(len(piece) for piece in pieces) < 60_000


def test_a_run_with_nothing_in_it_has_a_report(tmp_path: Path) -> None:
    page = rendered(make_run(is_complete=False), tmp_path)

    assert "0 generated pages" in re.sub(r"\s+", " ", page)
    assert "This run is incomplete:" in page


def test_what_could_not_be_measured_is_named_and_has_no_numbers(tmp_path: Path) -> None:
    lost = Evaluation("t", "c", "p.html", error=Failure("RenderTimeout", "The page hung."))

    page = rendered(make_run(lost), tmp_path)

    assert "RenderTimeout: The page hung." in page
    assert "not measured" in page
    assert 'class="plot"' not in page


def test_a_case_with_several_samples_has_one_verdict_the_broken_ones_open(tmp_path: Path) -> None:
    first, second = (
        replace(judgement(case), is_passed=is_passed, sentence="mean of 3 samples: 0.7000")
        for case, is_passed in (("login", True), ("signup", False))
    )
    page = rendered(make_run(hostile("x")), tmp_path, judgements=[first, second])
    statistics = BeautifulSoup(page, "html.parser").select("#statistics")[0]
    (row,), (kept,) = (
        statistics.select(f"table:has(#{name}-caption) tbody tr") for name in ("broken", "kept")
    )

    assert "over its samples: 1 of 2 broken." in statistics.text
    assert " ".join(row.text.split()) == "signup · signup visual >= 0.8 fail mean of 3 samples: 0.7000 signup"
    assert row.find_parent("details") is None
    assert " ".join(kept.text.split()).startswith("login · login visual >= 0.8 pass")
    assert statistics.select("details:has(#kept-caption) > summary")[0].text == "Limits that are kept (1)"


def test_a_comparison_shows_old_against_new(tmp_path: Path) -> None:
    side = {"name": "old <run>", "created": "", "is_complete": True, "num_cases": 2, "num_samples": 2}
    compared = {
        "state": "compared", "num_cases": 2, "old_mean": 0.91, "new_mean": 0.88, "difference": -0.03,
        "interval": [-0.04, -0.02], "trend": "worse", "wins": 0, "ties": 0, "losses": 2, "p_value": 0.5,
        "corrected_p": 0.04, "lost": [], "gained": [],
        "moved_most": [{"case": "checkout", "old": 0.9, "new": 0.8, "difference": -0.1}],
    }  # fmt: skip
    comparison = {
        "schema": 1, "old": side, "new": side | {"name": "new"}, "num_cases": 2, "confidence": 0.95,
        "changes": [{"axis": "model", "old": "a", "new": ""}], "pairing": ["2 cases in both", "left out"],
        "rule": "better, worse: p below 0.05",
        "num_resamples": 2000, "seed": 0,
        "metrics": {"visual": compared, "ir": {"state": "refused", "reason": "axe-core version differs"}},
        "only_old": ["gone"], "only_new": [], "errors": [],
        "unpaired": [], "notes": [], "verdicts": [], "failures": [], "people": [],
        "differences": [
            {"condition": "axe", "label": "axe-core version", "effect": "refused", "metrics": ["ir"],
             "why": "other versions check other things", "old": "4.10", "new": "4.12", "num_cases": 2}
        ],
        "gates": [
            {"state": "failed", "sentence": "visual is worse by 0.03", "gate": "visual", "metric": "visual"}
        ],
    }  # fmt: skip

    page = rendered(make_run(hostile("x")), tmp_path, comparison=comparison)

    for text in (
        "Against old &lt;run&gt;", "0.9100", "-0.0300", "-0.0400 … -0.0200", "checkout", "gone",
        "refused: axe-core version differs", "visual is worse by 0.03", "Axe-core version differs",
        "0.0400</td>", "Better, worse: p below 0.05.",
    ):  # fmt: skip
        assert text in page


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new" / "report.html"
    write_report(path, make_run(hostile("\ud800 first")), picture_folder=tmp_path)
    first = path.read_text(encoding="utf-8")

    monkeypatch.setattr("pytest_design2a11y.report.html.page_record", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(path, make_run(hostile("second")), picture_folder=tmp_path)

    assert path.read_text(encoding="utf-8") == first
    assert list(path.parent.iterdir()) == [path]


def test_the_same_run_gives_the_same_file(tmp_path: Path) -> None:
    run = make_run(hostile("x"), hostile("y"))

    assert rendered(run, tmp_path) == rendered(run, tmp_path)


def test_a_run_of_another_version_whose_verdict_names_an_unknown_metric_is_told_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended in a KeyError."""
    verdict = Verdict("beauty", ">=", 0.9, 0.4, False, "command line")
    run = make_run(make_audited("login", 0.8, verdicts=(verdict,)), name="other")
    save_run(run, folder=tmp_path)
    path = str(tmp_path / "other.jsonl")

    for arguments in (
        ["report", path, "--output", str(tmp_path / "report.html")],
        ["feedback", path, "login"],
        ["check", path, "--min-visual-similarity", "0.1"],
    ):
        assert main(arguments) in (0, 1), arguments
        assert "Traceback" not in capsys.readouterr().err
    assert "beauty" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_run_without_pictures_says_how_to_keep_them(tmp_path: Path) -> None:
    bare = make_audited("login", 0.9)
    kept = replace(bare, pictures={"candidate": "0" * 64 + ".png"})
    for evaluation, expected in ((bare, 1), (kept, 0)):
        run = Run("study", "2026-01-01T00:00:00+00:00", True, (evaluation,))

        page = BeautifulSoup("".join(render_report(run, picture_folder=tmp_path)), "html.parser")

        notes = [note.get_text() for note in page.select("#pages .note")]
        assert len(notes) == expected
        assert all("--save and --html keep them on the machine that measures" in note for note in notes)
        assert {blank.get_text() for blank in page.select(".blank")} == {"no picture kept"}
