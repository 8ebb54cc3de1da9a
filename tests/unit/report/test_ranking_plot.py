"""A ranking as plots: scales that can be read."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from pytest_design2a11y.comparing.rank import Ranking, rank_parts
from pytest_design2a11y.comparing.selection import Part
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison.plots import (
    bars_of,
    plot_ranking,
    scale_of,
    scatter_of,
)
from pytest_design2a11y.report.drawing import COLORS, Drawing, Shape, to_svg
from tests.factories import make_evaluation, make_run

METRICS = ("visual", "weighted_ir")


def ranked(*, metrics: tuple[str, ...] = METRICS, lead: float = 0.01, name: str = "model <b>") -> Ranking:
    def run(shift: float) -> Run:
        cases = (make_evaluation(f"case {number}", 0.8 + shift + number / 100, 0.1) for number in range(6))
        return make_run(*cases)

    return rank_parts([Part(name, run(0)), Part("other", run(lead))], metrics=metrics)


@pytest.mark.parametrize("lead", [0.01, -0.6, 0.15])
def test_a_metric_has_the_same_scale_in_every_plot_whatever_the_values(lead: float) -> None:
    ranking = ranked(lead=lead)
    scales = [scale_of(metric, ranking.metrics[metric].places) for metric in METRICS]

    assert scales == [scale_of(metric, ranked().metrics[metric].places) for metric in METRICS]
    assert {(scale.ticks[0], scale.ticks[-1]) for scale in scales} == {(0, 1)}
    told = [shape.text for shape in plot_ranking(ranking).shapes if shape.color == "muted"]
    assert told == [shape.text for shape in plot_ranking(ranked()).shapes if shape.color == "muted"]


def test_small_rates_can_be_read_and_intervals_never_leave_the_scale() -> None:
    (likeness, rate) = (scale_of(metric, ranked().metrics[metric].places) for metric in METRICS)

    assert (likeness.across(0.5), likeness.across(1.0)) == (0.5, 1.0)
    assert (rate.across(0.0), rate.across(0.01), rate.across(0.04), rate.across(1.0)) == (0, 0.1, 0.2, 1)


def test_numbers_without_a_bound_end_at_a_round_tick() -> None:
    ranking = ranked(metrics=("failed",))
    (most, *_others) = sorted((place.mean for place in ranking.metrics["failed"].places), reverse=True)
    ticks = scale_of("failed", ranking.metrics["failed"].places).ticks

    assert ticks[0] == 0
    assert ticks[-1] >= most
    assert 3 <= len(ticks) <= 8


def test_bars_start_at_zero_and_rates_are_dots() -> None:
    ranking = ranked(lead=0.01)

    def shapes(metric: str) -> list[Shape]:
        drawing = bars_of(ranking, ranking.metrics[metric])
        return [shape for shape in drawing.shapes if shape.color == "bar"]

    lengths = [shape.numbers[2] for shape in shapes("visual")]
    assert lengths[0] - lengths[1] == pytest.approx(0.01 * (740 - 200 - 90), abs=0.1)
    assert {shape.kind for shape in shapes("weighted_ir")} == {"dot"}
    assert "weighted_ir (lower is better; square-root scale)" in to_svg(
        bars_of(ranking, ranking.metrics["weighted_ir"])
    )


def test_the_scatter_has_a_dot_a_contender_and_one_a_page_on_demand() -> None:
    ranking = ranked()

    def dots(drawing: Drawing) -> int:
        return sum(shape.kind == "dot" and shape.color != "bar" for shape in drawing.shapes)

    assert dots(plot_ranking(ranking)) == 2
    assert dots(plot_ranking(ranking, has_pages=True)) == 2 + 2 * 6
    assert scatter_of(ranked(metrics=("visual",))) is None


def test_an_svg_is_xml_with_names_escaped() -> None:
    root = ElementTree.fromstring(to_svg(plot_ranking(ranked())))

    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "model <b>" in texts
    assert {"0", "0.2", "1", "0.8350", "visual (higher is better)"} <= set(texts)
    of_page = to_svg(plot_ranking(ranked()), is_of_page=True)
    assert not [color for color in COLORS.values() if color in of_page]


def test_nothing_that_compares_is_nothing_to_plot() -> None:
    with pytest.raises(ConfigurationError, match="nothing to plot: the runs have no metric in common"):
        plot_ranking(ranked(metrics=("fidelity",)))
