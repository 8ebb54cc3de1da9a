"""`--findings FILE.csv`: every failing element in a row, of pages that are measured and of a saved run."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.conftest import Project

COLUMNS = ["page", "rule", "impact", "element", "line", "message", "wcag"]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        assert rows.fieldnames == COLUMNS
        return list(rows)


def test_audit_writes_a_row_for_each_failing_element_and_page_without_measurement(project: Project) -> None:
    result = project.command("audit", "worse/login.html", "none.html", "--findings", "found.csv")

    rows = read(project.path / "found.csv")
    (picture,) = (row for row in rows if row["rule"] == "image-alt")
    assert "wrote found.csv" in result.stderr
    assert (picture["page"], picture["impact"]) == ("worse/login.html", "critical")
    assert (picture["element"], picture["line"]) == ("img", "4")
    assert picture["wcag"] == "WCAG 1.1.1 Non-text Content"
    assert picture["message"].startswith("Images must have alternative text. ")
    assert "Fix: Give every image an alt text" in picture["message"]
    (missing,) = (row for row in rows if row["page"] == "none.html")
    assert missing["rule"] == "not-measured"
    assert missing["message"].startswith("SourceNotFound: There is no file 'none.html'")


def test_export_writes_those_of_a_saved_run_and_score_its_own(project: Project) -> None:
    pages = ("designs/login.html", "worse/login.html")
    project.command("score", *pages, "--save", "run", "--findings", "scored.csv")

    exported = project.command("runs", "export", "run", "--findings", "exported.csv")
    both = project.command("runs", "export", "run", "--findings", "exported.csv", "-o", "table.csv")

    assert (exported.returncode, exported.stdout) == (0, "")
    assert read(project.path / "exported.csv") == read(project.path / "scored.csv")
    assert both.returncode == 0
    assert (project.path / "table.csv").read_text().startswith("run,case,sample,id,metric,value,error")


def test_a_dash_is_standard_output_where_nothing_else_is_printed_then(project: Project) -> None:
    page = ("audit", "worse/login.html", "--probes", "none")
    project.command(*page, "--save", "run", "--findings", "found.csv")

    piped = project.command(*page, "--findings", "-")
    exported, table, report = (
        project.command(*arguments)
        for arguments in (
            ("runs", "export", "run", "--findings", "-"),
            ("runs", "export", "run", "-o", "-"),
            ("report", "run", "-o", "-"),
        )
    )

    found = (project.path / "found.csv").read_text()
    assert piped.stdout == exported.stdout == found
    assert "image-alt (critical, 1 element)" in piped.stderr
    assert table.stdout.startswith("run,case,sample,id,metric,value,error")
    assert report.stdout.startswith("<!doctype html>")
    assert "wrote -" not in piped.stderr + exported.stderr + table.stdout + report.stderr
    assert not [path for path in project.path.iterdir() if path.name.startswith("-")]


def test_what_is_accepted_is_left_out_and_no_audit_is_refused(project: Project) -> None:
    page = ("audit", "worse/login.html", "--known", "known.toml")
    project.command(*page, "--update-known")
    project.command(*page, "--findings", "found.csv")

    refused = project.command(
        "score", "designs/login.html", "worse/login.html", "--no-audit", "--findings", "f.csv"
    )

    assert read(project.path / "found.csv") == []
    assert refused.returncode == 2
    assert "--findings needs the audit that --no-audit leaves out" in refused.stderr
