"""The marker names the pages, the limits and what a test is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_marked_pages_come_rendered(project: Project, workers: tuple[str, ...]) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(
            reference="designs/login.html",
            candidate="generated/login.html",
            max_iwir=0.9,
            require="position>=0.9",
        )
        def test_marked(reference, candidate):
            assert reference.role == "reference"
            assert assert_visual_similarity(reference, candidate) > 0.8

        @pytest.mark.design2a11y(
            reference="designs/login.html", candidate="worse/login.html", min_visual_similarity=0.9
        )
        def test_gated_by_marker_alone(reference, candidate):
            pass
        """
    )

    result = project.run(*workers)

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*visual * breaks the limit >= 0.9 (marker)*"])


def test_a_test_without_a_page_to_render_says_how_to_name_one(project: Project) -> None:
    project.test_file("def test_unmarked(candidate): pass")

    result = project.run()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*The fixture 'reference' does not know what to render.*@pytest.mark.design2a11y*"]
    )


def test_page_pairs_parametrize_one_test_a_page(project: Project) -> None:
    project.write(
        "designs/about.html", "<!doctype html><html lang=en><title>About</title><h1>About us</h1></html>"
    )
    project.write(
        "generated/about.html", "<!doctype html><html lang=en><title>About</title><h1>About us</h1></html>"
    )
    project.test_file(
        """
        PAIRS = page_pairs("designs", "generated")

        @pytest.mark.parametrize(("reference", "candidate"), PAIRS, indirect=True)
        def test_rendered(reference, candidate):
            assert_visual_similarity(reference, candidate) > 0.8

        @pytest.mark.parametrize(("design", "page"), PAIRS)
        def test_paths(design, page):
            assert design.name == page.name
        """
    )

    result = project.run("-v")

    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*test_rendered*about*PASSED*", "*test_rendered*login*PASSED*"])


def test_a_candidate_without_reference_is_an_error_that_names_it(project: Project) -> None:
    project.write("generated/orphan.html", "<!doctype html><h1>Orphan</h1>")
    project.test_file("page_pairs('designs', 'generated')")

    result = project.run()

    result.stdout.fnmatch_lines(["*No reference in *designs for *orphan.html*"])
    assert result.ret != 0


def test_a_marker_cannot_limit_what_the_run_does_not_audit(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.design2a11y(max_iwir=0.9)
        def test_marked(render):
            render("generated/login.html")
        """
    )

    result = project.run("--design2a11y-no-audit")

    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*test_marked*: The limit iwir<=0.9 (marker) needs the audit that --design2a11y-no-audit*"]
    )
