"""The summary's table, for wide and narrow terminals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import METRICS, shown_in
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.report.terminal import columns_that_fit, page_line, summary_lines
from tests.factories import make_visual

RATES = AccessibilityRates(10, 2, 1, 0.2, 0.6, 0.12, 5, 2, 0.4, "yellow", {"serious": 2})
ENVIRONMENT = Environment("156.0", "4.12.1", "0.5.0", sandbox=False)


def evaluation(score: float, verdicts: tuple[Verdict, ...] = ()) -> Evaluation:
    visual = VisualScore(score, 0.8, 0.7, 0.6, 0.5, 0.4, "indel", "embedded")
    return Evaluation(
        f"t.py::test_{score}",
        "c",
        "p.html",
        visual=visual,
        accessibility=RATES,
        verdicts=verdicts,
        environment=ENVIRONMENT,
    )


def texts(*evaluations: Evaluation, width: int = 140, is_brief: bool = False) -> list[str]:
    return [line.text for line in summary_lines(evaluations, width=width, is_brief=is_brief)]


def test_every_page_has_a_line_below_the_means() -> None:
    lines = texts(evaluation(0.5), evaluation(1.0))

    assert lines[0].split() == ["mean", "(95", "%", "CI)", "visual", "ir", "iwir", "pages"]
    assert lines[1].split() == ["1", "case", "0.75", "0.20", "0.60", "2"]
    assert lines[3].split() == [
        *("visual", "ir", "iwir", "block_match", "text", "position", "color", "appearance", "verdict"),
    ]
    assert lines[4].split()[:2] == ["t.py::test_0.5", "0.5000"]
    assert texts(evaluation(0.5))[0].split()[-1] == "verdict"


def test_the_means_have_intervals_where_there_are_several_cases() -> None:
    pages = [replace(evaluation(score), case=f"case {score}") for score in (0.5, 0.6, 0.7, 0.8)]

    assert texts(*pages)[1].split()[:6] == ["4", "cases", "0.65", "±.21", "0.20", "±.00"]


def test_a_narrow_terminal_keeps_the_means_of_a_users_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS, "words", Metric("words", "how much a page says", upper=1.0))
    pages = [replace(evaluation(score), delivered=0.9, metrics={"words": score}) for score in (0.5, 1.0)]

    assert texts(*pages, width=64)[0].split() == ["mean", "±CI", "visual", "ir", "iwir", "words", "pages"]


def of_prompts(**scores: float) -> list[Evaluation]:
    """Make eight cases a prompt, whose scores differ by little from the one given."""
    return [
        replace(evaluation(score + number / 1000), id=f"{prompt}-{number}", case=f"case {number}",
                axes={"prompt": prompt})
        for prompt, score in scores.items()
        for number in range(8)
    ]  # fmt: skip


def test_each_variant_has_a_row_and_the_best_is_marked_and_said() -> None:
    lines = texts(*of_prompts(v1=0.6, v2=0.3, v3=0.8))

    assert [line.split()[:4] for line in lines[1:4]] == [
        ["prompt", "v3", "0.80", "±.00*"],
        ["prompt", "v1", "0.60", "±.00"],
        ["prompt", "v2", "0.30", "±.00"],
    ]
    assert lines[4] == "(* surely better than every other)"
    assert lines[5] == "visual: prompt v3 is better than prompt v1 by 0.2; prompt v2 is worse than both"
    assert lines[6] == "no sure difference in ir"


def test_what_is_not_sure_is_not_called_better() -> None:
    same = of_prompts(v1=0.6, v2=0.6, v3=0.2)
    few = [page for page in of_prompts(v1=0.6, v2=0.2) if page.case in ("case 0", "case 1")]

    assert (
        "visual: prompt v3 is worse than prompt v1 and prompt v2; no sure difference between these two"
        in texts(*same)
    )
    assert "fewer than 5 cases: no difference between variants is sure" in texts(*few)
    assert not any("*" in line for line in texts(*same, *few))


def test_variants_stand_the_best_first_with_how_many_of_their_pages_were_measured() -> None:
    lost = replace(
        of_prompts(v1=0.2)[0], visual=None, error=Failure("EmptyDocument", "Nothing.", "candidate")
    )
    pages = of_prompts(v1=0.2, v2=0.6, v3=0.9)

    lines = texts(lost, *pages[1:])

    assert [line.split()[1] for line in lines[1:4]] == ["v3", "v2", "v1"]
    assert [line.split()[-1] for line in lines[1:4]] == ["8", "8", "7/8"]


def test_broken_limits_are_counted_for_each_variant_and_named() -> None:
    broken = Verdict("ir", "<=", 0.1, 0.2, False, "command line")
    pages = [replace(page, verdicts=(broken,)) for page in of_prompts(v1=0.6)]

    lines = texts(*pages, *of_prompts(v2=0.7))

    assert lines[0].split()[-2:] == ["pages", "broken"]
    assert [line.split()[-2:] for line in lines[1:3]] == [["8", "-"], ["8", "8"]]
    assert "! 8 of 16 pages break a limit: ir at most 0.1 (--max-ir) in 8" in lines
    several = texts(*pages, *(replace(page, id=f"{page.id} again", sample="2") for page in pages))
    assert any("(--max-ir) in 16 (samples of a case are judged together)" in line for line in several)
    assert "0.2000!" in next(line for line in lines if line.startswith("v1-0"))
    assert page_line(pages[0]).startswith("fail   v1-0  ir 0.20 > 0.10 (--max-ir)  visual 0.6000")


def test_what_several_pages_share_is_told_once() -> None:
    missing = Difference(
        "missing", "text", 0.1, "serious", reference={"text": "Sign in", "box": [8, 8, 90, 20]}
    )
    lacking = replace(evaluation(0.5), visual=replace(make_visual(0.5), differences=(missing,)))

    lines = texts(lacking, evaluation(0.6), replace(lacking, id="other"))

    place = lines.index("the same on several pages, the most costly first:")
    assert lines[place + 1] == '  2 of 3 pages: text "Sign in" at 8, 8 is missing'
    assert not any("the same on" in line for line in texts(lacking, evaluation(0.6)))


def test_a_metric_with_a_limit_has_a_column_however_narrow_the_terminal() -> None:
    kept = Verdict("position", ">=", 0.5, 0.6, True, "command line")
    lines = texts(evaluation(0.5, (kept,)), evaluation(0.6), width=80)

    assert "position" in lines[0].split()
    assert "position" in lines[3].split()


def test_wide_terminals_show_the_parts_of_fidelity_and_whole_names() -> None:
    assert {*shown_in("summary"), "typography", "elements", "delivered"} <= set(columns_that_fit(180))
    name = "tests/test_pages.py::test_page[login-v1]"
    assert any(line.startswith(f"{name} ") for line in texts(replace(evaluation(0.5), id=name), width=140))


def test_a_long_run_names_its_worst_pages_only() -> None:
    pages = [evaluation(score) for score in (0.9, 0.2, 0.7, 0.4)]

    lines = [line.text for line in summary_lines(pages, width=140, is_brief=False, most=2)]

    assert [line.split()[0] for line in lines[4:7]] == ["t.py::test_0.2", "t.py::test_0.4", "and"]
    assert lines[6] == "and 2 pages that did better"


def test_columns_that_no_page_has_are_left_out() -> None:
    audited = replace(evaluation(0.5), visual=None)

    assert texts(audited)[0].split() == ["ir", "iwir", "verdict"]


def test_a_page_in_one_line_has_its_verdict_its_values_or_its_error() -> None:
    passed = evaluation(0.5, (Verdict("visual", ">=", 0.4, 0.5, True, "command line"),))
    refused = Evaluation("q", "d", "q.html", error=Failure("NotHtml", "a refusal", "candidate"))

    assert page_line(passed).startswith(
        "pass   t.py::test_0.5  visual 0.5000  ir 0.2000  iwir 0.6000  block_match 0.8000  text"
    )
    assert page_line(refused) == "error  q  NotHtml: a refusal"


def test_the_mean_says_how_many_cases_it_is_of() -> None:
    refused = Evaluation("t.py::test_no", "d", "q.html", error=Failure("NotHtml", "a refusal", "candidate"))

    lines = texts(evaluation(0.5), refused)

    assert lines[1].split()[:5] == ["1", "of", "2", "cases", "0.50"]


def test_the_verdict_is_that_of_all_limits() -> None:
    kept = Verdict("iwir", "<=", 0.9, 0.6, True, "call")
    broken = Verdict("ir", "<=", 0.1, 0.2, False, "call")

    assert texts(evaluation(0.5, (kept,)))[1].endswith("pass")
    assert texts(evaluation(0.5, (kept, broken)))[1].endswith("fail")
    assert texts(evaluation(0.5))[1].endswith("-")


def test_browser_axe_and_backend_are_named() -> None:
    lines = texts(evaluation(0.5))

    assert "chromium 156.0, axe-core 4.12.1, appearance embedded, sandbox off" in lines
    assert lines[-1] == "Automated checks find only some accessibility barriers."


@pytest.mark.parametrize("width", [60, 80, 100, 140, 200])
def test_the_table_fits_the_terminal(width: int) -> None:
    table = texts(evaluation(0.5), width=width)[:2]

    assert all(len(line) <= width for line in table)


def test_a_narrow_terminal_keeps_the_numbers_that_matter() -> None:
    needed = list(shown_in("summary"))
    assert columns_that_fit(60) == needed
    width = next(width for width in range(60, 100) if columns_that_fit(width, longest=10) != needed)
    assert columns_that_fit(width, longest=10) == [*needed, "blocking"]


def test_quiet_leaves_the_single_tests_out() -> None:
    assert not any("t.py::" in line for line in texts(evaluation(0.5), is_brief=True))


def test_an_error_has_no_numbers_but_a_reason() -> None:
    lines = texts(Evaluation("t.py::test", "c", "p.html", error=Failure("NotHtml", "It is JSON.")))

    assert lines[1].split() == ["t.py::test", *["-"] * 12, "error"]
    assert "error: p.html: NotHtml: It is JSON." in lines


def test_a_line_that_is_no_pair_is_named_by_its_place() -> None:
    lines = texts(Evaluation("line 2", "line 2", "", error=Failure("ConfigurationError", "It is no object.")))

    assert "error: line 2: ConfigurationError: It is no object." in lines


def test_equal_warnings_are_told_once_with_their_number() -> None:
    warned = [
        Evaluation(
            f"t{number}", "c", f"p{number}.html", warnings=(CaptureWarning("quirks_mode", "No doctype."),)
        )
        for number in range(3)
    ]

    assert "warning: quirks_mode: p0.html: No doctype. (and 2 more)" in texts(*warned)


def test_a_design_is_warned_about_once_in_a_run() -> None:
    missing = CaptureWarning("missing_files", "Files that the page requests do not exist: cup.png.").of(
        "reference"
    )
    pages = [
        Evaluation(f"t{number}", "c", f"p{number}.html", reference="design.html", warnings=(missing,))
        for number in range(3)
    ]

    [line] = [line for line in texts(*pages) if "missing_files" in line]
    assert (
        line == "warning: missing_files: design.html: Files that the design requests do not exist: cup.png."
    )


def test_what_the_design_does_wrong_is_told_of_the_design() -> None:
    missing = CaptureWarning(
        "missing_files", "Files that the page requests do not exist: the page.css.", names=("the page.css",)
    )
    told = Evaluation(
        "t",
        "c",
        "p.html",
        reference="design.html",
        warnings=(missing.of("reference"), missing.of("candidate")),
    )

    said = "warning: missing_files: {}: Files that the {} requests do not exist: the page.css."
    assert said.format("design.html", "design") + " (and 1 more)" in texts(told)
    assert told.warnings[1].message == said.format("", "page").partition(": : ")[2]


def test_what_was_run_again_is_named_also_in_brief() -> None:
    again = [replace(evaluation(number / 10), tries=2) for number in range(5)]

    expected = (
        "run again: t.py::test_0.0 (try 2), t.py::test_0.1 (try 2), t.py::test_0.2 (try 2) and 2 more; "
        "the last try of a test counts"
    )
    assert expected in texts(*again, evaluation(0.9), is_brief=True)
    assert not [line for line in texts(evaluation(0.9)) if line.startswith("run again")]
