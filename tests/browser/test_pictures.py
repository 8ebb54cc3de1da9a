"""A picture as the design: read, compared at its own width, and never mixed with runs against pages."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.comparing.conditions import touched_metrics
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.models.elements import DesignBlocks, DesignText
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.picture import ocr
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.picture import write_blocks

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("rapidocr", "onnxruntime")),
    reason="needs the extra `picture`",
)

PAGE = """<!doctype html><html lang="en"><title>Harbour</title><style>
body { font: 16px/1.5 sans-serif; margin: 0 } header { background: #1c2333; color: #fff; padding: 12px 24px }
main { padding: 24px; max-width: 640px } a { color: #0645ad } h1 { font-size: 30px; margin: 0 0 12px }
</style><header>Harbour library</header><main><h1>Opening hours</h1>
<p>The reading room is open from nine in the morning until eight in the evening on every working day of the
week, and the <a href="#">children's room</a> closes two hours earlier.</p>
<p>Lost books cost what a new copy costs.</p></main>"""


def codes(evaluation: Evaluation) -> list[str]:
    """Return codes of warnings, but for those of metrics that a picture cannot have."""
    return [one.code for one in evaluation.warnings if not one.code.endswith("_unmeasured")]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """What several tests show is read once."""
    return Settings(audit=False, cache_folder=tmp_path_factory.mktemp("cache"))


def captured(renderer: Renderer, folder: Path, width: int = 1280) -> Capture:
    (folder / "page.html").write_text(PAGE)
    return capture_source(
        folder / "page.html",
        role="candidate",
        renderer=renderer,
        settings=Settings(audit=False, viewport=(f"{width}x720",)),
    )


def screenshot(renderer: Renderer, folder: Path, width: int = 1280) -> Image.Image:
    capture = captured(renderer, folder, width)
    return Image.open(io.BytesIO(capture.screenshot.png)).convert("RGB")


def scored(renderer: Renderer, folder: Path, reference: str, settings: Settings) -> Evaluation:
    pair = Pair(Subject(id="page", case="page"), reference, "page.html", folder)
    return score_pair(pair, renderer=renderer, settings=settings)


def test_a_page_is_nearly_the_same_as_its_own_picture(
    renderer: Renderer, tmp_path: Path, settings: Settings
) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    evaluation = scored(renderer, tmp_path, "design.png", settings)

    assert evaluation.visual is not None
    assert evaluation.visual.score > 0.97
    assert {match.reference.text for match in evaluation.visual.matches} >= {
        "opening hours",
        "harbour library",
    }
    assert evaluation.to_dict(has_details=True)["reference_kind"] == "picture"


@pytest.mark.slow
def test_the_candidate_is_rendered_at_the_designs_width(
    renderer: Renderer, tmp_path: Path, settings: Settings
) -> None:
    narrow = screenshot(renderer, tmp_path, width=375)
    narrow.resize((750, narrow.height * 2), Image.Resampling.LANCZOS).save(tmp_path / "design@2x.png")
    evaluation = scored(renderer, tmp_path, "design@2x.png", settings)

    assert evaluation.page_sizes["reference"] == evaluation.page_sizes["candidate"] == narrow.size
    assert codes(evaluation) == ["picture_rescaled"]
    assert evaluation.visual is not None
    assert evaluation.visual.score > 0.95


def test_a_picture_of_the_first_screen_is_compared_with_the_first_screen(
    renderer: Renderer, tmp_path: Path, settings: Settings
) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    (tmp_path / "page.html").write_text(f"{PAGE}<p style='margin-top: 900px'>Far below the first screen.</p>")
    cut = scored(renderer, tmp_path, "design.png", settings)
    whole = scored(renderer, tmp_path, "design.png", replace(settings, picture_crop="never"))

    assert codes(cut) == ["picture_cropped"]
    assert cut.page_sizes["reference"] == cut.page_sizes["candidate"] == (1280, 720)
    assert cut.settings["reference"]["compared"] == "first screen"
    assert whole.page_sizes["candidate"][1] > 1000
    assert "compared" not in whole.settings["reference"]
    assert cut.visual is not None
    assert whole.visual is not None
    assert cut.visual.score > 0.98 > whole.visual.score


@pytest.mark.slow
def test_runs_against_pictures_and_pages_never_compare_in_silence(renderer: Renderer, tmp_path: Path) -> None:
    page = captured(renderer, tmp_path)
    (tmp_path / "design.png").write_bytes(page.screenshot.png)
    (tmp_path / "design.blocks.json").write_text(write_blocks(blocks_of_page(page)))
    (tmp_path / "design.html").write_text(PAGE)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest_design2a11y", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    def score(reference: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        line = {"id": "1", "case": "1", "reference": reference, "candidate": "page.html"}
        (tmp_path / "pairs.jsonl").write_text(json.dumps(line))
        return run("score", "--pairs", "pairs.jsonl", "--no-audit", *arguments)

    assert score("design.html", "--save", "pages").returncode == 0
    gated = score("design.png", "--save", "pictures", "--compare", "pages", "--fail-on", "visual:0.9")
    assert gated.returncode == 3
    assert "visual:0.9: could not be judged: conditions of the reference alone" in gated.stderr
    assert "kind=picture, reader=blocks file" in gated.stderr

    compared = run("compare", "pages", "pictures").stdout.splitlines()
    refused = {line.split()[0] for line in compared if "refused: conditions of the reference alone" in line}
    # These need elements, fonts, figures and an audit, which one of the runs lacks.
    lacking = {"elements", "typography", "fidelity", "delivered", "figures", "blocking"}
    assert refused == set(touched_metrics("design")) - lacking


def test_a_picture_as_candidate_has_a_visual_score_and_no_accessibility(
    renderer: Renderer, tmp_path: Path, settings: Settings
) -> None:
    screenshot(renderer, tmp_path).save(tmp_path / "design.png")
    pair = Pair(Subject(id="page", case="page"), "page.html", "design.png", tmp_path)
    evaluation = score_pair(pair, renderer=renderer, settings=replace(settings, audit=True))

    assert evaluation.visual is not None
    assert (evaluation.accessibility, evaluation.error) == (None, None)
    assert "picture_not_audited" in [warning.code for warning in evaluation.warnings]


def test_a_damaged_picture_loses_one_pair(renderer: Renderer, tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "design.png").write_bytes(b"\x89PNG\r\n\x1a\n not one")
    evaluation = scored(renderer, tmp_path, "design.png", settings)

    assert evaluation.error is not None
    assert evaluation.error.type == "PictureUnreadable"


def test_a_page_and_its_picture_with_a_blocks_file_are_nearly_the_same(
    renderer: Renderer, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)  # nothing is read
    ocr.engine_identity.cache_clear()
    page = captured(renderer, tmp_path)
    (tmp_path / "design.png").write_bytes(page.screenshot.png)
    (tmp_path / "design.blocks.json").write_text(write_blocks(blocks_of_page(page)))

    evaluation = scored(renderer, tmp_path, "design.png", settings)

    assert evaluation.visual is not None
    assert evaluation.visual.score > 0.999
    assert (codes(evaluation), evaluation.reference_kind) == ([], "picture")
    assert evaluation.settings["reference"]["reader"].startswith("blocks file ")


HERO = """<!doctype html><html lang=en><title>Hero</title><style>body { margin: 0 } main { display: grid;
place-items: center; height: 100vh; background: #dde }</style><main><h1>Made for rain</h1></main>"""


@pytest.mark.parametrize("size", [(1440, 900), (375, 812)])
def test_a_picture_of_one_screen_tells_the_height_of_the_window(
    renderer: Renderer, tmp_path: Path, settings: Settings, size: tuple[int, int]
) -> None:
    evaluation = against_blocks(renderer, tmp_path, settings, HERO, f"{size[0]}x{size[1]}")

    assert evaluation.settings["viewport"] == f"{size[0]}x{size[1]}"
    assert evaluation.visual is not None
    assert evaluation.visual.position > 0.999
    assert codes(evaluation) == []


@pytest.mark.slow
def test_of_a_longer_picture_the_window_is_not_known(
    renderer: Renderer, tmp_path: Path, settings: Settings
) -> None:
    page = f"{HERO}<p style='margin-top: 2000px'>Below</p>"
    unknown = against_blocks(renderer, tmp_path, settings, page, "1440x900")
    given = replace(settings, viewport=("1440x900",))
    known = against_blocks(renderer, tmp_path, given, page, "1440x900")

    assert codes(unknown) == ["picture_window"]
    assert "--design2a11y-viewport 1440xHEIGHT." in str(unknown.warnings)
    assert codes(known) == []


def against_blocks(
    renderer: Renderer, folder: Path, settings: Settings, html: str, viewport: str
) -> Evaluation:
    """Score a page against a picture of itself in another window, with a blocks file."""
    (folder / "page.html").write_text(html)
    own = Settings(audit=False, viewport=(viewport,))
    page = capture_source(folder / "page.html", role="candidate", renderer=renderer, settings=own)
    (folder / "design.png").write_bytes(page.screenshot.png)
    (folder / "design.blocks.json").write_text(write_blocks(blocks_of_page(page)))
    return scored(renderer, folder, "design.png", settings)


def blocks_of_page(page: Capture) -> DesignBlocks:
    runs: dict[int, list[TextRun]] = {}
    for run in page.text_runs:
        runs.setdefault(run.owner, []).append(run)
    return DesignBlocks(
        page.page_size,
        tuple(
            DesignText(
                " ".join(run.text for run in owned),
                tuple(box for run in owned for box in run.boxes),
                owned[0].color,
            )
            for owned in runs.values()
        ),
    )


def drawing(width: int, height: int, ground: str, text: str) -> str:
    shape = f"<rect width='{width}' height='{height}' fill='{ground}'/>"
    letters = f"<text x='20' y='{height // 2 + 10}' font-size='30' font-family='sans-serif'>{text}</text>"
    return (
        "data:image/svg+xml,"
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>{shape}{letters}</svg>"
    )


PICTURED = f"""<!doctype html><html lang="en"><title>Harbour</title><style>
body {{ font: 16px/1.5 sans-serif; margin: 0 }} main {{ padding: 24px; max-width: 640px }}
.hero {{ height: 120px; background: url("{drawing(1280, 120, "khaki", "Walk along the coast")}") }}
</style><div class="hero"></div><main><img alt="" src="{drawing(260, 50, "white", "Harbour Library")}">
<p>The reading room is open from nine in the morning until eight in the evening.</p></main>"""


@pytest.mark.slow
def test_text_in_the_candidates_own_pictures_is_read_too(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PICTURED)
    capture = capture_source(
        tmp_path / "page.html", role="candidate", renderer=renderer, settings=Settings(audit=False)
    )
    (tmp_path / "design.png").write_bytes(capture.screenshot.png)
    visual = scored(renderer, tmp_path, "design.png", Settings(audit=False, picture_crop="never")).visual
    beside_page = scored(renderer, tmp_path, "page.html", Settings(audit=False)).visual

    assert visual is not None
    assert beside_page is not None
    assert (visual.missing, visual.extra) == ((), ())
    assert visual.score > 0.99
    assert {match.reference.text for match in visual.matches} >= {"walk along the coast", "harbour library"}
    assert "harbour library" not in {match.reference.text for match in beside_page.matches}
