"""One configuration, read alike by pytest, the command and programs; a case has limits of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.runs import load_run
from pytest_design2a11y.scorer import Scorer
from tests.integration.conftest import BAD, DESIGN

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TABLE = """
[tool.design2a11y]
viewport = "800x600"
no_audit = true
min_fidelity = 0.9
mask = ["h1"]

[[tool.design2a11y.case]]
match = "cart*"
min_fidelity = 0.1
mask = "p"
"""

PARTS = ("visual", "accessibility", "verdicts")

TESTS = """
def test_login(render):
    render("designs/login.html", role="reference")
    render("generated/login.html")

@pytest.mark.design2a11y(reference="designs/cart.html", candidate="worse/login.html")
def test_cart(reference, candidate):
    assert candidate.viewport.width == 800
"""


@pytest.fixture
def configured(project: Project) -> Project:
    project.write("pyproject.toml", TABLE)
    project.write("designs/cart.html", DESIGN)
    project.write("worse/login.html", BAD)
    project.test_file(TESTS)
    return project


def numbers(visual: Any, accessibility: Any, verdicts: Sequence[Any]) -> dict[str, Any]:
    """What every door gives of a page: measured, less what is accepted, and the limit on it."""
    return {
        "fidelity": visual["fidelity"],
        "blocking": visual["blocking"],
        "ir": accessibility["ir"],
        "limits": [verdict["limit"] for verdict in verdicts],
    }


def test_pytest_command_programs_and_agents_measure_and_judge_alike(
    configured: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file configures them; of the cart's two severe differences one is accepted, as its failures are."""
    configured.write("pyproject.toml", TABLE.replace("no_audit = true", 'known = "known.toml"'))
    pairs = {"login": "generated/login.html", "cart": "worse/login.html"}
    lines = [
        {"id": name, "reference": f"designs/{name}.html", "candidate": page} for name, page in pairs.items()
    ]
    configured.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))
    monkeypatch.chdir(configured.path)
    configured.command("score", "--pairs", "pairs.jsonl", "--update-known", "--save", "first")
    severe = load_run("first").evaluations[0].visual
    assert severe is not None
    assert severe.blocking is not None
    configured.command("accept", "first", "--case", "cart", "--difference", "1")

    configured.run("--design2a11y-save=tested").assert_outcomes(passed=2)
    command = configured.command("score", "--pairs", "pairs.jsonl", "--json")
    with Scorer.from_project() as scorer:
        scored = [scorer.score(line["reference"], line["candidate"]) for line in lines]
        assert [scorer.unaccepted(page) for page in scored] == [(), ()]
        assert "<html> [800x600]: not yet recorded, 9 failures" in scorer.unaccepted(scorer.audit(BAD))[0]
    by_agent = ask_agent(lines)

    saved = load_run("tested").evaluations
    by_pytest, by_program = (
        {page.case: numbers(*(page.to_dict(has_details=True)[key] for key in PARTS)) for page in pages}
        for pages in (saved, scored)
    )
    by_command = {
        record["case"]: numbers(*(record[key] for key in PARTS))
        for record in map(json.loads, command.stdout.splitlines())
    }
    assert by_pytest == by_command == by_program
    assert by_agent == {
        case: (round(page["fidelity"], 6), page["blocking"], round(page["ir"], 6), True)
        for case, page in by_pytest.items()
    }
    cart = by_pytest["designs/cart"]
    assert cart["limits"] == [0.1]
    assert by_pytest["designs/login"]["limits"] == [0.9]
    assert cart["blocking"] == severe.blocking - 1
    assert command.returncode == 0
    assert all(page.axes["viewport"] == "800x600" for page in scored)


def ask_agent(lines: Sequence[Mapping[str, str]]) -> dict[str, tuple[Any, ...]]:
    """Have the server's own client score pages; whether each passes comes last."""
    pytest.importorskip("mcp", reason="the server needs the extra `mcp`")
    from tests.integration.test_command_mcp import server_here, talk

    found: dict[str, tuple[Any, ...]] = {}

    async def talked(client: Any) -> None:
        for line in lines:
            given = {"design": line["reference"], "page": line["candidate"]}
            answer = (await client.call_tool("score_page", given)).structured_content
            metrics = answer["metrics"]
            case = f"designs/{line['id']}"
            found[case] = metrics["fidelity"], metrics["blocking"], metrics["ir"], answer["passed"]

    talk(server_here(), talked)
    return found


def test_a_key_that_does_not_exist_ends_the_run_before_any_test(configured: Project) -> None:
    configured.write("pyproject.toml", '[tool.design2a11y]\nviewprt = "1x1"\n')

    tested = configured.run_here()
    scored = configured.command("score", "designs/login.html", "generated/login.html")

    assert tested.ret == pytest.ExitCode.USAGE_ERROR
    tested.stderr.fnmatch_lines(["*pyproject.toml: there is no key 'viewprt'. Did you mean 'viewport'?*"])
    assert scored.returncode == 2
    assert "there is no key 'viewprt'. Did you mean 'viewport'?" in scored.stderr


def test_the_command_line_wins_then_the_ini_file_then_the_configuration(configured: Project) -> None:
    configured.test_file(
        "def test_size(render, design2a11y_viewport):\n    print(design2a11y_viewport.width)"
    )
    configured.write("pytest.ini", "[pytest]\ndesign2a11y_viewport = 700x600\n")

    by_ini = configured.run("-s")
    by_key = configured.run("-s", "-o", "design2a11y_viewport=600x600")
    by_flag = configured.run("-s", "-o", "design2a11y_viewport=600x600", "--design2a11y-viewport=500x600")

    for result, width in ((by_ini, 700), (by_key, 600), (by_flag, 500)):
        result.stdout.fnmatch_lines([f"*{width}*"])


def test_limits_of_the_configuration_leave_a_folder_of_results_alone(configured: Project) -> None:
    line = {"id": "a", "reference": "designs/login.html", "candidate": "generated/login.html"}
    configured.write("pairs.jsonl", json.dumps(line))

    scored = configured.command("score", "--pairs", "pairs.jsonl", "--out", "out")
    refused = configured.command("score", "--pairs", "pairs.jsonl", "--out", "out", "--max-blocking", "0")

    assert scored.returncode == 0, scored.stderr
    assert refused.returncode == 2
    assert "--out only scores and saves; limits, comparisons and reports come after it." in refused.stderr


def test_a_value_of_an_evaluation_is_asserted_and_explained(project: Project) -> None:
    project.test_file("""
from pytest_design2a11y import evaluate

@pytest.fixture
def pages(render):
    return render("designs/login.html", role="reference"), render("worse/login.html")

def test_looks(pages):
    assert evaluate(*pages).fidelity > 0.99

def test_mirrored(pages):
    assert 0.1 >= evaluate(*pages).iwir

def test_passes(pages):
    evaluation = evaluate(*pages)
    assert evaluation.fidelity == visual_similarity(*pages).fidelity
    assert 0 < evaluation.position < 1

def test_not_measured(render):
    evaluate(None, render("worse/login.html")).fidelity
""")

    result = project.run()

    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "E *assert fidelity is 0.*, required: more than 0.99 (call)",
            "E *worse/login.html against designs/login.html*",
            "E *Differences, and the fidelity each one costs:*",
            "E *assert iwir is 0.*, required: at most 0.1 (call)",
            "E *button-name (critical, 1 element)*",
            "*MeasurementError: worse/login.html has no fidelity: there is no design to compare with.*",
        ]
    )


def test_a_warning_fails_a_page(project: Project) -> None:
    project.write("generated/login.html", DESIGN.replace("</main>", "<script>nowhere()</script></main>"))
    project.test_file("def test_page(render):\n    render('generated/login.html')")

    result = project.run("--design2a11y-require=warnings.js_errors<=0", "--design2a11y-no-audit")
    by_key = project.run("-o", "design2a11y_fail_on_warnings=js_errors", "--design2a11y-no-audit")
    command = project.command(
        *("score", "designs/login.html", "generated/login.html", "--no-audit"),
        *("--set", "fail_on_warnings=js_errors"),
    )

    for run in (result, by_key):
        run.assert_outcomes(failed=1)
        run.stdout.fnmatch_lines(["warnings.js_errors is 1, required: at most 0 (*)"])
    assert command.returncode == 1
    assert "warnings.js_errors is 1, required: at most 0" in command.stdout


def test_published_figures_count_a_failed_page_as_a_white_one_in_pytest_too(project: Project) -> None:
    project.write("generated/login.html", "I'm sorry, I can't help with that.")
    pages = ("designs/login.html", "generated/login.html")
    project.test_file(f"""
def test_page(render):
    render("{pages[0]}", role="reference")
    with pytest.raises(Exception, match="refusal"):
        render("{pages[1]}")
""")

    how = ("--design2a11y-published=design2code", "--design2a11y-no-audit", "--design2a11y-save=main")
    tested = project.run(*how, "--min-visual-similarity=0.9")
    command = project.command("score", *pages, "--published", "design2code", "--no-audit", "--json")

    (saved,) = load_run("main", folder=project.path / ".design2a11y" / "runs").evaluations
    (record,) = map(json.loads, command.stdout.splitlines())
    assert saved.visual is not None
    assert saved.visual.score == record["visual"]["score"] > 0
    tested.stdout.fnmatch_lines(["visual is 0.*, required: at least 0.9 (--min-visual-similarity)"])
