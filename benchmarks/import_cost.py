"""What the plugin adds to the start of a pytest run that does not use it.

Medians of fresh interpreters: `-X importtime` of the modules that pytest and pytest-playwright have not
imported by themselves, and the processor time of the same import without that flag.

    python -m benchmarks.import_cost [--rounds 20]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

OTHERS = "import argparse, pytest, pytest_playwright.pytest_playwright"
OURS = "import pytest_design2a11y.plugin.hooks"
TIMED = (
    f"{OTHERS}; import time; start = time.process_time(); {OURS}; print(1000 * (time.process_time() - start))"
)

_ROW = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")


def run(program: str, folder: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run a program with its compiled modules cached in a folder, as for installed packages."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, *flags, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def import_times(program: str, folder: str) -> dict[str, float]:
    """Return the milliseconds that each module took, without its imports."""
    rows = _ROW.findall(run(program, folder, "-X", "importtime").stderr)
    return {module: int(microseconds) / 1000 for microseconds, module in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=20)
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        others = import_times(OTHERS, folder)
        import_times(f"{OTHERS}; {OURS}", folder)
        rounds = [import_times(f"{OTHERS}; {OURS}", folder) for _ in range(choice.rounds)]
        processor = [float(run(TIMED, folder).stdout) for _ in range(choice.rounds)]
    added = sorted(set(rounds[0]) - set(others))
    sums = [sum(times[module] for module in added) for times in rounds]
    print(
        f"rounds {choice.rounds}; importtime median {statistics.median(sums):.1f} ms, best {min(sums):.1f} ms"
    )
    print(f"processor time median {statistics.median(processor):.1f} ms, best {min(processor):.1f} ms")
    for module in added:
        print(f"  {statistics.median(times[module] for times in rounds):6.2f} ms  {module}")


if __name__ == "__main__":
    main()
