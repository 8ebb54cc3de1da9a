"""What the command repeats of its arguments acts on nothing; what it cannot do is said in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main

ODD = "\x1b[2J\u202e\n::error::x\n##[error]y\x9b"


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "a", "b", "c", ODD),
        ("score", "--pairs", "p", f"--{ODD}"),
        ("score", "a.html", "b.html", f"--max-iwir={ODD}"),
        ("check", "run", f"--max-iwir={ODD}"),
        ("runs", "export", "run", "--format", ODD),
        ("compare", "a", "b", "--cases", ODD),
        (ODD,),
        ("compare", ODD, ODD),
        ("report", ODD, "-o", ODD),
    ],
    ids=["extra", "option", "number", "number of check", "choice", "count", "command", "run", "report"],
)
def test_errors_repeat_arguments_as_text_that_does_not_act(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SystemExit) as ended:
        main(arguments)

    said = "".join(capsys.readouterr())
    assert ended.value.code == 2
    assert "\\x1b[2J" in said or "\\\\x1b[2J" in said
    assert not {"\x1b", "\x9b", "\u202e"}.intersection(said)
    assert not [line for line in said.splitlines() if line.lstrip().startswith("::") or "##[" in line]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("-o", "r.pdf"), "'r.pdf': it is HTML; a browser prints it whole as PDF\n"),
        (("-o", "a", "--html", "r.html"), "report: error: unrecognized arguments: --html r.html.\n"),
        (("-o", "a", "--outptu", "r.html"), "--outptu r.html. Did you mean '--output'?\n"),
    ],
)
def test_a_report_is_written_in_the_form_that_its_option_names(
    given: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["report", "run", *given])

    assert capsys.readouterr().err.endswith(f"{message}See design2a11y report --help\n")


def test_runs_that_cannot_be_read_are_left_out_of_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".design2a11y" / "runs"
    folder.mkdir(parents=True)
    (folder / "bad.jsonl").write_text("{}")

    assert main(["runs", "list"]) == 0

    assert "left out: " in capsys.readouterr().err
