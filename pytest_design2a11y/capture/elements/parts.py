"""The shapes of a drawing that show: their places are known from the layout, their colors from the pixels."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.capture.elements.view import View, as_color, difference, most_common_colors
from pytest_design2a11y.capture.text.candidates import Shape
from pytest_design2a11y.models.elements import Part, PartKind
from pytest_design2a11y.models.geometry import Color

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
_GRID = 8

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
        share = (np.arange(_GRID) + 0.5) / _GRID
        points = tuple((x, y) for x in left + width * share for y in top + height * share)
    places: NDArray[np.int64] = np.floor(np.array(points)[:, ::-1]).astype(np.int64)
    return places
