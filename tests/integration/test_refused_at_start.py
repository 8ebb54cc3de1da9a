"""What would fail at the end of a run is told before a page is rendered, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--design2a11y-html=designs/login.html/report.html"],
            "*-html cannot write *: */login.html is not a folder*",
        ),
        (
            ["--design2a11y-findings=designs"],
            "*--design2a11y-findings does not take 'designs': end its name in .sarif, .csv*",
        ),
        (
            ["--design2a11y-known=designs", "--design2a11y-update-known"],
            "*--design2a11y-known cannot write designs: it is a folder.*",
        ),
        (
            ["--design2a11y-save=main"],
            "*--design2a11y-save cannot write *main.jsonl: */.design2a11y is not a folder*",
        ),
        (
            ["-o", "design2a11y_axe_tags=wcag2az"],
            "*This axe-core script has no tag 'wcag2az'. Did you mean wcag2a*",
        ),
        (
            ["-o", "design2a11y_rules_off=image-atl"],
            "*This axe-core script has no rule 'image-atl'. Did you mean image-alt*",
        ),
        (
            ["-o", "design2a11y_exlcude=.advert"],
            "*design2a11y_exlcude: there is no key 'exlcude'. Did you mean 'exclude'? See them all: *",
        ),
    ],
)
def test_an_option_that_cannot_work_is_a_usage_error(
    project: Project, arguments: list[str], message: str
) -> None:
    project.block(".design2a11y")

    result = project.run_here(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_a_misspelt_key_of_the_ini_file_is_a_usage_error(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ndesign2a11y_min_fidelty = 0.9\n")

    result = project.run_here()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*design2a11y_min_fidelty: there is no key 'min_fidelty'. Did you mean 'min_fidelity'?*"]
    )


def test_what_is_not_a_page_is_refused_by_its_name_and_a_missing_design_told_as_the_reference(
    project: Project,
) -> None:
    project.test_file(
        """
        def test_frame(page, render):
            page.set_content("<h1>Hello</h1>")
            render(page.main_frame)

        @pytest.mark.parametrize("source", [b"<h1>Hello</h1>", 3])
        def test_other(render, source):
            render(source)

        def test_nothing(render):
            render(None)

        @pytest.mark.design2a11y(reference="designs/nope.html", candidate="generated/login.html")
        def test_page(reference, candidate):
            pass
        """
    )
    project.block(".pytest_cache")

    result = project.pytester.runpytest_subprocess("-rf", "--design2a11y-save=main", timeout=240)

    result.assert_outcomes(failed=4, errors=1)
    for sentence in (
        "E *render takes a path, *, not Frame. Render its page: render(frame.page).",
        "E *, not bytes. Write render(html=data.decode()), or name the file.",
        "E *, not int. Name a file or a URL, or give HTML text.",
        "E *render takes one page. Give a source, or html= for HTML text and answers.",
    ):
        result.stdout.fnmatch_lines([sentence])
    result.stdout.fnmatch_lines(
        ["0 of 4 cases*", "*visual*iwir*", "error: designs/nope.html: SourceNotFound*"]
    )
    saved = (project.path / ".design2a11y/runs/main.jsonl").read_text(encoding="utf-8")
    assert '"candidate": "generated/login.html"' in saved
    assert '"reference": "designs/nope.html"' in saved
