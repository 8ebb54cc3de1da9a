"""A picture as the design: read, compared at its own width, and never mixed with runs against pages."""

from __future__ import annotations

import importlib.util
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.conditions import VISUAL
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.records import make_run
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.page import Viewport
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.models.serialization import to_dict
from pytest_design2a11y.settings.values import Settings

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("rapidocr", "onnxruntime")),
    reason="needs the extra `picture`: rapidocr and onnxruntime",
)

PAGE = """<!doctype html><html lang="en"><title>Harbour</title><style>
body { font: 16px/1.5 sans-serif; margin: 0 } header { background: #1c2333; color: #fff; padding: 12px 24px }
main { padding: 24px; max-width: 640px } a { color: #0645ad } h1 { font-size: 30px; margin: 0 0 12px }
</style><header>Harbour library</header><main><h1>Opening hours</h1>
<p>The reading room is open from nine in the morning until eight in the evening on every working day of the
week, and the <a href="#">children's room</a> closes two hours earlier.</p>
<p>Lost books cost what a new copy costs.</p></main>"""


def screenshot(renderer: Renderer, folder: Path, width: int = 1280) -> Image.Image:
    (folder / "page.html").write_text(PAGE)
    capture = capture_source(
        folder / "page.html",
        role="candidate",
        renderer=renderer,
        settings=Settings(audit=False),
        viewport=Viewport(width=width),
    )
    return Image.open(io.BytesIO(capture.screenshot.png)).convert("RGB")


def scored(renderer: Renderer, folder: Path, reference: str, settings: Settings | None = None) -> Evaluation:
    pair = Pair(Subject(id="page", case="page"), reference, "page.html", folder)
    return score_pair(pair, renderer=renderer, settings=settings or Settings(audit=False))


def test_a_page_is_nearly_the_same_as_its_own_picture(renderer: Renderer, tmp_path: Path) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    evaluation = scored(renderer, tmp_path, "design.png")

    assert evaluation.visual is not None
    assert evaluation.visual.score > 0.97
    assert {match.reference.text for match in evaluation.visual.matches} >= {
        "opening hours",
        "harbour library",
    }
    assert to_dict(evaluation)["reference_kind"] == "picture"


def test_the_candidate_is_rendered_at_the_designs_width(renderer: Renderer, tmp_path: Path) -> None:
    narrow = screenshot(renderer, tmp_path, width=375)
    narrow.resize((750, narrow.height * 2), Image.Resampling.LANCZOS).save(tmp_path / "design@2x.png")
    evaluation = scored(renderer, tmp_path, "design@2x.png")

    assert evaluation.page_sizes["reference"] == evaluation.page_sizes["candidate"] == narrow.size
    assert [warning.code for warning in evaluation.warnings] == ["picture_rescaled"]
    assert evaluation.visual is not None
    assert evaluation.visual.score > 0.95


def test_a_picture_of_the_first_screen_is_compared_with_the_first_screen(
    renderer: Renderer, tmp_path: Path
) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    (tmp_path / "page.html").write_text(f"{PAGE}<p style='margin-top: 900px'>Far below the first screen.</p>")
    cut = scored(renderer, tmp_path, "design.png")
    whole = scored(renderer, tmp_path, "design.png", Settings(audit=False, picture_crop="never"))

    assert [warning.code for warning in cut.warnings] == ["picture_cropped"]
    assert cut.visual is not None
    assert whole.visual is not None
    assert cut.visual.score > 0.98 > whole.visual.score


def test_runs_against_pictures_and_pages_never_compare_in_silence(renderer: Renderer, tmp_path: Path) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    against_picture = make_run("picture", [scored(renderer, tmp_path, "design.png")])
    against_page = make_run("page", [replace(scored(renderer, tmp_path, "page.html"), reference="design")])

    compared = compare_runs(against_page, against_picture)

    assert {compared.metrics[metric].state for metric in VISUAL} == {"refused"}


def test_a_picture_as_candidate_has_a_visual_score_and_no_accessibility(
    renderer: Renderer, tmp_path: Path
) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    pair = Pair(Subject(id="page", case="page"), "page.html", "design.png", tmp_path)
    evaluation = score_pair(pair, renderer=renderer, settings=Settings())

    assert evaluation.visual is not None
    assert (evaluation.accessibility, evaluation.error) == (None, None)
    assert "picture_not_audited" in [warning.code for warning in evaluation.warnings]


def test_a_damaged_picture_loses_one_pair(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "design.png").write_bytes(b"\x89PNG\r\n\x1a\n not one")
    evaluation = scored(renderer, tmp_path, "design.png")

    assert evaluation.error is not None
    assert evaluation.error.type == "PictureUnreadable"
