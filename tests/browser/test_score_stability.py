"""Same page, same score, to the last bit: in one browser, in a new one, and a page against itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

ROOT = Path(__file__).resolve().parents[2]
DESIGNS = sorted((ROOT / "examples" / "designs").glob("*.html"))
CANDIDATES = ROOT / "examples" / "generated" / "prompt-b"
REFERENCES = sorted((ROOT.parent / "shared" / "corpus" / "references").glob("*.html"))
SETTINGS = Settings()


def capture(renderer: Renderer, path: Path, role: Any) -> Capture:
    return capture_source(path, role=role, renderer=renderer, settings=SETTINGS)


def compare(reference: Capture, candidate: Capture) -> Evaluation:
    subject = Subject(id="pair", case="pair")
    measured = evaluate(subject, reference=reference, candidate=candidate, settings=SETTINGS)
    assert measured.error is None
    return measured


def measure(renderer: Renderer, reference: Path, candidate: Path) -> Evaluation:
    return compare(capture(renderer, reference, "reference"), capture(renderer, candidate, "candidate"))


def components(measured: Evaluation) -> dict[str, float]:
    return {name: getattr(measured.visual, name) for name in ("score", *VISUAL_COMPONENTS)}


each_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.stem)


@pytest.mark.slow
@each_design
def test_a_score_does_not_depend_on_the_browsers_past(
    renderer: Renderer, make_renderer: Callable[..., Renderer], design: Path
) -> None:
    candidate = CANDIDATES / design.name

    warm = [measure(renderer, design, candidate).to_dict(has_details=True) for _ in range(2)]
    fresh = measure(make_renderer(is_fresh=True), design, candidate).to_dict(has_details=True)

    assert warm[0]["visual"]["score"] < 1
    assert warm == [fresh] * 2


@pytest.mark.slow
def test_twenty_runs_give_one_score(renderer: Renderer) -> None:
    reference, candidate = DESIGNS[0], CANDIDATES / DESIGNS[0].name

    first, *others = (measure(renderer, reference, candidate).to_dict(has_details=True) for _ in range(20))

    assert others == [first] * 19


@pytest.mark.alike(1)
@each_design
def test_a_page_against_itself_is_exactly_alike_and_swapping_the_pages_changes_nothing(
    renderer: Renderer, design: Path
) -> None:
    references, candidates = (
        [capture(renderer, path, role) for path in (design, CANDIDATES / design.name)]
        for role in ("reference", "candidate")
    )

    assert set(components(compare(references[0], candidates[0])).values()) == {1.0}
    assert components(compare(references[1], candidates[0])) == pytest.approx(
        components(compare(references[0], candidates[1])), abs=1e-9
    )


@pytest.mark.slow(is_long=True)
@pytest.mark.skipif(not REFERENCES, reason="no corpus: scripts/get_corpus.py gets it")
def test_every_reference_of_the_corpus_against_itself_is_exactly_alike(renderer: Renderer) -> None:
    scores = {page.stem: components(measure(renderer, page, page)) for page in REFERENCES}

    assert {case: found for case, found in scores.items() if set(found.values()) != {1.0}} == {}
