"""A ranking as plots: scales that can be read, in three formats that open."""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from pytest_design2a11y.comparing.rank import rank_parts
from pytest_design2a11y.comparing.ranking import Ranking
from pytest_design2a11y.comparing.selection import Part
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.comparison.ranking_plot import (
    bar_scale,
    bars_of,
    make_scale,
    plot_ranking,
    scatter_of,
    write_plot,
)
from pytest_design2a11y.report.drawing import COLORS, Drawing, to_pdf, to_png, to_svg
from tests.factories import make_evaluation, make_run

METRICS = ("visual", "weighted_ir")


def ranked(*, metrics: tuple[str, ...] = METRICS, lead: float = 0.01, name: str = "model <b>") -> Ranking:
    def run(shift: float) -> Run:
        cases = (make_evaluation(f"case {number}", 0.8 + shift + number / 100, 0.1) for number in range(6))
        return make_run(*cases)

    return rank_parts([Part(name, run(0)), Part("other", run(lead))], metrics=metrics)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.0, 0.083, [0, 0.02, 0.04, 0.06, 0.08, 0.1]),
        (0.71, 0.93, [0.7, 0.75, 0.8, 0.85, 0.9, 0.95]),
        (0.0, 63.0, [0, 20, 40, 60, 80]),
    ],
)
def test_a_scale_has_round_ticks_and_holds_its_values(low: float, high: float, ticks: list[float]) -> None:
    assert make_scale(low, high).ticks == pytest.approx(ticks)


def test_one_value_has_a_scale_too() -> None:
    assert len(make_scale(0.5, 0.5).ticks) >= 2


def test_a_small_lead_does_not_fill_the_plot_and_bars_start_at_zero() -> None:
    ranking = ranked(lead=0.01)
    scale = bar_scale(ranking.metrics["visual"])
    lengths = [
        shape.numbers[2]
        for shape in bars_of(ranking, ranking.metrics["visual"]).shapes
        if shape.color == "bar"
    ]

    assert (scale.low, scale.high) == (0, 1)
    assert lengths[0] - lengths[1] == pytest.approx(0.01 * (740 - 200 - 90), abs=0.1)


def test_the_scatter_has_a_dot_a_contender_and_one_a_page_on_demand() -> None:
    ranking = ranked()

    def dots(drawing: Drawing) -> int:
        return sum(shape.kind == "dot" for shape in drawing.shapes)

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


def test_a_png_shows_its_bars() -> None:
    image = Image.open(io.BytesIO(to_png(plot_ranking(ranked())))).convert("RGB")

    colors = {color for _count, color in image.getcolors(1_000_000) or ()}
    assert image.width == 3 * 740
    assert tuple(bytes.fromhex(COLORS["bar"][1:])) in colors


def test_a_pdf_holds_its_words_as_words_and_finds_its_objects() -> None:
    file = to_pdf(plot_ranking(ranked(name="model (a)")))

    content = re.search(rb"stream\n(.*?)\nendstream", file, re.DOTALL)
    assert content is not None
    assert rb"(model \(a\)) Tj" in zlib.decompress(content[1])
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", file), start=1):
        assert file[int(place) :].startswith(b"%d 0 obj" % number)
    assert file[int(file.split()[-2]) :].startswith(b"xref")


def test_plots_are_written_by_their_ending(tmp_path: Path) -> None:
    for ending, start in {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}.items():
        write_plot(tmp_path / f"rank.{ending}", plot_ranking(ranked()))
        assert (tmp_path / f"rank.{ending}").read_bytes().startswith(start)

    with pytest.raises(ConfigurationError, match=r"written as \.svg, \.pdf or \.png, not as 'rank\.jpg'"):
        write_plot(tmp_path / "rank.jpg", plot_ranking(ranked()))


def test_nothing_that_compares_is_nothing_to_plot() -> None:
    with pytest.raises(ConfigurationError, match="nothing to plot: the runs have no metric in common"):
        plot_ranking(ranked(metrics=("fidelity",)))
