"""--design2a11y-probes: off by default, a limit, saved runs, all reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAGE = """<!doctype html><html lang="en"><title>Page</title><style>:focus { outline: none }</style>
<main><h1>Heading</h1><a href="#a">Some link</a></main></html>"""

TESTS = """
def test_probed(render):
    render("page.html")

def test_without(render):
    render("page.html", probes="none")
"""


def test_probes_are_a_metric_with_a_limit_and_told_in_every_report(project: Project) -> None:
    project.write("page.html", PAGE)
    project.test_file(TESTS)

    result = project.run(
        "--design2a11y-probes=keyboard,names",
        "--design2a11y-require=probe_failures<=0",
        *(
            "--design2a11y-save=probed",
            "--design2a11y-html=report.html",
            "--design2a11y-findings=found.sarif",
        ),
    )

    text = result.stdout.str()
    assert "probe_failures is 1, required: at most 0 (--design2a11y-require)" in text
    assert "keyboard-focus-visible (WCAG 2.4.7, serious): 1 failed" in text
    assert "probe keyboard: 1 failed (1 serious) on 1 of 1 page, 0 for a person to judge" in text
    assert "probe_failures<=0 could not be judged" in text
    lines = (project.path / ".design2a11y/runs/probed.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    (saved,) = [one for one in map(json.loads, lines) if "probes" in one]
    assert saved["probes"]["keyboard"]["failed"] == 1
    assert saved["settings"] is not None
    assert "keyboard-focus-visible" in (project.path / "report.html").read_text(encoding="utf-8")
    assert "keyboard-focus-visible" in (project.path / "found.sarif").read_text(encoding="utf-8")
