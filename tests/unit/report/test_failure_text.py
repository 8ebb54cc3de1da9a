"""What a broken limit says: the limit, the page as a whole, what differs, which rules fail, where to look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.limits import Limit
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.verdicts import Verdict
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.failure_text import (
    audit_lines,
    difference_lines,
    explain_differences,
    explain_failures,
    explain_unmeasured,
    pair_lines,
)
from tests.factories import make_audited, make_visual

LOW = Verdict("fidelity", ">=", 0.8, 0.71, False, "command line")
FAILING = Verdict("ir", "<=", 0.1, 0.2, False, "ini file")
GROUND = Difference("ground", "page", 0.12, "minor", "fill", "#eef1f8", "#ff00ff")
UNBUILT = CaptureWarning(
    "unbuilt_scripts",
    "/src/main.jsx could not run as it is: build the project (npm run build) and take dist/.",
)


def page(*differences: Difference, warnings: tuple[CaptureWarning, ...] = ()) -> Evaluation:
    visual = make_visual(0.9, elements=0.5, typography=0.75, fidelity=0.71, differences=differences)
    return replace(make_audited("login", 0.9), visual=visual, warnings=warnings)


def test_the_sentence_then_the_cause_then_what_differs_then_where_to_see_it() -> None:
    quirks = CaptureWarning("quirks_mode", "The page has no doctype.")

    assert explain_failures(page(GROUND, warnings=(quirks, UNBUILT)), [LOW]) == [
        "fidelity is 0.7100, required: at least 0.8 (--min-fidelity)",
        "  login.html against designs/login.html",
        f"  {UNBUILT.message}",
        "  fidelity 0.7100  visual 0.9000  block_match 0.9000  text 0.9000  position 0.9000  color 0.9000  "
        "elements 0.5000  typography 0.7500",
        "  Differences, and the fidelity each one costs:",
        "    0.1200  ground of the page (background) is #ff00ff instead of #eef1f8",
        "  See all of it: --design2a11y-html=report.html",
    ]


def test_a_page_given_as_html_is_called_by_the_name_of_its_pair() -> None:
    given = replace(page(GROUND), candidate="<html>", id="answer 7")

    assert explain_failures(given, [LOW])[1] == "  answer 7 against designs/login.html"
    told = explain_differences(given, [GROUND], "minor")[0]
    assert told.startswith("answer 7 against designs/login.html: 1 difference")
    assert pair_lines(given, has_details=False)[0] == "answer 7 against designs/login.html"
    lost = Limit("fidelity", ">=", 0.8, "ini file")
    assert "could not be judged: answer 7 was not measured" in explain_unmeasured(given, [lost])[0]


def test_rules_that_fail_are_told_with_element_and_fix_where_one_of_them_is_limited() -> None:
    lines = explain_failures(page(GROUND), [FAILING], report=Path("out/report.html"))

    assert lines[0] == "ir is 0.2000, required: at most 0.1 (ini file)"
    assert "  color-contrast (serious, 2 elements): Contrast" in lines
    assert "    Fix: Change one of the two colors until the contrast is at least what is required." in lines
    assert not [line for line in lines if "each one costs" in line]
    assert lines[-1] == "  See all of it: out/report.html, page login-1"


def test_differences_have_eight_lines_at_most() -> None:
    kinds = ("missing", "extra", "moved", "resized", "restyled", "recolored", "reworded", "font")
    found = [
        Difference(kind, what, cost / 100)  # type: ignore[arg-type]
        for cost, (kind, what) in enumerate((kind, what) for kind in kinds for what in ("text", "panel"))
    ]

    lines = explain_failures(page(*found), [LOW])

    start = lines.index("  Differences, and the fidelity each one costs:") + 1
    assert lines[start] == "    0.1500  panel is in another typeface"
    assert lines[start + 7 : start + 9] == ["    and 9 more kinds of difference", lines[-1]]


def test_a_page_without_a_broken_limit_has_nothing_to_explain() -> None:
    assert explain_failures(page(GROUND), []) == []


def test_costs_are_of_fidelity_wherever_its_parts_were_measured() -> None:
    for parts, metric in [({"elements": 0.5, "typography": 0.75}, "fidelity"), ({"elements": 0.5}, "visual")]:
        visual = make_visual(0.9, differences=(GROUND,), **parts)

        lines = difference_lines(replace(page(), visual=visual))

        assert visual.fidelity is None
        assert lines[0] == f"Differences, and the {metric} each one costs:"


def test_details_tell_every_single_difference() -> None:
    texts = [
        Difference("missing", "text", 0.01, reference={"text": f"{n}", "box": (0, n, 9, 9)})
        for n in range(12)
    ]

    brief = pair_lines(page(*texts), has_details=False)
    whole = pair_lines(page(*texts), has_details=True)

    assert '    0.1200  12 texts are missing: text "0" at 0, 0; text "1" at 0, 1; and 10 more' in brief
    assert [line for line in whole if "0.0100  text" in line] == [
        f'    0.0100  text "{n}" at 0, {n} is missing' for n in range(12)
    ]


def test_text_of_pages_cannot_act_on_a_terminal() -> None:
    evil = Difference("missing", "text", 0.1, reference={"text": "a\x1b[2J\u202eb\n c\ud800"})
    warning = CaptureWarning("js_errors", "Scripts of the page threw errors: \x1b[2J.")

    lines = explain_failures(page(evil, warnings=(warning,)), [LOW])

    assert '    0.1000  text "a\\x1b[2J\\u202eb c\\ud800" at 0, 0 is missing' in lines
    assert "  Scripts of the page threw errors: \\x1b[2J." in lines


def test_a_page_is_named_with_how_it_was_rendered() -> None:
    rendered = replace(page(), axes={"model": "m", "viewport": "390x844", "scheme": "dark"})

    assert (
        pair_lines(rendered, has_details=False)[0] == "login.html [390x844, dark] against designs/login.html"
    )
    assert next(audit_lines(rendered)) == "login.html [390x844, dark]"
