"""`design2a11y runs merge`: what parallel jobs saved becomes one run, or an error that says why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.runs import load_run, save_details, save_run, with_details
from tests.factories import ENVIRONMENT, make_audited, make_evaluation, make_run

PICTURE = f"{'0' * 40}.webp"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def save(name: str, *evaluations: Evaluation, is_complete: bool = True, **changes: Any) -> None:
    save_run(replace(make_run(*evaluations, name=name, is_complete=is_complete), **changes))


def merge_refused(capsys: pytest.CaptureFixture[str], names: Sequence[str] = ("a", "b")) -> str:
    with pytest.raises(SystemExit) as caught:
        main(["runs", "merge", *names, "-o", "whole"])
    assert caught.value.code == 2
    assert not Path(".design2a11y/runs/whole.jsonl").exists()
    return capsys.readouterr().err


def test_parts_become_the_run_that_one_job_would_have_saved(capsys: pytest.CaptureFixture[str]) -> None:
    pages = [make_evaluation(f"page {number}", sample=sample) for number in (1, 2, 10) for sample in "12"]
    save("a", *pages[:3])
    save("b", pages[4], created="2026-01-02T00:00:00+00:00")
    save("c", pages[3], pages[5])
    save("together", *pages, created="2026-01-02T00:00:00+00:00")

    assert main(["runs", "merge", "a", "b", "c", "-o", "whole"]) == 0

    assert (
        "merged 3 runs into .design2a11y/runs/whole.jsonl: 3 cases, 6 evaluations" in capsys.readouterr().out
    )
    assert replace(load_run("whole"), name="together") == load_run("together")


def test_an_incomplete_part_makes_the_whole_incomplete(capsys: pytest.CaptureFixture[str]) -> None:
    save("a", make_evaluation("one"))
    save("b", make_evaluation("two"), is_complete=False)

    assert main(["runs", "merge", "a", "b", "-o", "whole"]) == 0

    assert "it is incomplete, because a part is" in capsys.readouterr().out
    assert not load_run("whole").is_complete


def test_an_id_in_two_parts_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    save("a", make_evaluation("one", id="test_it"))
    save("b", make_evaluation("two", id="test_it"))

    assert "The runs overlap: test_it is in a and in b." in merge_refused(capsys)


def test_a_sample_in_two_parts_is_an_error_along_its_axes_alone(capsys: pytest.CaptureFixture[str]) -> None:
    save("a", make_evaluation("one", id="x", axes={"model": "large"}))
    save("b", make_evaluation("one", id="y", axes={"model": "large"}))
    save("c", make_evaluation("one", id="y", axes={"model": "small"}))

    assert "sample 1 of one large is in a and in b" in merge_refused(capsys)
    assert main(["runs", "merge", "a", "c", "-o", "whole"]) == 0


def test_many_overlaps_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    pages = [make_evaluation(f"page {number}") for number in range(9)]
    save("a", *pages)
    save("b", *pages)

    assert " and 4 more" in merge_refused(capsys)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"environment": replace(ENVIRONMENT, chromium="157.0")}, "browser build: 156.0 in a, 157.0 in b"),
        ({"environment": replace(ENVIRONMENT, axe="4.13.0")}, "axe-core version: 4.12.1 in a, 4.13.0 in b"),
        ({"settings": {"viewport": "390x844"}}, "viewport: 1280x720 in a, 390x844 in b"),
        (
            {"settings": {"viewport": "390x844"}, "axes": {"model": "x"}},
            "viewport: 1280x720 in a, 390x844 in b",
        ),
    ],
)
def test_parts_that_were_measured_differently_are_an_error(
    changes: dict[str, Any], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {"viewport": "1280x720"}
    save("a", make_evaluation("one", settings=settings))
    save("b", make_evaluation("two", **{"settings": settings, **changes}))

    assert f"The runs were measured differently: {told}." in merge_refused(capsys)


def test_pages_along_an_axis_of_their_own_may_be_measured_differently() -> None:
    save("a", make_evaluation("one", settings={"viewport": "1280x720"}, axes={"screen": "wide"}))
    save("b", make_evaluation("one", id="n", settings={"viewport": "390x844"}, axes={"screen": "narrow"}))

    assert main(["runs", "merge", "a", "b", "-o", "whole"]) == 0


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a"], "There is only one run to merge."),
        (["a", "a"], "The run 'a' is named twice."),
        (["a", "missing"], "There is no saved run 'missing'"),
    ],
)
def test_what_cannot_be_merged_says_why(
    names: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    save("a", make_evaluation("one"))

    assert told in merge_refused(capsys, names)


def test_the_whole_replaces_none_of_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    save("a", make_evaluation("one"))
    save("b", make_evaluation("two"))

    with pytest.raises(SystemExit, match="2"):
        main(["runs", "merge", "a", "b", "-o", "b"])

    assert "The run 'b' is to be replaced by the whole." in capsys.readouterr().err
    assert len(load_run("b").evaluations) == 1


def test_details_and_pictures_of_other_folders_come_along() -> None:
    for name in ("one", "two"):
        page = make_audited(name, 0.9, pictures={"candidate": PICTURE})
        job = Path(f"job-{name}/.design2a11y")
        save_run(make_run(page, name="part"), folder=job / "runs")
        save_details(make_run(page, name="part"), folder=job)
        (job / "pictures").mkdir()
        for file in (PICTURE, PICTURE.replace(".webp", "-small.webp")):
            (job / "pictures" / file).write_bytes(b"picture")

    parts = [f"job-{name}/.design2a11y/runs/part.jsonl" for name in ("one", "two")]
    assert main(["runs", "merge", *parts, "-o", "whole"]) == 0

    pages = with_details(load_run("whole")).evaluations
    assert [len(page.audit.rules[0].violations) for page in pages if page.audit] == [2, 2]
    assert Path(".design2a11y/pictures", PICTURE).read_bytes() == b"picture"


def test_runs_that_label_gave_an_axis_become_one(capsys: pytest.CaptureFixture[str]) -> None:
    for prompt in ("short", "long"):
        save(prompt, *(make_evaluation(case, 0.5, id=f"tests/test_ui.py::{case}") for case in ("one", "two")))
        assert main(["runs", "label", prompt, f"prompt={prompt}"]) == 0

    assert main(["runs", "merge", "short", "long", "-o", "whole"]) == 0

    whole = load_run("whole")
    assert sorted(page.axes["prompt"] for page in whole.evaluations) == ["long", "long", "short", "short"]
    assert len({page.id for page in whole.evaluations}) == 4
    assert whole.labels == {}
    capsys.readouterr()
    assert main(["compare", "prompt=short", "whole"]) == 0
    assert "new: prompt=long, 2026-01-01T00:00:00+00:00, 2 cases" in capsys.readouterr().out


def test_runs_with_the_same_label_overlap_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        save(name, make_evaluation("one", 0.5))
        assert main(["runs", "label", name, "prompt=short"]) == 0

    assert "The runs overlap: one-1 is in a and in b" in merge_refused(capsys)
