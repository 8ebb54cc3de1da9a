"""Run suites of many styles beside this package, each with the plugins that it names and no others.

    python -m studies.styles [--python python3.11] [--folder FOLDER] [--pytest pytest] [--only asyncio]

Makes four environments from the package index (pytest 8.2 and the newest, with pytest-playwright and with
pytest-playwright-asyncio), and in each runs the suites of `projects.py`. A suite is green where all of its
tests pass and the saved run has the numbers of each page that is to be measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from studies.styles import projects

ROOT = Path(__file__).parents[2]
OLDEST = "pytest==8.2.*"
PLUGINS = (
    *("pytest-asyncio", "anyio", "trio", "pytest-bdd", "pytest-xdist", "django", "pytest-django"),
    *("pytest-flask", "pytest-randomly", "pytest-timeout", "pytest-split"),
)
OUTCOMES = re.compile(r"(\d+) (passed|failed|errors?|skipped)")
LIMITS = ("--max-iwir=0.4", "--min-visual-similarity=0.8", "--design2a11y-save=matrix")
TIMEOUT = 300


@dataclass(frozen=True)
class Style:
    """A suite, and how it is run.

    Attributes:
        name: In the table.
        files: Of the suite, by name.
        passed: How many of its tests are to pass.
        measured: How many pages are to be measured, each against its design.
        plugins: Names of the plugins' entry points; None: whatever is installed is loaded.
        arguments: Of pytest.
        is_async: Whether it runs with pytest-playwright-asyncio, and pytest-playwright turned off.
    """

    name: str
    files: Mapping[str, str]
    passed: int
    measured: int
    plugins: tuple[str, ...] | None = ()
    arguments: tuple[str, ...] = ()
    is_async: bool = False


STYLES = (
    Style("no other plugin", projects.FILES, 5, 5),
    Style("pytest-playwright, live page", projects.LIVE, 2, 2, ("playwright",)),
    Style("pytest-playwright, files", projects.FILES, 5, 5, ("playwright",)),
    Style("pytest-asyncio", projects.ASYNCIO, 6, 8, ("asyncio",)),
    Style("anyio, asyncio and trio", projects.ANYIO, 3, 3, ("anyio",)),
    Style(
        "pytest-playwright-asyncio, files",
        projects.FILES,
        5,
        5,
        ("asyncio", "playwright-asyncio"),
        is_async=True,
    ),
    Style("pytest-bdd", projects.BDD, 1, 1, ("pytest-bdd",)),
    Style("unittest", projects.UNITTEST, 3, 3),
    Style("pytest-xdist", projects.FILES, 5, 5, ("xdist", "xdist.looponfail"), ("-n2",)),
    Style("pytest-xdist, pytest-asyncio", projects.ASYNCIO, 6, 8, ("xdist", "asyncio"), ("-n2",)),
    Style("Django, live_server", projects.DJANGO, 2, 1, ("django",)),
    Style("Flask, live_server", projects.FLASK, 1, 1, ("flask",)),
    Style("pytest-randomly", projects.FILES, 5, 5, ("randomly",)),
    Style("pytest-timeout, signal", projects.FILES, 5, 5, ("timeout",), ("--timeout=120",)),
    Style(
        "pytest-timeout, thread",
        projects.FILES,
        5,
        5,
        ("timeout",),
        ("--timeout=120", "--timeout-method=thread"),
    ),
    Style("pytest-split", projects.MANY, 2, 2, ("pytest-split",), ("--splits=2", "--group=1")),
    Style("all together, live page", projects.LIVE, 2, 2, None),
    Style("all together, asyncio", projects.ASYNCIO, 6, 8, None, is_async=True),
)


@dataclass(frozen=True)
class Row:
    """How a suite went."""

    style: Style
    pytest: str
    outcome: str
    measured: int
    seconds: float

    @property
    def is_green(self) -> bool:
        """Whether everything passed and was measured."""
        return self.outcome == f"{self.style.passed} passed" and self.measured == self.style.measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default="python3.11")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/design2a11y-styles"))
    parser.add_argument("--pytest", nargs="*", default=[OLDEST, "pytest"], help="what pip is to install")
    parser.add_argument("--only", default="", help="styles whose name has this in it")
    given = parser.parse_args()
    print("| pytest | style | tests | pages measured | s | |\n|---|---|---|---|---|---|", flush=True)
    rows = []
    for requirement, is_async in product(given.pytest, (False, True)):
        styles = [one for one in STYLES if one.is_async == is_async and given.only in one.name]
        python = environment(given.folder, given.python, requirement, is_async=is_async) if styles else Path()
        for style in styles:
            rows.append(run(style, python))
            print(line(rows[-1]), flush=True)
    raise SystemExit(f"{sum(row.is_green for row in rows)} of {len(rows)} green")


def environment(folder: Path, python: str, requirement: str, *, is_async: bool) -> Path:
    """Make an environment, unless it is there; give its Python."""
    plugin = "pytest-playwright-asyncio" if is_async else "pytest-playwright"
    home = folder / f"{requirement.strip('.*')}-{plugin}".replace("==", "-")
    own = home / "bin" / "python"
    if not own.exists():
        subprocess.run([python, "-m", "venv", home], check=True)
    subprocess.run([own, "-m", "pip", "install", "-q", requirement, plugin, *PLUGINS], check=True)
    subprocess.run([own, "-m", "pip", "install", "-q", ROOT], check=True)
    return own


def run(style: Style, python: Path) -> Row:
    """Run a suite."""
    project = python.parents[1] / "project"
    shutil.rmtree(project, ignore_errors=True)
    for name, text in {**projects.PAGES, **style.files}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text.lstrip(), encoding="utf-8")
    began = time.monotonic()
    finished = subprocess.run(
        [python, "-m", "pytest", *LIMITS, *plugin_arguments(style), *style.arguments],
        cwd=project,
        env=variables(style),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    row = Row(
        style,
        version(python),
        ", ".join(" ".join(found) for found in OUTCOMES.findall(finished.stdout.rpartition("\n=")[2])),
        num_measured(project),
        time.monotonic() - began,
    )
    if not row.is_green:
        print(finished.stdout[-6000:], finished.stderr[-2000:])
    return row


def plugin_arguments(style: Style) -> Iterator[str]:
    """Load this package and what the style names, where not everything is loaded."""
    if style.plugins is not None:
        for name in ("design2a11y", *style.plugins):
            yield from ("-p", name)
    elif style.is_async:
        yield from ("-p", "no:playwright")


def variables(style: Style) -> dict[str, str]:
    """Return the environment, in which plugins are not loaded by themselves where the style names them."""
    alone = {} if style.plugins is None else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return {**os.environ, **alone}


def version(python: Path) -> str:
    """Return the version of pytest in an environment."""
    program = "import pytest; print(pytest.__version__)"
    return subprocess.run([python, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def num_measured(project: Path) -> int:
    """Count the pages of the saved run that have a visual score and accessibility rates."""
    saved = project / ".design2a11y/runs/matrix.jsonl"
    if not saved.exists():
        return 0
    records = map(json.loads, saved.read_text(encoding="utf-8").splitlines()[1:])
    return sum(
        bool(one.get("visual") and one.get("accessibility") and not one.get("error")) for one in records
    )


def line(row: Row) -> str:
    """Return a line of the table."""
    cells = (row.pytest, row.style.name, row.outcome, str(row.measured), f"{row.seconds:.0f}")
    return f"| {' | '.join(cells)} | {'green' if row.is_green else 'RED'} |"


if __name__ == "__main__":
    main()
