"""Steps bring a page into a state, by its own clock; what is masked does not count; faults have names."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.exceptions import ConfigurationError, StepFailed
from pytest_design2a11y.measuring.sources import capture_live, capture_source
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.variants import viewport_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

APP = """<!doctype html><html lang=en><title>App</title>
<style>body { background: #fff } button:hover { background: #f00; transition: background 1s }
.advert { background: #cde; height: 100px; position: absolute; top: 400px; left: 0; width: 300px }</style>
<h1>Sign up</h1><button id=open>Open</button> <a href="other.html">Away</a>
<label for=mail>E-mail</label> <input id=mail> <button id=go>Go</button><p id=told></p>
<dialog id=terms><p>The terms</p></dialog><div class=advert>Buy <b>this</b></div>
<script>const $ = (id) => document.getElementById(id);
$("open").onclick = () => setTimeout(() => $("terms").show(), 1500);
$("go").onclick = async () => {
  const text = await (await fetch("data.txt")).text();
  $("told").textContent = `${$("mail").value}: ${text}`;
};</script>"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An application that answers after a while."""
    folder = tmp_path_factory.mktemp("app")
    (folder / "data.txt").write_text("not an address")
    (folder / "other.html").write_text("<p>Elsewhere")
    (folder / "app.html").write_text(APP)
    return folder / "app.html"


def captured(source: Any, renderer: Renderer, *, steps: Any = (), **choices: Any) -> Capture:
    settings = Settings(audit=False).with_choices(choices)
    return capture_source(source, role="candidate", renderer=renderer, settings=settings, steps=steps)


def texts(capture: Capture) -> set[str]:
    return {run.text for run in capture.text_runs}


def test_a_page_comes_to_rest_after_each_step(renderer: Renderer, app: Path) -> None:
    steps: list[Callable[[Any], object]] = [
        lambda page: page.click("#open"),
        lambda page: page.fill("#mail", "nobody"),
        lambda page: (page.wait_for_selector("#terms"), page.click("#go")),
    ]

    first, second = (captured(app, renderer, steps=steps, wait_for="text=The terms") for _ in range(2))

    assert {"The terms", "nobody", "nobody: not an address"} <= texts(first)
    assert (first.conditions["steps"], first.conditions["wait_for"]) == (3, "text=The terms")
    assert first.screenshot.png == second.screenshot.png
    assert first.digest is None  # The same bytes are not the same page.


def test_what_is_hovered_over_stays_so(renderer: Renderer) -> None:
    still = "<!doctype html><style>p:hover { background: #f00; transition: background 1s }</style><p>Here"

    hovered = captured(still, renderer, steps=lambda page: page.hover("p"))

    assert hovered.screenshot.pixels[20, 600].tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    ("choices", "error", "told"),
    [
        (
            {
                "steps": [
                    lambda page: (
                        page.click("#open", timeout=300) or page.wait_for_selector("#terms", timeout=300)
                    )
                ]
            },
            StepFailed,
            r"Step 1 \(<lambda>\) failed: Page\.\w+ did not end within 0\.3 s\..*page's clock stands",
        ),
        ({"steps": lambda page: page.click("a")}, StepFailed, "tried to leave for .*other.html"),
        ({"steps": lambda page: 1 / 0}, StepFailed, "Step 1 .* failed: ZeroDivisionError: division by zero"),
        ({"steps": ["#open"]}, ConfigurationError, "'#open' is not a step"),
        ({"wait_for": "#terms"}, StepFailed, "No element '#terms' shows when the page has come to rest"),
        ({"wait_for": "##"}, ConfigurationError, "wait_for does not take '##'"),
        ({"mask": "##"}, ConfigurationError, "mask does not take '##': it is not a CSS selector"),
    ],
)
def test_what_goes_wrong_has_a_name(
    renderer: Renderer, app: Path, choices: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        captured(app, renderer, **choices)


class _Slow(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if "late" in self.path:
            threading.Event().wait(1.5)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a page with ways to others."""
    (tmp_path / "other.html").write_text("<p>Elsewhere")
    (tmp_path / "late.html").write_text("<p>Elsewhere")
    (tmp_path / "index.html").write_text(
        "<!doctype html><p>Here</p><a href=other.html>Other</a><a href=late.html>Late</a>"
        "<a href=none.html>Dead</a><form action=other.html><input type=submit value=Send></form>"
        "<button onclick=\"location = 'about:blank'\">Blank</button>"
        "<button onclick=\"history.pushState({}, '', '/r'); document.body.append('Routed')\">Route</button>"
    )
    handler = partial(_Slow, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_address[1]}/"
        made.shutdown()


@pytest.mark.parametrize(
    ("step", "place"),
    [
        (lambda page: page.click("text=Other"), "/other.html"),
        (lambda page: page.click("text=Late"), "/late.html"),
        (lambda page: page.click("text=Dead"), "/none.html"),
        (lambda page: page.click("[type=submit]"), "/other.html"),
        (lambda page: page.click("text=Blank"), "another address"),
        (lambda page: page.goto(f"{page.url}other.html"), "/other.html"),
    ],
    ids=["link", "late", "dead", "form", "blank", "goto"],
)
def test_a_step_does_not_lead_to_another_document_of_a_server(
    renderer: Renderer, server: str, step: Callable[[Any], object], place: str
) -> None:
    with pytest.raises(StepFailed, match=rf"tried to leave for .*{place}.*step 1"):
        captured(server, renderer, steps=step)


def test_a_route_of_an_app_is_the_same_document(renderer: Renderer, server: str) -> None:
    assert "Routed" in texts(captured(server, renderer, steps=lambda page: page.click("text=Route")))


def test_what_is_masked_has_neither_text_nor_pixels(renderer: Renderer, app: Path) -> None:
    masked = captured(app, renderer, mask=[".advert", ".gone"])

    assert {"Buy", "this"}.isdisjoint(texts(masked))
    assert "Sign up" in texts(masked)
    assert masked.mask_boxes == ((0.0, 400.0, 300.0, 100.0),)
    assert (masked.screenshot.pixels[400:500, :300] == 255).all()
    assert [warning.message for warning in masked.warnings] == [
        "Nothing on the page fits what is to be masked: .gone."
    ]
    assert masked.conditions["mask"] == [".advert", ".gone"]


@pytest.mark.slow
def test_a_page_that_the_test_has_open_is_waited_for_and_masked(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content("<p>Here</p><i>Not</i>")
    page.evaluate("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b>Late</b>'), 300)")
    settings = Settings(audit=False, capture=CaptureLimits(timeout=3))

    capture = capture_live(
        page, role="candidate", settings=settings.with_choices({"wait_for": "b", "mask": "i"})
    )

    assert "Late" in texts(capture)
    assert "Not" not in texts(capture)
    with pytest.raises(StepFailed, match="No element 'u' shows within 1 seconds"):
        capture_live(page, role="candidate", settings=settings.with_choices({"wait_for": "u"}))
    page.close()


def test_a_picture_has_nothing_to_act_on_or_to_mask(renderer: Renderer, tmp_path: Path) -> None:
    picture = tmp_path / "design.png"
    picture.write_bytes(captured("<!doctype html><p>Here", renderer).screenshot.png)

    with pytest.raises(ConfigurationError, match="is a picture: it has no elements to mask"):
        captured(picture, renderer, mask="p")


def test_phones_have_steps_too(renderer: Renderer, app: Path) -> None:
    size = "375x812@3+mobile"

    phone = captured(app, renderer, steps=lambda page: page.tap("#open"), viewport=size)

    assert phone.viewport == viewport_of(Settings(viewport=(size,)))
    assert "The terms" in texts(phone)
