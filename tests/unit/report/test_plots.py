"""Rankings as plots: scales that can be read, and what is drawn where."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_design2a11y.comparing.ranking import Ranking, rank_parts
from pytest_design2a11y.comparing.selection import RunPart
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.plots import plot_ranking
from tests.factories import make_evaluation, make_run

METRICS = ("visual", "weighted_ir")


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are written, in order."""
    figure = pytest.importorskip("matplotlib.figure").Figure
    written: list[Any] = []
    save = figure.savefig

    def savefig(self: Any, *arguments: Any, **options: Any) -> None:
        written.append(self)
        save(self, *arguments, **options)

    monkeypatch.setattr(figure, "savefig", savefig)
    return written


def ranked(*, metrics: tuple[str, ...] = METRICS, lead: float = 0.01, name: str = "model <b> $x$") -> Ranking:
    def run(shift: float) -> Run:
        cases = (make_evaluation(f"case {number}", 0.8 + shift + number / 100, 0.1) for number in range(6))
        return make_run(*cases)

    return rank_parts([RunPart(name, run(0)), RunPart("other", run(lead))], metrics=metrics)


def texts_of(path: Path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return [(node.text or "").strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("lead", [0.01, -0.6, 0.15])
def test_a_metric_has_the_same_scale_in_every_plot(figures: list[Any], tmp_path: Path, lead: float) -> None:
    plot_ranking(tmp_path / "plot.svg", ranked(lead=lead))

    likeness, rate, scatter = figures[0].axes
    assert likeness.get_xlim() == rate.get_xlim() == scatter.get_xlim() == scatter.get_ylim() == (0, 1)
    across = rate.transAxes.inverted().transform(rate.transData.transform([(0.01, 0), (0.04, 0), (1, 0)]))
    assert across[:, 0] == pytest.approx([0.1, 0.2, 1])
    assert "weighted_ir (lower is better; square-root scale)" in texts_of(tmp_path / "plot.svg")


def test_means_are_bars_from_zero_and_rates_are_dots(figures: list[Any], tmp_path: Path) -> None:
    ranking = ranked()
    plot_ranking(tmp_path / "plot.svg", ranking)

    likeness, rate, _scatter = figures[0].axes
    means = [place.mean for place in ranking.metrics["visual"].places]
    assert [(bar.get_x(), bar.get_width()) for bar in likeness.patches] == [(0, mean) for mean in means]
    assert not rate.patches
    assert list(rate.lines[0].get_xdata()) == pytest.approx([0.01, 0.01])


def test_numbers_without_a_bound_fit_the_data(figures: list[Any], tmp_path: Path) -> None:
    plot_ranking(tmp_path / "plot.svg", ranked(metrics=("failed",)))

    (counts,) = figures[0].axes
    assert counts.get_xlim() == (0, pytest.approx(10.5))


def test_the_scatter_has_a_dot_for_each_contender(figures: list[Any], tmp_path: Path) -> None:
    plot_ranking(tmp_path / "plot.svg", ranked())

    scatter = figures[0].axes[-1]
    dots = [line for line in scatter.lines if line.get_marker() == "o"]
    assert sum(len(line.get_xdata()) for line in dots) == 2
    assert {text.get_text() for text in scatter.get_legend().get_texts()} == {"model <b> $x$", "other"}


def test_names_are_text_and_no_formula(figures: list[Any], tmp_path: Path) -> None:
    plot_ranking(tmp_path / "plot.svg", ranked(metrics=("visual",)))

    assert len(figures[0].axes) == 1, "without weighted_ir there is nothing to scatter"
    assert {"model <b> $x$", "other", "0.8350", "visual (higher is better)"} <= set(
        texts_of(tmp_path / "plot.svg")
    )


@pytest.mark.parametrize(("name", "start"), [("a.pdf", b"%PDF-"), ("a.PNG", b"\x89PNG")])
def test_the_suffix_is_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    plot_ranking(tmp_path / "plots" / name, ranked(metrics=("visual",)))

    assert (tmp_path / "plots" / name).read_bytes().startswith(start)


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"written as .svg, .pdf or .png, not as 'plot.gif'"):
        plot_ranking(tmp_path / "plot.gif", ranked())


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(ConfigurationError, match="Plots need matplotlib, which is not installed") as caught:
        plot_ranking(tmp_path / "plot.svg", ranked())

    assert 'pip install "pytest-design2a11y[plot]"' in str(caught.value)
    assert not (tmp_path / "plot.svg").exists()


def test_nothing_in_common_is_nothing_to_plot(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to plot: the runs have no metric in common"):
        plot_ranking(tmp_path / "plot.svg", ranked(metrics=("fidelity",)))
