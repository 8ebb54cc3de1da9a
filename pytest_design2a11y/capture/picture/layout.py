"""At which width a picture's page was laid out, and how many of its pixels make one px of that layout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from pytest_design2a11y.models.page import CaptureWarning

#: Widths at which pages are commonly laid out, px: the usual one first.
WIDTHS = (1280, 1440, 1366, 1536, 1920, 1024, 768, 820, 834, 375, 390, 393, 360, 412, 414, 428, 430)
_SCALES = (1.0, 2.0, 3.0, 1.5)
_IN_NAME = re.compile(r"@([123](?:\.5)?)x$", re.IGNORECASE)
# A width may differ so much, as a share, from a multiple of a layout's.
_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Layout:
    """How a picture stands for a page.

    Attributes:
        width: Of the page's window, px.
        scale: Pixels of the picture for one px.
        warnings: What was inferred, where something was.
    """

    width: int
    scale: float
    warnings: tuple[CaptureWarning, ...] = ()


def layout_of(
    width: int, *, name: str = "", density: float | None = None, scale: float | None = None
) -> Layout:
    """Tell at which width and scale a picture shows its page.

    What is said beats what is inferred: the option, then `@2x` at the end of the name, then the file's
    density, then the width itself.

    Args:
        width: Of the picture, pixels.
        name: Of its file.
        density: Scale that the file's density gives, if any.
        scale: What the user says.
    """
    said = scale or _scale_in(name) or density
    if said:
        return Layout(max(1, round(width / said)), said, _rescaled(said, "as its name or file says", scale))
    if width in WIDTHS:
        return Layout(width, 1.0)
    for factor in _SCALES[1:]:
        for known in WIDTHS:
            if abs(width - factor * known) <= _TOLERANCE * factor * known and width > max(WIDTHS):
                why = "as its width suggests; `picture_scale` says otherwise"
                return Layout(known, width / known, _rescaled(factor, why, None))
    return Layout(width, 1.0, (_unknown(width),))


def _scale_in(name: str) -> float | None:
    found = _IN_NAME.search(PurePath(name).stem)
    return float(found.group(1)) if found else None


def _rescaled(scale: float, why: str, asked: float | None) -> tuple[CaptureWarning, ...]:
    if scale == 1.0 or asked:
        return ()
    return (CaptureWarning("picture_rescaled", f"The picture was taken as scale {scale:g}, {why}."),)


def _unknown(width: int) -> CaptureWarning:
    return CaptureWarning(
        "picture_width_unknown",
        f"No page is commonly laid out at {width} px: the picture was taken at scale 1, and the candidate is "
        f"rendered {width} px wide.",
    )
