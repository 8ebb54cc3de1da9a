"""Pages that try to buy fidelity with elements and fonts that nobody sees.

Each try is scored against one design, and so is the same page without what nobody sees: none may score 0.01
more. `python -m studies.fidelity_attacks` prints them all.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

TEXT = """<h1>Your weekly box</h1><p>Vegetables from four farms, picked on the day before.</p>
<p class=a>Small box, for two</p><p class=b>Large box, for a family</p><p class=c>Fruit, if you like</p>
<label>Your name</label><label class=second>Your street</label><span class=go>Order now</span>"""
STYLE = """<!doctype html><html lang=en><meta charset=utf-8><title>Box</title><style>
body { margin: 0; height: 720px; position: relative; background: #fff; color: #234 }
body { font: 16px/20px "Liberation Sans" }
body > *, .boxes > *, .texts > * { position: absolute; margin: 0 } .texts, .boxes { inset: 0 }
h1 { font-size: 32px; line-height: 40px; left: 60px; top: 100px } p { left: 60px; top: 160px; width: 500px }
.a { left: 80px; top: 240px } .b { left: 480px; top: 240px } .c { left: 880px; top: 240px }
label { left: 60px; top: 430px } .second { left: 460px } .go { left: 110px; top: 562px; color: #063 }
.boxes i { background: #eef6ea; border: 1px solid #9bbf8a; box-shadow: 0 2px 8px #0003 }
.boxes b { background: #f7d774 } .boxes img, .boxes canvas { width: 300px; height: 120px }
</style><body>"""


def boxes(picture: str) -> str:
    """Return what the design shows besides its text: panels, a button, fields, pictures, a bar."""
    places = "".join(
        f"<i style='left: {left}px; top: 220px; width: 340px; height: 190px'></i>"
        f"<img alt='' src='{picture}' style='left: {left + 20}px; top: 270px'>"
        for left in (60, 460, 860)
    )
    fields = "".join(
        f"<input aria-label=f style='left: {left}px; top: 460px; width: 300px; height: 40px'>"
        for left in (60, 460)
    )
    bar = "<b style='left: 0; top: 0; width: 1280px; height: 70px'></b>"
    return f"{bar}{places}{fields}<b style='left: 60px; top: 550px; width: 200px; height: 44px'></b>"


@dataclass(frozen=True)
class Try:
    """A page that tries it, and the same page as people see it."""

    name: str
    html: str
    seen: str


def page(under: str = "", over: str = "", css: str = "", text: str = TEXT) -> str:
    return f"{STYLE}<style>{css}</style>{under}<div class=texts>{text}</div>{over}"


def tries(picture: str, whole: str) -> Iterator[Try]:
    """Return the pages.

    Args:
        picture: Address of a photograph.
        whole: Address of a screenshot of the design without its text.
    """
    made = f"<div class=boxes>{boxes(picture)}</div>"
    sheet = "<div style='inset: 0; background: #fff'></div>"
    plain = page()
    for name, under in {
        "elements under a white sheet": made + sheet,
        "elements under a sheet of gradients": made
        + "<div style='inset: 0; background: linear-gradient(#fff, #fff)'></div>",
        "elements under a sheet of shadow": made
        + "<div style='left: -9px; top: 0; width: 1px; height: 1px; box-shadow: 0 0 0 2000px #fff'></div>",
        "elements under a white picture": made + f"<img alt='' src='{_plain_picture()}'"
        " style='width: 1280px; height: 720px'>",
    }.items():
        yield Try(name, page(under), plain)
    for name, css in {
        "elements at 2 %": ".boxes { opacity: .02 }",
        "elements each at 3 %": ".boxes > * { opacity: .03 }",
        "elements made invisible": ".boxes { visibility: hidden }",
        "elements cut away": ".boxes { clip-path: inset(100%) }",
        "elements masked away": ".boxes { mask-image: linear-gradient(#0000, #0000) }",
        "elements filtered away": ".boxes { filter: opacity(.01) }",
        "elements blended away": ".boxes { mix-blend-mode: color; opacity: .01 }",
        "elements off the page": ".boxes { transform: translateX(-3000px) }",
        "elements made tiny": ".boxes { transform: scale(.001) }",
        "elements turned away": ".boxes { transform: rotateY(180deg); backface-visibility: hidden }",
        "elements in a box without a size": ".boxes { inset: auto; width: 0; height: 0; overflow: hidden }",
        "elements for print alone": "@media screen { .boxes { display: none } }",
        "elements in content that is skipped": ".boxes { content-visibility: hidden }",
        "fills of the ground's color, no borders": ".boxes > * { background: #fffffe !important;"
        " border: 0 !important; box-shadow: none !important; appearance: none } .boxes img { opacity: .01 }",
        "borders of the ground's color": ".boxes > * { background: none !important; border: 1px solid #fff"
        " !important; box-shadow: none !important; appearance: none } .boxes img { opacity: .01 }",
        "shadows of the ground's color": ".boxes > * { background: none !important; border: 0 !important;"
        " box-shadow: 0 0 9px #fff !important; appearance: none } .boxes img { opacity: .01 }",
        "clear gradients as fills": ".boxes > * { background: linear-gradient(#0000, #0000) !important;"
        " border-color: #0000 !important; box-shadow: 0 0 0 #0000 !important; appearance: none }"
        " .boxes img { opacity: 0 }",
        "backdrop filters as fills": ".boxes > * { background: none !important; border: 0 !important;"
        " box-shadow: none !important; backdrop-filter: brightness(1.001); appearance: none }"
        " .boxes img { opacity: 0 }",
        "pictures of 0 px on boxes": ".boxes > * { background-size: 0 0 !important; border: 0 !important;"
        f" background: url({picture}) 0 0 / 0 0 no-repeat !important; box-shadow: none !important;"
        " appearance: none } .boxes img { opacity: 0 }",
    }.items():
        yield Try(name, page(made, css=css), plain)
    clear = re.sub(r"src='[^']+'", f"src='{_plain_picture(alpha=0)}'", made)
    hide = ".boxes i, .boxes b, .boxes input { display: none }"
    yield Try("pictures that are clear", page(clear, css=hide), plain)
    for tag in ("canvas", "iframe", "video", "object"):
        empty = re.sub(r"<img[^>]*(style='[^']+')>", rf"<{tag} \1 width=300 height=120></{tag}>", made)
        yield Try(
            f"an empty {tag} for each picture", page(empty, css=f"{hide} iframe {{ border: 0 }}"), plain
        )
    fields = ".boxes > :not(input) { display: none } .boxes input "
    yield Try("fields without any look", page(made, css=fields + "{ all: unset; position: absolute }"), plain)
    yield Try("fields at 1 %", page(made, css=fields + "{ opacity: .01 }"), plain)
    yield from _repeated(made, plain)
    yield from _pictured(made, whole)
    yield from _written(made, picture)


def _repeated(made: str, plain: str) -> Iterator[Try]:
    dots = "".join(
        f"<u style='left: {left}px; top: {top}px; width: 1px; height: 1px; background: #{{}}'></u>"
        for top in range(4, 720, 24)
        for left in range(4, 1280, 18)
    )
    yield Try("2,000 boxes of 1 px in the ground's color", page(dots.replace("{}", "fff")), plain)
    yield Try("2,000 clear boxes of 1 px", page(dots.replace("{}", "0000")), plain)
    half = re.sub(r"<img[^>]*>", "", made)
    yield Try("every element five times in one place", page(half * 5), page(half))
    nested = re.sub(r"(<i [^>]*>)", r"\1\1", half)
    yield Try("every panel twice", page(nested), page(half))
    one = "<div class=boxes><i style='left: 60px; top: 220px; width: 340px; height: 190px'></i></div>"
    three = one + one.replace("60px", "63px").replace("<i", "<i class=x") * 2
    faint = ".x { background: none !important; border-color: #0000 !important; box-shadow: none !important }"
    yield Try("one panel that stands for three", page(three, css=faint), page(one))


def _pictured(made: str, whole: str) -> Iterator[Try]:
    under = f"<img alt='' src='{whole}' style='left: 0; top: 0; width: 1280px; height: 720px'>"
    seen = page(under)
    for name, css in {
        "one picture under it all, with clear elements": ".boxes { opacity: .02 }",
        "one picture under it all, with elements without paint": ".boxes > * { background: #0000 !important;"
        " border-color: #0000 !important; box-shadow: none !important; appearance: none }"
        " .boxes img { opacity: .01 }",
        "one picture under it all, with faint fills": ".boxes > * { background: #ffffff05 !important;"
        " border: 0 !important; box-shadow: none !important; appearance: none } .boxes img { opacity: .01 }",
    }.items():
        yield Try(name, page(under + made, css=css), seen)


def _written(made: str, picture: str) -> Iterator[Try]:
    dark = "body { background: #101418; color: #e8ecf0 } .go { color: #9fc }"
    black = dark + ".texts > * { color: #234 } .go { color: #063 }"
    yield Try("text in the design's colors on a dark page", page(css=black), page(css=dark))
    panel = dark + ".boxes i { background: #1c242c; border-color: #3a4650 } .boxes b { background: #7a5a10 }"
    yield Try(
        "the same, with elements",
        page(made, css=panel + ".texts > * { color: #234 } .go { color: #063 }"),
        page(made, css=panel),
    )
    serif = ".texts { font-family: 'Liberation Serif' }"
    again = f"<div class=texts style='opacity: .02; font-family: Liberation Sans'>{TEXT}</div>"
    yield Try("unseen text in the right font", page(css=serif, over=again), page(css=serif))
    covered = again.replace("opacity: .02; ", "z-index: -2; ")
    sheet = "<div style='inset: 0; background: #fff; z-index: -1'></div>"
    yield Try("covered text in the right font", page(css=serif, over=covered + sheet), page(css=serif))
    tiny = TEXT.replace("<p", "<p style='font-size: 1px'")
    yield Try("text of 1 px, larger text unseen", page(text=tiny, over=again), page(text=tiny))
    mixed = (
        "@font-face { font-family: mixed; src: local('Liberation Sans');"
        " unicode-range: U+69, U+6D, U+57, U+61, U+67, U+30, U+65, U+52 }"
        " .texts { font-family: mixed, 'Liberation Serif' }"
    )
    yield Try("only the letters that are measured in the right font", page(css=mixed), page(css=serif))
    both = (
        "@font-face { font-family: both; src: local('Liberation Serif') } @font-face { font-family: both;"
        " src: local('Liberation Sans'); unicode-range: U+69, U+6D, U+57, U+61, U+67, U+30, U+65, U+52 }"
        " .texts { font-family: both, 'Liberation Sans' }"
    )
    yield Try("one family of two fonts, by letters", page(css=both), page(css=serif))
    first = re.sub(r">(\w)", r"><big style='font: 16px Liberation Sans'>\1</big>", TEXT)
    yield Try("first letters in the right font", page(css=serif, text=first), page(css=serif))
    small = ".texts { font-family: 'Liberation Serif' } .texts > * { font-size: 9px !important }"
    large = first.replace("16px Liberation Sans", "16px Liberation Serif")
    yield Try("first letters of the right size", page(css=small, text=large), page(css=small))
    zero = "<span style='font: 60px Liberation Sans; color: #0000'>imWag0eR</span>"
    yield Try(
        "clear letters beside the text",
        page(css=serif, text=TEXT.replace("<p>", f"<p>{zero}")),
        page(css=serif),
    )


def _plain_picture(alpha: int = 255) -> str:
    file = io.BytesIO()
    Image.new("RGBA", (4, 4), (255, 255, 255, alpha)).save(file, "PNG")
    return address(file.getvalue())


def address(png: bytes) -> str:
    """Return a picture as an address."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def photograph() -> str:
    """Return the address of a picture of several colors."""
    picture = Image.new("RGB", (60, 24), "#86b6d8")
    picture.paste("#3c6b2f", (0, 14, 60, 24))
    picture.paste("#e5c07b", (35, 4, 45, 12))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return address(file.getvalue())


def score(renderer: Renderer, reference: Capture, html: str) -> VisualScore:
    """Score a page against the design."""
    return measure_visual(reference, capture_of(renderer, html), settings=Settings())


def capture_of(renderer: Renderer, html: str) -> Capture:
    """Capture a page."""
    document = Document(label="try", html=html.encode())
    return renderer.capture(document, role="candidate", audit=None, finds_elements=True)


def make_tries(renderer: Renderer) -> tuple[Capture, list[Try]]:
    """Return the design, and the pages against it."""
    made = f"<div class=boxes>{boxes(photograph())}</div>"
    whole = capture_of(renderer, page(made, text="<span style='opacity: .01'>.</span>"))
    design = capture_of(renderer, page(made))
    return design, list(tries(photograph(), address(whole.screenshot.png)))


def gain(renderer: Renderer, reference: Capture, one: Try) -> tuple[float, float]:
    """Return the fidelity of a try, and of the same page without what nobody sees."""
    own, seen = (score(renderer, reference, html).fidelity for html in (one.html, one.seen))
    assert own is not None
    assert seen is not None
    return own, seen
