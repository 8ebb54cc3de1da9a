"""Severity of differences, by the table in docs/differences.md, which anyone can read and dispute.

Consequences of another difference in the same place are not reported beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import area, color_of_hex, is_inside
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.visual.differences.compared import Compared, both_boxes, box_of, least_shift
from pytest_design2a11y.visual.differences.sides import is_active
from pytest_design2a11y.visual.differences.texts import LEAST_CONTRAST

#: Shifts (px) and size changes (ratio) that are moderate, and serious.
_SHIFTS, _RATIOS = (12.0, 40.0), (1.1, 1.25)
#: Ratio at which something half a screen large is immediately seen to have another size.
_LARGE_RATIO = 1.6
#: Colour differences (CIEDE2000): moderate, large, and those of opposites.
_COLORS = (10.0, 20.0, 40.0)
#: Shares of the screen: smaller is a detail, larger is a part of the page; half a screen.
_DETAIL, _PART, _SCREEN = 0.003, 0.05, 0.5
#: Share of a screen from which a conspicuous difference cannot be overlooked.
_STRIKING = 0.02
#: A text with less than this share left has lost its meaning.
_LEAST_LEFT = 0.75
#: A part of a drawing that is this large a share of it is most of what it shows.
_REACH = 0.25
#: From this number on, several of a kind are worse than one.
_MANY = 4
#: Properties of content that is wider or narrower as a whole.
_OF_CONTENT = {"width", "room"}
#: Apparent changes to covered things; least number of covered texts.
_HIDDEN = {"missing", "reworded", "recolored", "restyled", "resized", "overflowing", "unreadable", "blank"}
_LEAST_HIDDEN = 2
#: px; edges of controls in one row or column differ by less.
_IN_LINE = 4.0
_MARKS = ("has_fill", "has_border", "has_shadow")
#: Apparent changes to the text of a field with another value.
_OF_VALUES = {"missing", "extra", "reworded", "figure", "recolored"}


def graded(difference: Difference, compared: Compared, letters: Sequence[Difference] = ()) -> Difference:
    """Return a difference with its severity; if all letters changed, changed places follow from that.

    Args:
        difference: The difference to grade.
        compared: The pages.
        letters: Differences of all letters.
    """
    width, height = compared.reference.page_size
    window = compared.reference.viewport
    screen = width * min(height, window.height if window else 800)
    of_screen = max(area(box_of(difference, side)) for side in (0, 1)) / max(screen, 1)
    severity = _severity(difference, min(1.0, of_screen))
    if letters and difference.kind in {"moved", "resized"} and difference.property not in _OF_CONTENT:
        first, second = both_boxes(difference)
        aside = abs(least_shift(first, second)[0]), abs(second[2] - first[2])
        is_slight = all(_font(font) == "minor" for font in letters) and max(aside) < _SHIFTS[0]
        if severity == "serious":
            severity = "moderate"
        elif is_slight and severity == "moderate":
            severity = "minor"
    return replace(difference, severity=severity)


def _severity(difference: Difference, share: float) -> Severity:
    match difference.kind:
        case _ if reach := (difference.reference or difference.candidate or {}).get("reach"):
            is_large = reach >= _REACH or difference.kind == "exchanged"
            return "serious" if is_large and difference.kind != "turned" else "moderate"
        case "turned" if difference.property == "angle":
            return "moderate"
        case "turned" | "mirrored":
            return _by_share(share)
        case "unexplained":
            share = float((difference.candidate or {}).get("striking", 0.0))
            return "serious" if share >= _STRIKING else "moderate" if share >= _DETAIL else "minor"
        case _ if difference.what == "page":
            return _of_page(difference)
        case _ if difference.property == "cover":
            return "serious"
        case "missing" | "extra":
            return _lone(difference, share)
        case "moved":
            return _moved(difference)
        case "resized":
            return _resized(difference, share)
        case "recolored":
            return _recolored(difference, share)
        case "restyled":
            if difference.property == "kind":
                return _by_share(share)
            if difference.property in {"opacity", "letters"}:
                return "moderate"
            if difference.property == "border":
                return _of_border(difference)
            if difference.property in {"edge", "corner"}:
                return "moderate" if difference.what == "picture" and share >= _DETAIL else "minor"
            side = difference.candidate or {}
            is_bare = not (side.get("has_fill") or side.get("has_border"))
            if difference.what == "control" and _is_active(difference) and is_bare:
                return "serious"  # It no longer shows where to act.
            return "moderate" if share >= _DETAIL else "minor"
        case "reworded":
            return "serious" if difference.property == "text" else "minor"
        case "font":
            return _font(difference)
        case "state":  # A disabled control cannot be used.
            return "serious" if difference.actual == "disabled" and _is_active(difference) else "moderate"
        case "icon":
            return "serious" if len(difference.members) >= _MANY else "minor"
        case "overflowing" if difference.property == "cut" and isinstance(difference.actual, str):
            is_most_left = len(difference.actual) >= _LEAST_LEFT * len(str(difference.expected))
            return "moderate" if is_most_left else "serious"
        case "distorted" | "blank":
            return "critical" if difference.kind == "blank" and share >= _PART else _by_share(share)
    return "serious"


def _of_border(difference: Difference) -> Severity:
    """Return the severity of a border with other colors or at other sides: of a field, it shows an error."""
    is_on_other_side = None in (difference.expected, difference.actual)
    apart = _COLORS[0] if is_on_other_side else _color_difference(difference)
    if apart >= _COLORS[1] and difference.what == "control" and _is_active(difference):
        return "serious"
    return "moderate" if apart >= _COLORS[0] else "minor"


def _by_share(share: float) -> Severity:
    return "serious" if share >= _DETAIL else "moderate"


def _of_page(difference: Difference) -> Severity:
    match difference.property:
        case "style" | "theme" | "content":
            return "critical"
        case "mirrored" | "cut":
            return "serious"
        case known if known in _OF_CONTENT:  # Its edges moved sideways
            (left, _, width, _), (own_left, _, own_width, _) = both_boxes(difference)
            return _by_shift(max(abs(own_left - left), abs(own_left + own_width - left - width)))
        case "size":  # If wider, people have to scroll sideways.
            is_wider = box_of(difference, 1)[2] >= box_of(difference)[2] + _SHIFTS[0]
            return "serious" if is_wider else "minor"
        case "fill":
            return "serious" if _color_difference(difference) >= _COLORS[0] else "moderate"
    return "minor"


def _lone(difference: Difference, share: float) -> Severity:
    match difference.what:
        case "line":
            return "minor"
        case "panel":
            return "moderate" if share >= _DETAIL else "minor"
        case "picture":
            side = difference.reference or {}
            is_lost_icon = difference.kind == "missing" and side.get("name") == "icon"
            if is_lost_icon and _is_active(difference) and side.get("is_lone"):
                return "serious"  # It is the only content of a button or link
            if share >= _PART:
                return "critical"
            return "serious" if share >= _DETAIL or len(difference.members) >= _MANY else "moderate"
        case "control":
            return "serious" if _is_active(difference) else "moderate"
    return "serious"


def _moved(difference: Difference) -> Severity:
    if difference.property in {"columns", "rows"}:
        return "serious"
    if difference.property == "alignment":
        aside = [abs(least_shift(*both_boxes(text))[0]) for text in difference.members]
        return "serious" if max(aside) >= _SHIFTS[1] else "moderate"
    across, down = map(abs, least_shift(*both_boxes(difference)))
    severity = _by_shift(across)
    if severity == "minor" or (severity == "serious" and (difference.reference or {}).get("name") == "icon"):
        return "moderate" if max(across, down) >= _SHIFTS[1] else "minor"
    return severity


def _by_shift(across: float) -> Severity:
    """Return the severity of a sideways shift."""
    return "serious" if across >= _SHIFTS[1] else "moderate" if across >= _SHIFTS[0] else "minor"


def _resized(difference: Difference, share: float) -> Severity:
    first, second = both_boxes(difference)
    ratios = [max(first[at], second[at], 1.0) / max(min(first[at], second[at]), 1.0) for at in (2, 3)]
    if difference.what == "line":
        return "minor"
    is_image = str((difference.reference or {}).get("tag")) in {"img", "svg", "canvas", "video", "picture"}
    if share >= _SCREEN and max(ratios) >= _LARGE_RATIO:
        return "serious"
    if difference.what in {"picture", "control"} or share >= _PART:
        is_large = ratios[0] >= _RATIOS[1] or (is_image and ratios[1] >= _RATIOS[1])
        return "serious" if is_large else "moderate" if max(ratios) >= _RATIOS[0] else "minor"
    return "moderate" if max(ratios) >= _RATIOS[1] else "minor"


def _recolored(difference: Difference, share: float) -> Severity:
    apart = _color_difference(difference)
    if difference.property == "picture":
        return _by_share(share)
    if len(difference.members) >= _MANY and apart >= _COLORS[1] and difference.what != "text":
        return "serious"
    if difference.what == "text":
        sides = difference.reference or {}, difference.candidate or {}
        design, made = (side.get("contrast", 21.0) for side in sides)
        if made < LEAST_CONTRAST <= design:
            return "serious"
        return "moderate" if apart >= _COLORS[1] else "minor"
    has_label = bool((difference.reference or {}).get("label"))
    if apart >= _COLORS[2] and difference.what == "control" and has_label and not _is_active(difference):
        return "serious"  # A badge shows a status by its colour
    if share >= 4 * _PART and apart >= _COLORS[1]:
        return "serious"
    return "moderate" if apart >= _COLORS[0] else "minor"


def _font(difference: Difference) -> Severity:
    is_all = bool((difference.reference or {}).get("is_all"))
    match difference.property:
        case "font_size" | "scale":
            sizes = float(difference.expected or 1), float(difference.actual or 1)
            ratio = max(sizes) / min(sizes)
            if ratio >= _RATIOS[1] or (is_all and ratio >= _RATIOS[0]):
                return "serious"
            return "moderate" if ratio >= _RATIOS[0] else "minor"
        case "style" if "struck through" in (difference.expected, difference.actual):
            return "serious"  # Struck-through text is not valid
        case "family":
            return "serious" if is_all else "moderate"
    return "moderate" if is_all or difference.property == "weight" else "minor"


def _color_difference(difference: Difference) -> float:
    colors = [color_of_hex(str(value)) for value in (difference.expected, difference.actual)]
    return 0.0 if colors[0] is None or colors[1] is None else color_difference(colors[0], colors[1])


def _is_active(difference: Difference) -> bool:
    """Return whether people act on it."""
    side = difference.reference or difference.candidate or {}
    return is_active(str(side.get("tag", "")), str(side.get("role", "")))


def without_consequences(found: Iterable[Difference]) -> list[Difference]:
    """Return the differences, marking consequences of others as too small to be reported.

    A text is unreadable because of its button's new fill; a translucent control has other colours because of
    another picture; a text that something covers is not missing.
    """
    found = _selected(_covering([*found]))
    refilled = [change for change in found if change.kind == "recolored" and change.property == "fill"]
    redrawn = [change for change in found if change.kind in {"recolored", "blank"}]
    pictures = [change for change in redrawn if change.property == "picture"]
    parts = (part for difference in found for part in (difference, *difference.members))
    covered = [part for part in parts if part.kind in {"covered", "overflowing"}]
    cut = [text for text in found if text.property == "cut" and text.reference is not None]
    states = [field for field in found if field.kind == "state"]
    values = [field for field in states if field.property in {"value", "placeholder"}]
    controls = [control for control in found if control.what == "control" and control.kind == "missing"]
    lost = [control for control in controls if control.property is None]
    kept = []
    for difference in found:
        what, kind, is_new = difference.what, difference.kind, difference.reference is None
        is_caused = (
            (kind == "unreadable" and not is_new and _lies_in(difference, [*refilled, *pictures]))
            or (what == "control" and difference in refilled and _lies_in(difference, pictures))
            or (what == "control" and kind == "restyled" and _lies_in(difference, pictures))
            or (what == "text" and kind in {"missing", "reworded"} and _is_same_text(difference, covered))
            or (difference.property == "cut" and is_new and _is_same_text(difference, cut))
            or (what == "text" and kind == "missing" and _is_same_text(difference, lost))
            or (what == "text" and kind in _OF_VALUES and _lies_in(difference, values))
        )
        kept.append(replace(difference, severity=None) if is_caused else difference)
    missing = [text for text in found if text.what == "text" and text.kind == "missing"]
    return [_with_texts(item, missing, lost) if item in lost else item for item in kept]


def _with_texts(control: Difference, missing: Sequence[Difference], lost: Sequence[Difference]) -> Difference:
    """Return a missing control with the missing texts in it, unless they are in a smaller one."""
    smaller = [other for other in lost if _lies_in(other, [control])]
    own = [text for text in missing if _is_same_text(text, [control])]
    texts = [text.reference for text in own if not any(_is_same_text(text, [other]) for other in smaller)]
    return replace(control, reference={**(control.reference or {}), "texts": texts}) if texts else control


def _selected(found: list[Difference]) -> list[Difference]:
    """Return the differences; if one of similar controls lost what another gained, it is a changed state."""
    controls = [difference for difference in found if difference.what == "control"]
    lost = [control for control in controls if control.kind == "missing" and control.property == "box"]
    marked = [control for control in controls if control.kind == "restyled" and control.property == "marks"]
    gained = [bare for bare in marked if not any((bare.reference or {}).get(mark) for mark in _MARKS)]
    states: dict[int, Difference] = {}
    for old, new in product(lost, gained):
        # They are in one row or column, and have similar sizes across it.
        apart = [abs(a - b) for a, b in zip(box_of(old), box_of(new, 1), strict=True)]
        if min(max(apart[::2]), max(apart[1::2])) <= _IN_LINE and _tag(old) == _tag(new):
            bare = {**(old.reference or {}), **dict.fromkeys(_MARKS, False)}
            old_state = replace(
                old, kind="state", property="current", expected="current", actual="not current"
            )
            states[id(old)] = replace(old_state, candidate=bare)
            states[id(new)] = replace(
                new, kind="state", property="current", expected="not current", actual="current"
            )
    return [states.get(id(difference), difference) for difference in found]


def _tag(control: Difference) -> object:
    return (control.reference or {}).get("tag")


def _covering(found: list[Difference]) -> list[Difference]:
    """Return the differences, with things covered by an extra or grown thing as part of its difference."""
    for at, difference in enumerate(found):
        is_over = difference.kind in {"extra", "resized"} and (difference.candidate or {}).get("covers")
        if not is_over or difference.property == "cover":
            continue
        before, around = both_boxes(difference)
        hidden = [
            other
            for other in found
            if (other.kind == "covered" and is_inside((other.candidate or {}).get("by_box", before), around))
            or (
                other.reference is not None
                and other.kind in _HIDDEN
                and is_inside(box_of(other), around)
                and not is_inside(box_of(other), before)
            )
        ]
        least = _LEAST_HIDDEN if difference.kind == "extra" else 1
        if sum(other.what == "text" and other.kind in {"missing", "covered"} for other in hidden) >= least:
            taken = {id(other) for other in hidden}
            cost = difference.cost + sum(other.cost for other in hidden)
            found[at] = replace(difference, cost=cost, property="cover", members=(difference, *hidden))
            return _covering([other for other in found if id(other) not in taken])
    return found


def _lies_in(difference: Difference, others: Sequence[Difference]) -> bool:
    side = int(difference.reference is None)
    box = box_of(difference, side)
    return any(
        is_inside(box, box_of(other, side)) and area(box_of(other, side)) > area(box)
        for other in others
        if other is not difference and other.severity is not None
    )


def _is_same_text(difference: Difference, others: Sequence[Difference]) -> bool:
    own = "".join(str((difference.reference or {}).get("text", "")).lower().split())
    for other in others:
        side = other.candidate or other.reference or {}
        text = "".join(str(side.get("text") or side.get("label") or "").lower().split())
        is_here = other.candidate is not None or is_inside(box_of(difference), box_of(other))
        if text and is_here and (text in own or own in text):
            return True
    return False
