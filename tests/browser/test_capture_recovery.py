"""Whatever ends the browser, no result is lost but the page in flight, and that one is tried again."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import Request, Route

from pytest_design2a11y.capture.browser.processes import descendants, kill, profile_of
from pytest_design2a11y.capture.isolation.request_router import RequestRouter
from pytest_design2a11y.capture.page import freeze
from pytest_design2a11y.capture.page.freeze import stop_scripts
from pytest_design2a11y.exceptions import BrowserLost, RenderTimeout
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.read_document import read_document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.page.visit import Visit
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = Document(label="<html>", html=b"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1></html>")
SLOW = Document(
    label="<html>",
    html=b"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1><script>const end = new Date();"
    b"for (let i = 0; i < 1e9; i++);</script></html>",
)


DRAWN = Document(
    label="<html>",
    html=b"<!doctype html><html lang=en><title>Case</title><h1>Shown</h1><canvas id=drawn></canvas><script>"
    b"drawn.getContext('2d').fillRect(0, 0, 99, 99)</script></html>",
)


def process_id(renderer: Renderer) -> int:
    found = renderer.browser_process_id()
    assert found
    return found


def kill_after(process: int, seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, kill, (process,))
    timer.start()
    return timer


def test_a_browser_killed_between_pages_is_replaced_and_leaves_no_folder_behind(
    make_renderer: Callable[..., Renderer],
) -> None:
    renderer = make_renderer()
    before = renderer.capture(PAGE, role="candidate", audit=None)
    profile = profile_of(process_id(renderer))
    assert profile
    assert profile.is_dir()
    kill(process_id(renderer))

    after = renderer.capture(PAGE, role="candidate", audit=None)

    assert after.screenshot.png == before.screenshot.png
    assert after.text_runs == before.text_runs
    end = time.monotonic() + 20
    while profile.exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not profile.exists()


@pytest.mark.alike(1)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_browser_killed_during_a_page_is_replaced_and_says_so(
    make_renderer: Callable[..., Renderer], seed: int
) -> None:
    renderer = make_renderer()
    renderer.capture(PAGE, role="candidate", audit=None)
    timer = kill_after(process_id(renderer), random.Random(seed).uniform(0.0, 0.3))

    capture = renderer.capture(SLOW, role="candidate", audit=None)

    timer.join()
    assert [run.text for run in capture.text_runs] == ["Shown"]
    codes = {warning.code for warning in capture.warnings}
    assert codes - {"load_unfinished", "scripts_stopped"} == {"retried"}


def test_a_page_that_ends_the_browser_twice_is_an_error(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    renderer = make_renderer()

    def ends_the_browser(*_: object, **__: object) -> None:
        kill(process_id(renderer))

    monkeypatch.setattr(freeze, "stop_scripts", ends_the_browser)
    with pytest.raises(BrowserLost, match="The browser ended during the capture"):
        renderer.capture(PAGE, role="candidate", audit=None)

    monkeypatch.undo()
    assert renderer.capture(PAGE, role="candidate", audit=None).text_runs


@pytest.mark.slow
def test_the_guard_ends_a_browser_that_hangs(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_design2a11y.capture import renderer as module

    renderer = make_renderer(timeout=20.0)
    renderer.capture(PAGE, role="candidate", audit=None)
    monkeypatch.setattr(module, "GRACE", -17.0)
    monkeypatch.setattr(
        freeze, "stop_scripts", lambda visit, **_: visit.page.wait_for_selector("never", timeout=60_000)
    )
    with pytest.raises(RenderTimeout, match="did not finish within 20 seconds"):
        renderer.capture(PAGE, role="candidate", audit=None)

    monkeypatch.undo()
    assert renderer.capture(PAGE, role="candidate", audit=None).text_runs


def test_a_browser_that_paints_no_more_is_replaced(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As happens where the process that paints has just ended."""
    from pytest_design2a11y.capture import read_page
    from pytest_design2a11y.capture.page.screenshot import take_stable

    renderer = make_renderer()
    refusals = [BrowserLost("The browser could not paint the page.", stage="screenshot")]

    def refused_once(*arguments: Any, **choice: Any) -> bytes:
        if refusals:
            raise refusals.pop()
        return take_stable(*arguments, **choice)

    monkeypatch.setattr(read_page, "take_stable", refused_once)
    capture = renderer.capture(PAGE, role="candidate", audit=AuditChoice())

    assert capture.image_error is None
    assert capture.audit
    (message,) = (warning.message for warning in capture.warnings if warning.code == "retried")
    assert message == (
        "The browser ended during the capture, which was done again in a new one: The browser could not paint"
        " the page."
    )


@pytest.mark.alike(1)
@pytest.mark.parametrize(("num_ends", "is_scored"), [(1, True), (2, False)])
def test_what_is_drawn_is_not_lost_with_the_process_that_paints(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch, num_ends: int, is_scored: bool
) -> None:
    """The browser starts another one, which paints an empty canvas."""
    renderer = make_renderer()
    usual = renderer.capture(DRAWN, role="candidate", audit=None)
    ends = iter(range(num_ends))

    def ends_what_paints(visit: Visit, *, is_calm: bool) -> None:
        stop_scripts(visit, is_calm=is_calm)
        if next(ends, None) is not None:
            kill(service(process_id(renderer), b"--type=gpu-process"))

    monkeypatch.setattr(freeze, "stop_scripts", ends_what_paints)
    if is_scored:
        capture = renderer.capture(DRAWN, role="candidate", audit=None)
        assert capture.screenshot.png == usual.screenshot.png
        assert "retried" in {warning.code for warning in capture.warnings}
    else:
        with pytest.raises(BrowserLost, match=r"The process that paints ended|could not paint the page"):
            renderer.capture(DRAWN, role="candidate", audit=None)


def test_files_are_not_lost_with_the_process_that_loads_them(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Image.new("RGB", (200, 100), "red").save(tmp_path / "shown.png")
    (tmp_path / "page.html").write_text("<!doctype html><title>Case</title><h1>Shown</h1><img src=shown.png>")
    page = read_document(tmp_path / "page.html", max_bytes=1000)
    renderer = make_renderer()
    usual = renderer.capture(page, role="candidate", audit=None)
    answer, ends = RequestRouter.answer, iter(range(1))

    def ends_what_loads(gate: RequestRouter, route: Route, request: Request) -> None:
        if request.url.endswith(".png") and next(ends, None) is not None:
            kill(service(process_id(renderer), b"network.mojom.NetworkService"))
        answer(gate, route, request)

    monkeypatch.setattr(RequestRouter, "answer", ends_what_loads)
    capture = renderer.capture(page, role="candidate", audit=None)

    assert capture.screenshot.png == usual.screenshot.png
    (message,) = (warning.message for warning in capture.warnings if warning.code == "retried")
    assert message.endswith("in a new one: The process that loads files ended during the capture.")


def service(browser: int, argument: bytes) -> int:
    commands = {process: Path(f"/proc/{process}/cmdline").read_bytes() for process in descendants(browser)}
    return next(process for process, command in commands.items() if argument in command)


def test_a_browser_elsewhere_cannot_be_watched_and_a_warning_says_so_once(
    make_renderer: Callable[..., Renderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_design2a11y.capture.browser.launch.own_descendant", lambda process_id: None)
    renderer = make_renderer(is_fresh=True)

    first, second = (renderer.capture(PAGE, role="candidate", audit=None) for _ in range(2))

    assert [warning.code for warning in first.warnings] == ["unwatched_browser"]
    assert "its memory is not watched" in first.warnings[0].message
    assert second.warnings == ()
