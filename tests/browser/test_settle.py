"""Pages that are not done when they have loaded: requests, workers, timers and frames, until all rest."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.source.read_document import read_document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = "<!doctype html><html lang=en><title>App</title><main id=m>Loading</main>{}</html>"
SHOW = "setTimeout(() => { m.textContent = 'Shown' }, %d)"

FILES: dict[str, str | bytes] = {
    "data.json": "{}",
    "part.js": "import './more.js'; export const part = 'Shown'",
    "more.js": "await 0",
    "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
    "worker.js": "onmessage = () => setTimeout(() => postMessage('Shown'), 2000)",
    "worker.mjs": "import './more.js'; await fetch('data.json'); postMessage('Shown')",
    "module.wasm": b"\0asm\1\0\0\0",
}

# Name: what the page does before it shows its content.
LATE = {
    "timer": f"<script>{SHOW % 5000}</script>",
    "fetch_of_text": f"<script>fetch('data.json').then((r) => r.json()).then(() => {SHOW % 1500})</script>",
    "request_that_blocks": "<script>setTimeout(() => { const x = new XMLHttpRequest();"
    "x.open('GET', 'data.json', false); x.send(); m.textContent = 'Shown' }, 100)</script>",
    "module_on_timer": "<script>setTimeout(() => import('./part.js').then(({ part }) => {"
    "setTimeout(() => { m.textContent = part }, 100) }), 900)</script>",
    "script_element": "<script>setTimeout(() => { const s = document.createElement('script');"
    f"s.src = 'more.js'; s.type = 'module'; s.onload = () => {SHOW % 9}; document.body.append(s)"
    "}, 9)</script>",
    "picture": f"<script>const i = new Image(); i.onload = () => {SHOW % 10};"
    "setTimeout(() => { i.src = 'picture.svg' }, 10)</script>",
    "messages": "<script>const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => {"
    f"n += 1; if (n < 300) c.port2.postMessage(0); else {SHOW % 5} }}; c.port2.postMessage(0)</script>",
    "idle": f"<script>requestIdleCallback(() => {SHOW % 10})</script>",
    "seen": f"<script>new IntersectionObserver(() => {SHOW % 300}).observe(m)</script>",
    "transition": "<style>main { transition: color 1s }</style><script>onload = () => {"
    "m.addEventListener('transitionend', () => { m.textContent = 'Shown' });"
    "m.style.color = 'red' }</script>",
    "worker": "<script>const w = new Worker('worker.js'); w.postMessage(1);"
    "w.onmessage = ({ data }) => { m.textContent = data }</script>",
    "module_worker": "<script>const w = new Worker('worker.mjs', { type: 'module' });"
    "w.onmessage = ({ data }) => setTimeout(() => { m.textContent = data }, 50)</script>",
    "frame": '<iframe srcdoc="<p id=m>Loading</p><script>fetch(&quot;data.json&quot;).then(() => '
    f'{SHOW % 2000})</script>"></iframe>',
    "fetch": f"<script>fetch('data.json').then(() => {SHOW % 0})</script>",
    "request": "<script>const x = new XMLHttpRequest(); x.open('GET', 'data.json');"
    f"x.onload = () => {SHOW % 10}; x.send()</script>",
    "module": "<script type=module>const { part } = await import('./part.js'); m.textContent = part</script>",
    "wasm": "<script>WebAssembly.instantiateStreaming(fetch('module.wasm'))"
    f".then(() => {SHOW % 10})</script>",
    "measured": f"<script>new ResizeObserver(() => {SHOW % 300}).observe(m)</script>",
    "view_transition": "<script>setTimeout(() => document.startViewTransition(() => {"
    "m.textContent = 'Next' }).finished.then(() => { m.textContent = 'Shown' }), 100)</script>",
    "event_source": f"<script>new EventSource('none').onerror = () => {SHOW % 10}</script>",
    "worker_of_its_own": "<script>const w = new Worker(URL.createObjectURL(new Blob(["
    "'onmessage = () => setTimeout(() => postMessage(1), 900)']))); let n = 0; w.postMessage(0);"
    "w.onmessage = () => { n += 1; n < 4 ? w.postMessage(n) : (m.textContent = 'Shown') }</script>",
    "worker_that_is_missing": f"<script>new Worker('none.js').onerror = () => {SHOW % 10}</script>",
    "sandboxed_frame": f'<iframe sandbox=allow-scripts srcdoc="<p id=m>Loading</p><script>{SHOW % 2000}'
    '</script>"></iframe>',
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one page for each case."""
    folder = tmp_path_factory.mktemp("site")
    for name, content in FILES.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, script in LATE.items():
        (folder / f"{name}.html").write_text(PAGE.format(script))
    return folder


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    """The address at which the folder is served."""
    handler = partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def shown(capture: Capture) -> str:
    return " ".join(run.text for run in capture.text_runs)


def capture(renderer: Renderer, source: str | Path) -> Capture:
    return renderer.capture(read_document(source, max_bytes=10_000), role="candidate", audit=None)


def capture_script(renderer: Renderer, script: str) -> Capture:
    html = PAGE.format(f"<script>{script}</script>").encode()
    return renderer.capture(Document(label="<html>", html=html), role="candidate", audit=None)


def codes(capture: Capture) -> set[str]:
    return {warning.code for warning in capture.warnings}


@pytest.mark.alike(6)
@pytest.mark.parametrize("name", LATE)
def test_a_page_is_captured_when_it_has_done_what_it_does(renderer: Renderer, site: Path, name: str) -> None:
    found = capture(renderer, site / f"{name}.html")

    assert "Shown" in shown(found)
    assert codes(found) <= {"missing_files"}


@pytest.mark.parametrize("name", ["fetch_of_text", "module_on_timer", "worker"])
def test_a_page_from_a_server_is_captured_when_it_has_done_what_it_does(
    renderer: Renderer, server: str, name: str
) -> None:
    assert "Shown" in shown(capture(renderer, f"{server}/{name}.html"))


# Name: what goes on without end, by which a number is shown.
ENDLESS = {
    "frames": "let n = 0; (function again() { m.textContent = ++n; requestAnimationFrame(again) })()",
    "interval": "let n = 0; setInterval(() => { m.textContent = ++n }, 16)",
    "poll": "let n = 0; (async () => { for (;;) { await fetch('none').catch(() => {}); m.textContent = ++n;"
    "await new Promise((done) => setTimeout(done, 200)) } })()",
    "requests": "let n = 0; (function again() { m.textContent = ++n; fetch('none').then(again, again) })()",
    "data": "let n = 0; (async () => { for (;;) { await fetch('data:,x'); m.textContent = ++n } })()",
}


@pytest.mark.alike(1)
@pytest.mark.parametrize("name", ENDLESS)
def test_what_has_no_end_is_stopped_at_the_same_moment(renderer: Renderer, name: str) -> None:
    first, second = (capture_script(renderer, ENDLESS[name]) for _ in range(2))

    assert int(shown(first)) > 10
    assert shown(first) == shown(second)
    assert (first.screenshot.pixels == second.screenshot.pixels).all()
    assert "load_unfinished" not in codes(first)


# Name: a page of three windows' height that shows more when a person scrolls through it.
SCROLLED = {
    "observer": "new IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => {"
    "if (isIntersecting) target.textContent = 'Shown' })).observe(last)",
    "listener": "addEventListener('scroll', () => { if (last.getBoundingClientRect().top < innerHeight)"
    "setTimeout(() => { last.textContent = 'Shown' }, 900) })",
    "handler": "onscroll = () => { if (scrollY > 900) last.textContent = 'Shown' }",
}
TALL = "<div style='height: 2000px'></div><p id=last>Hidden</p>"


@pytest.mark.parametrize("name", SCROLLED)
def test_what_shows_on_scrolling_shows(renderer: Renderer, name: str) -> None:
    html = PAGE.format(f"{TALL}<script>{SCROLLED[name]}</script>").encode()
    found = renderer.capture(Document(label="<html>", html=html), role="candidate", audit=None)

    assert shown(found) == "Loading Shown"


@pytest.mark.slow
def test_a_page_that_grows_while_one_scrolls_is_gone_through_once(renderer: Renderer) -> None:
    html = PAGE.format(
        f"{TALL}<script>let n = 0; new IntersectionObserver((seen) => {{ if (!seen[0].isIntersecting) return;"
        "for (let i = 0; i < 9; i++) { const more = document.createElement('p'); more.textContent = ++n;"
        "more.style.height = '200px'; last.before(more) } }).observe(last)</script>"
    ).encode()
    document = Document(label="<html>", html=html)

    first, second = (renderer.capture(document, role="candidate", audit=None) for _ in range(2))

    assert "9" in shown(first)
    assert first.page_size == second.page_size
    assert (first.screenshot.pixels == second.screenshot.pixels).all()
    assert codes(first) == set()


def test_what_is_laid_out_when_it_comes_near_is_laid_out(renderer: Renderer) -> None:
    section = "<section style='content-visibility: auto; contain-intrinsic-size: 2000px'><p>Part</section>"
    html = PAGE.format(section * 30).encode()

    found = renderer.capture(Document(label="<html>", html=html), role="candidate", audit=None)

    assert shown(found).count("Part") == 30
    assert found.page_size[1] < 2000


def test_workers_answer_in_the_order_in_which_they_were_made(renderer: Renderer) -> None:
    """However long each of them takes."""
    found = capture_script(
        renderer,
        "m.textContent = ''; for (const n of [3, 2, 1]) { const code = `let s = 0;"
        "for (let i = 0; i < ${n}e7; i++) s += i; postMessage(${n})`;"
        "const w = new Worker(URL.createObjectURL(new Blob([code])));"
        "w.onmessage = ({ data }) => { m.textContent += data } }",
    )

    assert shown(found) == "321"


def test_a_timer_beyond_the_budget_is_named(renderer: Renderer) -> None:
    found = capture_script(renderer, SHOW % 10_000)

    (warning,) = (warning for warning in found.warnings if warning.code == "timers_pending")
    assert warning.message == (
        "Timers of the page were still to come when it was frozen: after 10 s (-o design2a11y_settle)."
    )


def test_a_timer_that_is_no_part_of_loading_is_not(renderer: Renderer) -> None:
    found = capture_script(renderer, SHOW % (15 * 3600 * 1000))

    assert "timers_pending" not in {warning.code for warning in found.warnings}


def test_a_longer_budget_reaches_it(make_renderer: Callable[..., Renderer]) -> None:
    found = capture_script(make_renderer(settle=11), SHOW % 10_000)

    assert shown(found) == "Shown"
    assert found.warnings == ()
    assert found.conditions["settle"] == 11


@pytest.mark.slow
def test_a_request_that_is_still_open_is_named(renderer: Renderer) -> None:
    found = capture_script(renderer, ENDLESS["requests"])

    (warning,) = (warning for warning in found.warnings if warning.code == "requests_pending")
    assert warning.message == (
        "Requests were still open when the page was to be frozen: none"
        " (--design2a11y-timeout, -o design2a11y_settle)."
    )
    assert "scripts_stopped" not in codes(found)


# What would tell when a page is captured.
TIMES = (
    "new Event('x').timeStamp",
    "performance.mark('x').startTime",
    "performance.measure('y', 'x').duration",
    "JSON.stringify(performance)",
    "JSON.stringify(performance.timing)",
    "performance.getEntries().filter((one) => one.entryType === 'navigation').map((one) => one.duration)",
    "document.lastModified",
    "new File([], 'x').lastModified",
    "globalThis.Temporal?.Now.plainDateTimeISO()",
    "navigator.connection.downlink",
)


def test_the_time_is_the_pages_own(renderer: Renderer) -> None:
    script = f"setTimeout(() => {{ m.textContent = [{', '.join(TIMES)}].join(' ') }}, 9)"

    first, second = (capture_script(renderer, script) for _ in range(2))

    assert shown(first) == shown(second)
    assert "01/01/2024 12:00:00 1704110400009" in shown(first)


def test_the_first_second_has_sixty_frames(renderer: Renderer) -> None:
    count = """<p id=told></p><script>let frames = 0; const draw = (time) => { frames += 1;
        if (time > 999.9) told.textContent = `${frames} frames`; else requestAnimationFrame(draw) };
        requestAnimationFrame(draw)</script>"""

    assert shown(capture(renderer, PAGE.format(count))) == "Loading 60 frames"


def test_an_animation_ends_in_the_time_of_the_page(renderer: Renderer) -> None:
    script = """m.animate([{ opacity: 0 }, { opacity: 1 }], 500).onfinish = () => {
        m.textContent = `ended ${Math.floor(performance.now())}` };
        let n = 0; const interval = setInterval(() => { if (++n > 30) clearInterval(interval) }, 50)"""

    texts = [shown(capture_script(renderer, f"{script} // {at}")) for at in range(3)]

    assert texts == ["ended 500"] * 3
