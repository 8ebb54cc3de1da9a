"""Captures before anything is read from their page, and parts of them."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import version

from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import Capture, Environment, Role, Screenshot


@cache
def installed_version(package: str) -> str:
    """Return the version of a package; to look it up takes milliseconds."""
    return version(package)


def empty_capture(label: str, role: Role, *, build: str, has_sandbox: bool) -> Capture:
    """Return a capture without what is read from its page; `build` is the browser's version."""
    environment = Environment(
        chromium=build,
        axe=None,
        package=installed_version("pytest-design2a11y"),
        playwright=installed_version("playwright"),
        platform=f"{platform.system()} {platform.machine()}",
        sandbox=has_sandbox,
    )
    return Capture(label, role, None, (0, 0), (), (), environment)


def cut_out(capture: Capture, part: Box | None) -> Capture:
    """Return what a capture shows in a box of its page, as if that were the page; None: all of it."""
    if part is None:
        return capture

    def within(boxes: Iterable[Box]) -> tuple[Box, ...]:
        inside = (shown for box in boxes if (shown := clipped(box, part)) is not None)
        return tuple((x - part[0], y - part[1], width, height) for x, y, width, height in inside)

    left, top, width, height = map(int, part)
    runs = (replace(run, boxes=within(run.boxes)) for run in capture.text_runs)
    elements = ((element, within([element.box])) for element in capture.elements or ())
    image = capture.image
    if image is not None:
        image = Screenshot.of_pixels(image.pixels[top : top + height, left : left + width])
    return replace(
        capture,
        image=image,
        page_size=(width, height),
        text_runs=tuple(run for run in runs if run.boxes),
        elements=capture.elements and tuple(replace(one, box=boxes[0]) for one, boxes in elements if boxes),
        picture_boxes=within(capture.picture_boxes),
        mask_boxes=within(capture.mask_boxes),
    )
