"""`--steps FILE`: what is done to pages before they are captured, for the command and in pairs files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.page_inputs import parse_steps

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAGE = """<!doctype html><html lang=en><title>x</title><main><h1>Sign up</h1>
<label>Mail <input id=mail></label><label><input type=checkbox id=ok> Agree</label>
<button id=go>Go</button><p id=said hidden>No such mail </p></main><script>
go.onclick = () => setTimeout(() => {
  if (ok.checked) { said.hidden = false; said.textContent += mail.value }
}, 300)
</script></html>"""
STATE = """<!doctype html><html lang=en><title>x</title><main><h1>Sign up</h1>
<label>Mail <input id=mail value=a@b.org></label><label><input type=checkbox id=ok checked> Agree</label>
<button id=go>Go</button><p>No such mail a@b.org</p></main></html>"""
STEPS = [
    {"fill": ["#mail", "a@b.org"]},
    {"check": "#ok"},
    {"press": {"selector": "#go", "key": "Enter"}},
    {"wait": "#said"},
    {"hover": "h1"},
    {"wait": 100},
]


@pytest.fixture
def site(project: Project) -> Project:
    project.write("signup.html", PAGE)
    project.write("states/signup~error.html", STATE)
    project.write("steps.json", json.dumps(STEPS))
    project.write("named.json", json.dumps({"error": STEPS}))
    return project


def matched(result: Any) -> list[float]:
    assert result.returncode == 0, result.stderr + result.stdout
    return [json.loads(line)["visual"]["block_match"] for line in result.stdout.splitlines()]


def test_the_candidate_is_brought_into_the_state_of_its_design(site: Project) -> None:
    pages = ("score", "states/signup~error.html", "signup.html", "--no-audit", "--json")

    (done,) = matched(site.command(*pages, "--steps", "steps.json"))
    (as_loaded,) = matched(site.command(*pages))

    assert done == 1.0
    assert as_loaded < 1.0


@pytest.mark.slow
def test_folders_and_pairs_files_have_states_too(site: Project) -> None:
    site.write("made/login.html", PAGE)
    site.write("designs2/login~error.html", STATE)
    line = {"id": "a", "reference": "states/signup~error.html", "candidate": "signup.html"}
    lines = [line | {"steps": STEPS}, line | {"id": "b", "steps": "named.json"}]
    site.write("pairs.jsonl", "\n".join(map(json.dumps, lines)))

    folder = site.command("score", "designs2", "made", "--steps", "named.json", "--no-audit", "--json")
    pairs = site.command("score", "--pairs", "pairs.jsonl", "--no-audit", "--json")

    assert matched(folder) == [1.0]
    assert matched(pairs) == [1.0, 1.0]
    assert json.loads(folder.stdout)["axes"] == {"state": "error"}


@pytest.mark.slow
def test_steps_into_a_folder_go_on_where_they_stopped_and_other_steps_start_anew(site: Project) -> None:
    line = {"id": "error", "reference": "states/signup~error.html", "candidate": "signup.html"}
    site.write("pairs.jsonl", json.dumps(line))
    site.write("other.json", json.dumps([{"hover": "h1"}]))

    def scored(*steps: str) -> dict[str, Any]:
        result = site.command(
            "score", "--pairs", "pairs.jsonl", "--out", "out", "--no-audit", "--json", *steps
        )
        assert result.returncode == 0, result.stderr + result.stdout
        told = json.loads(result.stdout)
        return {name: told[name] for name in ("pages", "known", "errors")}

    assert scored("--steps", "steps.json") == {"pages": 1, "known": 0, "errors": 0}
    assert scored("--steps", "steps.json") == {"pages": 1, "known": 1, "errors": 0}
    assert scored("--steps", "other.json") == {"pages": 1, "known": 0, "errors": 0}
    rows = site.command("runs", "export", "out", "--format", "jsonl").stdout.splitlines()
    (likeness,) = (one["value"] for one in map(json.loads, rows) if one["metric"] == "block_match")
    assert likeness < 1.0


def test_audit_looks_at_a_page_as_loaded_and_in_each_state(site: Project) -> None:
    shown = PAGE.replace("said.hidden = false", "said.hidden = late.hidden = false")
    site.write("page.html", shown.replace("</main>", "<img id=late hidden src=x.png></main>"))
    result = site.command("audit", "page.html", "--steps", "named.json", "--json")

    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["id"], second["id"]) == ("page.html", "page.html[error]")
    assert second["accessibility"]["failed"] == first["accessibility"]["failed"] + 1
    assert [one["error"] for one in first["probes"].values()] == [None] * 3
    assert second.get("probes", {}) == {}


def test_a_step_that_fails_says_which(site: Project) -> None:
    site.write("bad.json", '[{"click": "#none"}]')

    result = site.command("audit", "signup.html", "--steps", "bad.json")

    assert result.returncode == 3
    assert "Step 1 (click #none) failed: Page.click did not end within" in result.stdout


def test_yaml_is_read(site: Project) -> None:
    pytest.importorskip("yaml")
    site.write("steps.yaml", "error:\n  - fill: ['#mail', 'a@b.org']\n  - check: '#ok'\n  - click: '#go'\n")
    pages = ("score", "states/signup~error.html", "signup.html", "--no-audit", "--json")

    assert matched(site.command(*pages, "--steps", "steps.yaml")) == [1.0]


REFUSED: dict[str, tuple[Any, str]] = {
    "empty": ([], "x has no list of steps."),
    "text": ("click", "x has no list of steps."),
    "unknown": ([{"klick": "#a"}], "Step 1 of x: there is no action 'klick'. There are: click, hover"),
    "two": ([{"click": "#a", "fill": "b"}], "Step 1 of x is not one action"),
    "short": ([{"click": "#a"}, {"fill": "#b"}], "Step 2 of x: fill takes selector and value, not '#b'."),
    "null": ([{"click": None}], "Step 1 of x: click takes selector, not None."),
    "dict": ([{"press": {"selector": "#a"}}], "Step 1 of x: press takes selector and key"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_step_is_refused(kind: str) -> None:
    value, message = REFUSED[kind]

    with pytest.raises(ConfigurationError) as caught:
        parse_steps(value, "x")
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "text"), [("none.json", None), ("steps.json", "{"), ("steps.yml", "a: [")])
def test_a_file_that_cannot_be_read_is_a_usage_error(project: Project, name: str, text: str | None) -> None:
    if text is not None:
        project.write(name, text)

    result = project.command("audit", "generated/login.html", "--steps", name)

    assert result.returncode == 2
    assert f"The steps in {name} cannot be read" in result.stderr
