"""One mean and one interval, whoever tells them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_design2a11y.comparing.compare import compare_runs, make_history
from pytest_design2a11y.limits.cases import Policy, judge_case
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Verdict
from pytest_design2a11y.report.github import step_summary
from pytest_design2a11y.report.html import render_report
from pytest_design2a11y.report.terminal import summary_lines
from tests.factories import make_evaluation, make_run, summarize


def evaluation(test: str, case: str, sample: str, score: float, **changes: dict[str, str]) -> Evaluation:
    verdict = Verdict("visual", ">=", 0.5, score, score >= 0.5, "command line")
    name = f"{test}[{case}-{sample}]"
    return make_evaluation(case, score, None, sample=sample, id=name, verdicts=(verdict,), **changes)


#: Three tests measured sample 1, one sample 2: the mean over the pages is 0.45, over the samples 0.5.
TWICE_MEASURED = make_run(
    *(evaluation(test, "login", "1", 0.4) for test in ("looks", "reads", "prints")),
    evaluation("looks", "login", "2", 0.6),
)


def test_a_sample_that_several_tests_measured_counts_once_for_everybody(tmp_path: Path) -> None:
    run = TWICE_MEASURED
    comparison = compare_runs(run, run)
    (entry,) = make_history([run])
    lines = [line.text for line in summary_lines(run.evaluations, width=200, is_brief=True)]
    (judgement,) = judge_case(run.evaluations, Policy("mean"))
    report = "".join(render_report(run, picture_folder=tmp_path))

    assert summarize(run)["visual"].mean == pytest.approx(0.5)
    assert comparison.metrics["visual"].old_mean == pytest.approx(0.5)
    assert entry.metrics["visual"].mean == pytest.approx(0.5)
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["1", "case", "0.50"], ["sample", "1", "0.40"], ["sample", "2", "0.60"]
    ]  # fmt: skip
    assert "| 1 case | 0.50 | 4 | 3 |" in step_summary(run)
    assert "4 pages: 3 break a limit, 1 within limits." in step_summary(run)
    assert '<td class="number strong" role="cell" data-label="Mean">0.5000</td>' in report
    assert judgement.is_passed
    assert judgement.sentence == "mean of 2 samples: 0.5000"


def test_every_case_counts_the_same_whatever_its_axes() -> None:
    """Case "a" came from two models, "b" from one: three pages, two cases."""
    run = make_run(
        evaluation("t", "a", "1", 0.2, axes={"model": "large"}),
        evaluation("t", "a", "2", 0.4, axes={"model": "small"}),
        evaluation("t", "b", "1", 0.9, axes={"model": "large"}),
    )

    assert summarize(run)["visual"].values == pytest.approx((0.3, 0.9))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_intervals_stay_within_the_metrics_bounds_and_are_the_same_everywhere(values: list[float]) -> None:
    run = make_run(*(evaluation("t", str(number), "1", value) for number, value in enumerate(values)))

    summary = summarize(run)["visual"]
    (entry,) = make_history([run])

    assert summary.interval is not None
    assert 0 <= summary.interval[0] <= summary.mean + 1e-12
    assert summary.mean - 1e-12 <= summary.interval[1] <= 1
    assert (entry.metrics["visual"].mean, entry.metrics["visual"].interval) == (
        summary.mean,
        summary.interval,
    )
