"""The visible part of a picture, or of a control that is not a plain box."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, isqrt
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.capture.elements.evidence import FILL, INK, Evidence
from pytest_design2a11y.capture.elements.view import Mask, Pixels, View, as_color, differs
from pytest_design2a11y.capture.text.candidates import GROUND, ICON, PICTURE
from pytest_design2a11y.models.colors import largest_channel
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color

# A possible picture is flat if less than this share of its pixels differs from one color.
_FLAT_SHARE = 0.002
# Number of parts in each direction whose mean colors, and luma, are taken.
_THUMBNAIL = 6
_TEXTURE = 24
# px; a picture up to this size is an icon; drawn content has at least the second size.
_ICON = 48
_LEAST_ICON = 3
# Largest share of a box that a mark may take; share of its corners' radius that is not checked.
_MARK = 0.5
_CORNER = 0.3
# Pictures whose place and size is that of their box, whatever shows in it.
_FRAMED = {"img", "svg", "canvas", "video"}
# If this share of a glyph's surroundings differs in color, as on a photograph, its own color tells its ink.
_UNEVEN = 0.1
# How far the pixels of a thin glyph go from its ground to its color, as a share.
_INKED = (0.6, 1.1)
# Number of pixels from which a part's color is found.
_SAMPLE = 400
# Number of a part's rows and columns that are checked.
_SIDE = 256


def picture_element(view: View, evidence: Evidence, behind: Sequence[int]) -> Iterator[Element]:
    """Yield a picture as far as it shows, or lacks its file; a box if it shows one color; else nothing."""
    if evidence.about.get("unloaded"):
        # A browser may draw a frame and an alternative text in its place.
        yield Element("picture", evidence.tag, box_of(evidence.edges), as_color(evidence.around))
        return
    is_framed = all(map(or_, evidence.is_step, evidence.is_off))
    part = evidence.edges if is_framed else _inked(view, evidence.edges, evidence.around, evidence.rank)
    if part is None:
        return
    fill: Sequence[int] = evidence.fill
    if evidence.is_plain or part != evidence.edges:
        colors = _colors(view, *_part(part), evidence.rank)
        if not len(colors):
            return
        fill = _common(colors)
        if np.count_nonzero(_is_ink(colors, fill)) < _FLAT_SHARE * len(colors):
            is_hidden = not any(evidence.is_step) or (not is_framed and differs(fill, behind) <= FILL)
            if not (is_hidden and part == evidence.edges):
                yield Element("box", evidence.tag, box_of(part), as_color(fill), has_fill=True)
            return
    if _is_icon(part):
        is_beside_text = evidence.kind == GROUND and part != evidence.edges
        yield from icon_element(view, evidence, _with_rim(part) if is_beside_text else evidence.edges)
        return
    if evidence.kind == PICTURE and evidence.tag in _FRAMED:
        part = evidence.edges
    thumbnail, texture = _thumbnail(view, part, evidence.rank)
    yield Element("picture", evidence.tag, box_of(part), as_color(fill), thumbnail=thumbnail, texture=texture)


def ink_element(view: View, evidence: Evidence) -> Element | None:
    """Return a control without a box by the part of it that differs from its surroundings."""
    part = _inked(view, evidence.edges, evidence.around)
    if part is None:
        return None
    left, top, right, bottom = part
    colors = _colors(view, slice(top, bottom), slice(left, right), evidence.rank)
    fill = _common(colors[_is_ink(colors, evidence.around)])
    return Element("box", evidence.tag, box_of(part), fill, has_fill=True)


def mark_in(view: View, evidence: Evidence) -> list[int] | None:
    """Return the edges of a small mark that a background image draws in a single-color box, if any."""
    if evidence.fill[0] < 0:
        return None
    left, top, right, bottom = evidence.edges
    radius = min(evidence.radius, (right - left) / 2, (bottom - top) / 2)
    depth = [ceil(reach + _CORNER * radius) + 1 for reach in evidence.inner]
    inside = [left + depth[3], top + depth[0], right - depth[1], bottom - depth[2]]
    is_box = inside[2] > inside[0] and inside[3] > inside[1]
    part = _inked(view, inside, evidence.fill, evidence.rank) if is_box else None
    if part is None or not _is_icon(part):
        return None
    area = (part[2] - part[0]) * (part[3] - part[1])
    return _with_rim(part) if area <= _MARK * (right - left) * (bottom - top) else None


def _with_rim(part: list[int]) -> list[int]:
    return [part[0] - 1, part[1] - 1, part[2] + 1, part[3] + 1]


def icon_element(view: View, evidence: Evidence, edges: Sequence[int]) -> Iterator[Element]:
    """Yield the part of a small drawing that differs from its surroundings, in its own color."""
    height, width = view.is_text.shape
    left, top, right, bottom = max(edges[0], 0), max(edges[1], 0), min(edges[2], width), min(edges[3], height)
    crop = view.pixels[top:bottom, left:right]
    if not crop.size:
        return
    rim = _rim(crop)
    ground, around = _common(rim), as_color(evidence.around)
    is_glyph = evidence.kind == ICON and evidence.tint[3] > 0
    is_apart = False
    if list(edges) == evidence.edges and min(evidence.around) >= 0:
        is_nearer = differs(ground, evidence.tint[:3]) < differs(around, evidence.tint[:3])
        is_apart = bool(_is_ink(rim, around).all())
        if is_nearer if is_glyph else not is_apart:
            ground = around
    ink = _is_ink(crop, ground)
    if is_glyph:
        own, behind = (
            largest_channel(np.abs(crop - np.array(color))) for color in (evidence.tint[:3], ground)
        )
        is_own = own < behind
        beside = _rim(ink)[~_rim(is_own)]
        if np.count_nonzero(beside) > _UNEVEN * len(beside):
            ink = is_own
    ink &= view.ranks[top:bottom, left:right] <= evidence.rank
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if len(rows) < _LEAST_ICON and len(columns) < _LEAST_ICON:
        return
    part = [left + int(columns[0]), top + int(rows[0]), left + int(columns[-1]) + 1, top + int(rows[-1]) + 1]
    # Most pixels of a thin drawing are blended with the background.
    inked = crop[ink]
    contrasts = np.abs(inked.astype(np.int64) - np.array(ground)).sum(axis=1)
    middle = len(contrasts) // 2
    fill = _common(inked[contrasts >= np.partition(contrasts, middle)[middle]])
    if is_glyph:
        fill = _full_ink(inked, evidence.tint, ground) or fill
    if evidence.tag == "img" or (is_apart and (evidence.tag in _FRAMED or evidence.kind == GROUND)):
        part = list(edges)
    thumbnail, texture = _thumbnail(view, part, None)
    yield Element("icon", evidence.tag, box_of(part), fill, thumbnail=thumbnail, texture=texture)


def _full_ink(inked: Pixels, tint: Sequence[float], ground: Color) -> Color | None:
    """Return a glyph's own color as mixed with its ground; None if its darkest pixels are not nearly that."""
    way = tint[3] * np.subtract(tint[:3], ground)
    reach = float(((inked.astype(np.float64) - ground) @ way).max()) / max(float(way @ way), 1.0)
    return as_color(np.rint(ground + way).astype(int).tolist()) if _INKED[0] <= reach <= _INKED[1] else None


def _rim(part: NDArray[Any]) -> NDArray[Any]:
    """Return the pixels along the four sides of a part."""
    return np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])


def _is_icon(edges: Sequence[int]) -> bool:
    return max(edges[2] - edges[0], edges[3] - edges[1]) <= _ICON


def _is_own(view: View, rows: slice, columns: slice, rank: int) -> Mask:
    """Return which pixels count: those not covered by text or anything else, if there are any."""
    own = view.is_own(rows, columns, rank)
    return own if own.any() else ~view.is_text[rows, columns]


def _colors(view: View, rows: slice, columns: slice, rank: int) -> Pixels:
    """Return the colors of a part that are its own, shape (number, 3)."""
    colors, is_own = view.pixels[rows, columns], _is_own(view, rows, columns, rank)
    return colors.reshape(-1, 3) if is_own.all() else colors[is_own]


def _common(colors: Pixels) -> Color:
    """Return the most common color, from a sample if there are many; `colors` has shape (number, 3)."""
    sample = colors[:: len(colors) // _SAMPLE + 1] @ np.array([1 << 16, 1 << 8, 1])
    ((color, _),) = Counter(sample.tolist()).most_common(1)
    return color >> 16, color >> 8 & 255, color & 255


def _is_ink(colors: Pixels, color: Sequence[int]) -> Mask:
    """Return which of many colors, shape (..., 3), differ from one."""
    low = np.array([max(level - INK, 0) for level in color], np.uint8)
    high = np.array([min(level + INK, 255) for level in color], np.uint8)
    # Lower values wrap around.
    is_other = colors - low > high - low
    found: Mask = is_other[..., 0] | is_other[..., 1] | is_other[..., 2]
    return found


def _inked(view: View, edges: list[int], around: Sequence[int], rank: int | None = None) -> list[int] | None:
    """Return the part of a box in which anything differs from its surroundings; None if nothing does."""
    if around[0] < 0:
        return edges
    part = _part(edges)
    is_own = ~view.is_text[part] if rank is None else _is_own(view, *part, rank)
    ink = _is_ink(view.pixels[part], around) & is_own
    rows, columns = np.flatnonzero(ink.any(axis=1)).tolist(), np.flatnonzero(ink.any(axis=0)).tolist()
    if not rows:
        return None
    left, top, right, bottom = edges
    step, up, across = part[0].step, part[0].start, part[1].start
    # With as much on each side as the search may have missed.
    return [
        max(across + step * (columns[0] - 1) + 1, left),
        max(up + step * (rows[0] - 1) + 1, top),
        min(across + step * (columns[-1] + 1), right),
        min(up + step * (rows[-1] + 1), bottom),
    ]


def _part(edges: list[int]) -> tuple[slice, slice]:
    """Return the rows and columns of a box; if it is large, a sample that is the same from either end."""
    left, top, right, bottom = edges
    step = isqrt((right - left) * (bottom - top)) // _SIDE | 1

    def sampled(start: int, end: int) -> slice:
        last = end - start - 1
        return slice(start + min(last * (step + 1) // 2 % step, last), end, step)

    return sampled(top, bottom), sampled(left, right)


def _thumbnail(view: View, edges: list[int], rank: int | None) -> tuple[tuple[Color, ...], tuple[int, ...]]:
    """Return mean colors of a picture's parts, and luma of finer parts, without what covers it."""
    left, top, right, bottom = edges
    pixels, size = view.pixels[top:bottom, left:right], (_TEXTURE, _TEXTURE)
    is_own = None if rank is None else _is_own(view, slice(top, bottom), slice(left, right), rank)
    if is_own is None or is_own.all():
        # For many small pictures, `fromarray` is slower.
        whole = Image.frombytes("RGB", pixels.shape[1::-1], pixels.tobytes())
        fine = whole.resize(size, Image.Resampling.BOX)
    else:
        crop = np.where(is_own[..., None], pixels, np.uint8(0))
        seen = np.where(is_own, np.uint8(255), np.uint8(0))
        sums, shares = (
            np.asarray(Image.fromarray(part).resize(size, Image.Resampling.BOX), np.float64)
            for part in (crop, seen)
        )
        mean = sums.reshape(-1, 3).sum(axis=0) / max(shares.sum(), 1)
        parts = np.where(shares[..., None] < 8, mean, sums / np.maximum(shares, 1)[..., None])
        fine = Image.fromarray(np.clip(np.floor(255 * parts + 0.5), 0, 255).astype(np.uint8))
    means = fine.resize((_THUMBNAIL, _THUMBNAIL), Image.Resampling.BOX).tobytes()
    return tuple(zip(means[::3], means[1::3], means[2::3], strict=True)), tuple(fine.convert("L").tobytes())


def box_of(edges: Iterable[float]) -> Box:
    """Return left, top, right, bottom as a box."""
    left, top, right, bottom = map(float, edges)
    return left, top, right - left, bottom - top
