"""Processes that score pairs as they come, without any: what the calls get when none can be started."""

from __future__ import annotations

from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.executors import processes
from pytest_design2a11y.measuring.executors.processes import ProcessPool, score_in_processes
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Subject
from pytest_design2a11y.settings.values import Settings

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


def test_what_has_not_begun_is_cancelled_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_occupy", lambda _workers, _waiting, **_how: None)
    pool = ProcessPool(Settings(), 2)
    call = pool.submit(PAIR)

    pool.close()
    pool.close()

    with pytest.raises(CancelledError):
        call.result(timeout=10)
