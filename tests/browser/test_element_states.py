"""What elements are called, what they are for and in which state they are is read from the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.elements import Element

PAINTED = "style='background: tan; border: 1px solid'"


def only(renderer: Renderer, body: str) -> Element:
    html = f"<!doctype html><title>x</title><style>body {{ margin: 20px }}</style>{body}"
    capture = renderer.capture(Document(label="x", html=html.encode()), role="candidate", audit=None)
    (element,) = [one for one in capture.elements or () if one.kind == "box"]
    return element


@pytest.mark.alike(5, is_long=True)
@pytest.mark.parametrize(
    ("body", "role", "label", "states"),
    [
        pytest.param(
            "<label><input type=checkbox checked> Keep me IN</label>",
            *("checkbox", "Keep me IN", ("checked",)),
            id="checked",
        ),
        pytest.param(
            f"<label><input type=checkbox role=switch checked style='opacity: 0; position: absolute'>"
            f"<span {PAINTED[:-1]}; display: inline-block; width: 36px; height: 18px'></span> Renew</label>",
            *("switch", "Renew", ("checked",)),
            id="drawn in place of a box to tick",
        ),
        pytest.param(
            f"<table><tr role=checkbox aria-checked=false><td><span {PAINTED}>Banned</span></table>",
            *("", "Banned", ()),
            id="a badge in a row to choose",
        ),
        pytest.param("<input type=radio disabled>", "radio", "", ("disabled",), id="disabled"),
        pytest.param("<div>Depth <input></div>", "textbox", "Depth", (), id="words beside a field"),
        pytest.param("<h2>Harbor</h2><p>Boats leave.</p><input>", "textbox", "", (), id="words above it"),
        pytest.param(
            f"<button {PAINTED} aria-expanded=true aria-pressed=true>Menu</button>",
            *("button", "Menu", ("expanded", "pressed")),
            id="expanded",
        ),
        pytest.param(
            f"<a href=/ {PAINTED} aria-current=page>Home</a>", "link", "Home", ("current",), id="current"
        ),
        pytest.param(
            f"<div role=tab {PAINTED} aria-selected=true>First</div>", "tab", "First", ("selected",), id="tab"
        ),
        pytest.param(
            f"<details open><summary {PAINTED}>More</summary>x</details>",
            "button",
            "More",
            ("open",),
            id="open",
        ),
        pytest.param(
            f"<h2 id=t>Title</h2><section aria-labelledby=t {PAINTED}>x</section>",
            "",
            "Title",
            (),
            id="named",
        ),
        pytest.param(
            f"<form {PAINTED}><input name=textContent type=hidden><input name=title type=hidden>x</form>",
            *("form", "", ()),
            id="a form whose fields are called as its properties",
        ),
    ],
)
def test_elements_have_roles_labels_and_states(
    renderer: Renderer, body: str, role: str, label: str, states: tuple[str, ...]
) -> None:
    element = only(renderer, body)

    assert (element.role, element.label, element.states) == (role, label, states)


def test_fields_have_values_and_placeholders(renderer: Renderer) -> None:
    empty = only(
        renderer, "<form role=search><input type=search aria-label=Find placeholder='Search docs'></form>"
    )
    filled = only(renderer, "<main><select><option>Chile<option selected>Peru</select></main>")
    secret = only(renderer, "<input type=password value=secret>")

    assert (empty.value, empty.placeholder, empty.region) == ("", "Search docs", "search")
    assert (filled.value, filled.region) == ("Peru", "main")
    assert secret.value == ""
