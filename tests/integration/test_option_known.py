"""--design2a11y-known and --design2a11y-update-known: old debt is tolerated and seen, new debt fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import BAD

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
def test_worse(render):
    render("worse/login.html")

def test_good(render):
    render("generated/login.html")
"""

CHANGED = """
def test_changed(render):
    render("worse/changed.html")
"""


def test_accepted_violations_pass_new_ones_fail_and_fixed_ones_are_stale(
    project: Project, workers: tuple[str, ...]
) -> None:
    project.test_file(TESTS + CHANGED)
    project.write("worse/changed.html", BAD)

    recorded = project.run("--design2a11y-known=known.toml", "--design2a11y-update-known", *workers)
    project.write(
        "worse/changed.html",
        BAD.replace("<form>", '<form><img src="x.png">').replace("<html>", "<html lang=en>"),
    )
    result = project.run("--design2a11y-known=known.toml", "--design2a11y-sarif=found.sarif", *workers)

    assert recorded.ret == 0
    recorded.stdout.fnmatch_lines(["worse/login.html: recorded, accepting *image-alt 1*", "wrote known.toml"])
    assert 'pages."worse/login.html".image-alt = 1' in (project.path / "known.toml").read_text()
    assert 'pages."generated/login.html" = {}' in (project.path / "known.toml").read_text()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*test_worse*0.6000*"])
    result.stdout.fnmatch_lines(["worse/login.html: image-alt fails on 1, 1 accepted"])
    result.stdout.fnmatch_lines(["*worse/changed.html: image-alt fails on 2, 1 accepted: 1 new*"])
    result.stdout.fnmatch_lines(["*worse/changed.html: html-has-lang fails on 0, 1 accepted: stale*"])
    assert "image-alt" in suppressed_rules(project.path / "found.sarif", "worse/login.html")
    assert "image-alt" not in suppressed_rules(project.path / "found.sarif", "worse/changed.html")


def suppressed_rules(path: Path, page: str) -> set[str]:
    results = json.loads(path.read_text())["runs"][0]["results"]
    own = [result for result in results if page in json.dumps(result["locations"])]
    assert own
    return {result["ruleId"] for result in own if "suppressions" in result}


@pytest.mark.slow
def test_what_is_new_fails_one_of_several_samples_too(project: Project) -> None:
    page = (project.path / "generated/login.html").read_text()
    (project.path / "generated/login.html").unlink()
    for sample in (1, 2):
        project.write(f"generated/login/{sample}.html", page)
    project.test_file(
        """
        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("designs", "generated"), indirect=True
        )
        def test_page(reference, candidate):
            pass
        """
    )

    project.run("--design2a11y-known=known.toml", "--design2a11y-update-known")
    project.write("generated/login/2.html", page.replace("<form>", '<form><img src="x.png">'))
    result = project.run("--design2a11y-known=known.toml")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["generated/login/2.html: image-alt fails on 1, 0 accepted: 1 new"])


@pytest.mark.slow
def test_a_page_never_seen_is_not_yet_recorded_rather_than_clean(project: Project) -> None:
    project.write("known.toml", "schema = 1\n")
    project.test_file(TESTS)

    result = project.run("--design2a11y-known=known.toml")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["worse/login.html: not yet recorded, * failures; *--design2a11y-update-known*"]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--design2a11y-known=nowhere.toml"], "*nowhere.toml does not exist*"),
        (["--design2a11y-update-known"], "*--design2a11y-update-known needs --design2a11y-known FILE.*"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(project: Project, arguments: list[str], message: str) -> None:
    project.test_file(TESTS)

    result = project.run_here(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
