"""Fix lists of pages that differ in kind: other tables, forms, layers, parts and lines than the design's."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.fixing.claims import claims_of
from pytest_design2a11y.fixing.drafts import draft_of, settled
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.pages import opened
from pytest_design2a11y.settings import Settings

HEAD = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Boats</title><style>'
BASE = (
    "body { margin: 0; font: 16px/24px Arial; background: #f4f1ea; color: #222222 } main { padding: 24px } "
)


def page(style: str, body: str) -> str:
    return f"{HEAD}{BASE}{style}</style></head><body><main><h1>Boats</h1>{body}</main></body></html>"


LINES = "Every boat has room for twelve people and their bags, and leaves at noon from the old quay."
CELLS = "<table><tr><th>Boat</th><th>Room</th></tr><tr><td>Ida</td><td>For twelve people</td></tr></table>"
TABLE = (
    "table { border-collapse: collapse } td, th { border: 1px solid #666666; text-align: left; padding: %s }"
)
CLOZE = "The boat <input> leaves the old quay at <input> and comes back when the tide <input> again."
TORN = (
    "<p>The boat <input> leaves the old</p><p>quay at <input> and comes</p>"
    "<p>back when the tide <input> again.</p>"
)
FIELD = "input { font: 16px Arial; width: 90px; height: 20px; margin: 0 2px; border: 1px solid #666 }"
PICTURE = "width: 200px; height: 120px; background: linear-gradient(#2d5d4b 50%, #ffd966 50%)"
CODE = "code { padding: 3px 12px; background: #1a1a1a; color: #f97eb3; font-size: 14px }"
BUTTON = "display: inline-block; background: #e6147f; color: #ffffff; text-decoration: none;"
ARROW = '<svg width="120" height="120" role="img" aria-label="Back"><path d="M10 60 90 10V110Z"/></svg>'
SHOWN = (
    '<img alt="Sea" width="240" height="160" src="data:image/svg+xml,<svg '
    "xmlns=%%27http://www.w3.org/2000/svg%%27 width=%%27240%%27 height=%%27160%%27>"
    "<rect width=%%27240%%27 height=%%27160%%27 fill=%%27gray%%27/>"
    '<rect width=%%27240%%27 height=%%2790%%27 fill=%%27%s%%27/></svg>">'
)
MARK = (
    "input { opacity: 0; position: absolute } label { position: relative; display: block } "
    "label { line-height: 60px; padding-left: 80px } "
    "label::before { content: ''; position: absolute; left: 0; width: 56px } "
    "label::before { height: 56px; border: 2px solid #222222 } "
    ":checked + label::before { background: #222222 } :checked + label::after { content: '' } "
    ":checked + label::after { position: absolute; left: 14px; top: 14px; width: 26px; height: 14px } "
    ":checked + label::after { rotate: -45deg; border: solid #ffffff; border-width: 0 0 5px 5px }"
)
LABELED = '<input type="checkbox" id="night"%s><label for="night">Night boats</label>'
MENU = (
    "div { width: 104px; height: 56px; background: #ffffff } select { appearance: none; display: block; "
    "margin-left: 20px; width: 70px; height: 26px; border: 1px solid #666666; font: 16px Arial }"
)
OUTSIDE = (
    '<div><nav aria-label="Boats"><a href="#a">Ida</a></nav><a href="#b">%s</a></div>'
    "<div><nav>Old quay</nav><div><p>June 5</p></div><div><p>1 minute</p></div></div>"
)
ROW = (
    "ol { list-style: none; padding: 0; margin: 0; width: 300px } li { display: flex; height: 40px } "
    "li { border-bottom: 2px solid #666666 } li b { width: 34px; color: #a02020 }"
)
BAR = (
    ".bar { appearance: none; display: block; width: 600px; height: 24px; border: none } "
    ".bar::-webkit-progress-bar { background: #ededed } .bar::-webkit-progress-value { background: #3273dc }"
)
DOT = (
    "input { opacity: 0; position: absolute } label { display: block; padding: 4px } i { display: "
    "inline-block; width: 40px; height: 40px; border: 2px solid #222222; border-radius: 50% } "
    ":checked + label i::before { content: ''; display: block; width: 20px; height: 20px; margin: 10px } "
    ":checked + label i::before { border-radius: 50%; background: #222222 }"
)
DOTTED = '<div><input type="radio" name="boat" id="%s"%s><label for="%s"><i></i> %s</label></div>'
#: A design and a page, by what differs.
PAIRS = {
    "table": (page(TABLE % "8px; height: 40px", CELLS), page(TABLE % "2px 40px", CELLS)),
    "fields in a text": (page(f"p {{ width: 420px }} {FIELD}", f"<p>{CLOZE}</p>"), page("", "")),
    "one text among fields": (
        page(f"p {{ width: 420px }} {FIELD}", f"<p>{CLOZE}</p>"),
        page(f"p {{ width: 420px }} {FIELD}", f"<p>{CLOZE.replace('old quay', 'new pier')}</p>"),
    ),
    "paragraph with fields in parts": (
        page(f"p {{ width: 420px }} {FIELD}", f"<p>{CLOZE}</p>"),
        page("p { width: 500px } input { display: block; width: 380px }", TORN),
    ),
    "button for a field": (
        page(f"{FIELD} input {{ display: block; height: 30px }}", f"<p>{LINES}</p><input><input>"),
        page(f"{FIELD} input {{ height: 30px }}", f"<p>{LINES}</p><input> <button>Search</button>"),
    ),
    "line of an element": (page("h1 { border-bottom: 1px solid #666666 }", ""), page("", "<hr>")),
    "looks in one element": (
        page("b { color: #2d5d4b }", "<p><b>Ida</b><br>For twelve</p>"),
        page("p { color: #2d5d4b }", "<p>Ida<br>For twelve</p>"),
    ),
    "letters of two faces": (
        page("p { font-family: serif; width: 600px }", f"<p>{LINES} See <i>The boats of the harbor</i></p>"),
        page("p { width: 300px }", f"<p>{LINES} See <i>The boats of the harbor</i></p>"),
    ),
    "parts of a text": (
        page("a { color: #1d4f91; margin-right: 40px }", '<p><a href="#1">Ida</a><a href="#2">Eva</a></p>'),
        page("", "<p>Ida Eva</p>"),
    ),
    "sign of a lost font": (
        page("", f"<p>{LINES[:40]}</p>"),
        page(
            "p { display: flex } p::before { content: '\\e F1'; margin-right: 5px }", f"<p>{LINES[:40]}</p>"
        ),
    ),
    "bands over most of the page": (
        page(
            "body, main { background: #ffffff } div { height: 500px; margin: 0 -24px; background: #222222 }",
            "<div></div>",
        ),
        page("body { background: #222222 } h1 { color: #ffffff }", '<div style="height: 500px"></div>'),
    ),
    "page's width": (
        page("div { width: 1500px; height: 60px; background: #2d5d4b }", "<div></div>"),
        page("div { height: 60px; background: #2d5d4b }", "<div></div>"),
    ),
    "picture behind": (
        page("", f'<div style="{PICTURE}" role="img" aria-label="Sea"></div>'),
        page(
            "",
            '<div style="width: 200px; height: 120px; background: #999" role="img" aria-label="Sea"></div>',
        ),
    ),
    "turned": (
        page("b { display: inline-block; border: 3px solid #2a7d44; rotate: -9deg }", "<b>Approved</b>"),
        page("b { display: inline-block; border: 3px solid #2a7d44 }", "<b>Approved</b>"),
    ),
    "state": (
        page("", '<label><input type="checkbox" checked> Night boats</label>'),
        page("", '<label><input type="checkbox"> Night boats</label>'),
    ),
    "value of a bar": (
        page(BAR, '<progress class="bar" value="70" max="100" aria-label="Seats"></progress>'),
        page(BAR, '<progress class="bar" value="30" max="100" aria-label="Seats"></progress>'),
    ),
    "menu without a text": (
        page("", "<label>Boat <select><option></option><option>Ida</option></select></label>"),
        page("", "<label>Boat <select><option>Choose one</option><option>Ida</option></select></label>"),
    ),
    "menu that the page has as words": (
        page(MENU, "<div>Boat <select><option>Ida</option></select></div>"),
        page("div { width: 90px; background: #ffffff }", "<div>Boat Ida</div>"),
    ),
    "texts in one element": (
        page("p { margin: 0 0 20px }", f"<p>{LINES}</p><p>Ask us.</p><p>{LINES}</p>"),
        page("div { width: 300px; line-height: 18px }", f"<div>{LINES}<br><br>Ask us.<br><br>{LINES}</div>"),
    ),
    "text beside elements": (
        page(
            "section { width: 110px; background: #ffffff } h2 { width: 70px }",
            "<section><h2>Ida and Eva sail in June</h2><p>Ask us.</p></section>",
        ),
        page(
            "section { width: 400px; background: #ffffff } div { width: 300px }",
            "<section><div>Ida and Eva sail in June<p>Ask us.</p></div></section>",
        ),
    ),
    "other parts of a text": (
        page("b { color: #a02020; font-size: 22px }", "<p>Read about <b>the boats</b> of the harbor.</p>"),
        page("b { color: #a02020; font-size: 22px }", "<p>Read <b>about the boats of the</b> harbor.</p>"),
    ),
    "box in a text": (
        page(CODE, "<p>To do that I used a <code>repeat</code> loop that makes <code>NSTask</code>s.</p>"),
        page("", "<p>To do that I used a <code>repeat</code> loop that makes <code>NSTask</code>s.</p>"),
    ),
    "white letters": (
        page(f"a {{ {BUTTON} padding: 12px 60px }}", '<a href="#1">Ask us</a>'),
        page(f"a {{ {BUTTON} padding: 4px 20px }}", '<a href="#1">Ask us</a>'),
    ),
    "border over a bar": (
        page(
            "header { height: 14px; background: #000000 } header a { display: block; width: 300px; "
            "height: 60px; margin: 0 40px; padding-top: 20px; border: 6px solid #9984d4; "
            "background: #ffffff }",
            '<header><a href="#1">Boats of the harbor</a></header><p style="margin-top: 80px">Ask us</p>',
        ),
        page(
            "div { height: 60px; border: 2px solid #9984d4 } p { margin-top: 80px }",
            '<div><a href="#1">Boats of the harbor</a></div><p>Ask us</p>',
        ),
    ),
    "parts outside of landmarks": (
        page("", OUTSIDE % "Ask us"),
        page("", "").replace("<main>", f"{OUTSIDE % 'Tell us'}<main>"),
    ),
    "mirrored icon": (page("svg { scale: -1 1 }", ARROW), page("", ARROW)),
    "another picture": (page("", SHOWN % "%231d4f91"), page("", SHOWN % "%23ffd966")),
    "state that a label draws": (
        page(MARK, f"{LABELED % ' checked'}"),
        page(MARK, f"{LABELED % ''}"),
    ),
    "states that drawn marks show": (
        page(DOT, f"{DOTTED % ('a', ' checked', 'a', 'Ida')}{DOTTED % ('b', '', 'b', 'Eva')}"),
        page(DOT, f"{DOTTED % ('a', '', 'a', 'Ida')}{DOTTED % ('b', ' checked', 'b', 'Eva')}"),
    ),
    "state that the page alone has": (
        page("", '<label><input type="checkbox"> Night boats</label>'),
        page("", '<label><input type="checkbox" checked> Night boats</label>'),
    ),
    "text that moves in its row": (
        page(ROW, "<ol><li><b>1</b>The old quay</li><li><b>2</b>The new pier</li></ol>"),
        page(ROW, "<ol><li>The old quay</li><li>The new pier</li></ol>"),
    ),
    "covered field": (
        page(FIELD, '<form><input aria-label="Name"></form><p>Ask us</p>'),
        page(
            f"{FIELD} form {{ padding-left: 200px }} p {{ background: #fff; margin: -30px 0; height: 90px }}",
            '<form><input aria-label="Name"></form><p>Ask us</p>',
        ),
    ),
}


@pytest.mark.alike(4, is_long=True)
@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_a_page_shows_its_design_with_all_edits(renderer: Renderer, name: str) -> None:
    with opened(PAIRS[name], renderer=renderer, settings=Settings(cache_folder=None)) as pages:
        found = pages.fix_list(seconds=60.0)

    assert found.before.fidelity is not None
    assert found.after is not None
    assert found.before.fidelity < 0.98
    assert (found.after.fidelity or 0) >= 0.97, [part.message for part in found.remaining]
    assert (found.after.blocking, found.after.failed) == (0, 0)
    assert all((item.gain or 0) > 0 or item.repairs for item in found.items)
    assert not {edit.name for item in found.items for edit in item.edits if edit.name} & {*found.left_out}


def first_draft(renderer: Renderer, design: str, made: str) -> list[Edit]:
    with opened((design, made), renderer=renderer, settings=Settings(cache_folder=None)) as pages:
        pages.bench.call("apply", [])
        draft = draft_of(claims_of(pages.reference, pages.candidate, TimeLimit(60)), pages.bench)
        return settled(draft, pages.bench)


@pytest.mark.slow
def test_a_text_in_a_box_keeps_its_padding_in_a_second_draft(renderer: Renderer) -> None:
    cell = "b { font-weight: 400; border: 1px solid #666666; %s }"
    design = page(
        cell % "display: block; width: 84px; padding: 14px 0; text-align: center", "<b>1<br>boat</b>"
    )
    made = page(cell % "", "<b>1 boat</b>")

    with opened((design, made), renderer=renderer, settings=Settings(cache_folder=None)) as pages:
        trial, bench = pages.trial(0.0), pages.bench
        bench.call("apply", [])
        draft = draft_of(trial.claims(pages.candidate), bench)
        shown = trial.shown(settled(draft, bench))
        again = settled(draft_of(trial.claims(shown.page), bench, draft), bench)

    assert [edit.css["width"] for edit in again if edit.selector == "b"] == ["86px"]


@pytest.mark.slow
def test_an_image_between_others_that_show_the_same_goes_with_them(renderer: Renderer) -> None:
    flat = SHOWN.replace("fill=%%27%s", "fill=%%27gray").replace("240", "120") % ()
    made = page("div { display: flex } img { display: block }", f"<div>{flat * 3}</div><p>{LINES}</p>")

    edits = first_draft(renderer, page("", f"<p>{LINES}</p>"), made)

    assert sum(edit.css == {"visibility": "hidden"} for edit in edits) == 3


@pytest.mark.slow
def test_what_stands_in_for_a_picture_is_as_large(renderer: Renderer) -> None:
    design, made = (page("img { height: auto }", SHOWN % color) for color in ("%231d4f91", "%23ffd966"))

    (edit,) = (edit for edit in first_draft(renderer, design, made) if "content" in edit.css)

    assert edit.css["height"] == "160px"


@pytest.mark.slow
def test_a_field_of_another_placeholder_gets_its_size_at_once_and_a_checked_one_its_state_alone(
    renderer: Renderer,
) -> None:
    fields = [
        (page(f"input {{ width: {width}px; height: 40px }}", f'<input aria-label="Boat" {given}>'))
        for width, given in (
            *((300, 'placeholder="Ida"'), (180, 'placeholder="Eva"')),
            *((40, 'type="checkbox" checked'), (40, 'type="checkbox"')),
        )
    ]

    (field,) = first_draft(renderer, *fields[:2])
    (box,) = first_draft(renderer, *fields[2:])

    assert (field.css["width"], field.attributes) == ("308px", {"placeholder": "Ida"})  # With its border
    assert (box.css, box.attributes) == ({}, {"checked": ""})


@pytest.mark.slow
def test_fields_are_called_by_the_words_above_them_and_one_without_words_is_told(renderer: Renderer) -> None:
    with_field, unnamed, without = (
        page("", f"<form><p>Boat</p><div>{given}</div></form>")
        for given in ("<input>", '<input style="width: 90px">', "")
    )
    plain = page("", "<p>Ask us</p>")
    found = []
    for pair in ((with_field, without), (with_field, unnamed), (plain.replace("<h1>", "<input><h1>"), plain)):
        with opened(pair, renderer=renderer, settings=Settings(cache_folder=None)) as pages:
            found.append(pages.fix_list(seconds=0.0))

    edits = [[edit for item in one.items for edit in item.edits] for one in found]
    assert [edit.html for edit in edits[0] if edit.html] == [
        '<input id="design1-box-1" type="text" aria-label="Boat">'
    ]
    assert {"aria-label": "Boat"} in [edit.attributes for edit in edits[1]]
    assert [one.remarks for one in found[:2]] == [(), ()]
    assert found[2].remarks == (
        '#design1-box-1 is called "field", since no words of the design say what it is for: name it.',
    )


@pytest.mark.slow
def test_a_faded_text_can_be_read_and_an_equal_page_is_left_alone(renderer: Renderer) -> None:
    settings = Settings(cache_folder=None)
    made, design = (page(f"i {{ opacity: {alpha} }}", f"<p><i>{LINES}</i></p>") for alpha in ("0.6", "0.3"))
    with opened((design, made), renderer=renderer, settings=settings) as pages:
        faded = pages.fix_list(seconds=0.0)
    strong = page("", f"<p><strong>{LINES[:20]}</strong>{LINES[20:]}</p>")
    with opened((strong, strong.replace("strong>", "b>")), renderer=renderer, settings=settings) as pages:
        equal = pages.fix_list(seconds=0.0)

    assert faded.before.failed == 1
    assert faded.after is not None
    assert faded.after.failed == 0
    assert [edit.css.get("opacity") for item in faded.items for edit in item.edits] == ["1"]
    assert (equal.items, equal.left_out) == ((), ())
