"""What was read from a page, and what rendered it, as one record."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import version

from pytest_design2a11y.capture.mask import screenshot_of
from pytest_design2a11y.capture.read_page import PageContents
from pytest_design2a11y.models.engines import AXE
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.page import Capture, CaptureWarning, Environment, Role


@cache
def installed_version(package: str) -> str:
    """Return the version of a package; to look it up takes milliseconds."""
    return version(package)


def make_capture(
    label: str,
    role: Role,
    reading: PageContents,
    *,
    warnings: tuple[CaptureWarning, ...],
    build: str,
    has_sandbox: bool,
    seconds: float = 0.0,
) -> Capture:
    """Make a capture.

    Args:
        label: How reports name the page.
        role: Which side of a comparison it is on.
        reading: What was read.
        warnings: All that there are, in order.
        build: The browser's version, as `build_of` gives it.
        has_sandbox: Whether the browser's renderers are sandboxed.
        seconds: What it took.
    """
    capture = Capture(
        label=label,
        role=role,
        image=reading.image,
        image_error=reading.image_error,
        page_size=reading.page_size,
        text_runs=reading.text_runs,
        elements=reading.elements,
        ground=reading.ground,
        picture_boxes=reading.picture_boxes,
        mask_boxes=reading.mask_boxes,
        warnings=warnings,
        environment=Environment(
            chromium=build,
            axe=reading.audits[AXE].version if AXE in reading.audits else None,
            package=installed_version("pytest-design2a11y"),
            playwright=installed_version("playwright"),
            platform=f"{platform.system()} {platform.machine()}",
            sandbox=has_sandbox,
        ),
        viewport=reading.viewport,
        conditions=reading.conditions,
        audits=reading.audits,
        audit_errors=reading.audit_errors,
        seconds=seconds,
    )
    return capture if reading.part_box is None else _cut_out(capture, reading.part_box)


def _cut_out(capture: Capture, part: Box) -> Capture:
    """Return what a capture shows in a box of its page, as if that were the page."""

    def within(boxes: Iterable[Box]) -> tuple[Box, ...]:
        inside = (shown for box in boxes if (shown := clipped(box, part)) is not None)
        return tuple((x - part[0], y - part[1], width, height) for x, y, width, height in inside)

    left, top, width, height = map(int, part)
    runs = (replace(run, boxes=within(run.boxes)) for run in capture.text_runs)
    elements = ((element, within([element.box])) for element in capture.elements or ())
    image = capture.image
    if image is not None:
        image = screenshot_of(image.pixels[top : top + height, left : left + width])
    return replace(
        capture,
        image=image,
        page_size=(width, height),
        text_runs=tuple(run for run in runs if run.boxes),
        elements=capture.elements and tuple(replace(one, box=boxes[0]) for one, boxes in elements if boxes),
        picture_boxes=within(capture.picture_boxes),
        mask_boxes=within(capture.mask_boxes),
    )
