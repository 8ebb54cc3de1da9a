"""The options that are limits: who is gated, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import GOOD

if TYPE_CHECKING:
    from tests.integration.conftest import Project


NOT_COMPARED = """
def test_refusal(render):
    try:
        render("generated/refusal.html")
    except Exception:
        pass

def test_forgotten(render):
    reference = render("designs/login.html", role="reference")
    assert_visual_similarity(reference, render("worse/login.html"))

@pytest.mark.design2a11y(max_ir=1, require="unaudited<=1")
def test_lenient(render):
    render("designs/login.html", role="reference")
    render("generated/inert.html")

@pytest.mark.design2a11y(max_ir=1)
def test_strict(render):
    render("designs/login.html", role="reference")
    render("generated/inert.html")
"""


def test_limits_gate_candidates_of_tests_that_assert_nothing(
    two_pages: Project, workers: tuple[str, ...]
) -> None:
    """Nor do they pass what was not rendered, what no line compared, or text that rules are kept from."""
    limits = {
        "--max-iwir=0.5": "iwir is 0.*, required: at most 0.5 (--max-iwir)*",
        "--max-ir=0.2": "ir is 0.*, required: at most 0.2 (--max-ir)*",
        "--min-visual-similarity=0.8": "visual is 0.*, required: at least 0.8 (--min-visual-similarity)*",
        "--design2a11y-require=block_match>=0.9": "block_match is 0.*: at least 0.9 (--design2a11y-require)*",
        "--design2a11y-require=unaudited<=0.2": "unaudited is 1.0000*: at most 0.2 (--design2a11y-require)*",
    }
    two_pages.write("generated/refusal.html", "I'm sorry, I can't help with that.")
    two_pages.write("generated/inert.html", GOOD.replace("<main>", "<main inert>"))
    two_pages.test_file(NOT_COMPARED, name="test_others.py")

    result = two_pages.run(*limits, "-rA", *workers)

    result.assert_outcomes(passed=2, failed=4)
    result.stdout.fnmatch_lines_random(
        [
            *limits.values(),
            "*Accessibility rules are kept from 100% of the text*",
            "*could not be judged: generated/refusal.html was not measured*",
            "*NotHtml: *",
            "PASSED *::test_good*",
            "PASSED *::test_lenient*",
            "FAILED *::test_bad* - *visual is 0.*",
            "FAILED *::test_refusal* - *iwir<=0.5, *visual>=0.8*could not be judged: *",
            "FAILED *::test_forgotten* - *visual is 0.*, required: at least 0.8 (--min-visual-similarity)*",
            "FAILED *::test_strict* - *unaudited is 1.0000*",
        ]
    )
    assert result.ret == 1


@pytest.mark.slow
def test_the_most_specific_limit_wins(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ndesign2a11y_max_iwir = 0.0\n")
    project.test_file(
        """
        def test_ini(render):
            render("worse/login.html")

        @pytest.mark.design2a11y(max_iwir=1.0)
        def test_marker(render):
            render("worse/login.html")

        @pytest.mark.design2a11y(max_iwir=0.0)
        def test_call(render):
            assert_iwir(render("worse/login.html")) <= 1.0
        """
    )

    by_ini = project.run("-rA")
    by_command_line = project.run("-rA", "--max-iwir=1.0")

    by_ini.assert_outcomes(passed=2, failed=1)
    by_ini.stdout.fnmatch_lines(["*FAILED*test_ini*"])
    by_command_line.assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max-iwir=2"], "*The limit iwir<=2 (command line) is impossible: iwir goes from 0 to 1.*"),
        (["--max-iwir=much"], "*--max-iwir does not take 'much'*"),
        (
            ["--design2a11y-require=beauty>=1"],
            "*There is no metric 'beauty' (command line).*Known: fidelity*",
        ),
        (["--design2a11y-require=position"], "*'position' (command line) is not a limit.*"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_a_usage_error(
    two_pages: Project, arguments: list[str], message: str
) -> None:
    result = two_pages.run_here(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_a_marker_that_cannot_be_meant_is_a_usage_error(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(max_iwr=0.4)
        def test_typo(render):
            render("generated/login.html")
        """
    )

    result = project.run_here()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_typo*The marker design2a11y does not take max_iwr.*max_iwir*"])
