"""The code blocks of the documentation, and which of them are not run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\s{2,}#\s.*$")
#: What begins a command that tests can run.
RUN = ("pytest", "design2a11y", "python")

#: Commands that tests do not run, by their first word, and what runs them.
NOT_RUN_HERE = {
    "pip": "installs: scripts/check_package installs the wheel",
    "playwright": "downloads a browser: the action and scripts/get_browser do",
    "make": "continuous integration calls each target",
    "curl": "the workflow's job `container`",
    "docker": "the workflow's job `container`",
    "git": "changes a repository",
}
#: Blocks that are not run, by page and by what they contain, and why.
NOT_RUN = {
    ("docs/agents.md", "mcpServers"): "a client's configuration; tests/integration/test_command_mcp.py",
    ("docs/agents.md", '"servers"'): "a client's configuration; tests/integration/test_command_mcp.py",
    ("docs/agents.md", "[mcp_servers"): "a client's configuration; tests/integration/test_command_mcp.py",
    ("examples/agent/README.md", "loop.py"): "tests/integration/test_command_mcp.py runs it",
    ("docs/architecture.md", "command | plugin"): "the layers that pyproject.toml has",
    ("README.md", ", required: "): "what a test printed; `make demo` prints it",
    ("docs/accessibility.md", "2 checks need"): "what a test printed",
    ("docs/accessibility.md", "16 of 91 checks"): "what `design2a11y audit` printed; its lines are tested",
    ("docs/ci.md", "uses:"): "GitHub's; the inputs that it names are checked",
    ("docs/ci.md", "include:"): "GitLab's; the inputs that it names are checked",
    ("docs/research.md", "design2a11y assets clip"): "605 MB of weights; tests/clip",
    (
        "docs/comparing-runs.md",
        "visual in main",
    ): "numbers of one run; tests/integration/test_command_plan.py",
    ("docs/comparing-runs.md", "import pandas"): "needs pandas, for which the package has no use",
    ("docs/in-tests.md", "fidelity 0.3710"): "what a test printed; tests/unit/report/test_failure_text.py",
    ("docs/sources.md", '"press"'): "steps as data; tests/integration/test_option_steps.py",
    ("docs/sources.md", '"schema": 1'): "read by tests/unit/source/test_design_blocks_file.py",
    ("docs/sources.md", "login.png"): "needs the extra `picture`; tests/browser/test_pictures.py",
    ("docs/sources.md", "login@2x.png"): "needs the extra `picture`; tests/browser/test_pictures.py",
    ("docs/ci.md", "playwright install"): "installs: scripts/check_package and scripts/get_browser do",
    ("docs/reports.md", "upload-sarif"): "GitHub's",
    ("docs/research.md", "--executor ray"): "needs a cluster; tests/integration/test_executor_ray.py",
    ("docs/sources.md", "assets record"): "needs other hosts; tests/integration/test_command_assets.py",
    ("docs/in-tests.md", "django_db"): "needs Django; run by `python -m studies.styles`",
    ("docs/tutorial.md", "uses:"): "GitHub's; the inputs that it names are checked",
}
#: What other tests run as a whole.
RUN_ELSEWHERE = {
    "docs/tutorial.md": "tests/integration/test_documentation.py, with what it prints",
    "examples/prompt_regression/README.md": "tests/integration/test_documentation.py, from its folder",
    "examples/responsive/README.md": "tests/integration/test_examples_of_states.py",
    "examples/states/README.md": "tests/integration/test_examples_of_states.py",
    "examples/async_tests/README.md": "tests/integration/test_styles.py",
}


@dataclass(frozen=True)
class Block:
    """A fenced block: the page that it is on, from the root, its language, title and text."""

    page: str
    language: str
    title: str
    text: str

    @property
    def reason(self) -> str:
        """Why it is not run; "" where it is."""
        for (page, part), reason in NOT_RUN.items():
            if page == self.page and part in self.text:
                return reason
        return ""

    @property
    def commands(self) -> tuple[str, ...]:
        """Command lines, without prompt, comment and what they print; () for code."""
        if self.language not in ("", "console"):
            return ()
        lines = self.text.replace("\\\n", " ").splitlines()
        shown = [line.removeprefix("$ ") for line in lines if self.language != "console" or line[:2] == "$ "]
        return tuple(_COMMENT.sub("", line).strip() for line in shown if line.strip())


def blocks_of(page: str) -> Iterator[Block]:
    """Return the blocks of a page in their order."""
    for found in _BLOCK.finditer((ROOT / page).read_text(encoding="utf-8")):
        yield Block(page, found[1], found[2] or "", found[3])


def pages() -> list[str]:
    """Return the pages for users that have blocks: all but the studies and what is for contributors."""
    paths = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md")]
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths)
    return [name for name in names if any(blocks_of(name))]


def words_of(command: str) -> list[str]:
    """Split a command line as a shell does; what is in brackets may be left out and is."""
    return shlex.split(re.sub(r"\[[^]]*\]", "", command).partition(" > ")[0])
