"""Pages that try to buy a score with text that nobody sees, and what they get.

    python -m studies.trials.attack_table

Prints the table of `studies/attacks.md`. Each trick is scored against one design, and so is the same
page without the text that nobody sees: no trick may score more.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

STYLE = """<!doctype html><html lang=en><meta charset=utf-8><title>Page</title><style>
body { margin: 0; height: 720px; position: relative; font: 18px/24px sans-serif; color: #123456 }
body :not(image), .words * { position: absolute; margin: 0; left: 60px; width: 700px }
.words, .cover { inset: 0; width: 1280px; height: 720px }
h1 { font: bold 40px/48px sans-serif; top: 110px; height: 48px }
.bar { left: 0; width: 1280px; height: 80px; background: #0a4a7a } .bar b { color: #fff; top: 28px }
.words button { top: 420px; width: 160px; height: 44px; background: #0a7a4a; color: #fff; border: 0 }
</style><body>"""
WORDS = """<h1>Welcome back</h1>
<p style="top: 180px">Sign in to see your accounts, cards and loans in one place.</p>
<p style="top: 230px">Savings at three percent, paid out every month.</p>
<p style="top: 270px">Cards without a yearly fee, in four colors.</p>
<p style="top: 310px">Loans within one working day, without any paper.</p>"""
BAR = "<div class=bar><b>Acme Bank</b></div>"
DESIGN = f"{STYLE}<div class=words>{BAR}{WORDS}<button>Sign in</button></div>"
OTHER = re.sub(r">[^<]+", lambda text: re.sub(r"\w", "n", text[0]), WORDS)

# Fonts that draw a bar for every letter, or nothing.
BARS = (
    "data:font/woff;base64,"
    "d09GRgABAAAAAAIgAAoAAAAAAvQAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAABPUy8yAAABZAAAACkAAABgRP9E1mNtYXAAAAGY"
    "AAAALwAAAPIAjgHtZ2x5ZgAAAdAAAAAYAAAAGCaLMLBoZWFkAAAA9AAAADYAAAA2LpNmwmhoZWEAAAEsAAAAIAAAACQETgH2"
    "aG10eAAAAZAAAAAIAAAACAH0AABsb2NhAAAByAAAAAgAAAAIAAAADG1heHAAAAFMAAAAGAAAACAABQAGbmFtZQAAAegAAAAn"
    "AAAAKODjCVNwb3N0AAACEAAAABAAAAAoAAgAWwABAAAAAQAAodzFuV8PPPUAAwPoAAAAAOcokZMAAAAA5yiRkwAAAAABLAK8"
    "AAAAAwACAAAAAAAAeJxjYGRgYFb4b8HAwPiFgYHhBKMOA1AEBTACAFSBA0h4nGNgZGBgYGZgYQDRDAxMDGgAAAEtAAx4nGNg"
    "ZvzCOIGBlYGFgTBgRObYAwGQUmCoY1YA8YHkCTT1QHEA3TkEXAAAAAH0AAAAAAAAeJxjYGBgYmBgYAZiESDJCKZZGO4BaRYg"
    "BPHr/v8HkgpgkhEoBiKZhi4EAOUcBnkAAAAAAAAAAAwAAQAAAAABLAK8AAMAADERIREBLAK8/UR4nGNgYGBikGNgZAABRgZm"
    "MAkCTAzsDMxOOdlBqemlOYlFABplBB4AeJxjYGLAD5jBOBoAAO8AZA=="
)
NOTHING = (
    "data:font/woff;base64,"
    "d09GRgABAAAAAAIEAAoAAAAAAuAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAABPUy8yAAABXAAAACkAAABgRP9E1mNtYXAAAAGQ"
    "AAAALwAAAPIAjgHtZ2x5ZgAAAcgAAAABAAAAAQAAAABoZWFkAAAA9AAAADYAAAA2LWdkBmhoZWEAAAEsAAAAGwAAACQDIgEu"
    "aG10eAAAAYgAAAAIAAAACAH0AABsb2NhAAABwAAAAAgAAAAIAAAAAG1heHAAAAFIAAAAFAAAACAABAACbmFtZQAAAcwAAAAn"
    "AAAAKODjCVNwb3N0AAAB9AAAABAAAAAoAAgAWwABAAAAAQAA86UugF8PPPUAAwPoAAAAAOcokZMAAAAA5yiRkwAAAAAAAAAA"
    "AAAAAwACAAAAAAAAeJxjYGRgYFb4b8HAwPiFAQIYGVABIwBAwQJTAHicY2BkYGBgZoABJgY0AAAAsgAHeJxjYGb8wjiBgZWB"
    "hYEwYETm2AMBkFJgqGNWAPGB5Ak09UBxAN05BFwAAAAB9AAAAAAAAHicY2BgYGJgYGAGYhEgyQimWRjuAWkWIATx6/7/B5IK"
    "YJIRKAYimYYuBADlHAZ5AAAAAAAAAAAAAAAAAHicY2BgYGKQY2BkAAFGBmYwCQJMDOwMzE452UGp6aU5iUUAGmUEHgB4nGNg"
    "YsAPmME4GgAA7wBk"
)


@dataclass(frozen=True)
class Trick:
    """A page with a trick.

    Attributes:
        name: What it does, for the table.
        html: The page.
        seen: The page as a person sees it: without the text that the trick hides.
    """

    name: str
    html: str
    seen: str


def tricks(picture: str, other: str) -> Iterator[Trick]:
    """Return the pages.

    Args:
        picture: Address of a picture of the design.
        other: Address of a picture of the design with other words.
    """
    image = f"<img class=cover alt='' src='{picture}'>"
    for name, painted in {
        "a picture": image,
        "a background picture": f"<div class=cover style='background: url({picture})'></div>",
        "generated content": f"<style>body::before {{ content: url({picture}); position: absolute }}</style>",
        "a canvas": "<canvas id=canvas class=cover width=1280 height=720></canvas>"
        "<script>const image = new Image(); image.onload = () =>"
        f"canvas.getContext('2d').drawImage(image, 0, 0); image.src = '{picture}'</script>",
        "an SVG image": f"<svg class=cover><image href='{picture}' width=1280 height=720 /></svg>",
        "a frame with the picture": "<iframe class=cover style='border: 0' srcdoc=\"<body style='margin: 0'>"
        f"<img alt='' src='{picture}'>\"></iframe>",
        "striped gradients": "<div class=cover style='background:"
        " repeating-linear-gradient(90deg, #123456 0 3px, #fff 3px 9px)'></div>",
        "bars of plain boxes": "".join(
            f"<i style='background: #123456; left: {left}px; top: 100px; width: 8px; height: 240px'></i>"
            for left in range(60, 660, 15)
        ),
        "other words": f"<div class=words>{OTHER}</div>",
    }.items():
        yield _hidden(f"text at 3 % over {name}", ".words:last-of-type { opacity: .03 }", under=painted)
    for name, css in {
        "cut away by `clip-path`": "clip-path: path('M0 0')",
        "masked away": "mask-image: linear-gradient(transparent, transparent)",
        "blended away": "mix-blend-mode: darken; color: #fff",
        "filtered away": "filter: opacity(.01)",
        "with its back to the reader": "transform: rotateY(180deg); backface-visibility: hidden",
        "filled with 3 % black": "-webkit-text-fill-color: rgb(0 0 0 / 3%)",
        "filled with a clear gradient": "color: transparent; background: linear-gradient(#0000, #0000) text",
        "in the white of the picture": "color: #fff",
    }.items():
        yield _hidden(f"text {name}, over a picture", f".words {{ {css} }}", under=image)
    for name, painted in painted_elsewhere(picture).items():
        yield _hidden(f"text at 3 % over {name}", ".words:last-of-type { opacity: .03 }", under=painted)
    aside_words = f"<div class=words style='left: 0; opacity: 1'>{OTHER}</div>"
    for name, css in {
        "the shadow of other words": "color: transparent; text-shadow: 3000px 0 #123456",
        "the drop shadow of other words": "filter: drop-shadow(3000px 0 #123456)",
    }.items():
        shadow = f"<div class=cover style='left: -3000px; {css}'>{aside_words}</div>"
        yield _hidden(f"text at 3 % over {name}", ".words:last-of-type { opacity: .03 }", under=shadow)
    yield _hidden(
        "text at 32 % beside the same in a picture", ".words { opacity: .32 }", under=aside(picture)
    )
    for name, font, css in (
        ("as bars", BARS, ""),
        ("as bars over a picture", BARS, f"body {{ background: url({picture}) }}"),
        ("as bars that a picture fills", BARS, _filled(picture)),
        ("as nothing, struck through", NOTHING, ".words * { text-decoration: line-through .1em #123456 }"),
        ("as nothing, with waves", NOTHING, ".words * { text-decoration: underline wavy 4px }"),
    ):
        face = (
            f"@font-face {{ font-family: own; src: url({font}) }} .words * {{ font-family: own !important }}"
        )
        yield _hidden(f"text that a font draws {name}", face + css)
    yield from _over_marks(image)
    yield _hidden("text of 1 px over a picture", ".words * { font-size: 1px !important }", under=image)
    yield _hidden("text under a picture of it", "", over=image)
    yield _hidden("text under a picture of other words", "", over=f"<img class=cover alt='' src='{other}'>")
    yield _hidden("text under plain boxes with lines", "", over=_lids())
    yield _hidden("text in the color of its ground", ".words { color: #fff }")
    yield _hidden("text in boxes of no size", ".words > * { width: 0; height: 0; overflow: hidden }")
    yield _hidden("text off the page", ".words { transform: translateX(-5000px) }")
    yield _hidden("text made tiny", ".words { transform: scale(.001) }")
    yield _hidden("text for print alone", "@media screen { .words { display: none } }")
    again = "".join(f"<div class=words style='top: {400 * at}px'>{WORDS}</div>" for at in range(1, 5))
    yield Trick("the same text five times", DESIGN + again, DESIGN)
    yield Trick(
        "the same text five times in one place", DESIGN + f"<div class=words>{WORDS}</div>" * 4, DESIGN
    )
    frame = f"<iframe title=Design class=cover style='border: 0' srcdoc='{escape(DESIGN)}'></iframe>"
    # Everybody sees all of it: there is nothing to take away.
    yield Trick("the design in a frame", STYLE + frame, STYLE + frame)


def painted_elsewhere(picture: str) -> dict[str, str]:
    """Return parts of pages that show a picture, or bars, where no box of an element is.

    Args:
        picture: Address of a picture of the design.
    """
    image = f"<image href='{picture}' width=1280 height=720 />"
    small = "left: 0; top: 0; width: 1px; height: 1px"
    beyond = f"{small}; object-fit: none; object-position: 0 0"
    region = "filterUnits=userSpaceOnUse x=0 y=0 width=1280 height=720"
    tiles = (
        f"left: {x}px; top: {y}px; background-position: -{x}px -{y}px"
        for y in range(0, 720, 72)
        for x in range(0, 1280, 128)
    )
    lines = ((118, 30), (184, 14), (234, 14), (274, 14), (314, 14))
    return {
        "a picture in 100 tiles": f"<style>.tile {{ background: url({picture}); width: 128px; height: 72px }}"
        "</style>" + "".join(f"<i class=tile style='{tile}'></i>" for tile in tiles),
        "a picture beyond its box": f"<img alt='' src='{picture}' style='{beyond}; overflow: visible'>",
        "a picture in its box's margin": f"<img alt='' src='{picture}'"
        f" style='{beyond}; overflow: clip; overflow-clip-margin: 2000px'>",
        "a poster beyond its box": f"<video poster='{picture}' style='{beyond}; overflow: visible'></video>",
        "a border's picture": f"<div style='{small}; border: 1px solid;"
        f" border-image: url({picture}) 0 fill / 0 / 0 1277px 717px 0'></div>",
        "a list marker": f"<div style='{small}; display: list-item;"
        f" list-style: inside url({picture})'></div>",
        "a marker's content": f"<style>.item::marker {{ content: url({picture}) }}</style>"
        "<div class=item style='display: list-item; left: 0; top: 0; list-style: inside'></div>",
        "an open part's content": f"<style>.part::details-content {{ position: absolute; left: 0; top: 0;"
        f" width: 1280px; height: 720px; background: url({picture}) }}</style>"
        f"<details open class=part style='{small}'><summary></summary></details>",
        "a slider's thumb": f"<style>input::-webkit-slider-thumb {{ appearance: none; width: 1280px;"
        f" height: 720px; background: url({picture}) }}</style><input type=range style='left: 0; top: 0;"
        " width: 1280px; height: 720px; margin: 0; appearance: none'>",
        "the page's ground": f"<style>body {{ background: url({picture}); {small} }}</style>",
        "an SVG filter": f"<svg style='{small}; overflow: visible'><filter id=f {region}>"
        f"<feImage href='{picture}' width=1280 height=720 /></filter><rect width=1 height=1"
        " filter='url(#f)' /></svg>",
        "an SVG marker": f"<svg style='{small}; overflow: visible'><marker id=m overflow=visible"
        f" markerUnits=userSpaceOnUse>{image}</marker><path d='M0 0h1' marker-start='url(#m)' /></svg>",
        "an SVG stroke": f"<svg style='{small}; overflow: visible'><pattern id=p width=1280 height=720"
        f" patternUnits=userSpaceOnUse>{image}</pattern><path d='M0 360h1280' stroke-width=720"
        " stroke='url(#p)' /></svg>",
        "bars that are shadows": "".join(
            f"<i style='left: -3000px; top: {top}px; width: 600px; height: {height}px;"
            " box-shadow: 3060px 0 0 #123456'></i>"
            for top, height in lines
        ),
        "bars that are outlines": "".join(
            f"<i style='left: 260px; top: {top + height // 2}px; width: 100px; height: 0;"
            f" outline: {height // 2}px solid #123456; outline-offset: 1px'></i>"
            for top, height in lines
        ),
    }


def aside(picture: str) -> str:
    """Return a picture that lies 4 px beside its place."""
    return f"<img alt='' src='{picture}' style='left: 4px; top: 4px; width: 1280px; height: 720px'>"


def _over_marks(image: str) -> Iterator[Trick]:
    """Return pages on which marks that no box tells of stand in for text."""
    marks = marks_in_lines()
    for name, painted in {**marks_of_browsers(), "list markers": marks}.items():
        yield _hidden(f"text at 3 % over {name}", ".words:last-of-type { opacity: .03 }", under=painted)
    for name, css in {
        "colored away in its first line": ".words *::first-line { color: transparent }",
        "stroked away": ".words * { -webkit-text-stroke: 8px #fff }",
        "under its own ground": ".words { background: #fff } .words * { z-index: -1 }",
        "cut off by containment": ".words * { contain: paint; width: 1px; white-space: nowrap }",
    }.items():
        yield _hidden(f"text {name}, with list markers", css, over=marks)
    yield _hidden("text under a plain box with list markers", "", over=_lid("background: #fff") + marks)
    inner = "<iframe title=Words class=cover style='border: 0; opacity: .03' srcdoc='{}'></iframe>"
    framed = inner.format(escape(STYLE + WORDS))
    yield Trick("text in a frame at 3 % over list markers", STYLE + marks + framed, STYLE + marks)
    for name, css in {
        "with signs before it": ".words > *::before { content: '||| |||||| ||||| |||'; position: absolute;"
        " left: 0 }",
        "with signs above it": ".words > * { line-height: 10px; text-emphasis: '|' #123456 }",
    }.items():
        faint = re.sub(r">([^<]+)<", r"><em style='left: 0; opacity: .03'>\1</em><", WORDS)
        signs = re.sub(r">[^<]+<", "><", WORDS)
        pages = (f"{STYLE}<style>{css}</style><div class=words>{words}</div>" for words in (faint, signs))
        yield Trick(f"text at 3 % {name}", *pages)
    yield _hidden("text blurred, over a picture", ".words { filter: blur(9px) }", under=image)
    yield _hidden("text pressed together, over a picture", ".words * { scale: .02 1 }", under=image)


def _lid(css: str) -> str:
    return f"<div class=cover style='{css}'></div>"


def marks_in_lines() -> str:
    """Return list markers where the design has text."""
    marks = "display: list-item; list-style: inside 'nnnnn nnn nnnn nnnnnnn nn nnnn'"
    return "".join(f'<i style="top: {top}px; {marks}"></i>' for top in (110, 180, 230, 270, 310))


def marks_of_browsers() -> dict[str, str]:
    """Return what browsers paint where no style sheet and no text of the page tells of it."""
    places = ((110, 48), (180, 24), (230, 24), (270, 24), (310, 24))

    def each(html: str) -> str:
        return "".join(html.format(at=f"top: {top}px; height: {height}px") for top, height in places)

    line = "text-decoration: line-through 4px dotted #123456"
    return {
        "lines through blanks": each(f"<div style='{{at}}; {line}'>{'&nbsp;' * 120}</div>"),
        "rows of a list box": each(
            "<select size=9 style='{at}; border: 0'>"
            + "".join(
                f"<option style='height: 3px; background: #{color}'>" for color in ("123456", "fff") * 9
            )
            + "</select>"
        ),
        "players": each("<audio controls style='{at}'></audio>"),
        "check marks": each("<input type=checkbox checked style='{at}; width: 48px; scale: 9 1'>"),
        "rounded corners": each(
            "".join(
                f"<i style='{{at}}; background: #{'123456' if step % 2 else 'fff'};"
                f" border-top-left-radius: {9 * step}px 100%'></i>"
                for step in range(70)
            )
        ),
        "lines between rows": each(
            "<div style='{at}; display: grid; gap: 3px; row-rule: 2px solid #123456'>"
            + "<b style='position: static'></b>" * 9
            + "</div>"
        ),
    }


def _filled(picture: str) -> str:
    return f".words * {{ color: transparent !important; background: url({picture}) fixed text !important }}"


def _hidden(name: str, css: str, *, under: str = "", over: str = "") -> Trick:
    page = f"{STYLE}<style>{css}</style>{under}<div class=words>{{words}}</div>{over}"
    return Trick(name, page.replace("{words}", WORDS), page.replace("{words}", ""))


def _lids() -> str:
    lines = "left: 0; width: 1280px; background: #fff; border: solid #123456; border-width: 3px 0 0"
    heights = {110: 45, 180: 21, 230: 21, 270: 21, 310: 21}
    return "".join(
        f"<i style='top: {top}px; height: {height}px; {lines}'></i>" for top, height in heights.items()
    )


def score(renderer: Renderer, reference: Capture, html: str) -> float:
    """Score a page against the design, 0..1."""
    candidate = renderer.capture(Document(label="trick", html=html.encode()), role="candidate", audit=None)
    return measure_visual(reference, candidate, settings=Settings()).score


def pictured(renderer: Renderer, html: str) -> Capture:
    """Capture a page as a design."""
    return renderer.capture(Document(label="design", html=html.encode()), role="reference", audit=None)


def address(capture: Capture) -> str:
    """Return the picture of a page as the address of a picture."""
    return "data:image/png;base64," + base64.b64encode(capture.screenshot.png).decode()


def make_tricks(renderer: Renderer) -> tuple[Capture, list[Trick]]:
    """Return the design, and the pages against it."""
    design = pictured(renderer, DESIGN)
    other = pictured(renderer, DESIGN.replace(WORDS, OTHER))
    return design, list(tricks(address(design), address(other)))


def row(trick: Trick, own: float, seen: float) -> str:
    """Return a line of the table."""
    return f"| {trick.name} | {own:.2f} | {seen:.2f} |"


def main() -> None:
    from pytest_design2a11y.capture.renderer import open_renderer

    with open_renderer() as renderer:
        design, pages = make_tricks(renderer)
        print("| trick | score | without what nobody sees |\n| --- | --: | --: |")
        for trick in pages:
            own, seen = (score(renderer, design, html) for html in (trick.html, trick.seen))
            print(row(trick, own, seen), flush=True)


if __name__ == "__main__":
    main()
