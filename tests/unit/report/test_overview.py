from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest
import scipy  # Which loads its parts as they are used

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.report.html import cases_per_bin, histogram
from pytest_design2a11y.report.html.overview import Overview, make_overview, plain_names
from pytest_design2a11y.report.run_pages import count_states, state_of, worst_first
from tests.factories import make_evaluation, make_run, summarize


def verdict(*, is_passed: bool) -> Verdict:
    return Verdict("visual", ">=", 0.8, 0.5, is_passed, "call")


def test_means_are_over_cases_and_intervals_are_students() -> None:
    values = {"a": [0.5, 0.7], "b": [0.9], "c": [0.2]}
    evaluations = [
        make_evaluation(case, value, sample=str(number))
        for case, samples in values.items()
        for number, value in enumerate(samples)
    ]

    summary = summarize(make_run(*evaluations))["visual"]

    cases = [0.6, 0.9, 0.2]
    expected = scipy.stats.t.interval(0.95, 2, loc=fmean(cases), scale=scipy.stats.sem(cases))
    assert summary.mean == pytest.approx(fmean(cases))
    assert summary.interval == pytest.approx((max(0, expected[0]), min(1, expected[1])))
    assert (summary.worst, summary.median) == pytest.approx((0.2, 0.6))
    assert sum(cases_per_bin(summary)) == 3


def test_an_interval_inside_the_bounds_is_not_cut() -> None:
    cases = [0.50, 0.52, 0.47, 0.51]

    summary = summarize(make_run(*(make_evaluation(str(case), case) for case in cases)))["visual"]

    assert summary.interval == pytest.approx(
        scipy.stats.t.interval(0.95, 3, loc=fmean(cases), scale=scipy.stats.sem(cases))
    )


def test_one_case_has_no_interval_and_what_nobody_measured_is_left_out() -> None:
    summaries = summarize(make_run(make_evaluation("a", None)))

    assert "visual" not in summaries
    assert "appearance" not in summaries
    assert summaries["ir"].interval is None


def test_the_worst_value_depends_on_the_direction() -> None:
    summaries = summarize(make_run(make_evaluation("a", 0.3, ir=0.1), make_evaluation("b", 0.9, ir=0.4)))

    assert summaries["visual"].worst == 0.3
    assert summaries["ir"].worst == 0.4


def test_the_order_of_evaluations_changes_no_number() -> None:
    evaluations = [
        make_evaluation(str(number), value) for number, value in enumerate((0.1, 0.7, 0.3, 0.9, 0.2))
    ]

    assert summarize(make_run(*evaluations)) == summarize(make_run(*reversed(evaluations)))


def test_a_run_without_evaluations_has_no_summaries() -> None:
    assert summarize(make_run()) == {}
    assert worst_first(make_run()) == []


def test_rows_are_worst_first() -> None:
    good, poor = make_evaluation("good", 0.95), make_evaluation("poor", 0.3)
    broken = replace(
        make_evaluation("broken", 0.9), verdicts=(verdict(is_passed=True), verdict(is_passed=False))
    )
    kept = replace(make_evaluation("kept", 0.5), verdicts=(verdict(is_passed=True),))
    error = replace(make_evaluation("error", None), error=Failure("RenderTimeout", "too slow"))

    rows = worst_first(make_run(good, poor, broken, kept, error))

    assert [row.evaluation.case for row in rows] == ["error", "broken", "poor", "kept", "good"]
    assert [row.number for row in rows] == [4, 2, 1, 3, 0]
    assert count_states(rows) == {"error": 1, "fail": 1, "pass": 1, "none": 2}


def test_an_error_outranks_kept_limits() -> None:
    one = replace(
        make_evaluation("a", 0.9),
        verdicts=(verdict(is_passed=True),),
        error=Failure("NothingToCheck", "empty"),
    )

    assert state_of(one) == "error"


def test_a_plot_tells_its_figures_to_screen_readers() -> None:
    summary = summarize(make_run(make_evaluation("a", 0.25), make_evaluation("b", 0.75)))["visual"]

    drawing = str(histogram(summary))

    assert 'aria-label="Distribution of visual over 2 cases: from 0.2500 to 0.7500, median 0.5000"' in drawing
    assert drawing.count('class="bin"') == 2
    assert "NaN" not in drawing


def variants(*axes: dict[str, str], case: str = "designs/shop.html") -> list[Evaluation]:
    return [
        make_evaluation(case, 0.5 + number / 10, axes=one, id=str(number)) for number, one in enumerate(axes)
    ]


def names(overview: Overview) -> list[str]:
    return [card.name for card in overview.cards]


def test_variants_of_a_design_stand_in_columns_and_have_plain_names() -> None:
    pages = [
        *variants({"prompt": "v1"}, {"prompt": "v2"}),
        *variants({"prompt": "v1"}, {"prompt": "v2"}, case="designs/login.html"),
    ]

    overview = make_overview(make_run(*pages))

    assert overview.variants == ["prompt v1", "prompt v2"]
    assert list(overview.designs) == ["shop", "login"]
    assert [len(overview.designs["shop"][variant]) for variant in overview.variants] == [1, 1]
    assert names(overview)[0] == "shop · prompt v1"


def test_samples_viewports_and_schemes_are_variants_too() -> None:
    pages = [make_evaluation("a", sample="1"), make_evaluation("a", sample="2")]
    states = variants({"viewport": "1280x720"}, {"viewport": "375x812"}, {"model": "x", "scheme": "dark"})

    assert make_overview(make_run(*pages)).variants == ["sample 1", "sample 2"]
    assert make_overview(make_run(*states)).variants == [
        "viewport 1280x720",
        "viewport 375x812",
        "x · scheme dark",
    ]


def test_pages_without_variants_are_cards() -> None:
    overview = make_overview(make_run(make_evaluation("a", 0.9), make_evaluation("b", 0.5)))

    assert overview.variants == []
    assert names(overview) == ["b", "a"]


def test_a_grid_that_would_be_mostly_empty_is_not_drawn() -> None:
    pages = [make_evaluation(f"case {number}", axes={"model": str(number)}) for number in range(9)]

    assert make_overview(make_run(*pages)).variants == []


def test_names_keep_what_tells_designs_apart() -> None:
    cases = ["designs/shop.html", "a/index.html", "b/index.html", "x/login.png", "y/login.html", "Sign up"]

    assert list(plain_names(cases).values()) == [
        "shop", "a", "b", "x/login.png", "y/login.html", "Sign up",
    ]  # fmt: skip
