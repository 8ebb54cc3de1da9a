"""What is painted over, around and behind things, and what cuts them off, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

HEAD = """<!doctype html><title>x</title><style>body { margin: 20px; width: 900px; font: 16px/1.5 sans-serif }
</style><h1>Harbour office</h1><p>The boats leave at noon from the north quay.</p>"""
TABLE = f"<table border=1>{'<tr><td>Anna<td>9:30<td>40</tr>' * 14}</table><p><button>Book now</button></p>"
CARD = "<div style='width: 420px; padding: 16px; border: 1px solid #888; background: #fff8e0; {}'>"
CARD += "<h3>Cabin 4</h3><p>Two beds.</p><button>Book</button></div>"
HOLDER = "<div style='width: 300px; height: 120px; background: #eef; overflow: {}'>"
HEADING = "<h2 style='font-size: 60px; {}'>Summer sale</h2><p>Until Sunday.</p>"
GRADIENT = "background: linear-gradient(90deg, #e0245e, #1d4ed8); background-clip: text; color: transparent"
DIALOG = (
    "<dialog aria-label=Invite style='width: 420px'><h2>Invite a friend</h2><input value=Ida></dialog>"
    "<script>document.querySelector('dialog').showModal()</script>"
)
OVER = "<div style='position: fixed; {}; background: {}'>{}</div>"
TICK = "<label><input type=checkbox style='{}'> I agree</label>"
CODE = "<pre><b style='color: {}; font-weight: 400'>const</b> total <i style='color: {}'>// sum</i></pre>"

RANGE = """<style>input {{ appearance: none; background: none }}
::-webkit-slider-thumb {{ appearance: none; width: 16px; height: 16px; background: teal }}
::-webkit-slider-runnable-track {{ background: #ddd }}</style>
<label>Volume <input type=range value={}></label>"""


def told(renderer: Renderer, design: str, page: str) -> list[str]:
    """Return the sentences about a page, without the one on how it looks as a whole."""
    captures = [
        renderer.capture(Document(label="x", html=(HEAD + body).encode()), role="reference", audit=None)
        for body in (design, page)
    ]
    differences = measure_visual(captures[0], captures[1], settings=Settings()).differences
    return [
        f"{one.severity}: {in_words(one)}"
        for one in differences
        if one.property not in {"appearance", "height"} and one.kind != "moved"
    ]


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        pytest.param(
            "<div style='width: 380px; height: 60px; background: #c33'>Sale</div>",
            'serious: box "Sale" is cut off (overflow): 21% of the width does not show',
            id="wide",
        ),
        pytest.param(
            "<svg width=400 height=120><rect width=400 height=120 fill=#246 />"
            "<circle cx=350 cy=60 r=30 fill=gold /></svg>",
            "serious: picture 400 x 120 at 20, 131 is cut off (overflow): 25% of the width does not show",
            id="drawing",
        ),
        pytest.param(
            "<p style='margin: 60px 20px; width: 100px; height: 100px; border-radius: 50%; background: red'>",
            "serious: panel 100 x 100 at 40, 175 is cut off (overflow): 40% of the height does not show",
            id="circle",
        ),
    ],
)
def test_what_sticks_out_of_a_clip_is_cut_off(keeping_renderer: Renderer, thing: str, sentence: str) -> None:
    held = [
        f"{HOLDER.format(overflow)}{thing}</div><p style='margin-top: 90px'>End"
        for overflow in ("visible", "hidden")
    ]

    assert told(keeping_renderer, *held) == [sentence]
    assert told(keeping_renderer, held[1], held[1]) == []


def test_a_group_that_is_paler_is_told_once(keeping_renderer: Renderer) -> None:
    assert told(keeping_renderer, CARD.format(""), CARD.format("opacity: .4")) == [
        'moderate: panel "Cabin 4" is at 40% instead of 100% (opacity)'
    ]


@pytest.mark.parametrize(
    ("design", "page", "sentence"),
    [
        pytest.param(
            "<p>The ferry <mark>does not run</mark> on Mondays.</p>",
            "<p>The ferry does not run on Mondays.</p>",
            'minor: box "does not run" lost its fill',
            id="highlight",
        ),
        pytest.param(
            HEADING.format(f"margin: 30px 0; {GRADIENT}"),
            HEADING.format("margin: 20px 0; color: #111"),
            'moderate: text "Summer sale" is #111111 instead of a gradient from #e0245e to #1d4ed8',
            id="gradient of letters that moved",
        ),
        pytest.param(
            "<button style='box-shadow: 0 0 0 4px #2563eb; border: 0; padding: 8px 20px'>Send</button>",
            "<button style='border: 0; padding: 8px 20px'>Send</button>",
            'serious: button "Send" lost its outline of 4 px #2563eb',
            id="ring",
        ),
        pytest.param(
            TICK.format("outline: 2px solid #c00"),
            TICK.format("outline: 2px solid #999"),
            'serious: checkbox "I agree" has an outline of 2 px #999999 instead of 2 px #cc0000',
            id="ring of an error",
        ),
        pytest.param(
            TICK.format("outline: 2px solid #999"),
            TICK.format(""),
            'moderate: checkbox "I agree" lost its outline of 2 px #999999',
            id="ring without a hue",
        ),
        pytest.param(
            RANGE.format(20),
            RANGE.format(80),
            'serious: slider "Volume" stands at 80 instead of 20',
            id="slider of a style sheet",
        ),
        pytest.param(
            CODE.format("#d73a49", "#6a737d"),
            CODE.format("#111111", "#111111"),
            'text "const total // sum", in its part "const", is #111111 on #ffffff (contrast 18.9:1) instead'
            ' of #d73a49 on #ffffff (contrast 4.6:1); other parts changed their color, too: "// sum"',
            id="code",
        ),
    ],
)
def test_paint_that_is_neither_border_nor_fill(
    keeping_renderer: Renderer, design: str, page: str, sentence: str
) -> None:
    [found] = told(keeping_renderer, design, page)

    assert sentence in found


@pytest.mark.parametrize(
    ("over", "sentence"),
    [
        pytest.param(
            DIALOG,
            'dialog "Invite" lies over the page, and is not in the design, with 1 control and 2 texts',
            id="dialog",
        ),
        pytest.param(
            OVER.format(
                "inset: 150px auto auto 20px; width: 300px", "#ffd", "<b>New here?</b><p>Choose a boat.</p>"
            ),
            'panel "New here? Choose a boat." is not in the design, and covers',
            id="popover",
        ),
        pytest.param(
            OVER.format(
                "inset: auto 0 0 0; height: 330px", "#fed", "<p>We use cookies</p><button>OK</button>"
            ),
            'panel "We use cookies" is not in the design, and covers',
            id="banner",
        ),
        pytest.param(
            OVER.format("inset: 0", "rgb(0 0 0 / 50%)", ""),
            "a veil of #000000 at 50% lies over the page",
            id="veil",
        ),
        pytest.param(
            "<div style='position: absolute; left: 0; top: 0; width: 100%; height: 1000px; z-index: 9; "
            "background: rgb(10 16 30 / 72%)'></div>",
            "a veil of #0a101e at 72% lies over the page",
            id="veil that is as long as the page",
        ),
    ],
)
def test_what_lies_over_the_page_is_told_so_and_nothing_below_it(
    keeping_renderer: Renderer, over: str, sentence: str
) -> None:
    [found] = told(keeping_renderer, TABLE, TABLE + over)

    assert found.startswith(f"serious: {sentence}")


def test_a_tint_of_a_part_at_the_top_is_no_veil_over_the_page(renderer: Renderer) -> None:
    tint = "position: absolute; left: 0; top: 0; width: 100%; height: 620px; background: rgb(20 40 90 / 50%)"
    long = f"{TABLE}<div style='height: 900px'></div>"

    assert not [one for one in told(renderer, long, f"{long}<div style='{tint}'></div>") if "a veil" in one]


SCROLLER = "<div style='width: 400px; height: {}px; overflow: auto; border: 1px solid #ccc'>{}</div><p>End."
NOTES = "".join(f"<p style='background: #def; padding: 4px'>Note {at} of the day</p>" for at in range(4))
SHIPS = (
    "<style>th { position: sticky; top: 0; background: #246; color: #fff }</style><table width=100%>"
    f"<tr><th>Ship<th>Seats</tr>{'<tr><td>Ship 4<td>4 of 9</tr>' * 9}</table>"
)


@pytest.mark.parametrize("content", [NOTES, SHIPS], ids=["notes", "a table with a head that stays"])
def test_a_scroller_that_became_lower_is_still_itself(renderer: Renderer, content: str) -> None:
    found = told(renderer, SCROLLER.format(200, content), SCROLLER.format(34, content))

    assert [one for one in found if "panel 402 x 202" in one and "is 36 px high instead of 202 px" in one]
    assert not [one for one in found if "border" in one or "cell" in one]


def test_an_icon_that_a_scroller_cuts_off_shows_nothing_else(renderer: Renderer) -> None:
    icon = "<svg width=24 height=24 aria-label=Boat><path d='M2 4h20l-6 18H8z' fill='#c00' /></svg>"
    found = told(renderer, *(SCROLLER.format(height, f"{icon} Boats of today") for height in (60, 12)))

    assert [one for one in found if 'icon "Boat" is cut off' in one]
    assert not [one for one in found if "shows something else" in one]


def test_a_menu_over_panels_changes_none_of_their_borders(renderer: Renderer) -> None:
    rows = "<div style='padding: 8px; border: 1px solid #ddd'>Row of it</div>" * 6
    menu = (
        "<div style='position: absolute; left: 20px; top: 170px; width: 160px; border: 1px solid #888;"
        "background: #fff; box-shadow: 0 4px 12px #0004'><p>Edit it<p>Copy it<p>Remove it</div>"
    )
    found = told(renderer, rows, rows + menu)

    assert not [one for one in found if "border" in one]


@pytest.mark.parametrize(("fill", "is_told"), [("#f4f4f4", True), ("#9ab", False)])
def test_words_that_a_buttons_fill_takes_away_are_told_beside_it(
    renderer: Renderer, fill: str, *, is_told: bool
) -> None:
    button = "<button style='background: {}; color: #fff; border: 1px solid #ccc'>Send it</button>"

    found = told(renderer, button.format("#246"), button.format(fill))

    assert [one for one in found if 'button "Send it" is #' in one]
    assert bool([one for one in found if 'serious: text "Send it" is hard to read' in one]) == is_told
