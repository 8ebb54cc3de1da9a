"""The difference of the ground: what people call the background of a page, of one color or a gradient."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Color, hex_color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.scene.element_facts import PICTURES
from pytest_design2a11y.visual.scene.places import Details
from pytest_design2a11y.visual.scene.sight import SAME_FILL, Mask, Pixels, bare_color, is_near, part_of

#: A color on a smaller share of the page's edges is a bar's, not the ground's.
_LEAST_GROUND = 0.4
#: A panel's color on this share of them is called the ground, whatever is behind it.
_MOST_OF_EDGES = 0.7
#: Levels of a channel: neighbors in a gradient differ by no more, and its ends by no less.
_SMOOTH, _LEAST_SPREAD = 4, 16


@dataclass(frozen=True, slots=True)
class Ground:
    """What people call the background of a page."""

    color: Color
    share: float  # Of the page's left and right edges, 0..1
    ends: tuple[Color, ...] = ()  # First and last color of a gradient; empty for a plain color


def ground_difference(compared: Compared) -> Iterator[Difference]:
    """Yield that the page has another ground, if it has."""
    colors = [page.ground for page in compared.pages]
    if None in colors:
        return
    # What is wider than the window is not where people look for the background.
    width = min(page.page_size[0] for page in compared.pages)
    grounds = [ground_of(page, width) for page in compared.pages]
    ends = zip(*(ground.ends or (ground.color,) * 2 for ground in grounds), strict=True)
    apart = max(color_difference(*pair) for pair in ends)
    is_same = len({*colors}) == 1 and not any(ground.ends for ground in grounds)
    if apart >= LEAST_COLOR and not is_same and min(ground.share for ground in grounds) >= _LEAST_GROUND:
        wanted, own = map(_facts, compared.pages, grounds)
        yield claim("ground", "page", "fill", wanted["behind"], own["behind"], wanted, own)


def _facts(page: Capture, ground: Ground) -> Details:
    color, box = hex_color(page.ground or ground.color), [0, 0, *page.page_size]
    fills = {"fills": [hex_color(end) for end in ground.ends]} if ground.ends else {}
    return {"box": box, "fill": color, "behind": hex_color(ground.color), **fills}


def ground_of(page: Capture, width: int) -> Ground:
    """Return what people call the background of a page, by the first and last column of its `width`, px.

    The largest panel may take up more of the page. A color with little of the edges is a bar's, and none is
    a picture's.
    """
    pixels = page.screenshot.pixels[:, :width]
    is_free, is_bare = (np.ones(pixels.shape[:2], dtype=np.bool_) for _ in range(2))
    for one in page.elements or ():
        is_bare[part_of(one.box)] = False
        if one.tag in PICTURES:
            is_free[part_of(one.box)] = False
    columns = [0, width - 1]
    share = float(is_bare[:, columns].mean())
    if share >= _LEAST_GROUND and (ends := _gradient(pixels, is_bare)):
        return Ground(ends[0], share, ends)
    ground = page.ground or (255, 255, 255)
    colors = [bare_color(pixels[::4, columns], is_bare[::4, columns]) or ground, ground]
    shares = [
        float((is_near(pixels[:, columns], color, SAME_FILL) & is_free[:, columns]).mean())
        for color in colors
    ]
    at = int(shares[0] < _LEAST_GROUND and shares[1] >= _MOST_OF_EDGES)
    return Ground(colors[at], shares[at])


def _gradient(pixels: Pixels, is_bare: Mask) -> tuple[Color, ...]:
    """Return both ends of a gradient that the edges of a page show where no element covers them.

    Args:
        pixels: Of the page, shape (height, width, 3).
        is_bare: Which of them no element covers, shape (height, width).
    """
    ways = [(pixels[:, at].astype(np.int16), is_bare[:, at]) for at in (0, -1)]
    corners = []
    for shown, is_shown in ways:
        if not is_shown.any():
            return ()
        corners.append((shown[is_shown.argmax()], shown[len(shown) - 1 - is_shown[::-1].argmax()]))
    whole = np.flatnonzero(is_bare.all(axis=1))[:1]
    ways += [(pixels[at].astype(np.int16), is_bare[at]) for at in whole]
    steps = [np.abs(np.diff(shown, axis=0)).max(axis=1) * (own[1:] & own[:-1]) for shown, own in ways]
    # From a corner to the one across: of the two, that to which the color changes more.
    (left, left_end), (right, right_end) = corners
    first, last = max(
        (left, right_end), (right, left_end), key=lambda two: int(np.abs(two[0] - two[1]).max())
    )
    spread = int(np.abs(first - last).max())
    # It changes where it shows, and not only below what covers it, as from one band to the next.
    is_smooth = max(step.max(initial=0) for step in steps) <= _SMOOTH
    if not is_smooth or spread < _LEAST_SPREAD or 2 * max(step.sum() for step in steps) < spread:
        return ()
    return tuple((int(red), int(green), int(blue)) for red, green, blue in (first, last))
