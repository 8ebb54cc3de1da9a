"""Fix lists: the edit of one changed property takes its difference away and brings no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pytest_design2a11y.capture.browser.pages import BlankPage
from pytest_design2a11y.capture.page import frozen
from pytest_design2a11y.capture.page.frames import FrozenPage
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.fixing.edit import Edit, read_edits
from pytest_design2a11y.fixing.fix_list import FixList
from pytest_design2a11y.fixing.pages import opened
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.settings import Settings

Listed = Callable[..., FixList]

DESIGN = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tea</title><style>
body { margin: 0; font: 16px/24px Arial; background: #f4f1ea; color: #222222 }
main { padding: 24px }
h1 { font-size: 40px; line-height: 48px; margin: 0 0 16px }
.card { width: 420px; background: #ffffff; border: 2px solid #8a6d3b; border-radius: 12px; padding: 20px }
.card p { margin: 0 0 16px }
button { width: 160px; height: 44px; font: bold 16px/20px Arial; border: 0 }
button { background: #2d5d4b; color: #ffffff }
</style></head><body><main><h1>Green tea</h1><div class="card">
<p class="what">Picked by hand in spring, and dried in the shade.</p>
<button>Add to basket</button></div><p class="note">Free delivery above 30 euros.</p></main></body></html>"""

#: One property of one element, changed.
CHANGES = {
    "color": ("body { margin", "h1 { color: #b3261e } body { margin"),
    "font-size": ("font-size: 40px", "font-size: 30px"),
    "family": ("h1 { font-size", "h1 { font-family: Courier New; font-size"),
    "weight": ("h1 { font-size", "h1 { font-weight: 400; font-size"),
    "letter-spacing": ("h1 { font-size", "h1 { letter-spacing: 3px; font-size"),
    "fill": ("background: #ffffff", "background: #cfe8ff"),
    "border": ("2px solid #8a6d3b", "2px solid #d0021b"),
    "radius": ("border-radius: 12px", "border-radius: 0"),
    "width": ("width: 420px", "width: 520px"),
    "place": (".card p {", ".note { margin: 90px 0 0 60px } .card p {"),
    "ground": ("#f4f1ea", "#ffffff"),
    "words": ("Green tea", "Black tea"),
    "lost text": ('<p class="note">Free delivery above 30 euros.</p>', ""),
    "other text": ("</main>", "<p>Only today: two for one.</p></main>"),
    "parts": ("dried in the shade.", "dried <b>in the</b> shade."),
    "letters": ("h1 { font-size", "h1 { text-transform: uppercase; font-size"),
    "share of a row": (
        ".card p {",
        ".card { display: flex; flex-wrap: wrap } .what { flex: none } button { flex: 0 0 90px } .card p {",
    ),
    "lost button fill": ("background: #2d5d4b; color: #ffffff", "background: none; color: #222222"),
}


@pytest.fixture
def listed(renderer: Renderer) -> Listed:
    """Return a function that returns the fix list of a page."""

    def listed(
        page: str, *, design: str = DESIGN, told: Sequence[Edit] = (), seconds: float = 60.0
    ) -> FixList:
        settings = Settings(cache_folder=None)
        with opened((design, page), renderer=renderer, settings=settings) as pages:
            return pages.fix_list(told=told, seconds=seconds)

    return listed


@pytest.mark.alike(3, is_long=True)
@pytest.mark.parametrize("name", CHANGES)
def test_an_edit_takes_its_difference_away_and_brings_none(listed: Listed, name: str) -> None:
    old, new = CHANGES[name]
    assert DESIGN.count(old) == 1

    found = listed(DESIGN.replace(old, new), seconds=0.0)

    assert found.before.fidelity is not None
    assert found.after is not None
    assert found.after.fidelity is not None
    assert found.before.fidelity < found.after.fidelity
    assert found.after.fidelity >= 0.995
    assert (found.after.blocking, found.after.failed) == (0, 0)
    assert found.left_out == ()


def test_every_item_helps_or_repairs_a_failure_and_has_both_boxes(
    listed: Listed,
) -> None:
    page = DESIGN.replace("font-size: 40px", "font-size: 30px").replace("#2d5d4b", "#999999")
    page = page.replace(' lang="en"', "").replace("<main>", "<div>").replace("</main>", "</div>")

    found = listed(page)

    assert all((item.gain or 0) > 0 or item.repairs for item in found.items)
    repaired = {rule for item in found.items for rule in item.repairs}
    assert {"html-has-lang", "landmark-one-main"} <= repaired
    edits = [edit for item in found.items for edit in item.edits]
    (heading,) = (edit for edit in edits if edit.selector.endswith("h1"))
    assert heading.css["font-size"] == "40px"
    assert heading.design_box is not None
    assert heading.page_box is not None
    assert 0 < heading.page_box[2] < heading.design_box[2]


#: A band behind two texts in a card, a font that a rule of the page inherits.
LAYERED = DESIGN.replace('<p class="what">', '<div class="band"><p class="what">').replace(
    "the shade.</p>", "the shade.</p><h2>Ask us</h2></div>"
)
LAYERED = LAYERED.replace(
    ".card p {", ".x { font-family: inherit } h2 { font: 600 20px/24px serif } .card p {"
)
LAYERED = LAYERED.replace(".card p {", ".band { background: #ffd966; padding: 20px 0 } .card p {")
#: The band is gone, a fill without text covers its place; a text that no element holds, and no first heading.
FLAT = (
    LAYERED.replace("background: #ffd966", "background: #fffffe")
    .replace("20px/24px serif", "20px/24px Arial")
    .replace(".x {", ".note::before { content: 'New: ' } .x {")
    .replace("h1", "h3")
)


def test_what_lies_behind_is_seen_and_what_no_element_holds_is_taken_away(listed: Listed) -> None:
    found = listed(FLAT, design=LAYERED, seconds=0.0)

    assert found.after is not None
    assert (found.after.blocking, found.after.failed) == (0, 0)
    assert (found.after.fidelity or 0) >= 0.99, [part.message for part in found.remaining]
    lines = "\n".join(line for item in found.items for line in item.lines())
    assert "isolation: isolate" in lines
    assert 'set aria-level="1"' in lines
    assert "::before {" in lines


#: A link in a table's cell of its color, as in mails.
COPPER = DESIGN.replace(
    "body {", "td, a { padding: 0; background: #b4541a } a { display: block; color: #fff } body {"
)
COPPER = COPPER.replace(
    "</main>", '<table><tr><td><a href="#1">Follow my parcel</a></td></tr></table></main>'
)


def test_what_is_painted_behind_round_corners_gets_them_too(listed: Listed) -> None:
    page = COPPER.replace("a { display: block;", "a { display: block; width: 460px; line-height: 160px;")
    design = page.replace("td, a {", "td, a { border-radius: 80px;")

    found = listed(page, design=design, seconds=0.0)

    assert found.before.fidelity is not None
    assert found.after is not None
    assert found.before.fidelity < 0.998 < 0.9999 <= (found.after.fidelity or 0)
    rounded = [edit for item in found.items for edit in item.edits if edit.css.get("border-radius") == "80px"]
    names = [edit.selector.rpartition(" ")[2].partition(":")[0] for edit in rounded]
    assert names == ["td", "a"]


def test_a_list_that_was_followed_is_followed_by_an_empty_one(listed: Listed) -> None:
    page = DESIGN.replace("font-size: 40px", "font-size: 30px")
    first = listed(page)
    followed = page.replace("h1 { font-size: 30px", "h1 { font-size: 40px")

    again = listed(followed, told=read_edits(first.to_dict()))

    assert [edit.selector for item in first.items for edit in item.edits if edit.css] != []
    assert again.items == ()
    assert "as near as edits get" in "\n".join(again.lines())


def test_an_equal_page_has_an_empty_list_that_says_so(listed: Listed) -> None:
    found = listed(DESIGN)

    assert (found.items, found.remaining) == ((), ())
    assert list(found.lines())[-2].startswith("Nothing was found that brings the page nearer to its design")
    assert list(found.lines())[-1] == "The most that edits can reach here is fidelity 1.0000."


def test_what_is_added_says_nothing_that_the_browser_does_anyway(listed: Listed) -> None:
    found = listed(DESIGN.replace(*CHANGES["lost text"]), seconds=0.0)

    (edit,) = (edit for item in found.items for edit in item.edits if edit.html)
    assert (edit.html, edit.into) == ('<p id="design1-text-1">Free delivery above 30 euros.</p>', "main")
    own = {"position", "left", "top", "margin", "font-family", "line-height"}
    assert {*edit.css} == own, "The page's own line height and the browser's margins are others."


def test_a_page_is_loaded_once(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def noted(visit: Visit, blank: BlankPage, document: Document, settings: VisitSettings) -> FrozenPage:
        loaded.append(document.label)
        return frozen(visit, blank, document, settings)

    monkeypatch.setattr("pytest_design2a11y.capture.renderer.frozen", noted)

    with opened((DESIGN, DESIGN), renderer=renderer, settings=Settings(cache_folder=None)) as pages:
        assert pages.evaluation.visual is not None

    assert len(loaded) == 2


def test_a_picture_of_a_page_has_no_edits(renderer: Renderer, tmp_path: Path) -> None:
    settings = Settings(cache_folder=None)
    picture = tmp_path / "page.png"
    found = capture_source(DESIGN, role="reference", renderer=renderer, settings=settings)
    picture.write_bytes(found.screenshot.png)

    with (
        pytest.raises(MeasurementError, match="is a picture, on which no edit can be tried"),
        opened((DESIGN, str(picture)), renderer=renderer, settings=settings),
    ):
        pass
