"""What memory it takes to read many pairs, and to go on with a corpus that is scored already; no browser.

    python -m studies.stream_memory [--pairs N] [--scored N] [--kinds jsonl,parquet,folder]

Files with N pairs are made up in a temporary folder. Each is read from its beginning to its end, as
`design2a11y score --pairs` does, and scored into a folder by a stand-in that renders nothing; then it is
started again, when every chunk is known; both take longer than reading, and --scored makes them fewer pairs.
Each step is a process of its own, and prints the most memory that it held (VmHWM) after a tenth of the pairs
and at the end. Linux only.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.measuring.pairs import Pair, along_variants
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.run_end import corpus
from pytest_design2a11y.settings.values import Settings

SAMPLES = 8
CHUNK = 100


def record(number: int) -> dict[str, str]:
    """Return the contents of a line."""
    case = f"page-{number // SAMPLES}"
    return {
        "id": f"{case}/{number % SAMPLES}",
        "case": case,
        "sample": str(number % SAMPLES),
        "reference": f"designs/{case}.html",
        "candidate": f"generated/{case}/{number % SAMPLES}.html",
    }


def make_jsonl(folder: Path, num_pairs: int) -> tuple[str, None]:
    """Write the pairs as JSON lines."""
    with (folder / "pairs.jsonl").open("w") as file:
        file.writelines(json.dumps(record(number)) + "\n" for number in range(num_pairs))
    return str(folder / "pairs.jsonl"), None


def make_parquet(folder: Path, num_pairs: int) -> tuple[str, None]:
    """Write the pairs as rows, in groups as in a data set."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    schema = pyarrow.schema([(name, pyarrow.string()) for name in record(0)])
    with ParquetWriter(folder / "pairs.parquet", schema) as writer:
        for start in range(0, num_pairs, 10_000):
            rows = [record(number) for number in range(start, min(start + 10_000, num_pairs))]
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
    return str(folder / "pairs.parquet"), None


def make_folder(folder: Path, num_pairs: int) -> tuple[str, str]:
    """Make empty files."""
    (folder / "designs").mkdir()
    for number in range(num_pairs):
        case, sample = divmod(number, SAMPLES)
        if not sample:
            (folder / "designs" / f"page-{case}.html").touch()
            (folder / "generated" / f"page-{case}").mkdir(parents=True)
        (folder / "generated" / f"page-{case}" / f"{sample}.html").touch()
    return str(folder / "generated" / "{case}" / "{sample}.html"), str(folder / "designs")


KINDS: dict[str, Callable[[Path, int], tuple[str, str | None]]] = {
    "jsonl": make_jsonl,
    "parquet": make_parquet,
    "folder": make_folder,
}


def megabytes() -> float:
    """Return the peak memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def watched(what: str, count: Iterable[int], num_pairs: int) -> None:
    """Consume all, and print the peak memory after a tenth of the pairs and at the end."""
    began, early, done = time.monotonic(), 0.0, 0
    for number in count:
        done += number
        if not early and done * 10 >= num_pairs:
            early = megabytes()
    assert done == num_pairs, done
    took = time.monotonic() - began
    print(f"{what:20} {early:8.1f} MB {megabytes():8.1f} MB {took:7.1f} s", flush=True)


def read(given: tuple[str, str | None], num_pairs: int) -> None:
    """Read the pairs."""
    watched("  read", (1 for _ in along_variants(open_pairs(*given).pairs, Settings())), num_pairs)


def unrendered(pairs: Iterable[Pair], **how: Any) -> Iterator[Evaluation]:
    """Stand in for scoring."""
    for pair in pairs:
        yield Evaluation(pair.subject.id, pair.subject.case, pair.candidate, sample=pair.subject.sample)


def score(what: str, given: tuple[str, str | None], num_pairs: int, folder: Path) -> None:
    """Score the pairs into a folder, or find that they have been scored."""
    with (
        patch.object(corpus, "score_pairs", unrendered),
        patch.object(corpus, "conditions_of_chunks", lambda settings: {}),
    ):
        done = corpus.score_corpus(
            islice(along_variants(open_pairs(*given).pairs, Settings()), num_pairs),
            folder=folder,
            settings=Settings(),
            chunk_size=CHUNK,
        )
        watched(what, (one.num_pages for one in done), num_pairs)


def alone(call: Callable[..., None], *given: Any) -> None:
    """Call a function in its own process."""
    process = multiprocessing.get_context("spawn").Process(target=call, args=given)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def main() -> None:
    """Print a line per step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--scored", type=int)
    parser.add_argument("--kinds", default=",".join(KINDS))
    choice = parser.parse_args()
    num_scored = choice.scored or choice.pairs
    for kind in choice.kinds.split(","):
        with TemporaryDirectory() as name:
            folder = Path(name)
            given = KINDS[kind](folder, choice.pairs)
            print(f"{kind}, {choice.pairs:,} pairs: most held after a tenth, and at the end", flush=True)
            alone(read, given, choice.pairs)
            alone(score, f"  score {num_scored:,}", given, num_scored, folder / "out")
            alone(score, f"  again {num_scored:,}", given, num_scored, folder / "out")


if __name__ == "__main__":
    main()
