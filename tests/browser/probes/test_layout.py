"""The layout probe: for every check a page that fails, and what only seems to fail and passes."""

from __future__ import annotations

import pytest

from tests.browser.probes.conftest import Try, passes, told

STYLE = """<style>body { margin: 20px; font: 16px/24px sans-serif } .box { width: 200px; overflow: hidden }
.line { white-space: nowrap } .pile { position: relative; height: 60px }
.pile > * { position: absolute; left: 0; top: 0; margin: 0 }
.slide { flex: 0 0 150px; background: #eee }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden;
clip: rect(0, 0, 0, 0); white-space: nowrap }
</style>"""

# Elements that fail a check, by their ids, and on the page together.
FAULTS = """
<p id=label class="box line">Add all four of these to the basket at once</p>
<p id=half class=box style="height: 34px">First line of two<br>Second line of two</p>
<div class=pile><p id=under>Total: 120 euros</p>
<div style="width: 300px; height: 60px; background: #fc0"></div></div>
<div class=pile><p id=crossed>Total: 240 euros</p><p>Delivery is free</p></div>
<p id=pale style="color: #fff8f0">White on white</p>
<div class=pile><button id=pay>Pay now</button><div style="width: 300px; height: 60px"></div></div>
<img id=boat src=gone.png alt="A boat" width=80 height=80>
<div id=wide style="width: 1400px; background: #ccc">Wide</div>
<script>document.querySelector("#gone").remove()</script>"""

# What only seems to be a fault.
FINE = """
<p class=sr-only>For those who listen</p><a class=sr-only href="#main">Skip</a>
<h1 style="background: linear-gradient(red, blue); background-clip: text; color: transparent">Bright</h1>
<p class="box line" style="text-overflow: ellipsis">Shortened on purpose, as it says itself</p>
<p class=box style="display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical">
One line and another line and a third line that nobody sees</p>
<p style="width: 120px">Words <b style="background: #ffc; padding: 2px 6px">marked over two lines</b></p>
<div class=box><div style="display: flex; width: 600px">
<div class=slide>Slide number one</div><div class=slide>Slide number two</div></div></div>
<div class=box style="overflow: auto; height: 34px">A list<br>that scrolls<br>by itself</div>
<div class=pile><p>Sold out</p><p style="opacity: 0">Still here</p></div>
<p style="color: #fff; text-shadow: 0 0 4px #000, 0 0 4px #000">Outlined</p>
<label><input type=checkbox style="position: absolute">
<i style="position: relative; display: block; width: 20px; height: 20px; background: #0a0"></i>Agree</label>
<div style="position: relative; overflow: hidden">
<i style="position: absolute; left: 1500px">Off</i>Page</div>
<div style="position: absolute; left: -9999px">Far off</div><img alt=none>
<p style="position: absolute; top: 650px">A line that the first window does not show</p>
<div style="position: fixed; inset: auto 0 0; height: 90px; background: #222; color: #fff">Cookies</div>
<svg width=200 height=60><text transform="translate(30 50) rotate(-45)">Jan</text>
<text transform="translate(42 50) rotate(-45)">Mar</text></svg>
<div style="height: 900px"></div><script>try { gone() } catch {}</script>"""

BANNER = """<h1 id=it style="margin: 0; font-size: 24px">Our prices</h1><div style="height: 900px"></div>
<nav style="position: fixed; inset: 0 0 auto; height: 80px; background: #123; color: #fff">Menu</nav>"""


def test_every_fault_is_found_on_its_element_and_nothing_else(try_out: Try) -> None:
    result = try_out("layout", STYLE + FAULTS)

    assert {rule.rule: told(result, rule.rule) for rule in result.findings.rules if rule.num_violations} == {
        "layout-cut": ["#label", "#half"],
        "layout-covered": ["#crossed", "#under"],
        "layout-unreadable": ["#pale"],
        "layout-control": ["#pay"],
        "layout-beyond": ["#wide"],
        "layout-picture": ["#boat"],
        "layout-script": ["html"],
    }


def test_what_is_meant_is_no_fault(try_out: Try) -> None:
    result = try_out("layout", STYLE + FINE)

    assert [rule.rule for rule in result.findings.rules if rule.num_violations or rule.num_incomplete] == []
    assert passes(result, "layout-cut") == 1


def test_what_a_banner_hides_for_good_is_covered(try_out: Try) -> None:
    assert told(try_out("layout", STYLE + BANNER), "layout-covered") == ["#it"]


def test_what_something_may_bring_is_for_a_person_to_judge(try_out: Try) -> None:
    result = try_out("layout", STYLE + f"<p id=it class=box style='height: 60px'>{'A long story. ' * 40}</p>")

    assert (told(result, "layout-cut"), told(result, "layout-cut", "unsure")) == ([], ["#it"])


def test_errors_of_scripts_that_were_kept_from_the_page_are_for_a_person_to_judge(try_out: Try) -> None:
    page = "<p>Text</p><script src='https://cdn.example/jquery.js'></script><script>$('p').hide()</script>"

    result = try_out("layout", page)

    (rule,) = (rule for rule in result.findings.rules if rule.rule == "layout-script")
    assert (rule.num_violations, rule.num_incomplete) == (0, 1)
    assert rule.incomplete[0].summary == (
        "Scripts of the page threw errors: $ is not defined. It did not get everything that it requested, "
        "which may be why."
    )


def test_a_pale_text_of_another_hue_is_for_a_person_to_judge(try_out: Try) -> None:
    result = try_out(
        "layout",
        STYLE + "<p id=it style='color: #d4ff2a; font: bold 24px sans-serif'>Expired" + " since May" * 9,
    )

    assert told(result, "layout-unreadable") == []
    assert told(result, "layout-unreadable", "unsure") == ["#it"]
    (rule,) = (rule for rule in result.findings.rules if rule.num_incomplete)
    assert rule.incomplete[0].summary.startswith("“Expired since May since May")
    assert rule.incomplete[0].summary.endswith("…” is as light as what is behind it; only its hue differs.")


@pytest.mark.parametrize("ground", ["linear-gradient(90deg, #ffe08a, #ffd1dc)", "#ff0"])
def test_white_letters_on_a_pale_color_have_no_hue_to_be_seen_by(try_out: Try, ground: str) -> None:
    page = (
        f"{STYLE}<p id=it style='padding: 1rem; color: #fff; background: {ground}'>Ride along the coast</p>"
    )

    assert told(try_out("layout", page), "layout-unreadable") == ["#it"]
