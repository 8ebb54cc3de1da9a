"""A small project with designs and generated pages, in which pytest runs as users run it."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

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


class Project:
    """Files in a temporary folder, and pytest run on them in a process of its own."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path: Path = pytester.path
        self.write("designs/login.html", DESIGN)
        self.write("generated/login.html", GOOD)
        self.write("worse/login.html", BAD)

    def write(self, name: str, text: str) -> Path:
        """Write a file, and its folders."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def test_file(self, body: str) -> Path:
        """Write the test module, with what tests use imported: the rest takes most of a second to load."""
        return self.write(
            "test_pages.py",
            f"import pytest\nfrom pytest_design2a11y import {USUAL_NAMES}\n\n" + textwrap.dedent(body),
        )

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest."""
        return self.pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments, timeout=240)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with one design, one good candidate and one bad one."""
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path("~/.cache/ms-playwright").expanduser())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(browsers))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    # They take a second of every session to load.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:anyio")
    return Project(pytester)


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
        # Quick tests of xdist are in test_xdist.py and test_report_outputs.py.
        pytest.param(("-n", "2"), id="xdist", marks=pytest.mark.slow),
    ]
)
def workers(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Arguments for a run in this process, and for one in two workers."""
    parameters: tuple[str, ...] = request.param
    return parameters
