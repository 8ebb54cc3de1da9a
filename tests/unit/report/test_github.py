from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.github import MAX_ANNOTATIONS, annotation_lines, step_summary
from tests.factories import AUDIT, make_evaluation, make_run, make_visual

BROKEN = Verdict("visual", ">=", 0.8, 0.51234, False, "command line")
KEPT = Verdict("position", ">=", 0.1, 0.9, True, "command line")


def evaluation(name: str, score: float = 0.9, *verdicts: Verdict) -> Evaluation:
    page = {"id": f"test_{name}", "candidate": f"generated/{name}.html"}
    return make_evaluation(name, make_visual(score, position=0.9), None, verdicts=verdicts, **page)


def run(*evaluations: Evaluation) -> Run:
    return make_run(*evaluations, name="prompt-v2")


def test_the_summary_tells_counts_means_and_the_worst_pages() -> None:
    lost = Evaluation("test_lost", "lost", "lost.html", error=Failure("RenderTimeout", "It hung."))

    text = step_summary(
        run(evaluation("a", 0.9, KEPT), evaluation("b", 0.5, BROKEN), evaluation("c", 0.7), lost)
    )

    lines = text.splitlines()
    assert lines[0] == "### design2a11y: prompt-v2"
    assert lines[2] == "4 pages: 1 not measured, 1 breaks a limit, 1 within limits, 1 no limits."
    assert "| mean (95 % interval) | visual ↑ | position ↑ | pages | break a limit |" in lines
    assert "| 3 of 4 cases | 0.70 ±.50 | 0.90 ±.00 | 3/4 | 1 |" in lines
    pages = [line.split("|")[1].strip() for line in lines if line.startswith("| test")]
    assert pages == ["test\\_lost", "test\\_b", "test\\_c", "test\\_a"]
    assert lines[4:10] == [
        "#### ⚠️ not measured: test\\_lost",
        "",
        "- RenderTimeout: It hung.",
        "",
        "#### ❌ fail: test\\_b",
        "",
    ]
    assert lines[10] == "- visual is 0.5123, required: at least 0.8 (--min-visual-similarity)"
    assert text.index("- visual is 0.5123, required") < text.index("| mean (95 %") < text.index("| page |")
    assert lines[-1] == "Automated checks find only some accessibility barriers."


def test_what_several_pages_share_is_told_once_and_opens_to_their_names() -> None:
    missing = Difference("missing", "panel", 0.1)
    lacking = replace(make_visual(0.5), differences=(missing,))
    pages = [replace(evaluation(name), visual=lacking) for name in "ab"]

    text = step_summary(run(*pages, evaluation("c")))

    opened = (
        "<details><summary>2 of 3 pages: panel is missing</summary>\n\n- test\\_a\n- test\\_b\n\n</details>"
    )
    assert f"#### The same on several pages\n\n{opened}\n" in text
    assert "The same on" not in step_summary(run(pages[0], evaluation("c")))


def test_means_of_several_prompts_are_never_one_mean_and_what_is_better_is_said() -> None:
    scores = {"v1": 0.5, "v2": 0.9}
    pages = [
        replace(
            make_evaluation(f"case{number}", make_visual(score + number / 100), None),
            id=f"case{number}[{prompt}]",
            axes={"prompt": prompt},
        )
        for number in range(8)
        for prompt, score in scores.items()
    ]

    lines = step_summary(run(*pages)).splitlines()

    assert "| prompt v1 | 0.54 ±.02 | 8 | – |" in lines
    assert "| prompt v2 | **0.94 ±.02** | 8 | – |" in lines
    assert "(bold: surely better than every other)" in lines
    assert "- visual: prompt v2 is better than prompt v1 by 0.4" in lines
    assert not any("0.74" in line for line in lines if "±" in line)


def test_the_summary_lists_no_more_pages_than_asked_and_says_so() -> None:
    text = step_summary(run(*(evaluation(str(number)) for number in range(9))), max_pages=3)

    assert text.count("| test") == 3
    assert "… and 6 more pages." in text


def test_the_summary_holds_the_comparison_and_names_a_run_that_ended_early() -> None:
    text = step_summary(replace(run(evaluation("a")), is_complete=False), comparison="### old → new: worse")

    assert "**The run is incomplete.**" in text
    assert "### old → new: worse" in text


def failing(**changes: Any) -> Evaluation:
    ground = Difference("ground", "page", 0.12, "minor", "fill", "#eef1f8", "#ff00ff")
    visual = make_visual(0.5, fidelity=0.4, elements=0.3, typography=0.5, differences=(ground,))
    names = {"reference": "a" * 40 + ".webp", "candidate": "b" * 40 + ".webp"}
    own: dict[str, Any] = {"visual": visual, "audit": AUDIT, "pictures": names}
    return replace(evaluation("bad", 0.5, BROKEN), **own | changes)


def test_a_failing_page_says_what_went_wrong_what_differs_and_which_rules_fail() -> None:
    blocked = CaptureWarning("missing_files", "Files that the page requests do not exist: site.css.")

    lines = step_summary(run(failing(warnings=(blocked,)))).splitlines()

    start = lines.index("#### ❌ fail: test\\_bad")
    assert lines[start + 2 : start + 6] == [
        "- visual is 0.5123, required: at least 0.8 (--min-visual-similarity)",
        "- Files that the page requests do not exist: site.css.",
        "- ground of the page (background) is \\#&#8203;ff00ff instead of \\#&#8203;eef1f8 (costs 0.1200)",
        "- color-contrast, 2 elements: Change one of the two colors until the contrast is at least what is "
        "required.",
    ]


def test_failing_pages_have_pictures_where_these_have_an_address() -> None:
    pictured = '<img width="400" src="https://pages.example/run/pictures/{}.webp">'

    shown = step_summary(run(failing()), address="https://pages.example/run/")

    assert f"| {pictured.format('a' * 40)} | {pictured.format('b' * 40)} |" in shown
    assert "<img" not in step_summary(run(failing()))
    assert "<img" not in step_summary(run(failing()), address='javascript:"x')
    forged = {"reference": '"><script>', "candidate": "b" * 40 + ".webp"}
    assert "<img" not in step_summary(run(failing(pictures=forged)), address="https://pages.example/")


def test_a_run_of_many_failing_pages_fits_into_a_comment() -> None:
    many = (replace(failing(), id=f"test_{number}" + "x" * 300) for number in range(500))

    assert len(step_summary(run(*many), address="https://pages.example/run")) < 60_000


def test_page_texts_are_no_markup_in_the_summary() -> None:
    attack = "a|b `c` *d* [e](http://x) <img src=x> @team #1 \n# head\x1b[2J"

    text = step_summary(run(replace(evaluation("a"), id=attack)))

    head, _rule, line = [line for line in text.splitlines() if line.startswith("|")][:3]
    assert line.count(" | ") == head.count(" | ")
    assert "<img" not in line
    assert "](" not in line.replace("\\](", "")
    assert "@" not in line.replace("@&#8203;", "")
    assert "\x1b" not in line
    assert "http://" not in line


def test_broken_limits_and_errors_become_annotations() -> None:
    lost = Evaluation("test_lost", "lost", "lost.html", error=Failure("RenderTimeout", "It hung."))

    lines = list(
        annotation_lines(run(evaluation("good", 0.9, KEPT), evaluation("bad", 0.5, BROKEN, KEPT), lost))
    )

    assert lines == [
        "::error file=lost.html,title=design2a11y%3A not measured::test_lost: RenderTimeout: It hung.",
        "::error file=generated/bad.html,title=design2a11y%3A visual 0.51 < 0.80 "
        "(--min-visual-similarity)::test_bad: visual is 0.5123, required: at least 0.8 "
        "(--min-visual-similarity)",
    ]


def test_an_annotation_says_what_costs_most() -> None:
    ground = Difference("ground", "page", 0.12, "minor", "fill", "#ffffff", "#ff00ff")
    bad = evaluation("bad", 0.5, BROKEN)
    assert bad.visual is not None

    (line,) = annotation_lines(run(replace(bad, visual=replace(bad.visual, differences=(ground,)))))

    assert line.endswith(
        "at least 0.8 (--min-visual-similarity); "
        "ground of the page (background) is #ff00ff instead of #ffffff"
    )


def test_annotations_cannot_be_forged() -> None:
    attack = "x\n::error::forged\r100%,file=a:b"
    one = replace(evaluation("bad", 0.5, BROKEN), id=attack, candidate=attack)

    (line,) = annotation_lines(run(one))

    assert "\n" not in line
    assert "\r" not in line
    head, _, message = line.removeprefix("::error ").partition("::")
    title = "design2a11y%3A visual 0.51 < 0.80 (--min-visual-similarity)"
    assert head == f"file=x %3A%3Aerror%3A%3Aforged 100%25%2Cfile=a%3Ab,title={title}"
    assert message.startswith("x ::error::forged 100%25,file=a:b: visual")


def test_pages_that_are_no_files_of_the_repository_name_no_file() -> None:
    for candidate in ("https://example.org/", "<html>", "/abs/page.html"):
        (line,) = annotation_lines(run(replace(evaluation("bad", 0.5, BROKEN), candidate=candidate)))

        assert line.startswith("::error title=")


def test_no_more_annotations_than_github_shows_and_the_last_counts_the_rest() -> None:
    lines = list(annotation_lines(run(*(evaluation(str(number), 0.5, BROKEN) for number in range(14)))))

    assert len(lines) == MAX_ANNOTATIONS
    assert lines[-1] == "::error title=design2a11y::5 more pages broke a limit or could not be measured."
    assert len(list(annotation_lines(run(*(evaluation(str(n), 0.5, BROKEN) for n in range(10)))))) == 10
