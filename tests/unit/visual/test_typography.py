"""Fonts of two pages are compared paragraph by paragraph; what that scores, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Font
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual import fidelity, match_pages, score_typography
from tests.pages_by_hand import box
from tests.pages_by_hand import page as page_of

SANS = Font(16, 400, False, (0.22, 0.83, 0.94, 0.56, 0.56, 0.56, 0.56, 0.72))


def run(text: str, y: float = 0, font: Font | None = SANS, **changes: Any) -> TextRun:
    values: dict[str, Any] = {
        "boxes": ((0, y, 100, 20),),
        "color": (0, 0, 0),
        "owner": 1,
        "paragraph": int(y),
        "font": font,
    }
    return TextRun(text=text, **values | changes)


def page(runs: list[TextRun], ground: Color = (255, 255, 255)) -> Capture:
    return page_of(runs, ground=ground)


def value(reference: list[TextRun], candidate: list[TextRun]) -> float:
    # A shade that nobody sees as another one, so that the pages do not look the same.
    pages = page(reference), page([replace(run, color=(60, 0, 0)) for run in candidate])
    result = score_typography(match_pages(*pages))
    assert result is not None
    assert result == score_typography(match_pages(*pages[::-1]))
    return result


def test_a_page_against_itself_is_exactly_one() -> None:
    runs = [run(f"text {at}", at * 30, replace(SANS, size=11 + at / 7)) for at in range(30)]
    assert value(runs, runs) == 1.0
    assert value([], []) == 1.0


@pytest.mark.parametrize(
    ("font", "expected"),
    [
        (replace(SANS, size=12), 0.75),
        (replace(SANS, weight=700), 0.7),
        (replace(SANS, advances=tuple(width + 0.04 for width in SANS.advances)), 0.8),
        (replace(SANS, advances=tuple(width + 0.2 for width in SANS.advances)), 0.6),
        (replace(SANS, size=32, weight=900), 0.35),
    ],
)
def test_similarity_is_size_times_family_times_weight(font: Font, expected: float) -> None:
    assert value([run("some text")], [run("some text", font=font)]) == pytest.approx(expected)


def test_long_paragraphs_count_by_the_square_root_of_their_characters() -> None:
    reference = [run("a" * 100), run("b" * 25, 500)]
    candidate = [run("a" * 100), run("b" * 25, 500, replace(SANS, size=8))]
    assert value(reference, candidate) == pytest.approx(1 - 0.5 * 5 / 15)


def test_runs_of_one_paragraph_are_taken_together() -> None:
    bold = replace(SANS, weight=700)
    reference = [run("some bold", paragraph=1), run("text", font=bold, paragraph=1)]
    assert value(reference, [run("some bold text")]) == pytest.approx(1 - 0.3 * 4 / 12)


def test_where_no_font_is_known_nothing_is_scored() -> None:
    text = page([run("read from a picture", font=None)])
    assert score_typography(match_pages(text, text)) is None


def test_text_that_only_one_page_has_scores_nothing() -> None:
    reference = [run("a" * 100), run("b" * 25, 500)]
    assert value(reference, reference[:1]) == pytest.approx(1 - 5 / 25)


def test_a_paragraph_in_two_parts_is_the_same_paragraph() -> None:
    parts = [run("first part", 0, paragraph=1), run("second part", 20, paragraph=2)]
    whole = [replace(part, paragraph=1) for part in parts]
    assert value(whole, parts) == 1.0


def test_text_that_cannot_be_read_is_not_written_alike() -> None:
    pages = [page([run("some text")], ground) for ground in ((255, 255, 255), (17, 17, 17))]
    assert score_typography(match_pages(pages[0], pages[1])) == pytest.approx(1.11 / 3, abs=0.02)


def test_the_longest_line_shows_what_a_text_stands_on() -> None:
    """A word in a box of its own, or a list's marker, may come first."""
    chip, boxes = box(0, 0, 60, 20, fill=(119, 119, 119)), ((5, 0, 50, 20), (70, 0, 300, 20))
    grays = [(0, 0, 0), (119, 119, 119)]
    pages = [page_of([run("name of it", boxes=boxes, color=gray)], [chip]) for gray in grays]

    # 4.48:1 on white is enough; on the box there would be no contrast.
    assert score_typography(match_pages(pages[0], pages[1])) == 1.0


def test_without_a_counterpart_there_is_nothing_alike() -> None:
    assert value([run("text")], []) == 0.0


def test_fidelity_is_the_mean_of_five_fifths() -> None:
    assert fidelity(visual=1.0, elements=1.0, typography=1.0) == 1.0
    assert fidelity(visual=0.5, elements=1.0, typography=0.0) == pytest.approx(0.6)
    assert fidelity(visual=0.5, elements=None, typography=0.0) is None


@pytest.mark.parametrize(
    ("left", "width", "expected"),
    [(110, 100, 1.0), (160, 100, 0.85), (310, 100, 0.4), (710, 100, 0.4), (110, 300, 1.0), (10, 300, 1.0)],
)
def test_a_shift_aside_counts_by_the_nearest_edge_or_centre(
    left: float, width: float, expected: float
) -> None:
    """Wider text that begins at the same edge, or has the same center, is aligned as it was."""
    design, made = ([run("some words", boxes=(one,))] for one in ((110, 0, 100, 20), (left, 0, width, 20)))
    assert value(design, made) == pytest.approx(expected)
