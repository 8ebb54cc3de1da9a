"""How often comparisons cry wolf: rounds of one model and prompt against each other, where nothing changed.

    python -m studies.null_rounds ROUNDS

ROUNDS is a folder with `rounds.jsonl`, the published figures of three rounds of the same prompt for several
models and prompts, one line a page. Every round becomes a saved run; the runs are read back and compared as
`design2a11y compare` compares them.

Groups that repeat another one's pages are left out: prompts that refine, or start from, the pages of "naive",
and a model that answers the same each time. 14 groups remain, 42 pairs of rounds, 84 comparisons with a
direction.

Two tables. Gates: how often a gate on one metric alone fails, with margin 0. Marks: in how many of the pairs
the headline table marks at least one row as better or worse, corrected over the rows (Holm) and row by row.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from pytest_design2a11y.comparing import Comparison
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import Gate
from pytest_design2a11y.comparing.judgement import judge_groups
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.runs import load_run, save_run

PROMPTS = ("naive", "zero-shot", "few-shot", "reason")
SAME_EACH_TIME = {("qwen", "few-shot"), ("qwen", "reason")}
METRICS = (
    "visual", "block_match", "text", "position", "color", "appearance", "ir", "iwir", "weighted_ir", "failed",
)  # fmt: skip

Group = tuple[str, str]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rounds", type=Path, help="folder with rounds.jsonl")
    folder = parser.parse_args(arguments).rounds
    if not (folder / "rounds.jsonl").is_file():
        print(f"skipped: there is no {folder / 'rounds.jsonl'}")
        return 0
    with tempfile.TemporaryDirectory() as saved:
        groups = saved_rounds(folder / "rounds.jsonl", Path(saved))
    tell_gates(groups)
    tell_marks(groups)
    return 0


def saved_rounds(path: Path, folder: Path) -> dict[Group, list[Run]]:
    """Save every round of the independent groups as a run, and read it back."""
    pages: dict[tuple[str, str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        pages[page["model"], page["prompt"], page["round"]].append(page)
    groups: dict[Group, list[Run]] = defaultdict(list)
    for (model, prompt, number), records in sorted(pages.items()):
        if prompt in PROMPTS and (model, prompt) not in SAME_EACH_TIME:
            run = Run(
                f"{model}-{prompt}-{number}", records[0]["created"], True, tuple(map(evaluation, records))
            )
            groups[model, prompt].append(load_run(save_run(run, folder=folder)))
    return {group: runs for group, runs in groups.items() if len(runs) > 1}


def joined(runs: Sequence[Run]) -> Run:
    """Merge rounds of one prompt into one run, as its samples."""
    pages = (
        replace(page, id=f"{page.case}-{number}", sample=str(number))
        for number, run in enumerate(runs, 1)
        for page in run.evaluations
    )
    return replace(runs[0], evaluations=tuple(pages))


def evaluation(page: Mapping[str, Any]) -> Evaluation:
    """Make an evaluation from published figures, leaving out what was not published."""
    rates = page["accessibility"]
    return Evaluation(
        id=page["case"],
        case=page["case"],
        candidate=f"{page['case']}.html",
        axes={"model": page["model"], "prompt": page["prompt"]},
        visual=None if page["visual"] is None else _visual(page["visual"]),
        accessibility=AccessibilityRates(
            checked=rates["checked"],
            failed=rates["failed"],
            incomplete=0,
            ir=rates["ir"],
            iwir=rates["iwir"],
            weighted_ir=rates["ir"] * rates["iwir"],
            elements_checked=rates["checked"],
            elements_failed=rates["failed"],
            ir_elements=rates["ir"],
            status="yellow",
        ),
        environment=Environment("unknown", "4.10.3", "published"),
    )


def _visual(parts: Mapping[str, float]) -> VisualScore:
    names = ("block_match", "text", "position", "color", "clip")
    block_match, text, position, color, clip = (parts[name] for name in names)
    score = (block_match + text + position + color + clip) / 5
    return VisualScore(score, block_match, text, position, color, clip, "difflib", "clip")


def tell_gates(groups: Mapping[Group, Sequence[Run]]) -> None:
    """Print how often a gate on each metric alone fails."""
    failed = dict.fromkeys(METRICS, 0)
    judged = dict.fromkeys(METRICS, 0)
    for comparison in compared(groups, has_direction=True):
        for metric in METRICS:
            ((outcome,),) = judge_groups([Gate(metric)], [comparison])
            judged[metric] += outcome.state != "error"
            failed[metric] += outcome.state == "failed"
    print(f"{'gate alone, margin 0':<24}{'fails':>12}{'share':>9}  95 % interval")
    for metric in METRICS:
        print(row(metric, failed[metric], judged[metric]))
    print(row("all", sum(failed.values()), sum(judged.values())))


def tell_marks(groups: Mapping[Group, Sequence[Run]]) -> None:
    """Print how many pairs have a row marked as better or worse."""
    pairs = list(compared(groups, has_direction=False))
    corrected = sum(any(m.trend in ("better", "worse") for m in one.metrics.values()) for one in pairs)
    alone = sum(any(m.p_value < 0.05 for m in one.metrics.values()) for one in pairs)
    print(f"\n{'pairs with any mark':<24}{'marked':>12}{'share':>9}  95 % interval")
    print(row("over all rows (Holm)", corrected, len(pairs)))
    print(row("row by row", alone, len(pairs)))


def compared(groups: Mapping[Group, Sequence[Run]], *, has_direction: bool) -> Iterator[Comparison]:
    for runs in groups.values():
        for old, new in permutations(runs, 2) if has_direction else combinations(runs, 2):
            yield compare_runs(old, new)


def row(name: str, count: int, total: int) -> str:
    if total == 0:
        return f"{name:<24}{'none':>12}"
    interval = binomtest(count, total).proportion_ci(method="wilson")
    share = f"{100 * count / total:.1f} %"
    ends = f"{100 * interval.low:.1f} .. {100 * interval.high:.1f} %"
    return f"{name:<24}{f'{count}/{total}':>12}{share:>9}  {ends}"


if __name__ == "__main__":
    sys.exit(main())
