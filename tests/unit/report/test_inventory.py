"""What feedback and `describe` say of a design, held against its pixels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.models.elements import Element, Ring, Screenshot
from pytest_design2a11y.models.page import Capture, Marker
from pytest_design2a11y.report.inventory import inventory_of
from tests.pages_by_hand import BLACK, SANS, WORDS, box, differences, page, text


def painted(capture: Capture, *parts: tuple[slice, slice, tuple[int, int, int]]) -> Capture:
    pixels = capture.screenshot.pixels.copy()
    for rows, columns, color in parts:
        pixels[rows, columns] = color
    return replace(capture, image=Screenshot.of_pixels(pixels))


def described(capture: Capture) -> str:
    return "\n".join(inventory_of(capture).lines())


def test_white_space_that_is_kept_beside_a_text_is_not_part_of_its_place() -> None:
    run = text("High School Teacher", 520, 388)
    blank = replace(run, boxes=((372, 388, 140, 20), *run.boxes, (372, 408, 140, 20)))
    capture = page([*WORDS, run])
    capture = replace(capture, text_runs=(*WORDS, blank))

    assert '"High School Teacher" at 520, 388, 152 x 20 px' in described(capture)


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        ([], ""),
        ([(slice(500, 502), slice(100, 400))], ", border 2 px #000000 at the top"),
        (
            [(slice(500, 502), slice(100, 400)), (slice(598, 600), slice(100, 400))],
            ", border 2 px #000000 at the top and bottom",
        ),
    ],
)
def test_a_border_is_told_with_the_edges_at_which_it_shows(edges: list[Any], told: str) -> None:
    card = box(100, 500, 300, 100, fill=(200, 220, 240), has_border=True, border=BLACK, border_width=2.0)
    capture = replace(page(WORDS, [replace(card, has_border=False)]), elements=(card,))
    capture = painted(capture, *((*edge, BLACK) for edge in edges))

    (line,) = (line for line in described(capture).split("\n") if "panel" in line)
    assert line == f"  panel at 100, 500, 300 x 100 px: fill #c8dcf0{told}"


def test_a_border_in_the_color_of_its_box_is_none() -> None:
    button = box(100, 500, 66, 32, tag="button", has_border=True, border=(26, 64, 202), border_width=1.0)

    assert "border" not in described(page(WORDS, [button]))


def test_an_outline_is_told_as_one_also_instead_of_a_border() -> None:
    around = Ring((26, 64, 202), 2.0, 3.0)
    button = box(100, 500, 66, 32, tag="button", ring=around)
    edge = replace(around, gap=0.0, is_border=True)
    own = box(
        300, 500, 66, 32, tag="button", has_border=True, border=(26, 64, 202), border_width=2.0, ring=edge
    )

    told = described(page(WORDS, [button, own]))

    assert told.count(": fill #143cc8, outline 2 px #1a40ca") == 2
    assert "border" not in told


def test_an_image_of_one_color_is_a_picture() -> None:
    image = box(100, 500, 300, 100, tag="img", label="Team")

    assert '  picture "Team" at 100, 500, 300 x 100 px: mostly #143cc8' in described(page(WORDS, [image]))


def test_letter_spacing_is_told() -> None:
    run = text("EMAIL", 40, 200, font=replace(SANS, letter_spacing=2.0))

    assert "weight 400, letter-spacing 2 px, #000000 on #ffffff" in described(page([run]))


def test_a_link_in_a_text_is_told_even_if_it_looks_like_the_rest() -> None:
    first, link, last = text("See the", 40, 200), text("price list", 104, 200), text("of today", 192, 200)
    runs = [replace(run, paragraph=7, owner=owner) for run, owner in ((first, 7), (link, 8), (last, 7))]

    assert '#000000 on #ffffff, "price list" as its own element' in described(page(runs))


@pytest.mark.parametrize(
    ("color", "is_underlined", "told"),
    [
        ((0, 0, 238), True, "a link underlined #0000ee"),
        ((0, 0, 238), False, "a link underlined (its color alone does not distinguish it) #0000ee"),
        ((204, 0, 0), False, "a link #cc0000"),
        (BLACK, False, "a link underlined (its color alone does not distinguish it)"),
    ],
)
def test_a_link_in_a_text_can_be_distinguished_by_more_than_its_color(
    color: Any, is_underlined: bool, told: str
) -> None:
    first, link, last = text("See the", 40, 200), text("price list", 104, 200), text("of today", 192, 200)
    link = replace(link, color=color, owner=8, is_link=True, is_underlined=is_underlined)
    runs = [replace(run, paragraph=7, owner=8 if run is link else 7) for run in (first, link, last)]

    assert described(page(runs)).split("on #ffffff, ")[1].startswith(f'"price list" {told}\n')


def test_bullets_links_and_what_is_none_in_them_are_told() -> None:
    first = replace(text("Category", 40, 200, (0, 0, 238)), is_link=True)
    marker = Marker("disc\x1b", "•", (0x99, 0, 0x33), (20, 200, 7, 20))
    first = replace(first, marker=marker)
    colon = replace(text(":", 104, 200), paragraph=first.paragraph)

    assert (
        'weight 400, a link, #0000ee on #ffffff, ":" not a link #000000, '
        "after the marker of a list item (disc\\x1b #990033)\n"
    ) in described(page([first, colon]))


def test_the_background_is_the_color_behind_the_elements() -> None:
    band = box(0, 100, 1000, 800, fill=BLACK)
    capture = replace(page([], [band]), ground=BLACK)

    assert inventory_of(capture).ground == "#ffffff"


def test_a_thin_line_is_missing_however_much_else_differs() -> None:
    line: Element = box(200, 97, 470, 1, kind="line", fill=(153, 0, 51), has_fill=False)
    other = page(WORDS, [box(0, 300, 1000, 700, fill=BLACK)])

    found = differences(page(WORDS, [line]), other)

    assert [one.kind for one in found if one.what == "line"] == ["missing"]


def test_a_text_in_two_fields_that_are_missing_is_told_of_the_smaller_one() -> None:
    words = text("Search wiki", 1035 - 500, 54)
    outer = box(1024 - 500, 40, 256, 40, fill=(240, 240, 240), label="Search wiki")
    inner = box(
        1024 - 500, 42, 256, 28, fill=(220, 220, 220), tag="input[type=text]", placeholder="Search wiki"
    )

    found = differences(page([*WORDS, words], [outer, inner]), page(WORDS))

    holders = [one.reference["tag"] for one in found if one.reference and one.reference.get("texts")]
    assert holders == ["input[type=text]"]


def test_of_a_region_that_looks_different_its_place_and_both_colors_are_known() -> None:
    stained = painted(page(WORDS), (slice(503, 577), slice(401, 519), (200, 30, 30)))

    (found,) = (one for one in differences(page(WORDS), stained) if one.kind == "unexplained")

    assert found.reference is not None
    assert found.candidate is not None
    assert found.reference["box"] == [401, 503, 118, 74]
    assert (found.reference["fill"], found.candidate["fill"]) == ("#ffffff", "#c81e1e")
