"""Sites and answers, as tests and the command hand them over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

SITE = """<!doctype html><html lang="en"><title>Site</title><h1>Shown</h1>
<script>fetch("/greeting.txt").then((it) => it.text()).then((it) => document.body.append(it))</script></html>
"""


def test_the_root_by_marker_call_and_flag_and_answers_that_are_no_paths(project: Project) -> None:
    project.write("site/sub/page.html", SITE)
    project.write("site/greeting.txt", "Hello")
    project.test_file(
        """
        def text(capture):
            return " ".join(run.text for run in capture.text_runs)

        def test_found(render):
            assert text(render("site/sub/page.html")) == "Shown"

        def test_call(render):
            assert text(render("site/sub/page.html", root="site")) == "Shown Hello"

        @pytest.mark.design2a11y(root="site")
        def test_marker(render):
            assert text(render("site/sub/page.html")) == "Shown Hello"

        def test_answer(render):
            with pytest.raises(Exception, match="The answer is plain text, not a page"):
                render(html="designs/login.html")
            assert text(render(html="<h1>Own</h1>")) == "Own"

        def test_two_pages(render):
            with pytest.raises(Exception, match="render takes one page.*html= for HTML text"):
                render("a.html", html="<h1>Own</h1>")
        """
    )

    result = project.run()

    result.assert_outcomes(passed=5)


@pytest.mark.slow
def test_the_command_takes_a_root_and_a_root_for_each_line(project: Project) -> None:
    project.write("site/sub/page.html", SITE)
    project.write("site/greeting.txt", "Hello")
    lines = [
        {"id": "found", "reference": "site/sub/page.html", "candidate_html": SITE},
        {"id": "root", "reference": "site/sub/page.html", "candidate": "site/sub/page.html", "root": "site"},
        {
            "id": "bad",
            "reference": "site/sub/page.html",
            "candidate": "site/sub/page.html",
            "root": "nowhere",
        },
    ]
    project.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))

    printed = project.command("score", "--pairs", "pairs.jsonl", "--json").stdout
    found, root, bad = map(json.loads, printed.splitlines())

    assert found["candidate"] == "<html>"
    assert [warning["code"] for warning in found["warnings"]] == ["missing_files", "missing_files"]
    assert root["warnings"] == []
    assert "The root 'nowhere' is not a folder" in bad["error"]["message"]
    assert "--set root" in bad["error"]["message"]
