"""What a text lies on, as the screenshot shows it."""

from __future__ import annotations

from pytest_design2a11y.models.colors import most_frequent_color
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.page import Screenshot


def ground_of(box: Box, screenshot: Screenshot, color: Color) -> Color | None:
    """Return the most frequent colour around a text (px), its own left out; None outside the screenshot."""
    left, top, right, bottom = (
        round(edge) for edge in (box[0] - 1, box[1] - 1, box[0] + box[2] + 1, box[1] + box[3] + 1)
    )
    crop = screenshot.pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    if not crop.size:
        return None
    red, green, blue = (round(channel) for channel in most_frequent_color(crop, own=color).tolist())
    return red, green, blue
