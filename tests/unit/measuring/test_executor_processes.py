"""Processes that score pairs as they come, without any: what the calls get when none can be started."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.executors import processes
from pytest_design2a11y.measuring.executors.processes import ProcessPool, score_in_processes
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

PAIR = Pair(Subject(id="one", case=""), None, "<p>x</p>", Path())


def test_a_call_fails_where_the_system_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_workers: list[Any], waiting: Any, **_how: Any) -> None:
        for _task in waiting:
            raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(processes, "_occupy", refuse)
    pool = ProcessPool(Settings(), 2)

    with pytest.raises(OSError, match="temporarily unavailable"):
        pool.submit(PAIR).result(timeout=10)
    with pytest.raises(ConfigurationError, match="This scorer is closed"):
        pool.submit(PAIR)
    pool.close()


def test_a_run_ends_with_the_reason_why_the_system_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_workers: list[Any], waiting: Any, **_how: Any) -> None:
        for _task in waiting:
            raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(processes, "_occupy", refuse)

    with pytest.raises(OSError, match="temporarily unavailable"):
        list(score_in_processes([PAIR] * 50, settings=Settings(), jobs=4))


@pytest.mark.parametrize("name", ["script.py", "-"])
def test_a_script_that_cannot_run_again_in_its_processes_is_told_what_to_write(
    tmp_path: Path, name: str
) -> None:
    script = "from pytest_design2a11y import Scorer\nlist(Scorer(jobs=2).score_many([(None, '<p>x')]))\n"
    (tmp_path / "script.py").write_text(script)

    run = subprocess.run(
        [sys.executable, name], input=script, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )

    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == (
        "pytest_design2a11y.exceptions.ConfigurationError: No process that scores pages could begin: each "
        'runs your script again first, which failed. Call it from a file, below `if __name__ == "__main__":`;'
        " or leave out jobs."
    )


def test_what_has_not_begun_is_cancelled_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_occupy", lambda _workers, _waiting, **_how: None)
    pool = ProcessPool(Settings(), 2)
    call = pool.submit(PAIR)

    pool.close()
    pool.close()

    with pytest.raises(CancelledError):
        call.result(timeout=10)


class _Awaited(Future[Evaluation]):
    """Waits ten seconds for its result, not forever."""

    def result(self, timeout: float | None = 10) -> Evaluation:
        return super().result(timeout)


def test_a_scorer_with_jobs_scores_as_many_pairs_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[Pair, _Awaited]] = []

    def submit(_pool: ProcessPool, pair: Pair) -> _Awaited:
        begun.append((pair, _Awaited()))
        # None of them ends before three have begun.
        for begun_pair, future in begun if len(begun) >= 3 else ():
            if not future.done():
                future.set_result(Evaluation(id=begun_pair.subject.id, case="", candidate=""))
        return begun[-1][1]

    monkeypatch.setattr(ProcessPool, "submit", submit)
    pairs = [("<p>x</p>", "<p>x</p>")] * 5
    with Scorer(jobs=3) as scorer:
        found = list(scorer.score_many(pairs))
    monkeypatch.undo()

    assert [one.id for one in found] == ["1", "2", "3", "4", "5"]
    with pytest.raises(ConfigurationError, match="This scorer is closed"):
        next(scorer.score_many(pairs))
