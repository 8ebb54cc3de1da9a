"""What of a picture, or of a control that is not a plain box, is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isqrt
from operator import or_

import numpy as np
from PIL import Image

from pytest_design2a11y.capture.elements.colors import Mask, as_color, differs
from pytest_design2a11y.capture.elements.evidence import FILL, INK, Evidence
from pytest_design2a11y.capture.elements.view import Pixels, View
from pytest_design2a11y.capture.text.candidates import GROUND
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color

# Of what may be a picture, less than this share of pixels shows anything but one colour: it is flat.
_FLAT_SHARE = 0.002
_THUMBNAIL = 6
# Pixels that tell the colour of a part.
_SAMPLE = 400
# Rows and columns of a part that are looked at.
_SIDE = 256


def picture_element(view: View, one: Evidence, behind: Sequence[int]) -> Element | None:
    """Return a picture as far as it shows; a box where it shows one colour; None where it shows nothing."""
    is_framed = all(map(or_, one.is_step, one.is_off))
    part = one.edges if is_framed else _inked(view, one.edges, one.around)
    if part is None:
        return None
    fill: Sequence[int] = one.fill
    if one.is_plain or part != one.edges:
        colors = _colors(view, *_part(part))
        if not len(colors):
            return None
        fill = _common(colors)
        if np.count_nonzero(_is_ink(colors, fill)) < _FLAT_SHARE * len(colors):
            is_hidden = not any(one.is_step) or (not is_framed and differs(fill, behind) <= FILL)
            if is_hidden and part == one.edges:
                return None
            if one.look == GROUND:
                return Element("box", one.tag, box_of(part), as_color(fill), has_fill=True)
    return Element("picture", one.tag, box_of(part), as_color(fill), thumbnail=_thumbnail(view, part))


def ink_element(view: View, one: Evidence) -> Element | None:
    """Return a control that is no box by what of it differs from what is around it."""
    part = _inked(view, one.edges, one.around)
    if part is None:
        return None
    left, top, right, bottom = part
    colors = _colors(view, slice(top, bottom), slice(left, right))
    fill = _common(colors[_is_ink(colors, one.around)])
    return Element("box", one.tag, box_of(part), fill, has_fill=True)


def _colors(view: View, rows: slice, columns: slice) -> Pixels:
    """Return the colours of a part, text left out, shape (number, 3)."""
    colors, is_text = view.pixels[rows, columns], view.is_text[rows, columns]
    return colors[~is_text] if is_text.any() else colors.reshape(-1, 3)


def _common(colors: Pixels) -> Color:
    """Return the most common of colours, of a few of them where they are many, shape (number, 3)."""
    sample = colors[:: len(colors) // _SAMPLE + 1] @ np.array([1 << 16, 1 << 8, 1])
    ((color, _),) = Counter(sample.tolist()).most_common(1)
    return color >> 16, color >> 8 & 255, color & 255


def _is_ink(colors: Pixels, color: Sequence[int]) -> Mask:
    """Return which of many colours, shape (..., 3), differ from one."""
    low = np.array([max(level - INK, 0) for level in color], np.uint8)
    high = np.array([min(level + INK, 255) for level in color], np.uint8)
    # What is lower wraps around.
    is_other = colors - low > high - low
    found: Mask = is_other[..., 0] | is_other[..., 1] | is_other[..., 2]
    return found


def _inked(view: View, edges: list[int], around: Sequence[int]) -> list[int] | None:
    """Return the part of a box in which anything differs from what is around it; None: nothing does."""
    if around[0] < 0:
        return edges
    part = _part(edges)
    left, top, right, bottom = edges
    step = part[0].step
    ink = _is_ink(view.pixels[part], around) & ~view.is_text[part]
    rows, columns = np.flatnonzero(ink.any(axis=1)).tolist(), np.flatnonzero(ink.any(axis=0)).tolist()
    if not rows:
        return None
    return [
        left + step * columns[0],
        top + step * rows[0],
        min(left + step * (columns[-1] + 1), right),
        min(top + step * (rows[-1] + 1), bottom),
    ]


def _part(edges: list[int]) -> tuple[slice, slice]:
    """Return the rows and columns of a box, every few of them where it is large."""
    left, top, right, bottom = edges
    step = max(1, isqrt((right - left) * (bottom - top)) // _SIDE)
    return slice(top, bottom, step), slice(left, right, step)


def _thumbnail(view: View, edges: list[int]) -> tuple[Color, ...]:
    """Return means of a picture's parts, text left out where there is anything else."""
    left, top, right, bottom = edges
    pixels, is_text = view.pixels[top:bottom, left:right], view.is_text[top:bottom, left:right]
    size = (_THUMBNAIL, _THUMBNAIL)
    if not is_text.any():
        # Many small pictures take longer by `fromarray`.
        picture = Image.frombytes("RGB", pixels.shape[1::-1], pixels.tobytes())
        means = picture.resize(size, Image.Resampling.BOX).tobytes()
    else:
        crop = np.where(is_text[..., None], np.uint8(0), pixels)
        seen = np.where(is_text, np.uint8(0), np.uint8(255))
        sums, shares = (
            np.asarray(Image.fromarray(part).resize(size, Image.Resampling.BOX), np.float64)
            for part in (crop, seen)
        )
        whole = sums.reshape(-1, 3).sum(axis=0) / max(shares.sum(), 1)
        parts = np.where(shares[..., None] < 8, whole, sums / np.maximum(shares, 1)[..., None])
        means = np.clip(np.floor(255 * parts + 0.5), 0, 255).astype(np.uint8).tobytes()
    return tuple(zip(means[::3], means[1::3], means[2::3], strict=True))


def box_of(edges: Iterable[float]) -> Box:
    """Return left, top, right, bottom as a box."""
    left, top, right, bottom = map(float, edges)
    return left, top, right - left, bottom - top
