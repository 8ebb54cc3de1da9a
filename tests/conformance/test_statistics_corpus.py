"""Published figures of real prompts, as runs: the same prompt again fails no gate, a changed one is told."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import VisualScore
from tests.factories import judge_gates

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "expected"
ENVIRONMENT = Environment("unknown", "4.10.3", "0.5.0")

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus: scripts/get_corpus.py gets it")


@cache
def published(prompt: str, rounds: tuple[int, ...] | None = None) -> Run:
    files = sorted(CORPUS.glob(f"gemini-{prompt}-*.jsonl"))
    chosen = files if rounds is None else [files[number] for number in rounds]
    evaluations = tuple(
        evaluation(json.loads(line), str(sample))
        for sample, file in enumerate(chosen, start=1)
        for line in file.read_text().splitlines()
    )
    return Run(prompt, "2025-07-01T00:00:00+00:00", True, evaluations)


def evaluation(record: dict[str, dict[str, dict[str, float]]], sample: str) -> Evaluation:
    visual, rates = record["published"]["visual"], record["published"]["accessibility"]
    checked, failed = int(rates["checked"]), int(rates["failed_merged"])
    return Evaluation(
        id=f"{record['case']}-{sample}",
        case=str(record["case"]),
        sample=sample,
        candidate=f"{record['case']}.html",
        environment=ENVIRONMENT,
        visual=VisualScore(
            visual["final"],
            visual["block_match"],
            visual["text"],
            visual["position"],
            visual["color"],
            visual["clip"],
            "difflib",
            "clip",
        ),
        accessibility=AccessibilityRates(
            checked,
            failed,
            0,
            rates["ir"],
            rates["iwir"],
            rates["ir"] * rates["iwir"],
            checked,
            failed,
            rates["ir"],
            "yellow",
        ),
    )


@pytest.mark.parametrize("second", [1, 2])
def test_the_same_prompt_again_fails_no_gate_on_its_own(second: int) -> None:
    comparison = compare_runs(published("naive", (0,)), published("naive", (second,)))

    outcomes = [judge_gates(parse_gates([metric]), comparison)[0] for metric in METRICS]

    assert comparison.num_cases == 53
    assert [outcome.sentence for outcome in outcomes if outcome.state == "failed"] == []


@pytest.mark.parametrize(("first", "second"), [(0, 1), (0, 2), (1, 2)])
def test_the_same_prompt_again_fails_none_of_all_gates_together(first: int, second: int) -> None:
    """Round 3's appearance against round 2's would fail alone, one in 33: that is what Holm is for."""
    comparison = compare_runs(published("naive", (first,)), published("naive", (second,)))

    outcomes = judge_gates(parse_gates(METRICS), comparison)

    assert [outcome.sentence for outcome in outcomes if outcome.state == "failed"] == []


def test_refined_pages_are_clearly_more_accessible_and_look_less_like_the_design() -> None:
    comparison = compare_runs(published("naive"), published("composite_naive_refine"))

    trends = {name: metric.trend for name, metric in comparison.metrics.items()}
    assert {trends[metric] for metric in ("ir", "iwir", "weighted_ir", "failed")} == {"better"}
    assert {trends[metric] for metric in ("visual", "color")} == {"worse"}
    ir, visual = comparison.metrics["ir"].interval, comparison.metrics["visual"].interval
    assert ir == pytest.approx((-0.1325, -0.0904), abs=0.002)
    assert visual == pytest.approx((-0.0254, -0.0053), abs=0.001)
    outcomes = judge_gates(parse_gates(["visual", "ir"]), comparison)
    assert [outcome.state for outcome in outcomes] == ["failed", "passed"]


@pytest.mark.parametrize("prompt", ["zero-shot", "few-shot", "reason"])
def test_other_prompts_are_told_apart_only_where_the_interval_does(prompt: str) -> None:
    comparison = compare_runs(published("naive"), published(prompt))

    assert comparison.metrics["visual"].trend == "unclear"
    assert comparison.metrics["ir"].trend == "unclear"
