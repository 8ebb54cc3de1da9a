"""Runs in chunks: what is done is not done again, what is damaged is, and the folder is a saved run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.capture.isolation import Asset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import ConfigurationError, RunUnreadable
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Failure, Subject
from pytest_design2a11y.run_end import corpus
from pytest_design2a11y.run_end.corpus import Done, score_corpus
from pytest_design2a11y.runs import load_run
from pytest_design2a11y.runs.run_file import ChunkFolder
from pytest_design2a11y.settings import Settings
from tests.factories import make_evaluation

PAIRS = ["design.html", "page.html"]
BROWSER = {"chromium": "1.0"}
HEADER = '{"format": "design2a11y chunks", "created": "x"}'


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names the pairs that are really scored, each an evaluation whose score tells its number."""
    names: list[str] = []

    def score_pairs(pairs: Iterator[Pair], **_: Any) -> Iterator[Evaluation]:
        for pair in pairs:
            names.append(pair.subject.id)
            lost = Failure("BrowserLost", "It ended.") if pair.candidate == "lost" else None
            yield make_evaluation(pair.subject.id, id=pair.subject.id, error=lost)

    monkeypatch.setattr(corpus, "score_pairs", score_pairs)

    def open_renderer(settings: Settings) -> nullcontext[SimpleNamespace]:
        assets = settings.capture.assets
        recordings = None if assets is None else Recordings(assets)
        return nullcontext(SimpleNamespace(conditions=lambda: dict(BROWSER), recordings=recordings))

    monkeypatch.setattr(corpus, "open_renderer", open_renderer)
    return names


def pairs(folder: Path, number: int, *, candidate: str = "page.html") -> Iterator[Pair]:
    for each in range(number):
        yield Pair(Subject(id=f"p{each}", case=""), "design.html", candidate, folder)


def score(given: Iterator[Pair], folder: Path, settings: Settings | None = None) -> list[Done]:
    return list(score_corpus(given, folder=folder, settings=settings or Settings(), chunk_size=2))


def test_two_runs_do_not_write_into_one_folder(scored: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = score_corpus(pairs(tmp_path, 5), folder=out, settings=Settings(), chunk_size=2)
    next(first)

    with pytest.raises(ConfigurationError, match=r"Another run is writing into .*out\. Wait for it"):
        score(pairs(tmp_path, 5), out)
    assert len(list(first)) == 2
    assert load_run(out).is_complete


def test_a_full_disk_ends_what_scores(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = []

    def score_pairs(pairs: Iterator[Pair], **_: Any) -> Iterator[Evaluation]:
        try:
            for pair in pairs:
                yield make_evaluation(pair.subject.id, id=pair.subject.id)
        finally:
            ended.append("browser")

    def full(self: object, key: str, evaluations: object) -> None:
        raise OSError(28, "No space left on device", "chunk")

    monkeypatch.setattr(corpus, "score_pairs", score_pairs)
    monkeypatch.setattr(ChunkFolder, "save", full)

    with pytest.raises(OSError, match="No space left") as caught:
        score(pairs(tmp_path, 5), tmp_path / "out")
    # While the error, and the frames that it came through, are still held.
    assert (caught.value.filename, ended) == ("chunk", ["browser"])


def test_a_second_start_scores_nothing(scored: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"

    assert score(pairs(tmp_path, 5), out) == [Done(2, 0, True), Done(2, 0, True), Done(1, 0, True)]
    assert score(pairs(tmp_path, 5), out) == [Done(2, 0, False), Done(2, 0, False), Done(1, 0, False)]
    assert scored == ["p0", "p1", "p2", "p3", "p4"]


def test_the_folder_is_a_run(scored: list[str], tmp_path: Path) -> None:
    score(pairs(tmp_path, 3), tmp_path / "out")

    run = load_run(tmp_path / "out")

    assert (run.name, run.is_complete) == ("out", True)
    assert [one.id for one in run.evaluations] == ["p0", "p1", "p2"]


def test_a_start_that_was_killed_leaves_an_incomplete_run_and_loses_one_chunk(
    scored: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = score_corpus(pairs(tmp_path, 5), folder=out, settings=Settings(), chunk_size=2)
    next(first)
    next(first)
    del first

    assert not load_run(out).is_complete
    assert len(load_run(out).evaluations) == 4
    del scored[:]
    assert [done.is_new for done in score(pairs(tmp_path, 5), out)] == [False, False, True]
    assert scored == ["p4"]
    assert load_run(out).is_complete


@pytest.mark.parametrize("change", ["file", "settings", "browser", "pair"])
def test_what_numbers_depend_on_begins_anew(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (tmp_path / "page.html").write_text("<p>one")
    out = tmp_path / "out"
    score(pairs(tmp_path, 2), out)
    settings, candidate = Settings(), "page.html"
    if change == "file":
        (tmp_path / "page.html").write_text("<p>two")
    elif change == "settings":
        settings = Settings(text_ratio="difflib")
    elif change == "browser":
        monkeypatch.setitem(BROWSER, "chromium", "2.0")
    else:
        candidate = "other.html"

    assert score(pairs(tmp_path, 2, candidate=candidate), out, settings) == [Done(2, 0, True)]
    assert len(load_run(out).evaluations) == 2


def test_the_order_in_which_conditions_are_told_changes_no_number(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BROWSER, "locale", "de")
    score(pairs(tmp_path, 2), tmp_path / "out")
    monkeypatch.delitem(BROWSER, "chromium")
    monkeypatch.setitem(BROWSER, "chromium", "1.0")

    assert score(pairs(tmp_path, 2), tmp_path / "out") == [Done(2, 0, False)]


@pytest.mark.parametrize("name", ["cache_folder", "picture_folder", "chromium"])
def test_where_something_is_kept_changes_no_number(scored: list[str], tmp_path: Path, name: str) -> None:
    place: dict[str, Any] = {name: tmp_path / "elsewhere"}
    score(pairs(tmp_path, 2), tmp_path / "out")

    assert score(pairs(tmp_path, 2), tmp_path / "out", Settings(**place)) == [Done(2, 0, False)]
    assert scored == ["p0", "p1"]


def axe(path: Path, text: str) -> Settings:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'axe.version="4.9.1";{text}')
    return Settings(axe_script=path)


def htmlcs(path: Path, text: str) -> Settings:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"/*! html_codesniffer - v2.5.1 */{text}")
    return Settings(htmlcs_script=path, engines="axe,htmlcs")


def assets(path: Path, text: str) -> Settings:
    Recordings(path).keep("https://cdn.test/a.css", Asset(200, "text/css", text.encode(), True, ""))
    return Settings(capture=CaptureLimits(assets=path))


@pytest.mark.parametrize("given", [axe, htmlcs, assets])
def test_scripts_and_assets_count_by_what_is_in_them_not_by_where_they_lie(
    scored: list[str], tmp_path: Path, given: Callable[[Path, str], Settings]
) -> None:
    out = tmp_path / "out"
    score(pairs(tmp_path, 2), out, given(tmp_path / "here" / "it", "1"))

    assert score(pairs(tmp_path, 2), out, given(tmp_path / "there" / "it", "1")) == [Done(2, 0, False)]
    assert score(pairs(tmp_path, 2), out, given(tmp_path / "here" / "it", "2")) == [Done(2, 0, True)]


def test_an_answer_is_not_the_file_of_that_name(scored: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    score(pairs(tmp_path, 2), out)

    assert score(pairs(tmp_path, 2, candidate=Answer("page.html")), out) == [Done(2, 0, True)]


def test_labels_prompts_and_commit_are_saved_and_make_no_page_anew(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "current_commit", lambda folder: "0123abc")
    out = tmp_path / "out"
    score(pairs(tmp_path, 2), out)

    done = score(
        pairs(tmp_path, 2), out, Settings(label=(("model", "large"),), prompt_file=(("p.txt", "00ff"),))
    )

    run = load_run(out)
    assert done == [Done(2, 0, False)]
    assert (run.labels, run.prompts, run.commit) == ({"model": "large"}, {"p.txt": "00ff"}, "0123abc")


def test_a_chunk_that_lost_its_browser_is_scored_again(scored: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"

    assert score(pairs(tmp_path, 2, candidate="lost"), out) == [Done(2, 2, True)]
    assert score(pairs(tmp_path, 2, candidate="lost"), out) == [Done(2, 2, True)]


def test_a_damaged_chunk_is_scored_again(scored: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    score(pairs(tmp_path, 2), out)
    (chunk,) = [path for path in out.iterdir() if path.name != "index.jsonl"]
    chunk.write_bytes(chunk.read_bytes()[:-20])

    assert score(pairs(tmp_path, 2), out) == [Done(2, 0, True)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: it does not begin with a header"),
        ('{"format": "design2a11y chunks", "created": "x"}\n{"chunk": 3}\n', "line 2: it names no chunk"),
        (
            '{"format": "design2a11y chunks", "created": "x"}\n{"chunk": "gone"}\n',
            "gone.jsonl cannot be read",
        ),
        ("[]\n", "line 1: it does not begin with a header"),
        ("[" * 100_000 + "\n", "line 1: maximum recursion depth"),
        (
            '{"format": "design2a11y chunks", "created": 3}\n',
            "line 1: Expected `str`, got `int`",
        ),
        (f'{HEADER}\n{{"chunk": "../other"}}\n', "line 2: it names no chunk"),
        (f'{HEADER}\n{{"chunk": "/dev/zero"}}\n', "line 2: it names no chunk"),
        (f"{HEADER}\n[1]\n", "line 2: it names no chunk"),
    ],
)
def test_a_damaged_index_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "index.jsonl").write_text(text)

    with pytest.raises(RunUnreadable, match=message):
        load_run(tmp_path)


def test_two_evaluations_of_one_id_are_named(scored: list[str], tmp_path: Path) -> None:
    given = [*pairs(tmp_path, 2), *pairs(tmp_path, 1, candidate="other.html")]
    score(iter(given), tmp_path / "out")

    with pytest.raises(RunUnreadable, match=r"Two evaluations in .* have the id 'p0'"):
        load_run(tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.html", "b.html", "--out", "folder"], "--out is for several pages"),
        (["--pairs", "p.jsonl", "--out", "f", "--max-ir", "0.1"], "--out only scores and saves"),
        (["--executor", "cluster", *PAIRS], "There is no executor 'cluster'. Known: serial, processes, ray"),
        (["--pairs", "none.jsonl", "--out", "f"], "Cannot read the pairs in none.jsonl"),
    ],
)
def test_what_the_command_does_not_take(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["score", *arguments])

    assert message in capsys.readouterr().err


@pytest.mark.parametrize("pages", ["made/{case}.html", "made"])
def test_a_folder_of_designs_and_its_pages_are_scored_into_a_folder(
    scored: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pages: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in ("mock/cart.html", "mock/help.html", "made/cart.html", "made/help.html"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text("<h1>Cart</h1>")

    assert main(["score", "mock", pages, "--out", "out"]) == 0
    told = capsys.readouterr().out
    assert "2 pages in out, 0 of them from earlier, 0 could not be measured. " in told
    assert told.endswith("See: design2a11y check out, compare, report, runs export.\n")


def test_the_command_tells_what_it_did(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line = {"id": "one", "reference": "a.html", "candidate": "b.html"}
    Path("pairs.jsonl").write_text(json.dumps(line) + "\n")

    assert main(["score", "--pairs", "pairs.jsonl", "--out", "out"]) == 0
    assert "1 page in out, 0 of them from earlier, 0 could not be measured" in capsys.readouterr().out
    assert main(["score", "--pairs", "pairs.jsonl", "--out", "out", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pages"], told["known"], told["errors"]) == (1, 1, 0)
    assert main(["check", "out", "--max-ir", "0.5"]) == 0


def test_the_command_ends_with_the_table_of_a_run(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [{"id": f"page {number}", "reference": "a.html", "candidate": "b.html"} for number in range(12)]
    Path("pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    assert main(["score", "--pairs", "pairs.jsonl", "--out", "out"]) == 0
    told = capsys.readouterr().out
    assert "\n12 cases " in told
    assert "and 2 pages that did better" in told
    assert main(["score", "--pairs", "pairs.jsonl", "--out", "out", "--verbose"]) == 0
    assert "did better" not in capsys.readouterr().out


def test_a_folder_of_chunks_is_not_labelled(
    scored: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score(pairs(tmp_path, 2), tmp_path / "out")

    with pytest.raises(SystemExit, match="2"):
        main(["runs", "label", str(tmp_path / "out"), "model=x"])

    assert load_run(tmp_path / "out").labels == {}
    assert "out is a folder that --out fills. Score the pages again" in capsys.readouterr().err
