"""--design2a11y-known and --design2a11y-update-known: old debt is tolerated and seen, new debt fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import BAD

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
def test_worse(render):
    render("worse/login.html")

def test_good(render):
    render("generated/login.html")
"""

CLEAN = """<!doctype html><html lang="en"><title>Sign in</title><main><h1>Sign in</h1></main></html>"""

CHANGED = """
def test_changed(render):
    render("worse/changed.html")
"""


def test_accepted_violations_pass_new_ones_fail_and_fixed_ones_are_stale(
    project: Project, workers: tuple[str, ...]
) -> None:
    project.test_file(TESTS + CHANGED)
    project.write("worse/changed.html", BAD)

    recorded = project.run("--design2a11y-known=known.toml", "--design2a11y-update-known", *workers)
    project.write(
        "worse/changed.html",
        BAD.replace("<form>", '<form><img src="x.png">').replace("<html>", "<html lang=en>"),
    )
    result = project.run("--design2a11y-known=known.toml", "--design2a11y-findings=found.sarif", *workers)

    assert recorded.ret == 0
    recorded.stdout.fnmatch_lines(["worse/login.html: recorded, accepting *image-alt 1*", "wrote known.toml"])
    assert 'pages."worse/login.html".image-alt = 1' in (project.path / "known.toml").read_text()
    assert 'pages."generated/login.html" = {}' in (project.path / "known.toml").read_text()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*test_worse*0.6000*"])
    result.stdout.fnmatch_lines(["worse/login.html: image-alt fails on 1, 1 accepted"])
    result.stdout.fnmatch_lines(["*worse/changed.html: image-alt fails on 2, 1 accepted: 1 new*"])
    result.stdout.fnmatch_lines(["*worse/changed.html: html-has-lang fails on 0, 1 accepted: stale*"])
    assert "image-alt" in suppressed_rules(project.path / "found.sarif", "worse/login.html")
    assert "image-alt" not in suppressed_rules(project.path / "found.sarif", "worse/changed.html")


def suppressed_rules(path: Path, page: str) -> set[str]:
    results = json.loads(path.read_text())["runs"][0]["results"]
    own = [result for result in results if page in json.dumps(result["locations"])]
    assert own
    return {result["ruleId"] for result in own if "suppressions" in result}


@pytest.mark.slow
def test_what_is_new_fails_one_of_several_samples_too(project: Project) -> None:
    page = (project.path / "generated/login.html").read_text()
    (project.path / "generated/login.html").unlink()
    for sample in (1, 2):
        project.write(f"generated/login/{sample}.html", page)
    project.test_file(
        """
        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("designs", "generated"), indirect=True
        )
        def test_page(reference, candidate):
            pass
        """
    )

    project.run("--design2a11y-known=known.toml", "--design2a11y-update-known")
    project.write("generated/login/2.html", page.replace("<form>", '<form><img src="x.png">'))
    result = project.run("--design2a11y-known=known.toml")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["generated/login/2.html: image-alt fails on 1, 0 accepted: 1 new"])


@pytest.mark.slow
def test_a_page_never_seen_fails_unless_it_is_clean(project: Project) -> None:
    project.write("known.toml", "schema = 1\n")
    project.write("clean.html", CLEAN)
    project.test_file(TESTS.replace("generated/login.html", "clean.html"))

    result = project.run("--design2a11y-known=known.toml")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["worse/login.html: not yet recorded, * failures; *--design2a11y-update-known*"]
    )


SERVED = """
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

@pytest.fixture
def address():
    handler = partial(SimpleHTTPRequestHandler, directory="served")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()

def test_login(render, address):
    render(f"{address}/login.html")
"""


def test_a_page_of_a_server_is_known_whatever_its_port(project: Project) -> None:
    page = project.write("served/login.html", CLEAN.replace("<h1>", '<img src="a.gif"><h1>'))
    project.test_file(SERVED)

    project.run("--design2a11y-known=known.toml", "--design2a11y-update-known")
    same = project.run("--design2a11y-known=known.toml", "--design2a11y-findings=found.json")
    page.write_text(CLEAN.replace("<h1>", '<img src="a.gif"><img src="b.gif"><h1>'))
    worse = project.run("--design2a11y-known=known.toml")

    known = 'pages."/login.html [test_pages.py::test_login]".image-alt = 1'
    assert known in (project.path / "known.toml").read_text()
    assert json.loads((project.path / "found.json").read_text()) == []
    same.assert_outcomes(passed=1)
    worse.assert_outcomes(failed=1)
    worse.stdout.fnmatch_lines(["*/login.html *: image-alt fails on 2, 1 accepted: 1 new"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--design2a11y-known=nowhere.toml"], "*nowhere.toml does not exist*"),
        (["--design2a11y-update-known"], "*--design2a11y-update-known needs --design2a11y-known FILE.*"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(project: Project, arguments: list[str], message: str) -> None:
    project.test_file(TESTS)

    result = project.run_here(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


NARROW = """<!doctype html><html lang="en"><title>x</title><style>.narrow { display: none }
@media (max-width: 500px) { .narrow { display: block } }</style><main><h1>Sign in</h1>
<img src="a.gif"><img class="narrow" src="b.gif"></main></html>"""


@pytest.mark.slow
def test_a_page_is_known_in_each_window_that_it_is_looked_at_in(project: Project) -> None:
    page = project.write("page.html", NARROW)
    windows = ("--viewport", "375x800", "--viewport", "1280x720")
    command = ("audit", "page.html", *windows, "--known", "known.toml")

    project.command(*command, "--update-known")
    unchanged = project.command(*command)
    page.write_text(NARROW.replace("<h1>", "<style>.narrow { display: block !important }</style><h1>"))
    wider = project.command(*command)

    assert 'pages."page.html [375x800]".image-alt = 2' in (project.path / "known.toml").read_text()
    assert unchanged.returncode == 0
    assert "page.html [1280x720]: image-alt fails on 1, 1 accepted" in unchanged.stderr
    assert wider.returncode == 1
    assert "page.html [1280x720]: image-alt fails on 2, 1 accepted: 1 new" in wider.stderr


@pytest.mark.slow
def test_a_file_that_knows_pages_by_path_alone_still_counts(project: Project) -> None:
    project.write("page.html", NARROW)
    project.command("audit", "page.html", "--known", "known.toml", "--update-known")

    command = ("audit", "page.html", "--known", "known.toml", "--viewport")

    assert project.command(*command, "1280x720").returncode == 0
    assert project.command(*command, "375x800").returncode == 1


@pytest.mark.slow
def test_states_of_a_page_are_known_by_their_tests_and_new_failures_are_told_first(project: Project) -> None:
    project.write("page.html", NARROW.replace("<h1>", "<button onclick=\"b.src='x.gif'\">Go</button><h1>"))
    project.test_file(
        """
        def test_loaded(render):
            render("page.html")

        def test_changed(render):
            add = "document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=z.gif>')"
            render("page.html", steps=lambda page: page.evaluate(add))
        """
    )
    project.run("--design2a11y-known=known.toml", "--design2a11y-update-known")

    known = (project.path / "known.toml").read_text()
    assert project.run("--design2a11y-known=known.toml").ret == 0
    assert 'pages."page.html".image-alt = 1' in known
    assert 'pages."page.html [test_pages.py::test_changed]".image-alt = 2' in known
    project.write("page.html", NARROW.replace("<h1>", "<img src=c.gif><h1>"))
    project.write("first.html", BAD)
    audited = project.command("audit", "first.html", "page.html", "--known", "known.toml")
    lines = [line for line in audited.stderr.splitlines() if "page.html: " in line or "first" in line]
    assert "page.html: image-alt fails on 2, 1 accepted: 1 new" in lines[0]
