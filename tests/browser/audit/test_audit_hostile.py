"""Pages that would fool or break an audit, and audits that fail."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.capture.audit.axe import run_audit
from pytest_design2a11y.exceptions import AxeError, AxeTimeout, RenderTimeout
from pytest_design2a11y.models.audit import Audit, AuditChoice

BODY = "<main><h1>Attack</h1><img id='nameless' src='data:,'></main>"

FORGED = (
    "{version: '4.10.3', run: async () => ({violations: [], passes: [], incomplete: [], inapplicable: []})}"
)
ATTACKS = {
    "audit": "Object.defineProperty(window, 'design2a11yAudit', {value: {start: () => null}})",
    "styles": "window.getComputedStyle = () => ({getPropertyValue: () => 'none', display: 'none'})",
    "forged": f"Object.defineProperty(window, 'axe', {{value: {FORGED}, writable: false}})",
    "accessor": f"Object.defineProperty(window, 'axe', {{get: () => ({FORGED}), set: () => {{}}}})",
    "array": "Array.prototype.push = Array.prototype.map = function () { return [] }",
    "json": "JSON.stringify = () => '{}'; Object.prototype.toJSON = () => null",
    "promise": "Object.defineProperty(window, 'Promise', {value: function () {}, writable: false})",
    "then": "Promise.prototype.then = function () { return this }",
    "timers": "window.setTimeout = window.requestAnimationFrame = () => 0",
    "geometry": "Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, width: 0, height: 0})",
    "queries": "document.querySelectorAll = () => []; Document.prototype.querySelectorAll = () => []",
    "frozen": "Object.freeze(Object.prototype); Object.freeze(Node.prototype); Object.freeze(document)",
}


def failing(audit: Audit) -> dict[str, list[str]]:
    return {
        rule.rule: [node.target for node in rule.violations] for rule in audit.rules if rule.num_violations
    }


def page(body: str = BODY, head: str = "") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Attack</title>{head}</head><body>{body}</body></html>'
    )


# test_hostile_attacks.py does not try the first two.
@pytest.mark.alike(2)
@pytest.mark.parametrize("name", ATTACKS)
def test_scripts_of_the_page_cannot_change_what_is_found(audit: Any, name: str) -> None:
    found, warnings = audit(page(head=f"<script>{ATTACKS[name]}</script>"))

    assert failing(found) == {"image-alt": ["#nameless"]}
    assert next(rule for rule in found.rules if rule.rule == "image-alt").violations[0].box is not None
    assert warnings == ()


@pytest.mark.parametrize(
    "element",
    [
        "<form name='body' aria-label='f'></form><img name='getElementById' alt=''>"
        "<img name='documentElement' alt=''><a id='axe'>a</a><a id='module'>b</a><a id='define'>c</a>",
        "<form name='documentElement' aria-label='f'><input name='attributes' aria-label='i'></form>",
    ],
)
def test_names_of_elements_cannot_change_what_is_found(audit: Any, element: str) -> None:
    found, _ = audit(page(BODY.replace("</main>", f"{element}</main>")))

    assert failing(found) == {"image-alt": ["#nameless"]}


def test_a_failing_form_whose_fields_hide_its_properties_is_described(audit: Any) -> None:
    hidden = (
        "attributes",
        "localName",
        "textContent",
        "outerHTML",
        "getElementsByTagName",
        "getBoundingClientRect",
    )
    fields = "".join(f"<input name='{name}' aria-label='{name}'>" for name in hidden)
    found, _ = audit(page(f"<main><h1>Form</h1><form id='form' role='made-up'>{fields}</form></main>"))
    (node,) = next(rule for rule in found.rules if rule.rule == "aria-roles").violations

    assert node.target == "#form"
    assert node.html.startswith("<form id=")
    assert node.box is not None


@pytest.mark.parametrize(
    "policy",
    ["default-src 'none'", "require-trusted-types-for 'script'; trusted-types 'none'"],
)
def test_a_content_security_policy_does_not_keep_the_audit_out(audit: Any, policy: str) -> None:
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    found, _ = audit(page(head=head))

    assert failing(found) == {"image-alt": ["#nameless"]}


def test_a_sandboxed_frame_is_entered(audit: Any) -> None:
    inner = "<html lang='en'><title>Inner</title><main aria-label='Inner'><img id='deep' src='data:,'></main>"
    frame = f'<iframe id="frame" title="Inner" sandbox srcdoc="{inner}"></iframe>'
    found, warnings = audit(page(BODY.replace("</main>", f"{frame}</main>")))

    assert failing(found) == {"image-alt": ["#nameless", "#frame >>> #deep"]}
    assert warnings == ()


def test_a_frame_that_cannot_be_entered_is_named_and_left_to_a_person(pages: Any, axe_script: str) -> None:
    frame = '<iframe id="frame" title="Inner" srcdoc="<html lang=en><title>Inner</title></html>"></iframe>'
    with pages.freeze(page(BODY.replace("</main>", f"{frame}</main>"))) as frozen:
        only_main = type(frozen)(frozen.worlds[:1], frozen.page_size, frozen.viewport, frozen.channel)
        found, (warning,) = run_audit(only_main, script=axe_script, choice=AuditChoice())

    assert (warning.code, warning.count) == ("iframes_skipped", 1)
    assert "could not enter: 1" in warning.message
    tested = next(rule for rule in found.rules if rule.rule == "frame-tested")
    assert [node.target for node in tested.incomplete] == ["#frame"]


def test_a_frame_that_did_not_load_does_not_add_the_browsers_error_page(audit: Any) -> None:
    frame = (
        '<iframe id="frame" title="Elsewhere" src="http://elsewhere.test/" width="400" height="300"></iframe>'
    )
    without, _ = audit(page())
    found, (warning,) = audit(page(BODY.replace("</main>", f"{frame}</main>")))

    assert (warning.code, warning.count) == ("iframes_skipped", 1)
    assert "did not load" in warning.message
    assert failing(found) == failing(without)
    assert found.elements_checked == without.elements_checked + 1


def test_a_page_that_is_audited_twice_gives_the_same_twice(pages: Any, axe_script: str) -> None:
    with pages.freeze(page()) as frozen:
        first, second = (run_audit(frozen, script=axe_script, choice=AuditChoice()) for _ in range(2))

    assert first == second


def test_an_audit_leaves_the_page_as_it_was(pages: Any, axe_script: str) -> None:
    with pages.freeze(page()) as frozen:
        before = frozen.worlds[0].call("() => document.documentElement.outerHTML")
        run_audit(frozen, script=axe_script, choice=AuditChoice())
        after = frozen.worlds[0].call("() => document.documentElement.outerHTML")

    assert after == before


@pytest.mark.slow
def test_running_out_of_time_is_a_timeout_of_the_audit(pages: Any, axe_script: str) -> None:
    endless = f"{axe_script}\n;axe.runPartial = () => new Promise(() => {{}});"
    with pages.freeze(page(), seconds=8) as frozen, pytest.raises(AxeTimeout) as caught:
        run_audit(frozen, script=endless, choice=AuditChoice())

    assert caught.value.stage == "axe"
    assert "did not end within the time that the page has" in str(caught.value)
    assert "--design2a11y-timeout" in str(caught.value)
    assert isinstance(caught.value.__cause__, RenderTimeout)


@pytest.fixture
def broken_scripts(axe_script: str) -> dict[str, str]:
    """Scripts that fail in one way each."""
    return {
        "throws": f"{axe_script}\n;axe.runPartial = async () => {{ throw new Error('out of order') }};",
        "syntax": 'axe.version="4.10.3"; }{',
        "nothing": 'globalThis.axe = {}; axe.version="4.10.3";',
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("throws", "axe-core failed: out of order"),
        ("syntax", "The axe-core script does not run: .*SyntaxError"),
        ("nothing", "axe-core failed: .*axe.configure is not a function"),
    ],
)
def test_a_failing_script_is_an_error_with_its_message(
    audit: Any, broken_scripts: dict[str, str], name: str, message: str
) -> None:
    with pytest.raises(AxeError, match=message) as caught:
        audit(page(), script=broken_scripts[name])

    assert caught.value.stage == "axe"


def test_a_rule_that_fails_is_named_and_the_others_count(audit: Any, axe_script: str) -> None:
    broken = (
        f"{axe_script}\n;axe._audit.rules.find((rule) => rule.id === 'region').matches ="
        " () => { throw new Error('broken rule') };"
    )
    found, (warning,) = audit(page(), script=broken)

    assert failing(found) == {"image-alt": ["#nameless"]}
    assert (warning.code, warning.count) == ("axe_rules_failed", 1)
    assert "region" in warning.message
    assert "broken rule" in warning.message


def test_a_rule_of_the_users_whose_failures_have_no_impact_is_refused(audit: Any, axe_script: str) -> None:
    own = (
        "axe.configure({rules: [{id: 'own', selector: 'h1', any: ['own-check'], tags: []}], checks: [{id:"
        " 'own-check', evaluate: () => false, metadata: {messages: {pass: '', fail: 'fails'}}}]});"
    )
    with pytest.raises(AxeError, match="Failures of own have no impact"):
        audit(page(), script=f"{axe_script}\n;{own}")


@pytest.mark.slow
def test_a_page_of_twenty_thousand_elements_is_audited_in_full(audit: Any) -> None:
    cells = "".join(f"<p><span>{number}</span></p>" for number in range(9_950))
    images = "".join("<img src='data:,'>" for _ in range(90))
    found, _ = audit(page(f"<main><h1>Many</h1>{cells}{images}</main>"), seconds=300)

    assert failing(found).keys() == {"image-alt"}
    rules = {rule.rule: rule for rule in found.rules}
    assert rules["image-alt"].num_violations == 90
    assert rules["color-contrast"].num_passes == 9_951
    assert rules["region"].num_passes == 2 * 9_950 + 90 + 2
