"""What people get wrong first: each message shows their own line, and names the fix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Project

OURS = ("pytest_design2a11y/", "concurrent/futures", "playwright/_impl")


def told(project: Project, body: str, *arguments: str) -> str:
    """Run one test that fails, and return what pytest prints."""
    project.test_file(body)
    result = project.run(*arguments)
    result.assert_outcomes(**({"errors": 1} if "fixture" in body else {"failed": 1}))
    return result.stdout.str()


MISTAKES = {
    "missing": ('render("generated/nothing.html")', "There is no file 'generated/nothing.html'"),
    "refused": ('render("http://127.0.0.1:9/")', "could not be loaded"),
    "unseen": ('render("generated/login.html", wait_for="#never")', "No element '#never' shows"),
    "argument": ('render("generated/login.html", nonsense=1)', "render does not take nonsense"),
    "step": (
        'render("generated/login.html", steps=lambda page: 1 / 0)',
        "Step 1 (<lambda>) failed: ZeroDivisionError",
    ),
}


def test_an_error_of_render_shows_the_users_line_and_no_stack_of_ours(project: Project) -> None:
    project.test_file(
        "".join(f"def test_{name}(render):\n    {line}\n\n" for name, (line, _) in MISTAKES.items())
    )

    result = project.run()

    result.assert_outcomes(failed=len(MISTAKES))
    _, *parts = re.split(r"^_+ test_(\w+) _+$", result.stdout.str(), flags=re.MULTILINE)
    printed = dict(zip(parts[::2], parts[1::2], strict=True))
    for name, (line, message) in MISTAKES.items():
        assert f">       {line}" in printed[name]
        assert message in printed[name]
        assert [ours for ours in OURS if ours in printed[name]] == []


def test_an_error_of_a_page_that_a_marker_names_is_its_message(project: Project) -> None:
    printed = told(
        project,
        """
        @pytest.mark.design2a11y(reference="designs/none.html", candidate="generated/login.html")
        def test_fixture(reference, candidate):
            pass
        """,
    )

    assert "There is no file 'designs/none.html'" in printed
    assert [name for name in OURS if name in printed] == []


def test_the_stack_is_there_for_those_who_want_it(project: Project) -> None:
    printed = told(project, 'def test_page(render):\n    render("none.html")\n', "--full-trace")

    assert "pytest_design2a11y/source/files.py" in printed


def test_folders_that_cannot_be_paired_show_the_users_line(project: Project) -> None:
    project.test_file("PAIRS = page_pairs('designs', 'nowhere')")

    printed = project.run_here().stdout.str()

    assert "There is no candidate folder" in printed
    assert "PAIRS = page_pairs('designs', 'nowhere')" in printed
    assert "runs/cases.py" not in printed


def test_a_missing_browser_is_said_once_and_ends_the_session(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.parametrize("number", range(12))
        def test_page(render, number):
            render("generated/login.html")
        """
    )

    result = project.run("--design2a11y-chromium=/nowhere/chromium")

    result.assert_outcomes(failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*!!! there is no browser to render pages with !!!*"])
    assert len(result.stdout.lines) < 40


def test_a_forgotten_indirect_is_named(project: Project) -> None:
    printed = told(
        project,
        """
        @pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "generated"))
        def test_page(reference, candidate):
            assert_visual_similarity(reference, candidate) > 0.5
        """,
    )

    assert "reference is the path or text '" in printed
    assert "@pytest.mark.parametrize(('reference', 'candidate'), ..., indirect=True)." in printed


def test_two_folders_are_paired_by_name_and_a_folder_may_be_a_page(project: Project) -> None:
    for name in ("designs/home/index.html", "generated/home/index.html"):
        project.write(name, (project.path / "designs/login.html").read_text())

    folders = project.command("score", "designs", "generated", "--no-audit", "--json")
    pages = project.command("score", "designs/home", "generated/home", "--no-audit", "--json")
    mixed = project.command("score", "designs", "generated/login.html")

    assert (folders.returncode, folders.stdout.count("\n")) == (0, 2)
    assert '"case": "designs/home"' in folders.stdout
    assert (pages.returncode, pages.stdout.count("\n")) == (0, 1)
    assert (mixed.returncode, mixed.stdout) == (2, "")
    assert (
        "designs is a folder of pages, and generated/login.html is not. Give two pages, or two"
        in mixed.stderr
    )


def test_a_drawing_is_a_design_in_a_window_of_its_size(project: Project) -> None:
    project.write(
        "designs/logo.svg",
        """<?xml version="1.0"?>
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1440 900">
        <rect width="1440" height="900" fill="#eef"/>
        <text x="100" y="100" font-size="32">Made for rain</text></svg>""",
    )
    project.write(
        "generated/logo.html",
        "<!doctype html><html lang=en><title>Logo</title><style>body { margin: 0; background: #eef; "
        "height: 100vh } h1 { position: absolute; left: 100px; top: 70px; margin: 0; font: 32px serif }"
        "</style><h1>Made for rain</h1>",
    )

    result = project.command("score", "designs/logo.svg", "generated/logo.html", "--no-audit", "--json")

    assert '"viewport": "1440x900"' in result.stdout
    assert '"block_match": 1.0, "text": 1.0' in result.stdout
    assert '"case": "designs/logo"' in result.stdout
