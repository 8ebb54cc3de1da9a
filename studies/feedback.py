"""Does feedback help? Ten damaged pages, edited by hand as the first five items of their feedback say.

Run: python studies/feedback.py [--show NAME]. In studies/feedback/ a design is NAME.html, its damaged page
NAME-1.html, and what became of it NAME-1-edited.html.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_design2a11y import Scorer
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.feedback import feedback

PAGES = Path(__file__).with_name("feedback")
#: Number of items that were carried out.
NUM_ITEMS = 5


def numbers(evaluation: Evaluation) -> tuple[float, float, int]:
    visual, rates = evaluation.visual, evaluation.accessibility
    if visual is None or visual.fidelity is None or rates is None:
        raise SystemExit(f"{evaluation.candidate} could not be measured: {evaluation.error}")
    return visual.fidelity, visual.score, rates.failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="NAME", help="print the feedback of a damaged page")
    shown = parser.parse_args().show
    with Scorer() as scorer:
        if shown is not None:
            design = PAGES / f"{shown.partition('-')[0]}.html"
            print(
                *feedback(scorer.score(design, PAGES / f"{shown}.html")).lines(max_items=NUM_ITEMS), sep="\n"
            )
            return
        print("| page | fidelity before | after | visual before | after | failed checks before | after |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for edited in sorted(PAGES.glob("*-edited.html")):
            name = edited.name.removesuffix("-edited.html")
            design = PAGES / f"{name.partition('-')[0]}.html"
            before, after = (numbers(scorer.score(design, page)) for page in (PAGES / f"{name}.html", edited))
            cells = (f"{old:.4f} | {new:.4f}" for old, new in zip(before[:2], after[:2], strict=True))
            print(f"| {name} | {' | '.join(cells)} | {before[2]} | {after[2]} |")


if __name__ == "__main__":
    main()
