"""What a page holds where no screenshot reaches is known; a page that lacks it of its design cannot pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import PageState
from pytest_design2a11y.settings.values import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

HEAD = """<!doctype html><title>x</title><style>body { margin: 0; font: 16px/20px sans-serif }
.scroller { height: 165px; overflow: auto } .row { height: 20px }</style><h1>Orders</h1>"""


def rows(number: int) -> str:
    return "".join(f"<div class=row>Row {at} of them</div>" for at in range(number))


def captured(renderer: Renderer, body: str, state: PageState | None = None) -> Capture:
    document = Document(label="page", html=(HEAD + body).encode())
    return renderer.capture(document, role="candidate", audit=None, state=state or PageState())


def test_a_page_that_lacks_the_rows_of_a_scroller_cannot_pass(renderer: Renderer) -> None:
    scroller = "<div class=scroller>{}</div>"
    design = captured(renderer, scroller.format(rows(40)))

    whole, short = (
        measure_visual(design, captured(renderer, scroller.format(rows(number))), settings=Settings())
        for number in (40, 9)
    )

    assert (whole.fidelity, whole.blocking, whole.unmeasured) == (1.0, 0, {})
    assert (short.score, short.fidelity, short.blocking) == (1.0, None, None)
    assert short.unmeasured == {
        "fidelity": "the page lacks 31 texts of the design that no screenshot reaches, such as"
        ' "Row 9 of them", in a part that scrolls by itself or beyond -o design2a11y_max_height; so neither'
        " fidelity nor blocking is known"
    }


def test_rows_that_the_page_shows_without_scrolling_are_there(renderer: Renderer) -> None:
    design = captured(renderer, f"<div class=scroller>{rows(12)}</div>")

    score = measure_visual(design, captured(renderer, rows(12)), settings=Settings())

    assert score.fidelity is not None


def test_so_it_is_below_the_largest_height(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(max_height=700)
    long = "<div style='height: 800px'>First words</div><p>Words at the end</p>"
    design = captured(renderer, long)

    whole, changed = (
        measure_visual(design, captured(renderer, body), settings=Settings())
        for body in (long, long.replace("at the end", "of another kind"))
    )

    assert design.out_of_sight == ("Words at the end",)
    assert whole.fidelity == 1.0
    assert changed.fidelity is None
    assert 'lacks 1 text of the design that no screenshot reaches, such as "Words at the end"' in str(
        changed.unmeasured
    )


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
    assert captured(renderer, body).out_of_sight == ()


def test_cards_of_a_carousel_that_scrolls_are_and_those_of_a_part_do_not_count(renderer: Renderer) -> None:
    cards = "".join(f"<div style='flex: none; width: 500px'>Card {at}</div>" for at in range(4))
    body = f"<main>Words</main><div style='display: flex; overflow-x: scroll'>{cards}</div>"

    assert captured(renderer, body).out_of_sight == ("Card 3",)
    assert captured(renderer, body, PageState(part="main")).out_of_sight == ()
