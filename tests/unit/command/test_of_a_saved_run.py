"""What the commands on saved runs and on the configuration print and write, whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.runs import load_run, save_details, save_run, with_details
from tests.factories import make_audited, make_run

RUNS = Path(".design2a11y/runs")
Said = Callable[..., tuple[int, str]]


def missing(text: str, *, digest: str | None = None, accepted: str | None = None) -> Difference:
    known = {"text": text, "box": [0, 0, 9, 9], **({"digest": digest} if digest else {})}
    return Difference("missing", "text", 0.1, reference=known, severity="serious", accepted=accepted)


def page(case: str, *differences: Difference) -> Evaluation:
    made = make_audited(case, 0.9)
    assert made.visual is not None
    return replace(made, visual=replace(made.visual, differences=differences, blocking=len(differences)))


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Return what runs a command in a folder with a saved run, for its exit code and all that it prints."""
    monkeypatch.chdir(tmp_path)
    login = page("login", missing("One", digest="d1"), missing("Two", digest="d2", accepted="Seen"))
    run = make_run(login, page("cart"), page("help", missing("Old")), name="base")
    save_run(run, folder=RUNS)
    save_details(run, folder=RUNS.parent)

    def command(*arguments: str) -> tuple[int, str]:
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        return code, "".join(capsys.readouterr())

    return command


def test_differences_are_listed_with_what_is_accepted(said: Said) -> None:
    assert said("accept", "base") == (
        0,
        "cart-1:\n"
        "  no differences are known\n"
        "help-1:\n"
        '  1. text "Old" at 0, 0 is missing (serious)\n'
        "login-1:\n"
        '  1. text "One" at 0, 0 is missing (serious)\n'
        '  2. text "Two" at 0, 0 is missing (serious, accepted)\n'
        "Accept one: design2a11y accept base --case CASE --difference N --note WHY; or all: --all\n",
    )


def test_those_that_are_named_are_accepted_and_no_others(said: Said) -> None:
    one = said("accept", "base", "--case", "login", "--difference", "1", "--note", "why")
    only_one = Path("known.toml").read_text()
    both = said("accept", "base", "--case", "login", "--all")

    assert one == (
        0,
        'login.html: accepted: text "One" at 0, 0 is missing\n'
        "wrote known.toml: 1 difference accepted. Give --known known.toml to have it count\n",
    )
    assert 'note = "why"' in only_one
    assert "Two" not in only_one
    assert both[1].endswith(
        'login.html: accepted: text "Two" at 0, 0 is missing\n'
        "wrote known.toml: 2 differences accepted. Give --known known.toml to have it count\n"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ("--case", "login", "--difference", "3"),
            "There is no difference 3 of login-1: it has 2. List them: design2a11y accept RUN.",
        ),
        (
            ("--case", "login", "--difference", "1", "--difference", "9"),
            "There is no difference 9 of login-1: it has 2. List them: design2a11y accept RUN.",
        ),
        (
            ("--difference", "1"),
            "--difference numbers the differences of one page, and there are 3: cart-1, help-1, login-1. "
            "Name one of them with --case.",
        ),
        (
            ("--case", "help", "--all"),
            "The run does not record what the differing places look like. "
            "Save it again with this version: design2a11y score ... --save NAME.",
        ),
    ],
)
def test_what_cannot_be_accepted_is_told_and_writes_nothing(
    said: Said, given: tuple[str, ...], message: str
) -> None:
    assert said("accept", "base", *given) == (2, f"design2a11y: {message}\n")
    assert not Path("known.toml").exists()


def test_a_run_is_ranked_against_others_only(said: Said) -> None:
    assert said("compare", "base", "base", "--rank-by", "visual") == (
        2,
        "design2a11y: The run 'base' is named twice. Name each run once.\n",
    )


def test_a_table_is_printed_unless_findings_alone_are_asked_for(said: Said) -> None:
    header = "run,case,sample,id,metric,value,error\nbase,cart,1,cart-1,fidelity,,\n"
    assert said("runs", "export", "base")[1].startswith(header)
    assert said("runs", "export", "base", "--findings", "f.csv") == (0, "wrote f.csv\n")
    assert said("runs", "export", "base", "--findings", "f.csv", "-o", "t.csv") == (
        0,
        "wrote t.csv: 3 evaluations\nwrote f.csv\n",
    )
    assert Path("t.csv").read_text().startswith(header)
    assert "color-contrast" in Path("f.csv").read_text()
    assert said("runs", "export", "base", "-o", "t.txt") == (
        2,
        "design2a11y: t.txt is not the name of a table that `runs export` writes. "
        "End it in .csv or .jsonl, or give --format.\n",
    )


def test_a_label_is_on_every_page_and_loses_no_details(said: Said) -> None:
    assert said("runs", "label", "base", "model=x", "prompt=2") == (
        0,
        f"wrote {RUNS / 'base.jsonl'}: 3 pages with model=x, prompt=2\n",
    )

    labeled = with_details(load_run("base"))
    assert labeled.labels == {"model": "x", "prompt": "2"}
    assert [page.axes for page in labeled.evaluations] == [labeled.labels] * 3
    assert sum(len(page.visual.differences) for page in labeled.evaluations if page.visual) == 3


CONFIGURATION = """
min_fidelity = 0.5
label = ["a=b", "c=d"]
allow_host = ["x.test", "y.test"]
no_audit = true
[[case]]
match = "mail/*"
scheme = "dark"
min_fidelity = 0.3
"""


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        (
            "min_fidelity",
            "min_fidelity = 0.5 (configuration file)\n"
            'Least fidelity of a candidate to its reference, 0..1: "fidelity>=X".\n'
            "Given by --min-fidelity, in pytest by --min-fidelity.\n",
        ),
        (
            "allow_host",
            "allow_host = x.test, y.test (configuration file)\n"
            "Host that pages may load from, such as a CDN; any port unless one is given. Default: none.\n"
            "Given by --allow-host, in pytest by --design2a11y-allow-host.\n",
        ),
        (
            "no_audit",
            "no_audit = true (configuration file)\nSkip the accessibility audit.\n"
            "Given by --no-audit, in pytest by --design2a11y-no-audit.\n",
        ),
        (
            "label",
            "label = a=b, c=d (configuration file)\n"
            'Label to save with the run, such as "prompt=3f2a" or "temperature=0.2".\n'
            "Given by --set label, in pytest by -o design2a11y_label.\n",
        ),
        (
            "part",
            "part = - (default)\n"
            "Capture only the part of a page with this CSS selector: its text, pixels and accessibility.\n"
            "Given by --part, in pytest by -o design2a11y_part.\n",
        ),
    ],
)
def test_a_key_is_told_with_its_value_and_the_ways_to_give_it(said: Said, key: str, lines: str) -> None:
    Path("design2a11y.toml").write_text(CONFIGURATION)

    assert said("config", key) == (0, lines)


def test_all_keys_are_listed_and_those_of_cases_after_them(said: Said) -> None:
    Path("design2a11y.toml").write_text(CONFIGURATION)

    _, listed = said("config")
    _, told = said("config", "scheme", "--json")

    lines = listed.splitlines()
    assert lines[0] == str(Path.cwd() / "design2a11y.toml")
    assert lines[1] == f"{'min_fidelity':<22} {'0.5':<24} configuration file"
    assert f"{'update_known':<22} {'false':<24} default" in lines
    assert lines[-4:] == ["", "case mail/*", "  min_fidelity         0.3", "  scheme               dark"]
    assert json.loads(told) == {
        "schema": 1,
        "file": lines[0],
        "keys": [{"key": "scheme", "value": [], "source": "default"}],
        "cases": [
            {
                "match": "mail/*",
                "keys": [{"key": "min_fidelity", "value": 0.3}, {"key": "scheme", "value": ["dark"]}],
            }
        ],
    }
    Path("design2a11y.toml").unlink()
    assert said("config")[1].startswith(
        "There is no design2a11y.toml, and no [tool.design2a11y] in a pyproject.toml, up from here.\n"
    )
