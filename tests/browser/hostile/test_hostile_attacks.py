"""Group D: pages that attack what checks them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.audit.htmlcs import Htmlcs, read_htmlcs_script
from pytest_design2a11y.capture.isolation import Asset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

CLEAN = "{ violations: [], passes: [], incomplete: [], inapplicable: [] }"

# Every one of these pages has one picture without a text alternative, which must be found all the same.
SCRIPTS: dict[str, str] = {
    "axe_forged": (
        f"Object.defineProperty(window, 'axe', {{ value: {{ run: async () => ({CLEAN}), version: '9' }},"
        "writable: false, configurable: false })"
    ),
    "proto_patched": (
        "Array.prototype.push = () => 0; Array.prototype.map = () => [];"
        "Object.prototype.toJSON = () => null;"
        "JSON.stringify = () => '{}'; Array.prototype.filter = () => []"
    ),
    "promise_dead": "Object.defineProperty(window, 'Promise', { value: class {}, writable: false })",
    "settimeout_dead": (
        "delete window.setTimeout; window.setTimeout = undefined; window.requestAnimationFrame = undefined;"
        "window.MutationObserver = undefined"
    ),
    "geometry_lies": (
        "Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1, 1);"
        "Range.prototype.getClientRects = () => []; window.getComputedStyle = () => ({});"
        "Element.prototype.getClientRects = () => []"
    ),
    "freeze_all": (
        "Object.freeze(Object.prototype); Object.freeze(Node.prototype); Object.freeze(document);"
        "Object.freeze(window.Array.prototype)"
    ),
    "bus_silenced": "performance.dispatchEvent = () => true; window.Event = null",
    "axe_getter": (
        f"Object.defineProperty(window, 'axe', {{ get: () => ({{ run: async () => ({CLEAN}) }}),"
        "set: () => {}, configurable: false })"
    ),
    "promise_then_dead": "Promise.prototype.then = () => new Promise(() => {})",
    "proxy_document": "document.querySelectorAll = () => []; document.getElementsByTagName = () => []",
}

MARKUP: dict[str, str] = {
    "named_elements": "<form name=body></form><img name=getElementById alt=x><img name=createElement alt=x>",
    "csp_none": "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">",
    "trusted_types": (
        "<meta http-equiv=Content-Security-Policy content=\"require-trusted-types-for 'script'\">"
    ),
}

PICTURE = "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=' width=20 height=20>"


@pytest.mark.alike(6, is_long=True)
@pytest.mark.parametrize("name", [*MARKUP, *SCRIPTS])
def test_the_audit_and_the_text_cannot_be_forged(trial: Any, name: str) -> None:
    attack = f"<script>{SCRIPTS[name]}</script>" if name in SCRIPTS else MARKUP[name]
    outcome = trial.read(f"{attack}<p>Read me</p>{PICTURE}", audit=True)

    assert not isinstance(outcome, Design2a11yError), outcome
    violations = {rule.rule: rule.num_violations for rule in outcome.audit.rules}
    assert violations["image-alt"] == 1
    shown = {run.text: run.boxes[0] for run in outcome.text_runs}
    assert shown["Read me"][2] > 20, "the box is the text's own"


HIDING = (
    *("nodeType", "parentNode", "nodeName", "localName", "childNodes", "getAttribute", "hasAttributes"),
    *("getBoundingClientRect", "getClientRects", "getRootNode", "parentElement", "shadowRoot", "attributes"),
)
FORM = (
    "<!doctype html><html lang=en><title>Case</title><form>{}" + PICTURE + "<input><p>Read me</p>"
    "<p style='color: #aaa'>Pale</p><p><button></button></form></html>"
)


def read_form(renderer: Any, field: str) -> Any:
    document = Document(label="x", html=FORM.format(field).encode())
    return renderer.capture(document, role="candidate", audit=AuditChoice())


@pytest.fixture(scope="module")
def plain(renderer: Any) -> Any:
    """The form as it is without any such field."""
    return read_form(renderer, "")


@pytest.mark.alike(2, is_long=True)
@pytest.mark.parametrize(
    "field",
    [
        "".join(f"<input type=hidden name={name}>" for name in HIDING[1:]),
        "<img alt='' name=nodeType>",
        *(f"<input type=hidden name={name}>" for name in HIDING),
    ],
)
def test_no_name_of_a_field_changes_what_is_read(renderer: Any, plain: Any, field: str) -> None:
    attacked = read_form(renderer, field)

    failures = {rule.rule: rule.num_violations for rule in plain.audit.rules if rule.num_violations}
    assert {"image-alt", "label", "color-contrast", "button-name"} <= failures.keys()
    assert {r.rule: r.num_violations for r in attacked.audit.rules if r.num_violations} == failures
    assert attacked.text_runs == plain.text_runs
    assert attacked.screenshot.png == plain.screenshot.png
    (warning,) = (each for each in attacked.warnings if each.code == "shadowing_names")
    assert re.search(r"taken out of it.*: [\w, ]+\.$", warning.message)


def _names_asked_for(page: Any) -> list[str]:
    """Return every name that the engines' scripts have, and those of all properties of nodes."""
    scripts = read_axe_script(None) + read_htmlcs_script(None)[0]
    own = page.evaluate(
        "() => [document, ...['form', 'input'].map((tag) => document.createElement(tag))].flatMap((one) => {"
        " const names = [];"
        " for (; one; one = Object.getPrototypeOf(one)) names.push(...Object.getOwnPropertyNames(one));"
        " return names; })"
    )
    return sorted({*own, *re.findall(r"\.([A-Za-z_$][\w$]{2,40})", scripts)})


def test_no_name_at_all_changes_what_an_engine_finds(renderer: Any, chromium: Any) -> None:
    def found(fields: str) -> dict[str, Any]:
        document = Document(label="x", html=FORM.format(fields).encode())
        engines = (Axe(), Htmlcs())
        captured = renderer.capture(
            document, role="candidate", audit=AuditChoice(), engines=engines, has_image=False
        )
        return {
            name: {rule.rule: rule.num_violations for rule in audit.rules if rule.num_violations}
            for name, audit in captured.audits.items()
        }

    page = chromium.new_page()
    names = _names_asked_for(page)
    page.close()
    plain = found("")

    assert {"documentElement", "currentStyle", "nodeType", "actualNode"} <= set(names)
    assert plain.keys() == {"axe", "htmlcs"}
    assert found("".join(f"<input type=hidden name={name}>" for name in names)) == plain


SCRIPTING = """
@media (scripting: none) { h1 { color: #eee } } @media (scripting: none) { .none { display: block } }
.none, .some { display: none } @media screen and (scripting) { .some { display: block } }
.part { @media not (scripting: enabled) { display: none } }
"""
SHEET = "http://cdn.example/a.css"


@pytest.fixture(scope="module")
def recorded(make_renderer: Callable[..., Renderer], tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    """A renderer that has the style sheet from elsewhere."""
    folder = tmp_path_factory.mktemp("assets")
    Recordings(folder).keep(SHEET, Asset(200, "text/css", SCRIPTING.encode(), True, SHEET))
    return make_renderer(assets=folder)


@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("is_readable", [True, False], ids=["own", "elsewhere"])
def test_style_sheets_are_not_told_that_scripts_were_stopped(
    recorded: Renderer, is_readable: bool, has_scripts: bool
) -> None:
    style = f"<style>{SCRIPTING}</style>" if is_readable else f"<link rel=stylesheet href={SHEET}>"
    script = "<script></script>" if has_scripts else ""
    html = f"""<!doctype html><html lang=en><title>Case</title>{style}{script}<h1>Shown</h1>
        <p class=none>Cloaked</p><p class=some>Scripted</p><p class=part>Nested</p></html>""".encode()

    capture = recorded.capture(Document(label="x", html=html), role="candidate", audit=None)

    assert {run.text: run.color for run in capture.text_runs} == dict.fromkeys(
        ("Shown", "Scripted", "Nested"), (0, 0, 0)
    )


def test_detect_headless(trial: Any) -> None:
    trial.scored(
        "<script>document.body.append(navigator.webdriver || /Headless/.test(navigator.userAgent)"
        "? 'Watched' : 'Alone')</script>",
        shows="Alone",
    )


SWAP = "document.body.innerHTML = '<h1>Clean</h1><p>Other text</p>'"


def test_late_swap(trial: Any) -> None:
    """Picture, text and audit see one moment of a page that would swap itself for a clean one."""
    outcome = trial.read(
        f"{PICTURE}<script>setTimeout(() => {{ {SWAP} }}, 30_000);"
        f"document.addEventListener('visibilitychange', () => {{ {SWAP} }});"
        "for (const name of ['resize', 'scroll', 'focus'])"
        f"addEventListener(name, () => {{ {SWAP} }})</script>",
        audit=True,
    )

    assert [run.text for run in outcome.text_runs] == ["Shown"]
    assert {rule.rule: rule.num_violations for rule in outcome.audit.rules}["image-alt"] == 1


def test_early_swap(trial: Any) -> None:
    """A page that swaps itself while it loads is what it then is, for all three."""
    outcome = trial.read(
        f"{PICTURE}<script>document.fonts.ready.then(() => {{ {SWAP} }})</script>", audit=True
    )

    assert [run.text for run in outcome.text_runs] == ["Clean", "Other text"]
    assert "image-alt" not in {rule.rule for rule in outcome.audit.rules}
