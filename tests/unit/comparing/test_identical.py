"""Pages that are the same byte for byte: told, and rendered once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture.cache import CaptureCache, MemoryStore, content_digest
from pytest_design2a11y.capture.isolation.site_files import SiteFiles
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.table import count_samples, make_table, repetitions
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Environment, Site
from pytest_design2a11y.report.comparison import caveats
from pytest_design2a11y.report.github import step_summary
from pytest_design2a11y.runs import load_run, save_run
from tests.factories import make_evaluation, make_run

HOW = {"how": "as always"}
PAGE = b'<link rel="stylesheet" href="style.css"><h1>Hello</h1>'


def page(folder: Path, name: str, html: bytes = PAGE, **site: Any) -> Document:
    where = Site(root=str(folder), address=f"/{name}")
    return Document(f"{folder.name}/{name}", html, folder=str(folder), site=replace(where, **site))


def files_of(document: Document, *paths: str) -> dict[str, str | None]:
    return {path: SiteFiles(document).digest(path) for path in paths}


def capture_of(document: Document, *warnings: CaptureWarning) -> Capture:
    return Capture(
        label=document.label,
        role="candidate",
        image=Screenshot(b"picture" + (document.html or b"")),
        page_size=(1280, 720),
        text_runs=(),
        warnings=warnings,
        environment=Environment("156", None, "0.1"),
    )


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with equal style sheets."""
    made = (tmp_path / "a", tmp_path / "b")
    for folder in made:
        folder.mkdir()
        (folder / "style.css").write_text("body {}")
    return made


@pytest.fixture
def recent() -> CaptureCache:
    return CaptureCache(MemoryStore())


def keep(recent: CaptureCache, document: Document, *warnings: CaptureWarning) -> Capture:
    capture = capture_of(document, *warnings)
    recent.keep(document, HOW, capture, files_of(document, "/style.css"))
    return capture


def test_an_equal_page_has_the_capture_of_the_first_under_its_own_name(
    recent: CaptureCache, folders: tuple[Path, Path]
) -> None:
    own, other = CaptureWarning("fence", "Of 1.html."), CaptureWarning("fence", "Of 2.html.")
    more = CaptureWarning("quirks_mode", "No doctype.")
    first = replace(page(folders[0], "1.html"), warnings=(own,))
    second = replace(page(folders[1], "2.html"), warnings=(other,))
    kept = keep(recent, first, own, more)

    found = recent.find(second, HOW)

    assert found is not None
    assert found.label == "b/2.html"
    assert found.warnings == (other, more)
    assert found.image == kept.image
    assert found.image is not kept.image  # whose pixels may be decoded, many times its size


@pytest.mark.parametrize(
    "change", ["bytes", "file", "missing", "how", "references", "query", "folder", "route", "files"]
)
def test_a_page_that_differs_in_anything_is_rendered(
    change: str, recent: CaptureCache, folders: tuple[Path, Path]
) -> None:
    keep(recent, page(folders[0], "1.html"))
    second, how = page(folders[1], "2.html"), HOW
    if change == "bytes":
        second = replace(second, html=PAGE + b" ")
    elif change == "file":
        (folders[1] / "style.css").write_text("body { color: red }")
    elif change == "missing":
        (folders[1] / "style.css").unlink()
    elif change == "how":
        how = {"how": "another"}
    else:
        fields: dict[str, dict[str, Any]] = {
            "references": {"references": ("/designs/1.html",)},
            "query": {"address": "/2.html?step=2"},
            "folder": {"address": "/deeper/2.html"},
            "route": {"address": "/about", "single_page": True},
            "files": {"files": (("style.css", b"p {}"),)},
        }
        second = page(folders[1], "2.html", **fields[change])

    assert recent.find(second, how) is None


@pytest.mark.parametrize("script", [b"<script>show(location.pathname)</script>", b"<script src=style.css>"])
def test_a_page_whose_scripts_may_read_its_address_stands_for_that_address_alone(
    script: bytes, recent: CaptureCache, folders: tuple[Path, Path]
) -> None:
    for folder in folders:
        (folder / "style.css").write_text("document.title = document.location")
    first, same, other = (
        page(folder, name, PAGE + script)
        for folder, name in ((folders[0], "1.html"), (folders[1], "1.html"), (folders[1], "2.html"))
    )
    keep(recent, first)

    assert recent.find(same, HOW) is not None
    assert recent.find(other, HOW) is None


def test_a_page_that_was_refused_files_stands_for_no_other(
    recent: CaptureCache, folders: tuple[Path, Path]
) -> None:
    document = page(folders[0], "1.html")
    keep(recent, document, CaptureWarning("refused_files", "x"))

    assert recent.find(document, HOW) is None


@pytest.mark.parametrize("most", [{"max_bytes": 2 * len(b"picture" + PAGE + b"0")}, {"max_count": 2}])
def test_what_was_used_longest_ago_is_let_go(folders: tuple[Path, Path], most: dict[str, int]) -> None:
    documents = [page(folders[0], "1.html", PAGE + bytes(str(number), "ascii")) for number in range(3)]
    recent = CaptureCache(MemoryStore(**most))
    for document in documents[:2]:
        keep(recent, document)
    recent.find(documents[0], HOW)

    keep(recent, documents[2])

    assert [recent.find(document, HOW) is None for document in documents] == [False, True, False]


def test_a_digest_tells_bytes_and_files_and_not_names(folders: tuple[Path, Path]) -> None:
    first, second = page(folders[0], "1.html"), page(folders[1], "2.html")
    deeper = page(folders[1], "deeper/2.html")
    files = files_of(first, "/style.css")

    digest = content_digest(first, files)

    assert content_digest(second, files) == digest
    assert content_digest(deeper, {"/deeper/style.css": files["/style.css"]}) == digest
    assert content_digest(replace(first, html=b"other"), files) != digest
    assert content_digest(first, {"/style.css": None}) != digest
    assert content_digest(first, {}) != digest
    assert content_digest(page(folders[0], "1.html?step=2"), files) != digest


SAMPLES = (("login", "aab"), ("shop", "cc"), ("home", "d"))


def sampled(*cases: tuple[str, Sequence[str | None]]) -> list[Evaluation]:
    return [
        make_evaluation(case, sample=str(number), candidate_digest=digest)
        for case, digests in cases
        for number, digest in enumerate(digests)
    ]


def test_equal_samples_are_told_with_the_number_that_counts() -> None:
    text = repetitions(sampled(*SAMPLES))

    assert text == (
        "2 of 6 samples repeat another of their case byte for byte (in 2 cases): the effective number of "
        "samples is 4, 1.3 a case"
    )


@pytest.mark.parametrize("digests", ["abc", [None, None, None], ["a", None]])
def test_samples_that_are_not_known_to_be_equal_are_not_said_to_be(digests: Sequence[str | None]) -> None:
    assert repetitions(sampled(("login", digests))) == ""


def test_equal_pages_of_other_cases_axes_or_tests_of_one_sample_are_no_repetition() -> None:
    evaluations = [
        make_evaluation("login", candidate_digest="a"),
        make_evaluation("login", candidate_digest="a", id="the same sample in another test"),
        make_evaluation("login", candidate_digest="a", axes={"model": "large"}, id="large"),
        make_evaluation("shop", candidate_digest="a"),
    ]

    assert repetitions(evaluations) == ""
    pages = [("login", page) for page in evaluations[:2]]
    pages.append(("login", make_evaluation(sample="2", candidate_digest="b")))
    assert count_samples(pages) == {"login": (2, 2)}


def test_saved_runs_comparisons_and_summaries_tell_it_and_no_mean_changes(tmp_path: Path) -> None:
    evaluations = sampled(*SAMPLES)
    run = make_run(*evaluations, name="told")
    unknown = make_run(
        *(replace(one, candidate_digest=None) for one in evaluations),
        name="untold",
    )
    save_run(run, folder=tmp_path)
    loaded = load_run("told", folder=tmp_path)

    warnings = list(caveats(compare_runs(unknown, loaded)))

    assert loaded.evaluations[0].candidate_digest == "d"
    assert make_table(loaded).num_distinct == (1, 2, 1)
    assert [warning for warning in warnings if "repeat" in warning] == [
        "the new run 'told': " + repetitions(run.evaluations)
    ]
    assert (make_table(loaded).means == make_table(unknown).means)[:, 1].all()
    assert "2 of 6 samples repeat" in step_summary(run)
