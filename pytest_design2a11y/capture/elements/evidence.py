"""What the pixels in and around boxes and shapes show; styles tell where to look, never what is there."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.sides import (
    FEW,
    MANY_PLACES,
    PLACES,
    SHOWN,
    Sides,
    has_shadows,
    lines_along,
    seen_edges,
    shares_of,
    shows_content,
)
from pytest_design2a11y.capture.elements.view import (
    Integers,
    Levels,
    Mask,
    View,
    as_color,
    difference,
    most_common_colors,
)
from pytest_design2a11y.capture.text.candidates import BOX, CONTROL, Candidates, Shape
from pytest_design2a11y.models.elements import Part, PartKind, Ring
from pytest_design2a11y.models.geometry import Color

#: Levels of 255 by which a fill, and a picture, differ from their surroundings.
FILL = 2
INK = 4
# px; a ring with a smaller gap touches what it is around.
_NEAR = 2
# Points across and down a box from which its color is read.
_GRID = 14
# Visible points, and box size in px, that a gradient needs.
_FEW_OF_GRADIENT = _GRID * _GRID // 2
_SMALLEST_GRADIENT = 16
# Least range of a gradient in levels of 255, and the greatest deviation as a share of it.
_LEAST_SPREAD = 8
_LEAST_SMOOTH = 0.1


class Evidence(NamedTuple):
    """What layout and pixels show of one candidate."""

    kind: int  # As `candidates.py` numbers it
    tag: str  # Its tag in the page
    edges: list[int]  # Left, top, right, bottom
    seen: list[int]  # Likewise, of the part that is not covered
    inner: list[float]  # How far lines reach into it: top, right, bottom, left, px
    outer: list[float]  # How far lines reach out of it, on each side
    is_loose: bool  # Whether its outline differs from its box
    fill: list[int]  # Its main color, -1 where it is not visible
    own: list[int]  # Likewise, just inside its sides
    around: list[int]  # Likewise, just outside
    is_step: list[bool]  # Per side, whether the color changes there
    is_off: list[bool]  # Per side, whether it is beyond the page
    is_line: list[bool]  # Per side, whether there is a line
    line_colors: list[list[int]]  # Per side, the line's color at most places
    ring: Ring | None  # A line around it and its border
    has_shadow: bool  # Whether the page grows darker or lighter towards a side
    is_plain: bool  # Whether all that was checked has the fill's color
    is_fill_seen: bool  # Whether its fill was read from pixels not covered by anything
    fills: list[Color]  # The colors of a gradient, or none
    radius: float  # Of its corners, px
    tint: list[float]  # Background color in its style, or a glyph's text color, 0..255, and alpha, 0..1
    rank: int  # When it is painted
    shown: float  # Share of it not covered by anything opaque, other than its own content, 0..1
    about: Mapping[str, Any]  # Its label, role and state, as `Element` names them


def gather_evidence(
    view: View,
    candidates: Candidates,
    edges: Integers,
    ranks: Integers,
    is_on_picture: Mask,
    shown: NDArray[np.float64],
    ground: Color,
) -> Iterator[Evidence]:
    """Yield the evidence of each candidate.

    Args:
        view: The page.
        candidates: Where to look.
        edges: Left, top, right, bottom of each, whole px, shape (number, 4).
        ranks: When each is painted, shape (number,).
        is_on_picture: Which have a picture behind them that shows through, shape (number,).
        shown: The share of each not covered by anything opaque but its own content, 0..1, shape (number,).
        ground: The color behind everything.
    """
    number = len(edges)
    sides = Sides.of(view, edges, candidates.radii)
    rings, candidates = _rings(sides, candidates)
    inner, outer = (np.ceil(reach).astype(np.int64) for reach in _reaches(candidates))
    inside, outside, is_inside, is_outside = sides.beside(inner, outer)
    deeper, _ = sides.at(np.minimum(inner + 3, sides.halves))
    change = difference(inside, outside)
    is_seen = is_inside & is_outside
    is_step = is_seen & (change > FILL) & (2 * difference(inside, deeper) <= np.maximum(change, 2 * FILL))
    is_own = is_inside & (sides.ranks(np.minimum(inner + 1, sides.halves)) <= ranks[:, None, None])
    own, _ = most_common_colors(inside.reshape(number, -1, 3), is_own.reshape(number, -1))
    around, _ = most_common_colors(outside.reshape(number, -1, 3), is_outside.reshape(number, -1))
    is_line, line_colors = _lines(sides, candidates)
    is_content = shows_content(sides, np.minimum(inner + 3, sides.halves), candidates, ranks)
    cut = seen_edges(sides, is_step | is_line, is_seen & ~is_content, edges)
    is_box = (candidates.kinds == BOX) | (candidates.kinds == CONTROL)
    fill, is_plain, fills = _fills(view, candidates, cut, inner, ranks, is_box)
    fill = np.where(fill < 0, own, fill)
    # Background colors, blended with the page's ground by their alpha.
    alphas = candidates.tints[:, 3:]
    mixed = alphas * candidates.tints[:, :3] + (1 - alphas) * np.array(ground)
    styled: Integers = np.floor(mixed + 0.5).astype(np.int64)
    has_tint = is_box & (candidates.tints[:, 3] > 0)
    # A picture that shows through is not the box's own.
    is_fill_seen = (fill[:, 0] >= 0) & ~(has_tint & is_on_picture)
    unseen, _ = most_common_colors(inside.reshape(number, -1, 3), is_inside.reshape(number, -1))
    instead = np.where(has_tint[:, None], styled, unseen)
    own = np.where(own < 0, instead, own)
    columns = (
        *(candidates.kinds, candidates.tags),
        *(edges, cut, candidates.inner, candidates.outer, candidates.is_loose),
        *(np.where(is_fill_seen[:, None], fill, instead), own, around),
        shares_of(is_step, is_seen) >= SHOWN,
        is_seen.sum(axis=-1) < FEW,
        shares_of(is_line, is_inside) >= SHOWN,
        line_colors,
        rings,
        has_shadows(sides, candidates.blurs, outer),
        *(is_plain, is_fill_seen, fills),
        *(candidates.radii, candidates.tints, ranks, shown, candidates.abouts),
    )
    lists = (column.tolist() if isinstance(column, np.ndarray) else column for column in columns)
    return map(Evidence._make, zip(*lists, strict=True))


def _reaches(candidates: Candidates) -> list[NDArray[np.float64]]:
    """Return how far the lines of each, with those that touch it, reach into it, and out of it."""
    gaps, widths = candidates.rings.T
    is_near = (widths > 0) & (gaps < _NEAR)
    reaches = (candidates.inner, -gaps), (candidates.outer, gaps + widths)
    return [np.maximum(lines, np.where(is_near, ring, 0.0)[:, None]) for lines, ring in reaches]


def _lines(sides: Sides, candidates: Candidates) -> tuple[Mask, Integers]:
    """Return which places show a line, shape (number, 4, places), and its color at each side."""
    inner, outer = (np.ceil(reach).astype(np.int64) for reach in (candidates.inner, candidates.outer))
    is_line, shade = lines_along(sides, inner, outer)
    colors, shares = most_common_colors(shade.reshape(-1, PLACES, 3), is_line.reshape(-1, PLACES))
    colors = colors.reshape(-1, 4, 3)
    # Where places disagree, letters may lie over some of them.
    unsure = np.flatnonzero(((shares > 0) & (shares < 1)).reshape(-1, 4).any(axis=1))
    if len(unsure):
        many = Sides.of(sides.view, sides.edges[unsure], candidates.radii[unsure], MANY_PLACES)
        is_drawn, shade = lines_along(many, inner[unsure], outer[unsure])
        more, _ = most_common_colors(shade.reshape(-1, MANY_PLACES, 3), is_drawn.reshape(-1, MANY_PLACES))
        colors[unsure] = more.reshape(-1, 4, 3)
    return is_line, colors


def _rings(sides: Sides, candidates: Candidates) -> tuple[list[Ring | None], Candidates]:
    """Return the line that shows around each box and its border, if there is one.

    One that does not show by itself makes the border wider: the candidates are returned with such borders.
    """
    found: list[Ring | None] = [None] * len(candidates.rings)
    rows = np.flatnonzero(candidates.rings[:, 1] > 0)
    if not len(rows):
        return found, candidates
    part = sides.only(rows)
    rings = np.repeat(np.rint(candidates.rings[rows]).astype(np.int64)[:, :, None], 4, axis=2)
    gaps, ends = rings[:, 0], rings.sum(axis=1)
    inside = np.where(gaps < 0, -gaps, -((gaps + 1) // 2)) - 1
    is_line, shade = lines_along(part, inside, ends, -1 - (ends + gaps - 1) // 2)
    is_line, is_seen = (places.reshape(len(rows), -1) for places in (is_line, part.at(-ends)[1]))
    colors, _ = most_common_colors(shade.reshape(len(rows), -1, 3), is_line)
    for at in np.flatnonzero(shares_of(is_line, is_seen) >= SHOWN).tolist():
        gap, width = candidates.rings[rows[at]].tolist()
        found[rows[at]] = Ring(as_color(colors[at].tolist()), width, gap)
    is_lost = np.array([ring is None for ring in found])[:, None]
    own, wider = (candidates.inner, candidates.outer), _reaches(candidates)
    inner, outer = (np.where(is_lost, *reaches) for reaches in zip(wider, own, strict=True))
    return found, replace(candidates, inner=inner, outer=outer)


def _fills(
    view: View, candidates: Candidates, edges: Integers, inner: Integers, ranks: Integers, is_box: Mask
) -> tuple[Integers, Mask, list[list[Color]]]:
    """Return each box's own main color, whether it is plain, and both colors of gradients."""
    low = np.minimum(edges[:, :2] + inner[:, [3, 0]], edges[:, 2:] - 1)
    high = np.maximum(edges[:, 2:] - inner[:, [1, 2]], low + 1)
    share = (np.arange(_GRID) + 0.5) / _GRID
    columns, rows = (
        low[:, at, None] + np.floor((high - low)[:, at, None] * share).astype(np.int64) for at in (0, 1)
    )
    shape = (len(edges), _GRID, _GRID)
    colors, seen = view.at(np.broadcast_to(rows[:, :, None], shape), np.broadcast_to(columns[:, None], shape))
    colors, seen = colors.reshape(len(edges), -1, 3), seen.reshape(len(edges), -1)
    own = view.is_own(rows[:, :, None], columns[:, None], ranks[:, None, None])
    seen &= own.reshape(len(edges), -1)
    # Outside round corners lies something else, a large part of a small badge without its text.
    radius = np.minimum(candidates.radii, (high - low).min(axis=1) / 2)[:, None]
    aside, above = (
        np.maximum(np.maximum(low[:, [at]] + radius - places, places - high[:, [at]] + radius), 0.0)
        for at, places in ((0, columns + 0.5), (1, rows + 0.5))
    )
    is_in = above[:, :, None] ** 2 + aside[:, None] ** 2 <= radius[..., None] ** 2
    is_inside = seen & is_in.reshape(len(edges), -1)
    fill, _ = most_common_colors(colors, np.where(is_inside.any(axis=1, keepdims=True), is_inside, seen))
    is_alike = np.all((difference(colors, fill[:, None]) <= INK) | ~seen, axis=1)
    is_plain: Mask = is_alike & seen.any(axis=1)
    fills: list[list[Color]] = [[]] * len(edges)
    is_large = (high - low).min(axis=1) >= _SMALLEST_GRADIENT
    is_large &= seen.sum(axis=1) >= _FEW_OF_GRADIENT
    for at in np.flatnonzero(is_box & ~is_plain & is_large).tolist():
        if ends := gradient_ends(colors[at], seen[at]):
            fills[at] = ends
            fill[at] = np.floor(colors[at][seen[at]].mean(axis=0) + 0.5)
    return fill, is_plain, fills


def gradient_ends(colors: Levels, seen: Mask) -> list[Color]:
    """Return the two colors farthest apart in a smooth gradient; empty if there is none.

    Args:
        colors: Of the places of a square, row by row, shape (places, 3).
        seen: Which of them count, shape (places,).
    """
    side = isqrt(len(colors))
    y, x = (places.reshape(-1) / side - 0.5 for places in np.mgrid[:side, :side])
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
    shown = colors[seen].astype(np.float64)
    factors, *_ = np.linalg.lstsq(terms[seen], shown, rcond=None)
    fitted = terms[seen] @ factors
    spread = np.ptp(fitted, axis=0).max()
    rest = np.sqrt(((shown - fitted) ** 2).mean(axis=0)).max()
    if spread < _LEAST_SPREAD or rest > _LEAST_SMOOTH * spread:
        return []
    axis = np.linalg.svd(fitted - fitted.mean(axis=0), full_matrices=False)[2][0]
    along = fitted @ axis
    first, second = sorted((int(along.argmin()), int(along.argmax())), key=(x + y)[seen].__getitem__)
    return [
        as_color(np.clip(np.floor(fitted[at] + 0.5), 0, 255).astype(int).tolist()) for at in (first, second)
    ]


#: From this alpha on, a shape shows in its own color.
_OPAQUE = 0.95
#: Levels of 255 by which pixels of a shape, and those of a thin line, which are mixed with what is around it,
#: may differ from its color; and the share of its places that must show it.
_SAME, _SAME_THIN, _SEEN = 24, 110, 0.2
#: px; a thinner line has no pixel of its color alone.
_THIN = 3
#: Pixels around a place: lines may lie between pixels.
_AROUND = np.argwhere(np.ones((3, 3))) - 1
#: Places across and down a box whose shape is unknown.
_GRID_OF_SHAPE = 8

_KINDS: dict[str, PartKind] = {"rect": "box", "image": "picture", "use": "symbol"}
_ROUND = ("circle", "ellipse")


def parts_of(view: View, shapes: Iterable[Shape], rank: int) -> Iterator[Part]:
    """Yield the shapes that show, in painting order; `rank` is when their drawing is painted."""
    for shape in shapes:
        color = _color_of(view, shape, rank)
        if color is not None:
            label = " ".join(shape.label.split())
            yield Part(_kind_of(shape), shape.box, color, shape.group, label, shape.is_dashed)


def _kind_of(shape: Shape) -> PartKind:
    if shape.tag in _ROUND:
        return "ring" if shape.is_line else "circle"
    return "line" if shape.is_line else _KINDS.get(shape.tag, "shape")


def _color_of(view: View, shape: Shape, rank: int) -> Color | None:
    """Return the color in which a shape shows; None if it does not show."""
    height, width = view.is_text.shape
    places = _places(shape)
    is_in = ((places >= 0) & (places < (height, width))).all(axis=1)
    rows, columns = places[is_in].T
    is_own = view.is_own(rows, columns, rank)
    if not is_own.any():
        return None
    colors = view.pixels[rows[is_own], columns[is_own]].astype(np.int16)
    *tint, alpha = shape.tint
    if min(tint) < 0 or alpha < _OPAQUE:
        color, _ = most_common_colors(colors[None], np.ones((1, len(colors)), dtype=np.bool_))
        return as_color(color[0].tolist())
    apart = difference(colors, np.array(tint, dtype=np.int16))
    if shape.is_line:
        apart = _nearest(view, places[is_in][is_own], tint)
    is_thin = shape.is_line and min(shape.box[2:]) <= _THIN
    is_same = apart <= (_SAME_THIN if is_thin else _SAME)
    return as_color([round(level) for level in tint]) if is_same.mean() >= _SEEN else None


def _nearest(view: View, places: NDArray[np.int64], tint: list[float]) -> NDArray[np.integer]:
    """Return by how much the pixel at or beside each place that is nearest to a color differs from it."""
    height, width = view.is_text.shape
    around = np.clip(places[:, None] + _AROUND, 0, (height - 1, width - 1))
    colors = view.pixels[around[..., 0], around[..., 1]].astype(np.int16)
    nearest: NDArray[np.integer] = difference(colors, np.array(tint, dtype=np.int16)).min(axis=1)
    return nearest


def _places(shape: Shape) -> NDArray[np.int64]:
    """Return rows and columns of pixels in a shape; all over its box if it is not known where it paints."""
    points = shape.places
    if not points:
        left, top, width, height = shape.box
        share = (np.arange(_GRID_OF_SHAPE) + 0.5) / _GRID_OF_SHAPE
        points = tuple((x, y) for x in left + width * share for y in top + height * share)
    places: NDArray[np.int64] = np.floor(np.array(points)[:, ::-1]).astype(np.int64)
    return places
