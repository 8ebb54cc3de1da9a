"""The edits of a page that differs in one property of one element take that away, and bring nothing."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.fixing.drafts import draft_of, settled
from pytest_design2a11y.fixing.fix_list import is_for_contrast
from pytest_design2a11y.fixing.pages import Opened, opened
from pytest_design2a11y.models.visual import LEAST_COST, Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

SHARED = Path(__file__).resolve().parents[3] / "shared"
#: Share of the claims of the shared sets that hold.
LEAST = 0.85
HEAD = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Boats</title><style>body { margin: 0; '
    "font: 16px/24px Arial; background: #f4f1ea; color: #222222 } main { padding: 24px } "
)
SEATS = "<p>Seats: 12</p>"
CELL = "<td><strong>Ida, sails at</strong><br>%s o'clock, for twelve</td><td>24.00</td><td>288.00</td>"
TRASH = (
    '<button>Delete <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor">'
    '<path d="M2 3h12v2H2zM4 6h2v9H4zM10 6h2v9h-2zM4 13h8v2H4z"/></svg></button>'
)
#: Style and content of a page; what of either the page has in place of what the design has.
ONE_CLAIM = {
    "box read from the right that gets another fill": (
        "b { display: flex; justify-content: center; align-items: center; width: 28px; height: 28px; "
        "border-radius: 14px; background: #00947e; color: #ffffff; font-size: 14px }",
        f'<div dir="rtl"><b>1</b></div>{SEATS}',
        ("12", "13"),
    ),
    "text in a field": (
        "input { padding: 0 16px; height: 40px; border: 1px solid #666666 }",
        f'<input aria-label="Boat" value="Ida">{SEATS}',
        ("12", "13"),
    ),
    "faded button": (
        "button { opacity: 0.65; background: #2c3e50; color: #ffffff; border: 0; padding: 8px 20px }",
        f"<button disabled>Today</button>{SEATS}",
        ("12", "13"),
    ),
    "lines in a cell": (
        "table { width: 600px; border-collapse: collapse } td { padding: 8px; text-align: right } "
        "td:first-child { text-align: left } strong { color: #6a4b16 }",
        f"<table><tr>{CELL % 'six'}</tr><tr><td>Eva, sails whenever the tide is high enough for her</td>"
        "<td>18.00</td><td>18.00</td></tr></table>",
        ("six", "ten"),
    ),
    "indent of a line in a panel": (
        "pre { background: #ffffff; padding: 12px; font: 16px/24px Courier New, monospace }",
        "<pre>for boat in boats:\n        sail(boat)\n    return boats</pre>",
        ("        sail", "    sail"),
    ),
    "outline of a field": (
        "input { border: 1px solid #666666; outline: 2px solid #b3161f; outline-offset: 3px }",
        f'<input aria-label="Boat" value="Ida">{SEATS}',
        ("outline: 2px solid #b3161f; ", ""),
    ),
    "icon on a button": (
        "button { background: #b3161f; color: #ffffff; border: 0; padding: 14px 20px; font: 16px Arial }",
        TRASH,
        ("#b3161f", "#0f54c4"),
    ),
}


def claims(differences: Sequence[Difference]) -> list[Difference]:
    """Return differences but those of colors that are not readable, which no edit asks for."""
    return [one for one in differences if one.cost >= LEAST_COST and not is_for_contrast(one)]


def left_by_edits(pages: Opened) -> list[str]:
    """Return what differs once the edits of a first draft are made."""
    trial = pages.trial(0.0)
    pages.bench.call("apply", [])
    edits = settled(draft_of(trial.claims(pages.candidate), pages.bench), pages.bench)
    return [in_words(one) for one in claims(trial.shown(edits).scoring.result().differences)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_CLAIM)
def test_the_edit_of_one_property_takes_its_difference_away_and_brings_none(
    renderer: Renderer, name: str
) -> None:
    style, body, (wanted, shown) = ONE_CLAIM[name]
    design = f"{HEAD}{style}</style></head><body><main><h1>Boats</h1>{body}</main></body></html>"
    pair = design, design.replace(wanted, shown)

    with opened(pair, renderer=renderer, settings=Settings(cache_folder=None)) as pages:
        assert pages.evaluation.visual is not None
        (claim,) = claims(pages.evaluation.visual.differences)
        left = left_by_edits(pages)

    assert claim.property is not None
    assert left == []


def shared_pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    for page in sorted(folder.rglob("c-*.html")):
        yield page.with_name("index.html"), page
    for page in sorted(folder.rglob("*-b.html")):
        yield page.with_name(page.name.replace("-b.", "-a.")), page


def has_one_claim(pages: Opened) -> bool:
    """Return whether a page has but one difference, of one property of one element.

    What a picture draws is no element.
    """
    found = claims(pages.evaluation.visual.differences) if pages.evaluation.visual else []
    if len(found) != 1 or found[0].members or not (found[0].design and found[0].made):
        return False
    return found[0].property is not None and " in picture " not in in_words(found[0])


@pytest.mark.slow(is_long=True)
@pytest.mark.skipif(not SHARED.is_dir(), reason="The shared pages are not here.")
@pytest.mark.parametrize("name", ["small", "pages"])
def test_the_edits_of_the_shared_pages_with_one_claim_leave_nothing(
    renderer: Renderer, name: str, tmp_path: Path
) -> None:
    with tarfile.open(SHARED / f"new-kinds/{name}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    left = {}
    for design, page in shared_pairs(tmp_path):
        pair = str(design), str(page)
        try:
            with opened(pair, renderer=renderer, settings=Settings(cache_folder=None)) as pages:
                if has_one_claim(pages):
                    left[page.name] = left_by_edits(pages)
        except MeasurementError:
            continue  # Its fidelity is not known, by which an edit is judged.

    assert left
    held = [page for page, messages in left.items() if not messages]
    assert len(held) / len(left) >= LEAST, {page: messages for page, messages in left.items() if messages}
