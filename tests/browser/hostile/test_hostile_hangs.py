"""Group A: pages that hang, talk, leave, or close themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from pytest_design2a11y.capture.browser.processes import descendants
from pytest_design2a11y.exceptions import NavigatedAway

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

BUSY = "const end = Date.now() + {0}; while (Date.now() < end);"
STOPPED = ("load_unfinished", "scripts_stopped")

# Name: what the page does, and the warnings with its scripts on.
SCRIPTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "alert_once": ("<script>alert(1); confirm(2); prompt(3)</script>", ("dialogs",)),
    "debugger_stmt": ("<script>debugger;</script>", ()),
    "sync_xhr": (
        "<script>const x = new XMLHttpRequest(); x.open('GET', 'http://127.0.0.1:@PORT@/', false);"
        "try { x.send() } catch {}</script>",
        ("blocked_requests",),
    ),
    "window_open": ("<script>for (let i = 0; i < 15; i++) open('about:blank')</script>", ("popups",)),
    "document_write_late": (
        "<script>onload = () => setTimeout(() => { document.open();"
        "document.write('<!doctype html><h1>Shown</h1><p>late') }, 10)</script>",
        (),
    ),
    "worker_spin": (
        "<script>const code = URL.createObjectURL(new Blob(['while(1);']));new Worker(code)</script>",
        ("requests_pending",),
    ),
    "loop_parse": ("<script>while(1){}</script>", STOPPED),
    "loop_late": (
        "<script>onload = () => setTimeout(() => { while(1){} }, 50)</script>",
        STOPPED,
    ),
    "loop_interval": (f"<script>setInterval(() => {{ {BUSY.format(900)} }}, 1)</script>", ()),
    "loop_promise": ("<script>(function again() { Promise.resolve().then(again) })()</script>", STOPPED),
    "loop_raf": (
        f"<script>(function again() {{ {BUSY.format(5000)}; requestAnimationFrame(again) }})()</script>",
        (),
    ),
    "alert_forever": ("<script>while(1) alert(1)</script>", ("dialogs", *STOPPED)),
    "beforeunload": ("<script>onbeforeunload = (event) => event.preventDefault()</script>", ()),
    "print_call": ("<script>window.print()</script>", ()),
    "window_close": ("<script>window.close()</script>", ()),
    "location_loop": (
        "<script>setInterval(() => { location = 'http://page.test/page/?' + Math.random() }, 20)</script>",
        ("navigations",),
    ),
    "history_flood": (
        "<script>for (let i = 0; i < 120; i++) { history.pushState(i, '', '?' + i); location.hash = i }"
        "</script>",
        (),
    ),
    "form_autosubmit": (
        "<form method=post action='http://127.0.0.1:@PORT@/'><input name=a></form>"
        "<script>document.forms[0].submit()</script>",
        ("navigations", "load_unfinished"),
    ),
    "regexp_loop": ("<script>/^(a+)+$/.test('a'.repeat(60) + 'b')</script>", STOPPED),
    "wasm_loop": (
        # (module (func (loop br 0)) (start 0))
        "<script>new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.fromHex("
        "'0061736d0100000001040160000003020100080100"
        "0a090107000340"
        "0c000b0b')))</script>",
        STOPPED,
    ),
}

# The same with its scripts off or on.
ALWAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "meta_refresh_self": ("<meta http-equiv=refresh content=0>", ("navigations",)),
    # The browser refuses by itself to go from a page of the web to a file: there is no request to tell of.
    "meta_refresh_passwd": ("<meta http-equiv=refresh content='0;url=file:///etc/passwd'>", ()),
    "never_ending_resource": ("<img src='http://127.0.0.1:@PORT@/never'>", ("blocked_requests",)),
}


# Each takes all of a page's time, and shows the same in less than the others have.
ENDLESS = {"loop_parse", "loop_late", "wasm_loop", "form_autosubmit", "regexp_loop", "alert_forever"}
ENDLESS |= {"loop_promise", "location_loop", "worker_spin"}
SECONDS = 8.0


@pytest.mark.alike(5, is_long=True)
@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "worker_spin"])
def test_scripts_that_hang_or_roam_are_stopped_and_the_page_is_scored(
    trial: Any, renderer_of: Callable[[float], Renderer], name: str
) -> None:
    body, codes = SCRIPTS[name]
    if name in ENDLESS:
        trial = trial.with_renderer(renderer_of(SECONDS))
    trial.scored(body, *codes)


def test_without_scripts_nothing_hangs(trial: Any) -> None:
    """All of them on one page."""
    trial.scored("".join(body for body, _ in SCRIPTS.values()), javascript=False)


@pytest.mark.parametrize(
    "javascript", [pytest.param(True, marks=pytest.mark.slow), False], ids=["scripts", "no-scripts"]
)
@pytest.mark.parametrize("name", ALWAYS)
def test_leaving_without_scripts_is_refused(trial: Any, name: str, javascript: bool) -> None:
    body, codes = ALWAYS[name]
    trial.scored(body, *codes, javascript=javascript)


@pytest.mark.alike(1)
@pytest.mark.parametrize(
    "target",
    ["'about:blank'", "URL.createObjectURL(new Blob(['<p>other'], {type: 'text/html'}))"],
)
def test_location_blank(trial: Any, target: str) -> None:
    trial.refused(
        f"<script>onload = () => {{ location = {target} }}</script>", NavigatedAway, "replaced itself"
    )


def test_opener_close(trial: Any) -> None:
    """There is no window that could close its opener: none opens."""
    trial.scored(
        "<script>open('javascript:opener.close()'); open('about:blank').eval('opener.close()')</script>",
        "popups",
    )


@pytest.mark.slow
def test_workers_end_with_their_page(trial: Any, renderer_of: Callable[[float], Renderer]) -> None:
    """A thread without end would take all of a processor."""
    script, codes = SCRIPTS["worker_spin"]
    renderer = renderer_of(SECONDS)
    trial.with_renderer(renderer).scored(script, *codes)
    browser = renderer.browser_process_id()
    assert browser is not None
    before = _processor_seconds(browser)
    time.sleep(2)

    assert _processor_seconds(browser) - before < 0.5


def _processor_seconds(root: int) -> float:
    """Time that a process and all below it have used; what ended has used none."""
    seconds = 0.0
    for process_id in descendants(root):
        with suppress(psutil.NoSuchProcess):
            times = psutil.Process(process_id).cpu_times()
            seconds += times.user + times.system
    return seconds
