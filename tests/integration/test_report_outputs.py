"""--design2a11y-html, --design2a11y-sarif, --junitxml, GitHub Actions, and the commands on a saved run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

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
    "--design2a11y-sarif=out/found.sarif",
    "--junitxml=out/tests.xml",
)


def islands(page: str) -> dict[str, str]:
    return dict(re.findall(r'<script type="[^"]+" id="([^"]+)">(.*?)</script>', page))


def command(folder: Path, *arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "pytest_design2a11y", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_every_output_is_written_when_tests_fail_and_is_the_same_under_xdist(project: Project) -> None:
    project.test_file(PAIRS)
    written = []

    for workers in ((), ("-n", "2")):
        result = project.run(*OUTPUTS, "--min-visual-similarity=0.9", *workers)
        result.assert_outcomes(passed=1, failed=1)
        files = {path.name: path.read_text(encoding="utf-8") for path in (project.path / "out").iterdir()}
        written.append(files)

    for files in written:
        found = islands(files["report.html"])
        cases = [json.loads(text) for id, text in found.items() if id.startswith("case-")]
        assert sorted(case["state"] for case in cases) == ["fail", "pass"]
        assert {picture for case in cases for picture in case["pictures"].values()} == {
            id for id in found if id.startswith("picture-")
        }
        rules = {one["ruleId"] for one in json.loads(files["found.sarif"])["runs"][0]["results"]}
        assert {"image-alt", "label", "button-name", "html-has-lang"} <= rules
    assert islands(written[0]["report.html"]) == islands(written[1]["report.html"])
    assert written[0]["found.sarif"] == written[1]["found.sarif"]
    properties = [
        {
            (one.get("name"), one.get("value"))
            for one in ElementTree.fromstring(files["tests.xml"]).iter("property")
        }
        for files in written
    ]
    assert properties[0] == properties[1]
    assert {"design2a11y.visual", "design2a11y.iwir"} <= {name for name, _ in properties[0]}


@pytest.mark.slow
def test_github_gets_a_summary_and_annotations_in_its_actions_only(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.test_file(PAIRS)
    summary = project.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    outside = project.run("--min-visual-similarity=0.9", "-k", "login")
    assert not summary.exists()
    assert "::error" not in outside.stdout.str()

    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    inside = project.run("--min-visual-similarity=0.9", "-k", "login")
    assert summary.read_text(encoding="utf-8").startswith("### design2a11y")
    inside.stdout.re_match_lines([r"^::error file=worse/login\.html,title=design2a11y%3A limit broken::.*"])


def test_a_saved_run_can_be_reported_and_gives_feedback(project: Project) -> None:
    project.test_file(PAIRS)
    project.run("--design2a11y-save=main", "-k", "login")

    command(project.path, "report", "main", "-o", "later.html")
    found = islands((project.path / "later.html").read_text(encoding="utf-8"))
    record = json.loads(command(project.path, "feedback", "main", "login", "--json"))

    case = json.loads(found["case-0"])
    assert len(case["blocks"]) > 3
    assert len([id for id in found if id.startswith("picture-")]) == 2
    fixes = {fix["kind"]: fix for fix in record["fixes"]}
    assert any("welcome back" in place["sentence"] for place in fixes["missing"]["places"])
    assert fixes["label"]["places"][0]["sentence"] == '<input type="email">'
    assert fixes["image-alt"]["advice"].startswith("Give every image an alt text")
