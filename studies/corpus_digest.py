"""What every page of a corpus comes to, as digests: two versions that score alike print the same lines.

    python -m studies.corpus_digest CORPUS [--limit N] [--jobs N] [--chromium PATH]

CORPUS holds `references/NAME.html` and `candidates/SET/NAME.html`. Every reference is scored against itself,
and every candidate against the reference of its name. A page's digest covers its visual components with every
match, its accessibility rates with their counts, and the error where there is one. The last line is the
digest over all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

MEASURED = ("visual", "accessibility", "error")


def corpus_pairs(corpus: Path) -> Iterator[Pair]:
    """Yield the pairs of a corpus: first the references, then the sets of candidates, by name."""
    for path in sorted(corpus.glob("references/*.html")) + sorted(corpus.glob("candidates/*/*.html")):
        name = path.relative_to(corpus).as_posix()
        yield Pair(Subject(id=name, case=path.stem), f"references/{path.name}", name, corpus)


def generated_pairs(corpus: Path, number: int) -> list[Pair]:
    """Return `number` pairs with generated pages, spread evenly over all of them."""
    pairs = [one for one in corpus_pairs(corpus) if one.candidate.startswith("candidates")]
    return pairs[:: max(1, len(pairs) // number)][:number]


def digest_of(evaluation: Evaluation) -> str:
    """Return a digest of a page's measurements."""
    record = evaluation.to_dict(has_details=True)
    measured = {name: record.get(name) for name in MEASURED}
    return hashlib.sha256(json.dumps(measured, sort_keys=True).encode()).hexdigest()


def main() -> None:
    """Print a digest per page, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int, help="pages at most, spread evenly over the corpus")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--chromium")
    choice = parser.parse_args()
    pairs = list(corpus_pairs(choice.corpus.resolve()))
    if not pairs:
        parser.error(f"{choice.corpus} holds no references/*.html.")
    step = 1 if choice.limit is None else max(1, -(-len(pairs) // choice.limit))
    over_all = hashlib.sha256()
    settings = Settings(chromium=choice.chromium)
    for evaluation in score_pairs(list(islice(pairs, 0, None, step)), settings=settings, jobs=choice.jobs):
        line = f"{digest_of(evaluation)}  {evaluation.id}"
        over_all.update(line.encode())
        print(line, flush=True)
    print(f"{over_all.hexdigest()}  all")


if __name__ == "__main__":
    main()
