"""Pages of a shop that try to buy fidelity with figures, icons and pictures that nobody sees.

Each shows wrong prices, icons or pictures; beside, under or inside them are the right ones, unseen.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from studies.trials.fidelity_tries import Try, capture_of, photograph

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

_STYLE = """<!doctype html><html lang=en><meta charset=utf-8><title>Shop</title><style>
body { margin: 0; height: 720px; position: relative; background: #fff; color: #223 }
body { font: 16px/20px "Liberation Sans" } body > *, .card > * { position: absolute; margin: 0 }
h1 { left: 60px; top: 30px; font-size: 28px } em { font-style: normal }
.card { top: 100px; width: 300px; height: 380px; border: 1px solid #ccd }
.card img { left: 10px; top: 10px; width: 280px; height: 180px } .card p { left: 10px; top: 205px }
.card b { left: 10px; top: 240px; font-size: 24px } .card svg { top: 280px; width: 20px; height: 20px }
.card button { left: 10px; top: 320px; width: 280px; height: 44px; background: #06c; color: #fff; border: 0 }
</style><body><h1>Tents and stoves</h1>"""
_STAR = "M10 1l3 6 6 1-5 4 2 7-6-4-6 4 2-7-5-4 6-1z"
_NAMES = {"Ridge tent": "$249.00", "Camp stove": "$64.50", "Down jacket": "$189.00"}


def _card(left: int, name: str, price: str, picture: str, filled: int = 4) -> str:
    stars = "".join(
        f"<svg viewBox='0 0 20 20' style='left: {10 + 24 * at}px'>"
        f"<path d='{_STAR}' fill='{'#e90' if at < filled else '#ddd'}'/></svg>"
        for at in range(5)
    )
    return (
        f"<div class=card style='left: {left}px'><img alt='' src='{picture}'><p>{name}</p><b>{price}</b>"
        f"{stars}<button>Add to cart</button></div>"
    )


def shop(*, is_right: bool, picture: str, filled: int = 4) -> str:
    """Return the page, with its prices right or wrong."""
    cards = "".join(
        _card(60 + 340 * at, name, price if is_right else f"${at + 3}7.20", picture, filled)
        for at, (name, price) in enumerate(_NAMES.items())
    )
    return _STYLE + cards


def make_shop_tries(renderer: Renderer) -> tuple[Capture, list[Try]]:
    """Return the design, and the pages against it."""
    right = photograph()
    design = capture_of(renderer, shop(is_right=True, picture=right))
    wrong = shop(is_right=False, picture=right)
    tries = [Try(name, _with_prices(wrong, look), wrong) for name, look in _UNSEEN.items()]
    tries.append(
        Try("figures in alt of pictures", _in_attribute(wrong, "<img alt='{}' src='data:,'>"), wrong)
    )
    tries.append(Try("figures in clear fields", _in_attribute(wrong, _FIELD), wrong))

    empty = shop(is_right=True, picture=right, filled=0)
    under = re.sub(
        r"(<svg[^>]*>)(<path d='[^']*') fill='#ddd'/>", r"\1\2 fill='#e90'/>\2 fill='#ddd'/>", empty
    )
    tries.append(Try("full stars under empty ones, in one drawing", under, empty))
    stacked = re.sub(r"(<svg.*?</svg>)", lambda found: found[1].replace("#ddd", "#e90") + found[1], empty)
    tries.append(Try("stacked icons: full stars under empty ones", stacked, empty))
    faint = re.sub(
        r"(<svg)(.*?</svg>)",
        lambda found: found[0] + f"<svg opacity=.02{found[2].replace('#ddd', '#e90')}",
        empty,
    )
    tries.append(Try("full stars at 2 % on empty ones", faint, empty))

    grey = shop(is_right=True, picture=_GREY)
    copy = re.sub(r"(<img alt='' src=')([^']*)('>)", rf"<img alt='' src='{right}'>\1\2\3", grey)
    tries.append(Try("the right picture behind another", copy, grey))
    none = _STYLE + "<div style='inset: 0; background: #fff'></div>"
    covered = shop(is_right=True, picture=right) + "<div style='inset: 0; background: #fff'></div>"
    tries.append(Try("all of it under a sheet", covered, none))
    twice = wrong.replace("<h1>", shop(is_right=True, picture=right).removeprefix(_STYLE) + "<h1>", 1)
    cards = "<style>.card { background: #fff }</style>"
    tries.append(Try("right cards covered by wrong ones", cards + twice, cards + wrong))
    return design, tries


_GREY = (
    "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%22280%22 height=%22180%22>"
    "<rect width=%22280%22 height=%22180%22 fill=%22%23bbb%22/></svg>"
)
_FIELD = "<input value='{}' style='all: unset; left: 150px; top: 240px; width: 90px; color: #fff'>"
#: How the right prices are hidden beside the wrong ones.
_UNSEEN = {
    "figures in the ground's color": "left: 150px; top: 240px; color: #fff",
    "figures at 2 %": "left: 150px; top: 240px; opacity: .02",
    "figures of 1 px": "left: 150px; top: 240px; font-size: 1px",
    "figures behind a picture": "left: 60px; top: 60px; z-index: -1",
    "figures cut away": "left: 10px; top: 240px; height: 0; overflow: hidden",
    "figures off the page": "left: -4000px; top: 240px",
}


def _with_prices(page: str, look: str) -> str:
    return _in_attribute(page, f"<em style='{look}'>{{}}</em>")


def _in_attribute(page: str, markup: str) -> str:
    for price in _NAMES.values():
        page = page.replace("<button>", f"{markup.format(price)}<BUTTON>", 1)
    return page.replace("<BUTTON>", "<button>")
