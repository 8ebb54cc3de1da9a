"""What pixels say of boxes, without a browser; and which elements are one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytest_design2a11y.capture.elements import find_elements, is_masked
from pytest_design2a11y.capture.elements.joined import distinct, joined_lines
from pytest_design2a11y.capture.text.candidates import BOX, GROUND, PICTURE, Candidates
from pytest_design2a11y.models.elements import Element


def candidates(*boxes: tuple[float, ...], kind: int = BOX, inner: float = 0) -> Candidates:
    number = len(boxes)
    return Candidates(
        kinds=np.full(number, kind),
        tags=("div",) * number,
        boxes=np.array(boxes, dtype=np.float64).reshape(-1, 4),
        inner=np.full((number, 4), inner),
        outer=np.zeros((number, 4)),
        rings=np.zeros((number, 2)),
        blurs=np.zeros(number),
        radii=np.zeros(number),
        is_loose=np.zeros(number, dtype=bool),
        angles=np.zeros(number),
        worlds=np.zeros(number, dtype=np.int64),
        spans=np.array([(at, at + 1) for at in range(number)], dtype=np.int64).reshape(-1, 2),
        ranks=np.arange(number),
        grounds=np.zeros(number),
        tints=np.zeros((number, 4)),
        abouts=tuple({} for _ in boxes),
        controls=np.arange(number),
        shapes=((),) * number,
        windows=(None,) * number,
        opacities=np.ones(number),
        wholes=(None,) * number,
        num_left_out=0,
    )


def page(*panels: tuple[int, int, int, int, tuple[int, int, int]]) -> np.ndarray:
    pixels = np.full((200, 300, 3), 255, dtype=np.uint8)
    for x, y, width, height, color in panels:
        pixels[y : y + height, x : x + width] = color
    return pixels


RED, TEAL = (255, 0, 0), (0, 128, 128)
PANEL = (20.0, 30.0, 100.0, 60.0)


def test_a_page_without_candidates_has_a_ground() -> None:
    found = find_elements(page((0, 0, 300, 20, RED)), candidates(), [])

    assert (found.elements, found.ground, found.num_left_out) == ((), (255, 255, 255), 0)


def test_a_declared_border_counts_only_where_it_is_seen() -> None:
    framed = page((20, 30, 100, 60, TEAL), (21, 31, 98, 58, (255, 255, 255)))

    assert find_elements(framed, candidates(PANEL, inner=1), []).elements == (
        Element(
            *("box", "div", PANEL, (255, 255, 255)),
            has_border=True,
            border=TEAL,
            border_width=1,
            lines=(TEAL,) * 4,
        ),
    )
    assert find_elements(page(), candidates(PANEL, inner=1), []).elements == ()


def test_the_fill_is_what_is_beside_the_text() -> None:
    """Text of another colour fills three quarters of the panel."""
    pixels = page((20, 30, 100, 60, RED), (26, 36, 88, 48, TEAL))

    (element,) = find_elements(pixels, candidates(PANEL), [(26.0, 36.0, 88.0, 48.0)]).elements

    assert element == Element("box", "div", PANEL, RED, has_fill=True)


def test_a_line_keeps_its_color_under_letters() -> None:
    """As where a stamp lies over the line between two cells."""
    gray = (221, 221, 221)
    pixels = page((20, 89, 100, 1, gray), *((x, 80, 5, 12, RED) for x in range(30, 80, 10)))
    pixels[88, 30:100] = RED

    (found,) = find_elements(pixels, candidates(PANEL, inner=1), [(28.0, 78.0, 60.0, 16.0)]).elements

    assert (found.kind, found.box, found.fill) == ("line", (20, 89, 100, 1), gray)


def test_a_lines_color_is_that_of_most_of_it_not_of_the_letters_where_it_is_checked_first() -> None:
    gray = (221, 221, 221)
    checked = [20 + 100 * (2 * place + 1) // 24 for place in range(12)]
    pixels = page((20, 89, 100, 1, gray), *((x - 1, 88, 3, 2, RED) for x in checked[:8]))

    (found,) = find_elements(pixels, candidates(PANEL, inner=1), [(20.0, 78.0, 80.0, 16.0)]).elements

    assert (found.kind, found.box, found.fill) == ("line", (20, 89, 100, 1), gray)


@pytest.mark.parametrize("sliver", [(20.0, 199.875, 4.0, 0.125), (299.75, 30.0, 0.25, 60.0)])
def test_what_is_left_of_a_box_at_the_end_of_the_page_is_no_error(sliver: tuple[float, ...]) -> None:
    found = find_elements(page((20, 30, 100, 60, RED)), candidates(PANEL, sliver, inner=1), [])

    assert Element("box", "div", PANEL, RED, has_fill=True) in found.elements


def test_a_picture_among_noise_is_not_seen_by_noise_alone() -> None:
    """A box that a photograph covers has no edge of its own in it."""
    noise = np.random.default_rng(1).integers(0, 256, (200, 300, 3)).astype(np.uint8)

    assert find_elements(noise, candidates(PANEL), []).elements == ()
    (picture,) = find_elements(noise, candidates((0, 0, 300, 200), kind=PICTURE), []).elements
    assert picture.kind == "picture"


def test_what_shows_of_a_large_picture_is_the_same_from_either_end() -> None:
    """Only some of its columns are looked at, so that a little around what shows may belong to it."""
    drawn = np.full((800, 1000, 3), 255, dtype=np.uint8)
    drawn[100:700, 100:700] = TEAL
    picture = candidates((10, 10, 980, 780), kind=GROUND)

    boxes = [
        found.box
        for pixels in (drawn, np.ascontiguousarray(drawn[:, ::-1]))
        for found in find_elements(pixels, picture, []).elements
    ]

    assert [(left, width) for left, _, width, _ in boxes] == [(100, 602), (1000 - 702, 602)]


def test_what_covers_a_picture_is_no_part_of_it() -> None:
    """A header over its upper end, with a menu that has other colors than the page."""
    header, menu, image = (0, 0, 300, 40), (40, 10, 30, 20), (20, 10, 100, 100)
    pixels = page((*image, TEAL), (*header, (255, 255, 255)), (*menu, RED))
    found = candidates(image, header, kind=PICTURE)
    found = replace(found, kinds=np.array([PICTURE, BOX]), grounds=np.array([1.0, 1.0]))

    (picture,) = find_elements(pixels, found, []).elements

    assert (picture.box, picture.fill) == ((20, 40, 100, 70), TEAL)


def test_pictures_upon_pictures_are_bounded() -> None:
    pixels = page((20, 30, 100, 60, RED))
    boxes = [(0.0, 0.0, 300.0, 200.0 - at / 10) for at in range(30)]

    assert find_elements(pixels, candidates(*boxes, kind=PICTURE), []).num_left_out == 10


def line(x: float, y: float, width: float, height: float = 1.0) -> Element:
    return Element("line", "td", (x, y, width, height), TEAL)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([line(0, 9, 50), line(50, 9, 50)], 1),
        ([line(0, 9, 50), line(52, 9, 50)], 1),
        ([line(0, 9, 50), line(60, 9, 50)], 2),
        ([line(0, 9, 50), line(50, 10, 50)], 2),
        ([line(0, 9, 1, 50), line(0, 59, 1, 50)], 1),
        ([line(0, 9, 50), replace(line(50, 9, 50), fill=RED)], 2),
    ],
    ids=["touching", "near", "apart", "lower", "upright", "of two colours"],
)
def test_lines_that_go_on_are_one(lines: list[Element], number: int) -> None:
    assert len(joined_lines(lines)) == number


def test_elements_in_one_place_are_one_with_what_each_has() -> None:
    outer = Element("box", "div", (10.0, 10.0, 50.0, 20.0), RED, has_border=True)
    inner = Element("box", "button", (11.0, 11.0, 48.0, 18.0), RED, has_fill=True)
    icon = Element("picture", "svg", (12.0, 10.0, 48.0, 20.0), RED, thumbnail=(RED,) * 36)
    apart = replace(outer, box=(13.0, 10.0, 50.0, 20.0))

    assert distinct([outer, inner]) == [replace(outer, tag="button", has_fill=True)]
    assert [one.kind for one in distinct([outer, inner, icon])] == ["picture"]
    assert len(distinct([outer, apart])) == 2


def test_an_element_is_masked_where_most_of_it_lies_in_a_mask() -> None:
    assert is_masked((0.0, 0.0, 10.0, 10.0), [(0.0, 0.0, 6.0, 10.0)])
    assert not is_masked((0.0, 0.0, 10.0, 10.0), [(0.0, 0.0, 4.0, 10.0)])
