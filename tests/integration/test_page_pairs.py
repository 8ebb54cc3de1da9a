"""`page_pairs`: which folders it takes, what its cases are called, and what a missing page is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAIRS = """
import pytest
from pytest_design2a11y import page_pairs

@pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "generated"), indirect=True)
def test_{name}(reference, candidate):
    pass
"""


def saved(project: Project) -> list[dict[str, Any]]:
    path = project.path / ".design2a11y" / "runs" / "main.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_pages_of_one_name_are_two_cases_and_a_missing_generation_is_one_that_was_not_measured(
    project: Project,
) -> None:
    page = (project.path / "designs/login.html").read_text(encoding="utf-8")
    for package in ("shop", "blog"):
        for folder in ("designs", "generated"):
            project.write(f"packages/{package}/{folder}/login.html", page)
            project.write(f"packages/{package}/{folder}/{package}.html", page)
        project.write(f"packages/{package}/test_{package}.py", PAIRS.format(name=package))

    project.write("designs/about.html", page)
    project.write("test_pages.py", PAIRS.format(name="page"))

    result = project.run(
        *("--design2a11y-save=main", "--import-mode=importlib", "-k", "login or about", "--max-iwir=0.9")
    )

    result.assert_outcomes(passed=3, errors=1, deselected=2)
    result.stdout.fnmatch_lines(["E *SourceNotFound: There is no file '*generated/about.html'*"])
    cases = {one["case"]: one for one in saved(project)}
    about, login = (cases.pop(name) for name in ("designs/about", "designs/login"))
    assert sorted(cases) == ["packages/blog/designs/login", "packages/shop/designs/login"]
    assert (about["error"]["role"], about["reference"]) == ("candidate", "designs/about.html")
    assert login.get("error") is None


def test_folders_without_designs_end_the_collection_with_what_to_do(project: Project) -> None:
    (project.path / "designs/login.html").unlink()
    (project.path / "generated/login.html").unlink()
    project.write("test_pages.py", PAIRS.format(name="page"))

    result = project.run_here()

    assert result.ret == 2
    result.stdout.fnmatch_lines(
        ["E *There are no pages in the reference folder */designs. Put the designs there."]
    )


def test_both_folders_are_taken_from_the_same_place(project: Project) -> None:
    project.write("suite/designs/other.html", "<h1>Not these</h1>")
    project.write("suite/test_pages.py", PAIRS.format(name="page"))

    result = project.run_here("--co", "-q")

    result.stdout.fnmatch_lines(["suite/test_pages.py::test_page[[]chromium-login[]]"])
