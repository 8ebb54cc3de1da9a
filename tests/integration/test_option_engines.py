"""--design2a11y-engines, and -htmlcs-script, in pytest and in the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
def test_page(render):
    assert_ir(render("worse/login.html")) < 0.9
"""


def test_a_second_engine_is_told_beside_axe_and_saved(project: Project) -> None:
    project.test_file(TESTS)

    result = project.run("--design2a11y-engines=axe,htmlcs", "--design2a11y-save=both")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "HTML_CodeSniffer: 5 failed (2 serious, 3 critical) on 1 of 1 page, in no rate of axe-core's",
            "*, axe-core *, HTML_CodeSniffer 2.5.1*",
        ]
    )
    line = (project.path / ".design2a11y/runs/both.jsonl").read_text(encoding="utf-8").splitlines()[1]
    saved = json.loads(line)
    assert saved["engines"]["htmlcs"]["failed"] == 5


def test_the_command_gives_json_and_refuses_what_is_not_the_engine(project: Project) -> None:
    project.write("other.js", "var HTMLCS = {};")

    audit = ("audit", "worse/login.html", "--json")
    both = ("--engines", "axe,htmlcs")

    record = json.loads(project.command(*audit, *both).stdout)
    refused = json.loads(project.command(*audit, *both, "--set", "htmlcs_script=other.js").stdout)

    assert record["engines"]["htmlcs"]["checked"] is None
    assert record["settings"]["engines"] == {"htmlcs": "2.5.1"}
    assert record["accessibility"]["failed"] == record["engines"]["axe"]["failed"]
    assert refused["error"]["type"] == "HtmlcsError"
    assert "(--set htmlcs_script)" in refused["error"]["message"]


def test_what_engines_found_can_be_limited_ranked_and_exported(project: Project) -> None:
    project.test_file(TESTS)
    both = "--design2a11y-engines=axe,htmlcs"

    kept = project.run(both, "--design2a11y-require=failed_htmlcs<=5", "--design2a11y-save=first")
    broken = project.run(both, "--design2a11y-require=failed_htmlcs<=4", "--design2a11y-save=second")
    alone = project.run("--design2a11y-require=failed_htmlcs<=4")
    table = project.command("runs", "export", "first").stdout
    ranking = project.command("compare", "first", "second", "--rank", "--rank-by", "failed_htmlcs")
    gated = project.command("compare", "first", "second", "--fail-on", "failed_htmlcs", "--json")

    kept.assert_outcomes(passed=1)
    broken.assert_outcomes(failed=1)
    broken.stdout.fnmatch_lines(["failed_htmlcs is 5, required: at most 4 *"])
    alone.stderr.fnmatch_lines(["*failed_htmlcs<=4 (command line) needs the engine htmlcs.*"])
    assert "failed_htmlcs,5.0,\n" in table
    broken.stdout.fnmatch_lines(["  label (critical, 1 element): *", "  and 4 more rules: *"])
    assert "failed_htmlcs (lower is better; 1 case)" in ranking.stdout
    assert json.loads(gated.stdout)["gates"][0]["gate"].startswith("failed_htmlcs")
