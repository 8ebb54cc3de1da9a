"""What a page changes between its picture and its audit is noticed; reading it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture import page as opening
from pytest_design2a11y.capture import read_page as reading
from pytest_design2a11y.capture.audit.axe import Axe, run_audit
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.browser import channel
from pytest_design2a11y.capture.browser.bounded import send_command
from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.browser.pages import PagePool
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.isolation import HostClient
from pytest_design2a11y.capture.isolation.remote import Remote
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page import markup, visiting
from pytest_design2a11y.capture.page.frames import FrozenPage
from pytest_design2a11y.capture.page.freeze import Stillness
from pytest_design2a11y.capture.page.screenshot import take
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.read_page import PageReader
from pytest_design2a11y.capture.text import PageText, read_text
from pytest_design2a11y.capture.text.painted import hide_text
from pytest_design2a11y.exceptions import MemoryLimit, Unstable
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import Viewport

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

PAGE = """<!doctype html><html lang=en><title>Case</title>
<style>p { color: gray } :focus { color: green } :state(on) { color: green } :target { color: green }
#far { height: 9000px } #scrolls { height: 50px; overflow: auto } #scrolls b { display: block; height: 900px }
</style>
<h1>Shown</h1><p id=text>Read me</p><img id=picture src=data:, width=9 height=9>
<input id=field value=one><input id=tick type=checkbox><select id=list><option>one<option>two</select>
<div id=pop popover>Popped</div><div id=scrolls><b>High</b></div><div id=host>Light</div><x-own>Own</x-own>
<div id=outer></div><div id=far></div>
<script>
  customElements.define("x-own", class extends HTMLElement {
    constructor() { super(); window.internals = this.attachInternals(); }
  });
  outer.attachShadow({ mode: "open" }).innerHTML = "<i id=inner>Shadow</i>";
</script></html>"""

# By what a script of the page could do after its picture was taken.
CHANGES = {
    "attribute": "picture.setAttribute('alt', 'A picture')",
    "text": "text.firstChild.data = 'Other'",
    "title": "document.title = 'Other'",
    "shadow": "outer.shadowRoot.querySelector('i').title = 'Other'",
    "new_shadow": "host.attachShadow({ mode: 'open' }).innerHTML = 'Dark'",
    "closed_shadow": "document.querySelector('h1').attachShadow({ mode: 'closed' }).innerHTML = 'Dark'",
    "inserted_rule": "document.styleSheets[0].insertRule('p { color: black !important }')",
    "rule_style": "document.styleSheets[0].cssRules[0].style.color = 'black'",
    "adopted_sheet": (
        "const sheet = new CSSStyleSheet(); sheet.replaceSync('p { color: black !important }');"
        "document.adoptedStyleSheets = [sheet]"
    ),
    "animation": "text.animate([{ color: 'black' }], { duration: 1, fill: 'forwards' })",
    "value": "field.value = 'two'",
    "choice": "list.selectedIndex = 1",
    "focus": "field.focus()",
    "state": "internals.states.add('on')",
    "target": "location.hash = 'text'",
    "popover": "pop.showPopover()",
    "scrolled_part": "scrolls.scrollTop = 200",
    "scrolled_page": "scrollTo(0, 500)",
    "there_and_back": "text.style.color = 'black'; text.offsetTop; text.style.color = ''",
    "element": "text.remove()",
}


@pytest.fixture
def frozen(chromium: Browser) -> Iterator[FrozenPage]:
    settings = VisitSettings(Remote(HostClient(())), CaptureLimits(), Viewport(1280, 720))
    document = Document(label="x", html=PAGE.encode())
    with visiting(PagePool(chromium), document, settings, Watchdog(None, 0)) as (visit, blank):
        yield opening.frozen(visit, blank, document, settings)


def watch(page: FrozenPage) -> Stillness:
    still = Stillness(page)
    still.start()
    still.screenshot(lambda: take(page, seconds=10.0))
    return still


def test_reading_changes_nothing(frozen: FrozenPage) -> None:
    still = watch(frozen)

    read_text(frozen)
    run_audit(frozen, script=read_axe_script(None), choice=AuditChoice())

    assert still.has_held()


def test_what_a_page_changes_after_its_picture_is_noticed(frozen: FrozenPage) -> None:
    for kind, change in CHANGES.items():
        still = watch(frozen)
        assert still.has_held(), kind

        frozen.send("Runtime.evaluate", {"expression": f"{{ {change} }}"})

        assert not still.has_held(), kind


def test_what_a_page_changes_while_its_picture_is_taken_is_noticed(
    frozen: FrozenPage,
) -> None:
    def take_and_change() -> bytes:
        picture = take(frozen, seconds=10.0)
        frozen.send("Runtime.evaluate", {"expression": CHANGES["inserted_rule"]})
        return picture

    still = Stillness(frozen)
    still.start()
    still.screenshot(take_and_change)

    assert not still.has_held()


def test_what_a_page_changes_until_its_picture_without_text_is_noticed(frozen: FrozenPage) -> None:
    still = watch(frozen)
    found, have_held = read_text(frozen).texts, []

    def take_watched(area: Box) -> bytes:
        picture, has_held = still.glance(lambda: take(frozen, seconds=10.0, area=area))
        have_held.append(has_held)
        return picture

    hide_text(frozen, found, take_watched)
    frozen.send("Runtime.evaluate", {"expression": CHANGES["attribute"]})
    hide_text(frozen, found, take_watched)

    assert have_held == [True, False]


def test_a_document_that_runs_no_scripts_is_not_watched(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "Stillness", None)

    capture = renderer.capture(Document(label="x", html=b"<h1>Still</h1>"), role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Still"]


FONT_OF_AUDIT = """<!doctype html><html lang=en><title>Case</title><style>
  @font-face { font-family: F; src: url(plain.woff) }
  @font-face { font-family: F; src: url(bold.woff); font-weight: 700 }
  p { font: bold 20px F, sans-serif; color: gray }
</style><p>Bold text</p><script></script>"""
# Its picture is larger than the window, so that rules for its width apply anew, in closed parts too.
CLOSED_PART = """<!doctype html><html lang=en><title>Case</title><style>
  @media (min-width: 701px) { .wide { color: blue } } .red { color: red } div { height: 1500px }
</style><div></div><details><p><b class=red>No</b></p></details><script></script>"""


@pytest.mark.parametrize("html", [FONT_OF_AUDIT, CLOSED_PART], ids=["font", "closed part"])
def test_what_only_the_audit_asks_for_is_no_change(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, html: str
) -> None:
    reads: list[FrozenPage] = []

    def read(page: FrozenPage, **how: bool) -> PageText:
        reads.append(page)
        return read_text(page, **how)

    monkeypatch.setattr(reading, "read_text", read)

    renderer.capture(Document(label="x", html=html.encode()), role="candidate", audit=AuditChoice())

    assert len(reads) == 1


def test_a_document_that_is_not_watched_can_run_no_scripts(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if a way to run scripts had been forgotten.
    monkeypatch.setattr(markup, "can_run_scripts", lambda html: False)
    html = b"<h1 onfocus='textContent=1' tabindex=0 autofocus>Still</h1><script>document.title = 'x'</script>"
    html += b"<svg onload=\"document.querySelector('h1').textContent = 1\"></svg><iframe srcdoc='"
    html += b'<script>parent.document.querySelector("h1").textContent = 1</script>\'></iframe>'

    capture = renderer.capture(Document(label="x", html=html), role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Still"]


WAITS = {
    "blob": "new Blob(['x']).text()",
    "decode": "Object.assign(new Image(), { src: PIXEL }).decode()",
    "wasm": "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "stream": "new Response('x').text()",
    "sound": "new OfflineAudioContext(1, 4e6, 4e4).startRendering()",
}
RESUMED = """<!doctype html><html lang=en><title>Case</title><h1>Shown</h1>
<img id=picture src=%(pixel)s width=9 height=9><p id=text>Broken</p><script>
  const PIXEL = "%(pixel)s";
  addEventListener("load", async () => {
    for (let turn = 0; ; turn += 1) {
      await %(wait)s;
      text.textContent = turn %% 2 ? "Clean" : "Broken";
      picture.toggleAttribute("alt", turn %% 2 === 1);
    }
  });
</script></html>"""
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="


@pytest.mark.slow
@pytest.mark.parametrize("kind", WAITS)
def test_a_script_that_goes_on_never_gives_two_moments(renderer: Renderer, kind: str) -> None:
    html = (RESUMED % {"pixel": PIXEL, "wait": WAITS[kind]}).encode()

    try:
        capture = renderer.capture(Document(label="x", html=html), role="candidate", audit=AuditChoice())
    except Unstable as error:
        said = str(error)
        assert any(
            part in said
            for part in ("Scripts of the page went on", "goes on changing", "The page was still busy")
        )
        return
    except MemoryLimit:
        # Sounds may pile up faster than they are tidied away: there is no picture then, either.
        assert kind == "sound"
        return

    assert capture.audit
    is_broken = "Broken" in {run.text for run in capture.text_runs}
    assert ("image-alt" in {rule.rule for rule in capture.audit.rules if rule.num_violations}) == is_broken


def test_without_scripts_the_picture_without_text_comes_before_the_audit(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pixels are compared while the browser audits."""
    order: list[str] = []

    def noted(name: str, call: Any) -> Any:
        def called(*given: Any) -> Any:
            order.append(name)
            return call(*given)

        return called

    monkeypatch.setattr(reading, "hide_text", noted("picture", hide_text))
    monkeypatch.setattr(Axe, "audit", noted("audit", Axe.audit))
    html = b"<html lang=en><title>Case</title><h1>Shown</h1><p style='color: transparent'>Not"

    capture = renderer.capture(Document(label="x", html=html), role="candidate", audit=AuditChoice())

    assert order == ["picture", "audit"]
    assert [run.text for run in capture.text_runs] == ["Shown"]


def test_all_pictures_without_text_have_the_time_of_one_page(
    frozen: FrozenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each used to be granted two seconds more."""
    given: list[float] = []

    def shoot(_page: FrozenPage, *, seconds: float, area: Box) -> bytes:
        given.append(seconds)
        return b""

    monkeypatch.setattr(reading, "take_stable", shoot)
    monkeypatch.setattr(
        reading, "hide_text", lambda _page, _found, take: [take((0.0, 0.0, 9.0, 9.0)) for _ in range(9)]
    )
    visit: Any = SimpleNamespace(deadline=Deadline(1.0), has_scripts=False)
    read: Any = SimpleNamespace(taken=SimpleNamespace(image=b""), text=SimpleNamespace(texts=()))

    PageReader(None, ())._hidden(visit, frozen, read, None)

    assert given == sorted(given, reverse=True)
    assert given[0] < 1.0


def test_a_page_gets_our_scripts_once(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def noted(session: Any, method: str, params: Any = None, *, seconds: float) -> Any:
        sent.append((params or {}).get("functionDeclaration", ""))
        return send_command(session, method, params, seconds=seconds)

    monkeypatch.setattr(channel, "send_command", noted)
    renderer.capture(Document(label="x", html=PAGE.encode()), role="candidate", audit=None)

    ours = [len(function) for function in sent if "design2a11ySent" in function]
    assert len(ours) > 5
    assert sum(length > 1000 for length in map(len, sent)) == 1
    assert ours[0] == max(ours)
