"""How bad a difference is: by the table in docs/differences.md, which anyone can read and dispute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import area, color_of_hex
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.visual.differences.compared import Compared, box_of, least_shift
from pytest_design2a11y.visual.differences.sides import is_active

#: Shifts (px) and changes of size (ratio) that are moderate, and serious.
_SHIFTS, _RATIOS = (12.0, 40.0), (1.1, 1.25)
#: The ratio by which what is half a screen is seen to be another size at once.
_LARGE_RATIO = 1.6
#: Colour differences (CIEDE2000) that are moderate, large, and those of opposites.
_COLORS = (10.0, 20.0, 40.0)
#: Shares of the screen: what is smaller is a detail, what is larger is a part of the page.
_DETAIL, _PART, _SCREEN = 0.003, 0.05, 0.5
#: Share of a screen from which a conspicuous difference cannot be overlooked.
_STRIKING = 0.02
#: A text of which less is left has lost what it says.
_LEAST_LEFT = 0.75
#: So many of a kind are worse than one.
_MANY = 4
#: Properties of content that is wider or narrower as a whole.
_OF_CONTENT = {"width", "room"}
#: Text with less contrast is hard to read, which WCAG asks of large text too.
_LEAST_CONTRAST = 3.0


def graded(difference: Difference, compared: Compared, letters: Sequence[Difference] = ()) -> Difference:
    """Return a difference with its severity; where all letters are others, places follow from that.

    Args:
        difference: What is graded.
        compared: The pages.
        letters: What differs in all letters.
    """
    severity = _severity(difference, _share(difference, compared))
    if letters and difference.kind in {"moved", "resized"} and difference.property not in _OF_CONTENT:
        first, second = box_of(difference), box_of(difference, 1)
        aside = abs(least_shift(first, second)[0]), abs(second[2] - first[2])
        is_slight = all(_font(one) == "minor" for one in letters) and max(aside) < _SHIFTS[0]
        if severity == "serious":
            severity = "moderate"
        elif is_slight and severity == "moderate":
            severity = "minor"
    return replace(difference, severity=severity)


def _share(difference: Difference, compared: Compared) -> float:
    """Return how much of a screen it takes, 0..1."""
    width, height = compared.reference.page_size
    window = compared.reference.viewport
    screen = width * min(height, window.height if window else 800)
    return min(1.0, max(area(box_of(difference, side)) for side in (0, 1)) / max(screen, 1))


def _severity(one: Difference, share: float) -> Severity:
    match one.kind:
        case "unexplained":
            share = float((one.candidate or {}).get("striking", 0.0))
            return "serious" if share >= _STRIKING else "moderate" if share >= _DETAIL else "minor"
        case _ if one.what == "page":
            return _of_page(one)
        case _ if one.property == "cover":
            return "serious"
        case "missing" | "extra":
            return _lone(one, share)
        case "moved":
            return _moved(one)
        case "resized":
            return _resized(one, share)
        case "recolored":
            return _recolored(one, share)
        case "restyled":
            if one.property == "kind":
                return _by_share(share)
            if one.property in {"edge", "corner"}:
                return "moderate" if one.what == "picture" and share >= _DETAIL else "minor"
            return "serious" if _is_field(one) else "moderate" if share >= _DETAIL else "minor"
        case "reworded":
            return "serious" if one.property == "text" else "minor"
        case "font":
            return _font(one)
        case "state":  # What is disabled cannot be used.
            return "serious" if one.actual == "disabled" and _is_active(one) else "moderate"
        case "icon":
            return "serious" if len(one.members) >= _MANY else "minor"
        case "overflowing":
            return _overflowing(one)
        case "distorted" | "blank":
            return "critical" if one.kind == "blank" and share >= _PART else _by_share(share)
    return "serious"


def _by_share(share: float) -> Severity:
    return "serious" if share >= _DETAIL else "moderate"


def _of_page(one: Difference) -> Severity:
    match one.property:
        case "style" | "theme" | "content":
            return "critical"
        case "mirrored" | "cut":
            return "serious"
        case known if known in _OF_CONTENT:  # Its edges moved sideways.
            (left, _, width, _), (own_left, _, own_width, _) = box_of(one), box_of(one, 1)
            return _by_shift(max(abs(own_left - left), abs(own_left + own_width - left - width)))
        case "size":  # It is wider: people have to scroll aside.
            is_wider = box_of(one, 1)[2] >= box_of(one)[2] + _SHIFTS[0]
            return "serious" if is_wider else "minor"
        case "fill":
            return "serious" if _color_difference(one) >= _COLORS[0] else "moderate"
    return "minor"


def _lone(one: Difference, share: float) -> Severity:
    match one.what:
        case "line":
            return "minor"
        case "panel":
            return "moderate" if share >= _DETAIL else "minor"
        case "picture":
            if _is_all_of_a_control(one):
                return "serious"
            if share >= _PART:
                return "critical"
            return "serious" if share >= _DETAIL or len(one.members) >= _MANY else "moderate"
        case "control":
            return "serious" if _is_active(one) else "moderate"
    return "serious"


def _moved(one: Difference) -> Severity:
    if one.property in {"columns", "rows"}:
        return "serious"
    if one.property == "alignment":
        aside = [abs(least_shift(box_of(text), box_of(text, 1))[0]) for text in one.members]
        return "serious" if max(aside) >= _SHIFTS[1] else "moderate"
    across, down = map(abs, least_shift(box_of(one), box_of(one, 1)))
    severity = _by_shift(across)
    if severity == "minor" or (severity == "serious" and (one.reference or {}).get("name") == "icon"):
        return "moderate" if max(across, down) >= _SHIFTS[1] else "minor"
    return severity


def _by_shift(across: float) -> Severity:
    """Return how bad a shift sideways is."""
    return "serious" if across >= _SHIFTS[1] else "moderate" if across >= _SHIFTS[0] else "minor"


def _resized(one: Difference, share: float) -> Severity:
    first, second = box_of(one), box_of(one, 1)
    ratios = [max(first[at], second[at], 1.0) / max(min(first[at], second[at]), 1.0) for at in (2, 3)]
    if one.what == "line":
        return "minor"
    is_image = str((one.reference or {}).get("tag")) in {"img", "svg", "canvas", "video", "picture"}
    if share >= _SCREEN and max(ratios) >= _LARGE_RATIO:
        return "serious"
    if one.what in {"picture", "control"} or share >= _PART:
        is_large = ratios[0] >= _RATIOS[1] or (is_image and ratios[1] >= _RATIOS[1])
        return "serious" if is_large else "moderate" if max(ratios) >= _RATIOS[0] else "minor"
    return "moderate" if max(ratios) >= _RATIOS[1] else "minor"


def _recolored(one: Difference, share: float) -> Severity:
    apart = _color_difference(one)
    if one.property == "picture":
        return _by_share(share)
    if len(one.members) >= _MANY and apart >= _COLORS[1] and one.what != "text":
        return "serious"
    if one.what == "text":
        design, made = ((side or {}).get("contrast", 21.0) for side in (one.reference, one.candidate))
        if made < _LEAST_CONTRAST <= design:
            return "serious"
        return "moderate" if apart >= _COLORS[1] else "minor"
    if apart >= _COLORS[2] and one.what == "control" and _is_badge(one):
        return "serious"  # A badge says by its colour how things stand.
    if share >= 4 * _PART and apart >= _COLORS[1]:
        return "serious"
    return "moderate" if apart >= _COLORS[0] else "minor"


def _overflowing(one: Difference) -> Severity:
    if one.property != "cut" or not isinstance(one.actual, str):
        return "serious"
    return "serious" if len(one.actual) < _LEAST_LEFT * len(str(one.expected)) else "moderate"


def _font(one: Difference) -> Severity:
    is_all = bool((one.reference or {}).get("is_all"))
    match one.property:
        case "font_size" | "scale":
            sizes = float(one.expected or 1), float(one.actual or 1)
            ratio = max(sizes) / min(sizes)
            if ratio >= _RATIOS[1] or (is_all and ratio >= _RATIOS[0]):
                return "serious"
            return "moderate" if ratio >= _RATIOS[0] else "minor"
        case "style" if "struck through" in (one.expected, one.actual):
            return "serious"  # What is struck through does not hold.
        case "family":
            return "serious" if is_all else "moderate"
    return "moderate" if is_all or one.property == "weight" else "minor"


def _color_difference(one: Difference) -> float:
    colors = [color_of_hex(str(value)) for value in (one.expected, one.actual)]
    if colors[0] is None or colors[1] is None:
        return 0.0
    return color_difference(colors[0], colors[1])


def _is_active(one: Difference) -> bool:
    """Return whether people act on it."""
    side = one.reference or one.candidate or {}
    return is_active(str(side.get("tag", "")), str(side.get("role", "")))


def _is_badge(one: Difference) -> bool:
    """Return whether words are in something small that is not interactive."""
    return bool((one.reference or {}).get("label")) and not _is_active(one)


def _is_all_of_a_control(one: Difference) -> bool:
    """Return whether an icon is the only content of a button or link, which is lost without it."""
    side = one.reference or {}
    return bool(
        one.kind == "missing" and side.get("name") == "icon" and _is_active(one) and side.get("is_lone")
    )


def _is_field(one: Difference) -> bool:
    """Return whether a control lost its border or its box: it does not show where to act any more."""
    side = one.candidate or {}
    return one.what == "control" and _is_active(one) and not (side.get("has_fill") or side.get("has_border"))
