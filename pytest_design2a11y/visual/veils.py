"""Veils, such as a dialog's backdrop, are put over both pages, if one of them alone has any."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pytest_design2a11y.models.elements import Element, Screenshot, Veil
from pytest_design2a11y.models.geometry import Color, clipped
from pytest_design2a11y.models.page import Capture

_DIALOGS = {"dialog", "alertdialog"}


def equally_veiled(design: Capture, page: Capture) -> tuple[Capture, Capture]:
    """Return both pages as they look beneath the veils that one of them has."""
    if bool(design.veils) == bool(page.veils):
        return design, page
    return _beneath(design, page.veils), _beneath(page, design.veils)


def _beneath(page: Capture, veils: Sequence[Veil]) -> Capture:
    # What is above the other page's veil would be put beneath it.
    if not veils or any(one.covers and one.role in _DIALOGS for one in page.elements or ()):
        return page
    pixels = page.screenshot.pixels.copy()
    for veil in veils:
        left, top, width, height = map(round, veil.box)
        part = pixels[top : top + height, left : left + width]
        part[:] = np.floor((1 - veil.alpha) * part + veil.alpha * np.array(veil.tint))
    elements = tuple(_element_beneath(one, veils) for one in page.elements or ())
    return replace(page, image=Screenshot.of_pixels(pixels), elements=elements)


def _element_beneath(element: Element, veils: Sequence[Veil]) -> Element:
    over = [veil for veil in veils if clipped(element.box, veil.box)]

    def mixed(color: Color) -> Color:
        for veil in over:
            red, green, blue = (
                int((1 - veil.alpha) * level + veil.alpha * tint)
                for level, tint in zip(color, veil.tint, strict=True)
            )
            color = red, green, blue
        return color

    if not over:
        return element
    return replace(
        element,
        fill=mixed(element.fill),
        border=element.border and mixed(element.border),
        lines=tuple(color and mixed(color) for color in element.lines),
        fills=tuple(map(mixed, element.fills)),
    )
