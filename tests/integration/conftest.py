"""A small project with designs and generated pages, in which pytest runs as users run it."""

from __future__ import annotations

import io
import os
import shutil
import textwrap
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import PIL.Image
import pytest

import pytest_design2a11y
from pytest_design2a11y import registry
from tests.one_browser import OneBrowser

DESIGN = """<!doctype html>
<html lang="en"><head><title>Sign in</title><style>
body { font: 16px sans-serif; margin: 40px; color: #222; background: #fff }
label, input { display: block; margin: 8px 0 }
button { background: #0b5; color: #000; padding: 8px 24px; border: 0 }
</style></head><body><main><h1>Sign in to your account</h1>
<p>Welcome back. Please enter your details below.</p>
<form><label for="mail">E-mail address</label><input id="mail" type="email">
<label for="word">Password</label><input id="word" type="password">
<button>Continue</button></form>
<p>No account yet? <a href="#">Create one for free</a></p></main></body></html>
"""

GOOD = DESIGN.replace("margin: 40px", "margin: 44px")

# Half of the text is gone, the rest has moved and is faint, a picture and a field have no name.
BAD = """<!doctype html>
<html><head><title>Sign in</title><style>
body { font: 16px sans-serif; margin: 300px 40px 40px 500px; color: #bbb; background: #fff }
</style></head><body><h1>Sign in to your account</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<form><input type="email"><button></button></form></body></html>
"""

USUAL_NAMES = ", ".join(
    (
        "assert_accessible",
        "assert_ir",
        "assert_iwir",
        "assert_visual_similarity",
        "audit",
        "page_pairs",
        "visual_similarity",
    )
)


@dataclass(frozen=True)
class Finished:
    """What came of a `design2a11y` command."""

    returncode: int
    stdout: str
    stderr: str


class Project:
    """Files in a temporary folder, and pytest run on them in a process of its own."""

    def __init__(self, pytester: pytest.Pytester, one_browser: OneBrowser, captures: Path) -> None:
        self.pytester = pytester
        self._browser = one_browser
        self.path: Path = pytester.path
        for cache in (".design2a11y/cache", ".pytest_cache/d/design2a11y"):
            (self.path / cache).mkdir(parents=True)
            (self.path / cache / "captures").symlink_to(captures)
        self.write("designs/login.html", DESIGN)
        self.write("generated/login.html", GOOD)
        self.write("worse/login.html", BAD)

    def write(self, name: str, text: str) -> Path:
        """Write a file, and its folders."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def block(self, folder: str) -> None:
        """Write a file in a folder's place."""
        shutil.rmtree(self.path / folder)
        self.write(folder, "a file in the way of the folder")

    def test_file(self, body: str, name: str = "test_pages.py") -> Path:
        """Write a test module, with what tests use imported: the rest takes most of a second to load."""
        return self.write(
            name,
            f"import pytest\nfrom pytest_design2a11y import {USUAL_NAMES}\n\n" + textwrap.dedent(body),
        )

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process, which costs half; in one of its own where there are workers.

        pytest-playwright is left out: it cannot run tests within a test.
        """
        if any(argument.startswith("-n") for argument in arguments):
            return self.run_apart(*arguments)
        return self.run_here("-p", "no:playwright", *arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in a process of its own, with all plugins, as users do."""
        return self.pytester.runpytest_subprocess(*arguments, timeout=240)

    def run_here(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process; for what renders nothing, pytest-playwright may be there."""
        with warnings.catch_warnings():
            warnings.resetwarnings()  # Of the tests outside, each is an error.
            return self.pytester.runpytest_inprocess(*arguments)

    def command(self, *arguments: str) -> Finished:
        """Run `design2a11y` in this process, from the project's folder.

        `test_command_line.py` starts it as users do.
        """
        printed, told = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in "ab")
        with redirect_stdout(printed), redirect_stderr(told):
            code = self._browser.submit(partial(_exit_code, arguments)).result()
        registry.forget_taken()
        return Finished(code, *(stream.buffer.getvalue().decode() for stream in (printed, told)))


def _exit_code(arguments: tuple[str, ...]) -> int:
    from pytest_design2a11y.command.main import main

    try:
        return main(arguments)
    except SystemExit as ended:
        return int(str(ended.code))


@pytest.fixture(scope="session", autouse=True)
def _imported() -> None:
    """Import all that runs here may: pytester forgets what is imported later, and numpy is imported once."""
    for found in walk_packages(pytest_design2a11y.__path__, "pytest_design2a11y."):
        with suppress(ImportError):
            if not found.name.endswith("__main__"):
                import_module(found.name)
    with suppress(ImportError):
        import_module("omegaconf")  # rapidocr loads it, and with it PyYAML, which must not be loaded twice
    PIL.Image.init()


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where captures of references are kept for all projects: most have the same design."""
    return tmp_path_factory.mktemp("captures")


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, in_one_browser: OneBrowser, captures: Path
) -> Project:
    """A project with one design, one good candidate and one bad one."""
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path("~/.cache/ms-playwright").expanduser())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    # They take a second of every session to load.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:anyio")
    return Project(pytester, in_one_browser, captures)


@pytest.fixture
def two_pages(project: Project) -> Project:
    """The project with a test of the good page and one of the bad page, which assert nothing."""
    project.test_file(
        """
        def test_good(render):
            render("designs/login.html", role="reference")
            render("generated/login.html")

        def test_bad(render):
            render("designs/login.html", role="reference")
            render("worse/login.html")
        """
    )
    return project


@pytest.fixture(
    params=[
        pytest.param((), id="one-process"),
        # The quick test of xdist is in test_own_metrics.py.
        pytest.param(("-n", "2"), id="xdist", marks=pytest.mark.slow),
    ]
)
def workers(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Arguments for a run in this process, and for one in two workers."""
    parameters: tuple[str, ...] = request.param
    return parameters
