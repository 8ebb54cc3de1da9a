"""Measurements assert when they are compared, with and without `assert` before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_each_kind_of_assertion_passes_where_it_holds_and_fails_where_not(
    project: Project, workers: tuple[str, ...]
) -> None:
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

        def test_live(page, render):
            page.set_content("<!doctype html><html lang=en><title>Live</title><main><h1>Hello</h1></main>")
            live = render(page)
            assert_ir(live) < 0.1
            page.locator("h1").evaluate("heading => heading.textContent = 'Changed'")
            assert page.locator("h1").inner_text() == "Changed"

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

        def test_reference(render):
            assert_ir(render("designs/login.html", role="reference")) < 0.5
        """
    )

    result = project.run_apart("-rA", *workers)

    result.assert_outcomes(passed=2, failed=6)
    result.stdout.fnmatch_lines(["*test_good*pass*"])
    result.stdout.fnmatch_lines_random(["PASSED *::test_good*", "PASSED *::test_live*"])
    result.stdout.fnmatch_lines(["*designs/login.html was rendered as a reference*role='candidate'*"])
    result.stdout.fnmatch_lines(
        [
            "*visual is 0.*, required: more than 0.8 (call)*",
            "*worse/login.html against designs/login.html*",
            "*visual 0.*block_match 0.*text *position *color *appearance *",
            "*Differences, and the * each one costs:",
            "*0.*text*missing*",
            "*See all of it: --design2a11y-html=report.html*",
        ]
    )
    result.stdout.fnmatch_lines_random(
        [
            "*block_match is 0.*, required: at least 0.99 (call)*",
            "*iwir is *, required: less than 0.2 (call)*",
            "*https://dequeuniversity.com/rules/axe/*",
            "*failed is *, required: at most 0 (call)*",
            "*page is the path or text 'generated/login.html', not a rendered page. *",
        ]
    )
