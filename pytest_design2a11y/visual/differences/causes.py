"""Causes that many faults share, told once: no style sheet, another theme, a page of another height."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.visual.differences.fault import Compared, Fault, Joint, joined, without
from pytest_design2a11y.visual.differences.fonts import family_of
from pytest_design2a11y.visual.differences.texts import LEAST_SHIFT
from pytest_design2a11y.wording import counted

#: The page is unstyled where so much of the weight of its boxes is gone, and so much text is in serifs.
_UNSTYLED = 0.6
#: CIE L* of a ground: a dark theme's is no lighter than the first, a light one's no darker than the second.
_DARK, _LIGHT = 40.0, 60.0
#: So many of the things that moved make it one cause, and so many texts that are recolored.
_MOST, _MANY = 0.5, 0.3


def join_causes(compared: Compared, faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults, with those that have one cause for the whole page as one."""
    joint: list[Joint] = []
    for find in (_unstyled, _other_theme, _mirrored, _other_height):
        if found := find(compared, without(faults, joint)):
            joint.append(found)
    return [*(cause for cause, _ in joint), *without(faults, joint)]


def _unstyled(compared: Compared, faults: Sequence[Fault]) -> Joint | None:
    """A page that has lost nearly all its boxes, and whose text is in the browser's own font."""
    elements, typography = compared.reference.elements, compared.typography
    if elements is None or typography is None or compared.elements is None:
        return None
    weights = compared.elements.weights[0]
    boxes = [at for at, element in enumerate(elements) if element.kind == "box"]
    kept = {i for i, _, likeness in compared.elements.pairs if likeness.similarity >= 0.5}
    total = sum(weights[at] for at in boxes)
    gone = sum(weights[at] for at in boxes if at not in kept)
    in_serifs = sum(
        pair[-1] for pair in typography.pairs if family_of(pair[1]) == "serif" != family_of(pair[0])
    )
    if len(boxes) < 3 or gone < _UNSTYLED * total or in_serifs < _UNSTYLED:
        return None
    members = [
        fault
        for fault in faults
        if fault.what != "picture" and (fault.source != "text" or fault.kind in {"moved", "recolored"})
    ]
    message = (
        f"the page is unstyled: {counted(len([at for at in boxes if at not in kept]), 'box', 'boxes')} of "
        f"{len(boxes)} (panels, controls) {'is' if len(boxes) == 1 else 'are'} gone and the text is in the "
        "browser's own font; look at its style sheets"
    )
    return joined(members, "restyled", "page", message), members


def _other_theme(compared: Compared, faults: Sequence[Fault]) -> Joint | None:
    """Dark for light, or the reverse: the ground, and most texts with it."""
    design, made = compared.reference.ground, compared.candidate.ground
    if design is None or made is None:
        return None
    lightness = float(lab_from_srgb(design)[0]), float(lab_from_srgb(made)[0])
    recolored = [fault for fault in faults if fault.kind == "recolored" and fault.what != "picture"]
    texts = [fault for fault in recolored if fault.what == "text" and fault.is_seen]
    if (
        min(lightness) > _DARK
        or max(lightness) < _LIGHT
        or len(texts) < max(2, _MANY * len(compared.score.matches))
    ):
        return None
    members = [*recolored, *(fault for fault in faults if fault.source == "ground")]
    boxes = sum(fault.what != "text" and fault.is_seen for fault in recolored)
    names = ("dark", "light") if lightness[1] < lightness[0] else ("light", "dark")
    message = (
        f"the theme is {names[0]} instead of {names[1]}: ground of the page (background) is "
        f"{hex_color(made)} instead of {hex_color(design)}, and {counted(len(texts), 'text')}"
        f"{' and ' + counted(boxes, 'panel or control', 'panels and controls') if boxes else ''} "
        "have the colors of that theme"
    )
    pairs: dict[tuple[str, str], None] = {}
    for _, first, second in (fault.words() for fault in recolored if fault.what != "text" and fault.is_seen):
        if first and second:
            pairs[first["fill"], second["fill"]] = None
    sides = (
        {"fill": hex_color(color), "fills": [pair[at] for pair in pairs]}
        for at, color in enumerate((design, made))
    )
    wanted, own = sides
    return joined(members, "ground", "page", message, (wanted, own)), members


def _mirrored(compared: Compared, faults: Sequence[Fault]) -> Joint | None:
    """Left and right swapped."""
    moved = [fault for fault in faults if fault.kind == "moved" and abs(fault.shift[0]) >= LEAST_SHIFT]
    width, own_width = compared.reference.page_size[0], compared.candidate.page_size[0]
    swapped = []
    for fault in moved:
        first, second = fault.boxes
        if first is not None and second is not None:
            wanted = 1 - (first[0] + first[2] / 2) / width
            if abs((second[0] + second[2] / 2) / own_width - wanted) < 0.02:
                swapped.append(fault)
    if len(swapped) < max(4, _MOST * len(moved)):
        return None
    message = f"left and right are swapped: {counted(len(swapped), 'thing is', 'things are')} mirrored"
    return joined(swapped, "moved", "page", message), swapped


def _other_height(compared: Compared, faults: Sequence[Fault]) -> Joint | None:
    """What stands where it should, px for px, on a page of another size: places count as shares of it."""
    sizes = compared.reference.page_size, compared.candidate.page_size
    members = [fault for fault in faults if fault.kind == "moved" and not fault.is_seen]
    if sizes[0] == sizes[1] or not members:
        return None
    (width, height), (own_width, own_height) = sizes
    message = (
        f"the page is {own_height} px high instead of {height} px"
        if width == own_width
        else f"the page is {own_width} x {own_height} px instead of {width} x {height} px"
    )
    sides = {"box": [0, 0, width, height]}, {"box": [0, 0, own_width, own_height]}
    return joined(members, "resized", "page", message, sides), members


def appearance_fault(compared: Compared) -> Fault | None:
    """Tell where the screenshots without text differ most, and what that costs."""
    appearance = compared.score.appearance
    if appearance is None or appearance == 1.0:
        return None
    cost = compared.weight("visual") / 5 * (1 - appearance)

    def words() -> tuple[str, None, None]:
        return (
            f"without its text the page looks different as a whole (appearance {appearance:.2f}), "
            f"most of all in {_where(compared)}",
            None,
            None,
        )

    return Fault("restyled", "page", cost, appearance < 0.995, words, source="appearance")


def _where(compared: Compared) -> str:
    """Return the third of the page whose pixels differ most."""
    screenshots = [page.screenshot.pixels for page in (compared.reference, compared.candidate)]
    rows = [np.linspace(0, len(pixels) - 1, 90).astype(int) for pixels in screenshots]
    columns = [np.linspace(0, pixels.shape[1] - 1, 120).astype(int) for pixels in screenshots]
    samples = [
        pixels[np.ix_(row, column)].astype(np.int64)
        for pixels, row, column in zip(screenshots, rows, columns, strict=True)
    ]
    thirds = np.abs(samples[0] - samples[1]).reshape(3, -1).sum(axis=1)
    return ("its upper third", "its middle", "its lower third")[int(thirds.argmax())]
