"""What of a picture, or of a control that is not a plain box, is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.capture.elements.colors import Integers, Mask, as_color, difference
from pytest_design2a11y.capture.elements.evidence import FILL, INK, Evidence
from pytest_design2a11y.capture.elements.view import Pixels, View
from pytest_design2a11y.capture.text.candidates import GROUND, Candidates
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color

# Of what may be a picture, less than this share of pixels shows anything but one colour: it is flat.
_FLAT_SHARE = 0.002
_THUMBNAIL = 6
# Pixels that tell the colour of a part.
_SAMPLE = 400
# Rows and columns of a part that are looked at.
_SIDE = 256


def picture_element(
    view: View,
    candidates: Candidates,
    edges: Integers,
    evidence: Evidence,
    at: int,
    behind: NDArray[np.integer],
) -> Element | None:
    """Return a picture as far as it shows; a box where it shows one colour; None where it shows nothing."""
    around = evidence.around[at]
    is_framed = bool((evidence.is_step[at] | evidence.is_off[at]).all())
    part = edges[at] if is_framed else _inked(view, edges[at], around)
    if part is None:
        return None
    left, top, right, bottom = part.tolist()
    tag, fill = candidates.tags[at], evidence.fill[at]
    if evidence.is_plain[at] or (part != edges[at]).any():
        parts = _part(part)
        colors = view.pixels[parts][~view.is_text[parts]]
        if not len(colors):
            return None
        fill = _common(colors)
        if np.count_nonzero(_is_ink(colors, fill)) < _FLAT_SHARE * len(colors):
            is_step = evidence.is_step[at]
            is_hidden = not is_step.any() or (not is_framed and difference(fill, behind) <= FILL)
            if is_hidden and (part == edges[at]).all():
                return None
            if candidates.looks[at] == GROUND:
                return Element("box", tag, box_of(part), as_color(fill), has_fill=True)
    thumbnail = _thumbnail(view.pixels[top:bottom, left:right], view.is_text[top:bottom, left:right])
    return Element("picture", tag, box_of(part), as_color(np.maximum(fill, 0)), thumbnail=thumbnail)


def ink_element(
    view: View, candidates: Candidates, edges: Integers, evidence: Evidence, at: int
) -> Element | None:
    """Return a control that is no box by what of it differs from what is around it."""
    part = _inked(view, edges[at], evidence.around[at])
    if part is None:
        return None
    left, top, right, bottom = part.tolist()
    colors = view.pixels[top:bottom, left:right][~view.is_text[top:bottom, left:right]]
    fill = _common(colors[_is_ink(colors, evidence.around[at])])
    return Element("box", candidates.tags[at], box_of(part), as_color(fill), has_fill=True)


def _common(colors: Pixels) -> Integers:
    """Return the most common of colours, of a few of them where they are many, shape (number, 3)."""
    sample = np.ascontiguousarray(colors[:: len(colors) // _SAMPLE + 1])
    ((color, _),) = Counter(sample.view("V3").ravel().tolist()).most_common(1)
    return np.frombuffer(color, np.uint8).astype(np.int64)


def _is_ink(colors: Pixels, color: Integers) -> Mask:
    """Return which of many colours, shape (..., 3), differ from one."""
    low = np.maximum(color - INK, 0).astype(np.uint8)
    high = np.clip(color + INK, 0, 255).astype(np.uint8)
    is_other = (colors < low) | (colors > high)
    found: Mask = is_other[..., 0] | is_other[..., 1] | is_other[..., 2]
    return found


def _inked(view: View, edges: Integers, around: Integers) -> Integers | None:
    """Return the part of a box in which anything differs from what is around it; None: nothing does."""
    if around[0] < 0:
        return edges
    part = _part(edges)
    (left, top), step = edges[:2].tolist(), part[0].step
    ink = _is_ink(view.pixels[part], around) & ~view.is_text[part]
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    found = (
        left + step * columns[0],
        top + step * rows[0],
        left + step * (columns[-1] + 1),
        top + step * (rows[-1] + 1),
    )
    inked: Integers = np.minimum(np.array(found), edges[[2, 3, 2, 3]])
    return inked


def _part(edges: Integers) -> tuple[slice, slice]:
    """Return the rows and columns of a box, every few of them where it is large."""
    left, top, right, bottom = edges.tolist()
    step = max(1, isqrt((right - left) * (bottom - top)) // _SIDE)
    return slice(top, bottom, step), slice(left, right, step)


def _thumbnail(pixels: NDArray[np.uint8], is_text: Mask) -> tuple[Color, ...]:
    """Return means of a picture's parts, text left out where there is anything else."""
    size = (_THUMBNAIL, _THUMBNAIL)
    if not is_text.any():
        means = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX)).reshape(-1, 3)
    else:
        crop = np.where(is_text[..., None], np.uint8(0), pixels)
        seen = np.where(is_text, np.uint8(0), np.uint8(255))
        sums, shares = (
            np.asarray(Image.fromarray(part).resize(size, Image.Resampling.BOX), np.float64)
            for part in (crop, seen)
        )
        whole = sums.reshape(-1, 3).sum(axis=0) / max(shares.sum(), 1)
        parts = np.where(shares[..., None] < 8, whole, sums / np.maximum(shares, 1)[..., None])
        means = np.clip(np.floor(255 * parts.reshape(-1, 3) + 0.5), 0, 255).astype(np.uint8)
    return tuple((red, green, blue) for red, green, blue in means.tolist())


def box_of(edges: Iterable[float]) -> Box:
    """Return left, top, right, bottom as a box."""
    left, top, right, bottom = map(float, edges)
    return left, top, right - left, bottom - top
