"""The options that are limits: who is gated, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_limits_gate_candidates_of_tests_that_assert_nothing(
    two_pages: Project, workers: tuple[str, ...]
) -> None:
    limits = {
        "--max-iwir=0.5": "iwir 0.* breaks the limit <= 0.5 (command line)*",
        "--max-ir=0.2": "ir 0.* breaks the limit <= 0.2 (command line)*",
        "--min-visual-similarity=0.8": "visual 0.* breaks the limit >= 0.8 (command line)*",
        "--design2a11y-require=block_match>=0.9": "block_match 0.* breaks the limit >= 0.9 (command line)*",
    }

    result = two_pages.run(*limits, *workers)

    result.assert_outcomes(passed=1, failed=1)
    for sentence in limits.values():
        result.stdout.fnmatch_lines([sentence])
    assert result.ret == 1


def test_without_limits_everything_is_only_reported(two_pages: Project) -> None:
    result = two_pages.run()

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*= design2a11y =*", "*test_bad*-", "*test_good*-", "mean of 1 case*"])


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
        (["--design2a11y-require=beauty>=1"], "*There is no metric 'beauty' (command line).*Known: visual*"),
        (["--design2a11y-require=position"], "*'position' (command line) is not a limit.*"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_a_usage_error(
    two_pages: Project, arguments: list[str], message: str
) -> None:
    result = two_pages.run(*arguments)

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

    result = project.run()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_typo*The marker design2a11y does not take max_iwr.*max_iwir*"])


def test_a_gate_does_not_pass_what_was_not_rendered_or_what_no_line_compared(project: Project) -> None:
    project.write("generated/refusal.html", "I'm sorry, I can't help with that.")
    project.test_file(
        """
        def test_refusal(render):
            try:
                render("generated/refusal.html")
            except Exception:
                pass

        def test_forgotten(render):
            reference = render("designs/login.html", role="reference")
            assert_visual_similarity(reference, render("worse/login.html"))
        """
    )

    result = project.run("--max-iwir=0.9", "--min-visual-similarity=0.8")

    result.assert_outcomes(failed=2)
    for sentence in (
        "*iwir<=0.9, visual>=0.8 could not be judged: generated/refusal.html was not measured*",
        "*NotHtml: *",
        "visual 0.* breaks the limit >= 0.8 (command line)*",
    ):
        result.stdout.fnmatch_lines([sentence])


def test_pages_that_keep_their_text_from_rules_are_gated(project: Project) -> None:
    page = project.path / "generated" / "login.html"
    project.write("generated/login.html", page.read_text(encoding="utf-8").replace("<main>", "<main inert>"))
    project.test_file(
        """
        @pytest.mark.design2a11y(max_unaudited=1)
        def test_lenient(render):
            render("generated/login.html")

        def test_strict(render):
            render("generated/login.html")
        """
    )

    result = project.run("--design2a11y-max-unaudited=0.2")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["unaudited 1.0000 breaks the limit <= 0.2 (command line)*"])
    result.stdout.fnmatch_lines(["*Accessibility rules are kept from 100% of the text*"])
