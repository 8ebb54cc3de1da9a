"""What numbers depend on is recorded by the capture, and two runs that differ in it do not compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.records import make_run
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.runs import load_run, save_run
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

HTML = """<!doctype html><html lang=en><meta name=viewport content="width=device-width"><title>Case</title>
<style>p { color: #102030 } @media (max-width: 400px) { .wide { display: none } }
@media (prefers-color-scheme: dark) { body { background: #000 } p { color: #fff } }</style>
<h1>Start</h1><p class=wide>Wide windows only</p><p>Always</p>"""
PAGE = Document(label="page.html", html=HTML.encode())
PHONE = Viewport(375, 812)


def saved_and_read(folder: Path, name: str, reference: Capture | None, candidate: Capture) -> Run:
    subject = Subject(id="page", case="page")
    evaluation = evaluate(subject, reference=reference, candidate=candidate, settings=Settings())
    save_run(make_run(name, [evaluation]), folder=folder)
    return load_run(name, folder=folder)


def texts(capture: Capture) -> list[str]:
    return [run.text for run in capture.text_runs]


def test_a_capture_is_laid_out_in_its_viewport_and_says_so(renderer: Renderer) -> None:
    wide = renderer.capture(PAGE, role="candidate", audit=None)
    phone = renderer.capture(PAGE, role="candidate", audit=None, viewport=PHONE)

    assert (wide.viewport, wide.page_size) == (Viewport(), (1280, 720))
    assert (phone.viewport, phone.page_size) == (PHONE, (375, 812))
    assert phone.screenshot.pixels.shape == (812, 375, 3)
    assert texts(wide) == ["Start", "Wide windows only", "Always"]
    assert texts(phone) == ["Start", "Always"]


def test_scale_touch_and_scheme_reach_the_page(renderer: Renderer) -> None:
    viewport = Viewport(375, 812, scale=2.0, touch=True, scheme="dark")

    capture = renderer.capture(PAGE, role="candidate", audit=None, viewport=viewport)

    assert capture.viewport == viewport
    assert capture.screenshot.pixels.shape == (812, 375, 3)
    assert capture.screenshot.pixels[-1, -1].tolist() == [0, 0, 0]
    assert capture.text_runs[-1].color == (255, 255, 255)


def test_a_page_of_ours_records_what_was_applied_to_it(make_renderer: Callable[..., Renderer]) -> None:
    renderer = make_renderer(javascript=False, allow_host=("b.test", "a.test"), max_height=900)

    capture = renderer.capture(PAGE, role="candidate", audit=AuditChoice(tags=("wcag2a",)))

    audit = capture.conditions["audit"]
    assert {name: value for name, value in capture.conditions.items() if name not in ("audit", "fonts")} == {
        "javascript": False,
        "allowed_hosts": ["a.test", "b.test"],
        "max_height": 900,
        "max_width": 4000,
    }
    assert audit["tags"] == ("wcag2a",)


def test_a_tests_own_page_records_its_own_window_and_nothing_that_was_not_applied(
    chromium: Browser,
) -> None:
    limits = CaptureLimits(javascript=False, allow_host=("a.test",))
    page = chromium.new_page(
        viewport={"width": 375, "height": 812},
        device_scale_factor=2,
        has_touch=True,
        color_scheme="dark",
        reduced_motion="reduce",
        timezone_id="Asia/Tokyo",
    )
    page.set_content(HTML)

    capture = capture_page(page, role="candidate", audit=None, limits=limits)

    assert capture.viewport == Viewport(375, 812, 2.0, touch=True, scheme="dark", timezone="Asia/Tokyo")
    fonts = capture.conditions["fonts"]
    assert capture.conditions == {"max_height": 16_000, "max_width": 4_000, "fonts": fonts}
    page.close()


def test_saved_runs_of_two_viewports_are_refused(chromium: Browser, tmp_path: Path) -> None:
    runs = []
    for width, height in ((1280, 720), (375, 812)):
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.set_content(HTML)
        live = capture_page(page, role="candidate", audit=AuditChoice())
        runs.append(saved_and_read(tmp_path, str(width), None, live))
        page.close()

    comparison = compare_runs(*runs)

    (difference,) = comparison.differences
    assert str(difference) == "viewport: 1280x720 -> 375x812 (pages lay out differently)"
    assert difference.effect == "refused"
    assert comparison.metrics["ir"].state == "refused"


def test_a_reference_rendered_otherwise_refuses_what_depends_on_it(
    renderer: Renderer, make_renderer: Callable[..., Renderer], tmp_path: Path
) -> None:
    cut = make_renderer(max_height=700)
    candidate = renderer.capture(PAGE, role="candidate", audit=AuditChoice())
    runs = [
        saved_and_read(tmp_path, name, one.capture(PAGE, role="reference", audit=None), candidate)
        for name, one in (("whole", renderer), ("cut", cut))
    ]

    comparison = compare_runs(*runs)

    (difference,) = comparison.differences
    assert "max_height=700" in difference.new
    assert comparison.metrics["visual"].state == "refused"
    assert comparison.metrics["ir"].state == "compared"


def test_phones_schemes_print_locale_and_time_zone_reach_the_page(renderer: Renderer) -> None:
    html = """<!doctype html><html lang=en><title>Case</title>
<style>@media screen { .print { display: none } } @media (forced-colors: none) { .forced { display: none } }
@media (prefers-reduced-motion: reduce) { .moving { display: none } }</style>
<p class=print>Printed</p><p class=forced>Forced</p><p class=moving>Moving</p>
<script>const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
document.write(`<p>${innerWidth} ${devicePixelRatio} ${navigator.language} ${zone}</p>`)</script>"""
    page = Document(label="page.html", html=html.encode())
    viewport = Viewport(
        390,
        664,
        3.0,
        touch=True,
        mobile=True,
        scheme="dark",
        locale="de-DE",
        timezone="Asia/Tokyo",
        media="print",
        forced_colors="active",
        motion="no-preference",
    )

    capture = renderer.capture(page, role="candidate", audit=None, viewport=viewport)

    # Without <meta name=viewport> phones lay pages out 980 px wide.
    assert texts(capture) == ["Printed", "Forced", "Moving", "980 3 de-DE Asia/Tokyo"]
    assert capture.screenshot.pixels.shape[:2] == capture.page_size[::-1]


@pytest.mark.slow
def test_a_finer_scale_leaves_pictures_as_they_are_unless_the_page_chooses_by_it(renderer: Renderer) -> None:
    boxes = (
        "<p style='margin: 3.3px; padding: 0.4em; background: #eee; border: 0.7px solid #888'>Some text</p>"
    )
    plain = f"<!doctype html>{boxes * 40}<script>1</script>"
    choosing = (
        f"<!doctype html><style>@media (min-resolution: 2dppx) {{ p {{ color: #c00 }} }}</style>{boxes}"
    )

    def pictures(html: str, *scales: float) -> list[bytes]:
        page = Document(label="page.html", html=html.encode())
        sizes = [Viewport(600, 400, scale) for scale in scales]
        found = [renderer.capture(page, role="candidate", audit=None, viewport=size) for size in sizes]
        assert len({one.page_size for one in found}) == 1
        assert {one.screenshot.pixels.shape[:2] for one in found} == {found[0].page_size[::-1]}
        assert len({tuple(texts(one)) for one in found}) == 1
        return [one.screenshot.pixels.tobytes() for one in found]

    assert len(set(pictures(plain, 1.0, 3.0))) == 1
    assert len(set(pictures(f"<!doctype html>{boxes}", 1.0, 3.0))) == 1  # No higher than the window.
    wide = "<div style='width: 900px; height: 9px; background: #00f'></div>"
    for html in (choosing, f"{choosing}{wide}{boxes * 40}"):
        coarse, fine = pictures(html, 1.0, 2.0)
        assert coarse != fine
        assert bytes([204, 0, 0]) in fine
