"""How our counts of axe-core and HTML_CodeSniffer agree with the study's published ones.

    python -m studies.second_engine CORPUS --axe-script AXE_4_10_3 [--sets SET ...] [--limit N]

The corpus has candidates/SET/N.html and expected/SET.jsonl. The study ran axe-core 4.10.3 (axe.min.js of the
npm package axe-core).

Exit code 1 where less than 99 % of the pages agree in all of: number of checks, failures by axe-core, errors
by HTML_CodeSniffer.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.measuring.sources import capture_source, open_renderer
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.settings import Settings

HTMLCS = "htmlcs"

#: Share of the pages on which all counts must agree.
WANTED = 0.99

COUNTS = ("checked", "failed_axe", "failed_htmlcs")


@dataclass(frozen=True)
class Page:
    """One page: our counts and the published ones."""

    set_name: str
    case: int
    published: Mapping[str, Any]
    ours: Mapping[str, Any]
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
                except Design2a11yError as error:
                    yield Page(name, entry["case"], published, {}, str(error))
                    continue
                ours = {
                    "checked": capture.audits[AXE].checked,
                    "failed_axe": capture.audits[AXE].failed,
                    "failed_htmlcs": capture.audits[HTMLCS].failed,
                }
                yield Page(name, entry["case"], published, ours)


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


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--axe-script", type=Path, required=True)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--limit", type=int, help="pages of each set")
    options = parser.parse_args()
    sets = options.sets or sorted(path.stem for path in (options.corpus / "expected").glob("*.jsonl"))
    settings = Settings(engines=f"{AXE},{HTMLCS}", axe_script=options.axe_script)
    pages = list(measured(options.corpus, sets, settings, options.limit))
    share = tell_counts(pages)
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
