"""Measurements assert when they are compared, with and without `assert` before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_good_pages_pass_every_kind_of_assertion(project: Project, workers: tuple[str, ...]) -> None:
    project.test_file(
        """
        def test_good(render):
            reference = render("designs/login.html", role="reference")
            candidate = render("generated/login.html")
            assert_visual_similarity(reference, candidate) > 0.8
            assert assert_visual_similarity(reference, candidate).position > 0.9
            assert 0.8 < assert_visual_similarity(reference, candidate)
            assert_iwir(candidate) < 0.7
            assert_ir(candidate) <= 0.5
            assert_accessible(candidate, max_ir=0.5, max_iwir=0.7)
            assert 0 <= visual_similarity(reference, candidate).color <= 1
            assert audit(candidate).checked > 5
            assert isinstance(assert_iwir(candidate) * 2, float)
        """
    )

    result = project.run(*workers)

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*test_good*pass*"])


def test_a_bare_comparison_that_is_false_fails_the_test(project: Project) -> None:
    project.test_file(
        """
        def test_bare(render):
            reference = render("designs/login.html", role="reference")
            assert_visual_similarity(reference, render("worse/login.html")) > 0.8

        def test_component(render):
            reference = render("designs/login.html", role="reference")
            assert assert_visual_similarity(reference, render("worse/login.html")).block_match >= 0.99

        def test_rate(render):
            assert_iwir(render("worse/login.html")) < 0.2

        def test_accessible(render):
            assert_accessible(render("worse/login.html"))

        def test_path():
            assert_iwir("generated/login.html")
        """
    )

    result = project.run()

    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines(
        [
            "*visual 0.* breaks the limit > 0.8 (call)*",
            "*worse/login.html against designs/login.html*",
            "*block_match 0.*text *position *color *appearance *",
            "*worst blocks:*",
            '*missing*"*" at *px*',
            "*block_match 0.* breaks the limit >= 0.99 (call)*",
            "*iwir * breaks the limit < 0.2 (call)*",
            "*https://dequeuniversity.com/rules/axe/*",
            "*failed * breaks the limit <= 0 (call)*",
            "*page is str, not a rendered page. Pass what the render fixture returned*",
        ]
    )


def test_a_reference_is_audited_where_that_is_asked_and_the_summary_sets_its_page_beside_it(
    project: Project,
) -> None:
    project.test_file(
        """
        def test_reference(render):
            assert_ir(render("designs/login.html", role="reference")) < 0.5

        def test_pair(render):
            render("designs/login.html", role="reference")
            render("worse/login.html")
        """
    )

    refused = project.run("-k", "test_reference")
    audited = project.run("--design2a11y-audit-reference")

    refused.assert_outcomes(failed=1, deselected=1)
    refused.stdout.fnmatch_lines(
        ["*designs/login.html was rendered as a reference*--design2a11y-audit-reference*"]
    )
    audited.assert_outcomes(passed=2)
    audited.stdout.fnmatch_lines(
        ["accessibility beside the designs (IR×IWIR): 0 better, 1 worse, 0 the same*"]
    )


def test_a_live_page_is_measured_as_it_stands(project: Project) -> None:
    project.test_file(
        """
        def test_live(page, render):
            page.set_content("<!doctype html><html lang=en><title>Live</title><main><h1>Hello</h1></main>")
            live = render(page)
            assert_ir(live) < 0.1
            page.locator("h1").evaluate("heading => heading.textContent = 'Changed'")
            assert page.locator("h1").inner_text() == "Changed"
        """
    )

    project.run().assert_outcomes(passed=1)
