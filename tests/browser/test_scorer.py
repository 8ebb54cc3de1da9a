"""The door for programs: from any thread, in a running event loop, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y import Answer, AsyncScorer, Scorer
from pytest_design2a11y.exceptions import ConfigurationError, SourceNotFound

DESIGN = "<title>x</title><h1>Sign up</h1><p>It takes a minute.</p>"
PAGE = "<title>x</title><h1>Sign up</h1><p>It takes an hour.</p>"
LAST = "<title>x</title><h1>Sign up</h1><p>It takes a day.</p>"
BUSY = "<h1>Busy</h1><script>for (;;) {}</script>"


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(timeout=20, max_ir=0.5, require=["visual>=0.99"]) as found:
        yield found


def test_a_page_is_scored_audited_and_judged(scorer: Scorer) -> None:
    evaluation = scorer.score(DESIGN, PAGE, id="one", case="signup", axes={"model": "m"})

    assert evaluation.error is None
    assert evaluation.visual is not None
    assert 0.5 < evaluation.visual.score < 0.99
    assert evaluation.accessibility is not None
    assert evaluation.accessibility.checked > 0
    assert (evaluation.id, evaluation.case, evaluation.axes) == ("one", "signup", {"model": "m"})
    verdicts = {(one.metric, one.is_passed, one.origin) for one in evaluation.verdicts}
    assert verdicts == {("ir", True, "call"), ("visual", False, "call")}


def test_every_thread_gets_the_same_bits(scorer: Scorer) -> None:
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(scorer.score(DESIGN, PAGE).visual)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [scorer.score(DESIGN, PAGE).visual] * 3


@pytest.mark.usefixtures("in_one_browser")
def test_a_running_loop_is_not_blocked() -> None:
    async def main() -> tuple[list[float], int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        async with AsyncScorer() as scorer:
            both = await asyncio.gather(scorer.score(DESIGN, PAGE), scorer.score(DESIGN, DESIGN))
            more = [one async for one in scorer.score_many([(DESIGN, PAGE)])]
            audited = await scorer.audit(PAGE)
            capture = await scorer.render(PAGE)
        ticking.cancel()
        assert audited.visual is None
        assert audited.accessibility is not None
        assert capture.role == "candidate"
        return [one.visual.score for one in (*both, *more) if one.visual], ticks

    # Playwright's loop runs in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        scores, ticks = thread.submit(lambda: asyncio.run(main())).result()

    assert scores == [scores[0], 1.0, scores[0]]
    assert ticks > 10


def test_many_pairs_are_taken_as_they_are_needed(scorer: Scorer) -> None:
    taken = 0

    def pairs() -> Iterator[Any]:
        nonlocal taken
        while True:
            taken += 1
            yield (
                (DESIGN, PAGE)
                if taken == 1
                else {"id": "answer", "reference": DESIGN, "candidate_html": PAGE}
            )

    many = scorer.score_many(pairs())
    found = [next(many), next(many)]

    assert [one.id for one in found] == ["1", "answer"]
    assert found[0].visual == found[1].visual
    assert taken == 2


def test_what_is_not_a_pair_costs_itself_only(scorer: Scorer) -> None:
    bad, missing, good = scorer.score_many([7, ("no/such.html", PAGE), (DESIGN, PAGE)])

    assert bad.error is not None
    assert "Item 1 is not a pair: TypeError" in bad.error.message
    assert missing.error is not None
    assert missing.error.type == "SourceNotFound"
    assert good.error is None


@pytest.mark.slow
def test_processes_give_the_same_as_one(scorer: Scorer) -> None:
    pairs = [(DESIGN, PAGE), ("no/such.html", PAGE), (DESIGN, DESIGN), (PAGE, DESIGN)]
    one = list(scorer.score_many(pairs))

    assert list(scorer.score_many(iter(pairs), jobs=2)) == one
    unordered = scorer.score_many(iter(pairs), jobs=2, is_ordered=False)
    assert sorted(unordered, key=lambda each: each.id) == one


@pytest.mark.slow
def test_jobs_serve_gathered_calls_and_a_cancelled_one_costs_itself_only(tmp_path: Path) -> None:
    """What waits when it is cancelled is never begun: it leaves no pictures."""

    async def main() -> tuple[list[Any], bool]:
        async with AsyncScorer(jobs=2, max_ir=0.5, pictures=tmp_path) as scorer:
            tasks = [asyncio.create_task(scorer.score(DESIGN, page)) for page in (DESIGN, PAGE, DESIGN, LAST)]
            await asyncio.sleep(0)  # All are asked for; processes take longer to start.
            tasks[3].cancel()
            return await asyncio.gather(*tasks[:3]), tasks[3].cancelled()

    # Playwright's loop runs in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        found, is_cancelled = thread.submit(lambda: asyncio.run(main())).result()

    assert [one.error for one in found] == [None] * 3
    assert [one.visual.score == 1 for one in found] == [True, False, True]
    assert [verdict.metric for verdict in found[0].verdicts] == ["ir"]
    assert is_cancelled
    pages = {path for one in found for path in one.pictures.values()}
    assert {path.name.replace("-small", "") for path in tmp_path.iterdir()} == {
        Path(one).name for one in pages
    }


@pytest.mark.slow
def test_closing_ends_what_processes_do() -> None:
    scorer = Scorer(jobs=2)
    # The other process has begun, so that one page is in work and one about to be.
    assert scorer.score(DESIGN, DESIGN).error is None
    with ThreadPoolExecutor(3) as thread:
        busy = [thread.submit(scorer.score, DESIGN, BUSY) for _ in range(3)]
        threading.Event().wait(2)
        scorer.close()
        assert {type(one.exception(timeout=30)) for one in busy} == {CancelledError}
    with pytest.raises(ConfigurationError, match="This scorer is closed"):
        scorer.score(DESIGN, PAGE)


@pytest.mark.usefixtures("in_one_browser")
def test_an_evaluation_tells_itself(tmp_path: Path) -> None:
    with Scorer(pictures=tmp_path) as scorer:
        evaluation = scorer.score(DESIGN, PAGE)
    lines = evaluation.summary().splitlines()

    assert repr(evaluation).startswith("<Evaluation '<html>' -> '<html>': ")
    assert len(repr(evaluation)) < 500
    assert lines[0] == "<html> against <html>"
    assert any(line.startswith("  visual ") for line in lines)
    assert evaluation.to_dict()["visual"]["score"] == evaluation.visual.score  # type: ignore[union-attr]
    assert evaluation._repr_html_().count("<img alt=") == 2
    assert "&lt;html&gt; against &lt;html&gt;" in evaluation._repr_html_()


def test_an_answer_is_never_a_path(scorer: Scorer, tmp_path: Path) -> None:
    design = tmp_path / "design.html"
    design.write_text(DESIGN)

    evaluation = scorer.score(design, Answer(str(design)))

    assert evaluation.visual is None or evaluation.visual.score < 0.9


def test_a_design_is_described_in_words_and_as_values(scorer: Scorer) -> None:
    inventory = scorer.describe("<title>Shop</title><h1>Shop</h1>", viewport="640x480")

    assert inventory.size == (640, 480)
    assert [text["text"] for text in inventory.to_dict()["texts"]] == ["Shop"]
    assert any('"Shop" at ' in line for line in inventory.lines())


def test_rendering_raises_what_is_wrong(scorer: Scorer) -> None:
    with pytest.raises(SourceNotFound, match=r"There is no file 'no/such.html'"):
        scorer.render("no/such.html")


@pytest.mark.usefixtures("in_one_browser")
def test_references_are_kept(tmp_path: Path) -> None:
    with Scorer(cache_folder=tmp_path) as scorer:
        first = scorer.score(DESIGN, PAGE)
        kept = list((tmp_path / "captures").iterdir())
        assert len(kept) == 1
        assert scorer.score(DESIGN, PAGE) == first
        assert list((tmp_path / "captures").iterdir()) == kept


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"timeot": 1}, "There is no setting 'timeot'. Did you mean 'timeout'"),
        ({"save": "main"}, "There is no setting 'save'. Known: "),
        ({"timeout": "soon"}, "does not take 'soon': write a number, such as 0.5"),
        ({"max_iwir": 3}, "The limit iwir<=3 \\(call\\) is impossible"),
    ],
)
def test_settings_are_checked_at_once(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Scorer(**settings)


def test_a_closed_scorer_says_so() -> None:
    scorer = Scorer()
    scorer.close()
    scorer.close()

    with pytest.raises(ConfigurationError, match="This scorer is closed"):
        scorer.score(DESIGN, PAGE)


FORGOTTEN = f"""
from pytest_design2a11y import Scorer
print(Scorer(SETTINGS).score({DESIGN!r}, {DESIGN!r}).visual.score)
"""
BUSY_LAST = f"""
from pytest_design2a11y import Scorer
with Scorer(SETTINGS) as scorer:
    print(scorer.score({DESIGN!r}, {DESIGN!r}).visual.score, flush=True)
    scorer.score({DESIGN!r}, {BUSY!r})
"""
GATHERED = f"""
import asyncio
from pytest_design2a11y import AsyncScorer
async def main():
    async with AsyncScorer(SETTINGS) as scorer:
        print((await scorer.score({DESIGN!r}, {DESIGN!r})).visual.score, flush=True)
        calls = [asyncio.create_task(scorer.score({DESIGN!r}, {BUSY!r})) for _ in range(9)]
        await asyncio.sleep(1)
        END
asyncio.run(main())
"""

#: SIGKILL, a name that Windows does not have.
KILL = 9
ENDS = {
    "killed": (BUSY_LAST, KILL, ""),
    "forgotten": (FORGOTTEN, None, ""),
    "interrupted": (BUSY_LAST, signal.SIGINT, "KeyboardInterrupt"),
    "cancelled": (
        GATHERED.replace("END", "[call.cancel() for call in calls]; await calls[0]"),
        None,
        "CancelledError",
    ),
    "raised": (GATHERED.replace("END", "raise ValueError('mine')"), None, "ValueError: mine"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the processes in /proc")
@pytest.mark.alike(1)
@pytest.mark.parametrize(
    ("program", "number", "told", "settings"),
    [
        pytest.param(*end, settings, id=f"{name}-{id}")
        for name, end in ENDS.items()
        for id, settings in (("jobs", "jobs=2"), ("one", ""))
    ],
)
def test_nothing_is_left_behind(
    tmp_path: Path, settings: str, program: str, number: int | None, told: str
) -> None:
    """However the program ends that began it; one that is killed cannot remove its folders itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", program.replace("SETTINGS", settings)],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "1.0"
    if number is not None:
        process.send_signal(number)
    _, errors = process.communicate(timeout=60)

    assert errors.strip().rpartition("\n")[2].endswith(told)
    assert ("Traceback" in errors) == bool(told)
    end = time.monotonic() + (20 if number == KILL else 0)
    while _processes_with(f"TMPDIR={tmp_path}") and time.monotonic() < end:
        time.sleep(0.1)
    assert _processes_with(f"TMPDIR={tmp_path}") == []
    if number != KILL:
        assert list(tmp_path.iterdir()) == []


def _processes_with(variable: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_a_page_that_is_no_longer_waited_for_ends_at_once() -> None:
    """It would hold the browser until its own time is over, and the next page with it."""

    async def main() -> tuple[float, Any]:
        async with AsyncScorer(timeout=120, audit=False) as scorer:
            await scorer.score(DESIGN, PAGE)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(scorer.score(DESIGN, BUSY), 2)
            began = time.monotonic()
            evaluation = await scorer.score(DESIGN, LAST)
            return time.monotonic() - began, evaluation

    # Playwright's loop runs in this thread, for the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        seconds, evaluation = thread.submit(lambda: asyncio.run(main())).result()

    assert evaluation.error is None
    assert seconds < 20
