"""How far a long command is: a bar on a terminal, lines in a log."""

from __future__ import annotations

import io

import pytest

from pytest_design2a11y.command.shell import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr("pytest_design2a11y.command.shell.time.monotonic", lambda: now[0])
    return now


def test_a_terminal_sees_rate_and_time_left_of_what_took_time(clock: list[float]) -> None:
    stream = Terminal()
    with Progress(400, stream, every=1.0) as progress:
        progress.advance(100, is_work=False)
        clock[0] = 50.0
        progress.advance(100)

        assert stream.getvalue().endswith("] 200/400, 2.00 a second, 0:01:40 left")
    assert "\n" not in stream.getvalue()


def test_a_log_gets_a_line_now_and_then(clock: list[float]) -> None:
    stream, silent = io.StringIO(), io.StringIO()
    with Progress(400, stream, every=60.0) as progress, Progress(400, silent) as without:
        for seconds in (30.0, 61.0, 90.0, 125.0):
            clock[0] = seconds
            progress.advance(50)
            without.advance(50)

    assert stream.getvalue() == "100/400, 1.64 a second, 0:03:03 left\n200/400, 1.60 a second, 0:02:05 left\n"
    assert silent.getvalue() == ""
