"""How near our scores with --published come to the study's published block match, by set and by page.

    python -m studies.published_tables CORPUS --pairs PAIRS.jsonl
    design2a11y score --pairs PAIRS.jsonl --published ui2code-study --out RUN
    python -m studies.published_tables CORPUS --run RUN [--published ui2code-study] [--apart 0.05]

The corpus has references/N.html, candidates/SET/N.html and expected/SET.jsonl (the published figures), and
for some sets blocks/references/N.json and blocks/SET/N.json: the blocks that the published code found on a
machine as ours is. The first line writes the pairs, with model, prompt and round. The third prints a line a
set, and every page that is farther apart than --apart, with the reason as far as it is known:

- "not measured": the page failed, and counts as a white one;
- "as here": the published code's own blocks of this machine score as ours do, so that its machine decides;
- "blocks": they score as published, so that our blocks of the page do;
- "neither": they score otherwise than both;
- "no blocks": the corpus has none of this set.

`design2a11y compare RUN --by model,prompt --rank-by visual,block_match,text,position,color` ranks the groups.
Exit code 1 where the mean of a set is farther than 0.02 from the published one.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pytest_design2a11y.matching import match_as_published
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import Published
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.runs import load_run
from pytest_design2a11y.visual import score_matching

#: How near a set's mean has to be.
WANTED = 0.02


@dataclass(frozen=True)
class Page:
    """One page: the published block match and ours; `here` is the score of the published code's blocks."""

    set_name: str
    case: int
    published: float
    ours: float
    error: str
    here: float | None = None

    @property
    def difference(self) -> float:
        return self.ours - self.published

    def reason(self, apart: float) -> str:
        if self.error:
            return "not measured"
        if self.here is None:
            return "no blocks"
        is_as_ours = abs(self.here - self.ours) <= apart
        is_as_published = abs(self.here - self.published) <= apart
        return {(True, False): "as here", (False, True): "blocks", (False, False): "neither"}.get(
            (is_as_ours, is_as_published), "between both"
        )


def published_figures(corpus: Path) -> Iterator[tuple[str, int, Mapping[str, float]]]:
    for path in sorted((corpus / "expected").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            yield path.stem, entry["case"], entry["published"]["visual"]


def pairs_of(corpus: Path) -> Iterator[dict[str, Any]]:
    rounds: dict[tuple[str, str], list[str]] = defaultdict(list)
    for set_name, case, _ in published_figures(corpus):
        model, prompt = set_name[:-17].split("-", 1)
        known = rounds[model, prompt]
        if set_name not in known:
            known.append(set_name)
        yield {
            "id": f"{set_name}/{case}",
            "case": str(case),
            "sample": str(known.index(set_name) + 1),
            "model": model,
            "prompt": prompt,
            "reference": str((corpus / "references" / f"{case}.html").resolve()),
            "candidate": str((corpus / "candidates" / set_name / f"{case}.html").resolve()),
        }


def scored_pages(
    corpus: Path, evaluations: Iterable[Evaluation], published: Published, apart: float
) -> Iterator[Page]:
    by_id = {evaluation.id: evaluation for evaluation in evaluations}
    for set_name, case, figures in published_figures(corpus):
        evaluation = by_id.get(f"{set_name}/{case}")
        if evaluation is None or evaluation.visual is None:
            continue
        if evaluation.visual.published != published:
            raise SystemExit(f"{evaluation.id} was not scored with --published {published}.")
        ours = evaluation.visual.block_match
        is_apart = abs(ours - figures["block_match"]) > apart
        here = _score_of_blocks(corpus, set_name, case, published) if is_apart else None
        error = "" if evaluation.error is None else evaluation.error.type
        yield Page(set_name, case, figures["block_match"], ours, error, here)


def _score_of_blocks(corpus: Path, set_name: str, case: int, published: Published) -> float | None:
    files = [corpus / "blocks" / folder / f"{case}.json" for folder in ("references", set_name)]
    if not all(file.exists() for file in files):
        return None
    reference, candidate = map(_read_blocks, files)
    return score_matching(match_as_published(reference, candidate, published=published)).block_match


def _read_blocks(path: Path) -> list[Block]:
    found = json.loads(path.read_text(encoding="utf-8"))["blocks"]
    return [Block(block["text"], tuple(block["box"]), tuple(block["color"])) for block in found]


def tell(pages: Sequence[Page], apart: float) -> bool:
    by_set: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_set[page.set_name].append(page)
    print(f"| set | pages | published | ours | difference | pages apart > {apart:g} |")
    print("|---|--:|--:|--:|--:|--:|")
    is_near = True
    for set_name, group in by_set.items():
        published, ours = (fmean(getattr(page, name) for page in group) for name in ("published", "ours"))
        num_apart = sum(abs(page.difference) > apart for page in group)
        means = f"{published:.4f} | {ours:.4f} | {ours - published:+.4f}"
        print(f"| {set_name} | {len(group)} | {means} | {num_apart} |")
        is_near &= abs(ours - published) <= WANTED
    _tell_pages([page for page in pages if abs(page.difference) > apart], apart)
    return is_near


def _tell_pages(pages: Sequence[Page], apart: float) -> None:
    print(
        "\nreasons: "
        + ", ".join(f"{why} {n}" for why, n in Counter(p.reason(apart) for p in pages).most_common())
    )
    for page in pages:
        here = "" if page.here is None else f", the published code's blocks of here {page.here:.3f}"
        print(
            f"  {page.set_name}/{page.case}: published {page.published:.3f}, ours {page.ours:.3f}{here}: "
            f"{page.reason(apart)}{f' ({page.error})' if page.error else ''}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--pairs", type=Path, help="file to write the pairs to")
    what.add_argument("--run", help="saved run of these pairs")
    parser.add_argument("--published", choices=("design2code", "ui2code-study"), default="ui2code-study")
    parser.add_argument("--apart", type=float, default=0.05)
    options = parser.parse_args()
    if options.pairs is not None:
        lines = (json.dumps(pair) + "\n" for pair in pairs_of(options.corpus))
        options.pairs.write_text("".join(lines), encoding="utf-8")
        return 0
    run = load_run(options.run, has_audit=False)
    pages = list(scored_pages(options.corpus, run.evaluations, options.published, options.apart))
    return 0 if tell(pages, options.apart) else 1


if __name__ == "__main__":
    raise SystemExit(main())
