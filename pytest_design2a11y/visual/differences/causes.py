"""Causes that many differences share, reported once: no style sheet, another theme, another height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.geometry import area, color_of_hex, hex_color
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import (
    LEAST_SHIFT,
    SEEN,
    Compared,
    Joint,
    box_of,
    joined,
    least_shift,
    without,
)
from pytest_design2a11y.visual.differences.text_facts import family_of
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching
from pytest_design2a11y.visual.differences.widths import other_width
from pytest_design2a11y.wording import counted

#: The page is unstyled where so much of the weight of its boxes is gone, and so much text is in serifs.
_UNSTYLED = 0.6
#: CIE L* of a ground: at most the first in a dark theme, at least the second in a light one.
_DARK, _LIGHT = 40.0, 60.0
#: So many of the things that moved make it one cause, and so many texts that are recolored.
_MOST, _MANY = 0.5, 0.3
#: So much of the text is missing where the page has other texts.
_NEARLY_ALL = 0.7
#: So many things that changed alike are reported as one.
_SEVERAL = 4
#: Pages without their text that are less alike look different as a whole.
_LEAST_ALIKE = 0.95
#: What is swapped went so far at least, as a share of the width.
_FAR = 0.05


def join_causes(compared: Compared, found: Sequence[Difference], texts: UnitMatching) -> list[Difference]:
    """Return the differences, with those that have one cause for the whole page as one."""
    joint: list[Joint] = []
    for find in (_unstyled, _other_theme, _mirrored, _other_height):
        if cause := find(compared, without(found, joint)):
            joint.append(cause)
    if cause := other_width(compared, without(found, joint), texts):
        joint.append(cause)
    joint += [*_same_changes(without(found, joint)), *_icons(without(found, joint))]
    return [*_other_content(texts), *(cause for cause, _ in joint), *without(found, joint)]


def _other_content(texts: UnitMatching) -> Iterator[Difference]:
    """Yield that nearly all text is missing, which comes before each text that is."""
    missing = len(texts.missing) + sum(not one.reads_as(other) for one, other in texts.pairs)
    total = len(texts.missing) + len(texts.pairs)
    if missing >= max(3, _NEARLY_ALL * total):
        own = {"texts": len(texts.extra) + len(texts.pairs)}
        yield Difference("missing", "page", 0.0, SEEN, "content", total, total - missing, candidate=own)


def _same_changes(found: Sequence[Difference]) -> Iterator[Joint]:
    """Yield where one colour or radius stands in another's place, or two fills in each other's, often."""
    groups: dict[object, list[Difference]] = {}
    for one in found:
        is_corner = one.property == "corner" and one.expected is not None
        if is_corner or (one.kind == "recolored" and one.property in {"fill", "color"}):
            what = "picture" if is_corner and one.what == "picture" else one.property
            values = one.expected, one.actual
            key = (
                (what, values, "part" in (one.reference or {}))
                if what == "color"
                else (what, frozenset(values))
            )
            groups.setdefault(key, []).append(one)
    for members in groups.values():
        if len(members) >= _SEVERAL:
            cost = sum(one.cost for one in members)
            largest = max(members, key=lambda one: area(box_of(one)))
            yield replace(largest, cost=cost, members=tuple(members)), members


def _icons(found: Sequence[Difference]) -> Iterator[Joint]:
    """Yield icons that are missing, and that are others, where there are many; pictures by their sizes.

    Of several alike things of which it is not known which are missing, those that are.
    """
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for one in found:
        side = one.reference or {}
        name = side.get("name")
        if "of" in side or (one.kind in {"missing", "icon"} and name in {"icon", "picture"}):
            is_any = side.get("is_any", False)
            size = box_of(one)[2:] if name == "picture" and not is_any else ()
            words = side.get("text", side.get("label")) if "of" in side and not is_any else None
            groups.setdefault((one.kind, name, *size, *side.get("of", ()), words), []).append(one)
    for members in groups.values():
        if len(members) >= (2 if "of" in (members[0].reference or {}) else _SEVERAL):
            # Others take other room.
            places = {(box_of(one), box_of(one, 1)) for one in members}
            moved = [one for one in found if one.kind == "moved" and (box_of(one), box_of(one, 1)) in places]
            cost = sum(one.cost for one in (*members, *moved))
            yield replace(members[0], cost=cost, members=tuple(members)), [*members, *moved]


def _unstyled(compared: Compared, found: Sequence[Difference]) -> Joint | None:
    """Return the cause of a page that has lost nearly all its boxes, with text in the browser's own font."""
    elements, typography = compared.reference.elements, compared.typography
    if elements is None or typography is None or compared.elements is None:
        return None
    weights = compared.elements.weights[0]
    boxes = [at for at, element in enumerate(elements) if element.kind == "box"]
    kept = {i for i, _, likeness in compared.elements.pairs if likeness.similarity >= 0.5}
    total = sum(weights[at] for at in boxes)
    gone = sum(weights[at] for at in boxes if at not in kept)
    in_serifs = sum(
        pair[-1]
        for pair in typography.pairs
        if family_of(pair[1].advances) == "serif" != family_of(pair[0].advances)
    )
    if len(boxes) < 3 or gone < _UNSTYLED * total or in_serifs < _UNSTYLED:
        return None
    members = [
        one
        for one in found
        if one.what != "picture" and not (one.what == "text" and one.kind in {"missing", "extra", "reworded"})
    ]
    lost = counted(sum(at not in kept for at in boxes), "box", "boxes")
    lost_boxes = f"{lost} of {len(boxes)} (panels, controls) are gone or look different"
    return replace(joined(members, "restyled", "page", "style", expected=lost_boxes), members=()), members


def _other_theme(compared: Compared, found: Sequence[Difference]) -> Joint | None:
    """Return dark for light, or the reverse: the ground, and most texts with it."""
    design, made = compared.reference.ground, compared.candidate.ground
    if design is None or made is None:
        return None
    lightness = float(lab_from_srgb(design)[0]), float(lab_from_srgb(made)[0])
    recolored = [one for one in found if one.kind == "recolored" and one.what != "picture"]
    texts = [one for one in recolored if one.what == "text" and one.severity and _has_turned(one)]
    if (
        min(lightness) > _DARK
        or max(lightness) < _LIGHT
        or len(texts) < max(2, _MANY * len(compared.score.matches))
    ):
        return None
    members = [*recolored, *(one for one in found if one.kind == "ground" or _follows_ground(one))]
    names = ("light", "dark") if lightness[1] < lightness[0] else ("dark", "light")
    fills = {(one.expected, one.actual): None for one in recolored if one.what != "text" and one.severity}
    wanted, own = (
        {"fill": hex_color(color), "fills": [pair[at] for pair in fills]}
        for at, color in enumerate((design, made))
    )
    facts = {"expected": names[0], "actual": names[1], "reference": wanted, "candidate": own}
    return joined(members, "ground", "page", "theme", **facts), members


def _follows_ground(one: Difference) -> bool:
    """Return whether something looks different because what is behind it does: marks, corners, a drawing."""
    side = one.candidate or {}
    is_drawing = (
        side.get("tag") in {"svg", "canvas"} or side.get("name") == "icon" or side.get("has_same_lines")
    )
    if one.property == "picture" and one.kind in {"recolored", "icon"}:
        return bool(is_drawing)
    return one.kind == "restyled" and one.property in {"marks", "corner", "edge"}


def _has_turned(text: Difference) -> bool:
    """Return whether what a text lies on is dark instead of light, or the reverse."""
    grounds = [color_of_hex((side or {})["ground"]) for side in (text.reference, text.candidate)]
    lightness = [float(lab_from_srgb(ground)[0]) for ground in grounds if ground]
    return min(lightness) <= _DARK and max(lightness) >= _LIGHT


def _mirrored(compared: Compared, found: Sequence[Difference]) -> Joint | None:
    """Return left and right swapped: things went far to the left, and others as far to the right."""
    width, own_width = compared.reference.page_size[0], compared.candidate.page_size[0]
    moved = [one for one in found if one.kind == "moved"]
    swapped = []
    for one in moved:
        first, second = box_of(one), box_of(one, 1)
        wanted = 1 - (first[0] + first[2] / 2) / width
        is_far = abs(least_shift(first, second)[0]) >= _FAR * width
        if is_far and abs((second[0] + second[2] / 2) / own_width - wanted) < 0.02:
            swapped.append(one)
    shifts = [least_shift(box_of(one), box_of(one, 1))[0] for one in swapped]
    is_swapped = len({shift > 0 for shift in shifts}) == 2 or all(
        abs(one) >= 4 * _FAR * width for one in shifts
    )
    if len(swapped) < max(4, _MOST * len(moved)) or not is_swapped:
        return None
    return joined(swapped, "moved", "page", "mirrored"), swapped


def _other_height(compared: Compared, found: Sequence[Difference]) -> Joint | None:
    """Return another size of the page."""
    sizes = compared.reference.page_size, compared.candidate.page_size
    if max(abs(one - other) for one, other in zip(*sizes, strict=True)) < LEAST_SHIFT:
        return None
    property, (expected, actual) = "size", (f"{width} x {height}" for width, height in sizes)
    if sizes[0][0] == sizes[1][0]:
        property, expected, actual = "height", str(sizes[0][1]), str(sizes[1][1])
    wanted, own = ({"box": [0, 0, *size]} for size in sizes)
    facts = {"expected": expected, "actual": actual, "reference": wanted, "candidate": own}
    return joined([], "resized", "page", property, **facts), []


def appearance_difference(compared: Compared) -> Iterator[Difference]:
    """Yield where the screenshots without text differ most, and what that costs."""
    appearance = compared.score.appearance
    if appearance is None or appearance == 1.0:
        return
    cost, seen = compared.weight("visual") / 5 * (1 - appearance), SEEN if appearance < _LEAST_ALIKE else None
    yield Difference("restyled", "page", cost, seen, "appearance", _where(compared), round(appearance, 4))


def _where(compared: Compared) -> str | None:
    """Return the third of the page in which most pixels differ, by place and by share; None if none does."""
    screenshots = [page.screenshot.pixels for page in (compared.reference, compared.candidate)]
    common = [min(sizes) for sizes in zip(*(pixels.shape[:2] for pixels in screenshots), strict=True)]
    thirds: set[int | None] = set()
    for sizes in ([common, common], [pixels.shape[:2] for pixels in screenshots]):
        samples = [
            pixels[np.ix_(*(np.linspace(0, side - 1, 90).astype(int) for side in size))].astype(np.int64)
            for pixels, size in zip(screenshots, sizes, strict=True)
        ]
        apart = np.abs(samples[0] - samples[1]).reshape(3, -1).sum(axis=1)
        thirds.add(int(apart.argmax()) if 2 * apart.max() >= apart.sum() else None)
    third = thirds.pop()
    return None if thirds or third is None else ("its upper third", "its middle", "its lower third")[third]
