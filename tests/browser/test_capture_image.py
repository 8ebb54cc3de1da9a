"""A screenshot that is not wanted is not taken; one that cannot be taken leaves the audit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.page import screenshot
from pytest_design2a11y.exceptions import CaptureError, RenderTimeout
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.pipeline import evaluate, with_pictures
from pytest_design2a11y.measuring.sources import capture_live
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

START = "<!doctype html><html lang=en><title>Case</title><h1>Shown</h1><img src='data:,'>"
PAGE = Document(label="page.html", html=START.encode())
LAYER = "<div style='filter: blur(80px); width: 3000px; height: 3000px; background: red'>"
UNPAINTABLE = Document(label="page.html", html=(START + LAYER * 30).encode())


@pytest.fixture
def num_taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each picture."""
    taken: list[int] = []
    take = screenshot.take

    def counting(*given: object, **named: object) -> bytes:
        taken.append(1)
        return take(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(screenshot, "take", counting)
    return taken


def test_an_audit_alone_takes_no_screenshot(renderer: Renderer, num_taken: list[int], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(START)
    pair = Pair(Subject(id="page", case=""), None, "page.html", tmp_path)

    evaluation = score_pair(pair, renderer=renderer, settings=Settings())

    assert evaluation.error is None
    assert evaluation.accessibility is not None
    assert evaluation.accessibility.by_impact["critical"] == 1
    assert evaluation.page_sizes == {"candidate": (1280, 720)}
    assert num_taken == []


def test_an_audit_for_a_report_takes_one_with_text_and_one_without(
    renderer: Renderer, num_taken: list[int], tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(START)
    pair = Pair(Subject(id="page", case=""), None, "page.html", tmp_path)

    evaluation = score_pair(pair, renderer=renderer, settings=Settings(picture_folder=tmp_path / "pictures"))

    assert set(evaluation.pictures) == {"candidate"}
    assert num_taken == [1, 1]


def test_a_capture_without_a_screenshot_says_so_where_one_is_needed(renderer: Renderer) -> None:
    capture = renderer.capture(PAGE, role="candidate", audit=AuditChoice(), has_image=False)

    with pytest.raises(CaptureError, match="captured for its accessibility alone, without a screenshot"):
        _ = capture.screenshot


@pytest.mark.slow
def test_a_screenshot_that_fails_leaves_the_audit(
    make_renderer: Callable[..., Renderer], renderer: Renderer, tmp_path: Path
) -> None:
    reference = renderer.capture(PAGE, role="reference", audit=None)

    patient = make_renderer(timeout=10.0, max_memory=8192, is_fresh=True)
    candidate = patient.capture(UNPAINTABLE, role="candidate", audit=AuditChoice())

    assert isinstance(candidate.image_error, RenderTimeout)
    settings = Settings(picture_folder=tmp_path)
    subject = Subject(id="page", case="case")
    evaluation = with_pictures(
        evaluate(subject, reference=reference, candidate=candidate, settings=settings),
        reference=reference,
        candidate=candidate,
        settings=settings,
    )
    assert evaluation.accessibility is not None
    assert evaluation.accessibility.by_impact["critical"] == 1
    assert evaluation.visual is None
    assert evaluation.error is not None
    assert evaluation.error.type == "RenderTimeout"
    assert "could not be painted within" in evaluation.error.message
    assert set(evaluation.pictures) == {"reference"}


# Chromium lays such text out anew, twice, to capture beyond its window: more than 30 s on an idle machine.
REPEATED = "<h1>Start</h1><code>" + "\N{GRINNING FACE} " * 80_000 + "</code>"


@pytest.mark.slow
def test_endless_repetition_is_pictured_in_time(renderer: Renderer) -> None:
    document = Document(label="page.html", html=f"<!doctype html><title>Loop</title>{REPEATED}".encode())

    capture = renderer.capture(document, role="candidate", audit=None)

    assert capture.page_size == (1280, 16_000)
    assert capture.screenshot.pixels.shape == (16_000, 1280, 3)
    assert "page_clipped" in {warning.code for warning in capture.warnings}
    assert capture.screenshot.pixels[-40:].std() > 10  # painted down to its end


STYLES = {
    "fixed": "h1 { position: fixed; bottom: 0 }",
    "query": "@media (min-height: 1000px) { p { color: red } }",
    "plain": "",
    "units of the window": "p { height: 50vh }",
    "fixed background": "body { background: linear-gradient(red, blue) fixed }",
}


@pytest.fixture(scope="module")
def cutting(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer that cuts pages off early."""
    return make_renderer(max_height=1500)


@pytest.mark.alike(2)
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_a_page_that_is_cut_looks_as_the_same_page_uncut(
    renderer: Renderer, cutting: Renderer, style: str
) -> None:
    rules = f"p {{ height: 400px; background: gold }} {style}"
    html = f"<!doctype html><title>Cut</title><style>{rules}</style><h1>Top</h1>{'<p>Part' * 12}"
    document = Document(label="page.html", html=html.encode())

    whole = renderer.capture(document, role="candidate", audit=None)
    cut = cutting.capture(document, role="candidate", audit=None)

    assert cut.page_size == (1280, 1500)
    assert (cut.screenshot.pixels == whole.screenshot.pixels[:1500]).all()
    boxes = [run.boxes for run in whole.text_runs if run.boxes[0][1] < 1480]
    assert [run.boxes for run in cut.text_runs] == boxes


# At these widths alone a heading is faded in, or a bar without a fill would go there from a white one.
OF_A_WIDTH = """<!doctype html><html lang=en><title>Blog</title><style>
body { margin: 0 } header { background: #224466; height: 1400px; padding-top: 100px; color: #fff }
nav { position: absolute; top: 0; width: 100%; height: 80px; background: #fff; transition: all 2s !important }
@keyframes in { from { opacity: 0 } }
@media (min-width: 992px) { nav { background: none } h1 { animation: in 2s both } }
</style><nav>Home</nav><header><h1>Hello</h1></header></html>"""


@pytest.mark.parametrize("is_live", [False, True])
def test_what_begins_at_a_width_is_at_its_end(renderer: Renderer, chromium: Browser, is_live: bool) -> None:
    """To picture a whole page the browser gives it a window of no width for a moment."""
    if is_live:
        page = chromium.new_page(viewport={"width": 1280, "height": 720})
        page.set_content(OF_A_WIDTH)
        capture = capture_live(page, role="candidate", settings=Settings())
        page.close()
    else:
        document = Document(label="page.html", html=OF_A_WIDTH.encode())
        capture = renderer.capture(document, role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Home", "Hello"]
    assert capture.screenshot.pixels[40, 600].tolist() == [0x22, 0x44, 0x66]
    assert capture.screenshot.pixels[100:200].max() == 255
