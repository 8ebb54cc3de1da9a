"""Parts of a page: masked ones are left out and painted over; or a single one is captured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil, floor

from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage
from pytest_design2a11y.exceptions import ConfigurationError, StepFailed
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box, clipped, is_inside, moved
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.wording import command_flag, quotes_advice


def mask_boxes(
    page: FrozenPage, selectors: Sequence[str]
) -> tuple[tuple[Box, ...], tuple[CaptureWarning, ...]]:
    """Return boxes of masked elements, px of the page, and warnings for selectors that match nothing."""
    found: dict[str, list[Box]] = {selector: [] for selector in selectors}
    if found:
        with page.stage("mask"):
            for world in page.worlds:
                for selector, box in _found(world, selectors, named=command_flag("mask")):
                    found[selector].append(box)
    missing = ", ".join(text for text, boxes in found.items() if not _shown(page, boxes))
    message = f"Nothing on the page fits what is to be masked: {missing}."
    warnings = (CaptureWarning("mask_missing", message),) if missing else ()
    return _shown(page, chain.from_iterable(found.values())), warnings


def _shown(page: FrozenPage, boxes: Iterable[Box]) -> tuple[Box, ...]:
    return tuple(sorted({shown for box in boxes if (shown := clipped(box, page.area)) is not None}))


def part_box(page: FrozenPage, selector: str) -> tuple[Box, str, tuple[CaptureWarning, ...]]:
    """Return the whole-px box and selector of the first visible element that matches, and warnings.

    The box may reach beyond the captured page.
    """
    with page.stage("part"):
        found = (box for _, box in _found(page.worlds[0], [selector], named=command_flag("part")))
        fitting = [box for box in found if clipped(box, page.area) is not None]
        find = "capture/page/mask.js", "selectorOf"
        first, (left, top) = fitting[0] if fitting else page.area, page.worlds[0].offset
        place = [first[0] - left, first[1] - top, *first[2:]]
        own = page.worlds[0].run(*find, selector, place) if len(fitting) > 1 else None
    if fitting:
        x, y, width, height = first
        left, top, right, bottom = floor(x), floor(y), ceil(x + width), ceil(y + height)
        number, which = len(fitting), "the first that shows is the part captured"
        message = f"{number} elements of the page fit {selector!r}: {which}."
        warnings = (CaptureWarning("part_ambiguous", message, number),) if number > 1 else ()
        box = (float(left), float(top), float(right - left), float(bottom - top))
        return box, own or selector, warnings
    raise StepFailed(
        f"No element {selector!r} shows, which is the part to capture.",
        stage="part",
        advice="Check the selector; what shows later may be waited for by wait_for.",
    )


def _found(world: FrameContext, selectors: Sequence[str], *, named: str) -> Iterator[tuple[str, Box]]:
    answer = world.run("capture/page/mask.js", "boxesOf", list(selectors), world.is_main)
    for selector, boxes in zip(selectors, answer, strict=True):
        if boxes is None:
            raise ConfigurationError(
                f"{named} does not take {selector!r}: it is not a CSS selector.",
                advice=quotes_advice(selector) + 'Write one such as ".advert" or "#clock".',
            )
        for left, top, width, height in boxes:
            if width > 0 and height > 0:
                yield selector, (left + world.offset[0], top + world.offset[1], width, height)


def cut_out(capture: Capture, whole: Box | None) -> Capture:
    """Return a capture cut to a box of its page, as if that were the whole page; None: unchanged."""
    part = whole and clipped(whole, (0.0, 0.0, *capture.page_size))
    if whole is None or part is None:
        return capture

    away = (-part[0], -part[1])

    def within(boxes: Iterable[Box]) -> tuple[Box, ...]:
        inside = (shown for box in boxes if (shown := clipped(box, part)) is not None)
        return tuple(moved(box, away) for box in inside)

    left, top, width, height = map(int, part)
    runs = (replace(run, boxes=within(run.boxes)) for run in capture.text_runs)
    elements = ((element, within([element.box])) for element in capture.elements or ())
    overlaps = ((trouble, within([trouble.box])) for trouble in capture.overlaps)
    image = capture.image
    if image is not None:
        image = Screenshot.of_pixels(image.pixels[top : top + height, left : left + width])
    return replace(
        capture,
        image=image,
        page_size=(width, height),
        text_runs=tuple(run for run in runs if run.boxes),
        elements=capture.elements
        and tuple(replace(element, box=boxes[0]) for element, boxes in elements if boxes),
        overlaps=tuple(
            replace(found, box=boxes[0], by_box=found.by_box and next(iter(within([found.by_box])), None))
            for found, boxes in overlaps
            if boxes
        ),
        picture_boxes=within(capture.picture_boxes),
        mask_boxes=within(capture.mask_boxes),
        unseen=tuple(
            replace(thing, box=moved(thing.box, away), window=moved(thing.window, away))
            for thing in capture.unseen
            if is_inside(thing.window, whole) or is_inside(thing.box, whole)
        ),
    )
