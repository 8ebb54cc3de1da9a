"""The marker names the pages, the limits and what a test is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_pages_of_markers_and_of_folders_come_rendered(project: Project, workers: tuple[str, ...]) -> None:
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

        def test_unmarked(candidate):
            pass

        PAIRS = page_pairs("designs", "generated")

        @pytest.mark.parametrize(("reference", "candidate"), PAIRS, indirect=True)
        def test_rendered(reference, candidate):
            assert_visual_similarity(reference, candidate) > 0.8

        @pytest.mark.parametrize(("design", "page"), PAIRS)
        def test_paths(design, page):
            assert design.name == page.name
        """
    )
    project.write(
        "designs/about.html", "<!doctype html><html lang=en><title>About</title><h1>About us</h1></html>"
    )
    project.write(
        "generated/about.html", "<!doctype html><html lang=en><title>About</title><h1>About us</h1></html>"
    )

    result = project.run("-rA", *workers)

    result.assert_outcomes(passed=5, failed=1, errors=1)
    result.stdout.fnmatch_lines(["*visual is *, required: at least 0.9 (marker)*"])
    result.stdout.fnmatch_lines(["*The fixture 'reference' has nothing to render.*@pytest.mark.design2a11y*"])
    result.stdout.fnmatch_lines_random(
        [
            "PASSED *::test_marked*",
            "PASSED *::test_rendered*about*",
            "PASSED *::test_rendered*login*",
            "FAILED *::test_gated_by_marker_alone*",
            "ERROR *::test_unmarked*",
        ]
    )


def test_a_candidate_without_reference_is_an_error_that_names_it(project: Project) -> None:
    project.write("generated/orphan.html", "<!doctype html><h1>Orphan</h1>")
    project.test_file("page_pairs('designs', 'generated')")

    result = project.run_here()

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

    result = project.run_here("--design2a11y-no-audit")

    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["*test_marked*: The limit iwir<=0.9 (marker) needs the audit that --design2a11y-no-audit*"]
    )
