"""What of a picture, or of a control that is not a plain box, is seen."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.capture.elements.colors import Integers, as_color, difference, most_common_colors
from pytest_design2a11y.capture.elements.evidence import FILL, INK, SHOWN, Evidence
from pytest_design2a11y.capture.elements.view import View
from pytest_design2a11y.capture.text.candidates import Candidates
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color

# Of what may be a picture, less than this share of pixels shows anything but one colour: it is flat.
_FLAT_SHARE = 0.002
_THUMBNAIL = 6


def picture_element(
    view: View, image: Image.Image, candidates: Candidates, edges: Integers, evidence: Evidence, at: int
) -> Element | None:
    """Return a picture as far as it shows; a box where it shows one colour; None where it shows nothing."""
    around = evidence.around[at]
    part = _inked(view, edges[at], around, evidence.steps[at])
    if part is None:
        return None
    left, top, right, bottom = part.tolist()
    tag, fill = candidates.tags[at], evidence.fill[at]
    if evidence.is_plain[at] or (part != edges[at]).any():
        crop, is_text = view.pixels[top:bottom, left:right], view.is_text[top:bottom, left:right]
        colors = crop.reshape(1, -1, 3)[:, ~is_text.reshape(-1)].astype(np.int16)
        if not colors.size:
            return None
        common, _ = most_common_colors(colors, np.ones(colors.shape[:2], dtype=bool))
        fill = common[0]
        if (difference(colors, fill) > INK).mean() < _FLAT_SHARE:
            is_there = around.min() < 0 or difference(fill, around) > FILL
            return Element("box", tag, box_of(part), as_color(fill), has_fill=True) if is_there else None
    thumbnail = _thumbnail(view, image, (left, top, right, bottom))
    return Element("picture", tag, box_of(part), as_color(np.maximum(fill, 0)), thumbnail=thumbnail)


def ink_element(
    view: View, candidates: Candidates, edges: Integers, evidence: Evidence, at: int
) -> Element | None:
    """Return a control that is no box by what of it differs from what is around it."""
    part = _inked(view, edges[at], evidence.around[at], evidence.steps[at])
    if part is None:
        return None
    left, top, right, bottom = part.tolist()
    colors = view.pixels[top:bottom, left:right].reshape(1, -1, 3).astype(np.int16)
    seen = ~view.is_text[top:bottom, left:right].reshape(1, -1) & (
        difference(colors, evidence.around[at]) > INK
    )
    fill, _ = most_common_colors(colors, seen)
    return Element("box", candidates.tags[at], box_of(part), as_color(np.maximum(fill[0], 0)), has_fill=True)


def _inked(view: View, edges: Integers, around: Integers, steps: NDArray[np.float64]) -> Integers | None:
    """Return the part of a box in which anything differs from what is around it; None: nothing does."""
    if around.min() < 0 or (np.nan_to_num(steps, nan=1.0) >= SHOWN).all():
        return edges
    left, top, right, bottom = edges.tolist()
    step = max(1, isqrt((right - left) * (bottom - top)) // 512)
    part = (slice(top, bottom, step), slice(left, right, step))
    ink = (difference(view.pixels[part].astype(np.int16), around.astype(np.int16)) > INK) & ~view.is_text[
        part
    ]
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


def _thumbnail(view: View, image: Image.Image, edges: tuple[int, int, int, int]) -> tuple[Color, ...]:
    """Return means of a picture's parts, text left out where there is anything else."""
    left, top, right, bottom = edges
    is_text = view.is_text[top:bottom, left:right]
    size = (_THUMBNAIL, _THUMBNAIL)
    if not is_text.any():
        means = np.asarray(image.resize(size, Image.Resampling.BOX, box=edges)).reshape(-1, 3)
        return tuple(as_color(mean) for mean in means)
    crop = np.where(is_text[..., None], 0, view.pixels[top:bottom, left:right])
    seen = np.where(is_text, 0, 255).astype(np.uint8)
    sums, shares = (
        np.asarray(Image.fromarray(part).resize(size, Image.Resampling.BOX), np.float64)
        for part in (crop, seen)
    )
    whole = sums.reshape(-1, 3).sum(axis=0) / max(shares.sum(), 1)
    parts = np.where(shares[..., None] < 8, whole, sums / np.maximum(shares, 1)[..., None]).reshape(-1, 3)
    return tuple(as_color(part) for part in np.clip(np.floor(255 * parts + 0.5), 0, 255).astype(np.int64))


def box_of(edges: Iterable[float]) -> Box:
    """Return left, top, right, bottom as a box."""
    left, top, right, bottom = map(float, edges)
    return left, top, right - left, bottom - top
