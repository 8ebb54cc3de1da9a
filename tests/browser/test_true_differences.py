"""Sentences about small pages that were once false, each on a page on which it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

HEAD = """<!doctype html><title>x</title><style>
body { margin: 20px; font: 16px/1.5 sans-serif; background: #fff } * { box-sizing: border-box }
</style>"""
WORDS = "<h1>Orders of this week</h1><p>Nine of them wait for an answer.</p>"
LINES = "white-space: nowrap; overflow: hidden; width: 150px"


def stripes(width: int, height: int) -> str:
    """Return a picture that shows something."""
    lines = "".join(
        f"<path d='M{x} 0v{height}' stroke='%23246' stroke-width='9'/>" for x in range(0, width, 31)
    )
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>{lines}</svg>"
    return f'<img style="display: block" src="data:image/svg+xml,{svg}">'


class Found(list[str]):
    """Sentences on what differs, the worst first, and the facts behind them: no rewording empties those."""

    def __init__(self, differences: Sequence[Difference]) -> None:
        super().__init__(f"{one.severity}: {in_words(one)}" for one in differences)
        self.kinds = {one.kind for one in differences}
        self.facts = {(one.kind, one.what, one.property) for one in differences}


Say = Callable[..., Found]


@pytest.fixture(scope="module")
def say(keeping_renderer: Renderer) -> Say:
    """Return what lists the differences of two pages in words, the worst first."""

    @cache
    def capture(body: str, folder: Path | None = None) -> Capture:
        own = None if folder is None else str(folder)
        document = Document(label="page", html=(HEAD + WORDS + body).encode(), folder=own)
        return keeping_renderer.capture(document, role="reference", audit=None)

    def said(design: str, made: str, folder: Path | None = None) -> Found:
        score = measure_visual(capture(design, folder), capture(made, folder), settings=Settings())
        json.dumps([asdict(one) for one in score.differences])  # What numpy returns is no JSON.
        return Found(score.differences)

    return said


def test_what_the_design_has_covered_too_is_not_reported_as_covered(say: Say) -> None:
    page = (
        "<div style='position: relative; height: 90px; width: 300px; background: #cde'>"
        "<p style='margin: 0; padding: 10px'>Total of {} pages</p>"
        "<div style='position: absolute; left: 60px; top: 0; width: 90px; height: 90px; background: #246'>"
        "</div></div>"
    )
    found = say(page.format(7), page.format(8))
    assert not [one for one in found if "covered" in one]

    found = say("<p>Total of 7 pages</p>", page.format(7))
    assert [one for one in found if "is not in the design, and covers 1 thing" in one]


def test_a_text_is_cut_off_where_its_box_cuts_it_and_not_where_words_are_left_out(say: Say) -> None:
    whole = "<p>Up to 30% off tents and bags until Sunday</p>"
    found = say(whole, "<p>Up to 30% off tents and bags</p>")
    assert (
        'serious: text "Up to 30% off tents and bags until Sund…" reads "Up to 30% off tents and bags"'
        in found
    )
    assert not [one for one in found if "cut off" in one]

    found = say(whole, f"<p style='{LINES}'>Up to 30% off tents and bags until Sunday</p>")
    assert [one for one in found if "is cut off (overflow) at" in one]


def test_what_became_an_icon_has_its_article(say: Say) -> None:
    box = "<div style='width: 30px; height: 30px; background: #235'></div>"
    star = (
        "<svg viewBox='0 0 16 16' width=30 height=30 style='display: block'>"
        "<path d='M8 0l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z' fill='#c30'/></svg>"
    )
    found = say(box, star)
    assert [one for one in found if "is an icon" in one]


def test_a_smaller_icon_is_smaller_and_shows_the_same(say: Say) -> None:
    icon = (
        "<svg viewBox='0 0 24 16' width={} height={} style='display: block'>"
        "<path d='M0 16V4h6v12zM9 16V0h6v16zM18 16V8h6v8z' fill='#246'/></svg>"
    )
    found = say(icon.format(45, 30), icon.format(24, 21))
    assert [one for one in found if one.partition(" at ")[0].partition(": ")[2].startswith("icon 45 x 30")]
    assert [one for one in found if "instead of 45 x 30" in one]
    assert not [one for one in found if "shows something else" in one]


def test_a_table_cell_loses_its_fill_and_does_not_become_plain_text(say: Say) -> None:
    table = (
        "<style>th, td {{ padding: 8px 30px }} th {{ {} }}</style><table style='border-collapse: collapse'>"
        "<tr><th>Name<th>Amount<tr><td>Tent<td>$ 90</table>"
    )
    found = say(table.format("background: #246; color: #fff"), table.format("color: #246"))
    assert [one for one in found if 'table cell "Name" lost its fill' in one]
    assert not [one for one in found if "plain text" in one]


def test_texts_that_wrap_otherwise_are_not_aligned_otherwise(say: Say) -> None:
    words = [
        "Fully responsive and quick",
        "Themes for every taste and day",
        "Easy to use on any small device",
    ]
    page = "<style>p {{ text-align: center; width: {}px }}</style>" + "".join(
        f"<p>{one}</p>" for one in words
    )
    found = say(page.format(500), page.format(150))
    assert found.facts == {("moved", "text", "place")}


def test_a_field_is_not_called_by_the_words_of_its_toolbar(say: Say) -> None:
    bar = (
        "<div style='display: flex; gap: 12px'>{}<button>Filters</button><button>Export</button>"
        "<span>128 orders</span></div>"
    )
    found = say(bar.format("<input type=search placeholder='Search orders'>"), bar.format(""))
    assert [one for one in found if 'text field "Search orders" is missing' in one]
    assert not [one for one in found if '"Filters Export"' in one]


def test_text_on_a_picture_is_not_given_a_ground_from_one_spot_of_it(say: Say) -> None:
    stripes = "".join(
        f"<path d='M{x} 0v200' stroke='%23{x % 7 + 1}{x % 5 + 1}4' stroke-width='13'/>"
        for x in range(0, 600, 11)
    )
    picture = (
        f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='600' height='200'>{stripes}</svg>"
    )
    page = (
        f'<div style="position: relative"><img src="{picture}" width=600 height=200 style="display: block">'
        '<p style="position: absolute; left: 40px; top: 60px; color: {}">Sleep under the stars</p></div>'
    )
    found = [one for one in say(page.format("#ffffff"), page.format("#ffc0c0")) if "Sleep" in one]
    assert found == ['moderate: text "Sleep under the stars" is #ffc0c0 instead of #ffffff']


def test_white_words_on_white_are_no_button_any_more(say: Say) -> None:
    page = "<button style='padding: 12px 40px; border: 0; background: {}; color: #fff'>Pay now</button>"
    found = say(page.format("#0a58ca"), page.format("#fff"))
    assert found[0] == 'serious: button "Pay now" is missing'
    assert not [one for one in found if "no fill" in one]


def test_a_selection_that_moved_is_a_state_and_no_lost_button(say: Say) -> None:
    page = (
        "<style>button {{ border: 0; padding: 10px 30px; background: none; font: inherit }}"
        "button:nth-child({}) {{ background: #235; color: #fff }}</style>"
        "<div><button>Income</button><button>Spending</button></div>"
    )
    found = say(page.format(1), page.format(2))
    assert 'serious: button "Spending" is current instead of button "Income"' in found
    assert not [one for one in found if "plain text" in one or "not in the design" in one]


def test_what_is_lost_within_a_panel_that_shrank_is_reported(say: Say) -> None:
    page = (
        "<div style='width: 500px; padding: 20px; background: #eef'><p>Day temperature</p>{}"
        "<p>Night temperature</p></div><p>Saved today</p>"
    )
    stripes = "repeating-linear-gradient(90deg, #135 0 9px, #fc3 9px 18px)"
    rule = f"<div style='height: 16px; background: {stripes}'></div>"
    found = say(page.format(rule), page.format(""))
    assert [one for one in found if "something looks different at" in one or "is missing" in one]


def test_what_lay_under_a_bar_is_not_the_new_words_of_the_bar(say: Say) -> None:
    bar = (
        "<p style='margin: 0 0 0 50px'>Nordic Books</p>"
        "<div style='position: absolute; left: 0; top: 130px; width: 600px; height: 80px; background: #fff'>"
        "<span style='position: absolute; left: 84px; top: 10px'>Cards</span></div>"
    )
    found = say(bar, bar.partition("<div")[0])
    assert found.kinds == {"missing", "extra"}


def test_another_sign_before_a_figure_is_no_other_grouping(say: Say) -> None:
    found = say("<p>+ € 240.00</p>", "<p>− € 240.00</p>")
    assert found[0].startswith("serious: ")
    assert "240.00" in found[0]


def test_a_button_that_cannot_be_used_is_serious(say: Say) -> None:
    page = "<button {} style='padding: 12px 30px; background: #246; color: #fff'>Add to basket</button>"
    found = say(page.format(""), page.format("disabled") + "<style>button:disabled { opacity: .5 }</style>")
    assert 'serious: button "Add to basket" is disabled, unlike in the design' in found


def test_a_picture_that_went_far_away_is_not_another_one(say: Say) -> None:
    dots = "".join(
        f"<circle cx='{x % 97}' cy='{x % 61}' r='9' fill='%23{x % 9}6{x % 7}'/>" for x in range(0, 999, 37)
    )
    source = f"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 97 61'>{dots}</svg>"
    page = (
        f'<img src="{source}" alt="Canyon pack" width={{}} style="display: block; margin: {{}}px 0 0 {{}}px">'
    )
    found = say(page.format(240, 0, 0), page.format(400, 500, 600))
    assert [one for one in found if 'picture "Canyon pack" moved' in one]
    assert not found.kinds & {"missing", "extra"}


@pytest.mark.slow
def test_a_picture_with_other_corners_shows_nothing_else(say: Say, tmp_path: Path) -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">'
        '<rect width="200" height="200" fill="#eca"/>'
        '<path d="M0 90h200v110H0z" fill="#246"/><circle cx="100" cy="80" r="50" fill="#c84"/></svg>'
    )
    (tmp_path / "portrait.svg").write_text(drawing, encoding="utf-8")
    portrait = "<img src='portrait.svg' width='200' height='200' alt='Ann' style='border-radius: {}'>"
    found = say(portrait.format("50%"), portrait.format("0"), tmp_path)
    assert 'moderate: picture "Ann" is square instead of round' in found
    assert not [one for one in found if "something else" in one]

    framed = "50%; border: 8px solid rgb(0 0 0 / 0.1)"
    found = say(portrait.format(framed), portrait.format(framed.replace("50%", "0")), tmp_path)
    assert found[0] == 'moderate: picture "Ann" is square instead of round'
    assert not [one for one in found if "something else" in one]

    shadow = "50%; box-shadow: 0 8px 24px rgb(0 0 0 / 0.6)"
    found = say(portrait.format(shadow), portrait.format("50%"), tmp_path)
    assert found[0] == 'moderate: picture "Ann" looks different around its edges'
    assert not [one for one in found if "corners" in one or "something" in one]


FORM = """<style>
  select, input {{ font: inherit; {look} }}
  input {{ width: 16px; height: 16px; margin: 0; border: 1px solid #888; vertical-align: middle }}
  select {{ width: 200px; padding: 6px; border: 1px solid #888 }}
  select {{ background: url("data:image/svg+xml,{arrow}") no-repeat 175px 9px / 16px, #fff }}
  :checked {{ background: url("data:image/svg+xml,{tick}") center / 14px, #06f }}
</style><p><label for=c>Country</label> <select id=c><option>Choose...</select>
<p><label><input type=checkbox checked> Same address</label>
<p><label><input type=radio name=r {first}> Credit card</label>
<p><label><input type=radio name=r {second}> PayPal</label>"""


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("AB", [f'moderate: link "{at}" is square instead of round' for at in "AB"]),
        ("ABCD", ['moderate: link "A" and 3 more are square instead of round']),
    ],
)
def test_buttons_that_are_round_no_more_are_named(say: Say, names: str, found: list[str]) -> None:
    """Their corners lie so near to each other that what differs there is one region."""
    style = "<style>a {{ display: inline-block; width: 56px; height: 56px; margin: 10px; border-radius: {};"
    links = "background: #456 }}</style>" + "".join(f"<a href='#{at}' aria-label='{at}'></a>" for at in names)
    assert say((style + links).format("50%"), (style + links).format("0"))[: len(found)] == found


def test_the_arrow_of_a_menu_is_an_icon_in_it(say: Say) -> None:
    found = say(form(), form().replace("black", "teal"))

    assert found[0].endswith('icon in menu "Country" is #008080 instead of #000000')


def form(*, look: str = "appearance: none", is_first: bool = True) -> str:
    icons = {
        name: f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='none' "
        f"stroke='{color}' stroke-width='2' d='{path}'/></svg>"
        for name, path, color in (("arrow", "M2 5l6 6 6-6", "black"), ("tick", "M3 8l3 3 6-6", "white"))
    }
    states = {"first": "checked" if is_first else "", "second": "" if is_first else "checked"}
    return FORM.format(look=look, **icons, **states)


def test_the_arrows_and_ticks_of_the_browser_are_those_that_style_sheets_draw(say: Say) -> None:
    assert not [one for one in say(form(), form(look="background: revert !important")) if "icon" in one]
    assert not [one for one in say(form(look="background: revert !important"), form()) if "icon" in one]

    found = say(form(), form(look="appearance: none; background-image: none !important"))
    assert 'serious: icon in menu "Country" is missing' in found
    assert 'serious: icon in checkbox "Same address" is missing' in found


def test_a_radio_button_that_is_not_checked_lost_its_state_and_no_icon(say: Say) -> None:
    assert say(form(), form(is_first=False))[:1] == [
        'serious: radio button "PayPal" is checked instead of radio button "Credit card"'
    ]
    assert not [one for one in say(form(), form(is_first=False)) if "icon" in one]


@pytest.mark.parametrize(
    ("typed", "kind"),
    [pytest.param("1. ", "decimal", marks=pytest.mark.slow), ("a) ", "lower-alpha"), ("• ", "disc")],
)
def test_a_marker_that_the_browser_draws_is_the_one_that_is_typed(say: Say, typed: str, kind: str) -> None:
    words = "To renew your domain name, log into your account"
    items = f"<ol style='list-style: {kind}; margin: 0; padding-left: 40px'><li>{words}</ol>"
    for pages in ((f"<p>{typed}{words}</p>", items), (items, f"<p>{typed}{words}</p>")):
        assert not [one for one in say(*pages) if "reads" in one]

    found = say(f"<p>{typed}{words}</p>", items.replace(kind, "none"))
    assert [one for one in found if f'reads "{words[:30]}' in one]


@pytest.mark.parametrize(
    ("style", "typed"),
    [
        ("a::after { content: ' >>' }", "Tours of Charleston >>"),
        ("a::before { content: '/ '; color: #888 }", "/ Tours of Charleston"),
        ("a::after { content: '\\2192'; margin-left: 6px }", "Tours of Charleston →"),
    ],
    ids=["arrows", "path", "arrow"],
)
def test_a_sign_that_a_style_sheet_draws_is_the_one_that_is_typed(say: Say, style: str, typed: str) -> None:
    rest = "<h1 style='margin: 40px'>Tours by country</h1>"
    drawn = f"<style>{style}</style>{rest}<p><a>Tours of Charleston</a>"
    for pages in ((drawn, f"{rest}<p><a>{typed}</a>"), (f"{rest}<p><a>{typed}</a>", drawn)):
        assert not [one for one in say(*pages) if "reads" in one or "icon" in one]
    lost = say(f"{rest}<p><a>{typed}</a>", f"{rest}<p><a>Tours of Charleston</a>")
    assert [one for one in lost if f'text "{typed}" reads "Tours of Charleston"' in one]


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (("decimal", "none"), 'serious: text "Rinse" and 4 more lost the number before them'),
        (
            ("disc", "upper-alpha"),
            'moderate: text "Rinse" and 4 more have a capital letter instead of a disc',
        ),
        (
            ("decimal", "upper-roman"),
            'moderate: text "Rinse" and 4 more have a capital Roman numeral instead of a number',
        ),
        (
            ("lower-roman", "hebrew"),
            'moderate: text "Rinse" and 4 more have a hebrew number instead of a Roman numeral',
        ),
        (
            ("decimal", "decimal-leading-zero"),
            'moderate: text "Rinse" and 4 more have a zero-padded number instead of a number',
        ),
        (('"- "', "square"), 'moderate: text "Rinse" and 4 more have a square instead of a "-"'),
        (
            ("none", "square"),
            'moderate: text "Rinse" and 4 more have a square before them that the design does not have',
        ),
    ],
)
def test_markers_that_the_browser_draws_are_told(say: Say, kinds: tuple[str, str], told: str) -> None:
    steps = "".join(f"<li>{step}</li>" for step in ("Rinse", "Soak them", "Drain", "Boil", "Serve"))
    assert say(*(f"<ol style='list-style: {kind}'>{steps}</ol>" for kind in kinds)) == [told]


def test_the_edge_of_an_item_is_not_the_number_that_it_lost(say: Say) -> None:
    items = "".join(f"<li>{name}</li>" for name in ("Rinse", "Soak"))
    page = (
        "<style>ol { padding: 0; list-style: none; counter-reset: at } li { padding: 8px 16px; border: 1px "
        f"solid #888 }} li::before {{ counter-increment: at; NUMBER }}</style><ol>{items}</ol>"
    )

    found = say(page.replace("NUMBER", "content: counter(at) '. '"), page.replace("NUMBER", ""))

    assert [one for one in found if one.startswith('serious: text "1. Rinse" reads "Rinse"')]


def test_a_list_that_begins_elsewhere_has_other_numbers(say: Say) -> None:
    steps = "".join(f"<li>{step}</li>" for step in ("Rinse", "Soak them", "Drain", "Boil", "Serve"))

    found = say(f"<ol>{steps}</ol>", f"<ol start=4>{steps}</ol>")

    assert found == [
        'serious: text "Rinse" and 4 more have another number before them, such as "4." instead of "1."'
    ]
    assert not [one for one in say(f"<ol>{steps}</ol>", f"<ol><li>Wash</li>{steps}</ol>") if "number" in one]


@pytest.mark.parametrize("ink", ["", "color: #c00"], ids=["of the text's color", "of its own"])
def test_all_levels_of_a_list_lose_their_discs_however_far_from_their_text(say: Say, ink: str) -> None:
    page = (
        "<style>ul { margin: 0; padding: 0; list-style: KIND } li { padding-left: 26px } "
        f"::marker {{ {ink} }}</style><ul><li>Fruit<ul><li>Apples<li>Pears</ul><li>Bread<ul><li>Rye</ul></ul>"
    )

    found = say(page.replace("KIND", "disc"), page.replace("KIND", "none"))

    assert found == ['moderate: text "Fruit" and 4 more lost the disc before them']


def test_markers_of_all_levels_are_lost_new_or_changed_by_one_rule(say: Say) -> None:
    page = "<style>{}</style><ul><li>Fruit<ul><li>Apples<li>Pears<ol><li>Green<li>Red</ol></ul><li>Bread</ul>"
    plain, bare, square = (
        page.format(rule and f"ul, ol {{ list-style: {rule} }}") for rule in ("", "none", "square")
    )

    assert say(plain, bare) == [
        'moderate: text "Fruit" and 5 more lost the disc, circle and number before them'
    ]
    assert say(bare, plain) == [
        'moderate: text "Fruit" and 5 more have a disc, circle and number before them that the design does '
        "not have"
    ]
    assert say(plain, square) == [
        'moderate: text "Fruit" and 5 more have a square instead of a disc, circle and number'
    ]


def test_markers_of_another_color_are_told(say: Say) -> None:
    page = "<style>li::marker { color: {} }</style><ul><li>Rinse<li>Soak<li>Drain</ul>"

    found = say(page.replace("{}", "#c00"), page.replace("{}", "#000"))

    assert found[0] == 'minor: text "Rinse" and 2 more have a marker of #000000 instead of #cc0000'


def test_all_labels_that_are_aligned_otherwise_count_and_do_not_move_besides(say: Say) -> None:
    rows = [("First name", "Last name"), ("Street",), ("Town", "Zip", "State"), ("Card number",)]
    fields = "".join(
        "<div style='display: flex; gap: 20px; width: 700px'>"
        + "".join(f"<label style='flex: 1 1 0; min-width: 0'>{one}<input></label>" for one in row)
        + "</div>"
        for row in rows
    )
    style = "<style>label {{ text-align: {} }} input {{ display: block; width: 100%; height: 36px }}</style>"
    found = say(style.format("left") + fields, style.format("right") + fields)
    assert found[0] == 'serious: text "Card number" and 6 more are right-aligned instead of left-aligned'
    assert not [one for one in found if " moved " in one]


def test_a_bullet_is_no_part_of_a_text_that_moved(say: Say) -> None:
    items = "<style>li::marker {{ color: {} }}</style><ul><li>Anger Management<li>Anxiety</ul>"
    found = say(items.format("#903"), f"<p>Moved</p>{items.format('#000')}")
    assert [one for one in found if 'text "Moved" at 20, ' in one and "is not in the design" in one]
    assert not [one for one in found if " left" in one]


def test_a_box_within_a_text_does_not_cut_it(say: Say) -> None:
    style = "display: inline-block; background: #eee; padding: 2px 6px"
    text = "<p>Read the {} before you start the engine of this car.</p>"
    found = say(text.format(f"<span style='{style}'>manual</span>"), text.format("manual"))
    assert 'minor: box "manual" lost its fill' in found
    assert not [one for one in found if "reads" in one or "is set" in one or "before you" in one]


def test_an_icon_that_is_paler_is_neither_missing_nor_another_one(say: Say) -> None:
    icon = (
        "<a href=x><svg width=24 height=24 style='background: #4e73df' viewBox='0 0 24 24'>"
        "<path fill='{}' d='M4 4h16v4H4zM4 12h10v8H4z'/></svg> Board</a>"
    )
    assert say(icon.format("#fff"), icon.format("#8ea5ea"))[0] == (
        'moderate: icon "Board" is #8ea5ea instead of #ffffff'
    )


def test_a_banner_over_a_panel_does_not_stand_for_it(say: Say) -> None:
    hero = (
        "<div style='background: #246; color: #fff; padding: 40px; height: 260px'>"
        "<h2>Sleep under the stars</h2><p>Up to half off until Sunday</p></div>"
    )
    banner = (
        "<div style='position: fixed; left: 0; top: 100px; width: 100%; height: 300px; background: #fc0; "
        "padding: 20px'>We use cookies</div>"
    )
    found = say(hero, hero + banner)
    assert found[0] == 'serious: panel "We use cookies" is not in the design, and covers 4 things'
    assert not [one for one in found if 'panel "Sleep under the stars"' in one]


def test_a_picture_below_another_tint_may_be_the_same(say: Say) -> None:
    def hero(shapes: str, tint: str) -> str:
        drawing = (
            f"<rect width='600' height='300' fill='%23357'/>{shapes}<rect width='600' height='300' {tint}/>"
        )
        svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='600' height='300'>{drawing}</svg>"
        return f'<img alt="Sea" src="data:image/svg+xml,{svg}">'

    dark, light = "fill='black' opacity='0.5'", "fill='white' opacity='0.5'"
    waves, hills = (
        "".join(f"<circle cx='{x}' cy='{y}' r='{9 + x % 40}' fill='%23cde'/>" for x, y in places)
        for places in (
            [(at * 37 % 600, at * 71 % 300) for at in range(60)],
            [(at * 53 % 600, at * 29 % 300) for at in range(60)],
        )
    )
    (same,) = [one for one in say(hero(waves, dark), hero(waves, light)) if "something else" in one]
    assert same.startswith('serious: picture "Sea" shows something else, or the same in other colors, mostly')
    (other,) = [one for one in say(hero(waves, dark), hero(hills, light)) if "something else" in one]
    assert other.startswith('serious: picture "Sea" shows something else, mostly')


def test_a_picture_is_missing_and_not_blank_where_a_card_took_its_place(say: Say) -> None:
    style = "background: #fff; border: 1px solid #ccc; padding: 20px; width: 260px; margin-left: 640px"
    found = say(stripes(900, 220), f"<div style='{style}'><b>Tasks</b><p>Half done</p></div>")
    assert "critical: picture 900 x 220 at 20, 131 is missing" in found
    assert "serious: panel 260 x 122 at 660, 131 is not in the design, with 2 texts" in found
    assert not [one for one in found if "blank" in one]


def test_a_panel_that_is_gone_has_not_the_color_of_what_lies_there(say: Say) -> None:
    ground = "<style>body { background: #fdf6ea }</style>"
    panel = "<div style='background: #fff; width: 900px; height: 236px'></div>"
    square = "<div style='margin-left: 350px; width: 200px; height: 200px; background: #1c10f6'></div>"
    found = say(ground + panel, ground + square)
    assert "moderate: panel 900 x 236 at 20, 131 is missing" in found
    assert not [one for one in found if "instead of #ffffff" in one]


def test_a_label_is_missing_and_not_an_empty_cell_beside_it(say: Say) -> None:
    style = "<style>th { width: 30px; height: 40px; background: #fdb; padding: 0 }</style>"
    label = "<span style='background: #fb9'>-4</span>"
    found = say(f"{style}<p>{label} in May</p>", f"{style}<table><tr><th></table><p>-4 in May</p>")
    assert 'minor: box "-4" lost its fill' in found
    assert not [one for one in found if 'box "-4" is ' in one]


def test_a_picture_that_is_cut_no_more_is_stretched_and_shows_nothing_else(say: Say, tmp_path: Path) -> None:
    rows, columns = np.indices((190, 200))
    levels = (rows // 17 * 40 + columns // 13 * 70) % 256
    picture = Screenshot.of_pixels(np.stack([levels, levels // 2, 255 - levels], axis=2).astype(np.uint8))
    (tmp_path / "tent.png").write_bytes(picture.png)
    tent = "<img src='tent.png' alt='Tent' style='width: 200px; height: 200px; object-fit: {}'>"
    found = say(tent.format("cover"), tent.format("fill"), tmp_path)
    assert found[0] == 'serious: picture "Tent" is stretched'
    assert not [one for one in found if "something else" in one]


def test_a_pale_text_has_the_color_that_shows(say: Say) -> None:
    """Its style's is mixed with what is behind it."""
    text = "<p style='background: #fff; color: {}'>Read the whole story of it</p>"
    found = say(text.format("rgb(40 80 120 / 0.8)"), text.format("rgb(200 60 60)"))
    assert "is #c83c3c on #ffffff" in found[0]
    assert "instead of #537393 on #ffffff" in found[0]


def test_what_most_of_a_text_is_written_in_is_not_that_of_all(say: Say) -> None:
    page = "<h1 style='font-size: 40px'>News</h1>" + "<p style='font-size: {0}'>{1}</p>" * 2
    story = "It rained for a week, and nobody in town had seen that since the old bridge was built. " * 3
    found = say(page.format("14px", story), page.format("18px", story))
    assert found[0] == "serious: most text is 18 px instead of 14 px"


def test_a_picture_of_one_color_elsewhere_and_of_another_size_is_not_missing(say: Say) -> None:
    drawn = "<svg xmlns='http://www.w3.org/2000/svg' width='147' height='147'>{}</svg>"
    blue = f"data:image/svg+xml,{drawn.format('<path fill=%22%231c10f6%22 d=%22M0 0h147v147H0z%22/>')}"
    design = f'<a href="#"><img alt="" src="{blue}" style="display: block; margin-top: 500px"></a>'
    found = say(
        design, "<div style='width: 300px; height: 200px; background: #00f; margin-left: 200px'></div>"
    )
    assert not found.kinds & {"missing", "extra"}, found
    assert [one for one in found if "picture 147 x 147" in one and "is 300 x 200 instead of 147 x 147" in one]


def test_fields_without_names_are_known_by_the_words_before_them(say: Say) -> None:
    def form(*names: str, width: int) -> str:
        rows = "".join(f"<tr><td>{name}<td><input style='width: {width}px'>" for name in names)
        return f"<table cellpadding=9>{rows}</table>"

    found = say(form("Account", "Voucher", "Street", width=160), form("Street", "Account", width=300))
    lost = [one for one in found if "text field" in one and "missing" in one]
    assert lost == ["serious: text field 160 x 21 at 110, 188 is missing"], found


def test_a_button_through_which_a_picture_is_seen_has_another_color(say: Say) -> None:
    def hero(color: str) -> str:
        style = f"opacity: .65; background: {color}; color: #fff; border: 0; width: 200px; height: 60px"
        return (
            f"<div style='position: relative'>{stripes(900, 220)}<button disabled "
            f"style='position: absolute; left: 350px; top: 80px; {style}'>Submit</button></div>"
        )

    found = say(hero("#0d6efd"), hero("#dc3545"))
    assert found[0].startswith('moderate: button "Submit" is #'), found


def test_one_difference_has_no_smaller_ones_beside_it_where_all_else_is_equal(say: Say) -> None:
    card = "<div style='width: 300px; padding: 12px; border: 1px solid #ccc; margin: 12px'><b>{}</b>{}</div>"
    cards = [card.format(name, stripes(270, 90)) for name in ("Tent", "Stove", "Lamp", "Rope")]
    bare = cards[2].replace("display: block", "display: block; opacity: 0")
    (found,) = say("".join(cards), "".join([*cards[:2], bare, cards[3]]))
    assert "is missing" in found


def test_pictures_of_one_size_that_are_missing_are_one_difference(say: Say) -> None:
    items = "".join(f"<p style='display: flex; gap: 8px'>{stripes(60, 60)}Item {at}</p>" for at in range(5))
    bare = "".join(
        f"<p style='padding-left: 68px; height: 60px; margin: 16px 0'>Item {at}</p>" for at in range(5)
    )
    lost = [one for one in say(items, bare) if "missing" in one]
    assert lost == ["serious: picture 60 x 60 at 20, 131 and 4 more are missing"]


def test_paragraphs_that_one_page_has_in_one_piece_read_the_same(say: Say) -> None:
    parts = [
        "Dyed pink, wooden tube beads, and gold pewter spacers.",
        "This listing is for one bracelet. Each is sold by itself.",
        "For sizing measurements, please refer to the Size Chart Page.",
    ]
    apart = "<div style='width: 500px'>" + "".join(f"<p>{one}</p>" for one in parts)
    whole = f"<p style='width: 500px'>{'<br><br>'.join(parts)}</p><p>Size:</p>"
    for pages in ((apart, whole), (whole, apart)):
        assert not [one for one in say(*pages) if "reads" in one]
    found = say(apart, whole)
    assert [one for one in found if 'text "Size:"' in one and "is not in the design" in one]


def test_what_one_page_has_in_one_piece_reads_otherwise_by_what_was_changed(say: Say) -> None:
    apart = "<a style='margin-right: 30px; display: inline-block'>Home</a><span>About | Contact</span>"
    found = say(f"<nav><div style='float: left'>{apart}", "<nav>Home About Contact</nav>")
    assert [one for one in found if 'text "Home About | Contact" reads "Home About Contact"' in one]
    assert not [one for one in found if 'text "About | Contact"' in one or "not in the design" in one]


def test_a_dash_before_a_word_of_code_is_the_same_in_another_color(say: Say) -> None:
    code = "<pre style='font: 14px monospace'>{0}zones:{1}\n{0}        -{1} us-west{0}-2{1}a\n</pre>"
    found = say(code.format("<span style='color: #08c'>", "</span>"), code.format("", ""))
    assert not [one for one in found if "reads" in one]
    assert [one for one in found if "reads" in one] != say(code.format("", ""), code.format("", "x"))


def test_a_panel_within_another_one_is_there_where_its_texts_lie_on_its_color(say: Say) -> None:
    words = "<p>Quick links</p><p>Fintech Express brings you the news.</p>"
    style = "<style>div { color: #fff; padding: 60px 0 } .in { background: #2d2d2d }</style>"
    nested = f"{style}<div style='background: #222'><div class=in>{words}</div></div>"
    larger = "<div style='background: {}; padding: {}px 0'>" + words + "</div>"
    for color, lost in (
        ("#333", []),
        ("#933", ["serious: panel 1240 x 216 at 20, 191 is #993333 instead of #2d2d2d"]),
    ):
        found = say(nested, style + larger.format(color, 130))
        assert [one for one in found if "panel 1240 x 216" in one and "instead of #" in one] == lost


def test_the_color_of_a_faded_button_s_text_is_the_one_that_shows(say: Say) -> None:
    style = "opacity: .5; border: 0; padding: 20px; font: bold 30px sans-serif; background: #0d6efd"
    button = f"<div style='{style}; color: {{}}'>Submit order</div>"
    (found,) = [one for one in say(button.format("#fff"), button.format("#200")) if '"Submit order"' in one]
    assert "is #8f7e7e on #85b5fd" in found, found
    assert "instead of #ffffff on #85b5fd" in found, found


def test_a_page_that_is_nearly_empty_is_called_so(say: Say) -> None:
    texts = ("Tents for two", "Rope and stove", "Lamps of all sizes", "Boots and bags")
    found = say("".join(f"<p>{one}</p>" for one in texts), "<style>h1, p { display: none }</style>Loading…")
    assert found[0] == "critical: the page is nearly empty (1 text): 6 of 6 texts of the design are missing"
    found = say(
        "".join(f"<p>{one}</p>" for one in texts),
        "<style>h1, p { display: none }</style><div>Privacy</div><div>Imprint</div><div>Terms of use</div>",
    )
    assert found[0].startswith("critical: the page has other texts: ")


def test_a_text_of_several_sizes_has_sizes_that_it_is_written_in(say: Say) -> None:
    text = "<p><span style='font-size: {}px'>FETCH</span> <span style='font-size: {}px'>5.8</span></p>"
    found = say(text.format(24, 18), text.format(40, 32))
    assert [one for one in found if 'text "FETCH 5.8"' in one and "instead" in one] == [
        'moderate: text "FETCH 5.8", in its part "FETCH", is 40 px instead of 24 px'
    ]


def test_a_dark_ground_around_a_light_card_is_no_dark_theme(say: Say) -> None:
    style = "<style>body {{ background: {0} }} h1, p {{ background: #fff; color: {1}; margin: 0 }}</style>"
    rows = "".join(f"<p style='width: 700px'>Item {at} of the cart</p>" for at in range(6))
    found = say(style.format("#fff", "#353535") + rows, style.format("#333", "#000") + rows)
    assert not [one for one in found if "theme" in one]
    assert [one for one in found if "ground of the page (background) is #333333 instead of #ffffff" in one]
    turned = say(
        style.format("#fff", "#353535") + rows, style.replace("#fff", "#333").format("#333", "#eee") + rows
    )
    assert [one for one in turned if "the theme is dark instead of light" in one]


def test_texts_that_took_each_others_color_are_not_recolored_alike(say: Say) -> None:
    style = "<style>div {{ background: #6a6 }} .a {{ color: {} }} .b {{ color: {} }}</style>"
    links = "".join(f"<p class=a>{name}</p>" for name in ("Blog", "About", "Apps"))
    texts = f"<div><p class=b>Posted by David on a day in May</p>{links}</div>"
    found = say(style.format("#fff", "#333") + texts, style.format("#333", "#fff") + texts)
    assert 'text "Posted by David on a day in May" and text "Blog" have each other\'s color' in found[0]
    assert not [one for one in found if " more " in one]


def test_the_ground_of_a_page_is_what_no_panel_covers_though_it_is_less(say: Say) -> None:
    band = "<div style='height: 560px; background: #000'></div><p>Imprint and contact</p>"
    found = say(band, "<style>body { background: #ddd }</style><p>Imprint and contact</p>")
    assert [one for one in found if "ground of the page" in one] == [
        "moderate: ground of the page (background) is #dddddd instead of #ffffff"
    ]


def test_a_link_in_a_bar_of_its_color_is_not_plain_text(say: Say) -> None:
    tags = "<style>a { display: inline-block; padding: 0 8px; background: #fc0; color: #222 }</style>"
    words = "<a href='#'>Facts on India</a> <a href='#'>Years</a>"
    bar = "<div style='background: #fc0; padding: 6px'>" + words + "</div>"
    found = say(tags + f"<p>{words}</p>", tags.replace("background: #fc0; ", "") + bar)
    assert ("resized", "control", "size") in found.facts
    assert not {(kind, what) for kind, what, _ in found.facts} & {
        ("restyled", "control"),
        ("missing", "control"),
    }


def test_what_only_stands_on_another_ground_follows_from_the_theme(say: Say) -> None:
    def page(ground: str, ink: str) -> str:
        style = f"body {{ background: {ground}; color: {ink} }} section {{ border-bottom: 1px solid #789 }}"
        drawing = "<path d='M10 90L60 30L110 70L190 10' stroke='#2f81f7' stroke-width='3' fill='none'/>"
        chart = f"<svg width='200' height='100'>{drawing}</svg>"
        texts = "".join(f"<p>Item {name}</p>" for name in ("one", "two", "three", "four"))
        return f"<style>{style}</style><section>{chart}</section>{texts}"

    found = say(page("#ffffff", "#111111"), page("#10141c", "#eeeeee"))
    assert found[0].startswith("critical: the theme is dark instead of light"), found
    assert not [one for one in found if "something else" in one or "lost its" in one], found


def test_a_border_of_the_color_of_its_fill_is_not_lost(say: Say) -> None:
    radio = "<input type='radio' checked style='appearance: none; width: 16px; height: 16px; {}'>"
    drawn = "background: #0d6efd; border: 1px solid #0d6efd; border-radius: "
    found = say(radio.format(drawn + "50%"), radio.format(drawn + "0"))
    assert found.facts == {("unexplained", "page", "look")}


def test_pictures_of_one_color_that_touch_are_not_missing(say: Say) -> None:
    def row(gap: int, width: int, height: int) -> str:
        image = f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>"
        image += f"<path fill='%231c10f6' d='M0 0h{width}v{height}H0z'/></svg>"
        cards = "".join(
            f"<div style='width: {width}px; font-size: 12px'><img alt='' style='display: block' "
            f'src="data:image/svg+xml,{image}">{name}</div>'
            for name in ("Pumpkin", "Squirrel", "Harvest", "Vase")
        )
        return f"<div style='display: flex; gap: {gap}px'>{cards}</div>"

    found = say(row(40, 190, 187), row(0, 150, 200))
    assert ("resized", "picture", "size") in found.facts
    assert not found.kinds & {"missing", "extra"}, found


def test_of_a_text_of_two_sizes_the_part_that_changed_is_named(say: Say) -> None:
    line = (
        "<p><b style='font-size: 24px'>tradingcards.com</b> <span style='font-size: {}px'>EXPIRED</span></p>"
    )
    found = say(line.format(24), line.format(16))
    assert found == [
        'moderate: text "tradingcards.com EXPIRED", in its part "EXPIRED", is 16 px instead of 24 px'
    ]

    words = "<p>All of <span style='font-weight: {}'>this part of it</span> is due in May.</p>"
    found = say(words.format(400), words.format(700))
    assert [one for one in found if 'May.", in its part "this part of it", is bold' in one], found


def test_the_place_of_what_differs_is_one_of_both_pages(say: Say) -> None:
    """A page that is wider, with less at its end, differs nowhere most of all."""
    boxes = "".join(
        f"<div style='float: left; width: 200px; height: 300px; margin: 8px; background: {color}'></div>"
        for color in ("#fc0", "#06a", "#a30", "#383")
    )
    grid = f"<div style='height: 700px'>{boxes}</div><div style='background: #fed; height: 300px'></div>"
    found = say(grid, grid.replace("margin: 8px", "margin: 8px 90px").replace("height: 300px'></", "'></"))
    (whole,) = [one for one in found if "as a whole" in one]
    assert whole.endswith(")")

    bar = "<div style='height: 36px; background: #fc0'></div>"
    (whole,) = [one for one in say("", bar) if "as a whole" in one]
    assert ", most of all in its " in whole


def test_a_drawing_that_lost_all_but_its_lines_is_blank_and_of_no_other_size(say: Say) -> None:
    bars = "".join(
        f"<path d='M{x} 140V{x % 90}' stroke='#36c' stroke-width='20'/>" for x in range(30, 500, 40)
    )
    chart = (
        "<svg width='500' height='150' style='display: block'><path d='M0 60H500M0 140H500' stroke='#eef'/>{}"
    )
    found = say(chart.format(bars) + "</svg>", chart.format("") + "</svg>")
    assert "is a plain #ffffff area, or nearly: it is blank" in found[0], found
    assert not [one for one in found if " instead of " in one], found


def test_texts_apart_that_stand_beside_each_other_now_are_still_two(say: Say) -> None:
    words = "<span style='font-size: {}px'>Polaris</span> <span style='font-size: {}px'>Contacts</span>"
    found = say(
        f"<p style='display: flex; justify-content: space-between'>{words.format(24, 20)}</p>",
        f"<p style='text-align: right'>{words.format(16, 16)}</p>",
    )
    assert [one for one in found if 'text "Polaris" is 16 px instead of 24 px' in one], found
    assert not [one for one in found if '"Polaris Contacts"' in one], found


def test_a_text_is_no_other_one_before_it_that_has_words_in_common(say: Say) -> None:
    trail = "<p style='display: flex; gap: 60px'><span>USA</span><span>SOUTH COUNTY</span></p>"
    list_of_tours = "<h2>List of tours in the South</h2>"
    heading = "<h3 style='margin-top: 90px'>SOUTH COUNTY ROAD TOURS</h3>"
    story = "<p>Discover the county on one of these six tours by bike.</p>"
    found = say(
        trail + list_of_tours + heading + story,
        "<p>// USA / SOUTH COUNTY</p>" + list_of_tours + "<p>South County</p>" + story,
    )
    assert [one for one in found if 'text "SOUTH COUNTY ROAD TOURS"' in one and "is missing" in one], found
    assert not [one for one in found if '"SOUTH COUNTY ROAD TOURS" reads' in one], found


def test_what_two_fonts_of_few_texts_are_is_not_said_of_all(say: Say) -> None:
    menu = (
        "<div style='font-size: {}px'>"
        + f"<p>{'Home, news, contacts of every kind. ' * 5}</p>" * 2
        + "</div>"
    )
    stories = ("It rained for a week in the old town. ", "Lorem ipsum dolor sit amet, and so on. ")
    design, made = (f"<p>{one * 9}</p><p>{one[::-1] * 9}</p>" for one in stories)
    found = say(menu.format(18) + design, menu.format(14) + made)
    assert [one for one in found if 'text "Home, news' in one and "are 14 px instead of 18 px" in one], found
    assert not [one for one in found if "all text" in one or "most text" in one], found


def test_a_field_that_looks_like_a_button_is_that_button_elsewhere(say: Say) -> None:
    field = "<p><input style='width: 400px'> <input style='background: #ddd; border: 0; width: 190px'></p>"
    button = (
        "<p>For all</p><input style='width: 300px'><br><button style='background: #d3d3d3'>Search</button>"
    )
    found = say("<p style='height: 300px'>For all</p>" + field, button)
    assert "serious: text field 190 x 17 at 424, 451 is 58 x 21 instead of 190 x 17" in found
    assert "missing" not in found.kinds
    assert [fact for fact in found.facts if fact[0] == "extra"] == [("extra", "text", None)]


def test_a_button_says_the_same_whatever_its_tag(say: Say) -> None:
    style = "style='background: {}; border: 0; padding: 8px 20px; color: {}'"
    typed = f"<p><input type=submit value=Login {style.format('#ddd', '#111')}></p>"
    found = say(typed, f"<p><button {style.format('#666', '#fff')}>Login</button></p>")
    assert [one for one in found if 'button "Login" is #666666 instead of #dddddd' in one], found
    assert not [one for one in found if "missing" in one or "no text" in one], found


def test_of_things_of_one_name_the_one_that_is_missing_is_named_by_its_place(say: Say) -> None:
    button = "<button style='background: #06c; color: #fff; border: 0; padding: 8px'>Sign in</button>"
    bar = f"<p style='text-align: right'>{button}</p>"
    found = say(bar + f"<p>{button}</p>", f"<p style='height: 30px'></p><p>{button}</p>")
    lost = [one for one in found if "button" in one and "missing" in one]
    assert len(lost) == 1, found
    assert 'button "Sign in" at 1' in lost[0], lost


def test_a_panel_is_not_called_by_what_an_inner_panel_is_called(say: Say) -> None:
    inner = "<h2 style='background: #e14; color: #fff; margin: 0; padding: 20px'>Producers</h2><p>Name</p>"
    form = "<section style='background: {}; padding: 0 0 90px'>{}</section>"
    found = say(form.format("#eef4d8", inner), form.format("#fff", inner))
    assert "serious: panel 1240 x 222 at 20, 131 lost its fill" in found
    assert found.facts == {("restyled", "panel", "marks")}


def test_other_icons_beside_numbers_are_not_missing(say: Say) -> None:
    def page(drawing: str, name: str, gap: int) -> str:
        icon = f"<svg width='15' height='15' style='margin-right: 9px'><path d='{drawing}'/></svg>"
        rows = (
            f"<p style='margin: {gap}px 0'><a href='#' {name}>{icon}{number}</a> of us</p>"
            for number in (7, 12, 5)
        )
        return "".join(rows)

    found = say(page("M2 13L7 2L12 13z", "", 20), page("M1 6h13v4H1z M9 1v13", "aria-label='Upvote'", 75))
    assert ("icon", "picture", "picture") in found.facts
    assert not found.kinds & {"missing", "extra"}, found


def test_a_picture_of_one_color_is_there_in_a_like_tint_and_far_away(say: Say) -> None:
    image = "<svg xmlns='http://www.w3.org/2000/svg' width='220' height='200'>"
    image += "<path fill='%231c10f6' d='M0 0h220v200H0z'/></svg>"
    picture = f"<img alt='' src=\"data:image/svg+xml,{image}\" style='display: block; margin-left: {{}}px'>"
    box = "<div style='width: 170px; height: 150px; background: #000080'></div>"
    found = say("<p style='height: 700px'>Code</p>" + picture.format(900), box + "<p>Code</p>")
    assert [one for one in found if "moved 900 px left" in one and "is 170 x 150 instead of 220 x 200" in one]
    assert not found.kinds & {"missing", "extra"}, found


def test_which_of_several_is_missing_is_not_said_where_others_moved(say: Say) -> None:
    def page(indents: tuple[int, ...]) -> str:
        image = "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='70'>"
        image += "<path fill='%231c10f6' d='M0 0h90v70H0z'/></svg>"
        rows = (
            f"<div style='margin: 20px {indent}px'><img alt='' style='display: block' "
            f'src="data:image/svg+xml,{image}"><p>SHARE</p></div>'
            for indent in indents
        )
        return "".join(rows)

    found = say(page((0, 300, 40)), page((120, 90)))
    assert [one for one in found if "1 of 3 pictures 90 x 70 is missing" in one], found
    assert [one for one in found if '1 of 3 texts "SHARE" is missing' in one], found

    found = say(page((0, 300, 40)), page((0, 300)))
    assert [one for one in found if "picture 90 x 70 at 60, " in one and "is missing" in one], found


def test_texts_of_one_color_on_several_grounds_are_not_said_to_lie_on_one(say: Say) -> None:
    rows = "".join(
        f"<p style='background: {ground}; color: {{0}}'>Item {ground}</p>"
        for ground in ("#f0e6d9", "#fff", "#fed", "#def", "#efd")
    )
    found = say(rows.format("#405060"), rows.format("#a04060"))
    assert [one for one in found if "and 4 more are #a04060 instead of #405060" in one], found


def test_a_placeholder_that_is_cut_off_is_not_set_narrower(say: Say) -> None:
    field = "<input placeholder='Code of the coupon' style='width: {}px; font: 16px sans-serif'>"
    found = say(field.format(300), field.format(80))
    assert not [one for one in found if "letter spacing" in one], found

    text = "<p style='letter-spacing: {}'>Code of the coupon</p>"
    found = say(text.format("0"), text.format("2px"))
    assert [one for one in found if "is set wider (letter spacing)" in one], found


def test_a_bar_that_shrank_in_its_place_is_not_missing(say: Say) -> None:
    bar = "<p>Half of it</p><div style='height: 8px; width: {}px; background: #9ab'></div>"
    found = say(bar.format(140), bar.format(14))
    assert [one for one in found if "is 14 px wide instead of 140 px" in one], found
    assert "missing" not in found.kinds, found


def test_a_picture_with_a_name_of_its_own_is_there_in_any_size(say: Say) -> None:
    drawing = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><circle cx='20' cy='20' r='15'/></svg>"
    )
    image = f'<img alt="Portrait of Kim" width="{{}}" src="data:image/svg+xml,{drawing}">'
    found = say(f"<p style='text-align: right'>{image.format(40)}</p>", f"<p>{image.format(700)}</p>")
    assert found[0] == 'serious: icon "Portrait of Kim" is 700 x 700 instead of 40 x 40'
    assert not found.kinds & {"missing", "extra"}, found


def test_a_framed_box_stands_for_a_search_field(say: Say) -> None:
    style = (
        "style='width: {}px; height: 38px; border: 1px solid #999; margin-left: {}px; box-sizing: border-box'"
    )
    found = say(f"<input {style.format(400, 0)}>", f"<div {style.format(320, 600)}></div>")
    assert found.facts == {("moved", "control", "place"), ("resized", "control", "size")}


def test_bars_of_the_grounds_color_are_not_the_ground(say: Say) -> None:
    bar = "<div style='margin: 0 -20px; height: {}px; background: {}'></div>"
    design = bar.format(240, "#353535") + "<p>Imprint</p>" + "<br>" * 16 + bar.format(90, "#353535")
    panel = "<div style='margin: 0 -20px; height: 640px; background: #f4f4f4'><p>Imprint</p></div>"
    style = "<style>body { margin: 0 20px; background: #333 } h1, p { color: #fff; margin: 0 }</style>"
    found = say(
        design, style + "<div style='height: 180px'></div>" + panel + "<div style='height: 90px'></div>"
    )
    assert ("missing", "panel", None) in found.facts
    assert not [fact for fact in found.facts if fact[:2] == ("ground", "page")]

    found = say("<p>Imprint</p>", style + "<p>Imprint</p>")
    assert ("ground", "page", "theme") in found.facts


def test_lines_of_one_text_are_found_where_each_stands_by_itself(say: Say) -> None:
    address = "<p>Margoldová Jana<br>Předvoje 430/22</p>"
    garbled = "<p>MargoldovÃ¡ Jana</p><p style='margin-top: 60px'>PÅ™edvoje 430/22</p>"
    found = say(address, garbled)
    broken = 'show broken characters, such as "Ã¡" instead of "á" (character set)'
    assert found[0] == f'serious: text "Margoldová Jana" and 1 more {broken}'
    assert not found.kinds & {"missing", "extra"}


def test_round_links_that_became_squares_are_there_and_which_is_missing_is_not_known(say: Say) -> None:
    colors = ("#3b579d", "#55acee", "#cf2727", "#c82a9c")
    style = "display: inline-block; width: {0}px; height: {0}px; margin-right: 8px; background: {1}"
    links = "".join(
        f"<a href=# style='{style.format(30, color)}; border-radius: 50%'></a>" for color in colors
    )
    square = f"<div style='{style.format(25, '#1c10f6')}'></div>"
    found = say(links, f"<div style='margin-left: 60px'>{square * 3}</div>")
    assert [one for one in found if "1 of 4 links 30 x 30 is missing" in one]
    assert not [one for one in found if "link 30 x 30 at" in one and "missing" in one]


def test_a_picture_of_one_color_below_the_words_of_a_panel_is_not_missing(say: Say) -> None:
    picture = "<img alt='' style='display: block; {}; background: #1c10f6'>"
    design = "<div style='height: 90px'></div>" + picture.format("width: 227px; height: 224px")
    panel = "<div style='position: absolute; left: 500px; top: 0; width: 200px; background: #a8c93a'>{}</div>"
    under = "<div style='position: absolute; left: 600px; top: 30px; width: 200px; height: 150px; {}'></div>"
    news = "<p style='padding-left: 110px'>News of all that is on</p>"
    found = say(design, under.format("background: #1e31c4") + panel.format(news))
    both = "moved 580 px right and 191 px up, and is 200 x 150 instead of 227 x 224"
    assert f"serious: picture 227 x 224 at 20, 221 {both}" in found
    assert "missing" not in found.kinds


def test_links_that_became_one_bar_in_a_like_tint_have_their_fill(say: Say) -> None:
    style = "<style>a { color: #000; background: #fec606 } div.bar { background: #f0ad4e }</style>"
    names = ("Facts on India", "General Knowledge", "Years")
    links = "".join(f"<a href=#>{name}</a>" for name in names)
    found = say(style + links, f"{style}<div class=bar style='margin-left: 30px'>{' '.join(names)}</div>")
    assert ("extra", "panel", None) in found.facts
    assert not found.kinds & {"missing", "restyled", "recolored"}


def test_a_panel_on_a_page_of_its_own_color_has_its_fill(say: Say) -> None:
    panel = "<div style='width: 500px; height: 300px; background: #fff{}'><p>Terms of use</p></div>"
    style = "<style>body { background: #e9e9e9 }</style>"
    found = say(style + panel.format(""), panel.format("; box-shadow: 0 0 12px rgba(0, 0, 0, .4)"))
    assert [one for one in found if "has a shadow that the design does not have" in one]
    assert not [one for one in found if "lost its" in one]


def test_a_menu_with_signs_between_its_links_is_not_extra(say: Say) -> None:
    names = ("Blogs", "Gallery", "Library", "Shop", "Members", "Help")
    menu = "".join(f"<a href=# style='margin-right: 30px'>{name}</a>" for name in names)
    found = say(menu, f"<p>Library</p><p style='margin: 90px 0 0 300px'>{' | '.join(names)}</p>")
    assert [one for one in found if 'text "Library" moved' in one]
    assert not found.kinds & {"missing", "extra"}


def test_a_logo_with_hidden_words_is_not_the_link_that_reads_so(say: Say) -> None:
    style = "display: block; width: 160px; height: 67px; border: 1px solid #888; text-indent: -9999px"
    logo = f"<a href=# style='{style}; overflow: hidden'>Funny Jokes</a>"
    menu = "<p><a href=#>Funny Jokes</a> <a href=#>News</a></p>"
    found = say(logo + menu, menu)
    assert [one for one in found if "link 160 x 67 at" in one and "missing" in one]
    assert not [one for one in found if 'link "Funny Jokes"' in one]


def test_rows_that_moved_are_boxes_and_no_controls(say: Say) -> None:
    rows = "".join(
        f"<li style='height: 40px; border: 1px solid #888'>Item {at} of it</li>" for at in range(5)
    )
    page = "<ul style='width: 280px; padding: 0; list-style: none; margin-left: {}px'>{}</ul>"
    found = say(page.format(0, rows), page.format(300, rows))
    assert not [one for one in found if "control" in one]
    assert [one for one in found if "5 boxes" in one]


def test_a_price_that_is_not_struck_through_any_more_is_reported(say: Say) -> None:
    price = "<p style='color: #667'><span style='text-decoration: {}'>$50.00</span> $25.00</p>"
    found = say(price.format("line-through"), price.format("none"))
    assert found[0] == 'serious: text "$50.00 $25.00", in its part "$50.00", is not struck through'

    found = say(price.format("none"), price.format("line-through"))
    assert found[0] == 'serious: text "$50.00 $25.00", in its part "$50.00", is struck through'


def test_lines_below_words_and_slanted_words_are_reported(say: Say) -> None:
    link = "<p><a href=# style='color: #246; text-decoration: {}'>Terms of delivery</a></p>"
    found = say(link.format("underline"), link.format("none"))
    assert found == ['minor: text "Terms of delivery" is not underlined']

    found = say(link.format("none"), link.format("none; font-style: italic"))
    assert found[0] == 'minor: text "Terms of delivery" is italic'
    assert not [one for one in found if "typeface" in one]

    code = "<p style='font: 16px monospace; letter-spacing: {}'><b>total</b><i>=</i><b>7</b><u>-</u>$5</p>"
    found = say(code.format(0), code.format("2px"))
    assert not [one for one in found if "struck" in one or "underlined" in one], found

    bar = "<p>Issues</p><div style='height: 40px; margin-top: {}px; background: #700'></div><p>End of it</p>"
    found = say(bar.format(0), bar.format(-28))
    assert not [one for one in found if "struck" in one], found

    # What is behind words has lines, too, and is not a line of theirs.
    striped = "<p style='background: repeating-linear-gradient(#fff 0 9px, #246 9px 11px)'><b>{}</b></p>"
    found = say(striped.format("Wait"), striped.format("<i>Wait</i>"))
    assert not [one for one in found if "struck" in one or "underlined" in one]


def test_a_panel_whose_gradient_has_other_colors_is_reported(say: Say) -> None:
    bar = "<div style='height: 300px; background: linear-gradient({})'><b style='color: #fff'>Menu</b></div>"
    found = say(bar.format("#4e73df, #224abe"), bar.format("#1cc88a, #13855c"))
    assert "is a gradient from #" in found[0]
    assert " instead of a gradient from #" in found[0]

    # The same colors the other way round.
    found = say(bar.format("#4e73df, #224abe"), bar.format("to top, #4e73df, #224abe"))
    assert not [one for one in found if "gradient" in one]


def test_a_field_of_which_a_line_is_drawn_is_a_field(say: Say) -> None:
    field = "<p><input aria-label='Phone' style='border: 0; border-bottom: 1px solid #889; width: 300px'></p>"
    found = say(field, "")
    assert 'serious: text field "Phone" is missing' in found


def test_a_pale_pill_did_not_lose_its_border(say: Say) -> None:
    pill = (
        "<a href=# style='display: block; padding: 12px; border-radius: 160px; border: 1px solid #4e73df; "
        "background: #4e73df; color: #fff; text-align: center; opacity: {}'>Register account</a>"
    )
    found = say(pill.format(1), pill.format(0.65))
    assert not [one for one in found if one.endswith(" ")], found
    assert [one for one in found if "is at 65% instead of 100% (opacity)" in one], found


def test_a_turned_heading_is_in_its_typeface(say: Say) -> None:
    heading = "<h2 style='width: 400px; transform: rotate({}deg)'>About the shop</h2>"
    found = say(heading.format(0), heading.format(4))
    assert not [one for one in found if "typeface" in one], found
    assert 'minor: text "About the shop" looks different' in found


def test_lines_that_run_the_other_way_are_horizontal(say: Say) -> None:
    page = "<div style='writing-mode: {}; height: 260px; font-size: 20px'>Night boats to the islands</div>"

    found = say(page.format("vertical-rl"), page.format("horizontal-tb"))

    assert found[0] == 'serious: text "Night boats to the islands" is horizontal instead of vertical'


def test_lost_blanks_at_the_start_of_a_line_of_code_are_told(say: Say) -> None:
    page = "<pre style='padding: 14px'>for w in row:\n{}cols += [w]\n    return cols</pre>"

    assert say(page.format(" " * 8), page.format(" " * 4)) == [
        'moderate: text "for w in row: cols += [w] return cols" has line 2 indented by 4 letters instead of 8'
    ]


LOGO = (
    "<img alt=Acme width=72 height=72 src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' "
    "width='72' height='72'><circle cx='30' cy='30' r='20' fill='crimson'/>"
    "<path d='M10 70 70 10' stroke='navy' stroke-width='6'/></svg>\">"
)


def test_a_picture_that_lost_the_panel_behind_it_is_the_same_picture(say: Say) -> None:
    page = "<div style='{}padding: 20px'>" + LOGO + "</div>"

    found = say(page.format("background: #f7e3d2; "), page.format(""))

    assert found[0].startswith("serious: panel ")
    assert found[0].endswith(" is missing")
    assert not any("Acme" in sentence for sentence in found)


def test_the_part_of_a_picture_that_changed_has_a_place(say: Say) -> None:
    chart = '<img alt=Chart width=300 height=200 src="data:image/svg+xml,{}">'.format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200' fill='navy'>"
        "<rect width='300' height='200' fill='lavender'/>"
        "<rect x='30' y='160' width='50' height='40'/>{}</svg>"
    )

    found = say(chart.format("<rect x='190' y='60' width='50' height='140'/>"), chart.format(""))

    # 50 x 140 of 300 x 200 px
    assert found == [
        'serious: picture "Chart" looks different at the right, in 12% of it,'
        " mostly #e6e6fa instead of #000080"
    ]


CLIPPED = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(1px, 1px, 1px, 1px)"
MANY_WORDS = " ".join(["The ferry comes back with mail, bread and a band of tired walkers."] * 6)


@pytest.mark.parametrize(
    ("words", "others", "reads"),
    [
        ("Four tides a day.", "Five tides a day.", 'text "Four tides a day." reads "Five tides a day."'),
        (MANY_WORDS, f"{MANY_WORDS} Today", 'reads "…and a band of tired walkers. Today"'),
    ],
)
def test_a_copy_for_screen_readers_is_told_as_little_as_it_is_seen(
    say: Say, words: str, others: str, reads: str
) -> None:
    design, made = (
        f"<p>{text}</p><div style='{CLIPPED}'>Nine of them. {text}</div>" for text in (words, others)
    )

    (found,) = say(design, made)

    assert found.startswith("serious: ")
    assert found.endswith(reads)


PHOTO = LOGO.replace("alt=Acme", "alt='{}'").replace(
    "<circle", "<rect width='72' height='72' fill='tan'/><circle"
)
TRIANGLE = PHOTO.replace(
    "<circle cx='30' cy='30' r='20' fill='crimson'/>", "<path d='M36 4 68 68 4 68z' fill='green'/>"
)
ROUND = "width: 72px; height: 72px; border-radius: 50%; overflow: hidden"
AVATAR = f"<div role=img aria-label='Wen Li' style='{ROUND}'>"
PARCEL = f"<div role=article aria-label='Your parcel' style='{{}}'>{PHOTO.format('')}</div>"


@pytest.mark.parametrize(
    ("design", "made", "first"),
    [
        pytest.param(
            PARCEL.format(""),
            PARCEL.format("filter: hue-rotate(180deg)"),
            'serious: picture "Your parcel" shows something else, or the same in other colors',
            id="in other colors, without a name of its own",
        ),
        pytest.param(
            f"{AVATAR}{PHOTO.format('')}</div>",
            f"{AVATAR}{TRIANGLE.format('')}</div>",
            'serious: picture "Wen Li" shows something else',
            id="another face in a circle that has the name",
        ),
        pytest.param(
            PHOTO.format("Wen Li"),
            TRIANGLE.format("Wen Li"),
            'serious: picture "Wen Li" shows something else',
            id="another face",
        ),
    ],
)
def test_a_picture_that_shows_something_else_is_told_once(
    say: Say, design: str, made: str, first: str
) -> None:
    (found,) = say(design, made)

    assert found.startswith(first)


def test_pictures_that_both_were_not_loaded_are_equal(say: Say) -> None:
    assert say(*(f"{AVATAR}<img src={name}.png alt='' width=72></div>" for name in ("one", "other"))) == []


def test_a_mark_that_is_gone_is_missing_before_its_name_moved(say: Say) -> None:
    row = "<div style='display: flex; gap: 8px; align-items: center'>{}<span>Oldhaven Ferries</span></div>"
    disk = "<svg width=30 height=30><circle cx=15 cy=15 r=15 fill=#0b5fa5 /></svg>"

    found = say(row.format(disk), row.format(""))

    assert found[0].endswith(" is missing")
    assert found[0].startswith("moderate: icon 30 x 30 at 20, ")


PLANS = (
    "<style>button {{ padding: 10px 24px; border: {}; border-radius: 6px; background: {}; font: inherit }}"
    ".on {{ {} }}</style><div style='display: flex; gap: 30px; margin: 20px'>"
    "<button{}>Basic</button><button{}>Team</button><button>Firm</button></div>"
)
FRAMED, FILLED = ("1px solid #888", "#fff"), ("0", "#8bf")


def outline(color: str, offset: int = 3) -> str:
    return f"outline: 2px solid {color}; outline-offset: {offset}px"


def ring(color: str) -> str:
    return f"box-shadow: 0 0 0 2px #fff, 0 0 0 4px {color}"


@pytest.mark.parametrize(
    ("button", "design", "made", "told"),
    [
        (FRAMED, outline("#c00"), "", "lost its outline of 2 px #cc0000"),
        (FILLED, "", ring("#c00"), "has an outline of 2 px #cc0000 that the design does not have"),
        (FILLED, outline("#c00", 9), "", "lost its outline of 2 px #cc0000"),
        (FRAMED, ring("#c00"), ring("#080"), "has an outline of 2 px #008800 instead of 2 px #cc0000"),
        (FRAMED, outline("#c00", 0), "", "lost its outline of 2 px #cc0000"),
        (FILLED, "", outline("#c00", 0), "has an outline of 2 px #cc0000 that the design does not have"),
        (
            FRAMED,
            outline("#c00", 0),
            outline("#080", 0),
            "has an outline of 2 px #008800 instead of 2 px #cc0000",
        ),
        (FRAMED, "", outline("#c00", -2), "has an outline of 2 px #cc0000 that the design does not have"),
        (FILLED, outline("#c00", -4), "", "lost its outline of 2 px #cc0000"),
        (FRAMED, "outline: auto #06c", "", "lost its outline of 2 px #0066cc"),
        (
            FRAMED,
            "",
            "box-shadow: 0 0 0 4px #9cf",
            "has an outline of 4 px #99ccff that the design does not have",
        ),
        (FILLED, "box-shadow: 0 0 0 3px #06c", "", "lost its outline of 3 px #0066cc"),
    ],
)
def test_a_line_around_a_button_and_its_border_is_an_outline(
    say: Say, button: tuple[str, str], design: str, made: str, told: str
) -> None:
    found = say(*(PLANS.format(*button, look, "", " class=on") for look in (design, made)))

    assert found[0] == f'serious: button "Team" {told}'  # It marks one of three.
    assert not [one for one in found[1:] if "button" in one or "something" in one]


def test_the_outline_of_another_one_is_exchanged_and_one_by_itself_is_lost(say: Say) -> None:
    first, second = (
        PLANS.format(*FRAMED, outline("#c00"), *places) for places in ((" class=on", ""), ("", " class=on"))
    )
    assert say(first, second)[0] == 'serious: button "Basic" and button "Team" have each other\'s outline'

    field = "<p><label>Mail <input style='border: 1px solid #888; padding: 8px; {}'></label></p>"
    found = say(field.format(outline("#06c")), field.format(""))
    assert found[0] == 'serious: text field "Mail" lost its outline of 2 px #0066cc'

    found = say(field.format(outline("#c00", -2)), field.format(""))
    assert found[0] == 'serious: text field "Mail" lost its outline of 2 px #cc0000'

    link = "<p style='margin: 20px'><a href=# style='color: #036; {}'>Imprint</a></p>"
    found = say(link.format(""), link.format(outline("#06c", 0)))
    assert found[0] == 'moderate: link "Imprint" has an outline of 2 px #0066cc that the design does not have'


@pytest.mark.parametrize(
    ("offsets", "told"),
    [((0, 4), "4 px off instead of 0 px off"), ((-4, 0), "0 px off instead of 4 px inside")],
)
@pytest.mark.parametrize("button", [FRAMED, FILLED])
def test_an_outline_farther_off_is_the_same_outline(
    say: Say, button: tuple[str, str], offsets: tuple[int, int], told: str
) -> None:
    found = say(*(PLANS.format(*button, outline("#c00", offset), "", " class=on") for offset in offsets))

    assert found[0] == f'minor: button "Team" has its outline {told}'
    assert not [one for one in found[1:] if "button" in one or "something" in one]


@pytest.mark.parametrize("offset", [-2, -1, 2])
def test_an_outline_of_a_cell_covers_borders_of_others_that_did_not_change(say: Say, offset: int) -> None:
    cells = "".join(
        f"<tr>{''.join(f'<td>{row}{column}</td>' for column in range(4))}</tr>" for row in range(4)
    )
    table = f"<table style='border-collapse: collapse'>{cells}</table>"
    style = "<style>td {{ border: 1px solid #ccc; padding: 6px 14px }} .on {{ {} }}</style>"
    chosen = table.replace("<td>12", "<td class=on>12")

    found = say(*(style.format(look) + chosen for look in (outline("#06c", offset), "")))

    assert [one for one in found if "cell" in one] == [
        'serious: table cell "12" lost its outline of 2 px #0066cc'
    ]


def test_an_outline_within_a_picture_is_no_other_corner(say: Say) -> None:
    photo = LOGO.replace("<img", "<img style='{}'")

    found = say(photo.replace("{}", outline("#06c", -2)), photo.replace("{}", ""))

    assert found == ['moderate: picture "Acme" lost its outline of 2 px #0066cc']


def test_an_outline_that_looks_like_a_border_is_one(say: Say) -> None:
    card = "<div style='width: 300px; padding: 20px; margin: {}px; {}'>Card of the week</div>"

    found = say(card.format(20, outline("#c00", 0)), card.format(40, "box-shadow: 0 0 0 2px #c00"))
    assert found == ['moderate: box "Card of the week" moved 20 px right and 20 px down']

    border = "border: 2px solid #c00; padding: 18px"
    assert say(card.format(20, border), card.format(20, outline("#c00", -2))) == []


CLOCK = (
    "<svg {} width=24 height=24 viewBox='0 0 24 24' fill=none stroke-width=1.5 style='display: block'>"
    "<circle cx=12 cy=12 r=9 /><path d='M12 7v5l3 3'/></svg>"
)


def test_an_icon_on_a_paler_ground_is_the_same_icon(say: Say) -> None:
    chip = f"<div style='width: 40px; padding: 8px; border-radius: 20px; background: {{}}'>{CLOCK}</div>"

    found = say(chip.format("#0a58ca", "stroke=#fff"), chip.format("#7fb0f0", "stroke=#fff"))

    assert found[0].endswith("is #7fb0f0 instead of #0a58ca")
    assert not [one for one in found if "icon" in one]


def test_a_picture_that_is_paler_shows_nothing_else(say: Say) -> None:
    photo = TRIANGLE.format("Wen Li").replace("<img", "<img style='filter: opacity({})'")

    assert say(photo.replace("{}", "1"), photo.replace("{}", ".4")) == [
        'moderate: picture "Wen Li" is paler: 40% as strong as in the design'
    ]


def test_a_picture_that_lost_its_ring_is_not_different_at_its_edges_besides(say: Say) -> None:
    photo = f"<span>{LOGO}</span>".replace("<img", "<img style='border-radius: 50%; {}'")

    found = say(photo.replace("{}", ring("#06c")), photo.replace("{}", ""))

    assert found == ['moderate: picture "Acme" lost its outline of 2 px #0066cc']


SIZED = "display: block; width: 72px; height: 72px; overflow: hidden; SHAPE"
FILE = PHOTO.partition('src="')[2].removesuffix('">')


@pytest.mark.parametrize(
    "avatar",
    [
        pytest.param(f"<b style='{SIZED}'>{PHOTO.format('Wen Li')}</b>", id="cut by what is around it"),
        pytest.param(f'<b style="{SIZED}; background: url(&quot;{FILE}&quot;)"></b>', id="a background"),
        pytest.param(f"<b style='{SIZED}; background: #8bf; padding: 24px'>WL</b>", id="initials"),
    ],
)
def test_a_round_avatar_that_became_square_is_moderate_and_so_is_the_reverse(say: Say, avatar: str) -> None:
    pages = avatar.replace("SHAPE", "border-radius: 50%"), avatar.replace("SHAPE", "border-radius: 0")

    there, back = say(*pages), say(*pages[::-1])

    assert [one.partition(" is ")[2] for one in there] == ["square instead of round"]
    assert [one.partition(" is ")[2] for one in back] == ["round instead of square"]
    assert all(one.startswith("moderate: ") for one in [*there, *back])


def test_a_field_on_a_card_before_a_picture_shows_another_border_and_label(say: Say) -> None:
    """A photograph behind all of the page does not make the edges and letters on a card come and go."""
    page = (
        "<div style='position: absolute; inset: 0; z-index: -1; opacity: .3'>" + stripes(1280, 720) + "</div>"
        "<div style='width: 420px; margin: 60px auto; padding: 40px; background: #eee; position: relative'>"
        "<label style='position: absolute; left: 50px; top: 31px; font-size: 12px; color: {}'>Email</label>"
        "<fieldset style='height: 61px; margin: 0; border: 1px solid {}'>"
        "<legend style='visibility: hidden; font-size: 12px'>Email address</legend></fieldset></div>"
    )

    found = say(page.format("#637381", "#e4e8ea"), page.format("#ff5630", "#ff5630"))

    assert found.facts == {("restyled", "control", "border"), ("recolored", "text", "color")}
    assert all("#ff5630" in one for one in found)


def test_a_pale_picture_that_stayed_is_not_blank(say: Say) -> None:
    page = (
        "<div style='position: relative; width: 600px; height: 300px'><div style='opacity: .2'>"
        + stripes(600, 300)
        + "</div><b style='position: absolute; left: 40px; top: 40px; color: {}'>Sold out</b></div>"
    )

    assert say(page.format("#000"), page.format("#c00")).kinds == {"recolored"}


def test_cards_that_close_a_gap_have_not_changed_columns(say: Say) -> None:
    cards = [
        f"<div style='height: 150px; padding: 12px; background: #{color}'><b>{name}</b><p>{name} costs"
        f" {number}9.90</p></div>"
        for number, (name, color) in enumerate(
            zip(
                ("Anchor", "Buoy", "Compass", "Dinghy", "Ensign", "Fender", "Galley", "Hatch", "Jib"),
                ("cde", "dec", "ecd", "bcd", "dbc", "cdb", "abe", "eab", "bea"),
                strict=True,
            ),
            1,
        )
    ]
    grid = "<div style='display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 20px'>{}</div>"

    found = say(grid.format("".join(cards)), grid.format("".join(cards[:1] + cards[2:])))

    assert not [one for one in found if "columns with" in one]
    assert any("at 440, 131 is missing, with 2 texts" in one for one in found)


def test_the_words_of_a_new_dialog_are_its_own_and_not_those_behind_it_that_moved(say: Say) -> None:
    table = "<table style='width: 700px'><tr><th>Name<th>Status<th>Category</tr>{}</table>".format(
        "".join(
            f"<tr><td>Watch {n}<td>in stock<td>Clothing {n}</tr>" for n in ("one", "two", "three", "four")
        )
    )
    look = "left: 10px; top: 100px; width: 560px; height: 180px; padding: 20px; border: 1px solid #999"
    dialog = (
        f"<div role='dialog' aria-label='Product' style='position: absolute; background: #fff; {look}'>"
        "<h2>Product details</h2><p style='padding-left: 190px'>Name</p><p>Status</p></div>"
    )
    notes = "".join(f"<p>Note {n}: the shop is closed on holidays.</p>" for n in range(12))

    found = say(table + notes, table + notes + dialog)

    assert any('dialog "Product" is not in the design, and covers' in one for one in found)
    assert not [one for one in found if "moved" in one]


def _rows(style: str) -> str:
    rows = "".join(
        f"<tr{' class=on' * (town == 'York')}><td>{number}</td><td>{town}</td><td>Late</td></tr>"
        for number, town in enumerate(("Leeds", "York", "Hull", "Ripon"), 101)
    )
    lines = "td { border-bottom: 1px solid #ddd; padding: 8px 12px }"
    return f"<style>{lines} table {{ border-collapse: collapse }} {style}</style><table>{rows}</table>"


@pytest.mark.parametrize(
    "styles", [(".on", ".on td"), (".on", ".on"), (".on td", ".on"), (".on td", ".on td")]
)
def test_a_row_of_another_color_is_told_once_whoever_has_its_fill(say: Say, styles: tuple[str, str]) -> None:
    design, made = (
        _rows(f"{where} {{ background: {fill} }}")
        for where, fill in zip(styles, ("#dbeafe", "#fde68a"), strict=True)
    )
    of_rows = [one for one in say(design, made) if "table" in one]
    assert len(of_rows) == 1
    assert "#fde68a instead of #dbeafe" in of_rows[0]


def test_lines_that_both_pages_draw_are_not_said_to_come_with_a_fill(say: Say) -> None:
    told = say(_rows(""), _rows(".on td { background: #fde68a }"))[0]
    assert told.endswith("have a fill that the design does not have")


@pytest.mark.parametrize(
    ("paint", "words"),
    [
        ("linear-gradient(#f4f6fb, #c9d6f5)", "a gradient from #f4f6fb to #c9d6f5 instead of #ffffff"),
        ("linear-gradient(135deg, #667eea, #764ba2)", "to #764ba2 instead of #ffffff"),
        ("linear-gradient(45deg, #667eea, #764ba2)", "instead of #ffffff"),
    ],
)
def test_a_gradient_behind_the_page_is_told_with_its_ends(say: Say, paint: str, words: str) -> None:
    card = "<div style='background: #fff; padding: 20px; border: 1px solid #ccc'>Four parcels wait.</div>"
    style = f"<style>body {{ background: {paint}; min-height: 700px }}</style>"
    told = say(card, style + card)[0]
    assert "ground of the page (background) is a gradient" in told
    assert words in told
    assert "instead of a gradient from" in say(style + card, card)[0]


def test_lines_that_stand_a_little_closer_each_are_told(say: Say) -> None:
    def log(line: int) -> str:
        rows = "".join(f"<div>14:02:{n} worker took job {n * 37}</div>" for n in range(10, 30))
        return f"<div style='font: 13px/{line}px monospace; min-height: 700px'>{rows}</div>"

    assert any("texts between" in one and "3 px less space above" in one for one in say(log(24), log(21)))


def test_what_juts_out_of_the_window_is_no_other_ground(say: Say) -> None:
    style = "<style>html { background: #f3f4f6 } body { margin: 0 }</style>"
    wide = "<div style='width: 1600px; height: 40px; border: 1px solid'>Total of all orders</div>"
    page = "<div style='background: #fff; height: 900px'>{}<p>Nine of them wait.</p></div>"
    found = say(style + page.format(wide.replace("1600", "900")), style + page.format(wide))
    assert not [one for one in found if "background" in one]


def test_lines_that_are_solid_instead_of_dashed_are_told_once(say: Say) -> None:
    def rows(line: str) -> str:
        towns = "".join(
            f"<li style='border-bottom: {line}'>{town}</li>" for town in ("Leeds", "York", "Hull")
        )
        return f"<ul style='width: 300px; list-style: none; padding: 0'>{towns}</ul>"

    (told,) = [one for one in say(rows("1px dashed #888"), rows("2px solid #888")) if "line of" in one]
    assert told.endswith("and 2 more are 2 px solid instead of 1 px dashed")
