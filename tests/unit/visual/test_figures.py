"""Figures: numbers are read whatever their locale, and compared by label and place."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pytest_design2a11y.models.elements import Font
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.figures import FigureMatching, figures_of, match_figures, numbers_in

SIZE = (1000, 1000)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        *((one, ["1234.5"]) for one in ("1,234.50", "1.234,50", "1 234.50", "1'234.50", "1\u202f234,50")),
        *((one, ["1234567"]) for one in ("1,234,567", "1.234.567", "12,34,567", "1 234 567", "1234567")),
        *((one, ["1234"]) for one in ("1.234", "1,234", "1234.00")),
        *((one, ["0.5"]) for one in ("0.5", "0,50", "0.500")),
        ("12.5%", ["12.5"]),
        ("1,2345", ["1.2345"]),
        ("-3 °C", ["-3"]),
        ("−$49", ["-49"]),
        ("2023-11-05", ["2023", "11", "5"]),
        ("05.11.2023", ["5", "11", "2023"]),
        ("12:30", ["12", "30"]),
        ("3–5 days", ["3", "5"]),
        ("4242 4242 4242", ["4242"] * 3),
        ("\u0663\u0664", ["34"]),
        ("none at all", []),
    ],
)
def test_numbers_are_read_whatever_marks_their_groups_and_decimals(text: str, values: list[str]) -> None:
    assert [value for value, _ in numbers_in(text)] == [Decimal(value) for value in values]


def run(text: str, x: float, y: float, *, size: float = 16.0, paragraph: int | None = None) -> TextRun:
    box = (x, y, 8.0 * len(text), size)
    font = Font(size, 400, False, ())
    return TextRun(text, (box,), (0, 0, 0), owner=int(y * 1000 + x), font=font, paragraph=paragraph)


def matched(reference: list[TextRun], candidate: list[TextRun]) -> FigureMatching:
    found = match_figures(figures_of(reference), figures_of(candidate), (SIZE, SIZE))
    assert found is not None
    back = match_figures(figures_of(candidate), figures_of(reference), (SIZE, SIZE))
    assert back is not None
    assert back.value == found.value
    return found


CARDS = [run("Tent", 100, 100), run("$249", 100, 130), run("Stove", 500, 100), run("$64", 500, 130)]


def test_a_page_against_itself_has_all_figures() -> None:
    found = matched(CARDS, CARDS)
    assert found.value == 1.0
    assert found.wrong == ()


def test_grouping_and_spaces_cost_nothing() -> None:
    assert (
        matched([run("Total: 1,234.50 €", 10, 10)], [run("Total: 1\u00a0234,5\u00a0€", 10, 10)]).value == 1.0
    )


def test_a_wrong_price_is_wrong_by_its_letters_size() -> None:
    made = [*CARDS[:3], run("$46", 500, 130)]
    found = matched(CARDS, made)
    assert found.value == 0.5
    ((design, own),) = found.wrong
    assert design is not None
    assert own is not None
    assert (design.text, own.text, design.label) == ("$64", "$46", "stove")
    large = [run("Total", 10, 10), run("90", 80, 10, size=48.0), run("5 left", 10, 300)]
    assert matched(large, [*large[:2], run("6 left", 10, 300)]).value == 0.75


def test_exchanged_prices_are_two_wrong_ones() -> None:
    made = [CARDS[0], run("$64", 100, 130), CARDS[2], run("$249", 500, 130)]
    assert matched(CARDS, made).value == 0.0


def test_figures_that_moved_with_their_labels_are_right() -> None:
    made = [run("Stove", 100, 100), run("$64", 100, 130), run("Tent", 500, 100), run("$249", 500, 130)]
    assert matched(CARDS, made).value == 1.0


def test_what_one_page_lacks_has_no_counterpart() -> None:
    found = matched(CARDS, CARDS[:3])
    assert [(one and one.text, other) for one, other in found.wrong] == [("$64", None)]
    assert found.value == pytest.approx(2 / 3)


def test_one_number_in_several_elements_is_one() -> None:
    pieces = [run("1,", 100, 100, paragraph=1), run("234", 116, 100, paragraph=1)]
    assert [figure.value for figure in figures_of(pieces)] == [Decimal(1234)]


def test_a_design_without_figures_has_no_value() -> None:
    assert match_figures((), figures_of(CARDS), (SIZE, SIZE)) is None


def test_a_page_without_any_has_none_right() -> None:
    found = match_figures(figures_of(CARDS), (), (SIZE, SIZE))
    assert found is not None
    assert found.value == 0.0
