"""Ctrl-C: one line, 130, and nothing disturbed while things are cleaned up."""

from __future__ import annotations

import signal
import sys
import time
import weakref

import pytest

from pytest_design2a11y.command import shell
from pytest_design2a11y.command.main import main
from pytest_design2a11y.interrupts import held_interrupts, interruptible_once, release_interrupts


def test_the_command_says_one_line_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: object) -> int:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")

    monkeypatch.setattr(shell, "run", interrupted)

    assert main(["score", "a.html", "b.html"]) == 130
    assert capsys.readouterr() == ("", "design2a11y: interrupted\n")


def test_only_the_first_interrupt_counts() -> None:
    before = signal.getsignal(signal.SIGINT)
    cleaned = []

    def work() -> None:
        with interruptible_once():
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                signal.raise_signal(signal.SIGINT)
                cleaned.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()

    assert cleaned == ["all"]
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(sys.platform == "win32", reason="no signal masks")
def test_an_interrupt_waits_while_a_process_starts() -> None:
    reached = []

    def start() -> None:
        with held_interrupts():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        start()

    assert reached == ["the end"]
    release_interrupts()
    assert sys.platform == "win32" or signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_an_interrupt_that_python_drops_comes_again() -> None:
    """As in a callback of a weak reference, of which every import has one: Ctrl-C did nothing at all."""

    class Module:
        pass

    modules = [Module()]
    watched = weakref.ref(modules[0], lambda _: signal.raise_signal(signal.SIGINT))

    def work() -> None:
        with interruptible_once():
            modules.clear()
            assert watched() is None
            time.sleep(20)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert sys.platform == "win32" or time.monotonic() - start < 10


def test_a_worker_that_is_about_to_end_is_not_interrupted_any_more() -> None:
    before = signal.getsignal(signal.SIGINT)
    try:
        with interruptible_once(is_last=True):
            assert signal.getsignal(signal.SIGINT) not in (before, signal.SIG_IGN)
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
