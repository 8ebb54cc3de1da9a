"""Fix lists of the small pairs of the shared sets: the edit of one property leaves nothing that differs."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.fixing.fix_list import is_for_contrast
from pytest_design2a11y.fixing.pages import opened
from pytest_design2a11y.models.visual import LEAST_COST, Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

SHARED = Path(__file__).resolve().parents[3] / "shared"
#: What every list asks for, whatever was changed.
FOR_CONTRAST = "contrast that accessibility demands"
#: Share of the claims that hold.
LEAST = 0.8


def pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    for page in sorted(folder.rglob("c-*.html")):
        yield page.with_name("index.html"), page
    for page in sorted(folder.rglob("*-b.html")):
        yield page.with_name(page.name.replace("-b.", "-a.")), page


def only_one(differences: tuple[Difference, ...]) -> Difference | None:
    """Return the difference if there is but one, of one property of one element.

    What a picture draws is no element, and a color that is not readable is not asked for.
    """
    found = [one for one in differences if one.cost >= LEAST_COST]
    if len(found) != 1 or found[0].members or not (found[0].design and found[0].made):
        return None
    is_of_one = found[0].property is not None and " in picture " not in in_words(found[0])
    return found[0] if is_of_one and not is_for_contrast(found[0]) else None


@pytest.mark.slow(is_long=True)
@pytest.mark.skipif(not SHARED.is_dir(), reason="The shared pages are not here.")
@pytest.mark.parametrize("name", ["new-kinds/small"])
def test_the_edit_of_one_property_takes_its_difference_away_and_brings_none(
    renderer: Renderer, name: str, tmp_path: Path
) -> None:
    with tarfile.open(SHARED / f"{name}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    settings = Settings(cache_folder=None)
    left = {}
    for design, page in pairs(tmp_path):
        try:
            with opened((str(design), str(page)), renderer=renderer, settings=settings) as pages:
                claim = only_one(pages.evaluation.visual.differences) if pages.evaluation.visual else None
                if claim is None:
                    continue
                found = pages.fix_list(seconds=0.0)
                rest = [part.message for part in found.remaining]
                left[page.name] = [message for message in rest if not message.startswith(FOR_CONTRAST)]
        except MeasurementError:
            continue  # Its fidelity is not known, by which an edit is judged.

    assert left
    held = [page for page, messages in left.items() if not messages]
    assert len(held) / len(left) >= LEAST, {page: messages for page, messages in left.items() if messages}
