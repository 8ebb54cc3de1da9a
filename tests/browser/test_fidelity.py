"""A page broken as a designer would see at once: fidelity falls, and the words beside it say why."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

DESIGNS = Path(__file__).parents[2] / "examples" / "designs"
SIGNUP = (DESIGNS / "signup.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def capture(keeping_renderer: Renderer) -> Callable[[str], Capture]:
    """Return what renders a page."""
    return lambda html: keeping_renderer.capture(
        Document(label="page", html=html.encode()), role="reference", audit=None
    )


@pytest.fixture(scope="module")
def score(capture: Callable[[str], Capture]) -> Callable[[str], VisualScore]:
    """Return what scores a page against the sign-up page."""
    design = capture(SIGNUP)
    return lambda html: measure_visual(design, capture(html), settings=Settings())


def fidelity(score: VisualScore) -> float:
    """Return it, and hold that the costs of the differences add up to what it lacks."""
    assert score.fidelity is not None
    assert sum(one.cost for one in score.differences) == pytest.approx(1 - score.fidelity, abs=0.0006)
    return score.fidelity


def test_a_page_is_itself(score: Callable[[str], VisualScore]) -> None:
    own = score(SIGNUP)
    assert (own.fidelity, own.elements, own.typography, own.differences) == (1.0, 1.0, 1.0, ())


def test_a_magenta_page(score: Callable[[str], VisualScore]) -> None:
    magenta = score(SIGNUP.replace("</head>", "<style>body { background: #f0f !important }</style></head>"))
    assert magenta.score > 0.97
    assert fidelity(magenta) < 0.95
    assert magenta.differences[0].cost > 0.05
    assert in_words(magenta.differences[0]) == "ground of the page (background) is #ff00ff instead of #eef1f6"


def test_a_form_without_its_fields(score: Callable[[str], VisualScore]) -> None:
    bare = score(re.sub(r"<(input|textarea)[^>]*>|<select.*?</select>", "", SIGNUP, flags=re.DOTALL))
    assert bare.score > 0.95
    assert fidelity(bare) < 0.95
    lost = [one for one in bare.differences if (one.kind, one.what) == ("missing", "control")]
    assert len(lost) >= 4
    assert any(in_words(one).startswith("text field") for one in lost)


def test_a_page_without_its_style_sheet(score: Callable[[str], VisualScore]) -> None:
    unstyled = score(re.sub(r"<style.*?</style>", "", SIGNUP, flags=re.DOTALL))
    assert fidelity(unstyled) < 0.7
    assert in_words(unstyled.differences[0]).startswith("the page is unstyled")
    assert unstyled.differences[0].cost > 0.8 * (1 - fidelity(unstyled))


def test_another_design(score: Callable[[str], VisualScore]) -> None:
    assert fidelity(score((DESIGNS / "dashboard.html").read_text(encoding="utf-8"))) < 0.45


_STYLE = "<style>body { margin: 40px; font: 16px/24px Arial } p { margin: 0 }</style>"
_BOXES = """<style>
body { margin: 0 } div { position: absolute; font: 16px Arial }
#panel { left: 40px; top: 40px; width: 900px; height: 400px; background: #dde8f5 }
#card { left: %spx; top: %spx; width: 400px; height: 300px; background: #fff }
#button { left: %spx; top: %spx; width: 200px; height: 50px; background: #2255cc; color: #fff }
</style>"""


def document(style: str, body: str) -> str:
    return f"<!doctype html><html lang=en><title>t</title>{style}<body>{body}"


@pytest.mark.parametrize("words", ["Buy now", "Buy new"])
def test_cards_beside_their_panel_in_the_markup_do_not_cover_it(
    capture: Callable[[str], Capture], words: str
) -> None:
    """As pages are written that place everything by itself: what they look like decides."""
    inside, outside = _BOXES % (20, 20, 20, 220), _BOXES % (60, 60, 80, 280)
    nested = "<div id=panel><div id=card>First<div id=button>{}</div></div></div>"
    beside = "<div id=panel></div><div id=card>First</div><div id=button>{}</div>"
    design = capture(document(inside, nested.format("Buy now")))
    pages = document(inside, nested.format(words)), document(outside, beside.format(words))
    within, besides = (measure_visual(design, capture(page), settings=Settings()) for page in pages)
    assert fidelity(besides) == fidelity(within)
    assert [in_words(one) for one in besides.differences] == [in_words(one) for one in within.differences]


@pytest.mark.parametrize("is_swapped", [False, True])
def test_text_that_looks_the_same_is_however_the_markup_cuts_it(
    capture: Callable[[str], Capture], is_swapped: bool
) -> None:
    bodies = (
        "<p><b>Fast delivery</b></p><p>To your door</p>",
        "<div><b>Fast delivery</b><br>To your door</div>",
    )
    first, second = (capture(document(_STYLE, body)) for body in (bodies[::-1] if is_swapped else bodies))
    found = measure_visual(first, second, settings=Settings())
    assert (fidelity(found), found.typography, found.differences) == (1.0, 1.0, ())


def test_a_picture_of_a_page_has_no_text_however_much_it_looks_the_same(
    capture: Callable[[str], Capture],
) -> None:
    design = capture(document(_STYLE, "<p>Fast delivery</p><p>To your door</p>"))
    picture = f'<img src="data:image/png;base64,{b64encode(design.screenshot.png).decode()}" alt="">'
    page = capture(document("<style>body { margin: 0 }</style>", picture))
    found = measure_visual(design, page, settings=Settings())
    assert found.typography == 0.0
    assert found.score < 0.3
