"""Time and memory of comparing two large saved runs: 10,000 cases with 3 samples each.

    python -m benchmarks.compare_speed [--cases N] [--samples K]

The runs are made up but of real shape: all metrics, 40 accessibility rules a page, a page in a thousand
without a measurement. Reading both files and comparing them happens in a fresh process, whose processor time
and peak memory are told.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.comparing.judgement import judge_groups
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.runs import load_run, save_run

ENVIRONMENT = Environment(chromium="156.0", axe="4.12.1", package="0.5.0", platform="Linux x86_64")
SETTINGS = {"text_ratio": "indel", "appearance": "embedded", "javascript": True, "audit": {"tags": []}}
GATES = ("visual:0.02", "iwir:10%", "position")


def make_run(name: str, *, num_cases: int, num_samples: int, seed: int) -> Run:
    generator = numpy.random.default_rng(seed)
    evaluations = tuple(
        make_evaluation(f"page {case}", str(sample), generator)
        for case in range(num_cases)
        for sample in range(1, num_samples + 1)
    )
    return Run(name, "2026-01-01T00:00:00+00:00", True, evaluations)


def make_evaluation(case: str, sample: str, generator: numpy.random.Generator) -> Evaluation:
    identity = f"test_pages.py::test_page[{case}-{sample}]"
    candidate = f"generated/{case}/{sample}.html"
    if generator.random() < 0.001:
        error = Failure("NotHtml", "The input is a refusal.")
        return Evaluation(id=identity, case=case, sample=sample, candidate=candidate, error=error)
    values = [float(value) for value in generator.beta(20, 3, size=5)]
    checked = int(generator.integers(40, 200))
    failed = int(generator.binomial(checked, 0.1))
    iwir = float(generator.beta(5, 4))
    return Evaluation(
        id=identity,
        case=case,
        sample=sample,
        reference=f"designs/{case}.html",
        candidate=candidate,
        visual=VisualScore(
            score=float(numpy.mean(values)),
            block_match=values[0],
            text=values[1],
            position=values[2],
            color=values[3],
            appearance=values[4],
            text_ratio="indel",
            appearance_backend="embedded",
        ),
        accessibility=AccessibilityRates(
            checked=checked,
            failed=failed,
            incomplete=2,
            ir=failed / checked,
            iwir=iwir,
            weighted_ir=failed / checked * iwir,
            elements_checked=checked,
            elements_failed=failed,
            ir_elements=failed / checked,
            status="yellow",
            by_impact={"serious": failed},
        ),
        audit=Audit("4.12.1", RULES, checked, failed),
        environment=ENVIRONMENT,
        settings=SETTINGS,
        page_sizes={"reference": (1280, 2000), "candidate": (1280, 2100)},
    )


RULES = tuple(
    RuleOutcome(
        rule=f"rule-{number}",
        help="Elements must do what elements must do",
        help_url=f"https://example.org/rules/rule-{number}",
        tags=("cat.semantics", "wcag2a", "wcag111"),
        impact="serious" if number % 8 == 0 else None,
        num_passes=number,
        num_violations=2 if number % 8 == 0 else 0,
        violations_by_impact={"serious": 2} if number % 8 == 0 else {},
    )
    for number in range(40)
)


def measure(folder: Path) -> dict[str, float]:
    """Compare in this process, which must be fresh."""
    start = time.perf_counter()
    runs = [load_run(name, folder=folder, has_audit=False) for name in ("old", "new")]
    loaded = time.perf_counter()
    comparison = compare_runs(runs[0], runs[1])
    judge_groups(parse_gates(GATES), [comparison])
    end = time.perf_counter()
    return {
        "read_s": loaded - start,
        "compare_s": end - loaded,
        "total_s": end - start,
        "processor_s": time.process_time(),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, seed in (("old", 1), ("new", 2)):
            run = make_run(name, num_cases=arguments.cases, num_samples=arguments.samples, seed=seed)
            path = save_run(run, folder=Path(folder))
            print(f"{name}: {len(run.evaluations)} evaluations, {path.stat().st_size / 1e6:.0f} MB")
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, __file__, "--measure", folder], capture_output=True, text=True, check=True
        )
        print(done.stdout.strip(), f"| whole process {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
