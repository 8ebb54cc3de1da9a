"""--design2a11y-html, --design2a11y-findings, GitHub Actions, and the commands on a saved run."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAIRS = """
@pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "worse"), indirect=True)
def test_page(reference, candidate):
    pass

def test_good(render):
    reference = render("designs/login.html", role="reference")
    assert_visual_similarity(reference, render("generated/login.html")) > 0.5
"""

OUTPUTS = (
    "--design2a11y-html=out/report.html",
    "--design2a11y-findings=out/found.sarif",
)


def islands(page: str) -> dict[str, str]:
    return dict(re.findall(r'<script type="[^"]+" id="([^"]+)">(.*?)</script>', page))


def written(project: Project, *workers: str) -> dict[str, str]:
    """Run both tests, of which one fails, and read what was written."""
    project.test_file(PAIRS)
    result = project.run(
        *OUTPUTS, "--design2a11y-save=main", "--min-visual-similarity=0.9", *workers, "-p", "no:playwright"
    )
    result.assert_outcomes(passed=1, failed=1)
    return {path.name: path.read_text(encoding="utf-8") for path in (project.path / "out").iterdir()}


def test_every_output_is_written_when_tests_fail(project: Project) -> None:
    """The commands on the saved run give the same again."""
    files = written(project)

    found = islands(files["report.html"])
    cases = [json.loads(text) for id, text in found.items() if id.startswith("page-")]
    assert sorted(case["state"] for case in cases) == ["fail", "pass"]
    assert {picture for case in cases for picture in case["pictures"].values()} == {
        f"#{id}" for id in found if id.startswith("picture-")
    }
    rules = {one["ruleId"] for one in json.loads(files["found.sarif"])["runs"][0]["results"]}
    assert {"image-alt", "label", "button-name", "html-has-lang"} <= rules
    assert_reported_and_gives_feedback(project)


@pytest.mark.slow
def test_every_output_is_the_same_under_xdist(project: Project) -> None:
    here, apart = written(project), written(project, "-n", "2")

    assert islands(here["report.html"]) == islands(apart["report.html"])
    assert here["found.sarif"] == apart["found.sarif"]


def assert_reported_and_gives_feedback(project: Project) -> None:
    written = project.command("report", "main", "-o", "later.html")
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "wrote later.html\n")
    found = islands((project.path / "later.html").read_text(encoding="utf-8"))
    records = map(
        json.loads,
        project.command("feedback", "main", "login", "--no-try", "--json", "--full").stdout.splitlines(),
    )
    record = max(records, key=lambda one: len(one["items"]))

    cases = [json.loads(text) for id, text in found.items() if id.startswith("page-")]
    case = next(case for case in cases if case["state"] == "fail")
    assert sum(group["count"] for group in case["groups"]) > 3
    assert len([id for id in found if id.startswith("picture-")]) == 3
    items = {rule: item for item in record["items"] for rule in item["repairs"]}
    added = [edit["html"] for item in record["items"] for edit in item["edits"] if "html" in edit]
    assert any("Welcome back" in html for html in added)
    assert items["label"]["edits"][0]["name"] == '<input type="email">'
    assert items["image-alt"]["name"].startswith("image-alt: Give every image an alt text")


@pytest.mark.slow
def test_github_gets_a_summary_and_annotations_in_its_actions_only(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.test_file(PAIRS)
    summary = project.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    outside = project.run_apart("--min-visual-similarity=0.9", "-k", "login")
    assert not summary.exists()
    assert "::error" not in outside.stdout.str()

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    inside = project.run_apart("--min-visual-similarity=0.9", "-k", "login")
    assert summary.read_text(encoding="utf-8").startswith("### design2a11y")
    title = r"design2a11y%3A visual 0\.\d+ < 0\.90 \(--min-visual-similarity\)"
    inside.stdout.re_match_lines([rf"^::error file=worse/login\.html,title={title}::.*"])
