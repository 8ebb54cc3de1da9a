"""What a page holds where no screenshot reaches is known; a page that lacks it of its design cannot pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import PageState
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

HEAD = """<!doctype html><title>x</title><style>body { margin: 0; font: 16px/20px sans-serif }
.scroller { height: 165px; overflow: auto } .row { height: 20px }</style><h1>Orders</h1>"""


NOT_SEEN = "position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px; overflow: hidden"
LEFT_OUT = "position: absolute; left: -9999px; top: 300px"
STAR = (
    "background: url(data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20width=%2220%22"
    "%20height=%2220%22%3E%3Crect%20width=%2220%22%20height=%2215%22%20fill=%22red%22/%3E%3C/svg%3E)"
)
GLYPH = "<svg width=20 height=20 style='display: block'><circle r=6 cx=10 cy=10 /></svg>"


def rows(number: int) -> str:
    return "".join(f"<div class=row>Row {at} of them</div>" for at in range(number))


def captured(renderer: Renderer, body: str, state: PageState | None = None) -> Capture:
    document = Document(label="page", html=(HEAD + body).encode())
    return renderer.capture(document, role="candidate", audit=None, state=state or PageState())


def test_a_page_that_lacks_the_rows_of_a_scroller_cannot_pass(renderer: Renderer) -> None:
    design = captured(renderer, scroller(rows(40)))

    whole, short = (
        measure_visual(design, captured(renderer, scroller(rows(number))), settings=Settings())
        for number in (40, 9)
    )

    assert (whole.fidelity, whole.blocking, whole.unmeasured) == (1.0, 0, {})
    assert (short.score, short.fidelity, short.blocking) == (1.0, None, None)
    assert short.unmeasured == {
        "fidelity": "the page lacks 31 texts of the design that no screenshot reaches, such as"
        ' "Row 9 of them", in a part that scrolls by itself or beyond -o design2a11y_max_height; so neither'
        " fidelity nor blocking is known"
    }


def scroller(content: str, height: int = 165) -> str:
    return f"<div class=scroller style='height: {height}px'>{content}</div>"


def pictures(number: int) -> str:
    drawing = "<svg width=100 height=60 style='display: block; background: hsl({} 80% 40%)'></svg>"
    return "".join(drawing.format(40 * at) for at in range(number))


def fields(number: int) -> str:
    return "".join(f"<div class=row><input value='Item {at}'></div>" for at in range(number))


def carousel(number: int) -> str:
    cards = "".join(f"<div style='flex: none; width: 500px'>Card {at}</div>" for at in range(number))
    return f"<div style='display: flex; overflow-x: scroll'>{cards}</div>"


def chat(number: int) -> str:
    said = "".join(f"<p style='margin: 0; flex: none'>Message {at}</p>" for at in range(number))
    return f"<div class=scroller style='display: flex; flex-direction: column-reverse'>{said}</div>"


def list_box(number: int) -> str:
    return f"<select size=5>{''.join(f'<option>Option {at}' for at in range(number))}</select>"


def framed(number: int) -> str:
    return f"<iframe title=x style='height: 165px' srcdoc='{HEAD.split('<h1>')[0]}{rows(number)}'></iframe>"


PAID = "<div class=row>Paid</div>"
WORDS = " ".join(f"word{at}" for at in range(600))


@pytest.mark.alike(5, is_long=True)
@pytest.mark.parametrize(
    ("design", "page", "lacking"),
    [
        pytest.param(scroller(pictures(40)), scroller(pictures(9)), "31 pictures", id="pictures"),
        pytest.param(scroller(PAID * 40), scroller(PAID * 9), "31 texts", id="equal rows"),
        pytest.param(scroller(fields(40)), scroller(fields(9)), "31 texts", id="values of fields"),
        pytest.param(scroller(WORDS), scroller(WORDS[:1600]), "1 text", id="the rest of a text"),
        pytest.param(carousel(9), carousel(5), "4 texts", id="carousel"),
        pytest.param(
            scroller(f"<div style='height: 300px'>Top</div>{carousel(9)}"),
            scroller(f"<div style='height: 300px'>Top</div>{carousel(5)}"),
            "4 texts",
            id="carousel within",
        ),
        pytest.param(chat(40), chat(9), "31 texts", id="chat that begins at its end"),
        pytest.param(list_box(20), list_box(5), "15 texts", id="list box"),
        pytest.param(framed(40), framed(9), "31 texts", id="frame"),
    ],
)
def test_whatever_a_page_lacks_of_a_scroller_also_of_one_part(
    renderer: Renderer, design: str, page: str, lacking: str
) -> None:
    bodies = [f"<main>List{body}</main>" for body in (design, page)]
    parts = [captured(renderer, body, PageState(part="main")) for body in bodies]

    score = measure_visual(parts[0], parts[1], settings=Settings())

    assert score.fidelity is None
    assert f"the page lacks {lacking} of the design that no" in score.unmeasured["fidelity"]


def test_pictures_and_equal_rows_count_on_a_whole_page(renderer: Renderer) -> None:
    pages = [captured(renderer, scroller(PAID * n) + scroller(pictures(n))) for n in (40, 9)]

    score = measure_visual(pages[0], pages[1], settings=Settings())

    assert "lacks 31 texts and 31 pictures of the design that no" in score.unmeasured["fidelity"]


@pytest.mark.alike(5, is_long=True)
@pytest.mark.parametrize(
    ("design", "page"),
    [
        pytest.param(scroller(rows(12)), rows(12), id="texts shown openly"),
        pytest.param(scroller(pictures(5)), pictures(5), id="pictures shown openly"),
        pytest.param(scroller(WORDS), WORDS, id="a text shown openly"),
        pytest.param(
            scroller(PAID * 40), scroller("<div class=row>Due</div>" + PAID * 39), id="another shows"
        ),
        pytest.param(scroller(rows(40), 160), scroller(rows(40), 165), id="a row half cut"),
        pytest.param(
            scroller(rows(40)), scroller(rows(40).replace("Row", "<b>Row</b>")), id="divided by markup"
        ),
        pytest.param(
            scroller(rows(40)),
            scroller(rows(40)) + "<script>document.querySelector('.scroller').scrollTop = 999</script>",
            id="scrolled",
        ),
        pytest.param(
            scroller(f"{rows(20)}<p style='{NOT_SEEN}'>Listen</p>"), scroller(rows(20)), id="for listeners"
        ),
        pytest.param(
            scroller(f"<div style='position: relative'>{rows(20)}<a style='{LEFT_OUT}'>Skip</a></div>"),
            scroller(rows(20)),
            id="before its beginning",
        ),
        pytest.param(
            scroller(f"<div style='{STAR}; width: 20px'>{GLYPH}</div>" * 40),
            scroller(f"<div style='{STAR}; width: 20px'>{GLYPH}</div>" * 40, 800),
            id="a picture on a picture",
        ),
    ],
)
def test_what_the_page_holds_elsewhere_or_nobody_scrolls_to_is_not_lacking(
    renderer: Renderer, design: str, page: str
) -> None:
    captures = [captured(renderer, f"<main>List{body}</main>") for body in (design, page)]

    assert measure_visual(captures[0], captures[1], settings=Settings()).fidelity is not None


def test_a_masked_scroller_holds_nothing_that_counts(renderer: Renderer) -> None:
    state = PageState(mask=(".scroller",))

    assert captured(renderer, f"<main>List</main>{scroller(rows(40))}", state).unseen == ()


def test_pairs_that_look_alike_are_told_apart_by_what_they_hold(renderer: Renderer, tmp_path: Path) -> None:
    settings = Settings(cache_folder=tmp_path)
    design, same, short = (captured(renderer, scroller(rows(number))) for number in (40, 40, 9))

    scores = [measure_visual(design, page, settings=settings).fidelity for page in (same, short)]

    assert scores == [1.0, None]


def test_a_part_counts_below_the_largest_height_too(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(max_height=700)
    body = "<main><div style='height: 800px'>First words</div><p>Words at the end</p></main><p>Not of it</p>"

    design = captured(renderer, body, PageState(part="main"))

    assert design.page_size[1] == 638
    assert [thing.text for thing in design.unseen] == ["Words at the end"]


def test_so_it_is_below_the_largest_height(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(max_height=700)
    long = "<div style='height: 800px'>First words</div><p>Words at the end</p>"
    design = captured(renderer, long)

    whole, changed = (
        measure_visual(design, captured(renderer, body), settings=Settings())
        for body in (long, long.replace("at the end", "of another kind"))
    )

    assert [thing.text for thing in design.unseen] == ["Words at the end"]
    assert whole.fidelity == 1.0
    assert changed.fidelity is None
    assert 'lacks 1 text of the design that no screenshot reaches, such as "Words at the end"' in str(
        changed.unmeasured
    )


@pytest.mark.alike(4, is_long=True)
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"<div style='height: 100px; overflow: hidden'>{rows(40)}</div>", id="cut off for good"),
        pytest.param(
            f"<div style='position: absolute; left: -400px; width: 300px' class=scroller>{rows(40)}</div>",
            id="in a closed drawer",
        ),
        pytest.param(
            f"<aside style='position: fixed; left: 100%; width: 9em' class=scroller>{rows(40)}</aside>",
            id="in a drawer at the right",
        ),
        pytest.param(
            f"<div class=scroller>{rows(8)}<div style='height: 0; overflow: hidden'>{rows(9)}</div></div>",
            id="closed within a scroller",
        ),
        pytest.param(f"<div class=scroller style='height: 0'>{rows(9)}</div>", id="in a closed scroller"),
        pytest.param(f"<div class=scroller>{rows(8)}<p hidden>Not shown</p></div>", id="not displayed"),
        pytest.param(rows(60), id="below the window"),
    ],
)
def test_what_cannot_be_scrolled_to_or_is_captured_is_not_out_of_sight(renderer: Renderer, body: str) -> None:
    assert captured(renderer, body).unseen == ()


def test_cards_of_a_carousel_that_scrolls_are_and_those_beside_a_part_do_not_count(
    renderer: Renderer,
) -> None:
    body = f"<main>Words</main>{carousel(4)}"

    assert [thing.text for thing in captured(renderer, body).unseen] == ["Card 3"]
    assert captured(renderer, body, PageState(part="main")).unseen == ()


def made_while_scrolling(number: int, word: str = "Row") -> str:
    """Return a list of which the document holds what shows, and no more."""
    room = f"<div style='position: relative; height: {20 * number}px'></div>"
    return f"""{scroller(room)}<script>
const list = document.querySelector(".scroller");
const make = () => {{
  const first = Math.floor(list.scrollTop / 20);
  const rows = Array.from({{ length: Math.min(10, {number} - first) }}, (_, at) => first + at);
  list.firstChild.innerHTML = rows.map((at) => `<div style='position: absolute; top: ${{20 * at}}px'>` +
    `${{at < 9 ? "Row" : "{word}"}} ${{at}} of them</div>`).join("");
}};
list.onscroll = make;
make();
</script>"""


@pytest.mark.alike(3, is_long=True)
@pytest.mark.parametrize(
    ("page", "lacking"),
    [
        pytest.param(made_while_scrolling(40), None, id="the same"),
        pytest.param(scroller(rows(40)), None, id="held all the time"),
        pytest.param(made_while_scrolling(15), "25 texts", id="fewer rows"),
        pytest.param(scroller(rows(9)), "31 texts", id="only those that show"),
        pytest.param(made_while_scrolling(40, "Line"), "31 texts", id="others below"),
    ],
)
def test_what_a_list_makes_only_while_somebody_scrolls_counts(
    renderer: Renderer, page: str, lacking: str | None
) -> None:
    design = captured(renderer, made_while_scrolling(40))

    score = measure_visual(design, captured(renderer, page), settings=Settings())

    assert score.fidelity == (None if lacking else 1.0)
    assert f"the page lacks {lacking} of the design" in str(score.unmeasured) or not lacking


def made_in_the_window(number: int, known: int | None = None) -> str:
    """Return a page of which the document holds the rows that the window shows, up to a number of them."""
    return f"""<div style='position: relative; height: {40 * number}px'></div><script>
const make = () => {{
  const first = Math.floor(scrollY / 40);
  const length = Math.max(0, Math.min(24, {known or number} - first));
  const rows = Array.from({{ length }}, (_, at) => first + at);
  document.querySelector("div").innerHTML = rows.map((at) =>
    `<div style='position: absolute; top: ${{40 * at}}px'>Row ${{at}} of them</div>`).join("");
}};
addEventListener("scroll", make);
make();
</script>"""


def in_frame(body: str) -> str:
    return (
        f"<iframe title=x width=600 height=400 srcdoc='{(HEAD + body).replace(chr(39), '&#39;')}'></iframe>"
    )


@pytest.mark.alike(2)
@pytest.mark.parametrize(
    ("design", "page", "lacking"),
    [
        pytest.param(made_in_the_window(60), made_in_the_window(60, 24), "36 texts", id="window"),
        pytest.param(
            in_frame(made_while_scrolling(40)),
            in_frame(made_while_scrolling(15)),
            "25 texts",
            id="part of a frame",
        ),
        pytest.param(
            in_frame(made_in_the_window(60)), in_frame(made_in_the_window(60, 24)), "36 texts", id="frame"
        ),
        pytest.param(made_in_the_window(60), made_in_the_window(60), None, id="window, the same"),
    ],
)
def test_so_does_what_the_window_or_a_frame_makes(
    renderer: Renderer, design: str, page: str, lacking: str | None
) -> None:
    score = measure_visual(captured(renderer, design), captured(renderer, page), settings=Settings())

    assert score.fidelity == (None if lacking else 1.0)
    assert f"the page lacks {lacking} of the design" in str(score.unmeasured) or not lacking


def test_a_bar_that_goes_along_with_the_window_is_not_made_by_scrolling(renderer: Renderer) -> None:
    bar = """<p id=top style='position: fixed; bottom: 0' hidden>Back to the top</p><script>
addEventListener("scroll", () => { document.querySelector("#top").hidden = !scrollY; });</script>"""

    assert captured(renderer, bar + rows(60)).unseen == ()


@pytest.mark.alike(2, is_long=True)
@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        pytest.param(made_while_scrolling(40), False, id="part"),
        pytest.param(made_in_the_window(60), False, id="window"),
        pytest.param(scroller(rows(40)) + "<div style='height: 2000px'></div>", True, id="room alone"),
    ],
)
def test_a_live_page_that_makes_rows_while_scrolling_is_not_measured(
    chromium: Browser, body: str, is_read: bool
) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_content(HEAD + body)

    capture = capture_page(page, role="candidate", audit=None)
    page.close()
    score = measure_visual(capture, capture, settings=Settings())

    assert score.fidelity == (1.0 if is_read else None)
    assert (
        "was not read to its end: it is too long, or in a frame of another site, or a live page"
        in str(score.unmeasured)
        or is_read
    )


@pytest.mark.alike(2)
@pytest.mark.parametrize(
    "change", [("#cc0000", "#0000cc"), ("white", "yellow"), ("purple", "green"), ("solid red", "solid blue")]
)
def test_what_looks_otherwise_below_the_largest_height_does_not_pass(
    make_renderer: Callable[..., Renderer], change: tuple[str, str]
) -> None:
    below = """<div style='height: 800px'></div><p style='background: #cc0000; color: white'>The end</p>
<div style='height: 60px; background: linear-gradient(purple, white); border: 9px solid red'></div>"""
    renderer = make_renderer(max_height=700)
    design, page = (captured(renderer, body) for body in (below, below.replace(*change, 1)))

    same, other = (measure_visual(design, one, settings=Settings()) for one in (design, page))

    assert same.fidelity == 1.0
    assert other.unmeasured == {
        "fidelity": "things of the design more than 700 px down look otherwise on the page, or stand"
        " elsewhere, and are not captured (-o design2a11y_max_height); so neither fidelity nor blocking is"
        " known"
    }


def test_a_list_too_long_to_be_scrolled_through_is_not_measured(renderer: Renderer) -> None:
    pages = [captured(renderer, made_while_scrolling(number)) for number in (9000, 9000)]

    assert measure_visual(pages[0], pages[1], settings=Settings()).unmeasured == {
        "fidelity": "the design makes content while somebody scrolls through it, and was not read to its end:"
        " it is too long, or in a frame of another site, or a live page, which nobody scrolls; so neither"
        " fidelity nor blocking is known"
    }


@pytest.mark.parametrize(("number", "is_known"), [(40, False), (4, True)])
def test_a_list_in_a_frame_of_another_origin_that_scrolls_is_not_measured(
    renderer: Renderer, number: int, is_known: bool
) -> None:
    frame = in_frame(made_while_scrolling(number)).replace("<iframe", "<iframe sandbox=allow-scripts")
    pages = captured(renderer, frame), captured(renderer, frame.replace("title=x", "title=y"))

    score = measure_visual(*pages, settings=Settings())

    assert (score.fidelity is not None) == is_known
    assert is_known or "or in a frame of another site" in score.unmeasured["fidelity"]
