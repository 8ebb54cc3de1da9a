"""Causes shared by many differences, reported once: no style sheet, another theme, another size."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from rapidfuzz.distance import Postfix, Prefix

from pytest_design2a11y.models.colors import lab_from_srgb
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import area, color_of_hex, hex_color
from pytest_design2a11y.models.thing_words import marks_of
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.content_width import other_content_width
from pytest_design2a11y.visual.differences.joining import Joint, grouped, without
from pytest_design2a11y.visual.differences.picture_changes import DRAWINGS, fills_apart
from pytest_design2a11y.visual.differences.texts import LEAST_COLOR
from pytest_design2a11y.visual.scene.places import LEAST_SHIFT, least_shift
from pytest_design2a11y.visual.scene.text_facts import family_of
from pytest_design2a11y.visual.scene.units import Unit
from pytest_design2a11y.wording import counted

#: The page is unstyled if this share of its boxes, by weight, is gone, and this share of its text is serif.
_UNSTYLED = 0.6
#: CIE L* of a ground: at most the first in a dark theme, at least the second in a light one.
_DARK, _LIGHT = 40.0, 60.0
#: Shares that make one cause: of the things that moved, or of widths; and of recolored texts.
_MOST, _MANY = 0.5, 0.3
#: Share of the text that must be missing for the page to count as one with other texts.
_NEARLY_ALL = 0.7
#: Kinds of differences of texts that follow from other texts.
_OF_CONTENT = {"missing", "extra", "reworded"}
#: Number of changes of one kind that are reported as one; of things that have one cause.
_ALIKE_CHANGES, _SEVERAL = 3, 4
#: Pages less similar than this, without their text, look different as a whole.
_LEAST_ALIKE = 0.95
#: Least distance, as a share of the width, that mirrored things moved.
_FAR = 0.05
#: Least range of a color's channels that makes it a hue: red, green, blue.
HUE = 60


def join_causes(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, joining those that have one cause for the whole page."""
    joint: list[Joint] = []
    for find in (_unstyled, _other_theme, _mirrored, _other_height, other_content_width):
        # Without its styles, a page has another width.
        is_caused = find is other_content_width and any(cause.property == "style" for cause, _ in joint)
        if not is_caused and (cause := find(compared, without(differences, joint))):
            joint.append(cause)
    broken = [change for change in differences if change.property == "encoding"]
    texts = compared.texts
    lost = [one for one in differences if one.what == "text" and one.kind in _OF_CONTENT]
    missing = len(texts.missing) + sum(not design.reads_as(made) for design, made in texts.pairs)
    missing -= sum(one.kind == "unreadable" and one.reference is None for one in differences)
    total = len(texts.missing) + len(texts.pairs)
    is_other = missing >= max(3, _NEARLY_ALL * total)
    # In a broken character set, some texts are no longer known.
    is_broken = is_other and 2 * len(broken) >= missing
    if len(broken) > 1:
        facts = {**broken[0].design, **({"is_all": True} if is_broken else {})}
        one = replace(broken[0], reference=facts, members=tuple(broken))
        joint.append((one, [*broken, *lost] if is_broken else broken))
    joint += [*_same_changes(without(differences, joint)), *_icons(without(differences, joint))]
    causes = [cause for cause, _ in joint]
    if is_other and not is_broken:  # This comes before the single missing texts.
        own = {"texts": len(texts.extra) + len(texts.pairs)}
        lost = [*without(lost, joint)]
        content = claim("missing", "page", "content", total, total - missing, candidate=own, members=lost)
        joint.append((content, lost))
        causes.insert(0, content)
    return [*causes, *without(differences, joint)]


def _same_changes(differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield joint differences where one color or radius often replaces another, or two fills are swapped."""
    for members in grouped(differences, _kind_of_change):
        if len(members) >= _ALIKE_CHANGES:
            largest = max(members, key=lambda change: area(change.boxes[int(change.reference is None)]))
            yield replace(largest, members=tuple(members)), members


def _kind_of_change(change: Difference) -> object:
    """Return what changes of one kind share; None for those that are not joined."""
    values, name = (change.expected, change.actual), change.design.get("name")
    match change.kind, change.property:
        case "recolored", "color":
            return "color", values, "part" in change.design
        case "recolored", "fill":
            return "fill", frozenset(values)
        case "restyled", "corner" if change.expected is not None:
            return ("picture" if change.what == "picture" else "corner"), frozenset(values)
        case "restyled", "border" | "line" | "ring":
            return change.property, values, name
        case "restyled", "marks":
            old, new = (frozenset(marks_of(side)) for side in (change.design, change.made))
            return "marks", old - new, new - old, name
        case "reworded", "text" | "grouping" if (edit := _marks_edited(*map(str, values))) is not None:
            return change.kind, edit
        case "figure", "notation":
            return change.property
        case "unreadable", _:
            return change.kind, change.reference is None
        case "overflowing", "cut" | "box" if change.what == "text" and not isinstance(change.actual, str):
            return change.kind, change.property, change.made.get("cut")
    return None


def _marks_edited(old: str, new: str) -> tuple[str, str] | None:
    """Return what was replaced in a text, and by what, if these are no letters or digits: bullets, quotes."""
    start = Prefix.similarity(old, new)
    end = Postfix.similarity(old[start:], new[start:])
    parts = old[start : len(old) - end], new[start : len(new) - end]
    return None if any(map(str.isalnum, "".join(parts))) else parts


def _icons(differences: Sequence[Difference]) -> Iterator[Joint]:
    """Yield joint differences for many missing or replaced icons; pictures are joined by size.

    Includes similar things if it is unknown which of them are missing.
    """
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for difference in differences:
        side = difference.design
        name = side.get("name")
        if "of" in side or (difference.kind in {"missing", "icon"} and name in {"icon", "picture"}):
            is_any = side.get("is_any", False)
            size = difference.boxes[0][2:] if name == "picture" and not is_any else ()
            words = side.get("text", side.get("label")) if "of" in side and not is_any else None
            key = (difference.kind, name, *size, *side.get("of", ()), words)
            groups.setdefault(key, []).append(difference)
    for members in groups.values():
        if len(members) >= (2 if "of" in members[0].design else _SEVERAL):
            # Other icons take up other space.
            boxes = {member.boxes for member in members}
            moved = [move for move in differences if move.kind == "moved" and move.boxes in boxes]
            yield replace(members[0], members=tuple(members)), [*members, *moved]


def _unstyled(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if a page has lost nearly all its boxes, and its text is in the browser's own font."""
    boxes = [(design, made) for design, made in compared.match.things if design and design.kind == "box"]
    gone = [design for design, made in boxes if made is None or _looks_different(design, made)]
    before, after = (_share_of_serif(units) for units in compared.texts.units)
    if (
        len(boxes) < 3
        or len(gone) < _UNSTYLED * len(boxes)
        or not before < 1 - _UNSTYLED < _UNSTYLED <= after
    ):
        return None
    members = [difference for difference in differences if difference.what != "picture"]
    members = [member for member in members if member.what != "text" or member.kind not in _OF_CONTENT]
    lost = counted(len(gone), "box", "boxes")
    lost_boxes = f"{lost} of {len(boxes)} (panels, controls) are gone or look different"
    return claim("restyled", "page", "style", lost_boxes), members


def _looks_different(design: Element, made: Element) -> bool:
    """Return whether a box has another color, or other marks, or at least half of its size is another one."""
    marks = [(box.has_fill, box.has_border, box.has_shadow) for box in (design, made)]
    sizes = [area(box.box) for box in (design, made)]
    is_resized = 2 * min(sizes) < max(sizes)
    return marks[0] != marks[1] or is_resized or fills_apart(design, made) >= LEAST_COLOR


def _share_of_serif(units: Sequence[Unit]) -> float:
    """Return the share of letters in a font with serifs, 0..1; 0 without any letter."""
    fonts = [(run.font, len(run.text)) for unit in units for run in unit.runs if run.font is not None]
    serif = sum(number for font, number in fonts if family_of(font.advances) == "serif")
    return serif / max(1, sum(number for _, number in fonts))


def _other_theme(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if dark replaces light, or the reverse: the ground, and most texts with it."""
    design, made = compared.reference.ground, compared.candidate.ground
    if design is None or made is None:
        return None
    lightness = float(lab_from_srgb(design)[0]), float(lab_from_srgb(made)[0])
    recolored = [change for change in differences if change.kind == "recolored" and change.what != "picture"]
    texts = [change for change in recolored if change.what == "text"]
    sides = ((text.design, text.made) for text in texts)
    grounds = ([color_of_hex(side["ground"]) for side in pair] for pair in sides)
    below = ([float(lab_from_srgb(ground)[0]) for ground in pair if ground] for pair in grounds)
    # Their background is dark instead of light, or the reverse.
    num_turned = sum(min(pair) <= _DARK and max(pair) >= _LIGHT for pair in below)
    least = max(2, _MANY * len(compared.score.matches))
    if min(lightness) > _DARK or max(lightness) < _LIGHT or num_turned < least:
        return None
    members = [
        *recolored,
        *(change for change in differences if change.kind == "ground" or _follows_ground(change)),
    ]
    names = ("light", "dark") if lightness[1] < lightness[0] else ("dark", "light")
    filled = (change for change in recolored if change.what != "text")
    fills = {(change.expected, change.actual): None for change in filled}
    wanted, own = (
        {"fill": hex_color(color), "fills": [pair[at] for pair in fills]}
        for at, color in enumerate((design, made))
    )
    return claim("ground", "page", "theme", *names, wanted, own, members), members


def _follows_ground(difference: Difference) -> bool:
    """Return whether something looks different because its background does: marks, corners, a drawing."""
    if difference.property == "picture" and difference.kind in {"recolored", "icon"}:
        side = difference.made
        is_drawing = side.get("tag") in DRAWINGS or side.get("name") == "icon"
        return bool(is_drawing or side.get("has_same_lines"))
    if difference.kind != "restyled":
        return False
    if difference.property == "marks":  # A fill that is a color of its own stays in another theme.
        fill = color_of_hex(str(difference.design.get("fill")))
        return fill is None or not difference.design.get("has_fill") or max(fill) - min(fill) < HUE
    return "within" in difference.design or difference.property in {"corner", "edge", "border", "line"}


def _mirrored(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if left and right are swapped: things moved far left, and others as far right."""
    width, own_width = compared.reference.page_size[0], compared.candidate.page_size[0]
    moved = [difference for difference in differences if difference.kind == "moved"]
    swapped, shifts = [], []
    for move in moved:
        reference, candidate = move.boxes
        shift, wanted = least_shift(reference, candidate)[0], 1 - (reference[0] + reference[2] / 2) / width
        if abs(shift) >= _FAR * width and abs((candidate[0] + candidate[2] / 2) / own_width - wanted) < 0.02:
            swapped.append(move)
            shifts.append(shift)
    is_far = all(abs(shift) >= 4 * _FAR * width for shift in shifts)
    is_swapped = is_far or len({shift > 0 for shift in shifts}) == 2
    if len(swapped) < max(4, _MOST * len(moved)) or not is_swapped:
        return None
    return claim("moved", "page", "mirrored", members=swapped), swapped


def _other_height(compared: Compared, differences: Sequence[Difference]) -> Joint | None:
    """Return the cause if the page has another height."""
    sizes = compared.reference.page_size, compared.candidate.page_size
    if max(abs(first - second) for first, second in zip(*sizes, strict=True)) < LEAST_SHIFT:
        return None
    property, (expected, actual) = "size", (f"{width} x {height}" for width, height in sizes)
    if sizes[0][0] == sizes[1][0]:
        property, expected, actual = "height", str(sizes[0][1]), str(sizes[1][1])
    wanted, own = ({"box": [0, 0, *size]} for size in sizes)
    return claim("resized", "page", property, expected, actual, wanted, own), []


def appearance_difference(compared: Compared) -> Iterator[Difference]:
    """Yield where the screenshots without text differ most."""
    appearance = compared.score.appearance
    if appearance is not None and appearance < _LEAST_ALIKE:
        yield claim("restyled", "page", "appearance", _where(compared), round(appearance, 4))


def _where(compared: Compared) -> str | None:
    """Return the third of the page in which most pixels differ, by place and by share; None if unclear."""
    screenshots = [page.screenshot.pixels for page in compared.pages]
    shapes = [shown.shape[:2] for shown in screenshots]
    common = [min(sides) for sides in zip(*shapes, strict=True)]
    thirds: set[int | None] = set()
    for sizes in ([common, common], shapes):
        samples = [
            shown[np.ix_(*(np.linspace(0, side - 1, 90).astype(int) for side in size))].astype(np.int64)
            for shown, size in zip(screenshots, sizes, strict=True)
        ]
        apart = np.abs(samples[0] - samples[1]).reshape(3, -1).sum(axis=1)
        thirds.add(int(apart.argmax()) if 2 * apart.max() >= apart.sum() else None)
    third = thirds.pop()
    return None if thirds or third is None else ("its upper third", "its middle", "its lower third")[third]
