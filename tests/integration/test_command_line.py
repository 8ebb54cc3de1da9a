"""The `design2a11y` command: what it prints, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def run(project: Project, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest_design2a11y", *arguments]
    return subprocess.run(command, cwd=project.path, capture_output=True, text=True, timeout=240, check=False)


def records(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_score_prints_one_json_object_and_nothing_else(project: Project) -> None:
    result = run(project, "score", "designs/login.html", "generated/login.html", "--json")

    assert result.returncode == 0
    (record,) = records(result.stdout)
    assert record["schema"] == 1
    assert (record["reference"], record["candidate"]) == ("designs/login.html", "generated/login.html")
    assert record["case"] == "designs/login"
    assert 0.9 < record["visual"]["score"] < 1
    assert record["visual"]["appearance"]["backend"] == "embedded"
    assert record["accessibility"]["checked"] > 10
    assert record["accessibility"]["status"] == "green"
    assert set(record["environment"]) >= {"chromium", "axe", "package"}
    assert "error" not in record


def test_without_json_a_person_can_read_it(project: Project) -> None:
    result = project.command(
        "score", "designs/login.html", "worse/login.html", "--details", "--max-iwir", "0.1"
    )

    assert result.returncode == 1
    assert "worse/login.html against designs/login.html" in result.stdout
    assert "  visual 0." in result.stdout
    assert "Differences, and the fidelity each one costs" in result.stdout
    assert "image-alt" in result.stdout
    assert ", required: at most 0.1 (--max-iwir)" in result.stdout
    assert "Automated checks find only some accessibility barriers." in result.stdout


def test_audit_rates_one_page(project: Project) -> None:
    result = project.command("audit", "worse/login.html", "--json", "--max-ir", "0.05")

    assert result.returncode == 1
    (record,) = records(result.stdout)
    assert record["reference"] is None
    assert "visual" not in record
    assert record["accessibility"]["by_impact"]["critical"] >= 2
    assert record["verdicts"][0]["is_passed"] is False


def test_audit_tells_every_finding_with_line_reason_and_fix_and_a_bad_page_loses_no_other(
    project: Project,
) -> None:
    result = project.command("audit", "worse/login.html", "nowhere.html", "generated/*.html")

    assert result.returncode == 3
    lines = [line.strip() for line in result.stdout.splitlines()]
    order = [line.split()[0] for line in lines if " element" in line and "(" in line]
    assert order.index("image-alt") < order.index("color-contrast") < order.index("landmark-one-main")
    assert lines[lines.index("Fix: Give every image an alt text that says what it shows; "
                             'alt="" where it only decorates.') + 2] == "line 4: img"  # fmt: skip
    assert "SourceNotFound: There is no file 'nowhere.html'" in result.stdout
    assert "0 of " in result.stdout
    assert "2 of 3 cases" in result.stdout


def test_audit_with_known_violations_names_the_new_element_alone(project: Project) -> None:
    project.command("audit", "worse/login.html", "--known", "known.toml", "--update-known")
    page = project.path / "worse" / "login.html"
    page.write_text(page.read_text().replace("<form>", '<form><img src="new.png">'))

    result = project.command("audit", "worse/login.html", "--known", "known.toml")

    assert result.returncode == 1
    elements = [line.strip() for line in result.stdout.splitlines() if "<" in line]
    assert {line for line in elements if not line.startswith("Fix")} == {'<img src="new.png">'}
    assert "image-alt (critical, 1 element)" in result.stdout
    assert "accepted failures are left out" in result.stdout
    assert "image-alt fails on 2, 1 accepted: 1 new" in result.stderr


def test_a_page_against_itself_scores_exactly_one_and_without_the_audit_has_no_rate(project: Project) -> None:
    result = project.command("score", "designs/login.html", "designs/login.html", "--json", "--no-audit")

    assert result.returncode == 0
    (record,) = records(result.stdout)
    visual = record["visual"]
    assert [visual[name] for name in ("score", "block_match", "text", "position", "color")] == [1.0] * 5
    assert visual["appearance"]["value"] == 1.0
    assert "accessibility" not in record
    assert "error" not in record


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required"),
        (["score", "designs/login.html"], "Two pages are needed."),
        (["score", "a.html", "b.html", "--max-ir", "7"], "The limit ir<=7 (command line) is impossible"),
        (["score", "a.html", "b.html", "--pairs", "p.jsonl"], "--pairs and a page exclude each other."),
        (["score", "--pairs", "nowhere.jsonl"], "Cannot read the pairs in nowhere.jsonl"),
        (["score", "a", "b", "--set", "text_ratio=cosine"], "'cosine' is not one of indel, difflib"),
        (["compare", "old", "new"], "There is no saved run 'old'"),
        (["check", "old", "--max-ir", "0.1"], "None has been saved yet"),
    ],
)
def test_a_usage_error_exits_with_two_and_says_why(
    project: Project, arguments: list[str], message: str
) -> None:
    result = project.command(*arguments)

    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_what_is_not_a_page_gives_an_error_and_no_numbers(project: Project) -> None:
    contents = {
        "": "EmptyDocument",
        "I'm sorry, but I can't help with that request.": "NotHtml",
        '{"title": "hello"}': "NotHtml",
    }
    names = [project.write(f"{number}.html", text).name for number, text in enumerate(contents)]
    pairs = [
        {"id": name, "reference": "designs/login.html", "candidate": name}
        for name in (*names, "nowhere.html")
    ]
    project.write("pairs.jsonl", "\n".join(map(json.dumps, pairs)))

    result = project.command("score", "--pairs", "pairs.jsonl", "--json")

    assert result.returncode == 3
    found = records(result.stdout)
    assert [record["error"]["type"] for record in found] == [*contents.values(), "SourceNotFound"]
    assert all(record["error"]["message"] for record in found)
    assert not any("visual" in record or "accessibility" in record for record in found)


@pytest.mark.alike(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_bad_pair_never_loses_the_others(project: Project, jobs: str) -> None:
    project.write("generated/refusal.html", "I cannot create that page.")
    lines = [
        {"id": "good", "reference": "designs/login.html", "candidate": "generated/login.html"},
        {"id": "refused", "reference": "designs/login.html", "candidate": "generated/refusal.html"},
        {"id": 3, "reference": "designs/nowhere.html", "candidate": "generated/login.html"},
        {"id": "bad", "reference": "designs/login.html", "candidate": "worse/login.html"},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\nno json\n"
    pairs = Path(project.write("lists/../pairs.jsonl", text))

    result = project.command("score", "--pairs", str(pairs), "--json", "-j", jobs)

    assert result.returncode == 3
    found = records(result.stdout)
    assert [record["id"] for record in found] == ["good", "refused", "3", "bad", "line 5"]
    types = [record.get("error", {}).get("type") for record in found]
    assert types == [None, "NotHtml", "SourceNotFound", None, "ConfigurationError"]
    assert found[0]["visual"]["score"] > found[3]["visual"]["score"]
    assert "different candidates count as sample 1" in result.stderr


def test_saved_runs_are_compared_and_checked_without_rendering(project: Project) -> None:
    for name in ("generated", "worse"):
        pair = {"id": "login", "reference": "designs/login.html", "candidate": f"{name}/login.html"}
        second = pair | {"id": "again", "case": "again"}
        project.write("pairs.jsonl", f"{json.dumps(pair)}\n{json.dumps(second)}\n")
        assert project.command("score", "--pairs", "pairs.jsonl", "--save", name).returncode == 0

    compared = project.command("compare", "generated", "worse", "--json")
    gated = project.command(
        "compare", "generated", "worse", "--fail-on", "visual:0.1", "--set", "fail_on_point=true"
    )
    markdown = project.command("compare", "generated", "worse", "--markdown")
    checked = project.command("check", "worse", "--max-iwir", "0.1")

    metrics = json.loads(compared.stdout)["metrics"]
    assert compared.returncode == 0
    assert metrics["visual"]["difference"] < -0.1
    assert metrics["visual"]["losses"] == 2
    assert gated.returncode == 1
    assert markdown.stdout.startswith("### generated → worse")
    assert checked.returncode == 1
    assert "login: iwir" in checked.stdout
    assert "2 evaluations of worse: 2 break a limit" in checked.stdout


def test_a_saved_audit_is_exported_without_what_needs_a_design(project: Project) -> None:
    project.command("audit", "worse/login.html", "--save", "audited")

    lines = project.command("runs", "export", "audited").stdout.splitlines()

    assert any(line.startswith("audited,worse/login,1,worse/login.html,ir,0.") for line in lines)
    assert not any(",fidelity," in line or ",delivered," in line for line in lines)
