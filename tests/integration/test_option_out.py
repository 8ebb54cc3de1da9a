"""`score --pairs --out`: a killed command goes on where it was, and the result is that of one process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_design2a11y.runs import load_run

NUM_PAIRS = 13


@pytest.mark.slow
def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    (tmp_path / "design.html").write_text("<title>x</title><h1>Design</h1>")
    with (tmp_path / "pairs.jsonl").open("w") as file:
        for number in range(NUM_PAIRS):
            html = f"<title>x</title><h1>Page</h1><p>{number}</p>"
            record = {"id": str(number), "reference": "design.html", "candidate_html": html}
            file.write(json.dumps(record) + "\n")

    def command(out: str, *more: str) -> subprocess.Popen[bytes]:
        arguments = ["score", "--pairs", "pairs.jsonl", "--chunk", "4", "--out", out, *more]
        return subprocess.Popen([sys.executable, "-m", "pytest_design2a11y", *arguments], cwd=tmp_path)

    killed = command("out", "-j", "2")
    while len(list(tmp_path.glob("out/*.jsonl"))) < 2:
        assert killed.poll() is None
        time.sleep(0.2)
    killed.kill()
    killed.wait()
    assert not load_run(tmp_path / "out").is_complete
    chunks = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/*.jsonl")}
    del chunks[tmp_path / "out" / "index.jsonl"]

    assert command("out", "-j", "2").wait() == 0
    assert command("serial", "--executor", "serial").wait() == 0

    assert {path: path.stat().st_mtime_ns for path in chunks} == chunks
    found, expected = load_run(tmp_path / "out"), load_run(tmp_path / "serial")
    assert found.is_complete
    assert len(found.evaluations) == NUM_PAIRS
    assert found.evaluations == expected.evaluations
