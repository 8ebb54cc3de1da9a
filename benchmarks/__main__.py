"""Runs every benchmark that reports a ratio to a floor measured in the same run: `make bench`.

    python -m benchmarks [--corpus PATH]

Without a corpus of real pages, the examples are measured.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def commands(corpus: Path | None, candidates: str) -> Iterator[list[str]]:
    """Yield the benchmarks with their arguments."""
    if corpus is None:
        references, generated = EXAMPLES / "designs", EXAMPLES / "generated" / "prompt-a"
    else:
        references, generated = corpus / "references", corpus / "candidates" / candidates
    yield ["pair_cost", str(references), str(generated)]
    yield ["stage_cost", str(references), str(generated)]
    yield ["differences"]
    yield ["compare_speed"]
    yield ["command_speed"]
    yield ["import_cost"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure speed.")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--candidates", default="gemini-naive-2025-06-18-10-18")
    arguments = parser.parse_args()
    for script, *rest in commands(arguments.corpus, arguments.candidates):
        print(f"\n== {script}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{script}", *rest], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
