"""What the watchdog sees of processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_design2a11y.capture.browser import processes
from pytest_design2a11y.capture.browser.processes import (
    Watchdog,
    command_line,
    descendants,
    memory_of,
    own_descendant,
    parent_of,
)

HAS_PROC = Path("/proc/self/task").is_dir()


@pytest.fixture(params=["/proc", "psutil alone"], autouse=True)
def _source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test as on Linux, and as on systems without /proc."""
    if request.param == "psutil alone":
        monkeypatch.setattr(processes, "PROC", Path("/nowhere"))
    elif not HAS_PROC:
        pytest.skip("The system tells nothing in /proc.")


class Vanishing:
    """A /proc in which one process ends while its threads are listed."""

    def __init__(self, ending: int) -> None:
        self.ending = ending

    def __truediv__(self, name: str) -> Path:
        return Path("/proc") / name

    def glob(self, pattern: str) -> Iterator[Path]:
        if pattern.startswith(f"{self.ending}/"):
            raise FileNotFoundError(2, "No such file or directory", f"/proc/{self.ending}/task")
        yield from Path("/proc").glob(pattern)


@pytest.fixture
def child() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid


@pytest.mark.skipif(not HAS_PROC, reason="The system tells nothing in /proc.")
def test_a_process_that_ends_while_it_is_listed_is_no_error(
    child: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PROC", Vanishing(child))

    assert child in set(descendants(os.getpid()))


def test_only_processes_that_this_one_started_are_its_own(child: int) -> None:
    assert own_descendant(child) == child
    assert own_descendant(os.getppid()) is None
    assert parent_of(child) == os.getpid()
    assert command_line(child)[1:] == ["-c", "input()"]


def test_a_process_that_has_ended_has_no_parent_command_or_memory(child: int) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()

    assert own_descendant(ended.pid) is None
    assert parent_of(ended.pid) == 0
    assert command_line(ended.pid) == []
    assert memory_of(ended.pid) == 0


SHARED = """
import mmap, os, sys
own, shared = bytearray(30 << 20), mmap.mmap(-1, 50 << 20)
shared.write(bytes(50 << 20))
print(flush=True)
sys.stdin.read()
"""


def test_memory_of_its_own_and_shared_counts_and_programs_do_not() -> None:
    command = [sys.executable, "-c", SHARED]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        held = memory_of(process.pid) >> 20
        process.kill()

    # Without /proc, what is shared with nobody.
    assert 80 <= held < 110
    assert memory_of(process.pid) == 0


GROWS = """
import subprocess, sys
browser = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(browser.pid, flush=True)
input()
flood = bytearray(60 << 20)
print(browser.wait(), flush=True)
"""


def test_what_waits_in_the_driver_counts_too() -> None:
    """A page that floods us with messages ends before they are all read."""
    command = [sys.executable, "-c", GROWS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        watched = Watchdog(int(driver.stdout.readline()), max_memory=40)
        with watched.watching(60):
            driver.stdin.write("\n")
            driver.stdin.flush()
            ended = driver.stdout.readline().strip()

    assert ended != "0"
    assert watched.is_over_memory
