"""An engine, a probe and a reader of a user's own stand where ours do, however they are given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y import Scorer, registry
from tests.integration.conftest import DESIGN

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PARTS = '''
from pytest_design2a11y.extending import (
    Audit, Check, CheckedNode, Drawn, Engine, Place, Probe, ProbeFinding, Reader, RuleOutcome
)

class Words:
    name = "words"

    def source(self):
        return ""

    def prepare(self, page=None):
        pass

    def audit(self, page, choice):
        many = page.worlds[0].call("() => document.querySelectorAll('p, h1, input').length")
        nodes = tuple(CheckedNode("p", "<p>", "minor", "too many words", None) for _ in range(many))
        rule = RuleOutcome(
            "wordy", "Too wordy", "", (), "minor", num_violations=many, violations_by_impact={"minor": many},
            violations=nodes,
        )
        return Audit("1.5", (rule,), None, many, engine=self.name, has_passes=False), ()

SHOWN = Check("lists-shown", "1.3.1", "moderate", "Lists are shown")

def try_lists(page):
    page.press("Tab")
    return [ProbeFinding(SHOWN, "failed", None, "There is no list.")]

def pytest_design2a11y_engines():
    return [Engine("words", "Word Counter", lambda settings: Words())]

def pytest_design2a11y_probes():
    return [Probe("lists", [SHOWN], try_lists)]

def pytest_design2a11y_readers():
    return [Reader("wire", [".wire"], lambda path, text: Drawn(b"<!doctype html><h1>" + text, (800, 600)))]
'''  # fmt: skip
TESTS = """
def test_page(render):
    render("designs/login.html", role="reference")
    render("worse/login.html")

def test_other(render):
    render("worse/login.html")
"""
ALL = ("engines=axe,words", "probes=lists")
COUNTED = {"version": "1.5", "checked": None, "label": "Word Counter"}


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    registry.forget_taken()


def failures(record: dict[str, Any]) -> tuple[int, int]:
    engine = record["engines"]["words"]
    assert engine.items() >= COUNTED.items()
    assert engine["by_impact"] == {"minor": engine["failed"]}
    return engine["failed"], record["probes"]["lists"]["failed"]


# What workers and other processes get is tested with metrics, which come by the same hooks.
@pytest.mark.parametrize(
    "workers", [(), pytest.param(("-n1",), marks=pytest.mark.slow)], ids=["here", "xdist"]
)
def test_a_conftest_gives_an_engine_and_a_probe(project: Project, workers: tuple[str, ...]) -> None:
    project.write("conftest.py", PARTS)
    project.test_file(TESTS)

    result = project.run(*workers, *(f"--design2a11y-{one}" for one in ALL), "--design2a11y-save=own")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["*Word Counter: * failed (* minor) on 2 of 2 pages, in no rate of axe-core's", "*Word Counter 1.5*"]
    )
    saved = (project.path / ".design2a11y/runs/own.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert [failures(json.loads(line)) for line in saved] == [(2, 1), (2, 1)]
    registry.forget_taken()
    shown = project.command("report", "own", "-o", "report.html")
    assert shown.returncode == 0, shown
    assert "Word Counter" in (project.path / "report.html").read_text()


@pytest.mark.alike(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_gives_them_to_the_command(project: Project, jobs: str) -> None:
    project.write("parts.py", PARTS)
    project.write("designs/wired.wire", "Sign in")
    project.write("generated/wired.html", "<!doctype html><html lang=en><title>Sign in</title><h1>Sign in")
    lines = (
        {"id": name, "reference": f"designs/{name}", "candidate": f"generated/{page}"}
        for name, page in (("login.html", "login.html"), ("wired.wire", "wired.html"))
    )
    project.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))

    finished = project.command(
        "score", "--pairs", "pairs.jsonl", "--metrics", "parts.py", "--json", "-j", jobs,
        *(f"--{one}" for one in ALL),
    )  # fmt: skip

    records = [json.loads(line) for line in finished.stdout.splitlines()]
    assert [failures(record)[1] for record in records] == [1, 1]
    assert records[1]["engines"]["words"]["failed"] == 1
    assert records[1]["visual"]["score"] == 1.0, "The reader's design is the same page"


def test_a_folder_of_designs_is_read_by_a_file_s_reader(project: Project) -> None:
    project.write("parts.py", PARTS)
    project.write("wires/login.wire", "Log in")

    finished = project.command("score", "wires", "generated", "--metrics", "parts.py", "--json", "--no-audit")

    assert json.loads(finished.stdout)["reference"] == "wires/login.wire", finished


def test_a_probe_that_did_not_finish_is_named_once(project: Project) -> None:
    project.write("parts.py", PARTS.replace('page.press("Tab")', 'raise ValueError("no list")'))

    result = project.command(
        "audit", "generated/login.html", "--metrics", "parts.py", "--probes", "lists,names"
    )

    assert result.returncode == 3
    assert result.stdout.count("no list") == 1
    assert "probe names: 0 failed" in result.stdout


@pytest.fixture
def _looked_for_anew() -> Iterator[None]:
    """Have installed packages looked for again, which is else done once a process."""
    registry._installed.cache_clear()
    registry._lasting.cache_clear()
    yield
    registry._installed.cache_clear()
    registry._lasting.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("_looked_for_anew")
def test_an_installed_package_gives_them(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("site/worded.py", PARTS)
    project.write("site/worded-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: worded\nVersion: 1.0\n")
    project.write("site/worded-1.0.dist-info/entry_points.txt", "[pytest_design2a11y]\nworded = worded\n")
    project.test_file(TESTS)
    monkeypatch.syspath_prepend(project.path / "site")

    audited = project.command("audit", "worse/login.html", "--json", *(f"--{one}" for one in ALL))
    tested = project.run(*(f"--design2a11y-{one}" for one in ALL))

    assert failures(json.loads(audited.stdout)) == (2, 1)
    tested.stdout.fnmatch_lines(["*Word Counter: 4 failed (4 minor) on 2 of 2 pages*"])


def test_a_program_names_a_file(project: Project) -> None:
    file = str(project.write("parts.py", PARTS))

    with Scorer(metrics=[file], engines="axe,words", probes="lists") as scorer:
        evaluation = scorer.audit(DESIGN)
        own = scorer.audit(DESIGN, probes="names")

    assert evaluation.engines["words"].label == "Word Counter"
    assert evaluation.probes["lists"].failed == 1
    assert list(own.probes) == ["names"]


@pytest.mark.parametrize(
    ("parts", "arguments", "message"),
    [
        (PARTS, ("--engines", "axe,wrds"), "There is no engine 'wrds'. Did you mean 'words'?"),
        (PARTS, ("--probes", "list"), "There is no probe 'list'. Did you mean 'lists'?"),
        (PARTS.replace('Engine("words"', 'Engine("htmlcs"'), (), "There are two engines 'htmlcs'."),
        (
            PARTS.replace('Probe("lists"', 'Probe("zoom"'),
            ("--probes", "zoom"),
            "There are two probes 'zoom'.",
        ),
        (
            PARTS.replace("[Engine(", "[Probe("),
            ("--engines", "axe,words"),
            "pytest_design2a11y_engines() gave Probe(name='words'",
        ),
        (
            PARTS.replace("_engines():", "_engines(settings):"),
            (),
            "missing 1 required positional argument: 'settings'",
        ),
    ],
)
def test_a_mistake_is_one_sentence(
    project: Project, parts: str, arguments: tuple[str, ...], message: str
) -> None:
    project.write("parts.py", parts)

    finished = project.command(
        "audit",
        "worse/login.html",
        "--metrics",
        "parts.py",
        "--engines",
        "axe",
        "--probes",
        "zoom",
        *arguments,
    )

    assert finished.returncode == 2, finished
    assert message in finished.stderr
    assert "Traceback" not in finished.stderr


def test_what_fails_in_them_is_their_own(project: Project) -> None:
    broken = PARTS.replace("many = page", "many = 1 / 0; page").replace('page.press("Tab")', "page.fly()")
    file = str(project.write("parts.py", broken))

    with Scorer(metrics=[file], engines="axe,words", probes="lists") as scorer:
        evaluation = scorer.audit(DESIGN)

    assert evaluation.error is not None
    assert "The engine words failed: ZeroDivisionError: division by zero" in evaluation.error.message
    assert evaluation.accessibility is not None
    assert evaluation.probes["lists"].reason == (
        "It failed: AttributeError: 'RunningPage' object has no attribute 'fly' (stage: probe lists)"
    )


LEAN = PARTS.replace(
    """    def source(self):
        return ""

    def prepare(self, page=None):
        pass

""",
    "",
)
BROKEN = {
    "lean": (LEAN, ""),
    "audit": (LEAN.replace("many = page", "many = None.page"), "AttributeError"),
    "prepare": (
        PARTS.replace("        pass\n", "        raise OSError('no script')\n"),
        "OSError: no script",
    ),
    "make": (PARTS.replace("lambda settings: Words()", "lambda settings: 1 / 0"), "ZeroDivisionError"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_engine_needs_only_audit_and_loses_itself_alone(project: Project, name: str) -> None:
    parts, told = BROKEN[name]
    assert "def prepare" not in LEAN
    project.write("parts.py", parts)

    finished = project.command(
        "audit", "generated/login.html", "--metrics", "parts.py", "--engines", "axe,words", "--json"
    )

    record = json.loads(finished.stdout)
    assert record["accessibility"]["checked"] > 0, "axe's own result stays"
    if told:
        assert "words" not in record["engines"]
        assert finished.returncode == 3
        assert f"The engine words failed: {told}" in record["error"]["message"]
    else:
        assert record["engines"]["words"].items() >= COUNTED.items()
        assert finished.returncode == 0
