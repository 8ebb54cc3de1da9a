"""What people see first: bands, color schemes, spacing, another fill; and alike changes as one difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.exchanges import join_exchanges
from pytest_design2a11y.visual.differences.severity import graded
from pytest_design2a11y.visual.scene.places import Details
from tests.pages_by_hand import SANS, WORDS, blocks, box, differences, messages, page, text

NAVY, TEAL, RED, GREEN, PALE = (20, 20, 60), (30, 130, 140), (220, 30, 30), (30, 140, 60), (220, 235, 220)


def told(design: Capture, made: Capture) -> list[tuple[str | None, str]]:
    return [(one.severity, in_words(one)) for one in differences(design, made)]


@pytest.mark.parametrize(
    ("left", "width", "height", "fill", "severity"),
    [
        (0, 1000, 24, NAVY, "serious"),
        (40, 920, 24, NAVY, "moderate"),  # It has margins
        (0, 1000, 24, (255, 230, 192), "serious"),
        (0, 1000, 12, NAVY, "moderate"),
        (0, 1000, 24, (240, 240, 240), "moderate"),  # It is as pale as the ground
    ],
)
def test_a_lost_band_from_edge_to_edge_is_serious(
    left: float, width: float, height: float, fill: Color, severity: str
) -> None:
    band = box(left, 300, width, height, fill=fill)
    assert told(page(WORDS, [band]), page(WORDS))[0][0] == severity


@pytest.mark.parametrize(
    ("width", "fill", "severity"),
    [(240, NAVY, "serious"), (120, NAVY, "moderate"), (240, (240, 240, 240), "moderate")],
)
def test_a_large_bare_panel_that_is_lost_is_missed_like_a_picture(
    width: int, fill: Color, severity: str
) -> None:
    panel = box(60, 300, width, 240, fill=fill)
    assert told(page(WORDS, [panel]), page(WORDS))[0] == (
        severity,
        f"panel {width} x 240 at 60, 300 is missing",
    )


@pytest.mark.parametrize(
    ("number", "share", "severity"), [(4, 0.05, "serious"), (3, 0.05, "moderate"), (4, 0.04, "moderate")]
)
def test_frames_that_several_large_panels_lost_are_missed(number: int, share: float, severity: str) -> None:
    pages = page(WORDS), page(WORDS, ground=NAVY)
    compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))
    place: Details = {"box": [40, 100, 900, 120]}
    framed, bare = {**place, "has_border": True}, {**place, "has_border": False}
    one = claim("restyled", "panel", "marks", None, None, framed, bare)
    frames = replace(one, share=share * 800_000 / compared.num_striking, members=(one,) * number)

    assert graded(frames, compared).severity == severity


@pytest.mark.parametrize(("words", "severity"), [("Al", "minor"), ("AB", "serious")])
def test_a_letter_that_looks_like_another_is_minor(words: str, severity: str) -> None:
    design, made = (page([*WORDS, text(f"the virtual {one} module", 40, 200)]) for one in ("AI", words))
    assert told(design, made)[0][0] == severity


@pytest.mark.parametrize(("aside", "down", "severity"), [(260, 0, "serious"), (200, 0, "moderate")])
def test_a_picture_in_another_part_of_the_page_is_seen_first(aside: int, down: int, severity: str) -> None:
    def with_picture(left: int, top: int) -> Capture:
        return page(WORDS, [box(left, top, 240, 240, kind="picture", tag="img")])

    (found,) = told(with_picture(60, 200), with_picture(60 + aside, 200 + down))
    assert found == (severity, f"picture 240 x 240 at 60, 200 moved {aside} px right")


def test_a_column_that_is_elsewhere_is_one_difference_however_its_parts_stand_now() -> None:
    names = ("Fish and chips", "Boats for hire", "Tide tables", "Lost and found")

    def column(left: int, *tops: int) -> Capture:
        return page([*WORDS, *(text(name, left, top) for name, top in zip(names, tops, strict=True))])

    found = told(column(40, 200, 260, 320, 380), column(540, 440, 230, 350, 170))
    assert found == [("serious", "4 texts between 200 and 400 px down the page moved 500 px right")]


@pytest.mark.parametrize(("head", "are_exchanged"), [("#f5deb3", True), ("#a07850", False)])
def test_cells_have_each_others_look_only_in_the_colors_of_the_other(head: str, are_exchanged: bool) -> None:
    def cell(top: int, fill: str, has_fill: bool) -> dict[str, object]:
        return {"box": [40, top, 120, 30], "name": "table cell", "fill": fill, "has_fill": has_fill}

    pages = page(WORDS), page(WORDS)
    changes = [
        claim("restyled", "panel", "marks", None, None, cell(200, "#ffffff", False), cell(200, head, True)),
        claim(
            "restyled", "panel", "marks", None, None, cell(250, "#f5deb3", True), cell(250, "#ffffff", False)
        ),
    ]
    score = score_matching(match_blocks(blocks(pages[0]), blocks(pages[1])))
    found = join_exchanges(Compared(match_pages(*pages), score), changes)
    assert ([one.kind for one in found] == ["exchanged"]) == are_exchanged


def test_letters_come_after_things_that_fill_their_place() -> None:
    lines = [f"A longer sentence about the harbour, number {at}" for at in range(8)]

    def story(height: int, width: int) -> Capture:
        font = replace(SANS, size=height)
        runs = [text(line, 40, 60 * at, font=font) for at, line in enumerate(lines)]
        return page(runs, [box(600, 500, width, 120, kind="picture", tag="img")])

    kinds = [one.kind for one in differences(story(16, 300), story(20, 180)) if one.severity == "serious"]
    assert kinds == ["resized", "font"]


def test_texts_of_one_hue_that_have_another_are_serious_from_three_on() -> None:
    def titled(color: Color, number: int) -> Capture:
        titles = [f"A longer heading about the harbour number {at}" for at in range(number)]
        return page([text(title, 40, 100 + 60 * at, color=color) for at, title in enumerate(titles)])

    for number, severity in ((3, "serious"), (2, "moderate")):
        found = differences(titled(TEAL, number), titled(RED, number))
        assert {(one.kind, one.severity) for one in found} == {("recolored", severity)}


@pytest.mark.parametrize(
    ("old", "new", "severity"),
    [
        ("Boats leave at noon …", "Boats leave at noon ...", "minor"),
        ("Home · Boats · Prices", "Home | Boats | Prices", "minor"),
        ("— Harbour office", "Harbour office", "minor"),
        ('A board of 3" and 4"', "A board of 3″ and 4″", "minor"),
        ("Balance -12 today", "Balance 12 today", "serious"),
    ],
)
def test_signs_between_words_that_are_typed_otherwise_are_minor(old: str, new: str, severity: str) -> None:
    found = differences(page([text(old, 40, 100)]), page([text(new, 40, 100)]))
    assert [one.severity for one in found if one.kind in {"reworded", "figure"}] == [severity]


def spread(gap: int, number: int = 8) -> Capture:
    lines = [text(f"Line {at} of the harbour", 40, 40 + gap * at) for at in range(number)]
    return page(lines, height=40 + gap * number)


def test_things_that_stand_closer_together_all_down_the_page_are_one_difference() -> None:
    assert told(spread(90), spread(50)) == [
        ("serious", "things stand closer together: the page is 440 px high instead of 760 px")
    ]
    (closer,) = differences(spread(90), spread(50))
    assert (closer.design["box"], closer.made["box"]) == ([0, 0, 1000, 760], [0, 0, 1000, 440])
    assert told(spread(75), spread(85)) == [
        ("moderate", "things stand farther apart: the page is 720 px high instead of 640 px")
    ]


def test_three_gaps_do_not_make_a_page_denser() -> None:
    assert told(spread(90, 5), spread(50, 5)) == [
        ("serious", "things stand closer together: the page is 290 px high instead of 490 px")
    ]
    assert told(spread(90, 4), spread(50, 4)) == [
        ("serious", "the page is 240 px high instead of 400 px"),
        ("moderate", "3 texts between 130 and 330 px down the page have 40 px less space above"),
    ]


def test_a_panel_whose_texts_stand_on_another_fill_did_not_lost_it() -> None:
    words = [text("Harbour office", 60, 120), text("Open every day", 60, 160)]
    design = page(words, [box(40, 100, 400, 100, fill=GREEN)])
    made = page(words, [box(40, 100, 400, 110, fill=PALE)])
    assert not any("lost its fill" in message for message in messages(design, made))


def test_fields_that_are_higher_are_one_difference_told_by_the_commonest_size() -> None:
    def fields(*heights: int) -> Capture:
        names = ("Name", "Street", "Town")
        words = [text(name, 40, 100 + 120 * at) for at, name in enumerate(names)]
        boxes = [
            box(40, 120 + 120 * at, 200, height, tag="input", has_border=True, label=name)
            for at, (name, height) in enumerate(zip(names, heights, strict=True))
        ]
        return page(words, boxes)

    assert told(fields(30, 30, 30), fields(60, 60, 60)) == [
        ("moderate", 'text field "Name" and 2 more are 60 px high instead of 30 px')
    ]
    assert told(fields(30, 30, 30), fields(70, 60, 60)) == [
        ("moderate", 'text field "Street" and 2 more are higher, such as 60 px high instead of 30 px')
    ]


def test_columns_that_changed_sides_are_one_difference() -> None:
    def columns(menu: float, main: float) -> Capture:
        words = [text(f"Menu entry {at}", menu + 10, 100 + 40 * at) for at in range(8)]
        words += [
            text(f"Paragraph {at} of the whole article here", main + 10, 100 + 60 * at) for at in range(6)
        ]
        return page(
            words, [box(menu, 80, 200, 380, fill=PALE), box(main, 80, 600, 380, fill=(240, 240, 240))]
        )

    assert told(columns(40, 300), columns(700, 40))[0] == (
        "serious",
        'the columns with text "Menu entry 0" and text "Paragraph 0 of the whole article here" stand in '
        "each other's place",
    )


def test_two_small_things_that_were_exchanged_are_no_columns() -> None:
    def ends(first: float, second: float) -> Capture:
        return page([*WORDS, text("Log in", first, 300), text("Register", second, 300)])

    assert not any("columns" in message for message in messages(ends(40, 800), ends(800, 40)))


def test_rows_that_passed_a_line_have_no_other_space_to_it() -> None:
    names = ("Sodium", "Chloride", "Urea", "Ferritin", "Glucose")

    def table(rows: tuple[str, ...]) -> Capture:
        lines = [box(40, 128 + 34 * at, 600, 1, kind="line", fill=(200, 200, 200)) for at in range(len(rows))]
        return page([text(name, 50, 100 + 34 * at) for at, name in enumerate(rows)], lines)

    found = messages(table(names), table(names[:1] + names[2:]))
    assert any("Chloride" in message and "is missing" in message for message in found)
    assert not any("space above" in message for message in found)
