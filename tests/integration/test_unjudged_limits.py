"""A limit that was set and not judged fails; what was not chosen to run is not asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

UNIT = """
def test_unit():
    pass
"""

PAGE = """
def test_page(render):
    render("generated/login.html")
"""


PAIR = 'reference="designs/login.html", candidate="worse/login.html"'
#: By what the marker and the test give and render: what is said of a limit that judges nothing.
UNJUDGED = {
    "candidate first": (
        "min_visual_similarity=0.9",
        ('render("worse/login.html")', 'render("designs/login.html", role="reference")'),
        "visual is 0.*, required: at least 0.9 (marker)",
    ),
    "no fixture": (
        f"{PAIR}, max_iwir=0.1",
        (),
        "The marker design2a11y gives reference, candidate, max_iwir, but the test rendered nothing. *",
    ),
    "reference alone": (
        f"{PAIR}, max_iwir=0.1",
        ('request.getfixturevalue("reference")',),
        "The marker design2a11y names the candidate worse/login.html, but the test rendered none. *",
    ),
    "no reference": (
        "min_visual_similarity=0.9",
        ('render("worse/login.html")',),
        "visual>=0.9 (marker) judged nothing: no candidate of the test was compared with a reference. *",
    ),
    "two references": (
        "min_visual_similarity=0.1",
        (
            'render("designs/login.html", role="reference")',
            'render("generated/login.html", role="reference")',
            'render("worse/login.html")',
        ),
        "*It is not clear which reference worse/login.html belongs to: designs/login.html, generated/*",
    ),
}


def test_limits_that_judge_nothing_fail_their_tests_and_say_what_to_do(project: Project) -> None:
    for at, (given, lines, _) in enumerate(UNJUDGED.values()):
        fixtures, body = "render, request" if lines else "", "\n    ".join(lines or ("pass",))
        project.test_file(
            f"@pytest.mark.design2a11y({given})\ndef test_page({fixtures}):\n    {body}\n", f"test_{at}.py"
        )

    result = project.run("-rf")

    result.assert_outcomes(failed=len(UNJUDGED))
    result.stdout.fnmatch_lines(
        [line for _, _, sentence in UNJUDGED.values() for line in ("_* test_page *_", sentence)]
    )


def test_a_limit_of_a_class_waits_for_those_of_its_tests_that_render(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(max_iwir=0.9)
        class TestMarkedClass:
            def test_helper(self):
                pass

            def test_page(self, render):
                render("worse/login.html")
        """
    )

    project.run().assert_outcomes(passed=2)


#: By a line that decides nothing: what its failure says.
UNDECIDED = {
    "assert_iwir(page) < 60": (
        "The limit iwir<60 (call) is impossible: iwir goes from 0 to 1. Write 0.6 for 60 %."
    ),
    "assert assert_iwir(page)": (
        "A measurement, 0.* here, is neither true nor false. Compare it with a limit: *"
    ),
    'assert_iwir(page) < "half"': "iwir is compared with 'half', which is not a number. *",
    "audit(page) < 0.5": (
        "AccessibilityRates holds several numbers and cannot be compared as a whole. Write assert_ir*"
    ),
    "assert_visual_similarity(page, design) > 0": (
        "The pages are swapped: worse/login.html was rendered as *The reference comes first*"
    ),
}


def test_comparisons_that_decide_nothing_are_failures_of_their_lines(project: Project) -> None:
    for at, line in enumerate(UNDECIDED):
        project.test_file(
            f"""
            def test_page(render):
                design, page = render("designs/login.html", role="reference"), render("worse/login.html")
                {line}
            """,
            f"test_{at}.py",
        )

    result = project.run()

    result.assert_outcomes(failed=len(UNDECIDED))
    result.stdout.fnmatch_lines(
        [told for line, sentence in UNDECIDED.items() for told in (f">*{line}", f"E *{sentence}")]
    )


def test_measurements_may_be_compared_with_each_other_and_from_both_sides(project: Project) -> None:
    project.test_file(
        """
        def test_page(render):
            page = render("worse/login.html")
            assert assert_ir(page) <= assert_ir(page)
            assert 0 < assert_ir(page) < 1
        """
    )

    project.run().assert_outcomes(passed=1)


def test_a_measurement_that_no_line_compares_is_warned_of_unless_a_limit_judges_it(project: Project) -> None:
    project.test_file(
        """
        def test_forgotten(render):
            reference = render("designs/login.html", role="reference")
            candidate = render("generated/login.html")
            assert_visual_similarity(reference, candidate).position > 0.1
            assert_ir(candidate) == 0
            assert_iwir(candidate)

        @pytest.mark.design2a11y(max_iwir=0.9)
        def test_limited(render):
            assert_iwir(render("generated/login.html"))
        """
    )

    result = project.run()

    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(
        ["*UncomparedMeasurement: assert_iwir of generated/login.html was compared with *"]
    )


@pytest.mark.parametrize("chosen", [(), ("-k", "unit")], ids=["everything", "a part"])
def test_a_run_that_measures_nothing_fails_unless_something_was_left_out(
    project: Project, chosen: tuple[str, ...], workers: tuple[str, ...]
) -> None:
    project.write("pytest.ini", "[pytest]\ndesign2a11y_max_iwir = 0.3\n")
    project.write("test_unit.py", UNIT)
    if chosen:
        project.write("test_page.py", PAGE)

    run = project.run if workers else project.run_here
    result = run(*chosen, *workers, "-p", "no:playwright")

    sentence = "iwir<=0.3 (ini file) judged nothing: no page was audited. Render what it is meant for*"
    if chosen:
        assert result.ret == 0
        result.stdout.no_fnmatch_line(sentence)
    else:
        assert result.ret == 1
        result.stdout.fnmatch_lines(["*- design2a11y: limits -*", sentence])


def test_a_limit_on_pairs_is_not_passed_by_pages_alone(project: Project) -> None:
    project.test_file(PAGE)

    result = project.run("--max-iwir=0.9", "--min-visual-similarity=0.5")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["visual>=0.5 (command line) judged nothing: no page was compared with *"])


@pytest.mark.slow
def test_limits_are_not_passed_by_a_browser_that_renders_nothing(project: Project) -> None:
    project.test_file(PAGE)

    alone = project.run_apart("--browser=firefox", "--max-iwir=0.5")
    beside = project.run_apart("--browser=firefox", "--browser=chromium", "--max-iwir=0.9")
    unlimited = project.run_apart("--browser=firefox")

    alone.assert_outcomes(errors=1)
    alone.stdout.fnmatch_lines(
        ["E *iwir<=0.5 (command line) cannot be judged in firefox: *Add --browser chromium*"]
    )
    beside.assert_outcomes(passed=1, skipped=1)
    unlimited.assert_outcomes(skipped=1)


def test_an_empty_list_of_pages_is_not_a_pass(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.parametrize("name", [])
        def test_page(render, name):
            render(name)
        """
    )

    project.run_here().assert_outcomes(skipped=1)
    limited = project.run_here("--max-iwir=0.5")

    limited.assert_outcomes(errors=1)
    limited.stdout.fnmatch_lines(
        ["iwir<=0.5 (command line) cannot be judged: there is no page, *list of param*"]
    )


def test_one_of_several_samples_is_judged_where_the_others_were_left_out(project: Project) -> None:
    for sample in "12":
        project.write(f"several/login/{sample}.html", (project.path / "worse/login.html").read_text("utf-8"))
    project.test_file(
        """
        @pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "several"), indirect=True)
        def test_page(reference, candidate):
            pass
        """
    )

    result = project.run("-k", "login-1", "--max-iwir=0.1")

    assert result.ret == 1
    result.stdout.fnmatch_lines(["*login BREAKS iwir at most 0.1 (--max-iwir); mean of 1 sample: 0.*"])


def test_a_mistake_in_a_marker_is_told_of_chosen_tests_alone(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(max_iwr=0.4)
        def test_typo():
            pass

        def test_fine():
            pass
        """
    )

    project.run_here("-k", "fine", "-p", "no:playwright").assert_outcomes(passed=1, deselected=1)

    in_workers = project.run("-n1")

    in_workers.assert_outcomes(passed=1, errors=1)
    in_workers.stdout.fnmatch_lines(["The marker design2a11y does not take max_iwr. *"])


CASE = """
[tool.design2a11y]
{more}
[[tool.design2a11y.case]]
match = "{match}"
max_ir = 0.9
"""


@pytest.mark.parametrize(
    ("body", "match", "more", "chosen", "passes"),
    [
        (PAGE, "generated/log*", "", (), True),
        (PAGE, "generated/lgo*", "", (), False),
        (UNIT, "generated/log*", "", (), False),
        (UNIT + PAGE, "generated/log*", "", ("-k", "unit"), True),
        (PAGE, "generated/log*", 'fail_on_warnings = ["page_clipped"]', (), True),
        (UNIT, "generated/log*", 'fail_on_warnings = ["page_clipped"]', (), False),
    ],
)
def test_limits_of_the_configuration_are_not_passed_by_a_run_that_they_judge_nothing_of(
    project: Project, body: str, match: str, more: str, chosen: tuple[str, ...], passes: bool
) -> None:
    project.write("pyproject.toml", CASE.format(match=match, more=more))
    project.test_file(body)

    result = project.run(*chosen)

    assert (result.ret == 0) is passes
    if not passes:
        result.stdout.fnmatch_lines(
            [f"*ir<=0.9 (case) judged nothing: no case is named as in match = '{match}'.*"]
        )


def test_the_marker_of_warnings_and_differences_is_not_passed_by_a_test_that_renders_nothing(
    project: Project,
) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(fail_on_warnings=["page_clipped"])
        def test_warnings():
            pass

        @pytest.mark.design2a11y(max_blocking=0)
        def test_differences(render):
            render("worse/login.html")
        """
    )

    result = project.run("-rf")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*gives fail_on_warnings, but the test rendered nothing.*"])
    result.stdout.fnmatch_lines(["*blocking<=0 (marker) judged nothing: *"])
