"""`score` and `audit` end a run as pytest does: judged, saved, compared, reported."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.measuring import executors
from pytest_design2a11y.models.evaluation import Evaluation
from tests.factories import make_audited


def evaluation(case: str, score: float, *, sample: str = "1") -> Evaluation:
    return make_audited(
        case,
        score,
        sample=sample,
        id=f"t.py::test[{case}-{sample}]",
        candidate=f"generated/{case}/{sample}.html",
    )


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Evaluation]:
    """What the browser would measure, in a folder of its own."""
    pages: list[Evaluation] = []

    def score_pairs(*_: Any, **__: Any) -> Iterator[Evaluation]:
        yield from pages

    monkeypatch.setattr(executors, "score_pairs", score_pairs)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    return pages


def test_one_page_below_a_limit_fails(measured: list[Evaluation]) -> None:
    measured += [evaluation("login", 0.75)]

    assert main(["score", "a.html", "b.html", "--min-visual-similarity", "0.7"]) == 0
    assert main(["score", "a.html", "b.html", "--min-visual-similarity", "0.8"]) == 1


@pytest.mark.parametrize(("policy", "code", "verb"), [("mean", 0, "keeps"), ("worst", 1, "BREAKS")])
def test_samples_of_a_case_are_judged_together(
    measured: list[Evaluation], policy: str, code: int, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    measured += [evaluation("login", 0.95, sample="1"), evaluation("login", 0.75, sample="2")]

    assert main(["score", "a", "b", "--min-visual-similarity", "0.8", "--samples", policy]) == code
    assert f"cases ({policy}):\n  login {verb} visual at least 0.8" in capsys.readouterr().err


def test_the_report_and_sarif_are_written(measured: list[Evaluation]) -> None:
    measured += [evaluation("login", 0.9)]

    assert main(["score", "a", "b", "--html", "out/report.html", "--findings", "out/found.sarif"]) == 0
    assert "generated/login/1.html" in Path("out/report.html").read_text(encoding="utf-8")
    assert json.loads(Path("out/found.sarif").read_text())["runs"][0]["results"]


def test_a_run_is_compared_with_a_saved_one(
    measured: list[Evaluation], capsys: pytest.CaptureFixture[str]
) -> None:
    measured += [evaluation("login", 0.9), evaluation("cart", 0.8)]
    assert main(["score", "a", "b", "--save", "old"]) == 0
    measured[:] = [evaluation("login", 0.7), evaluation("cart", 0.6)]
    compared = ["score", "a", "b", "--json", "--compare", "old"]

    assert main(compared) == 0
    assert main([*compared, "--fail-on", "visual:0.05", "--set", "fail_on_point=true"]) == 1
    output = capsys.readouterr()
    assert "compared:\n" in output.err
    assert "compared" not in output.out


def test_many_pairs_end_with_a_table_and_tell_of_single_pages_only_when_asked(
    measured: list[Evaluation], capsys: pytest.CaptureFixture[str]
) -> None:
    measured += [evaluation(f"case {number}", 0.5 + number / 100) for number in range(12)]
    lines = [f'{{"id": "{number}", "reference": "a", "candidate": "b"}}' for number in range(12)]
    Path("pairs.jsonl").write_text("\n".join(lines))

    assert main(["score", "--pairs", "pairs.jsonl"]) == 0
    brief = capsys.readouterr().out.splitlines()
    assert main(["score", "--pairs", "pairs.jsonl", "--verbose"]) == 0
    long = capsys.readouterr().out.splitlines()
    assert main(["score", "--pairs", "pairs.jsonl", "--json"]) == 0
    records = capsys.readouterr().out.splitlines()

    assert brief[1].startswith("mean (95 % CI)")
    assert brief[2].startswith("12 cases ")
    assert brief[4].split()[-1] == "verdict"
    assert "t.py::test[case 0-1]" in brief[5]
    assert brief[15] == "and 2 pages that did better"
    assert long[0].startswith("-      t.py::test[case 0-1]  visual 0.5000")
    assert len([line for line in long if "case 11-1" in line]) == 2
    assert len(records) == 12
    assert all(json.loads(record)["schema"] == 1 for record in records)


def test_several_audited_pages_end_with_a_table(
    measured: list[Evaluation], capsys: pytest.CaptureFixture[str]
) -> None:
    measured += [replace(evaluation(case, 0.5), visual=None, reference=None) for case in ("login", "cart")]

    assert main(["audit", "login.html", "cart.html"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "generated/login/1.html"
    assert "  color-contrast (serious, 2 elements): Contrast" in lines
    assert [line.split() for line in lines if "verdict" in line] == [["ir", "iwir", "verdict"]]
    heading = next(place for place, line in enumerate(lines) if "verdict" in line)
    assert [line.split()[0] for line in lines[heading + 1 : heading + 3]] == [
        "t.py::test[login-1]",
        "t.py::test[cart-1]",
    ]


def test_violations_beyond_the_accepted_ones_fail(measured: list[Evaluation]) -> None:
    measured += [evaluation("login", 0.9)]
    assert main(["audit", "b.html", "--known", "known.toml", "--update-known"]) == 0
    assert main(["audit", "b.html", "--known", "known.toml"]) == 0
    known = Path("known.toml")
    known.write_text(known.read_text().replace("color-contrast = 2", "color-contrast = 1"))

    assert main(["audit", "b.html", "--known", "known.toml"]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--update-known"], "design2a11y: --update-known needs --known FILE. Name the file to write."),
        (["--fail-on", "visual"], "design2a11y: --fail-on needs --compare."),
        (["--compare", "old"], "None has been saved yet; save one with --save NAME."),
        (["--no-audit", "--max-ir", "0.1"], "ir<=0.1 (command line) needs the audit that --no-audit"),
        (["--known", "known.toml"], "does not exist. Make it with --update-known, and commit it."),
    ],
)
def test_a_mistake_is_told_in_the_flags_of_the_command(
    measured: list[Evaluation], arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["score", "a", "b", *arguments])

    assert message in capsys.readouterr().err


def test_a_command_seldom_looks_for_unused_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds: list[int] = []
    monkeypatch.setattr(gc, "set_threshold", thresholds.append)

    assert main(["--version"]) == 0

    assert thresholds == [50_000]
