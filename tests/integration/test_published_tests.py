"""A page that failed by its own fault counts as a white one in tests too (`--design2a11y-published`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_a_broken_page_counts_as_a_white_one_in_tests_as_in_pairs(project: Project) -> None:
    project.write("generated/broken.html", "I'm sorry, but I can't help with that.")
    project.test_file(
        """
def test_broken(render):
    render("designs/login.html", role="reference")
    render("generated/broken.html")
"""
    )
    pair = {"id": "broken", "reference": "designs/login.html", "candidate": "generated/broken.html"}
    project.write("pairs.jsonl", json.dumps(pair))

    result = project.run("--design2a11y-published=design2code", "--design2a11y-save=now")
    scored = project.command("score", "--pairs", "pairs.jsonl", "--published", "design2code", "--json")

    result.assert_outcomes(failed=1)
    saved = json.loads((project.path / ".design2a11y/runs/now.jsonl").read_text().splitlines()[1])
    expected = json.loads(scored.stdout)
    assert saved["error"]["type"] == expected["error"]["type"] == "NotHtml"
    assert saved["visual"]["score"] == expected["visual"]["score"]
    assert saved["visual"]["text"] == 0.0
    assert [warning["code"] for warning in saved["warnings"]] == ["counted_as_white"]
