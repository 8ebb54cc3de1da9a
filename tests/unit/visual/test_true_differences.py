"""Statements about differences that were once false, each kind with a page on which it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Element, Trouble
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared, find_differences
from pytest_design2a11y.visual.match.texts import match_units
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import (
    BLACK,
    BLUE,
    SANS,
    WHITE,
    WORDS,
    blocks,
    box,
    differences,
    facts,
    messages,
    page,
    text,
)

RED, GREY = (200, 30, 30), (221, 221, 221)


def test_a_row_that_is_gone_is_the_one_that_is_missing_and_not_the_last_one() -> None:
    names = ["ann@example.com", "kim@example.com", "lee@example.com", "tom@example.com"]

    def rows(shown: list[str]) -> tuple[list[TextRun], list[Element]]:
        texts = [text(name, 60, 210 + 60 * at) for at, name in enumerate(shown)]
        return texts, [box(40, 200 + 60 * at, 300, 40, fill=GREY) for at in range(len(shown))]

    found = differences(page(*rows(names)), page(*rows([names[0], *names[2:]])))

    missing = [in_words(one) for one in found if one.kind == "missing"]
    assert missing == ['box "kim@example.com" is missing']


def test_a_text_cut_into_other_pieces_is_neither_missing_nor_extra() -> None:
    whole = text("first name and last name", 40, 40)
    first, second = text("first name and", 40, 40), text("last name", 160, 40)
    pieces = [first, replace(second, paragraph=9999)]
    assert facts(page([whole, *WORDS[1:]]), page([*pieces, *WORDS[1:]])) == []


def test_two_labels_far_apart_in_one_block_are_two_texts() -> None:
    first, second = text("First name", 40, 40), text("Postal code", 600, 40)
    both = [first, replace(second, paragraph=first.paragraph)]
    assert messages(page(both), page(both[:1]))[0] == 'text "Postal code" at 600, 40 is missing'


def test_a_place_is_named_from_the_corner_that_moved() -> None:
    card = box(100, 300, 300, 200)
    (moved,) = [
        one
        for one in differences(page(WORDS, [card]), page(WORDS, [replace(card, box=(140, 300, 300, 200))]))
        if one.kind == "moved"
    ]
    assert in_words(moved) == "panel 300 x 200 at 100, 300 moved 40 px right"
    assert moved.candidate is not None
    assert moved.candidate["box"] == [140, 300, 300, 200]


def test_what_grows_in_its_place_did_not_move() -> None:
    card = box(100, 300, 300, 200)
    wider = replace(card, box=(100, 300, 420, 200))
    assert {
        one.kind for one in differences(page(WORDS, [card]), page(WORDS, [wider])) if one.what == "panel"
    } == {"resized"}


def test_a_text_that_moves_with_its_card_is_not_reported_by_itself() -> None:
    card, label = box(100, 300, 300, 200, fill=GREY), text("Dashboard", 120, 340)
    moved = page(
        [*WORDS, replace(label, boxes=((260, 420, 72, 20),))], [replace(card, box=(240, 380, 300, 200))]
    )
    told = [in_words(one) for one in differences(page([*WORDS, label], [card]), moved) if one.kind == "moved"]
    assert told == ["panel 300 x 200 at 100, 300 moved 140 px right and 80 px down"]


def test_colors_that_look_the_same_are_not_reported() -> None:
    card = box(100, 300, 300, 200, fill=(120, 120, 120))
    other = replace(card, fill=(122, 121, 120))
    assert facts(page(WORDS, [card]), page(WORDS, [other])) == []
    seen = replace(card, fill=(160, 120, 120))
    assert facts(page(WORDS, [card]), page(WORDS, [seen])) == [("recolored", "fill")]


def test_two_colors_that_were_exchanged_are_not_columns() -> None:
    first, second = box(40, 300, 400, 100, fill=RED), box(540, 300, 400, 100, fill=BLUE)
    swapped = [replace(first, fill=BLUE), replace(second, fill=RED)]
    assert facts(page(WORDS, [first, second]), page(WORDS, swapped)) == [("exchanged", "color")]


def test_two_colors_that_were_exchanged_in_many_places_are_in_both_ways() -> None:
    colors = RED, BLUE, RED, BLUE
    boxes = [
        box(40, 200 + 100 * at, 200 + 150 * at, 30 + 20 * at, fill=color) for at, color in enumerate(colors)
    ]
    swapped = [replace(one, fill=BLUE if one.fill == RED else RED) for one in boxes]
    assert messages(page(WORDS, boxes), page(WORDS, swapped))[0] == (
        "panel 500 x 70 at 40, 400 and panel 650 x 90 at 40, 500 have each other's color"
    )


def test_a_centred_page_is_not_mirrored() -> None:
    left = [text(f"line number {at} of some text", 40, 200 + 40 * at) for at in range(6)]
    centered = [replace(run, boxes=((400, *run.boxes[0][1:]),)) for run in left]
    assert messages(page(left), page(centered)) == [
        "6 texts between 200 and 420 px down the page moved 360 px right"
    ]


def test_what_a_dialog_covers_is_covered_and_not_missing() -> None:
    texts = [text(f"line number {at} of some text", 60, 220 + 40 * at) for at in range(4)]
    dialog = box(40, 200, 500, 200, fill=GREY, covers=True)
    found = messages(page([*WORDS, *texts]), page(WORDS, [dialog]))
    assert found[0] == "panel 500 x 200 at 40, 200 is not in the design, and covers 4 things"
    assert not [one for one in found if "missing" in one]


def test_the_same_picture_in_a_taller_frame_shows_nothing_else() -> None:
    cells = (BLUE, RED) * 18
    picture = box(40, 300, 300, 200, kind="picture", tag="img", thumbnail=cells, natural_size=(300, 200))
    taller = replace(picture, box=(40, 300, 300, 300))
    found = differences(page(WORDS, [picture]), page(WORDS, [taller]))
    assert found[0].kind == "distorted"
    assert in_words(found[0]).endswith("is 300 x 300 instead of 300 x 200: it is stretched")
    assert not [one for one in found if "something else" in in_words(one)]


def test_a_picture_of_one_color_is_a_box_and_not_blank_where_the_page_has_a_box() -> None:
    picture = box(
        40, 300, 300, 200, kind="picture", tag="img", thumbnail=(BLUE,) * 36, natural_size=(300, 200)
    )
    red = box(40, 300, 300, 200, fill=RED)

    assert differences(page(WORDS, [picture]), page(WORDS, [box(40, 300, 300, 200)])) == ()
    assert [in_words(one) for one in differences(page(WORDS, [picture]), page(WORDS, [red]))] == [
        "picture 300 x 200 at 40, 300 is #c81e1e instead of #143cc8"
    ]


def test_a_picture_of_one_color_that_is_a_smaller_box_now_has_another_size() -> None:
    picture = box(40, 300, 300, 300, kind="picture", tag="img")
    assert "picture 300 x 300 at 40, 300 is 200 x 150 instead of 300 x 300" in messages(
        page(WORDS, [picture]), page(WORDS, [box(40, 300, 200, 150)])
    )


def test_a_box_that_lost_its_tick_has_another_state() -> None:
    ticked = box(
        40, 300, 16, 16, tag="input[type=checkbox]", role="checkbox", states=("checked",), label="News"
    )
    empty = replace(ticked, states=(), fill=WHITE)
    told = messages(page(WORDS, [ticked]), page(WORDS, [empty]))
    assert 'checkbox "News" lost its checked state' in told


def test_a_number_that_is_wrong_is_a_figure_and_other_grouping_is_not() -> None:
    price = text("Total $1,299.00", 40, 200)
    wrong, grouped = text("Total $1,499.00", 40, 200), text("Total $1299.00", 40, 200)
    (figure,) = [
        one for one in differences(page([*WORDS, price]), page([*WORDS, wrong])) if one.kind == "figure"
    ]
    assert (figure.expected, figure.actual, figure.severity) == ("$1,299.00", "$1,499.00", "serious")
    # Another unit is told with it.
    warm, cold = text("14 °C", 40, 200), text("57 °F", 40, 200)
    assert 'text "14 °C" reads "57 °F"' in messages(page([*WORDS, warm]), page([*WORDS, cold]))
    told = differences(page([*WORDS, price]), page([*WORDS, grouped]))
    assert {one.severity for one in told} <= {"minor"}


def test_a_colon_ends_a_label_but_divides_figures() -> None:
    def severities(old: str, new: str) -> set[str]:
        sides = page([*WORDS, text(old, 40, 200)]), page([*WORDS, text(new, 40, 200)])
        return {one.severity for one in differences(*sides)}

    assert severities("TOTAL $0.00", "TOTAL: $0.00") == {"minor"}
    assert severities("Opens 10:30", "Opens 1030") == {"serious"}


def test_what_looks_different_and_has_no_other_name_is_reported_with_its_place() -> None:
    design = page(WORDS)
    stain = page(WORDS, [box(400, 500, 120, 80, fill=BLACK)])
    (found,) = [one for one in differences(design, replace(stain, elements=())) if one.kind == "unexplained"]
    assert in_words(found) == "area of 120 x 80 px at 400, 500 is mostly #000000 instead of #ffffff"
    fewer = in_words(replace(found, actual=0.69))
    assert fewer == (
        "something looks different at 400, 500, in 120 x 80 px (69% of it): mostly #000000 instead of #ffffff"
    )
    rule = {**found.made, "box": (400, 500, 120, 3)}
    assert in_words(replace(found, candidate=rule)).startswith("line of 120 px at 400, 500 is mostly #000000")
    assert found.severity == "moderate"


def test_the_name_of_a_glyph_is_neither_text_nor_part_of_a_name() -> None:
    glyph, words = text("map", 60, 208, WHITE), text("Map of trails", 90, 208, WHITE)
    words = replace(words, paragraph=glyph.paragraph)
    icon = box(61, 210, 20, 16, kind="icon", fill=WHITE, tag="i", texture=(0, 255) * 288)
    link = box(50, 200, 180, 40, tag="a", role="link", label="map Map of trails")
    found = messages(page([*WORDS, glyph, words], [link, icon]), page(WORDS))
    assert found[0] == 'link "Map of trails" is missing'
    assert not [one for one in found if '"map' in one]


def test_a_box_is_not_covered_by_its_content_but_by_what_lies_across_it() -> None:
    card = box(100, 300, 300, 200, fill=GREY)
    photo = box(110, 310, 280, 120, fill=RED)
    design = page(WORDS, [card])

    def covered_by(by_box: tuple[float, float, float, float]) -> list[str]:
        trouble = Trouble("covered", card.box, "", by_box, 0.5)
        made = replace(page(WORDS, [card, replace(photo, box=by_box)]), overlaps=(trouble,))
        return [message for one in differences(design, made) if "covers" in (message := in_words(one))]

    assert covered_by(photo.box) == []
    assert covered_by((50, 310, 600, 120)) == [
        "panel 600 x 120 at 50, 310 is not in the design, and covers 1 thing"
    ]


def test_a_selection_that_moved_on_is_a_state_and_no_link_moved() -> None:
    names = ("Publishing messages", "Consuming")
    texts = [text(name, 50, 205 + 40 * at) for at, name in enumerate(names)]

    def selected(at: int) -> Capture:
        link = box(40, 200 + 40 * at, 230, 30, tag="a", role="link", label=names[at])
        return page([*WORDS, *texts], [link])

    told = messages(selected(0), selected(1))
    assert told == ['link "Consuming" is current instead of link "Publishing messages"']


def test_a_button_that_moved_as_plain_text_is_not_missing() -> None:
    button = box(40, 300, 120, 40, tag="a", role="link", label="Find a tour")
    design = page([*WORDS, text("Find a tour", 50, 310)], [button])
    made = page([*WORDS, text("Find a tour", 500, 700)])
    assert 'link "Find a tour" is plain text: no fill' in messages(design, made)
    assert 'link "Find a tour" is missing' in messages(design, page(WORDS))


def test_texts_that_stand_apart_on_one_page_and_in_one_line_on_the_other_are_neither_missing_nor_extra() -> (
    None
):
    names = ["On this page", "Install", "Publish", "Limits"]
    apart = [text(name, 700, 40 + 30 * at) for at, name in enumerate(names)]
    beside = [text("what lies between", 40, 40 + 30 * at + 5) for at in range(4)]
    starts = (40, 144, 208, 272)
    line = [text(name, start, 600) for name, start in zip(names, starts, strict=True)]
    found = facts(page([*apart, *beside]), page([*beside, *line]))
    assert found == [("moved", "gap"), ("moved", "place")]


def test_a_letter_that_is_set_large_by_itself_belongs_to_its_text() -> None:
    whole = text("Richard works for a large company", 40, 200)
    cap = text("R", 40, 200)
    rest = replace(text("ichard works for a large company", 60, 200), paragraph=999)
    assert facts(page([*WORDS, whole]), page([*WORDS, cap, rest])) == [("moved", "small")]


def test_a_text_that_was_replaced_in_its_place_is_not_missing_where_all_else_moved() -> None:
    lines = [text(f"line number {at} of some text", 40, 100 + 40 * at) for at in range(3)]
    lower = [replace(line, boxes=((40, line.boxes[0][1] + 60, *line.boxes[0][2:]),)) for line in lines]
    told = messages(
        page([text("Checkout form", 40, 40), *lines]), page([text("Taukcihen mrut", 40, 40), *lower])
    )
    assert 'text "Checkout form" reads "Taukcihen mrut"' in told
    assert not [one for one in told if "missing" in one]


def test_another_dash_is_minor() -> None:
    found = differences(page([text("Pillar – a theory", 40, 40)]), page([text("Pillar - a theory", 40, 40)]))
    assert [(one.severity, in_words(one)) for one in found if one.kind == "reworded"] == [
        ("minor", 'text "Pillar – a theory" reads "Pillar - a theory"')
    ]


def test_a_text_without_its_end_reads_up_to_a_word() -> None:
    whole = "npm install the client, log in and create orders --partitions 6"
    told = messages(page([text(whole, 40, 40)]), page([text(whole.removesuffix(" --partitions 6"), 40, 40)]))
    assert f'text "{whole[:39]}…" reads up to "…log in and create orders" only' in told


def test_a_dash_before_an_item_is_not_what_changed_where_words_did() -> None:
    words = "resource group zones {}us-west of the old world name of the test bar and its {} value"
    told = messages(
        page([*WORDS, text(words.format("", "first"), 40, 300)]),
        page([*WORDS, text(words.format("- ", "third"), 40, 300)]),
    )
    (reads,) = [one for one in told if "reads" in one]
    assert "third value" in reads


def test_a_glyph_of_a_font_that_is_not_there_is_no_text() -> None:
    assert facts(page([*WORDS, text("\ue0dd", 400, 300)]), page(WORDS)) == [("moved", "small")]
    assert facts(page([*WORDS, text("Sale", 400, 300)]), page(WORDS)) == [("missing", None)]


def test_texts_that_began_at_one_edge_are_not_aligned_anew() -> None:
    first = [replace(text("one", 40, top), boxes=((40, top, 160, 20),)) for top in (200, 240, 280)]
    widths = (150, 160, 175)
    second = [
        replace(run, boxes=((100, run.boxes[0][1], width, 20),))
        for run, width in zip(first, widths, strict=True)
    ]
    assert facts(page(first), page(second)) == [("moved", "place")] * 3


def test_what_moved_with_the_lower_edge_of_a_panel_that_grew_does_not_look_different() -> None:
    panel = box(20, 200, 900, 400, fill=GREY)
    card = box(40, 480, 300, 100, fill=RED)
    taller, lower = replace(panel, box=(20, 200, 900, 560)), replace(card, box=(40, 640, 300, 100))
    told = messages(page(WORDS, [panel, card]), page(WORDS, [taller, lower]))
    assert "panel 900 x 400 at 20, 200 is 560 px high instead of 400 px" in told
    assert not [one for one in told if "looks different at" in one]


def test_a_panel_that_lies_in_the_page_covers_nothing() -> None:
    texts = [text(f"line number {at} of some text", 60, 220 + 40 * at) for at in range(4)]
    told = messages(page([*WORDS, *texts]), page(WORDS, [box(40, 200, 500, 200, fill=GREY)]))
    assert "panel 500 x 200 at 40, 200 is not in the design" in told
    assert not [one for one in told if "covers" in one]


def test_a_smaller_picture_far_away_is_moved_and_not_missing() -> None:
    cells = (BLUE, RED) * 18
    picture = box(40, 200, 300, 200, kind="picture", tag="img", thumbnail=cells)
    smaller = replace(picture, box=(700, 800, 150, 100))
    told = messages(page(WORDS, [picture]), page(WORDS, [smaller]))
    both = "moved 660 px right and 600 px down, and is 150 x 100 instead of 300 x 200"
    assert f"picture 300 x 200 at 40, 200 {both}" in told
    assert not [one for one in told if "missing" in one or "not in the design" in one]


def test_a_flat_box_and_a_line_are_alike() -> None:
    bar = box(40, 300, 900, 5, fill=RED)
    line = replace(bar, kind="line", box=(40, 330, 900, 5))
    assert messages(page(WORDS, [bar]), page(WORDS, [line])) == ["panel 900 x 5 at 40, 300 moved 30 px down"]


def test_a_fill_that_still_takes_as_much_of_a_badge_is_the_same() -> None:
    badge, moved = box(40, 300, 60, 20, fill=RED), box(50, 310, 60, 20, fill=RED)
    made = page(WORDS, [moved])
    misread = replace(made, elements=(replace(moved, fill=WHITE),))
    assert not [one for one in messages(page(WORDS, [badge]), misread) if "instead of #c81e1e" in one]
    assert "box 60 x 20 at 40, 300 is #143cc8 instead of #c81e1e" in messages(
        page(WORDS, [badge]), page(WORDS, [replace(moved, fill=BLUE)])
    )


def test_what_nobody_sees_costs_nothing_and_is_not_called_missing() -> None:
    faint, line = (box(40, 300, 400, 1, kind="line", fill=color) for color in ((252, 252, 252), BLACK))
    assert not differences(page(WORDS, [faint]), page(WORDS))
    (seen,) = differences(page(WORDS, [line]), page(WORDS))
    assert in_words(seen) == "line of 400 px at 40, 300 is missing"


def test_edges_of_texts_that_meet_by_chance_are_no_alignment() -> None:
    tree = (("Getting started", 40), ("Providers", 64), ("Data", 64), ("References", 40))
    indented = page([text(words, x, 40 + 40 * at) for at, (words, x) in enumerate(tree)])
    flat = page([text(words, 200, 40 + 60 * at) for at, (words, _) in enumerate(tree)])
    assert facts(indented, flat) == [("moved", "gap"), ("moved", "place")]


def test_pages_that_look_nearly_alike_do_not_look_different_as_a_whole() -> None:
    first, second = page(WORDS), page(WORDS[:1])

    def said(appearance: float) -> list[str]:
        score = replace(score_matching(match_blocks(blocks(first), blocks(second))), appearance=appearance)
        return [in_words(one) for one in find_differences(Compared(match_pages(first, second), score))]

    assert not [one for one in said(0.97) if "as a whole" in one]
    assert [one for one in said(0.9) if "looks different as a whole (appearance 0.90)" in one]


def test_of_a_text_whose_lines_stand_apart_on_the_page_the_line_that_differs_is_reported() -> None:
    lines = ["Contact", "Pernerova 293/11", "Jana Margoldová", "Czech Republic"]
    runs = [text(words, 600, 200 + 20 * at) for at, words in enumerate(lines)]
    block = [replace(run, paragraph=runs[0].paragraph) for run in runs]
    garbled = [replace(run, text=run.text.replace("á", "Ã¡")) for run in runs]
    apart = [
        replace(run, boxes=((200, 300 + 60 * at, run.boxes[0][2], 20),), paragraph=900 + at)
        for at, run in enumerate(garbled)
    ]
    found = match_units(units_of([*WORDS, *block]), units_of([*WORDS, *apart]))
    assert [(one.text, other.text) for one, other in found.pairs if one.text != other.text] == [
        ("Jana Margoldová", "Jana MargoldovÃ¡")
    ]
    assert not found.missing
    assert not found.extra


def test_of_two_equal_texts_one_is_missing_where_the_page_has_one() -> None:
    def pager(top: float, gap: float, apart: int) -> list[TextRun]:
        places = {"<Prev": 0, "1": 40, "2": 48, "3": 56, "4": 64, "5": 72, "6": 80, "Next>": 88}
        words = [text(one, 200 + x + gap * at, top) for at, (one, x) in enumerate(places.items())]
        return [replace(one, paragraph=int(top) + apart * at) for at, one in enumerate(words)]

    design = page([*WORDS, *pager(200, 8, 0), *pager(600, 8, 0)])
    told = messages(design, page([*WORDS, *pager(700, 60, 1)]))
    assert [one for one in told if "is missing" in one] == [
        '1 of 2 texts "<Prev 1 2 3 4 5 6 Next>" is missing'
    ]
    assert not [one for one in told if "not in the design" in one]


def test_a_picture_of_one_color_is_found_wherever_it_is_and_the_other_one_is_missing() -> None:
    large, small = (box(580, 200, 390, 320, tag="img"), box(40, 640, 140, 140, tag="img"))
    told = messages(page(WORDS, [large, small]), page(WORDS, [box(40, 300, 120, 160)]))
    assert "1 of 2 pictures is missing" in told
    assert "picture 140 x 140 at 40, 640 is 120 x 160 instead of 140 x 140" in told
    assert not [one for one in told if "not in the design" in one or "140 is missing" in one]

    worded = page([*WORDS, text("Add to cart", 60, 340)], [box(40, 300, 120, 160)])
    told = messages(page(WORDS, [large, small]), worded)
    assert [one for one in told if one.startswith("picture 140 x 140") and "missing" in one]


def test_squares_that_grew_are_the_squares_and_which_pictures_are_missing_is_not_known() -> None:
    banner = box(500, 22, 252, 34, tag="img")
    squares = [box(left, top, 113, 112, tag="img") for left, top in ((13, 177), (300, 603), (19, 804))]
    larger = [box(left, 123, 285, 281, tag="img") for left in (60, 400)]
    told = messages(page(WORDS, [banner, *squares]), page(WORDS, larger))
    assert "2 of 4 pictures are missing" in told
    assert "picture 113 x 112 at 13, 177 is 285 x 281 instead of 113 x 112" in told


def test_a_cross_in_other_letters_is_the_same_cross() -> None:
    found = facts(page([*WORDS, text("×", 72, 11)]), page([*WORDS, text("X", 400, 300)]))
    assert found == [("moved", "place"), ("reworded", "case")]


def test_a_picture_is_not_taken_for_a_field() -> None:
    logo = box(20, 10, 50, 50, tag="img", fill=BLUE)
    field = box(90, 15, 420, 40, tag="input[type=text]", fill=WHITE, has_border=True)
    design = page(WORDS[1:], [logo, field])
    smaller, wider = replace(logo, box=(260, 20, 50, 30)), replace(field, box=(320, 20, 260, 36))
    told = messages(design, page(WORDS[1:], [smaller, wider]))
    assert not [one for one in told if "is missing" in one or "not in the design" in one]
    assert "picture 50 x 50 at 20, 10 is 30 px high instead of 50 px" in told


def test_a_panel_that_alone_has_its_name_is_found_wherever_it_is() -> None:
    footer = box(0, 700, 1000, 280, fill=(34, 34, 34), label="Quick Links")
    higher = replace(footer, box=(0, 300, 1000, 200), fill=(51, 51, 51))
    told = messages(page(WORDS, [footer]), page(WORDS, [higher]))
    assert "panel 1000 x 280 at 0, 700 is #333333 instead of #222222" in told
    assert not [one for one in told if "is missing" in one or "not in the design" in one]


def test_a_picture_of_one_color_in_the_design_is_not_blank_on_the_page() -> None:
    side = 24
    framed = np.full((side, side), 46)
    framed[0], framed[:, 0] = 86, 86
    cells = ((28, 16, 246),) * 34 + ((60, 50, 250),) * 2
    picture = Element(
        "picture",
        "img",
        (100, 300, 150, 150),
        (28, 16, 246),
        thumbnail=cells,
        texture=tuple(framed.ravel().tolist()),
    )
    plain = box(100, 420, 150, 150, tag="img", fill=(28, 16, 246))
    assert facts(page(WORDS, [picture]), page(WORDS, [plain])) == [("moved", "place")]


def test_a_picture_that_is_stretched_within_its_size_has_no_other_size() -> None:
    picture = Element(
        "picture", "img", (100, 300, 300, 100), RED, thumbnail=((200, 30, 30), (30, 30, 200)) * 18
    )
    stretched = replace(picture, natural_size=(100, 100), thumbnail=((200, 30, 30), (30, 90, 200)) * 18)
    design = replace(picture, natural_size=(300, 100))
    told = messages(page(WORDS, [design]), page(WORDS, [replace(stretched, fill=BLUE)]))
    assert "picture 300 x 100 at 100, 300 is stretched" in told


def test_what_cannot_be_seen_in_the_design_is_not_missing() -> None:
    dark, black = (24, 2, 2), (0, 0, 0)
    words = [replace(one, color=WHITE) for one in WORDS]
    hidden, red = text("home", 300, 40, dark), text("home", 300, 40, (90, 2, 2))
    assert messages(page([*words, hidden], ground=black), page(words, ground=black)) == [
        "small differences of place, size, color or font"
    ]
    assert 'text "home" at 300, 40 is missing' in messages(
        page([*words, red], ground=black), page(words, ground=black)
    )


def test_a_button_whose_edges_are_those_of_its_field_is_not_missing() -> None:
    field = box(100, 300, 300, 40, fill=WHITE, has_border=True, border=GREY)
    flush = box(360, 300, 40, 40, fill=WHITE, tag="button", role="button", label="Go")
    own = replace(flush, fill=GREY)
    assert not [
        one for one in messages(page(WORDS, [field, flush]), page(WORDS, [field])) if "missing" in one
    ]
    assert 'button "Go" is missing' in messages(page(WORDS, [field, own]), page(WORDS, [field]))


def test_the_shadow_of_a_card_moves_with_it() -> None:
    card = box(100, 300, 300, 200, has_shadow=True)
    found = differences(page(WORDS, [card]), page(WORDS, [replace(card, box=(500, 300, 300, 200))]))
    assert [in_words(one) for one in found if one.kind == "unexplained"] == []


def test_two_titles_in_each_others_place_are_one_serious_difference() -> None:
    titles = [text("Prices rise again", 40, 40), text("Rain until Sunday", 40, 240)]
    leads = [text("Bread costs more than ever.", 40, 80), text("Warm days come next week.", 40, 280)]
    swapped = [replace(titles[1], boxes=titles[0].boxes), replace(titles[0], boxes=titles[1].boxes)]

    found = differences(page([*titles, *leads]), page([*swapped, *leads]))

    assert [(in_words(one), one.severity) for one in found] == [
        ('text "Prices rise again" and text "Rain until Sunday" stand in each other\'s place', "serious")
    ]


def test_two_buttons_whose_words_were_exchanged_are_one_difference() -> None:
    words = [text("Back", 110, 310), text("Next", 510, 310)]
    swapped = [replace(words[1], boxes=words[0].boxes), replace(words[0], boxes=words[1].boxes)]
    pages = []
    for shown, names in ((words, ("Back", "Next")), (swapped, ("Next", "Back"))):
        buttons = [
            box(x, 300, 120, 40, fill=BLUE, tag="button", role="button", label=name)
            for x, name in zip((100, 500), names, strict=True)
        ]
        pages.append(page([*WORDS, *shown], buttons))
    assert messages(*pages) == ['text "Back" and text "Next" stand in each other\'s place']


def test_a_bar_and_its_track_that_moved_are_not_exchanged() -> None:
    """They begin at one corner."""
    pages = [
        page(WORDS, [box(100, top, 200, 8, fill=GREY), box(100, top, 90, 8, fill=RED)]) for top in (300, 312)
    ]
    assert facts(*pages) == [("moved", "place")]


def test_the_items_of_a_menu_in_another_language_are_paired_in_their_order() -> None:
    def menu(**items: int) -> list[TextRun]:
        return [replace(text(words, x, 500), paragraph=x) for words, x in items.items()]

    design = menu(New=221, Camping=277, Climb=365, Sale=451)
    made = menu(Dolor=197, Sit=259, Amet=302, Dorem=363)

    found = differences(page([*WORDS, *design]), page([*WORDS, *made]))

    read = [in_words(one) for one in found if one.kind in {"reworded", "missing", "extra"}]
    assert sorted(read) == [
        'text "Camping" reads "Sit"',
        'text "Climb" reads "Amet"',
        'text "New" reads "Dolor"',
        'text "Sale" reads "Dorem"',
    ]


def test_where_all_that_differs_is_reported_nothing_smaller_is() -> None:
    photo = box(100, 300, 300, 200, kind="picture", tag="img", thumbnail=(BLUE, RED) * 18)
    made = replace(photo, fill=RED, thumbnail=(RED, GREY) * 18)
    design = page(WORDS, [photo])
    score = score_matching(match_blocks(blocks(design), blocks(design)))
    # The page as a whole looks a little different, for the picture in it.
    score = replace(score, appearance=0.97, elements=0.9, typography=1.0)
    found = find_differences(Compared(match_pages(design, page(WORDS, [made])), score))
    (only,) = found
    assert in_words(only) == (
        "picture 300 x 200 at 100, 300 shows something else, mostly #c81e1e instead of #143cc8"
    )


def cards(left: int, width: int, *, size: int = 1000) -> list[Element]:
    """Four rows of two cards in content that begins and ends there, as far as the page shows them."""
    across = (width - 20) // 2
    boxes = [(left + at % 2 * (across + 20), 200 + at // 2 * 120) for at in range(8)]
    named = enumerate(boxes)
    return [
        box(x, y, min(across, size - x), 100, fill=GREY, label=f"Plan {at}")
        for at, (x, y) in named
        if x < size
    ]


def test_content_that_is_half_as_wide_is_one_difference() -> None:
    (first, *others) = differences(page(WORDS, cards(40, 920)), page(WORDS, cards(40, 460)))

    assert in_words(first) == "the content is about 460 px wide instead of 920 px, and what is in it moved"
    assert first.severity == "serious"
    assert not [one for one in others if one.kind in {"moved", "resized"}]


def test_content_that_does_not_end_on_the_page_is_cut_off() -> None:
    (first, *others) = messages(page(WORDS, cards(40, 920)), page(WORDS, cards(40, 1380)))

    assert first == "the content is 1.5 times as wide as in the design, and cut off at the right"
    assert not [one for one in others if "missing" in one]


def test_cards_that_became_wider_in_content_of_one_width_are_no_other_content() -> None:
    aside = [box(680, 200 + 120 * at, 280, 100, label=f"Note {at}") for at in range(2)]
    below = [box(40, 700 + 120 * at, 920, 100, label=f"Note {at}") for at in range(2)]
    found = facts(page(WORDS, [*cards(40, 620), *aside]), page(WORDS, [*cards(40, 920), *below]))
    assert set(found) == {("moved", "columns"), ("resized", "size")}


def test_content_in_the_room_of_a_lost_sidebar_comes_after_it() -> None:
    menu = [text(words, 20, 220 + 40 * at) for at, words in enumerate(("Overview", "Invoices", "Customers"))]
    found = messages(page([*WORDS, *menu], cards(240, 740)), page(WORDS, cards(20, 960)))

    content = "the content is about 960 px wide instead of 740 px, where other things are missing"
    assert found.index('column "Overview" at 20, 220 is missing: 3 texts') < found.index(content)


def test_text_that_is_slightly_larger_as_a_whole_comes_before_what_it_moves() -> None:
    words = ["Orders", "Invoices and what is due", "Customers of this month", "Reports"]

    def shown(scale: float) -> list[TextRun]:
        sizes = [14, 14, 28, 14]
        lines = (
            text(line, 40, scale * (200 + 180 * at), font=replace(SANS, size=scale * size))
            for at, (line, size) in enumerate(zip(words, sizes, strict=True))
        )
        return [*lines]

    found = differences(page(shown(1.0)), page(shown(1.06)))

    assert in_words(found[0]) == "all text is 6% larger, such as 14.84 px instead of 14 px"
    slight = differences(page(shown(1.0)), page(shown(1.0125)))
    assert {one.severity for one in slight} == {"minor"}
    assert in_words(slight[0]) == "all text is 1% larger, such as 14.17 px instead of 14 px"


def test_a_bar_that_grew_over_texts_covers_them_and_they_are_not_missing() -> None:
    lines = [text(f"line number {at} of some text", 60, 120 + 40 * at) for at in range(3)]
    rest = [text(f"another line, number {at}", 60, 400 + 40 * at) for at in range(6)]
    bars = [box(40, 20, 900, height, fill=GREY, covers=True, label="Main") for height in (60, 240)]
    found = messages(page([*lines, *rest], bars[:1]), page(rest, bars[1:]))
    assert found[0] == "panel 900 x 60 at 40, 20 is 240 px high instead of 60 px, and covers 3 things"
    assert not [one for one in found if "missing" in one]


def test_a_panel_is_not_named_after_what_nobody_sees_in_it() -> None:
    menus = [box(x, 300, 300, 200, fill=GREY, label="Alerts Center") for x in (100, 200)]
    hidden, *_ = messages(page(WORDS, menus[:1]), page(WORDS, menus[1:]))
    assert hidden == "panel 300 x 200 at 100, 300 moved 100 px right"

    headings = [text("Alerts Center", x, 320) for x in (120, 220)]
    shown, *_ = messages(page([*WORDS, headings[0]], menus[:1]), page([*WORDS, headings[1]], menus[1:]))
    assert shown == 'panel "Alerts Center" moved 100 px right'


def test_icons_of_a_font_that_is_not_there_are_one_difference() -> None:
    def icons(left: int, width: int, step: int) -> list[Element]:
        drawn = {"kind": "icon", "tag": "i", "fill": RED if width < 20 else BLUE}
        return [box(left + step * at, 400, width, 20, **drawn) for at in range(5)]

    assert messages(page(WORDS, icons(500, 28, 56)), page(WORDS, icons(660, 8, 24))) == [
        "icon 28 x 20 at 500, 400 and 4 more show something else"
    ]


def test_all_columns_that_became_a_stack_are_one_difference() -> None:
    def shown(*, is_stack: bool) -> list[Element]:
        places = [(40, 200), (40, 310)] if is_stack else [(40, 200), (400, 200)]
        named = [(f"Plan {at}{n}", x, y + 300 * at) for at in range(2) for n, (x, y) in enumerate(places)]
        return [box(x, y, 300, 100, fill=GREY, label=name) for name, x, y in named]

    found = messages(page(WORDS, shown(is_stack=False)), page(WORDS, shown(is_stack=True)))
    assert [one for one in found if "columns" in one] == [
        "columns: panel 300 x 100 at 40, 200 and panel 300 x 100 at 400, 200 "
        "moved below each other, with 2 others"
    ]


def test_a_gradient_is_named_by_both_ends() -> None:
    wanted = {"box": (0, 0, 200, 90), "name": "panel", "fill": "#385fcf", "fills": ["#4e73df", "#224abe"]}
    own = {"box": (0, 0, 200, 90), "name": "panel", "fill": "#4e73df"}
    change = Difference("recolored", "panel", 0.0, "minor", "fill", "#385fcf", "#4e73df", wanted, own)
    assert (
        in_words(change) == "panel 200 x 90 at 0, 0 is #4e73df instead of a gradient from #4e73df to #224abe"
    )
