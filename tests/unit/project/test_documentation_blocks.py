"""Every code block of the documentation is run or says why not, and names what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_design2a11y.command.shell import _parser
from pytest_design2a11y.settings.configuration import OPTIONS
from tests.documentation import (
    NOT_RUN,
    NOT_RUN_HERE,
    ROOT,
    RUN,
    RUN_ELSEWHERE,
    blocks_of,
    pages,
    words_of,
)

#: What stands around a part of a workflow, which is indented to fit.
WHOLE, JOB, STEPS = "", "on: push\njobs:\n  pages:\n    runs-on: ubuntu-24.04\n", "    steps:\n"

#: Flags of pytest and of its other plugins.
OF_OTHERS = {"--prompt", "--html", "--junitxml"}
OF_PYTEST = {option.pytest_flag for option in OPTIONS} | OF_OTHERS

#: Options whose value is a path.
PATHS = {option.pytest_flag for option in OPTIONS if option.metavar in ("FILE", "FOLDER", "PATH")}


def test_every_block_is_code_that_is_run_or_has_a_reason() -> None:
    unknown = [
        block
        for page in pages()
        if page not in RUN_ELSEWHERE
        for block in blocks_of(page)
        if not block.reason and block.language not in ("", "console", "python", "toml")
    ]
    programs = {
        words_of(command)[0]
        for page in pages()
        for block in blocks_of(page)
        if not block.reason
        for command in block.commands
    }

    assert unknown == []
    assert programs <= {*RUN, *NOT_RUN_HERE}


def test_no_reason_is_left_over() -> None:
    assert [
        (page, part) for page, part in NOT_RUN if not any(part in block.text for block in blocks_of(page))
    ] == []


@pytest.mark.parametrize("name", pages())
def test_commands_take_the_flags_that_they_are_shown_with(name: str) -> None:
    for block in blocks_of(name):
        for command in block.commands:
            program, *words = words_of(command) or [""]
            if program == "design2a11y":
                _parser().parse_args(words)
            elif program == "pytest":
                flags = {word.partition("=")[0] for word in words if word.startswith("--")}
                assert flags <= OF_PYTEST, command
                # pytest takes a path that is a word of its own for a test, and moves its root folder there.
                assert PATHS.isdisjoint(words), command


def test_flags_that_are_named_in_passing_exist() -> None:
    named = {
        (path.name, flag)
        for path in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md")]
        for flag in re.findall(r"--design2a11y-[a-z0-9-]+", path.read_text(encoding="utf-8"))
    }

    assert len(named) > 30
    assert {one for one in named if one[1] not in OF_PYTEST} == set()


@pytest.mark.parametrize(
    ("name", "file", "given"),
    [
        ("docs/tutorial.md", "action.yml", r"^ {10}([\w-]+):\s"),
        ("docs/ci.md", "action.yml", r"^ {6}([\w-]+):\s"),
        ("docs/ci.md", "gitlab.yml", r"[{,] ?([\w-]+): "),
    ],
)
def test_inputs_of_the_action_and_of_the_template_exist(name: str, file: str, given: str) -> None:
    inputs = re.split(r"^outputs:|^---", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    declared = set(re.findall(r"^ +([\w-]+):", inputs, re.MULTILINE))
    begin = "with:" if file == "action.yml" else "inputs:"
    shown = next(block.text.partition(begin)[2] for block in blocks_of(name) if begin in block.text)
    found = set(re.findall(given, shown, re.MULTILINE))

    assert "baseline" in found
    assert found <= declared


@pytest.mark.parametrize(
    ("name", "part", "schema", "around"),
    [
        ("docs/tutorial.md", "uses:", "github-workflows", WHOLE),
        ("docs/ci.md", "uses:", "github-workflows", JOB),
        ("docs/reports.md", "upload-sarif", "github-workflows", JOB + STEPS),
        ("docs/ci.md", "include:", "gitlab-ci", WHOLE),
    ],
)
def test_workflows_fit_the_schema_of_their_forge(
    name: str, part: str, schema: str, around: str, tmp_path: Path
) -> None:
    pytest.importorskip("check_jsonschema")
    shown = next(block.text for block in blocks_of(name) if part in block.text)
    indent = " " * 4 if around else ""
    workflow = tmp_path / "workflow.yml"
    workflow.write_text(around + re.sub("^", indent, shown, flags=re.MULTILINE), encoding="utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]

    checked = subprocess.run([*check, str(workflow)], capture_output=True, text=True, check=False)

    assert checked.returncode == 0, checked.stdout


def test_the_documentation_has_twenty_pages_at_most_and_the_readme_leads_to_each() -> None:
    names = {path.name for path in ROOT.glob("docs/*.md")}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(names) <= 20
    assert {name for name in names if f"(docs/{name}" not in readme} == set()
