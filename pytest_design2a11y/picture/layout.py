"""The width at which a picture's page was laid out, and the picture's pixels per px of that layout."""

import math
from dataclasses import dataclass
from pathlib import PurePath

from pytest_design2a11y.models.page import SCALE_IN_NAME, CaptureWarning

#: Common layout widths of pages, px: the usual one first.
WIDTHS = (1280, 1440, 1366, 1536, 1920, 1024, 768, 820, 834, 375, 390, 393, 360, 412, 414, 428, 430)
#: Widths of phones, which have two or three pixels per px.
PHONE_WIDTHS = (375, 390, 393, 360, 412, 414, 428, 430)
# A phone's screen is taller than wide by this factor.
_PHONE_SHAPE = 1.5
#: For widths (px) below the first number, the ratio of a screen's height to it: phones, tablets, desktops.
_SCREEN_SHAPES = ((500, 812 / 375), (1000, 4 / 3), (math.inf, 10 / 16))
# Range of a picture's height, as shares of that height, in which it shows one screen.
_ONE_SCREEN = (0.8, 1.6)
_SCALES = (2.0, 3.0, 1.5)
# Greatest deviation of a width, as a share, from a multiple of a layout's width.
_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class PictureLayout:
    """A picture's layout as a page: the width of its window, px, and the picture's pixels per px."""

    width: int
    scale: float
    warnings: tuple[CaptureWarning, ...] = ()


def is_one_screen(width: int, height: int) -> bool:
    """Return whether a picture, in px of its page, is about as high as screens of its width."""
    shape = next(shape for limit, shape in _SCREEN_SHAPES if width < limit)
    return _ONE_SCREEN[0] <= height / (width * shape) <= _ONE_SCREEN[1]


def layout_of(
    width: int, height: int = 0, *, name: str = "", density: float | None = None, scale: float | None = None
) -> PictureLayout:
    """Return the width and scale at which a picture (size in pixels; height 0: unknown) shows its page.

    Determined by the option, else by `@2x` at the end of the name, else by the file's density, else by the
    width itself.
    """
    given = scale or _scale_in(name) or density
    if given:
        return PictureLayout(
            max(1, round(width / given)), given, _rescaled(given, "from its name or file", scale)
        )
    if width in WIDTHS:
        return PictureLayout(width, 1.0)
    # Possible scales and widths, most likely first.
    likely: list[tuple[float, int]] = []
    if height > _PHONE_SHAPE * width:
        likely += [(width / known, known) for known in PHONE_WIDTHS if width in (2 * known, 3 * known)]
    if width > max(WIDTHS):
        likely += [
            (factor, known)
            for factor in _SCALES
            for known in WIDTHS
            if abs(width - factor * known) <= _TOLERANCE * factor * known
        ]
    if not likely:
        return PictureLayout(width, 1.0, (_unknown(width),))
    factor, known = likely[0]
    why = "as its width suggests; `picture_scale` says otherwise"
    return PictureLayout(known, width / known, _rescaled(factor, why, None))


def _scale_in(name: str) -> float | None:
    found = SCALE_IN_NAME.search(PurePath(name).stem)
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
