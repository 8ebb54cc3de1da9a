"""Causes before consequences: exchanges, the flow of a page, what covers, what is missing together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Font, Trouble
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import score_matching
from pytest_design2a11y.visual.differences.causes import join_causes
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.consequences import without_consequences
from pytest_design2a11y.visual.differences.exchanged import exchanged_looks
from pytest_design2a11y.visual.differences.lost import with_known
from pytest_design2a11y.visual.differences.severity import graded
from pytest_design2a11y.visual.match import match_pages
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import Details
from pytest_design2a11y.visual.score import fidelity, severity_costs
from tests.pages_by_hand import SANS, WHITE, WORDS, blocks, box, differences, facts, messages, page, text

GREY, RED, GREEN = (221, 221, 221), (200, 30, 30), (30, 140, 60)


def told(design: Capture, made: Capture) -> list[tuple[str | None, str]]:
    return [(one.severity, in_words(one)) for one in differences(design, made)]


def lower(things: list[TextRun], by: float) -> list[TextRun]:
    return [replace(run, boxes=tuple((x, y + by, w, h) for x, y, w, h in run.boxes)) for run in things]


# What was exchanged


def test_rows_that_were_exchanged_with_all_that_is_in_them_are_one_moderate_difference() -> None:
    def table(order: tuple[str, ...]) -> Capture:
        cells = {"Rope": "12.50", "Anchor": "76.00", "Paint": "31.20"}
        rows = enumerate((name, cells[name]) for name in order)
        return page(
            [text(word, 40 + 300 * at, 200 + 50 * row) for row, pair in rows for at, word in enumerate(pair)]
        )

    assert told(table(("Rope", "Anchor", "Paint")), table(("Rope", "Paint", "Anchor"))) == [
        ("moderate", 'the rows with text "Anchor" and text "Paint" stand in each other\'s place')
    ]


def test_columns_of_words_of_unequal_widths_that_were_exchanged_are_one_difference() -> None:
    cells = [("What is for sale", "Price"), ("Rope of hemp", "12"), ("Oar", "1,760.00"), ("Bilge pump", "31")]

    def table(*lefts: int) -> Capture:
        return page(
            [
                text(word, left, 200 + 50 * row)
                for row, words in enumerate(cells)
                for left, word in zip(lefts, words, strict=True)
            ]
        )

    assert told(table(40, 340), table(340, 40)) == [
        ("moderate", 'the columns with text "What is for sale" and text "Price" stand in each other\'s place')
    ]


def test_a_price_that_was_exchanged_without_its_name_is_serious() -> None:
    names = [text("Rope", 40, 200), text("Anchor", 40, 250)]
    right = [text("12.50", 340, 200), text("76.00", 340, 250)]
    wrong = [text("76.00", 340, 200), text("12.50", 340, 250)]
    assert told(page([*names, *right]), page([*names, *wrong])) == [
        ("serious", 'text "12.50" and text "76.00" stand in each other\'s place')
    ]


@pytest.mark.parametrize(
    ("rows", "order", "severity", "said"),
    [
        (("11 18", "9 17", "8 14"), (1, 0), "serious", '"11" and text "18"'),
        (("Ana Ben", "Cleo Dan", "Eva Finn"), (1, 0), "moderate", '"Ana" and text "Ben"'),
    ],
)
def test_columns_of_figures_say_something_else_in_each_others_place(
    rows: tuple[str, ...], order: tuple[int, int], severity: str, said: str
) -> None:
    def table(order: Sequence[int]) -> Capture:
        columns = zip(*(row.split() for row in rows), strict=True)
        own = [[*column] for column in columns]
        cells = [
            text(own[at][row], 340 + 120 * place, 200 + 40 * row)
            for place, at in enumerate(order)
            for row in range(len(rows))
        ]
        return page([*WORDS, *cells])

    assert told(table((0, 1)), table(order)) == [
        (severity, f"the columns with text {said} stand in each other's place")
    ]


@pytest.mark.parametrize(("off", "is_known"), [(23, True), (47, True), (48, False), (60, False)])
def test_columns_of_other_widths_are_in_each_others_place(off: int, is_known: bool) -> None:
    def cells(first: float, second: float) -> list[TextRun]:
        columns = (first, ("14", "9", "3")), (second, ("38.50", "12.00", "76.20"))
        runs = [text(one, left, 200 + 40 * at) for left, own in columns for at, one in enumerate(own)]
        return [replace(run, paragraph=at, owner=at) for at, run in enumerate(runs, 10)]

    found = told(page([*WORDS, *cells(340, 460)]), page([*WORDS, *cells(460 + off, 340)]))
    sentence = 'the columns with text "14" and text "38.50" stand in each other\'s place'
    assert (found == [("serious", sentence)]) == is_known


def test_more_than_two_rows_in_each_others_place_are_another_order() -> None:
    def week(days: Sequence[str]) -> Capture:
        return page([*WORDS, *(one for at, day in enumerate(days) for one in _row(day, 200 + 40 * at))])

    def _row(day: str, top: int) -> list[TextRun]:
        return [text(day, 340, top), text(f"{day} is fair", 460, top)]

    days = ("Mon", "Tue", "Wed", "Thu")
    assert [severity for severity, _ in told(week(days), week(days[::-1]))] == ["serious"] * 2
    assert [severity for severity, _ in told(week(days), week(("Tue", "Mon", *days[2:])))] == ["moderate"]


def test_two_dots_of_a_legend_with_each_others_color_are_one_difference() -> None:
    dots = [box(40, 200, 12, 12, fill=RED), box(40, 230, 12, 12, fill=GREEN)]
    swapped = [replace(dots[0], fill=GREEN), replace(dots[1], fill=RED)]
    assert told(page(WORDS, dots), page(WORDS, swapped)) == [
        ("serious", "box 12 x 12 at 40, 200 and box 12 x 12 at 40, 230 have each other's color")
    ]


@pytest.mark.parametrize(("left", "top", "number"), [(300, 200, 1), (40, 260, 1), (300, 260, 0)])
def test_texts_have_each_others_look_in_one_row_or_column(left: int, top: int, number: int) -> None:
    sides: list[Details] = [{"box": [40, 200, 90, 20]}, {"box": [left, top, 70, 20]}]
    fonts = [
        claim("font", "text", "font_size", *values, side, side)
        for values, side in zip(((16, 20), (20, 16)), sides, strict=True)
    ]
    assert [cause.property for cause, _ in exchanged_looks(fonts)] == ["look"] * number


def test_a_filled_button_and_an_outlined_one_have_each_others_look_on_any_picture() -> None:
    """What shows through the outlined one is another part of the picture."""
    filled: Details = {"has_fill": True, "has_border": False, "fill": "#c81e1e"}
    outlined: Details = {"has_fill": False, "has_border": True}
    dark: Details = {**outlined, "fill": "#352a1d"}
    darker: Details = {**outlined, "fill": "#2b2218"}
    places: list[Details] = [{"box": [left, 200, 90, 30], "name": "button"} for left in (40, 140)]
    marks = [
        claim("restyled", "control", "marks", None, None, {**place, **old}, {**place, **new})
        for place, old, new in zip(places, (filled, dark), (darker, filled), strict=True)
    ]
    assert [cause.property for cause, _ in exchanged_looks(marks)] == ["look"]


@pytest.mark.parametrize(("after", "number"), [("#1e8c3c", 1), (None, 0)])
def test_borders_have_each_others_color_but_not_at_other_sides(after: str | None, number: int) -> None:
    facts: list[Details] = [{"box": [40, top, 200, 30], "name": "panel"} for top in (200, 260)]
    values = ("#dc1e1e", after), (after, "#dc1e1e")
    borders = [
        claim("restyled", "panel", "border", *colors, side, side)
        for colors, side in zip(values, facts, strict=True)
    ]
    assert [cause.property for cause, _ in exchanged_looks(borders)] == ["border"] * number
    fills = [replace(one, kind="recolored", property="fill") for one in borders]
    both = [cause.property for cause, _ in exchanged_looks([*borders, *fills])]
    assert both == ["color"]


def test_a_checkbox_that_is_checked_instead_of_another_is_one_difference() -> None:
    def boxes(checked: int) -> list[Element]:
        kind = {"tag": "input[type=checkbox]", "role": "checkbox", "label": ""}
        return [
            box(40, 200 + 40 * at, 16, 16, **{**kind, "label": name})
            if at != checked
            else box(40, 200 + 40 * at, 16, 16, **{**kind, "label": name}, fill=GREEN, states=("checked",))
            for at, name in enumerate(("Mail", "Phone"))
        ]

    assert told(page(WORDS, boxes(0)), page(WORDS, boxes(1))) == [
        ("serious", 'checkbox "Phone" is checked instead of checkbox "Mail"')
    ]


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def calendar(days: tuple[str, ...], beside: float) -> Capture:
    heads = [text(day, 40 + 80 * at, 200) for at, day in enumerate(days)]
    cells = [box(30 + 80 * at, 240, 60, 30, fill=GREEN) for at, day in enumerate(days) if day == "Sat"]
    return page([*WORDS, *heads, text("Notes of the month", beside, 500)], cells)


@pytest.mark.parametrize(
    ("days", "other", "said"),
    [(DAYS, ("Sun", *DAYS[:-1]), "first in its row instead of last"), (("Sun", *DAYS[:-1]), DAYS, None)],
)
def test_a_week_that_begins_on_another_day_is_one_difference_with_what_moved_below_its_days(
    days: tuple[str, ...], other: tuple[str, ...], said: str | None
) -> None:
    found = told(calendar(days, 700), calendar(other, 700))
    assert found == [("serious", f'text "Sun" stands {said or "last in its row instead of first"}')]


def test_what_moved_as_far_beside_the_days_is_told_by_itself() -> None:
    found = messages(calendar(DAYS, 700), calendar(("Sun", *DAYS[:-1]), 780))
    assert found[0] == 'text "Sun" stands first in its row instead of last'
    assert 'text "Notes of the month" moved 80 px right' in found


def test_two_of_a_row_that_were_exchanged_are_no_other_order() -> None:
    assert messages(calendar(DAYS, 700), calendar(("Tue", "Mon", *DAYS[2:]), 700)) == [
        'text "Mon" and text "Tue" stand in each other\'s place'
    ]


# What follows from what


def test_what_stands_below_an_extra_text_follows_from_it() -> None:
    rest = [text("Orders", 40, 200), text("Invoices", 40, 240), text("Customers", 40, 280)]
    added = page([*WORDS, text("Closed today", 40, 160), *lower(rest, 60)])
    assert messages(page([*WORDS, *rest]), added) == ['text "Closed today" at 40, 160 is not in the design']


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_what_takes_the_place_of_a_missing_number_follows_from_that(is_mirrored: bool) -> None:
    def shown(has_numbers: bool) -> Capture:
        runs = [*WORDS]
        for at, title in enumerate(("Lighthouse", "Snow", "Cat")):
            own = [replace(text(f"No. {at + 1}", 40, 200 + 40 * at), paragraph=at)] if has_numbers else []
            row = [*own, text(title, 40 + 120 * has_numbers, 200 + 40 * at)]
            runs += [mirrored(run) for run in row] if is_mirrored else row
        return page(runs)

    assert len(messages(shown(True), shown(False))) == 1


def mirrored(run: TextRun) -> TextRun:
    (x, y, width, height), *_ = run.boxes
    return replace(run, boxes=((1000 - x - width, y, width, height),))


def test_a_panel_that_is_as_high_as_what_is_in_it_follows_its_content() -> None:
    lines = [text("Orders", 60, 220), text("Invoices", 60, 260)]
    card = box(40, 200, 400, 100, fill=GREY)
    taller = replace(card, box=(40, 200, 400, 150))
    made = page([*WORDS, *lines, text("Customers", 60, 310)], [taller])
    assert messages(page([*WORDS, *lines], [card]), made) == [
        'text "Customers" at 60, 310 is not in the design'
    ]


def test_a_panel_that_is_higher_than_its_content_needs_is_told() -> None:
    lines = [text("Orders", 60, 220), text("Invoices", 60, 260)]
    card = box(40, 200, 400, 100, fill=GREY)
    taller = replace(card, box=(40, 200, 400, 180))
    assert messages(page([*WORDS, *lines], [card]), page([*WORDS, *lines], [taller])) == [
        "panel 400 x 100 at 40, 200 is 180 px high instead of 100 px"
    ]


def test_equal_gaps_that_grew_are_one_difference() -> None:
    lines = [
        text(word, 40, 200 + 40 * at) for at, word in enumerate(("Orders", "Invoices", "Reports", "Help"))
    ]
    apart = [replace(run, boxes=((40, 200 + 60 * at, run.boxes[0][2], 20),)) for at, run in enumerate(lines)]
    (gaps, *_) = messages(page([*WORDS, *lines]), page([*WORDS, *apart]))
    assert gaps == "3 texts between 240 and 340 px down the page have 20 px more space above"


def test_lines_that_are_farther_apart_are_told_and_not_what_they_move() -> None:
    def shown(step: int) -> list[TextRun]:
        words = ("one two", "three four", "five six", "seven")
        lines = [text(line, 40, 200 + step * at) for at, line in enumerate(words)]
        whole = [replace(line, owner=7, paragraph=7) for line in lines]
        return [*WORDS, *whole, text("Below", 40, 200 + 4 * step + 20)]

    (first, *others) = messages(page(shown(20)), page(shown(28)))
    assert first == (
        'text "one two three four five six seven" is set with a line height of 2 instead of 1.43'
    )
    assert not [one for one in others if "Below" in one]


# What covers


@pytest.mark.parametrize("is_over", [True, False])
def test_what_moved_over_something_is_named_and_not_what_lies_at_a_place(is_over: bool) -> None:
    total, stamp = text("245.00", 300, 400), text("APPROVED", 300, 700, RED)
    moved = replace(stamp, boxes=((300.0, 395.0, *stamp.boxes[0][2:]),))
    boxes = (total.boxes[0], moved.boxes[0]) if is_over else (moved.boxes[0], total.boxes[0])
    words = "245.00" if is_over else "APPROVED"
    trouble = Trouble("covered", boxes[0], words, boxes[1], 0.7)
    made = replace(page([*WORDS, total, moved]), overlaps=(trouble,))
    (first, *_) = told(page([*WORDS, total, stamp]), made)
    verb = "covers" if is_over else "collides with"
    assert first == ("serious", f'text "APPROVED" moved 305 px up, and {verb} 1 thing')


def test_a_box_that_moved_over_something_with_its_words_is_one_difference() -> None:
    total, stamp = text("245.00", 320, 410), text("APPROVED", 310, 710, RED)
    frames = [box(290, top, 110, 40, has_fill=False, has_border=True, fill=WHITE) for top in (700, 400)]
    moved = replace(stamp, boxes=((310.0, 410.0, *stamp.boxes[0][2:]),))
    covered = Trouble("covered", total.boxes[0], "245.00", moved.boxes[0], 0.7)
    # Its words lie on the edge of a cell that did not move.
    crossed = Trouble("covered", moved.boxes[0], "APPROVED", (200, 405, 300, 12), 0.3)
    made = replace(page([*WORDS, total, moved], frames[1:]), overlaps=(covered, crossed))
    assert told(page([*WORDS, total, stamp], frames[:1]), made) == [
        ("serious", 'box "APPROVED" moved 300 px up, and covers 1 thing')
    ]


def test_a_bar_that_looks_like_its_ground_is_named_by_its_words_with_all_that_it_hides() -> None:
    rows = [text(name, 40, 500 + 40 * at) for at, name in enumerate(("Alerts", "Tours", "Comments"))]
    switches = [box(800, 500 + 40 * at, 50, 26, fill=RED) for at in range(3)]
    low, high = ([text("Start", 60, y + 100), text("Profile", 700, y + 100)] for y in (800, 450))
    bar = (0.0, 450.0, 1000.0, 160.0)
    troubles = tuple(Trouble("covered", row.boxes[0], row.text, bar, 1.0) for row in rows)
    made = replace(page([*WORDS, *high]), overlaps=troubles)

    found = told(page([*WORDS, *rows, *low], switches), made)
    assert ("serious", 'panel "Start Profile" lies over 6 things') in found
    assert not [one for _, one in found if "missing" in one or "what lies at" in one]


def test_texts_that_cannot_be_read_are_one_difference_and_not_missing() -> None:
    lines = [
        text(f"line {name} of an article that goes on", 40, 200 + 90 * at) for at, name in enumerate("abcdef")
    ]
    troubles = tuple(Trouble("unreadable", line.boxes[0], line.text) for line in lines)
    made = replace(page(WORDS), overlaps=troubles)

    assert told(page([*WORDS, *lines]), made) == [
        (
            "critical",
            'text "line a of an article that goes on" and 5 more are hard to read on what is behind them',
        )
    ]


# What is missing together


def test_a_column_that_is_missing_is_one_difference() -> None:
    names = [text(name, 40, 200 + 40 * at) for at, name in enumerate(("Rope", "Anchor", "Paint"))]
    prices = [text(price, 340, 200 + 40 * at) for at, price in enumerate(("12.50", "76.00", "31.20"))]
    sums = [text(total, 640, 200 + 40 * at) for at, total in enumerate(("25.00", "76.00 net", "93.60"))]
    found = differences(page([*names, *prices, *sums]), page([*names, *sums]))
    assert in_words(found[0]) == 'column "12.50" at 340, 200 is missing: 3 texts'
    assert found[0].severity == "serious"


def test_things_that_are_missing_apart_are_told_apart() -> None:
    lone = [text("Fax", 40, 200), text("Telex", 40, 500), text("Pager", 40, 800)]
    rest = [text("Mail", 40, 300), text("Phone", 40, 600)]
    assert sorted(messages(page([*lone, *rest]), page(rest))) == [
        'text "Fax" at 40, 200 is missing',
        'text "Pager" at 40, 800 is missing',
        'text "Telex" at 40, 500 is missing',
    ]


def test_one_broken_character_set_is_one_difference() -> None:
    words = ["© the authors", "Café", "Ärzte und Räte"]
    design = page([*WORDS, *(text(word, 40, 200 + 60 * at) for at, word in enumerate(words))])
    broken = [word.encode().decode("cp1252", "ignore") for word in words]
    made = page([*WORDS, *(text(word, 40, 200 + 60 * at) for at, word in enumerate(broken))])
    (only,) = [one for one in differences(design, made) if one.kind == "reworded"]
    assert len(only.members) == 3
    assert in_words(only) == (
        'text "© the authors" and 2 more show broken characters, such as "Â©" instead of "©" (character set)'
    )


@pytest.mark.parametrize(
    ("sign", "code", "times"), [("•", "cp1252", 1), ("•", "latin-1", 2), ("–", "latin-1", 1)]
)
def test_a_sign_whose_bytes_were_misread_is_told_as_broken(sign: str, code: str, times: int) -> None:
    shown = sign
    for _ in range(times):
        shown = shown.encode().decode(code)
    shown = "".join(one for one in shown if one.isprintable())
    design, made = (page([*WORDS, text(f"{mark} Fast growing", 40, 300)]) for mark in (sign, shown))
    (only,) = [one for one in differences(design, made) if one.kind == "reworded"]
    assert (only.property, only.expected, only.actual) == ("encoding", sign, shown)


# What it costs


def of(*severities: Severity, property: str | None = None) -> list[Difference]:
    return [Difference("missing", "text", 0.0, severity, property) for severity in severities]


def test_severities_take_what_the_table_says() -> None:
    assert sum(severity_costs(of("serious"))) == pytest.approx(0.1 / 1.1)
    assert sum(severity_costs(of("critical"))) == pytest.approx(3 * 0.1 / (1 + 3 * 0.1))
    assert sum(severity_costs(8 * of("serious"))) == pytest.approx(2 * 0.1 / (1 + 2 * 0.1))
    assert severity_costs([*of("minor", property="small")]) == (0.0,)
    assert fidelity(visual=1.0, elements=1.0, typography=1.0) == 1.0
    assert fidelity(visual=1.0, elements=None, typography=1.0, differences=of("minor")) is None


def test_the_largest_share_of_what_differs_comes_first_among_equals() -> None:
    small, large = (
        box(40, 300, 60, 40, fill=RED, tag="button"),
        box(200, 300, 300, 200, fill=RED, tag="button"),
    )
    found: list[Difference] = [*differences(page(WORDS, [small, large]), page(WORDS))]
    assert [one.design["box"][2] for one in found[:2]] == [300, 60]
    shares = [one.share or 0.0 for one in found[:2]]
    assert shares == pytest.approx(
        [300 * 200 / (300 * 200 + 60 * 40), 60 * 40 / (300 * 200 + 60 * 40)], abs=0.02
    )


def test_an_index_finds_by_place_and_by_name() -> None:
    card = box(40, 200, 400, 100, label="Plan")
    capture = page([text("Orders", 60, 220), text("Help", 600, 600)], [card, box(500, 500, 20, 20)], WHITE)
    index = index_of(capture)
    assert index is index_of(capture)
    assert [run.text for run in index.runs_in(card.box)] == ["Orders"]
    assert index.lines_in(card.box) == [(60, 220, 48.0, 20)]
    assert index.elements_at((0, 0, 100, 210)) == [card]
    assert index.elements_at((0, 0, 100, 210), "picture") == []
    assert index.named["plan"] == [card]
    assert [run.text for run in index.worded["help"]] == ["Help"]


def test_a_page_with_other_texts_is_not_unstyled_and_lists_no_lost_text() -> None:
    """Its style sheet works: its text has no serifs."""
    lines = [text(f"a line of the design {at}", 60, 220 + 80 * at) for at in range(4)]
    others = [text(f"words from anywhere else {at}" * 2, 400, 500 + 60 * at) for at in range(4)]
    cards = [box(40, 200 + 80 * at, 300, 60, fill=RED) for at in range(4)]
    told = messages(page(lines, cards), page(others))
    assert "4 of 4 texts of the design are missing" in told[0]
    assert not [one for one in told if "unstyled" in one or 'text "a line' in one]


def test_a_dark_bar_that_lost_its_fill_is_serious_and_a_pale_one_is_not() -> None:
    def bar(fill: Color) -> Severity | None:
        filled, words = box(0, 300, 1000, 80, fill=fill), [text("Orders", 40, 320)]
        bare = replace(filled, has_fill=False, has_border=True, fill=WHITE)
        return differences(page(words, [filled]), page(words, [bare]))[0].severity

    assert (bar((20, 20, 60)), bar((235, 235, 235))) == ("serious", "moderate")


def test_what_strikes_in_a_twentieth_of_the_screen_is_serious() -> None:
    def refilled(height: float) -> Severity | None:
        bar, words = box(20, 300, 960, height, fill=(20, 20, 60)), [text("Orders", 40, 310)]
        found = differences(page(words, [bar]), page(words, [replace(bar, fill=(120, 20, 60))]))
        assert (found[0].kind, found[0].property) == ("recolored", "fill")
        return found[0].severity

    assert (refilled(60), refilled(30)) == ("serious", "moderate")


def test_a_shadow_of_a_large_panel_is_not_seen_first() -> None:
    panel = box(100, 60, 700, 400, fill=(238, 238, 238), has_shadow=True)
    lines = [text("Orders", 140, 100), text("Parcels", 140, 200)]
    moved = [text("Orders", 140, 130), text("Parcels", 140, 230)]
    found = differences(page(lines, [panel]), page(moved, [replace(panel, has_shadow=False)]))
    assert [(one.severity, one.property) for one in found] == [("moderate", "marks"), ("minor", "place")]


def test_texts_that_are_cut_alike_are_one_difference_beside_one_that_lost_words() -> None:
    def cut(name: str, top: int) -> Difference:
        side = {"box": [40, top, 80, 12], "text": f"{name} watch", "cut": "height"}
        return claim("overflowing", "text", "cut", None, 0.6, None, side)

    long, short = ({"box": [40, 300, 80, 12], "text": words} for words in ("Drill, two boats", "Drill, two"))
    shortened = claim("overflowing", "text", "cut", long["text"], short["text"], long, short)
    found = [shortened, *(cut(name, 100 + 60 * at) for at, name in enumerate(("North", "South", "East")))]
    assert without_consequences(found) == found
    pages = page(WORDS), page(WORDS)
    compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))
    assert [in_words(one) for one in join_causes(compared, found)] == [
        'text "North watch" and 2 more are cut off (overflow): up to 60% of the height does not show',
        'text "Drill, two boats" is cut off (overflow) at "Drill, two"',
    ]


def test_a_border_in_the_color_of_its_fill_is_none() -> None:
    bar = box(100, 300, 300, 60, fill=RED, has_border=True, border=RED, lines=(RED, RED, RED, RED))
    bare = replace(bar, lines=(RED, RED, None, RED))
    pale = replace(WORDS[0], color=(90, 90, 90))
    assert facts(page(WORDS, [bar]), page([pale, *WORDS[1:]], [bare])) == [("recolored", "color")]


def test_a_bar_at_the_other_side_is_serious_and_a_thin_line_is_not() -> None:
    pages = page(WORDS), page(WORDS)
    compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))

    def moved(width: int) -> Severity | None:
        side = {"box": [100, 300, 600, 80], "has_border": True, "border_width": width}
        return graded(claim("restyled", "panel", "border", "#1e8c3c", None, side, side), compared).severity

    assert (moved(5), moved(1)) == ("serious", "moderate")


def test_larger_letters_explain_a_box_that_is_a_little_higher_and_no_other() -> None:
    pages = page(WORDS), page(WORDS)
    compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))
    sizes = {"is_all": True, "box": [0, 0, 1000, 1000]}
    letters = [claim("font", "text", "font_size", 14, 16, sizes, sizes)]

    def resized(height: int, before: int = 900, after: int = 600) -> Severity | None:
        sides = {"box": [100, 300, before, 200]}, {"box": [100, 300, after, height]}
        return graded(claim("resized", "panel", "size", None, None, *sides), compared, letters).severity

    assert (resized(240), resized(340)) == ("moderate", "serious")
    # Nor do they one that is much wider.
    assert (resized(200, 600, 950), resized(200, 600, 960)) == ("moderate", "serious")


def test_things_that_moved_aside_about_alike_are_a_column() -> None:
    def column(*lefts: int) -> Capture:
        return page([text(f"Entry {at}", left, 100 + 60 * at) for at, left in enumerate(lefts)])

    design = column(40, 40, 40, 40, 40)
    (told,) = [one for one in differences(design, column(440, 446, 452, 444, 440)) if one.kind == "moved"]
    assert len(told.members) == 5
    apart = [one for one in differences(design, column(440, 446, 453, 444, 440)) if one.kind == "moved"]
    assert sorted(len(one.members) for one in apart) == [0, 4]


def test_a_row_of_a_wide_table_is_lost_as_one() -> None:
    def row(y: float) -> list[TextRun]:
        return [text(f"{word} {y:.0f}", x, y) for word, x in (("Anode", 40), ("Pieces", 420), ("Price", 800))]

    told = messages(page([*WORDS, *row(300), *row(340)]), page([*WORDS, *row(340)]))
    assert 'row "Anode 300" at 40, 300 is missing: 3 texts' in told


def test_what_is_left_of_a_row_follows_from_what_it_lost() -> None:
    card, price, button = (
        box(40, 300, 400, 60, fill=(230, 230, 230)),
        text("19.90", 60, 320),
        box(340, 310, 80, 40),
    )
    design = page([*WORDS, price], [card, button])
    assert not [
        one
        for one in differences(design, page(WORDS, [card, replace(button, box=(60, 310, 80, 40))]))
        if one.kind == "moved"
    ]
    apart = page([*WORDS, price], [card, replace(button, box=(200, 310, 80, 40))])
    assert [one for one in differences(design, apart) if one.kind == "moved"]


def test_a_text_that_is_hard_to_read_is_told_once() -> None:
    side = {"box": [40, 200, 160, 20], "text": "Sleep well", "contrast": 1.2}
    found = [
        claim("unreadable", "text", "contrast", 6.7, 1.2, side, side),
        claim("unreadable", "text", "contrast", None, 0.9, None, side),
    ]
    assert without_consequences(found) == found[:1]


def test_a_row_and_the_panel_around_it_are_never_exchanged() -> None:
    rows = [box(40, y, 600, 40, fill=GREY) for y in (300, 340, 380)]
    panel = box(40, 300, 600, 120, fill=(240, 240, 240))
    lower = [
        replace(panel, box=(40, 260, 600, 120)),
        *(replace(row, box=(40, row.box[1] - 40, 600, 40)) for row in rows),
    ]
    told = messages(page(WORDS, [panel, *rows]), page(WORDS, lower))
    assert told[0] == "panel 600 x 120 at 40, 300 moved 40 px up"
    assert not [one for one in told if "each other" in one]


def test_another_icon_is_serious_where_it_is_all_that_a_button_says() -> None:
    compared = Compared(
        match_pages(page(WORDS), page(WORDS)),
        score_matching(match_blocks(*map(blocks, (page(WORDS), page(WORDS))))),
    )

    def severity(**facts: object) -> Severity | None:
        side = {"box": [40, 200, 24, 24], "name": "icon", **facts}
        return graded(claim("icon", "picture", "picture", None, None, side, side), compared).severity

    assert (severity(tag="button", is_lone=True), severity(tag="i")) == ("serious", "moderate")


def test_the_corners_of_a_large_picture_are_told_though_they_are_small() -> None:
    picture = box(100, 300, 600, 400, kind="picture", tag="img", label="River")
    corners = [box(x, y, 4, 4, fill=WHITE) for x in (100, 696) for y in (300, 696)]
    round_one = replace(page(WORDS, [picture, *corners]), elements=(replace(picture, radius=16.0),))
    assert messages(page(WORDS, [picture]), round_one) == [
        'picture "River" is cut to a corner radius of 16 px'
    ]


def test_a_white_panel_on_a_page_that_is_white_now_lost_its_border_alone() -> None:
    panel = box(300, 280, 400, 200, fill=WHITE, has_border=True, label="Profile")
    words = [text("Ines Carvalho", 320, 300), text("Customer since 2019", 320, 340)]
    design = page([*WORDS, *words], [panel], ground=(235, 235, 240))
    told = messages(design, page([*WORDS, *words]))
    assert "panel 400 x 200 at 300, 280 lost its border" in told
    gray = page([*WORDS, *words], ground=(235, 235, 240))
    assert "panel 400 x 200 at 300, 280 lost its fill and border" in messages(design, gray)


def test_cells_of_a_lost_column_are_lost_with_it() -> None:
    def table(*columns: int) -> Capture:
        cells = [(x, y) for x in columns for y in (280, 320, 360)]
        texts = [text(f"{x} {y}", 20 + 140 * columns.index(x), y + 10) for x, y in cells]
        boxes = [
            box(10 + 140 * columns.index(x), y, 130, 38, tag="td", role="cell", fill=GREY) for x, y in cells
        ]
        return page([*WORDS, *texts], boxes)

    told = messages(table(1, 2, 3, 4), table(1, 2, 3))
    assert not [one for one in told if "lost its" in one]
    assert [one for one in told if one.startswith('column "4 280"')]


def test_another_theme_explains_no_lost_color_and_every_stroke_of_a_drawing() -> None:
    pages = page(WORDS), page([replace(word, color=WHITE) for word in WORDS], ground=(20, 24, 35))
    compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))

    def changes(fill: str) -> list[Difference]:
        side = {"box": [40, 300, 90, 60], "fill": fill, "ground": "#ffffff", "has_fill": True}
        dark = {**side, "ground": "#141823", "has_fill": False}
        texts = [claim("recolored", "text", "color", "#000000", "#ffffff", side, dark) for _ in WORDS]
        within = {**side, "within": "picture 400 x 200 at 40, 500"}
        marks = claim("restyled", "panel", "marks", None, None, side, dark)
        return join_causes(
            compared, [*texts, marks, claim("restyled", "line", "shape", None, None, within, within)]
        )

    assert [one.property for one in changes("#4e73df")] == ["theme", "marks"]
    assert [one.property for one in changes("#f8f9fc")] == ["theme"]


def test_a_thing_of_another_size_moved_as_far_as_its_upper_left_corner() -> None:
    picture = box(100, 300, 80, 80, kind="picture", tag="img")
    other = replace(picture, box=(400, 340, 140, 140))
    (told,) = [one for one in messages(page(WORDS, [picture]), page(WORDS, [other])) if "moved" in one]
    assert told == (
        "picture 80 x 80 at 100, 300 moved 300 px right and 40 px down, and is 140 x 140 instead of 80 x 80"
    )


def test_letters_of_a_tenth_of_the_screen_are_seen_before_single_words() -> None:
    def graded_font(num_texts: int) -> Severity | None:
        compared = Compared(match_pages(*pages), score_matching(match_blocks(*map(blocks, pages))))
        sides = [{"box": [40, 60 * at, 600, 48]} for at in range(num_texts)]
        members = [claim("font", "text", "family", "serif", "sans-serif", side, side) for side in sides]
        return graded(replace(members[0], members=tuple(members)), compared).severity

    pages = page(WORDS), page(WORDS)
    assert (graded_font(2), graded_font(3)) == ("moderate", "serious")


def test_a_text_that_lost_its_line_breaks_is_told_unless_its_room_explains_it() -> None:
    parts = ("Mill Lane 7", "Old Harbor", "Port 1234")
    spaced = replace(SANS, letter_spacing=2.0)

    def address(columns: int, width: int = 600, font: Font = SANS) -> Capture:
        places = [(40 + 110 * (at % columns), 300 + 24 * (at // columns)) for at in range(len(parts))]
        lines = [text(part, x, y, font=font) for part, (x, y) in zip(parts, places, strict=True)]
        card = box(20, 280, width, 100, fill=(230, 230, 230))
        return page([*WORDS, *(replace(line, paragraph=300) for line in lines)], [card])

    said = 'text "Mill Lane 7 Old Harbor Port 1234" stands in '
    assert f"{said}1 line instead of 3" in messages(address(1), address(3))
    assert f"{said}3 lines instead of 2" in messages(address(2), address(1))
    for made in (address(3, width=400), address(3, font=spaced)):
        assert not [one for one in messages(address(1), made) if "stands in" in one]


def test_texts_that_lost_the_same_mark_are_one_difference() -> None:
    names = ("Fast", "Inc.", "Top")
    design, made = (
        [text(f"{mark}{name} growing companies", 40, 100 + 60 * at) for at, name in enumerate(names)]
        for mark in ("• ", "")
    )
    told = messages(page(design), page(made))
    assert 'text "• Fast growing companies" and 2 more read "Fast growing companies"' in told
    other = [text(line.text.replace("growing", "grown"), 40, line.boxes[0][1]) for line in design]
    assert len([one for one in messages(page(design), page(other)) if "reads" in one]) == 3


def test_groups_that_begin_alike_are_told_once() -> None:
    def submenu(at: int) -> list[TextRun]:
        names = ("Submenu Item 1", "Submenu Item 2", f"Other {at}")
        return [text(name, 40, 100 + 160 * at + 24 * line) for line, name in enumerate(names)]

    kept = [text(f"Heading {at}", 40, 70 + 160 * at) for at in range(4)]
    told = messages(page(kept), page([*kept, *submenu(0), *submenu(1), *submenu(2)]))
    assert 'column "Submenu Item 1" at 40, 100 and 2 more like it are not in the design: 9 texts' in told, (
        told
    )


def test_edges_that_move_together_are_another_size_and_no_move() -> None:
    wide, narrow, aside = box(100, 300, 600, 100), box(196, 300, 372, 100), box(196, 300, 600, 100)
    assert {one.kind for one in differences(page(WORDS, [wide]), page(WORDS, [narrow]))} == {"resized"}
    assert {one.kind for one in differences(page(WORDS, [wide]), page(WORDS, [aside]))} == {"moved"}


def test_a_fill_that_a_larger_box_has_now_is_not_lost() -> None:
    words = [text("File transfer", 240, 330)]
    band = box(200, 300, 600, 100, fill=(23, 59, 97))
    around = box(0, 280, 1000, 140, fill=(30, 80, 125))
    within = replace(band, fill=around.fill, has_fill=False)
    told = messages(page([*WORDS, *words], [band]), page([*WORDS, *words], [around, within]))
    assert [one for one in told if "is #1e507d instead of #173b61" in one]
    assert not [one for one in told if "lost its" in one]
    bare = replace(band, fill=WHITE, has_fill=False, has_border=True)
    told = messages(page([*WORDS, *words], [band]), page([*WORDS, *words], [bare]))
    assert [one for one in told if "lost its fill" in one]


def test_what_moved_is_ordered_by_what_it_explains() -> None:
    form = [box(200, 100, 400, 200), box(220, 240, 80, 30, tag="button", fill=RED)]
    lower = [replace(one, box=(one.box[0], one.box[1] + 300, *one.box[2:])) for one in form]
    found = differences(page(WORDS, form), page([replace(WORDS[0], color=(90, 90, 90)), WORDS[1]], lower))
    assert found[0].kind == "moved"


def test_a_page_in_a_broken_character_set_has_no_other_texts() -> None:
    words = ["Новости 12", "Погода 9", "Спорт 40", "Музыка 7", "Театры 31", "Кино", "Работа"]
    broken = [word.encode().decode("cp1252", "ignore") for word in words]
    design, made = (
        [text(word, 40, 200 + 60 * at) for at, word in enumerate(side)] for side in (words, broken)
    )
    made[5:] = [text("Ðš", 700, 700), text("ÐžÐ", 800, 900)]

    (severity, first), *others = told(page(design), page(made))
    assert severity == "critical"
    assert re.fullmatch(r'text "[^"]+" and 6 more show broken characters, such as .+', first)
    assert not [one for _, one in others if "missing" in one or "not in the design" in one]


def test_a_lost_row_is_named_by_its_words_and_not_by_its_arrow() -> None:
    rows = [
        [text("›", 40, 300 + 60 * at), text(name, 80, 300 + 60 * at), text("on", 600, 300 + 60 * at)]
        for at, name in enumerate(("Language", "Alerts"))
    ]

    found = told(page([*WORDS, *rows[0], *rows[1]]), page([*WORDS, *rows[0]]))
    assert found[0][1].startswith('row "Alerts"')


def test_things_exchanged_between_cards_are_separated_from_what_stays_in_these() -> None:
    def cards(*flags: str) -> Capture:
        texts = [text(name, 60 + 400 * at, 300) for at, name in enumerate(("Villa", "Tower"))]
        boxes = [box(40 + 400 * at, 190, 300, 200, fill=(240, 240, 240)) for at in (0, 1)]
        marks = [box(60 + 400 * at, 200, 70, 24, label=flag) for at, flag in enumerate(flags)]
        words = [text(flag, 64 + 400 * at, 202, WHITE) for at, flag in enumerate(flags)]
        return page([*WORDS, *texts, *words], [*boxes, *marks])

    assert told(cards("Sale", "Rent"), cards("Rent", "Sale")) == [
        ("serious", 'text "Sale" and text "Rent" stand in each other\'s place')
    ]


@pytest.mark.parametrize(("fill", "is_told"), [((40, 110, 200), False), ((200, 60, 60), True)])
def test_another_opacity_that_shows_no_other_color_is_not_told(fill: Color, is_told: bool) -> None:
    solid = box(100, 300, 200, 100, fill=(40, 110, 201), opacity=1.0)
    through = replace(solid, fill=fill, opacity=0.85, box=(100, 320, 200, 100))
    found = messages(page(WORDS, [solid]), page(WORDS, [through]))
    assert any("(opacity)" in one for one in found) == is_told
    assert any("moved" in one for one in found) or is_told


def test_a_panel_around_many_texts_is_not_called_by_the_first_alone() -> None:
    def panel(number: int, fill: Color) -> Capture:
        texts = [text("abcdefghijklmnop"[at] * 6, 120, 210 + 25 * at) for at in range(number)]
        return page([*WORDS, *texts], [box(100, 200, 500, 420, fill=fill, label="aaaaaa")])

    for number, name in ((12, 'panel "aaaaaa"'), (13, 'panel around "aaaaaa"')):
        found = messages(panel(number, (230, 240, 250)), panel(number, (250, 230, 210)))
        assert f"{name} is #fae6d2 instead of #e6f0fa" in found


def test_texts_that_came_over_a_picture_are_hard_to_read_unless_on_a_box_of_their_own() -> None:
    photo = box(40, 200, 400, 160, kind="picture", tag="img", thumbnail=((20, 60, 200), (200, 60, 20)) * 18)
    design = page([*WORDS, text("Villa by the sea", 60, 380)], [photo])
    over = [*WORDS, text("Villa by the sea", 60, 280)]
    hard = ("serious", 'text "Villa by the sea" is hard to read on what is behind it')
    assert hard in told(design, page(over, [photo]))
    card = box(50, 270, 300, 60, fill=WHITE)
    assert hard not in told(design, page(over, [photo, card]))


def test_cells_of_a_lost_column_are_known_by_its_head_or_their_number() -> None:
    def gone(left: int, top: int, name: str, **facts: Any) -> Difference:
        return claim("missing", "text", None, name, None, {"box": [left, top, 10, 18], "text": name, **facts})

    doubtful = [gone(110, 40 + 30 * at, "AB"[at % 2], of=[2, 4]) for at in range(4)]
    head, aside = gone(100, 10, "Lab"), gone(300, 70, "A", of=[2, 4])
    head = replace(head, reference={**head.design, "box": [100, 10, 30, 18]})

    def num_doubtful(*found: Difference) -> int:
        return sum("of" in one.design for one in with_known(found))

    assert num_doubtful(head, *doubtful[:2], aside) == 1
    assert num_doubtful(head, doubtful[0], aside) == 2
    assert num_doubtful(*doubtful, aside) == 1
    assert num_doubtful(*doubtful[:3], aside) == 4


def test_a_box_that_is_missing_with_its_only_text_is_one_difference() -> None:
    note, words = (
        box(100, 300, 500, 80, label="Mail confirmed", fill=(200, 240, 200)),
        text("Mail confirmed", 110, 310),
    )
    assert told(page([*WORDS, words], [note]), page(WORDS)) == [
        ("serious", 'panel "Mail confirmed" is missing, with 1 text')
    ]


@pytest.mark.parametrize(
    ("control", "words", "severity"),
    [
        ({"tag": "button", "role": "button"}, "", "serious"),
        ({"tag": "button", "role": "button"}, "Play", "moderate"),
        ({"tag": "input[type=checkbox]", "role": "checkbox"}, "", "moderate"),
    ],
)
def test_an_icon_names_a_button_without_words(control: dict[str, str], words: str, severity: str) -> None:
    ring = box(100, 300, 120, 60, fill=(200, 80, 30), **control)
    icon = box(110, 320, 20, 20, kind="icon", tag="svg", fill=WHITE, thumbnail=(WHITE, RED) * 18)
    label = [text(words, 140, 320)] if words else []
    graded = told(page([*WORDS, *label], [ring, icon]), page([*WORDS, *label], [ring]))
    assert (severity, "icon 20 x 20 at 110, 320 is missing") in graded


def test_a_text_that_the_page_reads_in_parts_is_not_reworded() -> None:
    """A sign of it is taken for an equal one elsewhere."""
    words = [("Bitcoin", 40), ("(", 104), ("CRYPTO:BTC", 120)]
    whole = [replace(text(word, x, 300), paragraph=17) for word, x in words]
    design = page([*WORDS, *whole, text("(", 60, 330)])
    parts = [replace(text(word, x, 300, RED), paragraph=18) for word, x in words]
    sign = replace(parts[1], paragraph=61, boxes=((104.0, 299.9, 8.0, 20.0),))
    read = messages(design, page([*WORDS, parts[0], sign, parts[2]]))
    assert not [one for one in read if "reads" in one]
    lost = messages(design, page([*WORDS, parts[0], parts[2]]))
    assert 'text "Bitcoin ( CRYPTO:BTC" reads "Bitcoin CRYPTO:BTC"' in lost
