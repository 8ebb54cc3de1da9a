"""Several runs ranked over the cases that all of them have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.ranking import rank_parts
from pytest_design2a11y.comparing.selection import parse_metrics, parts_of
from pytest_design2a11y.exceptions import AxesDiffer, ConfigurationError, NotComparable
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.report.comparison.ranking_sentences import ranking_caveats
from tests.factories import ENVIRONMENT, make_evaluation, make_rates, make_run

NUM_CASES = 12


def value(case: int, moved: float) -> float:
    """A case's score: cases differ, and move a little differently."""
    return 0.6 + 0.02 * case + moved * (1 + 0.1 * (case % 3))


def pages(moved: float, *, cases: Sequence[int] = range(NUM_CASES), model: str = "") -> list[Evaluation]:
    axes = {"model": model} if model else {}
    return [
        make_evaluation(f"case {case}", value(case, moved), id=f"{case}{axes}", axes=axes) for case in cases
    ]


def run(name: str, moved: float, *, model: str = "") -> Run:
    return make_run(*pages(moved, model=model), name=name)


def named(*runs: Run) -> dict[str, Run]:
    return {one.name: one for one in runs}


def test_the_best_comes_first_and_every_sure_difference_is_told() -> None:
    runs = named(run("a", 0.0), run("b", 0.1), run("c", -0.05), run("d", 0.1))

    metric = rank_parts(parts_of(runs, ())).metrics["visual"]

    assert [(place.contender, place.rank) for place in metric.places] == [(1, 1), (3, 1), (0, 3), (2, 4)]
    assert [place.beaten_by for place in metric.places] == [(), (), (1, 1), (1, 1, 3)]
    assert metric.places[0].mean == pytest.approx(sum(value(case, 0.1) for case in range(NUM_CASES)) / 12)


def test_fewer_is_better_where_the_metric_says_so() -> None:
    low, high = (
        make_run(
            *(
                make_evaluation(f"{case}", 0.5, accessibility=make_rates(ir + case / 100))
                for case in range(8)
            ),
            name=name,
        )
        for name, ir in (("low", 0.1), ("high", 0.3))
    )

    metric = rank_parts(parts_of(named(high, low), ()), metrics=("ir",)).metrics["ir"]

    assert [place.contender for place in metric.places] == [1, 0]
    assert metric.pairs[0].better == 1


def test_two_runs_get_the_figures_of_their_comparison() -> None:
    old, new = run("old", 0.0), run("new", -0.02)

    (pair,) = rank_parts(parts_of(named(old, new), ()), metrics=("visual",)).metrics["visual"].pairs
    compared = compare_runs(old, new).metrics["visual"]

    assert pair.difference == compared.difference
    assert pair.interval == compared.interval
    assert pair.p_value == compared.p_value


def test_verdicts_are_corrected_for_all_pairs_and_metrics() -> None:
    runs = named(run("a", 0.0), run("b", 0.004), run("c", 0.0))

    alone = rank_parts(parts_of(runs, ()), metrics=("visual",)).metrics["visual"].pairs[0]
    among = rank_parts(parts_of(runs, ()), metrics=("visual", "block_match")).metrics["visual"].pairs[0]

    assert among.p_value == pytest.approx(alone.p_value / 3 * 6, rel=0.35)
    assert among.p_value > alone.p_value


def test_means_are_over_the_cases_that_all_have() -> None:
    short = make_run(*pages(0.0, cases=range(2, NUM_CASES)), name="short")
    broken = run("broken", 0.0)
    failed = replace(
        broken.evaluations[5], visual=None, accessibility=None, error=Failure("NotHtml", "A refusal.")
    )
    broken = replace(broken, evaluations=(*broken.evaluations[:5], failed, *broken.evaluations[6:]))

    ranking = rank_parts(parts_of(named(run("a", 0.0), short, broken), ()))

    metric = ranking.metrics["visual"]
    assert ranking.num_cases == 10
    assert len(metric.cases) == 9
    assert metric.lacking == (0, 0, 1)
    assert [one.absent for one in ranking.contenders] == [(), ("case 0", "case 1"), ()]
    assert list(ranking.contenders[2].errors) == ["case 5"]
    gaps = [text for text in ranking_caveats(ranking) if text.startswith("broken lacks")]
    assert gaps == ["broken lacks 1 value, left out for all, of visual, ir, iwir, weighted_ir"], "told once"
    assert {place.mean for place in metric.places} == {metric.places[0].mean}


def test_one_run_is_ranked_by_the_values_of_an_axis() -> None:
    whole = make_run(*pages(0.0, model="small"), *pages(0.1, model="large"))

    ranking = rank_parts(parts_of({"run": whole}, ("model",)))

    assert [one.name for one in ranking.contenders] == ["large", "small"]
    assert [one.axes for one in ranking.contenders] == [(("model", "large"),), (("model", "small"),)]
    assert ranking.changes == {"model": ("large", "small")}
    assert ranking.metrics["visual"].places[0].contender == 0


def test_parts_of_several_runs_keep_the_name_of_theirs() -> None:
    both = [*pages(0.0, model="small"), *pages(0.1, model="large")]
    runs = named(make_run(*both, name="v1"), make_run(*both, name="v2"))

    ranking = rank_parts(parts_of(runs, ("model",)))

    assert [one.name for one in ranking.contenders] == ["v1, large", "v2, large", "v1, small", "v2, small"]
    assert ranking.grouped_by == ("run", "model")


def test_other_mixes_of_axes_are_refused_with_the_table_of_all() -> None:
    both = make_run(*pages(0.0, model="small"), *pages(0.1, model="large"), name="both")

    with pytest.raises(AxesDiffer) as refused:
        rank_parts(parts_of(named(both, run("b", 0.0, model="small"), run("c", 0.0, model="small")), ()))

    lines = str(refused.value).splitlines()
    assert "The runs 'both', 'b' and 'c' do not mix the same axes" in lines[0]
    assert lines[1].split() == ["#1", "#2", "#3", "(cases)"]
    assert lines[2].split() == ["model=large", "12", "-", "-"]


def test_metrics_that_were_measured_differently_are_refused_with_the_reason() -> None:
    other = make_run(
        *(replace(one, environment=replace(ENVIRONMENT, axe="5.0")) for one in pages(0.0)), name="c"
    )

    ranking = rank_parts(parts_of(named(run("a", 0.0), run("b", 0.1), other), ()))

    assert ranking.metrics["visual"].state == "compared"
    assert ranking.metrics["ir"].state == "refused"
    assert "axe-core version: 4.12.1 -> 5.0" in ranking.metrics["ir"].reason
    assert [one.pairs for one in ranking.differences] == [(("a", "c"), ("b", "c"))]


def test_four_cases_give_no_verdict() -> None:
    runs = named(run("a", 0.0), run("b", 0.3))
    few = {name: replace(one, evaluations=one.evaluations[:4]) for name, one in runs.items()}

    metric = rank_parts(parts_of(few, ())).metrics["visual"]

    assert not metric.has_verdicts
    assert metric.pairs[0].better is None


def test_what_cannot_be_ranked_says_why() -> None:
    with pytest.raises(ConfigurationError, match="nothing to compare it with"):
        rank_parts(parts_of(named(run("a", 0.0)), ()))
    others = make_run(*(make_evaluation(f"x{number}") for number in range(2)), name="b")
    with pytest.raises(NotComparable, match=r"The runs 'a' .* have no case in common"):
        rank_parts(parts_of(named(run("a", 0.0), others), ()))
    with pytest.raises(ConfigurationError, match=r"no metric 'visul' to rank by. Did you mean 'visual'"):
        parse_metrics("iwir,visul")


def test_cases_are_listed_by_how_much_they_differ() -> None:
    metric = rank_parts(parts_of(named(run("a", 0.0), run("b", 0.1)), ())).metrics["visual"]

    listed = metric.moved_most(None)

    assert len(listed) == NUM_CASES
    assert listed[0][0] == "case 2"
    assert metric.moved_most(1) == listed[:1]


@pytest.mark.parametrize("drop", [0.0, 0.004, 0.008, 0.02])
def test_two_contenders_are_judged_as_a_comparison_of_them_does(drop: float) -> None:
    noise = (0.03, -0.02, 0.01, -0.03, 0.02, 0.0, -0.01, 0.025)
    runs = [
        make_run(
            *(
                make_evaluation(str(case), 0.8 - size * (1 + 30 * wobble), 0.1)
                for case, wobble in enumerate(noise)
            ),
            name=name,
        )
        for name, size in (("v1", 0.0), ("v2", drop))
    ]

    ranking = rank_parts(parts_of({run.name: run for run in runs}, ()))
    forth, back = compare_runs(*runs), compare_runs(*runs[::-1])

    opposite = {"better": "worse", "worse": "better", "unclear": "unclear"}
    for name, metric in ranking.metrics.items():
        if metric.state == "compared":
            (pair,) = metric.pairs
            trend = forth.metrics[name].trend
            assert (pair.better is not None) == (trend != "unclear")
            assert pair.p_value == pytest.approx(forth.metrics[name].corrected_p)
            assert back.metrics[name].trend == opposite[trend]
