"""Ctrl-C and kill -9 while pages are scored in processes: one line, and no process left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

ENDLESS = "<!doctype html><title>x</title><h1>x</h1><script>onload = () => { for (;;); }</script>"
PATIENCE = 20.0


def left_of(temporary: Path) -> list[str]:
    """Return the commands of the processes that have this folder for their temporary files."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TMPDIR={temporary}".encode() in environment.read_bytes().split(b"\0"):
                found.append(environment.with_name("comm").read_text())
    return found


@pytest.mark.parametrize("how", ["ctrl-c", "interrupt", "kill"])
def test_nothing_is_left(tmp_path: Path, how: str) -> None:
    (tmp_path / "page.html").write_text(ENDLESS)
    lines = [{"id": str(at), "reference": "page.html", "candidate": "page.html"} for at in range(9)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest_design2a11y", "score", "--pairs", "pairs.jsonl", "-j", "2"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_until(lambda: any("chrom" in name for name in left_of(temporary)))

    if how == "ctrl-c":
        os.kill(-process.pid, signal.SIGINT)
    elif how == "kill":
        process.kill()
    else:
        process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=2 * PATIENCE)

    if how == "kill":
        assert process.returncode == -9
    else:
        assert (process.returncode, *said) == (130, b"", b"design2a11y: interrupted\n")
    wait_until(lambda: not left_of(temporary))
    wait_until(lambda: not list(temporary.iterdir()))


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)
