"""Two pages side by side in one picture, with numbered marks where they differ."""

import io
from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.visual import Difference

#: Pixels of one page in the picture at most: what models that see are given at full size.
_MOST_WIDTH, _MOST_HEIGHT = 760, 1500
_GAP, _HEAD = 16, 24
_COLORS = {"critical": "#c1121f", "serious": "#d95f02", "moderate": "#7b5ea7", "minor": "#4a6fa5"}


def side_by_side(
    pictures: Sequence[bytes],
    sizes: Sequence[tuple[int, int]],
    marked: Sequence[Difference],
    area: Box | None = None,
) -> bytes:
    """Return a PNG of both pages at one scale, the design first, with a numbered box for each difference.

    The pictures may be smaller than the pages, whose sizes (px) the differences' boxes refer to. With an
    `area` (px), only that part of both is shown.
    """
    left, top, width, height = area or (0.0, 0.0, *(max(size[axis] for size in sizes) for axis in (0, 1)))
    scale = min(1.0, _MOST_WIDTH / width, _MOST_HEIGHT / height)
    edges = left * scale, top * scale, (left + width) * scale, (top + height) * scale
    shown = []
    for data, size in zip(pictures, sizes, strict=True):
        whole = Image.open(io.BytesIO(data)).convert("RGB")
        whole = whole.resize([max(1, round(length * scale)) for length in size])
        shown.append(whole if area is None else whole.crop(edges))
    lefts = (0, shown[0].width + _GAP)
    size = lefts[1] + shown[1].width, _HEAD + max(picture.height for picture in shown)
    canvas = Image.new("RGB", size, "#808080")
    draw = ImageDraw.Draw(canvas)
    for at, picture, title, role in zip(
        lefts, shown, ("design", "page"), ("reference", "candidate"), strict=True
    ):
        canvas.paste(picture, (at, _HEAD))
        draw.text((at + 4, 6), title, fill="#ffffff")
        for number, difference in enumerate(marked, 1):
            if box := (getattr(difference, role) or {}).get("box"):
                shifted = (box[0] - left, box[1] - top, *box[2:])
                _mark(draw, shifted, number, _COLORS[difference.severity], (at, scale))
    file = io.BytesIO()
    canvas.save(file, "PNG", optimize=True)
    return file.getvalue()


def _mark(draw: Any, box: Sequence[float], number: int, color: str, place: tuple[int, float]) -> None:
    left, scale = place
    x, y, width, height = (length * scale for length in box)
    corner = left + x, _HEAD + y
    draw.rectangle((*corner, corner[0] + max(2, width), corner[1] + max(2, height)), outline=color, width=2)
    label = str(number)
    top = max(0, corner[1] - 12)
    draw.rectangle((corner[0], top, corner[0] + 7 * len(label) + 4, top + 12), fill=color)
    draw.text((corner[0] + 2, top), label, fill="#ffffff")
