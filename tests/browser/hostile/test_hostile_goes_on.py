"""Group G: pages that go on after they were frozen, or paint for ever: one moment, or `Unstable`."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from pytest_design2a11y.exceptions import CaptureError, RenderTimeout, Unstable
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.viewport import PageState

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = """<!doctype html><html lang=en><title>Case</title><h1>Shown</h1>
<style>h1 { margin: 0 } #text::after { content: "Clean" }
#picture:not([alt]) ~ #text::after { content: "Broken" }</style>
<img id=picture src=data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA= width=9 height=9>
<canvas id=canvas width=90 height=30></canvas><p id=text></p><script>%s</script></html>"""

# What a script waits for, again and again; each time it changes the page, and one of its failures.
AWAITED = {
    "fetch": "fetch('data:,x')",
    "digest": "crypto.subtle.digest('SHA-256', new Uint8Array(9))",
    "bitmap": "createImageBitmap(new Blob([new Uint8Array(9)])).catch(() => {})",
    "permissions": "navigator.permissions.query({ name: 'geolocation' })",
    "locks": "navigator.locks.request('x', async () => {})",
    "caches": "caches.keys().catch(() => {})",
    "compression": "new Response(new Blob(['x']).stream().pipeThrough(new CompressionStream('gzip'))).text()",
    "fonts": "document.fonts.load('9px x').catch(() => {})",
    "animation": "text.animate([{ opacity: 1 }], { duration: 0 }).finished",
    "message": "new Promise((done) => { const pipe = new MessageChannel(); pipe.port1.onmessage = done;"
    "pipe.port2.postMessage(1) })",
    "reader": "new Promise((done) => { const reader = new FileReader(); reader.onload = done;"
    "reader.readAsText(new Blob(['x'])) })",
    "canvas": "new Promise((done) => canvas.toBlob(done))",
    "task": "(globalThis.scheduler?.postTask(() => {}) ?? 0)",
    "idle": "new Promise((done) => requestIdleCallback(done))",
}
# What is said of a page that cannot be seen the same twice.
RESTLESS = re.compile("busy|chang|went on|anew|painted|did not end|time")
GOES_ON = """addEventListener("load", async () => {
  for (let turn = 0; ; turn += 1) {
    await %s;
    picture.toggleAttribute("alt", turn %% 2 === 1);
  }
});"""

# What a script paints until it is stopped.
PAINTED = {
    "text": "text.textContent = turn",
    "canvas": "const pen = canvas.getContext('2d'); pen.fillStyle = `hsl(${turn % 360} 90% 50%)`;"
    "pen.fillRect(0, 0, 90, 30)",
    "rule": "document.styleSheets[0].cssRules[0].style.marginLeft = `${turn % 300}px`",
}
PAINTS = "addEventListener('load', () => { for (let turn = 0; ; turn += 1) { %s } });"


@pytest.fixture(scope="module")
def hasty(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer that leaves a page two seconds to come to rest."""
    return make_renderer(timeout=6.0)


def outcome_of(
    renderer: Renderer, script: str, page: str = PAGE, audit: AuditChoice | None = None
) -> Capture | CaptureError:
    """Capture a page."""
    document = Document(label="x", html=(page % script).encode())
    try:
        return renderer.capture(document, role="candidate", audit=audit)
    except (Unstable, RenderTimeout) as error:
        return error


@pytest.mark.slow(is_long=True)
@pytest.mark.parametrize("name", AWAITED)
def test_what_goes_on_shows_one_moment(hasty: Renderer, name: str) -> None:
    outcome = outcome_of(hasty, GOES_ON % AWAITED[name], audit=AuditChoice())

    if isinstance(outcome, CaptureError):
        # It may not be seen the same twice on a machine with other work; that is said, and no number is.
        assert RESTLESS.search(str(outcome))
        pytest.skip(f"not seen twice: {type(outcome).__name__}")
    assert outcome.audit is not None
    failures = {rule.rule for rule in outcome.audit.rules if rule.num_violations}
    is_broken = "Broken" in {run.text for run in outcome.text_runs}
    assert ("image-alt" in failures) == is_broken


@pytest.mark.alike(1)
@pytest.mark.parametrize("name", PAINTED)
def test_a_page_that_paints_for_ever_has_no_picture(hasty: Renderer, name: str) -> None:
    """It is stopped by the clock on the wall: what it shows then is chance."""
    # On a busy machine its time may be over before it can be seen twice.
    assert isinstance(outcome_of(hasty, PAINTS % PAINTED[name]), Unstable | RenderTimeout)


# Without anything that has its picture taken twice.
STEADY = """<!doctype html><html lang=en><title>Case</title><h1>Shown</h1><p id=text></p>
<img id=picture alt=x src=data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=>
<details id=details></details><script>%s</script></html>"""
# Promises that a script waits for and paints, for ever.
PROMISED = {
    "offline_audio": "new OfflineAudioContext(1, 44100, 44100).startRendering()",
    "decoded_audio": "new OfflineAudioContext(1, 1, 44100).decodeAudioData(new ArrayBuffer(8))"
    ".catch(() => {})",
    "stream": "new Response(new Blob(['x']).stream()).body.getReader().read()",
    "compiled": "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "view_transition": "document.startViewTransition(() => {}).finished",
    "animation_ready": "text.animate([{ opacity: 1 }], { duration: 50 }).ready",
    "least_urgent_task": "scheduler.postTask(() => {}, { priority: 'background' })",
    "fullscreen": "text.requestFullscreen().catch(() => {})",
    "broadcast": "new Promise((done) => { const [a, b] = [0, 1].map(() => new BroadcastChannel('x'));"
    "a.onmessage = () => (a.close(), b.close(), done()); b.postMessage(1) })",
    "wait_async": "Atomics.waitAsync(new Int32Array(new WebAssembly.Memory("
    "{ initial: 1, maximum: 1, shared: true }).buffer), 0, 0, 5).value",
}
# Events that `next` leads to, and that call `go`.
HAPPENING = {
    "message": "window.onmessage = go; postMessage(1, '*')",
    "broken_picture": "const image = new Image(); image.onerror = go; image.src = `data:,${turn}`",
    "same_picture": "picture.onload = go; picture.src = picture.src",
    "script": "const one = document.createElement('script'); one.onload = go;"
    "one.src = `data:text/javascript,${turn}`; document.head.append(one)",
    "frame": "const one = document.createElement('iframe'); one.onload = () => (one.remove(), go());"
    "one.srcdoc = 'x'; document.body.append(one)",
    "broken_video": "const one = document.createElement('video'); one.onerror = go;"
    "one.src = `data:video/mp4,${turn}`",
    "address": "onhashchange = go; location.hash = turn",
    "traversal": "onpopstate = go; if (!turn) [1, 2].forEach((state) => history.pushState(state, ''));"
    "turn % 2 ? history.forward() : history.back()",
    "database": "const asked = indexedDB.open(`x${turn}`); asked.onsuccess = asked.onerror = go",
    "disclosure": "details.ontoggle = go; details.open = !details.open",
    "scrolling": "document.body.style.height = '9000px'; onscroll = go; scrollTo(0, turn % 2 ? 50 : 100)",
    "measurement": "if (!turn) new PerformanceObserver(go).observe({ entryTypes: ['mark'] });"
    "performance.mark('x')",
    "position": "navigator.geolocation.getCurrentPosition(go, go)",
    "freed_memory": "const freed = (globalThis.freed ??= new FinalizationRegistry(go));"
    "freed.register({}, 1); for (let i = 0; i < 3e4; i += 1) new Array(50).fill(i)",
}
ENDLESS = {
    **{
        name: f"await new Promise((go) => {{ {following} }}); text.textContent = turn"
        for name, following in HAPPENING.items()
    },
    **{name: f"await {promise}; text.textContent = turn" for name, promise in PROMISED.items()},
}
GOES_ON_FOR_EVER = "addEventListener('load', async () => { for (let turn = 0; ; turn += 1) { %s } });"


@pytest.mark.alike(1, is_long=True)
@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_looks_the_same_twice_or_has_no_picture(hasty: Renderer, name: str) -> None:
    first, second = (outcome_of(hasty, GOES_ON_FOR_EVER % ENDLESS[name], STEADY) for _ in range(2))

    if isinstance(first, CaptureError) or isinstance(second, CaptureError):
        assert all(RESTLESS.search(str(one)) for one in (first, second) if isinstance(one, CaptureError))
        pytest.skip("not seen twice")
    assert first.text_runs == second.text_runs
    assert first.screenshot.png == second.screenshot.png


SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='90'><style>%s</style>"
    "<rect width='9' height='90'/></svg>"
)
ENDLESSLY = "@keyframes go{to{transform:translate(900px)}}rect{animation:go .9s infinite linear}"
SERVED = {
    "image": (ENDLESSLY, "<img alt=x src=x.svg>"),
    "ending": (ENDLESSLY.replace("infinite linear", "forwards"), "<img alt=x src=x.svg>"),
    "transition": (
        "rect{transition:transform .7s}@starting-style{rect{transform:translate(800px)}}",
        "<img alt=x src=x.svg>",
    ),
    "background": (ENDLESSLY, "<p style='height:90px;background:url(x.svg)'>"),
    "mask": (ENDLESSLY, "<p style='height:90px;background:red;mask:url(x.svg)'>"),
    "border": (ENDLESSLY, "<p style='height:90px;border:20px solid;border-image:url(x.svg) 30'>"),
    "before": (ENDLESSLY, "<style>p::before{content:url(x.svg)}</style><p>x"),
    "in_svg": (ENDLESSLY, "<svg width=900 height=90><image href=x.svg></svg>"),
    "in_frame": (ENDLESSLY, "<iframe src=x.svg></iframe>"),
    "in_object": (ENDLESSLY, "<object data=x.svg></object>"),
}


@pytest.mark.alike(1)
@pytest.mark.parametrize("name", SERVED)
def test_a_moving_picture_from_a_file_stands_still(hasty: Renderer, tmp_path: Path, name: str) -> None:
    sheet, html = SERVED[name]
    (tmp_path / "x.svg").write_text(SVG % sheet)
    document = Document(label="x.html", html=f"<h1>Shown</h1>{html}".encode(), folder=str(tmp_path))

    first, second = (hasty.capture(document, role="candidate", audit=None) for _ in range(2))

    assert first.screenshot.png == second.screenshot.png


@pytest.mark.slow
def test_a_moving_picture_that_overrules_has_no_picture(hasty: Renderer, tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_text(SVG % ENDLESSLY.replace("linear", "linear !important"))
    document = Document(label="x.html", html=b"<h1>Shown</h1><img alt=x src=x.svg>", folder=str(tmp_path))

    with pytest.raises(Unstable, match="it has animated picture"):
        hasty.capture(document, role="candidate", audit=None)


PACKED = {
    "border": "<p style='height:90px;border:20px solid;border-image:url(\"{}\") 30'>",
    "before": '<style>p::before {{ content: url("{}") }}</style><p>x',
    "made_by_script": "<img alt=x id=made><script>made.src = URL.createObjectURL(new Blob(["
    "decodeURIComponent(\"{}\".split(',')[1])], {{ type: 'image/svg+xml' }}))</script>",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKED)
def test_a_moving_picture_within_the_page_has_no_picture(hasty: Renderer, name: str) -> None:
    address = f"data:image/svg+xml,{quote(SVG % ENDLESSLY)}"
    html = f"<h1>Shown</h1>{PACKED[name].format(address)}".encode()

    with pytest.raises(Unstable, match="it has animated picture"):
        hasty.capture(Document(label="x", html=html), role="candidate", audit=None)


@pytest.mark.parametrize("encode", [quote, lambda svg: b64encode(svg.encode()).decode()])
def test_a_picture_that_goes_on_by_itself_has_no_picture(
    hasty: Renderer, encode: Callable[[str], str]
) -> None:
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='90'><style>@keyframes go"
        "{to{transform:translate(900px)}}rect{animation:go .9s infinite linear}</style>"
        "<rect width='9' height='90'/></svg>"
    )
    packing = "" if encode is quote else ";base64"
    html = f'<h1>Shown</h1><img alt=x src="data:image/svg+xml{packing},{encode(svg)}">'

    with pytest.raises(Unstable, match="it has animated picture"):
        hasty.capture(Document(label="x", html=html.encode()), role="candidate", audit=None)


@pytest.mark.slow
def test_a_page_that_is_busy_without_painting_is_scored(hasty: Renderer) -> None:
    endless = "addEventListener('load', () => { for (;;); });"
    found: list[Any] = [outcome_of(hasty, endless) for _ in range(2)]

    assert [type(one) for one in found] == [Capture, Capture]
    assert found[0].screenshot.png == found[1].screenshot.png
    assert "scripts_stopped" in {warning.code for warning in found[0].warnings}


# What could spoil the page after it.
ROAMING = {
    "frames": "for (let i = 0; i < 10; i++) document.body.append(document.createElement('iframe'));"
    "setInterval(() => { for (const { contentWindow } of document.querySelectorAll('iframe'))"
    "contentWindow.location = `data:text/html,${Math.random()}` }, 0)",
    "reloading": "for (let i = 0; i < 5; i++) { const frame = document.createElement('iframe');"
    "frame.srcdoc = '<script>location.reload()</' + 'script>'; document.body.append(frame) }",
    "workers": "const spin = URL.createObjectURL(new Blob(['while (1);']));"
    "for (let i = 0; i < 8; i++) new Worker(spin)",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROAMING)
def test_what_a_page_leaves_behind_is_told_of_it_and_not_of_the_next(hasty: Renderer, name: str) -> None:
    document = Document(label="x", html=(PAGE % ROAMING[name]).encode())
    with suppress(CaptureError):
        hasty.capture(document, role="candidate", audit=None)

    following = hasty.capture(Document(label="x", html=b"<h1>Next</h1>"), role="candidate", audit=None)

    assert {warning.code for warning in following.warnings} <= {"quirks_mode"}
    assert [run.text for run in following.text_runs] == ["Next"]


@pytest.mark.slow
def test_a_busy_page_is_masked_at_both_of_its_loads(hasty: Renderer) -> None:
    html = b"<!doctype html><html lang=en><title>x</title><main><h1>Sign in</h1><p id=a>Advert</p>" + (
        b"</main><script>while (true) {}</script></html>"
    )
    busy = Document(label="x", html=html)
    capture = hasty.capture(busy, role="candidate", audit=None, state=PageState(mask=("#a",)))

    assert [run.text for run in capture.text_runs] == ["Sign in"]
