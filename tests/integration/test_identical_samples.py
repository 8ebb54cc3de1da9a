"""Samples that are the same byte for byte, as a run tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.conftest import GOOD

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_a_run_tells_identical_samples_in_the_terminal_and_in_its_report(project: Project) -> None:
    for sample in (1, 2, 3):
        project.write(f"out/login/{sample}.html", GOOD)
    project.test_file(
        """
        @pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "out"), indirect=True)
        def test_page(reference, candidate):
            assert_visual_similarity(reference, candidate) > 0.5
        """
    )

    result = project.run("--design2a11y-html=report.html")

    result.assert_outcomes(passed=3)
    told = "2 of 3 samples repeat another of their case byte for byte (in 1 case): the effective number of "
    told += "samples is 1, 1 a case"
    result.stdout.fnmatch_lines([f"*{told}"])
    assert told in (project.path / "report.html").read_text()
