from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_design2a11y.exceptions import ConfigurationError, RunNotFound, RunUnreadable
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, EngineCounts, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.runs import (
    check_name,
    load_run,
    load_runs,
    save_details,
    save_run,
    with_details,
)
from pytest_design2a11y.runs.encoding import natural_key
from tests.factories import make_visual
from tests.posix import make_pipe

ENVIRONMENT = Environment("156.0", "4.12.1", "0.5.0", platform="Linux x86_64")
RATES = AccessibilityRates(99, 2, 3, 2 / 99, 0.3, 0.6 / 99, 50, 2, 0.04, "green", {"moderate": 2})
NODE = CheckedNode("img", "<img>", "critical", "Add alt", (1.0, 2.0, 3.0, 4.0), {"ratio": 2.5})
AUDIT = Audit(
    "4.12.1",
    (
        RuleOutcome("html-has-lang", "help", "https://example.org/lang", ("wcag2a",), None, num_passes=1),
        RuleOutcome(
            "image-alt",
            "Images must have alternative text",
            "https://example.org/image-alt",
            ("wcag2a", "wcag111"),
            "critical",
            num_passes=3,
            num_violations=2,
            num_incomplete=1,
            violations_by_impact={"critical": 2},
            violations=(NODE, NODE),
            incomplete=(NODE,),
        ),
    ),
    50,
    2,
)


def evaluation(case: str = "login", sample: str = "1", **changes: Any) -> Evaluation:
    whole = Evaluation(
        id=f"test_pages.py::test_page[{case}-{sample}]",
        case=case,
        sample=sample,
        reference="designs/login.html",
        candidate="generated/login.html",
        visual=VisualScore(0.1 + 0.2, 0.97, 0.99, 0.93, 1 / 3, 0.86, "indel", "embedded"),
        accessibility=RATES,
        engines={"htmlcs": EngineCounts("2.5.1", None, 3, {"serious": 3})},
        audit=AUDIT,
        verdicts=(Verdict("iwir", "<=", 0.4, 0.3, True, "command line"),),
        warnings=(CaptureWarning("js_errors", "The page's script failed — twice.", 2),),
        environment=ENVIRONMENT,
        settings={"text_ratio": "indel", "audit": {"tags": ["wcag2a"]}},
        page_sizes={"reference": (1280, 720), "candidate": (1280, 900)},
        pictures={"candidate": "pictures/1.png"},
        axes={"model": "some-model", "prompt": "v2"},
    )
    return replace(whole, **changes)


def without_details(one: Evaluation) -> Evaluation:
    audit = one.audit and replace(
        one.audit, rules=tuple(replace(rule, violations=(), incomplete=()) for rule in one.audit.rules)
    )
    return replace(one, audit=audit, pictures={})


FAILED = Evaluation(id="b", case="broken", candidate="b.html", error=Failure("NotHtml", "It is a refusal."))


def make_run(*evaluations: Evaluation, name: str = "main", is_complete: bool = True) -> Run:
    return Run(name, "2026-01-02T03:04:05+00:00", is_complete, evaluations or (evaluation(), FAILED))


def test_a_run_comes_back_as_it_was_saved_but_for_details_and_pictures(tmp_path: Path) -> None:
    run = make_run(FAILED, evaluation())

    save_run(run, folder=tmp_path)

    assert load_run("main", folder=tmp_path) == make_run(FAILED, without_details(evaluation()))


def test_file_names_that_are_not_utf_8_are_json_that_others_read(tmp_path: Path) -> None:
    odd = replace(evaluation(), id="bad\udcff.html", candidate="bad\udcff.html")

    path = save_run(make_run(odd), folder=tmp_path / "runs")
    details = save_details(make_run(odd), folder=tmp_path)

    assert load_run("main", folder=tmp_path / "runs").evaluations[0].id == "bad\ufffd.html"
    assert b"udcff" not in path.read_bytes() + details.read_bytes()


def test_numbers_come_back_to_the_last_digit(tmp_path: Path) -> None:
    save_run(make_run(), folder=tmp_path)

    visual = load_run("main", folder=tmp_path).evaluations[1].visual

    assert visual is not None
    assert (visual.score, visual.color) == (0.1 + 0.2, 1 / 3)


def test_without_audit_everything_else_is_read(tmp_path: Path) -> None:
    save_run(make_run(), folder=tmp_path)

    run = load_run("main", folder=tmp_path, has_audit=False)

    assert run.evaluations == (FAILED, replace(without_details(evaluation()), audit=None))


def test_a_file_that_another_tool_wrote_anew_is_read_without_audit_too(tmp_path: Path) -> None:
    path = save_run(make_run(), folder=tmp_path)
    lines = [json.dumps(json.loads(line), sort_keys=True) for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines) + "\n")

    run = load_run("main", folder=tmp_path, has_audit=False)

    assert run.evaluations == (FAILED, replace(without_details(evaluation()), audit=None))


def test_text_that_looks_like_the_audit_does_not_cut_a_line_short(tmp_path: Path) -> None:
    tricky = evaluation(candidate='x", "audit": {"y')
    save_run(make_run(tricky), folder=tmp_path)

    run = load_run("main", folder=tmp_path, has_audit=False)

    assert run.evaluations == (replace(without_details(tricky), audit=None),)


def test_every_line_of_a_saved_run_fits_the_published_schema(tmp_path: Path) -> None:
    schema = json.loads(files("pytest_design2a11y.runs").joinpath("run.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    path = save_run(make_run(), folder=tmp_path)

    lines = [json.loads(line) for line in path.read_text().splitlines()]

    assert len(lines) == 3
    for line in lines:
        validator.validate(line)
    assert not validator.is_valid({**lines[1], "visual": {"score": 2}})
    assert not validator.is_valid({key: value for key, value in lines[0].items() if key != "schema"})


def test_order_and_bytes_do_not_depend_on_the_order_of_the_evaluations(tmp_path: Path) -> None:
    evaluations = [evaluation(case, sample) for case in ("page 10", "page 2") for sample in ("10", "9")]
    first = save_run(make_run(*evaluations), folder=tmp_path / "first")
    second = save_run(make_run(*reversed(evaluations)), folder=tmp_path / "second")

    assert first.read_bytes() == second.read_bytes()
    read = load_run("main", folder=tmp_path / "first").evaluations
    assert [(one.case, one.sample) for one in read] == [
        ("page 2", "9"),
        ("page 2", "10"),
        ("page 10", "9"),
        ("page 10", "10"),
    ]


def test_a_text_that_is_the_same_everywhere_is_written_once(tmp_path: Path) -> None:
    path = save_run(make_run(*(evaluation(str(number)) for number in range(50))), folder=tmp_path)

    assert path.read_text().count("https://example.org/image-alt") == 1
    assert path.read_text().count("Linux x86_64") == 1


def test_odd_characters_survive_and_never_break_a_line(tmp_path: Path) -> None:
    odd = evaluation("日本語\u2028x\x85\U0001f600")
    path = save_run(make_run(odd), folder=tmp_path)

    assert len(path.read_text().splitlines()) == 2
    assert load_run("main", folder=tmp_path).evaluations[0].case == odd.case


def test_saving_again_replaces_the_run_and_leaves_nothing_else(tmp_path: Path) -> None:
    save_run(make_run(), folder=tmp_path)
    save_run(make_run(FAILED), folder=tmp_path)

    assert load_run("main", folder=tmp_path).evaluations == (FAILED,)
    assert [path.name for path in tmp_path.iterdir()] == ["main.jsonl"]


def test_a_run_that_cannot_be_written_leaves_the_earlier_one(tmp_path: Path) -> None:
    save_run(make_run(), folder=tmp_path)
    unwritable = evaluation(visual=VisualScore(float("nan"), 1, 1, 1, 1, None, "indel"))

    with pytest.raises(ValueError, match=r"nan|JSON"):
        save_run(make_run(unwritable), folder=tmp_path)

    assert len(load_run("main", folder=tmp_path).evaluations) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["main.jsonl"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../main",
        "a/b",
        "a\\b",
        ".hidden",
        "-x",
        "a b",
        "main.jsonl",
        "x" * 101,
        "a\n",
        "con",
        "Nul.2",
    ],
)
def test_a_name_that_is_no_file_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be the name of a run") as caught:
        save_run(make_run(name=name), folder=tmp_path)

    assert "letters, digits" in caught.value.advice
    assert list(tmp_path.iterdir()) == []


def test_a_baseline_is_the_same_whatever_ends_its_lines(tmp_path: Path) -> None:
    """As git may have it on Windows."""
    path = save_run(make_run(), folder=tmp_path)
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / path.name).write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert load_run("main", folder=tmp_path / "windows") == load_run("main", folder=tmp_path)


def test_a_name_that_differs_by_case_alone_is_refused_before_it_replaces_a_run(tmp_path: Path) -> None:
    """On Windows and macOS the two, and their details, are one file."""
    save_run(make_run(name="Main"), folder=tmp_path)

    with pytest.raises(ConfigurationError, match="A run 'Main' is there, and 'main' would be the same file"):
        check_name("main", folder=tmp_path)
    assert check_name("Main", folder=tmp_path) == "Main"
    assert check_name("other", folder=tmp_path / "not yet") == "other"


@pytest.mark.parametrize("name", ["main", "prompt-v2", "2026-01-02", "gpt_5.1+few@3", "größer"])
def test_usual_names_are_taken(name: str, tmp_path: Path) -> None:
    save_run(make_run(name=name), folder=tmp_path)

    assert load_run(name, folder=tmp_path).name == name


def test_a_run_is_found_by_path_too(tmp_path: Path) -> None:
    path = save_run(make_run(), folder=tmp_path)

    assert load_run(path, folder=tmp_path / "elsewhere") == load_run("main", folder=tmp_path)


def test_a_run_goes_by_its_files_name(tmp_path: Path) -> None:
    save_run(make_run(), folder=tmp_path).rename(tmp_path / "baseline.jsonl")

    assert load_run("baseline", folder=tmp_path).name == "baseline"
    assert [run.name for run in load_runs(tmp_path)[0]] == ["baseline"]


def test_a_missing_run_names_those_that_there_are(tmp_path: Path) -> None:
    for name in ("main", "prompt-v1", "prompt-v2"):
        save_run(make_run(name=name), folder=tmp_path)

    with pytest.raises(RunNotFound, match="There is no saved run 'prompt_v2'") as caught:
        load_run("prompt_v2", folder=tmp_path)

    assert caught.value.advice == "Did you mean 'prompt-v2'? Saved: main, prompt-v1, prompt-v2."


def test_without_any_saved_run_the_error_says_how_to_save_one(tmp_path: Path) -> None:
    with pytest.raises(RunNotFound, match="None has been saved yet; save one with --design2a11y-save NAME"):
        load_run("main", folder=tmp_path / "nowhere")


def damaged(change: Callable[[list[bytes]], list[bytes]], folder: Path) -> Path:
    path = save_run(make_run(evaluation("a"), evaluation("b"), evaluation("c")), folder=folder)
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    return path


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda lines: [], "line 1: Input data was truncated"),
        (lambda lines: [b"{}\n"], "line 1: it does not begin with a run's header"),
        (lambda lines: [lines[0], b"x" * 40_000_001], "line 2: it is longer than 40 MB"),
        (lambda lines: [b"[1, 2]\n"], "line 1: it does not begin with a run's header"),
        (lambda lines: [b"\xff\xfe\n"], "line 1: "),
        (lambda lines: lines[1:], "line 1: it does not begin with a run's header"),
        (lambda lines: [lines[0], lines[1][:40] + b"\n", *lines[2:]], "line 2: "),
        (lambda lines: [lines[0], b"{}\n", *lines[2:]], "line 2: "),
        (lambda lines: [*lines[:3], b"<<<<<<< HEAD\n", lines[3]], "line 4: a merge conflict is left in it"),
        (
            lambda lines: [*lines, lines[3].replace(b"test_page[c-1]", b"test_page[d-1]")],
            "line 5: there are more lines than the header says",
        ),
        (lambda lines: [*lines[:3], lines[2]], r"line 4: the id '.*' is on line 3 already"),
        (
            lambda lines: [lines[0].replace(b'"environments": [', b'"environments": 5, "x": ['), *lines[1:]],
            "line 1",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(
    change: Callable[[list[bytes]], list[bytes]], text: str, tmp_path: Path
) -> None:
    path = damaged(change, tmp_path)

    with pytest.raises(RunUnreadable, match=text) as caught:
        load_run("main", folder=tmp_path)

    assert str(path) in caught.value.what
    assert "Save the run again" in caught.value.advice


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [*lines[:3], lines[3][:50]],
        lambda lines: lines[:3],
    ],
    ids=["a broken off last line", "missing lines"],
)
def test_a_file_that_ends_early_keeps_what_it_has_and_says_so(
    change: Callable[[list[bytes]], list[bytes]], tmp_path: Path
) -> None:
    damaged(change, tmp_path)

    run = load_run("main", folder=tmp_path)

    assert [one.case for one in run.evaluations] == ["a", "b"]
    assert not run.is_complete


def test_a_run_that_ended_early_says_so(tmp_path: Path) -> None:
    save_run(make_run(is_complete=False), folder=tmp_path)

    assert not load_run("main", folder=tmp_path).is_complete


def test_a_newer_format_is_refused_with_advice(tmp_path: Path) -> None:
    path = save_run(make_run(), folder=tmp_path)
    path.write_text(path.read_text().replace('"schema": 2', '"schema": 3', 1))

    with pytest.raises(RunUnreadable, match="format version 3; this version reads version 2") as caught:
        load_run("main", folder=tmp_path)

    assert caught.value.advice == "Upgrade pytest-design2a11y."


def test_an_old_run_is_refused_with_advice(tmp_path: Path) -> None:
    path = save_run(make_run(), folder=tmp_path)
    path.write_text(path.read_text().replace('"schema": 2', '"schema": 1', 1))

    with pytest.raises(RunUnreadable, match="format version 1; this version reads version 2") as caught:
        load_run("main", folder=tmp_path)

    assert caught.value.advice == "Score its pages again, and save them under the same name."


def test_runs_are_listed_from_the_oldest_on(tmp_path: Path) -> None:
    for name, year in (("a", 2026), ("b", 2024), ("c", 2025)):
        save_run(replace(make_run(name=name), created=f"{year}-01-01T00:00:00+00:00"), folder=tmp_path)

    runs, problems = load_runs(tmp_path)

    assert [run.name for run in runs] == ["b", "c", "a"]
    assert not problems
    assert load_runs(tmp_path / "nowhere") == ([], [])


def test_what_is_no_run_is_left_out_and_told(tmp_path: Path) -> None:
    """One odd file in the folder ended `history` with a traceback."""
    save_run(make_run(name="good"), folder=tmp_path)
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "nowhere")
    make_pipe(tmp_path / "pipe.jsonl")
    (tmp_path / "other.jsonl").write_text("a shopping list\n")
    (tmp_path / "nested.jsonl").write_text("[" * 100_000)
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\n")

    runs, problems = load_runs(tmp_path)

    assert [run.name for run in runs] == ["good"]
    assert [Path(str(problem).split()[0].rstrip(":")).name for problem in problems] == [
        "bytes.jsonl", "folder.jsonl", "link.jsonl", "nested.jsonl", "other.jsonl", "pipe.jsonl",
    ]  # fmt: skip


def test_a_number_of_any_length_is_ordered(tmp_path: Path) -> None:
    """Python makes no number of more than 4,300 digits: the whole run was lost when it was saved."""
    (evaluation, *_) = make_run().evaluations
    long, longer = "1" * 5_000, "2" + "0" * 5_000
    ids = [longer, "9", "010", long]
    run = replace(make_run(), evaluations=tuple(replace(evaluation, case=name, id=name) for name in ids))

    loaded = load_run(save_run(run, folder=tmp_path))

    assert [one.id for one in loaded.evaluations] == ["9", "010", long, longer]


@pytest.mark.parametrize("name", ["a\0b", "n" * 5_000, "\ud800", "~nosuchuser/x"])
def test_a_name_that_no_file_can_have_is_a_missing_run(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunNotFound, match="There is no saved run"):
        load_run(name, folder=tmp_path)


def test_names_are_ordered_as_people_do() -> None:
    assert sorted(["10", "9", "a10", "a9", "²", "a"], key=natural_key) == ["9", "10", "a", "a9", "a10", "²"]


def test_details_come_back_where_blocks_were_joined_whose_colours_have_fractions(tmp_path: Path) -> None:
    joined = Block("a b", (0.1, 0.1, 0.2, 0.1), (5.0, 127.5, 0.0))
    visual = replace(make_visual(0.8), matches=(Match(joined, joined, 1.0, 1.0, 1.0),))
    run = make_run(evaluation(visual=visual))
    save_details(run, folder=tmp_path)

    lacking = make_run(evaluation(visual=replace(visual, matches=())))
    (back,) = with_details(lacking, folder=tmp_path).evaluations

    assert back.visual is not None
    assert back.visual.matches == visual.matches
