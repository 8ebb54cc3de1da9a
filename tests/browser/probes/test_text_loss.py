"""Reflow, zoom and spacing: for every check a page that fails and one that passes."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.registry import available
from tests.browser.probes.conftest import Try, passes, told

GOOD = """<meta name="viewport" content="width=device-width, initial-scale=1"><style>nav { display: flex;
flex-wrap: wrap } .wide { overflow-x: auto } table { width: 700px }</style>
<h1>A heading of some words</h1><nav><a href="#a">First link</a> <a href="#b">Second link</a></nav>
<p style="max-width: 60em">A paragraph that takes as many lines as it needs in any window.</p>
<div class="wide"><table><tr><td>One cell</td><td>Another cell</td></tr></table></div>
<p style="line-height: 2 !important">Its own, and wide enough</p>"""

BAD = """<meta name="viewport" content="width=device-width, maximum-scale=1"><style>* { margin: 0 }
#wide { width: 900px } .row { display: flex; height: 24px } .box { height: 20px; overflow: hidden }
#vw { font-size: 2vw; white-space: nowrap } @media (max-width: 400px) { #gone { display: none }
#away { position: absolute; left: -500px } #half { position: relative; left: -50px }
#over { position: relative; top: -20px; background: white } }
#step { font-size: 40px } @media (max-width: 700px) { #step { font-size: 20px } }
#tight { width: 330px; white-space: nowrap; overflow: hidden }</style>
<div id="wide">Wide</div><p id="cut" class="box">A text that takes one line of a usual window, else more</p>
<p id="under">Under it</p><p id="over">Over it, and as long as that</p><p id="away">Away with it</p>
<p id="half">Half of it is away</p>
<p id="gone">Only in wide windows</p><p id="vw">By width</p><p id="step">Step</p>
<p id="tight">Words that just fit into what holds all of them</p>
<p id="insists" style="letter-spacing: 0 !important">Letters close</p>"""


def test_a_page_that_gives_way_passes_every_check(try_out: Try) -> None:
    for probe in ("reflow", "zoom", "spacing"):
        result = try_out(probe, GOOD)
        assert not any(rule.num_violations or rule.num_incomplete for rule in result.findings.rules)
        assert passes(result, f"{probe}-text") == 7
    assert passes(result, "spacing-allowed") == 1


def test_at_320_px_a_rigid_page_scrolls_two_ways_and_loses_text(try_out: Try) -> None:
    result = try_out("reflow", BAD)

    assert told(result, "reflow-scrolls") == ["#wide"]
    assert told(result, "reflow-text") == ["#cut", "#under", "#over", "#half"]
    assert told(result, "reflow-text", "unsure") == ["#away", "#gone"]
    assert all("picture" in node.data for rule in result.findings.rules for node in rule.violations)


def test_zoomed_in_text_by_the_width_of_the_window_does_not_grow(try_out: Try) -> None:
    result = try_out("zoom", BAD)

    assert told(result, "zoom-grows") == ["#vw"]
    assert told(result, "zoom-grows", "unsure") == ["#step"]
    assert told(result, "zoom-allowed") == ["meta"]


def test_spaced_out_text_is_cut_off_and_style_attributes_may_insist(try_out: Try) -> None:
    result = try_out("spacing", BAD)

    assert told(result, "spacing-text") == ["#tight"]
    assert told(result, "spacing-allowed") == ["#insists"]
    again = try_out("spacing", BAD)
    assert (again.findings, again.pictures) == (result.findings, result.pictures)


def test_a_page_that_never_rests_when_it_is_resized_ends_by_name(try_out: Try) -> None:
    with pytest.raises(Exception, match=r"left for http://elsewhere\.test/") as caught:
        try_out("reflow", "Text<script>onresize = () => { location = 'http://elsewhere.test/'; }</script>")

    assert type(caught.value).__name__ == "NavigatedAway"


def test_what_a_scroller_holds_is_not_lost_nor_what_is_for_screen_readers(try_out: Try) -> None:
    page = """<style>* { margin: 0 } main { height: 200px; overflow: auto }
    .row { overflow-x: auto; white-space: nowrap }
    .sr { position: absolute; clip: rect(1px, 1px, 1px, 1px); top: 0; left: 0 }</style>
    <b class="sr">For few</b>
    <main><p>First of many lines</p><p style="margin: 400px 0">Further down</p><p>And the last</p></main>
    <div class="row"><span>One of many that lie in a row</span> <span>Another of many that do</span></div>"""

    result = try_out("reflow", page)

    assert passes(result, "reflow-text") == 5
    assert (result.findings.failed, told(result, "reflow-text", "unsure")) == (0, [])


def test_on_a_phone_too_a_page_is_laid_out_at_320_px(renderer: Renderer) -> None:
    """By itself a phone lays out a page without <meta name=viewport> 980 px wide: it would never scroll."""
    page = b"<!doctype html><html lang=en><title>Page</title><div style='width: 900px'>Wide</div>"
    phone = Viewport(375, 812, 3.0, touch=True, mobile=True)

    capture = renderer.capture(
        Document("<html>", page),
        role="candidate",
        audit=None,
        viewport=phone,
        probes=[available(Probe)["reflow"]],
    )

    assert told(capture.probes["reflow"], "reflow-scrolls") == ["div"]
