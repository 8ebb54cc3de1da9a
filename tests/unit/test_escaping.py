"""Hostile texts through every output: nothing in them acts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.comparing.compare import compare_runs, history_lines, make_history
from pytest_design2a11y.escaping import (
    csv_cell,
    json_line,
    markdown,
    terminal_line,
    workflow_data,
    workflow_property,
)
from pytest_design2a11y.exceptions import Design2a11yError, SourceError, SourceNotFound
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.comparison.text import comparison_markdown
from pytest_design2a11y.report.github import annotation_lines, step_summary
from pytest_design2a11y.report.html import render_report
from pytest_design2a11y.runs import DEFAULT_FOLDER, save_details, save_run
from pytest_design2a11y.source.read_document import read_document
from tests.factories import with_differences

ATTACKS = {
    "escape sequence": "\x1b[2J\x1b]0;title\x07",
    "one-byte sequence": "\x9b31m",
    "command": "::error::all is well",
    "command in a new line": "page\n::error file=a::broken\r\n  ::set-output name=a::b",
    "other systems": "##[error]no ##vso[task.complete] ##teamcity[testFailed]",
    "mention": "@team/owners, #12, owner/repo#3, gh-4",
    "link": "https://evil.example/x www.evil.example [a](https://evil.example) ![a](//evil.example)",
    "markup": "<script>alert(1)</script> **bold** | `code` | <img src=x onerror=alert(1)> &lt;",
    "direction": "\u202egnp.exe\u2066 \u200f",
    "line ends": "a\u2028b\u2029c\x85d\x0be",
    "nul and halves": "a\0b\ud800c\udcff",
}


def evaluation(text: str) -> Evaluation:
    """A hostile text wherever there is a text."""
    block = Block(text, (0.1, 0.1, 0.2, 0.1), (1, 2, 3))
    node = CheckedNode(text, text, "serious", text, (1, 2, 3, 4), {"fgColor": text, "bgColor": "#fff"})
    rule = RuleOutcome(text, text, text, (text,), "serious", 1, 1, 1, {"serious": 1}, (node,), (node,))
    score = VisualScore(*(0.5,) * 6, "indel", text, (Match(block, block, 0.9, 0.9, 0.9),), (block,), (block,))
    sizes = {"reference": (100, 100), "candidate": (100, 100)}
    return Evaluation(
        id=text,
        case=text,
        candidate=text,
        reference=text,
        visual=with_differences(score, sizes),
        accessibility=AccessibilityRates(3, 1, 1, 1 / 3, 0.6, 0.2, 3, 1, 1 / 3, "yellow", {"serious": 1}),
        audit=Audit(text, (rule,), 3, 1),
        verdicts=(Verdict("visual", ">=", 0.8, 0.5, False, text),),
        warnings=(CaptureWarning(text, text),),
        environment=Environment(text, text, text, text, text),
        page_sizes=sizes,
        axes={"model": text},
    )


def runs(text: str) -> tuple[Run, Run]:
    """Two runs of two pages, one of which was not measured."""
    failed = Evaluation(id=f"{text}2", case=f"{text}2", candidate=text, error=Failure("SourceError", text))
    old = Run(text, "2026-01-01T00:00:00+00:00", True, (evaluation(text), failed))
    return old, replace(old, created="2026-01-02T00:00:00+00:00", is_complete=False)


@pytest.fixture(params=list(ATTACKS.values()), ids=list(ATTACKS))
def text(request: pytest.FixtureRequest) -> str:
    attack: str = request.param
    return attack


def acting(text: str) -> str:
    """Everything in a text that acts on a terminal or a line."""
    return "".join(one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp"))


def check_log(printed: str) -> None:
    assert acting(printed.replace("\n", "")) == ""
    assert not re.search(r"(?m)^\s*::", printed)
    assert not re.search(r"##\w*\[", printed)


def check_markdown(written: str) -> None:
    assert acting(written.replace("\n", "").replace("\u200b", "")) == ""
    assert not re.search(r"[@#]\w|gh-\d|://|www\.", written.replace("&#8203;", "\u200b"), re.IGNORECASE)
    assert not re.search(r"<(?!/?(?:br|details|summary)>)|(?<!\\)[`\[\]]", written)


def test_pieces(text: str) -> None:
    check_log(terminal_line(text))
    check_markdown(markdown(text))
    assert not set(workflow_data(text)) & set("\r\n")
    assert not set(workflow_property(text)) & set("\r\n:,")


def test_plain_words_stay_as_they_are() -> None:
    line = "  login.html   0.91 IR×IWIR 設計 a:b x::y # 1 é"

    assert terminal_line(line) == line
    assert markdown("login page 0.91, IR×IWIR: 設計 (a-b)") == "login page 0.91, IR×IWIR: 設計 (a-b)"


@pytest.fixture
def saved(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The runs, saved as `old` and `new`, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, run in zip(("old", "new"), runs(text), strict=True):
        save_run(replace(run, name=name), folder=DEFAULT_FOLDER)
        save_details(replace(run, name=name))
    return text


COMMANDS: dict[str, Callable[[str], list[str]]] = {
    "compare": lambda _: ["compare", "old", "new"],
    "compare --json": lambda _: ["compare", "old", "new", "--json"],
    "compare --rank": lambda _: ["compare", "old", "new", "--rank"],
    "compare --rank --json": lambda _: ["compare", "old", "new", "--rank", "--json", "--cases=all"],
    "history": lambda _: ["runs", "list"],
    "history --json": lambda _: ["runs", "list", "--json"],
    "check": lambda _: ["check", "old", "--max-ir", "0.1", "--min-visual-similarity", "0.9"],
    "feedback": lambda text: ["feedback", "old", text, "--no-try"],
    "feedback --json": lambda text: ["feedback", "old", text, "--no-try", "--json"],
    "no such run": lambda text: ["compare", text, "new"],
    "no such case": lambda _: ["feedback", "old", "none"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_prints(saved: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main(COMMANDS[command](saved))

    printed = capsys.readouterr()
    assert printed.out or printed.err
    check_log(printed.out)
    check_log(printed.err)
    if command.endswith("--json"):
        json.loads(printed.out)


def test_markdown_of_a_comparison(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "old", "new", "--markdown"])

    check_markdown(re.sub(r"(?m)^(### |> )", "", capsys.readouterr().out))


def test_markdown_of_a_ranking(saved: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "old", "new", "--rank", "--markdown", "--cases=all"])

    check_markdown(re.sub(r"(?m)^(### |> )", "", capsys.readouterr().out))


def test_markdown_of_a_job_s_summary(text: str) -> None:
    old, new = runs(text)

    written = step_summary(new, comparison=comparison_markdown(compare_runs(old, new)))

    check_markdown(re.sub(r"(?m)^(### |> )", "", written))


def test_annotations_are_the_only_commands(text: str) -> None:
    lines = list(annotation_lines(runs(text)[0]))

    assert len(lines) == 2
    for line in lines:
        assert re.fullmatch(r"::error (?:file=[^:,\n]*,)?title=[^:,\n]*::.*", line)
        assert acting(line) == ""


def test_the_list_of_runs_is_lines_without_commands(text: str) -> None:
    check_log("\n".join(terminal_line(line) for line in history_lines(make_history(runs(text)))))


def test_the_report_holds_nothing_that_acts(text: str, tmp_path: Path) -> None:
    report = "".join(render_report(runs(text)[0], picture_folder=tmp_path))

    assert acting(report.replace("\n", "").replace("\t", "")) == ""
    assert "<script>alert" not in report
    assert "onerror=alert" not in re.sub(r"&lt;img.*?&gt;", "", report) or "<img src=x" not in report


def test_the_message_of_an_error_acts_on_nothing(text: str, tmp_path: Path) -> None:
    error = SourceNotFound(f"There is no file {text}.", stage=text, advice=text)

    check_log(str(error))
    with pytest.raises(SourceError) as caught:
        read_document(Path(text), max_bytes=10_000, folders=(tmp_path,))
    check_log(str(caught.value))
    assert isinstance(error, Design2a11yError)


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def test_every_error_of_ours_says_so_in_the_same_way(text: str) -> None:
    for kind in _subclasses(Design2a11yError):
        check_log(str(kind(text, stage="source", advice=text)))


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252"])
def test_a_terminal_without_the_characters_gets_escapes(tmp_path: Path, encoding: str) -> None:
    """With the locale C, and on consoles of Windows, a character of a name ended the command."""
    run = runs("a")[0]
    named = tuple(replace(one, candidate="4×3 Ł ✓.html") for one in run.evaluations)
    save_run(replace(run, name="old", evaluations=named), folder=tmp_path / DEFAULT_FOLDER)
    console = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}

    done = subprocess.run(
        [sys.executable, "-m", "pytest_design2a11y", "feedback", "old", "a", "--no-try"],
        cwd=tmp_path,
        env={**os.environ, **console},
        capture_output=True,
        check=False,
    )

    assert done.stderr == b""
    assert "4×3 Ł ✓.html".encode(encoding, "backslashreplace") in done.stdout


def test_a_terminal_of_80_columns_without_colours(tmp_path: Path) -> None:
    """Tables are as wide as it is, and nothing switches its colours."""
    folder = tmp_path / DEFAULT_FOLDER
    for name, run in zip(("old", "new"), runs("the page of the shop with a long name"), strict=True):
        save_run(replace(run, name=name), folder=folder)

    for command in (["check", "old", "--max-ir", "0"], ["compare", "old", "new"]):
        done = subprocess.run(
            [sys.executable, "-m", "pytest_design2a11y", *command],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"},
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.stdout
        assert "\x1b" not in done.stdout + done.stderr
        table = [line for line in done.stdout.splitlines() if "   " in line.strip()]
        assert max(map(len, table), default=0) <= 80, done.stdout


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        (" @SUM(A1)", "' @SUM(A1)"),
        ("a;=1+1", "a;'=1+1"),
        ('a; "=1+1', "a;' \"=1+1"),
        ("a;b; -1", "a;b;' -1"),
        ("plain; text - as usual = so", "plain; text - as usual = so"),
    ],
)
def test_a_cell_of_csv_is_no_formula_behind_a_semicolon_either(text: str, cell: str) -> None:
    """Where numbers have commas, spreadsheets end a cell at a semicolon, whatever quotes are around it."""
    assert csv_cell(text) == cell


def test_json_has_no_halves_of_surrogate_pairs() -> None:
    """A file name that is not UTF-8 is read with them, which strict readers of JSON refuse."""
    line = json_line({"page": "b\udcffd.html", "\udc80": ["\N{GRINNING FACE} \\\\ud800 ##[x]", 0.1]})

    assert json.loads(line) == {
        "page": "b\ufffdd.html",
        "\ufffd": ["\N{GRINNING FACE} \\\\ud800 ##[x]", 0.1],
    }
    assert "\\udc" not in line.replace("\\ud83d\\ude00", "")
    assert "##" not in line
