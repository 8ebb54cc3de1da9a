"""Names, motion and schemes: for every check a page that fails and one that passes."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from tests.browser.probes.conftest import Try, passes, told

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
NAMED = f"""<button aria-label="Search: find it">Find it</button><button aria-label="Close">X</button>
<button aria-label="Menu"><span style="position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px;
overflow: hidden">Hidden</span>☰</button><img width="50" height="50" alt="A dog" src="{PIXEL}">
<img width="50" height="50" alt="" src="{PIXEL}"><a href="#x">Annual report</a>
<a href="#y" aria-label="Read more of the report">Read more</a>"""
MISNAMED = f"""<button id="find" aria-label="Search">Find it</button>
<style>img {{ width: 50px; height: 50px }}</style><img id="says" alt="Image" src="{PIXEL}">
<img id="file" alt="dog.jpg" src="{PIXEL}">
<img class="same" alt="A cat" src="{PIXEL}"><img class="same" alt="A cat" src="{PIXEL}">
<img class="same" alt="A cat" src="{PIXEL}"><a id="here" href="#x">here</a>"""

FRAMES = "@keyframes slide { to { transform: translateX(90px) } } @keyframes pulse { to { opacity: 0.5 } }"
STILL = f"""<style>{FRAMES} .twice {{ animation: slide 1s 2 }}
@media (prefers-reduced-motion: no-preference) {{
.asked {{ animation: slide 2s 2 }} }}</style><p class="twice">Twice</p><p class="asked">If asked</p>
<p id="js">Once</p>
<script>setTimeout(() => {{ js.style.marginLeft = "50px"; }}, 300)</script>"""
MOVING = f"""<style>{FRAMES} #slide {{ animation: slide 1s infinite }}
#pulse {{ animation: pulse 1s infinite }}
@media (prefers-reduced-motion: no-preference) {{ #asked {{ animation: slide 2s infinite }} }}</style>
<p id="slide">Slides</p><p id="pulse">Pulses</p><p id="asked">If asked</p>
<p id="js" style="position: relative">By script</p>
<p class="spinner" style="animation: slide 1s infinite">Loads</p>
<script>let n = 0; setInterval(() => {{ js.style.left = `${{(n += 7)}}px`; }}, 700)</script>"""

SCHEMES = """<style>:root {{ color-scheme: light dark }} body {{ background: #fff; color: #111 }}
@media (prefers-color-scheme: dark) {{ body {{ background: #222; color: #eee }} #own {{ {dark} }} }}
@media (forced-colors: active) {{ #kept {{ {forced} }} }}</style>
<p id="own">Own colour</p><p id="kept">Kept</p>
<p id="pale" style="color: #bbb; background: #fff">Pale in all</p>"""


def test_what_is_called_as_it_shows_passes(try_out: Try) -> None:
    result = try_out("names", NAMED)

    assert not any(rule.num_violations or rule.num_incomplete for rule in result.findings.rules)
    assert [passes(result, f"names-{check}") for check in ("label", "picture", "link")] == [2, 1, 2]


def test_another_name_than_the_label_fails_and_words_that_say_nothing_are_unsure(try_out: Try) -> None:
    result = try_out("names", MISNAMED)

    assert told(result, "names-label") == ["#find"]
    assert told(result, "names-picture", "unsure")[:2] == ["#says", "#file"]
    assert len(told(result, "names-picture", "unsure")) == 5
    assert told(result, "names-link", "unsure") == ["#here"]
    assert result.findings.failed == 1


def test_what_comes_to_rest_passes_and_so_does_what_heeds_the_wish(try_out: Try) -> None:
    result = try_out("motion", STILL)

    assert [(rule.rule, rule.num_passes, rule.num_violations) for rule in result.findings.rules] == [
        ("motion-reduced", 1, 0),
        ("motion-pause", 1, 0),
    ]


def test_what_goes_on_moving_fails_by_style_script_and_picture_alike(try_out: Try) -> None:
    frames = [Image.new("L", (40, 40), level) for level in (0, 200)]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=200, loop=0)
    picture = f"data:image/gif;base64,{base64.b64encode(buffer.getvalue()).decode()}"

    result = try_out("motion", f'{MOVING}<img id="gif" alt="x" src="{picture}">')

    assert sorted(told(result, "motion-reduced")) == ["#gif", "#js", "#slide"]
    assert sorted(told(result, "motion-pause")) == ["#asked", "#gif", "#js", "#pulse", "#slide"]
    assert told(result, "motion-reduced", "unsure") == told(result, "motion-pause", "unsure") == [".spinner"]


@pytest.mark.slow
def test_beside_a_button_that_may_pause_it_motion_is_unsure(try_out: Try) -> None:
    result = try_out("motion", f"{MOVING}<button>Pause</button>")

    assert told(result, "motion-pause") == []
    assert len(told(result, "motion-pause", "unsure")) == 5


@pytest.mark.parametrize(
    ("dark", "forced", "failed"),
    [
        ("color: #ddd", "outline: none", ([], [])),
        ("color: #333", "forced-color-adjust: none; color: #ddd; background: #fff", (["#own"], ["#kept"])),
    ],
)
def test_contrast_is_checked_again_in_the_schemes_that_a_page_claims(
    try_out: Try, dark: str, forced: str, failed: tuple[list[str], list[str]]
) -> None:
    result = try_out("scheme", SCHEMES.format(dark=dark, forced=forced))

    assert (told(result, "scheme-dark"), told(result, "scheme-forced")) == failed
    assert passes(result, "scheme-dark") > 0


@pytest.mark.slow
def test_a_page_that_claims_no_scheme_is_not_checked_in_any(try_out: Try) -> None:
    assert try_out("scheme", "<p>Plain</p>").findings.rules == ()


def test_text_that_a_script_changes_again_and_again_is_for_a_person_to_judge(try_out: Try) -> None:
    page = """<p>Now <b id="now">0</b></p><script>
    let n = 7; setInterval(() => { now.textContent = n *= 3; }, 900)</script>"""

    result = try_out("motion", page)

    assert (result.findings.failed, told(result, "motion-pause", "unsure")) == (0, ["#now"])
