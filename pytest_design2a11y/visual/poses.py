"""Whether a picture is another one turned or mirrored."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
Pose = Literal["mirrored", "upside down", "turned right", "turned left", "turned around"]

#: How a picture looks in another pose.
_POSES: dict[Pose, Callable[[Pixels], Pixels]] = {
    "mirrored": np.fliplr,
    "upside down": np.flipud,
    "turned around": lambda shown: np.rot90(shown, 2),
    "turned right": lambda shown: np.rot90(shown, -1),
    "turned left": np.rot90,
}
#: Side, px, at which pictures are compared; least likeness in another pose, and by how much it must exceed
#: the likeness as it is, as a share of what is missing there, and at least.
_SIDE, _LEAST, _BETTER, _MARGIN = 32, 0.97, 0.6, 0.05
#: The same of a part of a drawing.
LEAST_OF_PART = 0.85
#: Ratio of their sides that pictures in one pose share, about.
_SAME_RATIO = 1.2
#: Levels of 255; a picture whose pixels vary by less shows nothing.
_FAINT = 4.0


def pose_of(design: Pixels, made: Pixels, least: float = _LEAST) -> Pose | None:
    """Return in which pose the second picture shows the first; None if it shows something else, or the same.

    Args:
        design: Shape (height, width, 3).
        made: Likewise, of any size.
        least: How alike they must be, -1..1; parts of a drawing may have others over them.
    """
    if min(*design.shape[:2], *made.shape[:2]) < 3:
        return None
    reduced = _reduced(made)
    is_as_is = _likeness(_reduced(design), reduced)
    found = {}
    for pose, apply in _POSES.items():
        turned = apply(design)
        ratios = turned.shape[1] / turned.shape[0], made.shape[1] / made.shape[0]
        if max(ratios) <= _SAME_RATIO * min(ratios):
            found[pose] = _likeness(_reduced(turned), reduced)
    best = max(found, key=found.__getitem__, default=None)
    least = max(least, is_as_is + max(_BETTER * (1.0 - is_as_is), _MARGIN))
    return best if best is not None and found[best] >= least else None


def _reduced(shown: Pixels) -> NDArray[np.float64]:
    small = Image.fromarray(np.ascontiguousarray(shown)).resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return np.asarray(small, dtype=np.float64)


def _likeness(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the correlation of two pictures of one size, -1..1; 0 if one of them shows nothing."""
    around = [side - side.mean(axis=(0, 1)) for side in (first, second)]
    spreads = [float(np.sqrt((side**2).mean())) for side in around]
    if min(spreads) < _FAINT:
        return 0.0
    return float((around[0] * around[1]).mean() / (spreads[0] * spreads[1]))
