"""The list of hostile cases says of each which tests hold it: all of these exist."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
NUM_CASES = 295


def test_every_hostile_case_is_a_test() -> None:
    lines = (TESTS / "browser" / "hostile" / "cases.txt").read_text().splitlines()
    cases = [line.split() for line in lines if line and not line.startswith("#")]
    files = sorted({file for _, _, file, *_ in cases})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *files]
    # Other plugins only take time to load.
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    listed = subprocess.run(command, cwd=TESTS, env=alone, capture_output=True, text=True, check=False).stdout

    ids = [line for line in listed.splitlines() if "::" in line]
    missing = [
        (number, fragment)
        for number, _, file, *fragments in cases
        for fragment in fragments
        if not any(f"{file}::" in one and fragment in one for one in ids)
    ]
    assert lines[0].startswith(f"# The {NUM_CASES} hostile cases")
    assert [int(number) for number, *_ in cases] == list(range(1, NUM_CASES + 1))
    assert all(fragments for _, _, _, *fragments in cases)
    assert missing == []
