"""Texts of a design as markup: their parts keep look, links, lines and indents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.draft import Draft
from pytest_design2a11y.fixing.looks import PageLooks, line_css
from pytest_design2a11y.fixing.runs import markup_of_runs, set_lines
from pytest_design2a11y.models.elements import Font, Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, Document, TextRun
from pytest_design2a11y.visual.scene.units import joined_unit
from tests.factories import ENVIRONMENT

MONOSPACED = Font(10.0, 400, is_italic=False, advances=(0.6,) * 8)
SANS = Font(10.0, 400, is_italic=False, advances=(0.2, 0.8, 0.9, 0.5, 0.5, 0.5, 0.5, 0.7))
BASE = {"font-size": "10px", "font-weight": "400", "font-style": "normal", "letter-spacing": "normal"}


def run(text: str, box: Box, font: Font = SANS, **given: Any) -> TextRun:
    return TextRun(text, (box,), (0, 0, 0), 1, font=font, **given)


def markup(*runs: TextRun, links: Mapping[str, str] | None, read: str = "") -> str:
    white = Screenshot.of_pixels(np.full((200, 400, 3), 255, dtype=np.uint8))
    page = Capture("design.html", "reference", white, (400, 200), runs, (), ENVIRONMENT)
    draft = Draft(Claims(page, page, (), ()), {}, PageLooks(page), "main", {})
    return markup_of_runs(joined_unit(runs), {**BASE, "color": "#000000"}, draft, links, read)


READ = run("Read", (0, 0, 30, 12))
TERMS = run("the terms", (30, 0, 60, 12), is_link=True, is_underlined=True)
STOP = run(".", (90, 0, 3, 12))


def test_a_link_in_a_text_keeps_its_address_and_signs_follow_without_a_space() -> None:
    assert markup(READ, TERMS, STOP, links={"the terms": "/terms?a=1&b"}) == (
        'Read <a href="/terms?a=1&amp;b" style="margin: 0px; padding: 0px; text-decoration-line: underline; '
        'color: #000000">the terms</a>.'
    )


def test_a_link_whose_address_is_not_known_leads_nowhere_and_within_a_link_is_none() -> None:
    style = "text-decoration-line: underline; color: #000000"

    apart = "margin: 0px; padding: 0px; "
    assert markup(READ, TERMS, links={}) == f'Read <a href="#" style="{apart}{style}">the terms</a>'
    assert markup(READ, TERMS, links=None) == f'Read <span style="{style}">the terms</span>'


def test_a_text_of_several_lines_may_break_within_a_word_as_the_designs_does() -> None:
    lines = (run("Sub", (0, 0, 20, 12)), run("mit", (0, 14, 18, 12)))
    white = Screenshot.of_pixels(np.full((200, 400, 3), 255, dtype=np.uint8))
    page = Capture("design.html", "reference", white, (400, 200), lines, (), ENVIRONMENT)

    css = line_css(joined_unit(lines), page)

    assert (css["width"], css["overflow-wrap"]) == ("21px", "anywhere")


def test_what_stands_apart_in_a_line_stays_apart() -> None:
    """From 30 to 100 px are 70 px, of which a space takes 2.5."""
    apart = run("Years", (100, 0, 30, 12))

    assert markup(READ, apart, links={}) == 'Read <span style="margin-left: 67.5px">Years</span>'
    assert markup(READ, run("Years", (34, 0, 30, 12)), links={}) == "Read Years"


def test_signs_of_the_page_stand_between_parts_but_not_where_the_design_has_room() -> None:
    near, apart = (run("Years", (left, 0, 30, 12)) for left in (34, 100))

    assert markup(READ, near, links={}, read="Read: Years") == "Read: Years"
    assert "Read:" not in markup(READ, apart, links={}, read="Read: Years")


def test_a_line_that_ends_early_is_ended_and_the_next_is_indented() -> None:
    """Six px a letter: the second line has room for two more letters than it has words."""
    lines = (
        run("tag:", (0, 0, 24, 12), MONOSPACED),
        run("key:", (0, 14, 36, 12), MONOSPACED),
        run("value", (30, 28, 300, 12), MONOSPACED),
    )

    assert markup(*lines, links={}) == (
        'tag:<br><span style="white-space: pre">&#32;&#32;key:</span>'
        '<br><span style="margin-left: 30px; white-space: pre">' + "&#32;" * 44 + " value</span>"
    )


def test_lines_apart_are_ended_as_often_as_lines_fit_between() -> None:
    lines = (run("one", (0, top, 18, 12), MONOSPACED) for top in (0, 14, 28, 56))

    assert markup(*lines, links={}) == "one<br>one<br>one<br><br>one"


def test_a_line_that_is_full_ends_by_itself() -> None:
    assert markup(run("one two", (0, 0, 90, 12)), run("three", (0, 14, 40, 12)), links={}) == "one two three"


def test_what_shines_through_keeps_its_opacity_where_it_is_readable() -> None:
    pale = run("pale", (0, 0, 30, 12), alpha=0.8)
    faint = run("faint", (30, 0, 30, 12), alpha=0.2)

    assert markup(READ, pale, links={}) == 'Read <span style="color: rgb(0 0 0 / 80%)">pale</span>'
    assert markup(READ, faint, links={}) == 'Read <span style="color: #757575">faint</span>'


def test_lines_of_code_are_those_of_the_source_where_they_are_as_long() -> None:
    source = "for boat in boats:\n        total += [boat]\n    print(total)"
    boxes = tuple((0.0, 20.0 * at, 6.0 * len(line), 20.0) for at, line in enumerate(source.split("\n")))
    shown = Screenshot.of_pixels(np.full((200, 400, 3), 255, dtype=np.uint8))
    code = TextRun(" ".join(source.split()), boxes, (0, 0, 0), 1, font=MONOSPACED)
    document = Document("page.html", f"<pre>{source}</pre>".encode())
    page = Capture("page.html", "reference", shown, (400, 200), (code,), (), ENVIRONMENT, document=document)

    assert set_lines(code, page) == ["for boat in boats:", "        total += [boat]", "    print(total)"]
    assert set_lines(replace(code, boxes=((0, 0, 200, 20), *boxes[1:])), page) == []
