"""How our counts of axe-core and HTML_CodeSniffer, and the two merged, agree with the study's published ones.

    python -m studies.second_engine CORPUS --axe-script AXE_4_10_3 [--rounds FOLDER] [--sets SET ...]
        [--limit N]

The corpus has candidates/SET/N.html and expected/SET.jsonl. The study ran axe-core 4.10.3 (axe.min.js of the
npm package axe-core). With --rounds (rounds.jsonl, engines.csv: the study's figures by page and impact, and
its means from the raw findings by model and prompt) two more things are told: what the study's merged counts
hold beyond both engines, and our means beside the study's of axe + HTML_CodeSniffer, where all rounds are in
the corpus.

Exit code 1 where less than 99 % of the pages agree in all of: number of checks, failures by axe-core, errors
by HTML_CodeSniffer.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pytest_design2a11y.accessibility import merge_as_study
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.audit import IMPACT_WEIGHTS, MergedCounts
from pytest_design2a11y.models.option import AXE, Impact
from pytest_design2a11y.settings import Settings

HTMLCS = "htmlcs"

#: Share of the pages on which all counts must agree.
WANTED = 0.99

COUNTS = ("checked", "failed_axe", "failed_htmlcs")


@dataclass(frozen=True)
class Page:
    """One page: our counts and the published ones; `merged` is None if we could not measure it."""

    set_name: str
    case: int
    published: Mapping[str, Any]
    ours: Mapping[str, Any]
    merged: MergedCounts | None
    error: str = ""

    @property
    def differing(self) -> list[str]:
        return [name for name in COUNTS if self.ours.get(name) != self.published[name]]


def measured(corpus: Path, sets: Sequence[str], settings: Settings, limit: int | None) -> Iterator[Page]:
    with open_renderer(settings) as renderer:
        for name in sets:
            lines = (corpus / "expected" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
            for entry in map(json.loads, lines[:limit]):
                path = corpus / "candidates" / name / f"{entry['case']}.html"
                published = entry["published"]["accessibility"]
                try:
                    capture = capture_source(
                        str(path), role="candidate", renderer=renderer, settings=settings, has_image=False
                    )
                    for error in capture.audit_errors.values():
                        raise error
                    merged = merge_as_study(capture.audits)
                except Design2a11yError as error:
                    yield Page(name, entry["case"], published, {}, None, str(error))
                    continue
                ours = {
                    "checked": capture.audits[AXE].checked,
                    "failed_axe": capture.audits[AXE].failed,
                    "failed_htmlcs": capture.audits[HTMLCS].failed,
                }
                yield Page(name, entry["case"], published, ours, merged)


def tell_counts(pages: Sequence[Page]) -> float:
    for name in COUNTS:
        equal = sum(name not in page.differing for page in pages)
        print(f"{name:14} equal on {equal} of {len(pages)} pages")
    agreeing = sum(not page.differing for page in pages)
    print(f"{'all three':14} equal on {agreeing} of {len(pages)} pages ({agreeing / len(pages):.1%})")
    for page in pages:
        if page.differing:
            told = (
                f"{name} {page.ours.get(name)}, published {page.published[name]}" for name in page.differing
            )
            print(f"  {page.set_name}/{page.case}: {page.error or '; '.join(told)}")
    return agreeing / len(pages)


def explanation(page: Page, published: Mapping[Impact, int]) -> str:
    """Return what the published merged counts contain beyond both engines."""
    if page.merged is None:
        return f"not measured: {page.error}"
    ours = page.merged.by_impact_merged
    more = {impact: published.get(impact, 0) - ours.get(impact, 0) for impact in IMPACT_WEIGHTS}
    rest = {impact: count for impact, count in more.items() if count}
    if not rest:
        return "equal"
    lighthouse, by_hand = rest.get("serious", 0), rest.get("critical", 0)
    known = {
        "serious more, as Lighthouse finds them": lighthouse > 0 and rest.keys() == {"serious"},
        "critical more, as counted by hand": by_hand > 0 and rest.keys() == {"critical"},
        "both": lighthouse > 0 and by_hand > 0 and rest.keys() == {"serious", "critical"},
    }
    return next((name for name, is_so in known.items() if is_so), f"other: {rest}")


def tell_merged(pages: Sequence[Page], rounds: Path) -> None:
    published: dict[tuple[str, int], Mapping[Impact, int]] = {}
    for line in (rounds / "rounds.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        created = one["created"][:16].replace("T", "-").replace(":", "-")
        found = (one.get("accessibility") or {}).get("by_impact", {})
        published[f"{one['model']}-{one['prompt']}-{created}", int(one["case"])] = found
    told: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        reason = explanation(page, published[page.set_name, page.case])
        told[reason].append(f"{page.set_name}/{page.case}")
    print("\npublished merged counts, by what they hold beyond axe + HTML_CodeSniffer:")
    for reason, where in sorted(told.items(), key=lambda item: -len(item[1])):
        print(f"  {len(where):4}  {reason}")
        if reason != "equal":
            print("        " + " ".join(where))


def tell_means(pages: Sequence[Page], rounds: Path) -> None:
    print("\nmeans of axe + HTML_CodeSniffer merged, ours and from the study's raw findings:")
    groups: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        groups[page.set_name[:-17]].append(page)
    with (rounds / "engines.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            group = groups[f"{row['model']}-{row['prompt']}"]
            merged = [page.merged for page in group if page.merged is not None]
            if len(merged) != int(row["pages"]):
                continue
            ours = {
                "failed": fmean(one.failed_merged for one in merged),
                "ir": fmean(one.ir_merged for one in merged),
                "iwir": fmean(one.iwir_merged for one in merged),
                "weighted": fmean(one.weighted_ir_merged for one in merged),
            }
            told = (
                f"{name} {value:.5f} {float(row[f'axe+htmlcs_{name}']):.5f}" for name, value in ours.items()
            )
            print(f"  {row['model']} {row['prompt']} ({len(merged)} pages): {', '.join(told)}")


def tell_beyond(pages: Sequence[Page]) -> None:
    merged = [page for page in pages if page.merged is not None]
    beyond = [page for page in merged if page.merged and page.merged.failed_merged > page.ours["failed_axe"]]
    classes: Counter[str] = Counter()
    for page in merged:
        classes.update(page.merged.by_class_merged if page.merged else {})
    print(f"\nHTML_CodeSniffer adds failures on {len(beyond)} of {len(merged)} pages")
    print("classes: " + ", ".join(f"{name} {count}" for name, count in classes.most_common(8)))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--axe-script", type=Path, required=True)
    parser.add_argument("--rounds", type=Path)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--limit", type=int, help="pages of each set")
    options = parser.parse_args()
    sets = options.sets or sorted(path.stem for path in (options.corpus / "expected").glob("*.jsonl"))
    settings = Settings(engines=f"{AXE},{HTMLCS}", axe_script=options.axe_script)
    pages = list(measured(options.corpus, sets, settings, options.limit))
    share = tell_counts(pages)
    tell_beyond(pages)
    if options.rounds is not None:
        tell_merged(pages, options.rounds)
        tell_means(pages, options.rounds)
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
