"""What the documentation shows, done: the tutorial from its first line to its last, then every other page."""

from __future__ import annotations

import doctest
import os
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y import scorer
from tests.documentation import ROOT, RUN, RUN_ELSEWHERE, Block, blocks_of, pages, words_of

if TYPE_CHECKING:
    from tests.integration.conftest import Project

#: What the tutorial asks its reader to write, in the order of its commands.
EDITS: tuple[tuple[tuple[str, str], ...], ...] = (
    (),
    (('Email <input type="email">', '<label>Email <input type="email"></label>'), ("#9fb3c8", "#2c5282")),
    (("<h1>Welcome back</h1>", "<h1>Hello!</h1>"),),
)
#: Exit codes of commands, by what is in them; the largest counts.
EXIT_CODES = {"": 0, "--prompt prompt-b": 1}
#: Names of saved runs that the pages use besides `main`.
RUNS = ("candidate", "study", "v1", "v2", "v3", "prompt-v1", "prompt-v2", "prompt-v3", "prompt-v4")
TESTS = """
import pytest
from pytest_design2a11y import page_pairs

PAIRS = page_pairs("designs", "out/{model}/{prompt}/{case}.html")

@pytest.mark.parametrize(("reference", "candidate"), PAIRS, indirect=True)
def test_page(reference, candidate):
    assert candidate.text_runs
"""
#: What stands before code that leaves it out.
PREAMBLE = """
import asyncio, unittest
import pytest
from pytest_design2a11y import *
from pytest_design2a11y import AsyncScorer

@pytest.fixture
def anyio_backend():
    return "asyncio"

def fill_wrongly(page): page.fill("#mail", "ada")
open_dialog = fill_wrongly
"""


def run(folder: Path, command: str, *, code: int | None = None) -> str:
    """Run a command of the documentation in a folder; give what it printed."""
    program, *words = words_of(command)
    module = {"pytest": ["-m", "pytest"], "design2a11y": ["-m", "pytest_design2a11y"], "python": []}[program]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    result = subprocess.run(
        [sys.executable, *module, *words],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert code is None or result.returncode == code, (command, result.stdout[-3000:], result.stderr)
    return result.stdout + result.stderr


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """What the reader of the tutorial has written."""
    for block in blocks_of("docs/tutorial.md"):
        if block.language in ("html", "python"):
            (tmp_path / block.title).parent.mkdir(exist_ok=True)
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_the_tutorial_says_what_happens(written: Path) -> None:
    page = written / "generated" / "login.html"
    shown = [
        block.text.splitlines() for block in blocks_of("docs/tutorial.md") if block.language == "console"
    ]

    for edits, (command, *lines) in zip(EDITS, shown, strict=True):
        text = page.read_text(encoding="utf-8")
        for old, new in edits:
            assert old in text
            text = text.replace(old, new)
        page.write_text(text, encoding="utf-8")
        output = run(written, command.removeprefix("$ "))
        assert [line for line in lines if line.strip() not in output] == [], output

    assert (written / "report.html").exists()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with every page and saved run that the documentation names."""
    folder = tmp_path_factory.mktemp("site")
    (page,) = (one.text for one in blocks_of("docs/tutorial.md") if one.title == "designs/login.html")
    page = page.replace("<input", '<input id="mail"').replace("<button", '<button type="button"')
    cases = ("login", "signup", "article", "shop", "start")
    names = [f"designs/{case}.html" for case in cases] + [f"generated/{case}.html" for case in cases]
    names += ["shop.html", "new/shop.html", "design.html", "generated.html", "page.html", "signup.html"]
    names += ["site/index.html"]
    folders = [f"out/{model}/{prompt}" for model in ("large", "small") for prompt in ("v1", "v2")]
    names += [f"{one}/{case}.html" for one in folders for case in cases]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(page, encoding="utf-8")
    for name in ("pairs.jsonl", "PAIRS.jsonl"):
        line = '{"id": "a", "reference": "designs/login.html", "candidate": "generated/login.html"}\n'
        (folder / name).write_text(line, encoding="utf-8")
    (folder / "pages.txt").write_text("page.html\n", encoding="utf-8")
    shutil.copy(ROOT / "tests" / "data" / "figma-nodes.json", folder / "nodes.json")
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "pytest.ini").write_text("[pytest]\ntestpaths = test_pages.py\n", encoding="utf-8")
    (folder / "test_pages.py").write_text(TESTS, encoding="utf-8")
    run(folder, "pytest --design2a11y-save main", code=0)
    for name in RUNS:
        shutil.copy(folder / ".design2a11y/runs/main.jsonl", folder / f".design2a11y/runs/{name}.jsonl")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in pages() if name not in RUN_ELSEWHERE])
def test_every_block_of_a_page_runs(name: str, site: Path, project: Project) -> None:
    shutil.copytree(site, project.path, dirs_exist_ok=True)
    blocks = [block for block in blocks_of(name) if not block.reason]
    commands = [command for block in blocks for command in block.commands]
    if not any("compare" in command for command in commands):  # Else one model and prompt suffice.
        for others in ("out/small", "out/large/v2"):
            shutil.rmtree(project.path / others)

    for command in commands:
        if words_of(command)[0] in RUN:
            do(project, command, code=max(code for part, code in EXIT_CODES.items() if part in command))
    if code := [block for block in blocks if block.language == "python"]:
        (project.path / "test_blocks.py").write_text(PREAMBLE + "\n".join(as_tests(code)), encoding="utf-8")
        assert " passed" in run(project.path, "pytest test_blocks.py", code=0)
    for block in blocks:
        if block.language == "toml":
            tomllib.loads(block.text)


def do(project: Project, command: str, *, code: int) -> None:
    """Run a command in this process, where it costs half; an example, which may need plugins, as users do."""
    program, *words = words_of(command)
    if any(word.startswith("examples/") for word in words):
        run(project.path, command, code=code)
    else:
        ended = project.command(*words).returncode if program == "design2a11y" else project.run(*words).ret
        assert ended == code, command


def as_tests(blocks: list[Block]) -> Iterator[str]:
    """Return code of a page as a module of tests: tests as they are, all other lines as one test."""
    loose = []
    for block in blocks:
        text = block.text.replace("@pytest.mark.asyncio", "@pytest.mark.anyio")
        if text.startswith(("async with", "async for")):
            inner = f"async def inner():\n{textwrap.indent(text, '    ')}\nasyncio.run(inner())\n"
            text = "model_output = open('generated/login.html').read()\n" + inner
        if "def test_" in text or text.startswith("class "):
            text, _, rest = text.partition("\n\nrender(")
            yield text
            text = f"render({rest}" if rest else ""
        loose.append(text)
    if any(loose):
        yield "def test_the_rest(render):\n" + textwrap.indent("\n".join(loose), "    ")


@pytest.mark.slow
def test_the_prompt_example_goes_as_it_says(tmp_path: Path) -> None:
    folder = tmp_path / "prompt_regression"
    shutil.copytree(
        ROOT / "examples" / "prompt_regression", folder, ignore=shutil.ignore_patterns(".design2a11y")
    )
    blocks = list(blocks_of("examples/prompt_regression/README.md"))

    for block in blocks:
        for command in block.commands:
            is_failing = "  FAIL  " in block.text and command.startswith("pytest")
            run(folder, command, code=int(is_failing))

    assert sum("  FAIL  " in block.text for block in blocks) == 1


def test_the_docstrings_of_scorers_hold() -> None:
    results = doctest.testmod(scorer)

    assert (results.attempted > 0, results.failed) == (True, 0)
