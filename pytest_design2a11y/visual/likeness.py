"""What two pictures of one size have in common: the same on another ground, or all but one part."""

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.visual.scene.sight import main_color

Pixels = NDArray[np.uint8]

#: Levels of 255 by which a color, and a ground, differ from another one at least.
_OTHER, _STRIKING = 12, 32
#: Least share of a picture's edges that shows its ground; of its drawing, and of its ground, that is alike.
_GROUND, _DRAWN, _BARE = 0.6, 0.85, 0.95
#: Levels by which a paler picture may differ from one mixed with a single color, and by which it varies at
#: least; the least and the greatest strength of what is paler.
_MIXED, _FLAT, _STRENGTHS = 4.0, 8.0, (0.1, 0.95)
#: Square of the distance from its middle, in radii, from which a pixel lies outside a circle.
_CORNER = 1.2
#: Greatest difference of how far each pixel of a drawing goes from its ground to its ink, on average.
_SAME_INK = 0.1
#: A part is at most this share of a picture's width or height.
_PART = 0.6


def is_on_another_ground(design: Pixels, made: Pixels) -> bool:
    """Return whether two pictures show the same on grounds of different colors.

    Args:
        design: Shape (height, width, 3).
        made: Likewise; of another size, it is not the same.
    """
    if design.shape != made.shape or not design.size:
        return False
    design_ground, made_ground = _ground(design), _ground(made)
    if design_ground is None or made_ground is None or _apart(design_ground, made_ground) <= _OTHER:
        return False
    bare = _apart(design, design_ground) <= _OTHER, _apart(made, made_ground) <= _OTHER
    is_same = _apart(design, made) <= _OTHER
    return any(
        not first.all() and is_same[~first].mean() >= _DRAWN and second[first].mean() >= _BARE
        for first, second in (bare, bare[::-1])
    )


def is_drawn_alike(design: Pixels, made: Pixels) -> bool:
    """Return whether two drawings have the same lines, whatever the colors of their ink and ground."""
    if design.shape != made.shape or not design.size:
        return False
    design_ink, made_ink = _inked(design), _inked(made)
    if design_ink is None or made_ink is None:
        return False
    is_drawn = np.maximum(design_ink, made_ink) > 2 * _SAME_INK
    return bool(is_drawn.any()) and float(np.abs(design_ink - made_ink)[is_drawn].mean()) <= _SAME_INK


def _inked(shown: Pixels) -> NDArray[np.float64] | None:
    """Return how far each pixel is from the ground, 0, to what is farthest, 1; None without a ground."""
    if (ground := _ground(shown)) is None:
        return None
    apart = shown.astype(np.float64) - ground
    way = apart.reshape(-1, 3)[int(np.abs(apart).max(axis=2).argmax())]
    inked: NDArray[np.float64] = apart @ way / max(float(way @ way), 1.0)
    return inked


def strength_of(design: Pixels, made: Pixels) -> float | None:
    """Return how strong the design's picture is once mixed with one color, 0..1; None if it is not that."""
    if design.shape != made.shape or not design.size:
        return None
    levels = (side.reshape(-1, 3).astype(np.float64) for side in (design, made))
    design_levels, made_levels = (level - level.mean(axis=0) for level in levels)
    if design_levels.std() < _FLAT:
        return None
    strength = float((design_levels * made_levels).sum() / (design_levels**2).sum())
    is_mixed = float(np.sqrt(((made_levels - strength * design_levels) ** 2).mean())) <= _MIXED
    return strength if is_mixed and _STRENGTHS[0] <= strength <= _STRENGTHS[1] else None


def is_round(shown: Pixels) -> bool:
    """Return whether the surroundings of a picture reach into its corners, up to an ellipse within it.

    Args:
        shown: With a pixel of its surroundings on every side, shape (height, width, 3).
    """
    ground, shown = shown[0, 0], shown[1:-1, 1:-1]
    height, width = shown.shape[:2]
    rows, columns = np.ogrid[:height, :width]
    across, down = (2 * columns + 1 - width) / (width - 2), (2 * rows + 1 - height) / (height - 2)
    outside = shown[across**2 + down**2 > _CORNER]
    return bool(len(outside)) and bool((_apart(outside, ground) <= _OTHER).all())


def changed_part(design: Pixels, made: Pixels) -> str | None:
    """Return where the only part lies in which two pictures differ, its share, and its colors, in words.

    Such as "at the top left, in 4% of it, mostly #c80000 instead of #ffffff"; colors only if one is most of
    what differs. None if they differ all over.
    """
    if design.shape != made.shape or not design.size:
        return None
    is_other = _apart(design, made) > _STRIKING
    places, extents = [], 1.0
    for axis, (first, last) in enumerate((("top", "bottom"), ("left", "right"))):
        along = np.flatnonzero(is_other.any(axis=1 - axis))
        length = is_other.shape[axis]
        if not len(along):
            return None
        start, end = int(along[0]), int(along[-1]) + 1
        extents *= (end - start) / length
        middle = (start + end) / 2 / length
        if end - start <= _PART * length and not 0.4 <= middle <= 0.6:
            places.append(first if middle < 0.5 else last)
    if extents > _PART:
        return None
    place = f"at the {' '.join(places)}" if places else "in the middle"
    old, new = (main_color(shown[is_other]) for shown in (design, made))
    colors = ""
    if old and new and _apart(np.array(old), np.array(new)) > _OTHER:
        colors = f", mostly {hex_color(new)} instead of {hex_color(old)}"
    return f"{place}, in {extents:.0%} of it{colors}"


def _ground(shown: Pixels) -> NDArray[np.int16] | None:
    """Return the color of most of a picture's edges; None if they have several."""
    rim = np.concatenate([shown[0], shown[-1], shown[:, 0], shown[:, -1]])
    colors, counts = np.unique(rim, axis=0, return_counts=True)
    most = int(counts.argmax())
    return colors[most].astype(np.int16) if counts[most] >= _GROUND * len(rim) else None


def _apart(first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int16]:
    """Return the largest difference of any channel, in levels of 255."""
    apart: NDArray[np.int16] = np.abs(first.astype(np.int16) - second.astype(np.int16)).max(axis=-1)
    return apart
