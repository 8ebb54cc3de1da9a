"""`--pairs`: CSV with a heading, pipes and standard input, ids given twice, pages that are chosen."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.posix import make_pipe

if TYPE_CHECKING:
    from tests.integration.conftest import Project

CSV = """id,reference,candidate,model,axes.size
a,designs/login.html,generated/login.html,m1,small
b,designs/login.html,worse/login.html,m2,
"""
TABLES = {
    "commas": CSV.encode(),
    "semicolons of a spreadsheet": b"\xef\xbb\xbf" + CSV.replace(",", ";").replace("\n", "\r\n").encode(),
    "tabs": CSV.replace(",", "\t").encode(),
}


def score(project: Project, *arguments: str) -> list[dict[str, object]]:
    result = project.command("score", *arguments, "--no-audit", "--json")
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_with_a_heading_lists_pairs(project: Project, kind: str) -> None:
    (project.path / "pairs.csv").write_bytes(TABLES[kind])

    first, second = score(project, "--pairs", "pairs.csv")

    assert (first["id"], second["id"]) == ("a", "b")
    assert first["axes"] == {"model": "m1", "size": "small"}
    assert second["axes"] == {"model": "m2"}
    assert "error" not in first


@pytest.mark.parametrize("content", [CSV, "\n".join(
    json.dumps({"id": name, "reference": "designs/login.html", "candidate": "generated/login.html"})
    for name in "ab"
)], ids=["csv", "jsonl"])  # fmt: skip
def test_a_pipe_is_read_once(project: Project, content: str) -> None:
    """`--pairs <(...)` is a pipe, too; its paths start from the working directory."""
    pipe = project.path / "pipe"
    make_pipe(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,), daemon=True)
    writer.start()

    found = score(project, "--pairs", "pipe", "--verbose")

    assert [record["id"] for record in found] == ["a", "b"]
    assert not any("error" in record for record in found)


def test_standard_input_lists_pairs(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))

    assert [record["id"] for record in score(project, "--pairs", "-")] == ["a", "b"]


@pytest.mark.slow
def test_the_device_of_standard_input_lists_pairs(project: Project) -> None:
    command = [sys.executable, "-m", "pytest_design2a11y", "score", "--pairs", "/dev/stdin"]

    done = subprocess.run(
        [*command, "--no-audit", "--json"],
        input=CSV, cwd=project.path, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip

    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["a", "b"]


def test_nothing_on_standard_input_is_said_by_its_name(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))

    assert "There are no pairs in standard input." in project.command("score", "--pairs", "-").stderr


REFUSED = {
    "id,ref,cand\n1,2,3\n": "The heading of pairs.csv has no column 'reference' and 'candidate'.",
    "": "There are no pairs in pairs.csv.",
    "id,reference,candidate\n": "There are no pairs in pairs.csv.",
    CSV.replace("b,", "a,"): "Line 2 and line 3 of pairs.csv have the same id 'a'.",
    'id,reference,candidate\n"a,b': "Cannot read the pairs in pairs.csv: it is not CSV in UTF-8",
    CSV.replace("small", "sm\udcff"): "Cannot read the pairs in pairs.csv: it is not CSV in UTF-8",
}


@pytest.mark.parametrize("content", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_table_of_pairs_is_refused_in_one_sentence(project: Project, content: str) -> None:
    (project.path / "pairs.csv").write_bytes(content.encode("utf-8", "surrogateescape"))

    result = project.command("score", "--pairs", "pairs.csv")

    assert (result.returncode, result.stdout) == (2, "")
    assert REFUSED[content] in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "content", ["<p>a</p>\n<p>b</p>\n", '[{"id": "a"}]', "[\n {\n", "a,b\n1,2\n", "\0\1"]
)
def test_what_lists_no_pairs_is_refused_in_one_sentence(project: Project, content: str) -> None:
    project.write("list.txt", content)

    result = project.command("score", "--pairs", "list.txt")

    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "list.txt is not a list of pairs: its first line is neither" in result.stderr


def test_a_row_that_is_no_pair_loses_no_other(project: Project) -> None:
    project.write("pairs.csv", CSV + "c,designs/login.html,,,\nd,x,y,z,m,more\n")

    result = project.command("score", "--pairs", "pairs.csv", "--no-audit", "--json")

    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 3
    assert [record["id"] for record in records] == ["a", "b", "c", "line 5"]
    assert "it lacks 'candidate'. Give each row a cell for every column" in records[2]["error"]["message"]
    assert "it has 6 cells, and the heading 5" in records[3]["error"]["message"]


def test_two_lines_of_one_id_are_refused_with_both(project: Project) -> None:
    line = json.dumps({"id": "1", "reference": "designs/login.html", "candidate": "generated/login.html"})
    project.write("pairs.jsonl", f"{line}\n\n{line}\n")

    result = project.command("score", "--pairs", "pairs.jsonl")

    assert result.returncode == 2
    assert "Line 1 and line 3 of pairs.jsonl have the same id '1'." in result.stderr


def test_a_folder_is_scored_as_far_as_it_is_chosen(project: Project) -> None:
    for sample in (1, 2):
        Path(project.write(f"made/login-{sample}.html", "<title>x</title><p>Sign in to your account"))

    found = score(project, "designs", "--pairs", "made/{case}-{sample}.html", "--only", "sample=2")
    none = project.command("score", "designs", "--pairs", "made/{case}-{sample}.html", "--only", "case=help")

    assert [record["id"] for record in found] == ["made/login-2.html"]
    assert none.returncode == 2
    assert "has no page with case=help. It has case: designs/login." in none.stderr


def test_a_broken_limit_goes_before_a_page_that_cannot_be_read(project: Project) -> None:
    lines = [
        {"id": name, "case": name, "reference": "designs/login.html", "candidate": page}
        for name, page in (("bad", "worse/login.html"), ("none", "nowhere.html"))
    ]
    project.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))

    options = ("score", "--pairs", "pairs.jsonl", "--no-audit", "--min-visual-similarity")

    assert project.command(*options, "0.99").returncode == 1
    assert project.command(*options, "0.01").returncode == 3
