"""The hover probe: for every check a page that fails and one that passes."""

from __future__ import annotations

import pytest

from pytest_design2a11y.exceptions import NavigatedAway
from tests.browser.probes.conftest import Try, passes, told

STYLE = """<style>p { margin: 0 } .menu { position: relative; width: 200px }
.menu ul { display: none; margin: 0; position: absolute; top: 18px; left: 0; padding: 0; background: #fff }
</style>"""

GOOD = f"""{STYLE}<style>.menu.open ul {{ display: block }} a:hover {{ color: red }}</style>
<div id="menu" class="menu"><a href="#menu">Menu</a><ul><li>One item</li><li>Another</li></ul></div>
<p>Covered text</p><p>More text</p><script>const open = (is) => () => menu.classList.toggle("open", is);
for (const name of ["mouseenter", "focusin"]) menu.addEventListener(name, open(true));
for (const name of ["mouseleave", "focusout"]) menu.addEventListener(name, open(false));
addEventListener("keydown", (event) => event.key === "Escape" && open(false)());</script>"""

BAD = f"""{STYLE}<style>.menu:hover ul, #far:hover + #tip {{ display: block }}
#tip {{ display: none; float: right }}</style>
<div id="menu" class="menu">Menu<ul><li>One item</li><li>Another</li></ul></div><p>Covered text</p>
<p>More text</p><p id="far" style="width: 90px" tabindex="0">Term</p><b id="tip">What it means</b>"""


def test_a_menu_that_opens_on_focus_and_closes_with_escape_passes(try_out: Try) -> None:
    result = try_out("hover", GOOD)

    assert not any(rule.num_violations or rule.num_incomplete for rule in result.findings.rules)
    assert [passes(result, f"hover-{check}") for check in ("focus", "dismiss", "hold")] == [1, 1, 1]


@pytest.mark.slow
def test_a_menu_for_the_pointer_alone_fails_and_twice_the_same(try_out: Try) -> None:
    result = try_out("hover", BAD)

    assert told(result, "hover-focus") == ["#menu", "#far"]
    assert told(result, "hover-dismiss") == ["#menu"]
    assert told(result, "hover-hold", "unsure") == ["#far"]
    again = try_out("hover", BAD)
    assert (again.findings, again.pictures) == (result.findings, result.pictures)


def test_a_page_that_leaves_under_the_pointer_ends_the_probe_by_name(try_out: Try) -> None:
    page = "<b id='way'>Way</b><script>way.onmouseenter = () => location.reload()</script>"

    with pytest.raises(NavigatedAway, match=r"left for http://page\.test/"):
        try_out("hover", page)
