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
from pytest_design2a11y.visual.scene.sight import EDGES, SAME_FILL, Mask, color_behind, is_near, part_of

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
    grounds = [*map(ground_of, compared.pages)]
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


def ground_of(page: Capture) -> Ground:
    """Return what people call the background of a page.

    The largest panel may take up more of the page. A color with little of the edges is a bar's, and none is
    a picture's.
    """
    is_free = np.ones((2, *page.screenshot.pixels.shape[:2]), dtype=np.bool_)
    for one in page.elements or ():
        is_free[:, *part_of(one.box)] &= [[[one.tag not in PICTURES]], [[False]]]
    edges, (is_free, is_bare) = page.screenshot.pixels[:, EDGES], is_free[:, :, EDGES]
    if is_bare.mean() >= _LEAST_GROUND and (ends := _gradient(edges.astype(np.int16), is_bare)):
        return Ground(ends[0], float(is_bare.mean()), ends)
    colors = [color_behind(page, is_of_edges=True), page.ground or (255, 255, 255)]
    shares = [float((is_near(edges, color, SAME_FILL) & is_free).mean()) for color in colors]
    at = int(shares[0] < _LEAST_GROUND and shares[1] >= _MOST_OF_EDGES)
    return Ground(colors[at], shares[at])


def _gradient(edges: np.ndarray, is_bare: Mask) -> tuple[Color, ...]:
    """Return both ends of a gradient that the bare pixels of a page's edges show; nothing for another ground.

    Args:
        edges: The left and the right column of the page, shape (height, 2, 3).
        is_bare: Which of these pixels no element covers, shape (height, 2).
    """
    steps = np.abs(np.diff(edges, axis=0)).max(axis=2) * (is_bare[1:] & is_bare[:-1])
    if not is_bare.any(axis=0).all() or steps.max() > _SMOOTH:
        return ()
    tops, bottoms = is_bare.argmax(axis=0), len(is_bare) - 1 - is_bare[::-1].argmax(axis=0)
    # From a corner to the one across: of the two ways, that on which the color changes more.
    ways = [(edges[tops[side], side], edges[bottoms[1 - side], 1 - side]) for side in (0, 1)]
    first, last = max(ways, key=lambda way: int(np.abs(way[0] - way[1]).max()))
    spread = int(np.abs(first - last).max())
    # It changes where it shows, and not only below what covers it, as from one band to the next.
    if spread < _LEAST_SPREAD or 2 * steps.sum(axis=0).max() < spread:
        return ()
    return tuple((int(red), int(green), int(blue)) for red, green, blue in (first, last))
