"""The terminal summary: there when something was measured, quiet when asked, never in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_every_measured_test_has_a_line(two_pages: Project, workers: tuple[str, ...]) -> None:
    result = two_pages.run(*workers)

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["*= design2a11y =*", "mean (95 % CI)*fidelity*ir*iwir*pages", "1 case *2"], consecutive=True
    )
    result.stdout.fnmatch_lines(
        [
            "*= design2a11y =*",
            "1 case *",
            "*fidelity*visual*ir*iwir*elements*verdict",
            "*test_bad*0.*-",
            "*test_good*0.9*-",
            "chromium *, axe-core *, appearance embedded*",
            "Automated checks find only some accessibility barriers.",
        ]
    )


def test_quiet_and_narrow_are_respected(two_pages: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")

    result = two_pages.run("-q")

    table = [line for line in result.outlines if line.startswith("1 case")]
    assert len(table) == 1
    assert len(table[0]) <= 70
    assert not [line for line in result.outlines if "test_good" in line]


def test_nothing_is_printed_when_nothing_was_measured(project: Project) -> None:
    project.test_file("def test_other(): pass")

    result = project.run_here("-o", "design2a11y_max_nodes=3000", "-p", "no:playwright")

    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*design2a11y =*")


def test_a_page_that_could_not_be_rendered_is_listed_and_what_a_page_says_cannot_act_on_the_terminal(
    project: Project,
) -> None:
    project.write("generated/login.html", "I'm sorry, I can't help with that.")
    # Case 130: escape sequences and marks that turn text around, in a title, a text and a test's id.
    trick = "\\x1b[2J\\u202e"
    project.test_file(
        f"""
        HEAD = "<!doctype html><html lang=en><title>{trick}</title>"
        PAGE = HEAD + "<h1>{trick}Hello</h1><img id='{trick}' src=x>"

        @pytest.mark.parametrize("name", ["{trick}"])
        def test_trick(render, name):
            render(HEAD + "<h1>Something else here</h1>", role="reference")
            assert_ir(render(PAGE)) < 0.01

        def test_good(render):
            render("generated/login.html")
        """
    )

    result = project.run("--min-visual-similarity=0.99")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*test_good*-*error", "error: generated/login.html: NotHtml: *"])
    assert "\x1b[2J" not in result.stdout.str()
    assert "\u202e" not in result.stdout.str()
