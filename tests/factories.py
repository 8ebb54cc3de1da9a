"""Evaluations and runs as tests need them: what a test does not care about has a plain value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_design2a11y.comparing import Comparison
from pytest_design2a11y.comparing.aggregate import MetricSummary, summarize_table
from pytest_design2a11y.comparing.gates import Gate, GateOutcome
from pytest_design2a11y.comparing.judgement import judge_groups
from pytest_design2a11y.comparing.table import make_table
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, Environment, TextRun
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.report.html.islands import page_record
from pytest_design2a11y.report.html.overview import make_overview
from pytest_design2a11y.visual import match_pages
from pytest_design2a11y.visual.differences import Compared, find_differences

ENVIRONMENT = Environment("156.0", "4.12.1", "0.5.0", playwright="1.65", platform="Linux x86_64")


#: Rates and audit of one page: two elements with too little contrast.
RATES = AccessibilityRates(10, 2, 1, 0.2, 0.6, 0.12, 5, 2, 0.4, "yellow", {"serious": 2})
NODE = CheckedNode("p", "<p>", "serious", "Fix it", (1, 1, 9, 9))
CONTRAST = RuleOutcome(
    rule="color-contrast",
    help="Contrast",
    help_url="https://example.org/",
    tags=("wcag2aa",),
    impact="serious",
    num_passes=8,
    num_violations=2,
    violations_by_impact={"serious": 2},
    violations=(NODE, NODE),
)
AUDIT = Audit("4.12.1", (CONTRAST,), 5, 2)


def make_visual(score: float, **changes: Any) -> VisualScore:
    """Make a visual score whose components all have its value, but for the appearance, not measured."""
    components = dict.fromkeys(("block_match", "text", "position", "color"), score)
    values: dict[str, Any] = {**components, "appearance": None, "text_ratio": "indel", **changes}
    return VisualScore(score, **values)


def with_differences(score: VisualScore, page_sizes: Mapping[str, tuple[int, int]]) -> VisualScore:
    """Have a score tell in what its texts differ, as on pages of these sizes that show its blocks."""
    sides = (
        [*(match.reference for match in score.matches), *score.missing],
        [*(match.candidate for match in score.matches), *score.extra],
    )
    pages = [
        _page_of(blocks, page_sizes[role])
        for role, blocks in zip(("reference", "candidate"), sides, strict=True)
    ]
    found = find_differences(Compared(match_pages(pages[0], pages[1]), score))
    return replace(score, differences=tuple(one for one in found if one.what == "text"))


def _page_of(blocks: Sequence[Block], size: tuple[int, int]) -> Capture:
    width, height = size
    pixels = np.full((height, width, 3), 255, np.uint8)
    runs = []
    for at, block in enumerate(blocks):
        x, y, w, h = (
            share * side for share, side in zip(block.box, (width, height, width, height), strict=True)
        )
        red, green, blue = map(round, block.color)
        runs.append(TextRun(block.text, ((x, y, w, h),), (red, green, blue), at))
        for letter in range(len(block.text)):
            left = round(x + letter * w / len(block.text))
            stroke = 1 + ord(block.text[letter]) % 5
            pixels[round(y) + 1 : round(y + h) - 1, left : left + stroke] = block.color
    image = Screenshot.of_pixels(pixels)
    return Capture("page", "candidate", image, size, tuple(runs), (), ENVIRONMENT)


def make_rates(ir: float = 0.1, *, checked: int = 100, iwir: float | None = None) -> AccessibilityRates:
    """Make the rates of a page; its IWIR is its IR, unless another is named."""
    failed, severity = round(checked * ir), ir if iwir is None else iwir
    return AccessibilityRates(
        checked, failed, 0, ir, severity, ir * severity, 50, 5, ir, "green", unaudited=0.0
    )


def make_evaluation(
    case: str = "login",
    visual: float | VisualScore | None = 0.9,
    ir: float | None = 0.1,
    *,
    sample: str = "1",
    **changes: Any,
) -> Evaluation:
    """Make the evaluation of one sample of a case.

    Args:
        case: What it is about; its pages have names made of it.
        visual: Visual score; None: not measured.
        ir: Inaccessible rate, 0..1, which is the IWIR too; None: not measured.
        sample: Of the case.
        **changes: Any other field.
    """
    values: dict[str, Any] = {
        "id": f"{case}-{sample}",
        "case": case,
        "sample": sample,
        "candidate": f"{case}.html",
        "visual": make_visual(visual) if isinstance(visual, float | int) else visual,
        "accessibility": None if ir is None else make_rates(ir),
        "environment": ENVIRONMENT,
    }
    return Evaluation(**values | changes)


def make_audited(case: str, visual: float, **changes: Any) -> Evaluation:
    """Make an evaluation of two pages with everything that reports tell of them."""
    values: dict[str, Any] = {
        "reference": f"designs/{case}.html",
        "accessibility": RATES,
        "audit": AUDIT,
        "page_sizes": {"reference": (100, 100), "candidate": (100, 100)},
    }
    score = make_visual(visual, appearance=0.4, appearance_backend="embedded")
    return make_evaluation(case, score, **values | changes)


def report_record(evaluation: Evaluation, **more: Any) -> dict[str, Any]:
    """Return what the HTML report tells of an evaluation that is alone in its run."""
    return page_record(make_overview(make_run(evaluation)).cards[0], {}, **more)


def make_run(*evaluations: Evaluation, name: str = "run", is_complete: bool = True) -> Run:
    """Make a run of evaluations."""
    return Run(name, "2026-01-01T00:00:00+00:00", is_complete, evaluations)


def summarize(run: Run) -> dict[str, MetricSummary]:
    """Return a run's means, by metric."""
    return summarize_table(make_table(run))


def judge_gates(gates: Sequence[Gate], comparison: Comparison, **how: Any) -> tuple[GateOutcome, ...]:
    """Judge the gates of one comparison."""
    return judge_groups(gates, [comparison], **how)[0]
