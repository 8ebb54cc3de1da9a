"""What lies over, runs out of, or cannot be told from something else is found from geometry and pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.elements import Trouble

HEAD = """<!doctype html><title>x</title><style>
body { margin: 20px; font: 16px/1.5 sans-serif; width: 800px } * { box-sizing: border-box }
.card { width: 220px; height: 120px; padding: 16px; border: 1px solid #ccc; background: #fff; float: left }
.photo { padding: 30px; background: linear-gradient(90deg, #222, #333) }
</style>"""


def troubles(renderer: Renderer, body: str) -> tuple[Trouble, ...]:
    document = Document(label="x", html=(HEAD + body).encode())
    return renderer.capture(document, role="candidate", audit=None).overlaps


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        pytest.param(
            "<p style='margin: 0'>Your name</p>"
            "<input style='margin-top: -10px; display: block; height: 30px'>",
            *("covered", "Your name"),
            id="a field over its label",
        ),
        pytest.param(
            "<div class=card>First card</div><div class=card style='margin-left: -180px'></div>",
            *("covered", "First card"),
            id="cards over each other",
        ),
        pytest.param(
            "<p>Some words at the top</p><div style='position: fixed; top: 0; left: 0; width: 100%;"
            "height: 60px; background: navy'></div>",
            *("covered", "Some words at the top"),
            id="a bar over content",
        ),
        pytest.param(
            "<p style='margin: 0'>Lower words</p><p style='margin: -18px 0 0; color: red'>Upper words</p>",
            *("covered", "Lower words"),
            id="text over text",
        ),
        pytest.param(
            "<div class=card><p style='white-space: nowrap'>Words that run on and on and out of it</p></div>",
            *("overflowing", "Words that run on and on and out of it"),
            id="text out of its box",
        ),
        pytest.param(
            "<div style='width: 90px; overflow: hidden; white-space: nowrap'>Words that are cut</div>",
            *("clipped", "Words that"),
            id="text that is cut off",
        ),
        pytest.param(
            "<div style='width: 90px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis'>"
            "Words that are cut</div>",
            *("clipped", "Words that"),
            id="text with an ellipsis",
        ),
        pytest.param(
            "<div class=photo style='color: #2a2a2a'>Dark on dark</div>",
            *("unreadable", "Dark on dark"),
            id="text like what it lies on",
        ),
        pytest.param(
            "<p style='color: #fff; text-decoration: line-through 2px #c00'>White on white</p>",
            *("unreadable", "White on white"),
            id="such text that is struck through",
        ),
    ],
)
def test_troubles_are_found(renderer: Renderer, body: str, kind: str, text: str) -> None:
    found = troubles(renderer, body)

    assert (kind, text) in {(one.kind, one.text) for one in found}
    assert {one.kind for one in found} == {kind}
    assert all(0 < one.share <= 1 for one in found)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "<p>Some words, <b>bold</b>, <mark>marked</mark> and <a href=/>linked</a>.", id="a paragraph"
        ),
        pytest.param(
            "<h1 style='line-height: .95'>A heading of two lines that are close</h1>", id="tight lines"
        ),
        pytest.param(
            "<div class=card><p>Words</p><button>Go</button></div><div class=card>b</div>", id="cards"
        ),
        pytest.param("<div class=photo style='color: #fff'>White on dark</div>", id="white on dark"),
        pytest.param(
            "<div style='background: rgb(0 0 0 / .5); position: fixed; inset: 0'></div><p>Under a veil</p>"
            "<p style='color: green'>Green</p>",
            id="a veil",
        ),
        pytest.param("<p>x<sup>2</sup> and H<sub>2</sub>O</p>", id="raised and lowered"),
        pytest.param(
            "<span style='background: #c00; color: #fff; font-size: 11px; padding: 1px 4px'>3+</span>",
            id="a badge",
        ),
        pytest.param("<table border=1><tr><td>a<td>b<tr><td colspan=2>long words</table>", id="a table"),
        pytest.param(
            "<label style='position: relative; display: block'><input placeholder='Your name'></label>",
            id="a field with a placeholder",
        ),
        pytest.param(
            "<div style='position: absolute; z-index: -1; inset: 0; background: tan'></div><p>Over it",
            id="a ground behind",
        ),
    ],
)
def test_what_is_as_it_should_be_is_no_trouble(renderer: Renderer, body: str) -> None:
    assert troubles(renderer, body) == ()


def test_what_covers_is_told_with_its_place_and_share(renderer: Renderer) -> None:
    (trouble,) = troubles(
        renderer,
        "<p style='margin: 0; width: max-content'>Words words words</p>"
        "<div style='position: absolute; left: 0; top: 0; width: 90px; height: 80px;"
        "background: navy'></div>",
    )

    assert trouble.by_box == (0.0, 0.0, 90.0, 80.0)
    assert 0.3 < trouble.share < 0.7
    assert trouble.box[0] == 20


def test_an_edge_counts_where_it_shows_alone(renderer: Renderer) -> None:
    below = "<div class=card>Below</div>"
    moved = "<div class=card style='position: relative; left: {left}px; {look}'>Words of the upper card</div>"
    opaque = moved.format(left=-100, look="")
    clear = moved.format(left=-100, look="background: none; border: 0")

    assert "Words of the upper card" not in {one.text for one in troubles(renderer, below + opaque)}
    assert "Words of the upper card" in {one.text for one in troubles(renderer, below + clear)}


@pytest.mark.parametrize(
    ("style", "cut", "share"),
    [
        pytest.param("height: 12px", "height", 8 / 17, id="below"),
        pytest.param("line-height: 12px", "height", 5 / 17, id="above and below"),
        pytest.param("width: 60px; white-space: nowrap", "length", None, id="at its end"),
        pytest.param("clip-path: inset(0 0 0 30px)", "length", None, id="at its beginning"),
    ],
)
def test_what_of_a_cut_text_is_cut_is_known_and_where_all_of_it_would_be(
    renderer: Renderer, style: str, cut: str, share: float | None
) -> None:
    body = "<p style='overflow: hidden; margin: 0; {}'>Words cut through their letters</p>"

    [trouble] = troubles(renderer, body.format(f"line-height: 1.5; {style}"))

    whole = renderer.capture(
        Document(label="x", html=(HEAD + body.format("line-height: 1.5")).encode()),
        role="candidate",
        audit=None,
    ).text_runs[0]
    assert (trouble.kind, trouble.cut) == ("clipped", cut)
    assert trouble.box[2:] == whole.boxes[0][2:]
    assert share is None or trouble.share == pytest.approx(share, abs=1e-4)


def test_what_covers_is_named_by_label_and_role(renderer: Renderer) -> None:
    page = "<p style='margin: 0'>Lower words</p>"
    dialog = (
        "<dialog aria-label='Invite people' style='margin: 0; top: 0; left: 0; width: 400px'>Write</dialog>"
    )
    bar = "position: fixed; inset: 0 0 auto; height: 90px; background: navy"
    box = f"<div role=alert title='Saved' style='{bar}'></div>"
    over = "<p style='margin: -18px 0 0; color: red'>Upper words</p>"

    named = [
        [(trouble.text, trouble.by_role, trouble.by_name) for trouble in troubles(renderer, page + other)]
        for other in (dialog.replace("<dialog", "<dialog open"), box, over)
    ]

    assert named == [
        [("Lower words", "dialog", "Invite people")],
        [("Lower words", "alert", "Saved")],
        [("Lower words", "text", "Upper words")],
    ]
