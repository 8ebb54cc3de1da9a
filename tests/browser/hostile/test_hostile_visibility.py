"""Group G: what is text that a person sees, and what only looks like it; and what never holds still."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from pytest_design2a11y.blocks import find_seen_text

# Name: the body, and all that it shows after "Shown".
TEXTS: dict[str, tuple[str, str]] = {
    "visibility_tricks": (
        "<p style='visibility: hidden'>no <b style='visibility: visible'>yes</b></p>",
        "yes",
    ),
    "opacity0": ("<p style='opacity: 0'>no</p><div style='opacity: 0'><p>no</p></div>", ""),
    "font_size_0": (
        "<p style='font-size: 0'>no</p><p style='text-indent: -9999px; overflow: hidden'>no</p>",
        "",
    ),
    "clip_path": ("<p style='clip-path: inset(50%)'>no</p>", ""),
    "sr_only": (
        "<p style='position: absolute; width: 1px; height: 1px; overflow: hidden;clip: rect(0,0,0,0)'>no</p>",
        "",
    ),
    "overflow_hidden": ("<div style='height: 0; overflow: hidden'>no</div>", ""),
    "pseudo": (
        "<style>p::before { content: 'before ' } p::after { content: ' after' }</style><p>p</p>",
        "before p after",
    ),
    "svg_text": ("<svg width=200 height=40><text y=20>drawn</text></svg>", "drawn"),
    "inputs": (
        "<input value=value><input placeholder=hint><select><option>first<option selected>second</select>"
        "<input type=submit value=send><textarea>area</textarea>",
        "value hint second send area",
    ),
    "sticky_fixed": (
        "<p style='position: fixed; top: 60px'>fixed</p><div style='height: 3000px'></div>",
        "fixed",
    ),
    "vh_layout": ("<div style='min-height: 100vh'>hero</div><p>below</p>", "hero below"),
    "transform": ("<p style='transform: rotate(5deg) scale(1.2); width: 200px'>turned</p>", "turned"),
    "vertical_writing": ("<p style='writing-mode: vertical-rl; height: 200px'>down</p>", "down"),
    "rtl": ("<p dir=rtl>שלום</p>", "שלום"),
    "emoji": ("<p>a\u200bb\u00adc 👩\u200d👩\u200d👧</p>", "abc 👩👩👧"),
    "print_css": (
        "<style>@media print { p { display: none } }"
        "@media (prefers-color-scheme: dark) { p { display: none } }</style><p>screen</p>",
        "screen",
    ),
    "placed_by_anchor": (
        "<style>p { position: absolute; position-anchor: --a; position-area: bottom right }</style>"
        "<div style='overflow: hidden; height: 20px'><i style='position: relative; top: 99px;"
        " anchor-name: --a'></i></div><p>no</p>",
        "",
    ),
    "discs_for_letters": (
        "<p style='-webkit-text-security: disc'>no</p><input type=password placeholder=hint>",
        "•• hint",
    ),
    "top_layer": (
        "<div style='opacity: 0; overflow: hidden; height: 0; clip-path: inset(50%)'><p>no</p>"
        "<p id=box popover>yes</p></div><script>box.showPopover()</script>",
        "yes",
    ),
    "menu_with_a_button": (
        "<style>select { appearance: base-select }</style>"
        "<select><button>face</button><option>no</select><select><option>first<option>no</select>",
        "face first",
    ),
    "random_css": ("<p style='margin-left: random(0px, 300px)'>anywhere</p>", "anywhere"),
    "autofocus_caret": ("<input autofocus aria-label=a>", ""),
}


# Seen to be invisible by the picture only: these are no blocks.
BLOCKS: dict[str, str] = {
    "same_color": "<p style='color: #fff; background: #fff'>no</p>",
    "covered": (
        "<div style='position: relative; height: 40px'><p>no</p>"
        "<div style='position: absolute; inset: 0; background: #eee'></div></div>"
    ),
    "covered_in_its_own_colour": (
        "<div style='position: relative; height: 40px'><p>no</p>"
        "<div style='position: absolute; inset: 0; background: #000'></div></div>"
    ),
}


def _moving_picture(kind: str) -> str:
    frames = [Image.new("RGB", (40, 40), color) for color in ("red", "blue", "lime")]
    data = io.BytesIO()
    frames[0].save(data, kind, save_all=True, append_images=frames[1:], duration=40, loop=0)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data.getvalue()).decode()}"


GIF = _moving_picture("GIF")
BOX = "width: 80px; height: 80px; background: linear-gradient(red, blue)"

TALL = "<div style='height: 900px'></div>"

# Everything that moves; two captures of each are the same to the last bit.
RESTLESS: dict[str, str] = {
    "css_animation": (
        "<style>@keyframes turn { to { transform: rotate(360deg) } }"
        "div { animation: turn 1s infinite linear }"
        f"</style><div style='{BOX}'></div>"
    ),
    "smil": (
        "<svg width=300 height=60><circle r=20 cy=30 fill=red><animate attributeName=cx from=0 to=300 dur=1s "
        "repeatCount=indefinite /></circle></svg>"
    ),
    "marquee": "<marquee>rolling along</marquee><marquee direction=up>rising</marquee>",
    "gif": f"<img src='{GIF}' alt=x><div style='{BOX}; background: url({GIF})'>",
    "video": "<video controls width=200 height=100></video><audio controls></audio>",
    "canvas_random": (
        "<canvas id=c width=300 height=100></canvas><script>const g = c.getContext('2d');"
        "(function draw() { g.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`;"
        "g.fillRect(Math.random() * 300, Math.random() * 100, 9, 9);"
        "requestAnimationFrame(draw) })()</script>"
    ),
    "random": (
        "<p id=a></p><script>a.textContent = Math.random() + ' ' + crypto.randomUUID() + ' ' +"
        "crypto.getRandomValues(new Uint32Array(4)).join()</script>"
    ),
    "css_transition": (
        f"<div id=box style='{BOX}; transition: margin 3s'></div>"
        "<script>requestAnimationFrame(() => { box.style.marginLeft = '300px' })</script>"
    ),
    "progress": "<progress></progress>",
    "webp": f"<img src='{_moving_picture('WEBP')}' alt=x>",
    "webgl": (
        "<canvas id=c width=100 height=100></canvas><script>const gl = c.getContext('webgl');"
        "(function draw() { gl?.clearColor(Math.random(), 0, 1, 1); gl?.clear(16384);"
        "requestAnimationFrame(draw) })()</script>"
    ),
    "clock": (
        "<p id=a></p><p id=b></p><script>setInterval(() => { a.textContent = new Date().toISOString();"
        "b.textContent = performance.now() + ' ' + Date.now() + ' ' + new Intl.DateTimeFormat('en', {"
        "timeStyle: 'full' }).format() }, 7)</script>"
    ),
    "caret": "<input autofocus value=text aria-label=a>",
    "smooth_scroll": (
        "<style>html { scroll-behavior: smooth }</style><div style='height: 4000px'></div><p id=end>end</p>"
        "<script>document.getElementById('end').scrollIntoView()</script>"
    ),
}


def _drawing(content: str) -> str:
    head = "<svg xmlns=_http://www.w3.org/2000/svg_ width=_50_ height=_50_>"
    return "data:image/svg+xml," + f"{head}{content}</svg>".replace("_", '"')


@pytest.mark.alike(12, is_long=True)
@pytest.mark.parametrize("name", TEXTS)
def test_what_a_person_sees_is_what_counts(trial: Any, name: str) -> None:
    body, expected = TEXTS[name]
    outcome = trial.read(body)

    shown = " ".join(run.text for run in outcome.text_runs)
    assert shown == f"Shown {expected}".strip()


@pytest.mark.parametrize("name", BLOCKS)
def test_what_leaves_no_ink_is_no_block(trial: Any, name: str) -> None:
    outcome = trial.read(BLOCKS[name])

    blocks = find_seen_text(text_runs=outcome.text_runs, screenshot=outcome.screenshot)[0]
    assert [block.text for block in blocks] == ["shown"]


@pytest.mark.alike(4, is_long=True)
@pytest.mark.parametrize("name", RESTLESS)
def test_what_moves_is_settled(trial: Any, name: str) -> None:
    trial.scored(RESTLESS[name])


def test_webfont_missing(trial: Any) -> None:
    trial.scored(
        "<style>@font-face { font-family: far; src: url(http://127.0.0.1:@PORT@/far.woff2) }"
        "p { font-family: far, serif }</style><p>text</p>",
        "blocked_requests",
        shows="Shown text",
    )


@pytest.mark.parametrize(
    ("body", "number"),
    [
        (f"<main style='height: 50px; overflow: auto'><p>seen</p>{TALL}no</main>", 1),
        ("<iframe srcdoc='<p>seen</p><div style=height:900px></div>no'></iframe>", 1),
        (f"<style>html, body {{ height: 100%; overflow: auto }}</style><p>seen</p>{TALL}no", 1),
        (f"<style>body {{ height: 100%; overflow: auto }}</style><p>seen</p>{TALL}yes", 0),
        (f"<p>seen</p><textarea rows=2>{'yes&#10;' * 99}</textarea>", 0),
    ],
    ids=["scroll_container", "scroll_frame", "scroll_body", "scroll_window", "scroll_field"],
)
def test_what_scrolls_inside_the_page_shows_its_beginning(trial: Any, body: str, number: int) -> None:
    """The rest would not be seen without a hand that scrolls; a warning says so."""
    capture = trial.scored(body, *["hidden_overflow"] * bool(number), shows="Shown seen")

    assert sum(warning.count for warning in capture.warnings) == number
    assert "no" not in " ".join(run.text for run in capture.text_runs).split()


def test_overflow_clips_the_boxes_of_text(trial: Any) -> None:
    outcome = trial.read(
        "<div style='width: 60px; height: 40px; overflow: hidden; white-space: nowrap'>cut off midway</div>"
    )

    (boxes,) = (run.boxes for run in outcome.text_runs if run.text.startswith("cut"))
    assert all(width <= 60 for _, _, width, _ in boxes)


def test_display_none_all(trial: Any) -> None:
    capture = trial.scored("<style>body { display: none }</style>", shows="")

    assert capture.text_runs == ()


def test_pixels_only(trial: Any) -> None:
    """Text on a canvas or in a picture is part of the picture, and of nothing else."""
    capture = trial.scored(
        "<canvas id=c></canvas><script>c.getContext('2d').fillText('drawn', 10, 10)</script>"
        f"<img alt='' src='{_drawing('<text y=_20_>drawn</text>')}'>"
    )

    assert [run.text for run in capture.text_runs] == ["Shown"]


def test_lazy_img(trial: Any) -> None:
    """A picture far below, which loads late, is in the screenshot."""
    red = _drawing("<rect width=_50_ height=_50_ fill=_red_ />")
    capture = trial.scored(f"<div style='height: 9000px'></div><img loading=lazy alt=x src='{red}'>")

    assert (capture.screenshot.pixels[9000:] == (255, 0, 0)).all(axis=2).sum() >= 2000


def test_vh_layout_keeps_the_window(trial: Any) -> None:
    capture = trial.scored(
        "<style>body { margin: 0 }</style><div style='height: 100vh'></div><div style='height: 900px'></div>"
    )

    assert 720 + 900 <= capture.page_size[1] < 720 + 900 + 150
