"""Text that accessibility rules are kept from: how much of what a person sees, and that it is told."""

from __future__ import annotations

from typing import Any

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Document

INNER = "&lt;!doctype html>&lt;html lang=en>&lt;title>Inner&lt;/title>&lt;p>letters!&lt;/p>"

# Each has eight letters that no rule looks at.
DODGES = [
    "<p inert>letters!</p>",
    "<div aria-hidden=true><p>letters!</p></div>",
    "<div aria-disabled=true><p>letters!</p></div>",
    "<fieldset disabled><p>letters!</p></fieldset>",
    "<button disabled>letters!</button>",
    "<style>details::details-content { content-visibility: visible }</style><details>letters!</details>",
    "<svg width=200 height=50><text y=20>letters!</text></svg>",
    "<svg width=200 height=50><foreignObject width=200 height=50><p>letters!</p></foreignObject></svg>",
    "<style>.made::before { content: 'letters!' }</style><p class=made></p>",
    "<p style='filter: opacity(.4)'>letters!</p>",
    "<p style='mix-blend-mode: multiply'>letters!</p>",
    "<p style='clip-path: inset(60px 0 0); padding-top: 60px'>letters!</p>",
    "<em style='content-visibility: hidden'>letters!</em>",
    "<label><p>letters!</p><input disabled hidden></label>",
    "<label for=off>letters!</label><input id=off disabled hidden>",
    "<p id=name>letters!</p><b aria-disabled=true aria-labelledby=name></b>",
    "<div style='overflow: hidden; height: 1px'><div style='position: absolute'><p>letters!</p></div></div>",
    "<div style='opacity: 0'><div popover=manual>letters!</div></div>",
    "<div style='overflow: hidden; height: 0'><div popover=manual style='inset: 0'>letters!</div></div>"
    "<script>for (const one of document.querySelectorAll('[popover]')) one.showPopover()</script>",
    f"<iframe inert title=x srcdoc='{INNER}'></iframe>",
    "<object type=text/html data='data:text/html,<p>letters!</p>'></object>",
    "<div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<p>letters!</p>'</script>",
]
AUDITED = f"<p>letters!</p><iframe title=x srcdoc='{INNER}'></iframe><p aria-hidden=false>letters!</p>"
AUDITED += "<label>letters!<input></label><div style='overflow: hidden'><p>letters!</p></div>"


def audited(renderer: Any, body: str) -> tuple[float | None, list[str]]:
    html = f"<!doctype html><html lang=en><title>Case</title><main><h1>Shown it</h1>{body}</main></html>"
    document = Document(label="x", html=html.encode())
    capture = renderer.capture(document, role="candidate", audit=AuditChoice(), has_image=False)
    warnings = [each.message for each in capture.warnings if each.code == "unaudited_text"]
    return rates(capture.audit).unaudited, warnings


def test_text_that_rules_are_kept_from_is_counted_and_told(renderer: Any) -> None:
    share, warnings = audited(renderer, "".join(DODGES) + AUDITED)

    num_dodging = len(DODGES)
    assert share == 8 * num_dodging / (8 * num_dodging + 40 + 7)
    assert len(warnings) == 1
    assert warnings[0].startswith(
        f"Accessibility rules are kept from {share:.0%} of the text that a person sees: it is inert,"
    )


def test_text_behind_a_modal_dialog_is_kept_from_rules(renderer: Any) -> None:
    dialog = "<p>letters!</p><dialog id=box>in front</dialog><script>box.showModal()</script>"

    assert audited(renderer, dialog)[0] == 15 / 22


def test_an_ordinary_page_has_no_such_text(renderer: Any) -> None:
    assert audited(renderer, AUDITED) == (0.0, [])
