"""An audit that fails takes nothing else of the page with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.exceptions import AxeError, AxeTimeout, NothingToCheck
from pytest_design2a11y.measuring.checks import measure_accessibility
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

PAGE = Document(label="<html>", html=b"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1></html>")


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """An axe-core that never answers."""
    path = tmp_path / "axe.js"
    path.write_text(f"{read_axe_script(None)}\n;axe.runPartial = () => new Promise(() => {{}});")
    return path


@pytest.mark.slow
def test_an_audit_that_does_not_end_leaves_the_visual_score(
    make_renderer: Callable[..., Renderer], renderer: Renderer, endless: Path
) -> None:
    reference = renderer.capture(PAGE, role="reference", audit=None)
    slow = make_renderer(timeout=4.0)

    candidate = slow.capture(PAGE, role="candidate", audit=AuditChoice(), engines=(Axe(endless),))

    evaluation = evaluate(
        Subject(id="test", case="case"), reference=reference, candidate=candidate, settings=Settings()
    )
    assert evaluation.visual is not None
    assert evaluation.visual.score == 1.0
    assert evaluation.accessibility is None
    assert evaluation.error is not None
    assert evaluation.error.type == "AxeTimeout"
    assert "did not end within the time that the page has. (stage: axe)" in evaluation.error.message
    with pytest.raises(AxeTimeout, match="--design2a11y-timeout"):
        measure_accessibility(candidate)
    following = slow.capture(PAGE, role="candidate", audit=None)
    assert following.screenshot.png == reference.screenshot.png


def test_an_audit_without_anything_to_check_leaves_the_picture_and_the_text(renderer: Renderer) -> None:
    capture = renderer.capture(PAGE, role="candidate", audit=AuditChoice(include=("#gone",)))

    assert isinstance(capture.audit_error, NothingToCheck)
    assert [run.text for run in capture.text_runs] == ["Shown"]


@pytest.mark.slow
def test_an_audit_of_a_tests_own_page_that_does_not_end_is_named(chromium: Browser, endless: Path) -> None:
    """Nobody knows then whether the page held still meanwhile, so that nothing of it is scored."""
    page = chromium.new_page()
    page.set_content("<!doctype html><html lang=en><title>Live</title><h1>Shown</h1>")

    limits = CaptureLimits(timeout=6.0)
    with pytest.raises(AxeTimeout, match="did not end within the time"):
        capture_page(page, role="candidate", audit=AuditChoice(), engines=(Axe(endless),), limits=limits)
    assert page.locator("h1").text_content() == "Shown"
    page.close()


def test_a_script_that_cannot_be_read_is_no_fault_of_the_page(renderer: Renderer, tmp_path: Path) -> None:
    gone = tmp_path / "gone.js"

    with pytest.raises(AxeError, match="cannot be read"):
        renderer.capture(PAGE, role="candidate", audit=AuditChoice(), engines=(Axe(gone),))
