"""`design2a11y runs export` and `compare --csv`: tables that a data frame reads, and no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS, OURS
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.runs import save_run
from tests.factories import make_evaluation, make_run

BROKEN = make_evaluation("b", None, None, environment=None, error=Failure("NotHtml", "It is a refusal."))
PAGES = (make_evaluation("a", 1 / 3, 0.25, axes={"model": "large"}), BROKEN)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def save(name: str, *evaluations: Evaluation) -> None:
    save_run(make_run(*evaluations, name=name))


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_for_each_page_and_metric(capsys: pytest.CaptureFixture[str]) -> None:
    save("main", *PAGES)

    assert main(["runs", "export", "main"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("run,case,axis_model,sample,id,metric,value,error\nmain,a,large,1,a-1,fidelity,,\n")
    rows = table(out)
    assert [row["metric"] for row in rows] == [metric.name for metric in OURS if not metric.is_of_engines] * 2
    assert float(rows[1]["value"]) == 1 / 3


def test_what_was_not_measured_has_no_value_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    save("main", *PAGES)

    main(["runs", "export", "main"])

    rows = {(row["case"], row["metric"]): row for row in table(capsys.readouterr().out)}
    assert (rows["b", "visual"]["value"], rows["b", "visual"]["error"]) == ("", "NotHtml")
    assert (rows["a", "appearance"]["value"], rows["a", "appearance"]["error"]) == ("", "")


def test_no_text_is_a_formula_and_json_keeps_it(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = ("=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "::error::x", "##vso[x]", 'a"b,c\nd')
    save("main", *(make_evaluation(text, id=text) for text in hostile))

    main(["runs", "export", "main"])
    rows = table(capsys.readouterr().out)
    main(["runs", "export", "main", "--format", "jsonl"])
    lines = capsys.readouterr().out.splitlines()

    told = {row["case"] for row in rows}
    quoted = {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "' =1", r"\t=1", "'＝1"}
    assert told == quoted | {r"\x3a:error::x", r"#\x23vso[x]", r'a"b,c\nd'}
    assert {row["id"] for row in rows} == told
    assert {json.loads(line)["case"] for line in lines} == set(hostile)
    assert not any("##" in line for line in lines)


def test_a_file_says_what_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    save_run(make_run(*PAGES, name="main", is_complete=False))

    assert main(["runs", "export", "main", "-o", "out/main.jsonl"]) == 0

    assert capsys.readouterr().out == "wrote out/main.jsonl: 2 evaluations; the run is incomplete\n"
    rows = [json.loads(line) for line in Path("out/main.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (rows[1]["metric"], rows[1]["value"]) == ("visual", 1 / 3)
    assert {row["metric"]: row for row in rows}["probe_failures"] == {
        "run": "main", "case": "b", "axis_model": "", "sample": "1", "id": "b-1", "metric": "probe_failures",
        "value": None, "error": "NotHtml",
    }  # fmt: skip


def test_a_file_of_another_format_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    save("main", *PAGES)

    with pytest.raises(SystemExit, match="2"):
        main(["runs", "export", "main", "-o", "means.xlsx"])

    assert "End it in .csv or .jsonl, or give --format." in capsys.readouterr().err
    assert not Path("means.xlsx").exists()


def test_a_comparison_as_csv_has_a_row_for_each_metric(capsys: pytest.CaptureFixture[str]) -> None:
    old = [make_evaluation(f"page {number}", 0.8) for number in range(6)]
    save("old", *old)
    save("new", *(replace(make_evaluation(one.case, 0.7), id=one.id) for one in old))

    assert main(["compare", "old", "new", "--csv"]) == 0

    rows = {row["metric"]: row for row in table(capsys.readouterr().out)}
    assert set(rows) == {*METRICS, "errors"}
    assert rows["visual"]["trend"] == "worse"
    assert float(rows["visual"]["difference"]) == pytest.approx(-0.1)
    assert float(rows["visual"]["lower"]) <= -0.0999
    assert rows["appearance"]["state"] == "not measured"
    assert rows["appearance"]["difference"] == ""


def test_a_comparison_by_groups_names_them_and_keeps_its_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, visual in (("old", 0.9), ("new", 0.5)):
        pages = [
            make_evaluation(f"page {number}", visual, id=f"{model}{number}", axes={"model": model})
            for number in range(6)
            for model in (("=large", "small") if name == "old" else ("=large",))
        ]
        save(name, *pages)

    code = main(["compare", "old", "new", "--by", "model", "--csv", "--fail-on", "visual"])

    told = capsys.readouterr()
    assert code == 1
    assert {row["axis_model"] for row in table(told.out)} == {"'=large"}
    assert "only in the old run" in told.err
