"""Severity of differences, by the table in docs/differences.md, which anyone can read and dispute."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.geometry import Color, area, box_around, color_of_hex, hex_color
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.thing_words import shift_of
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.visual.differences.causes import HUE
from pytest_design2a11y.visual.differences.compared import Compared, screen_height
from pytest_design2a11y.visual.differences.texts import LEAST_CONTRAST
from pytest_design2a11y.visual.scene.element_facts import is_active
from pytest_design2a11y.visual.scene.places import Details, least_shift

#: Shifts (px) and size changes (ratio) that are moderate, and serious.
_SHIFTS, _RATIOS = (12.0, 40.0), (1.1, 1.25)
#: Ratio at which a large area is immediately seen to have another size; letters explain no such height.
_LARGE_RATIO = 1.6
#: Color differences (CIEDE2000): moderate, large, and those of opposites.
_COLORS = (10.0, 20.0, 40.0)
#: That of a tint which is noticed on a part of the page.
_TINT = 5.0
#: Least range of the channels of a tint; a gray's may be a little apart.
_LEAST_TINT = 16
#: A heading of a table has the look of its row, and a highlight that of its words.
_WITHOUT_STATE = {"th", "mark"}
#: Shares of the screen: of a detail, at most; of a part of the page, a large part, and an area, at least.
_DETAIL, _PART, _LARGE, _AREA = 0.003, 0.05, 0.1, 0.2
#: Share of the page's width by which what moved sideways, and half as much as what moved down, is elsewhere.
_ELSEWHERE = 0.25
#: Share of what differs that is most of the page.
_MOST = 0.75
#: Share of a screen from which a conspicuous difference cannot be overlooked.
_STRIKING = 0.02
#: A text with less than this share left has lost its meaning.
_LEAST_LEFT = 0.75
#: A part of a drawing that is this large a share of it is most of what it shows.
_REACH = 0.25
#: From this number on, several of a kind are worse than one.
_MANY = 4
#: Number of texts of one color that show the color scheme of a page.
_SEVERAL = 3
#: Several texts that are this many times as large are seen first.
_LOUD = 1.5
#: px; smaller letters cannot be read.
_TINY = 7.0
#: Properties of content that is wider or narrower as a whole.
_OF_CONTENT = {"width", "room"}
#: Properties of things that lie below each other instead of beside each other, or the reverse.
_REARRANGED = {"columns", "rows"}
#: Markers of list items that tell their order, by the last word of their names.
_IN_ORDER = {"number", "letter", "numeral"}
#: Ratios of the height of a page that no longer is one page, and that is another one.
_HEIGHTS = (1.5, 3.0)
#: A contrast that is noticed to be less is less by this factor.
_LESS = 0.75
#: Most words of a label.
_FEW_WORDS = 4
#: px; a band is at least this high, and its ends are at most this far from the page's edges.
_LEAST_BAND, _AT_EDGE = 16.0, 2.0
#: Radius of round ends, as a share of the shorter side.
_ROUND = 0.4
#: px; a border that is this wide is a bar, which marks what it stands beside.
_LEAST_BAR = 3.0
#: A gauge shows another value if it is filled more or less by this share.
_OTHER_VALUE = 0.05
#: px; a dot of a legend or of a status is at most this large.
_DOT = 16.0


def graded(difference: Difference, compared: Compared, letters: Sequence[Difference] = ()) -> Difference:
    """Return a difference with its severity; if all letters changed, changed places follow from that.

    Args:
        difference: The difference to grade.
        compared: The pages.
        letters: Differences of all letters.
    """
    height = screen_height(compared.reference)
    screen = compared.reference.page_size[0] * height
    of_screen = max(area(difference.boxes[side]) for side in (0, 1)) / max(screen, 1)
    if difference.kind == "unreadable" and difference.members:
        of_screen = area(box_around([text.boxes[1] for text in difference.members])) / max(screen, 1)
    severity = _severity(difference, min(1.0, of_screen))
    if severity == "moderate" and difference.what != "page" and _is_of_look(difference):
        striking = (difference.share or 0.0) * compared.num_striking / max(screen, 1)
        texts = sum(area(text.boxes[1]) for text in difference.members if difference.kind == "font")
        if striking >= _PART or texts / max(screen, 1) >= _LARGE:
            severity = "serious"
    is_bare = difference.kind == "extra" and not difference.made.get("label")
    is_large = (difference.kind == "missing" or is_bare) and of_screen >= _PART
    if (
        severity == "moderate"
        and not _lost_gradient(difference)
        and _is_of_fill(difference, compared, is_large)
    ):
        severity = "serious"
    if severity == "moderate" and (_is_chosen(difference, compared) or _is_of_scale(difference, compared)):
        severity = "serious"
    if _lost_its_hue(difference):
        severity = "serious"
    is_far = difference.property in _REARRANGED and (difference.share or 0.0) >= _LARGE
    if _is_elsewhere(difference, compared.reference.page_size[0]):
        is_far, severity = True, "serious"
    if down := _own_way_down(difference):
        is_far |= abs(down) >= _AREA * height
        severity = "serious" if is_far else severity
    is_wider = difference.what == "page" and difference.property == "size"
    is_of_letters = difference.kind == "moved" or (
        difference.kind == "resized" and difference.what != "picture" and not is_wider
    )
    if letters and is_of_letters and difference.property not in _OF_CONTENT and not is_far:
        reference, candidate = difference.boxes
        aside = abs(least_shift(reference, candidate)[0]), abs(candidate[2] - reference[2])
        is_slight = all(_font(font) == "minor" for font in letters) and max(aside) < _SHIFTS[0]
        most = max(reference[3], candidate[3]) / max(min(reference[3], candidate[3]), 1.0)
        if aside[1] >= _PART * compared.reference.page_size[0]:
            most = max(most, max(reference[2], candidate[2]) / max(min(reference[2], candidate[2]), 1.0))
        if severity == "serious" and (difference.kind == "moved" or most < _LARGE_RATIO):
            severity = "moderate"
        elif is_slight and severity == "moderate":
            severity = "minor"
    is_recolored = difference.kind == "recolored" and difference.what == "panel" and not difference.members
    if severity == "minor" and is_recolored and of_screen >= _PART and _color_difference(difference) >= _TINT:
        severity = "moderate"
    return replace(difference, severity=severity)


def _severity(difference: Difference, share: float) -> Severity:
    match difference.kind:
        case "restyled" if difference.property == "stroke":
            return "moderate"
        case "restyled" if difference.actual == "dashed otherwise":
            return "minor"
        case _ if reach := difference.facts.get("reach"):
            if difference.kind == "missing" and "number" in difference.design:
                return "serious"  # A bar of a chart is a value.
            if difference.kind == "recolored" and (apart := _color_difference(difference)) < _COLORS[1]:
                return "moderate" if apart >= _COLORS[0] else "minor"
            is_large = reach >= _REACH or difference.kind == "exchanged" or _is_other_value(difference)
            return "serious" if is_large else "moderate"
        case "turned" if difference.property == "angle":
            return "moderate"
        case "turned":
            return _by_share(share)
        case "unexplained":
            share = float(difference.made.get("striking", 0.0))
            return "serious" if share >= _STRIKING else "moderate" if share >= _DETAIL else "minor"
        case _ if difference.what == "page":
            return _of_page(difference)
        case _ if difference.property == "cover" or difference.made.get("num_covered"):
            return "serious"
        case _ if difference.property in {"column", "row", "section", "whole"}:
            return _together(difference, share)
        case "exchanged" if difference.property == "border":
            return _of_border(difference.members[0])
        case "exchanged":
            is_whole = difference.design.get("is_whole") and not difference.design.get("is_reordered")
            is_whole = is_whole and not any(map(_is_in_other_column, difference.members))
            is_text = difference.what == "text" and difference.property == "color"
            is_faint = is_text and _color_difference(difference.members[0]) < _COLORS[1]
            return "moderate" if (is_whole and share < _LARGE) or is_faint else "serious"
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
                return "serious" if difference.what == "control" else _by_share(share)
            if difference.property in {"opacity", "strength", "letters"}:
                return "moderate"
            if difference.property == "ring":
                return _of_ring(difference)
            if difference.property == "offset":
                return "minor"
            if difference.property in {"marker", "number"}:
                return _of_marker(difference)
            if difference.property == "border":
                return _of_border(difference)
            if difference.property in {"edge", "corner"}:
                is_seen = difference.what == "picture" and share >= _DETAIL
                return "moderate" if is_seen or _has_other_ends(difference) else "minor"
            side = difference.made
            is_bare = not (side.get("has_fill") or side.get("has_border"))
            if difference.what == "control" and _is_active(difference) and is_bare:
                return "serious"  # It no longer shows where to act.
            return "moderate" if share >= _DETAIL else "minor"
        case "reworded" if difference.design.get("is_all"):
            return "critical"
        case "reworded":
            return "serious" if difference.property in {"text", "encoding"} else "minor"
        case "font":
            return _font(difference)
        case "state":  # A placeholder is a hint; a gauge shows its value by its size.
            is_text = difference.property == "value" and difference.expected and difference.actual
            is_gauge = difference.design.get("name") not in {"text field", "menu", "slider"}
            if difference.property in {"value", "placeholder"}:
                return "serious" if is_text and not is_gauge else "moderate"
            return "serious"
        case "icon":  # Another icon says something else: alone in a control, it is the control's name.
            is_name = _is_name(difference)
            is_other = _color_difference(difference) >= _COLORS[1] and any(_hues(difference))
            is_many = len(difference.members) >= _MANY
            return "serious" if is_name or is_other or is_many else "moderate"
        case "overflowing" if difference.property == "cut" and isinstance(difference.actual, str):
            is_most_left = len(difference.actual) >= _LEAST_LEFT * len(str(difference.expected))
            has_figures = any(
                letter.isdigit() for letter in str(difference.expected)[len(difference.actual) :]
            )
            return "moderate" if is_most_left and not has_figures else "serious"
        case "unreadable" if len(difference.members) >= _MANY:
            return "critical" if share >= _LARGE else "serious"
        case "distorted" | "blank":
            return "critical" if difference.kind == "blank" and share >= _PART else _by_share(share)
    return "serious"


def _is_in_other_column(part: Difference) -> bool:
    """Return whether a cell stands in another column, where it says something else."""
    across, down = map(abs, least_shift(*part.boxes))
    return part.kind == "moved" and part.design.get("name") == "table cell" and down <= _AT_EDGE < across


def _is_name(difference: Difference) -> bool:
    """Return whether an icon is all that names what people act on."""
    side = difference.design
    return bool(side.get("is_name") or (side.get("is_lone") and _is_active(difference)))


def _is_other_value(part: Difference) -> bool:
    """Return whether a part of a drawing stands beside its place, or has the color of another state."""
    if part.kind == "moved":
        moves = zip(least_shift(*part.boxes), part.boxes[0][2:], strict=True)
        return any(abs(shift) >= max(_SHIFTS[1], size) for shift, size in moves)
    is_other = part.kind == "recolored" and _color_difference(part) >= _COLORS[2]
    return is_other and all(_hues(part))


def _is_chosen(difference: Difference, compared: Compared) -> bool:
    """Return whether a ring is around one of several things alike, in a row or column: it marks that one."""
    if difference.property != "ring":
        return False
    side = 0 if difference.expected else 1
    facts, (left, top, _, height) = difference.facts, difference.boxes[side]
    others = (
        one.box
        for one in compared.pages[side].elements or ()
        if one.ring is None and (one.tag, one.role) == (facts.get("tag", ""), facts.get("role", ""))
    )
    apart = ((abs(x - left), abs(y - top), abs(high - height)) for x, y, _, high in others)
    return sum(min(beside, below) <= _AT_EDGE >= high for beside, below, high in apart) >= _SEVERAL - 1


def _is_of_scale(difference: Difference, compared: Compared) -> bool:
    """Return whether one of several things alike in a row lost its hue, which others keep: stars, steps."""
    if (difference.kind, difference.property) != ("recolored", "fill") or difference.what == "text":
        return False
    if not _range(difference.expected) >= HUE > _range(difference.actual):
        return False
    left, top, width, height = difference.boxes[0]
    kept = (
        design.box
        for design, made in compared.pairs
        if hex_color(design.fill) == difference.expected and color_difference(design.fill, made.fill) < _TINT
    )
    apart = (
        (abs(x - left), abs(y - top), abs(wide - width), abs(high - height)) for x, y, wide, high in kept
    )
    return any(beside > _AT_EDGE >= max(others) for beside, *others in apart)


def _is_of_look(difference: Difference) -> bool:
    """Return whether a large difference of this kind is seen first: not a place, not a spacing."""
    match difference.kind, difference.property:
        case "resized", _:
            return difference.what != "panel"
        case "font", known:
            return known in {"family", "font_size", "scale"}
        case "restyled", "marks":
            is_filled = difference.design.get("has_fill") != difference.made.get("has_fill")
            return is_filled or len(difference.members) >= _MANY
        case "moved", _:
            return False
    return difference.property not in {"edge", "corner", "border"} and not _lost_gradient(difference)


def _lost_its_hue(difference: Difference) -> bool:
    """Return whether a box lost the hue or tint that told it from others: a warning's, an offer's."""
    is_box = difference.what == "panel" or (difference.what == "control" and not _is_active(difference))
    has_no_state = difference.design.get("tag") in _WITHOUT_STATE
    if not is_box or has_no_state or min(difference.boxes[0][2:]) < _LEAST_BAND:
        return False
    old, new = difference.expected, difference.actual
    match difference.kind, difference.property:
        case "restyled", "marks":
            old, new = (
                side.get("fill") if side.get("has_fill") else None
                for side in (difference.design, difference.made)
            )
        case "restyled", "border" if str(difference.design.get("border")).endswith(str(old)):  # All around
            return _range(old) >= HUE > _range(new) and _color_difference(difference) >= _COLORS[1]
        case "recolored", "fill" if _color_difference(difference) >= _COLORS[0]:
            pass
        case _:
            return False
    return _range(old) >= _LEAST_TINT > _range(new)


def _range(value: object) -> int:
    """Return how far the channels of a color are apart: a gray's are equal."""
    color = color_of_hex(str(value))
    return max(color) - min(color) if color else 0


def _lost_gradient(difference: Difference) -> bool:
    """Return whether a fill is a gradient on one page only."""
    return bool(difference.design.get("fills")) != bool(difference.made.get("fills"))


def _is_of_fill(difference: Difference, compared: Compared, is_large: bool) -> bool:
    """Return whether a large fill, or a band across the page, appeared, vanished, or has another color."""
    if difference.what != "panel" or difference.property not in {None, "marks", "fill"}:
        return False
    is_filled = [bool(side.get("has_fill")) for side in (difference.design, difference.made)]
    if difference.property == "marks" and all(is_filled):
        return False
    sides = zip((difference.design, difference.made), compared.pages, strict=True)
    fills = [_fill_of(facts, page, is_large) for facts, page in sides]
    old, new = (fill or page.ground for fill, page in zip(fills, compared.pages, strict=True))
    return any(fills) and bool(old and new) and color_difference(old, new) >= _COLORS[0]


def _fill_of(facts: Details, page: Capture, is_large: bool) -> Color | None:
    """Return the fill of a box that is large or goes from one edge of the page to the other; else None."""
    left, _, width, height = facts.get("box", (0, 0, 0, 0))
    is_across = max(left, page.page_size[0] - left - width) <= _AT_EDGE and height >= _LEAST_BAND
    is_told = facts.get("has_fill") and (is_large or is_across)
    return color_of_hex(str(facts.get("fill"))) if is_told else None


def _together(difference: Difference, share: float) -> Severity:
    """Return the severity of several things that are missing, or extra, together."""
    if all(map(_is_dot, difference.members)):
        return "moderate"
    if all(one.what in {"line", "panel"} for one in difference.members):
        return "moderate" if share >= _DETAIL else "minor"
    return "critical" if share >= _LARGE and difference.kind == "missing" else "serious"


def _is_dot(difference: Difference) -> bool:
    """Return whether something is a mere dot or mark, without words."""
    is_small = max(max(box[2:]) for box in difference.boxes) <= _DOT
    has_words = difference.facts.get("texts") or difference.facts.get("label")
    return is_small and difference.what == "control" and not has_words


def _of_border(difference: Difference) -> Severity:
    """Return the severity of a border with other colors or at other sides: of a field, it shows an error."""
    is_on_other_side = None in (difference.expected, difference.actual)
    widths = [side.get("border_width", 0.0) for side in (difference.design, difference.made)]
    if is_on_other_side and min(widths) >= _LEAST_BAR:
        return "serious"
    apart = _COLORS[0] if is_on_other_side else _color_difference(difference)
    is_control = difference.what == "control" and _is_active(difference)
    if apart >= _COLORS[1] and is_control and any(_hues(difference)):
        return "serious"
    return "moderate" if apart >= _COLORS[0] else "minor"


def _of_ring(difference: Difference) -> Severity:
    """Return the severity of an outline: with a hue, it shows an error, or what has the focus."""
    looks = difference.expected, difference.actual
    old, new = hues = [_range(str(look)[-7:]) if look else 0 for look in looks]
    is_lost = difference.what == "control" and old >= HUE > new
    sides = zip(hues, (difference.design, difference.made), strict=True)
    is_instead = any(hue >= HUE and side.get("is_outlined") for hue, side in sides)
    is_field = difference.facts.get("name") in {"text field", "menu"}
    return "serious" if is_lost or (is_instead and is_field) else "moderate"


def _has_other_ends(difference: Difference) -> bool:
    """Return whether a circle, or a pill with round ends, became a square or a plain box, or the reverse."""
    if difference.property != "corner":
        return False
    least, most = sorted(float(radius or 0.0) for radius in (difference.expected, difference.actual))
    return most >= _ROUND * max(min(difference.boxes[0][2:]), 1.0) and least <= most / 2


def _of_marker(difference: Difference) -> Severity:
    """Return the severity of list items with other markers: numbers tell the order of steps."""
    members = difference.members or (difference,)
    of_order = [one for one in members if one.property == "number" or _lost_order(one)]
    if len(of_order) >= _MANY:
        return "serious"
    return "moderate" if of_order or len(members) >= _MANY else "minor"


def _lost_order(marker: Difference) -> bool:
    had, has = (str(name).rpartition(" ")[2] in _IN_ORDER for name in (marker.expected, marker.actual))
    return had and not has


def _by_share(share: float) -> Severity:
    return "serious" if share >= _DETAIL else "moderate"


def _of_page(difference: Difference) -> Severity:
    match difference.property:
        case "style" | "theme" | "content":
            return "critical"
        case "mirrored" | "cut" | "veil":
            return "serious"
        case known if known in _OF_CONTENT:  # Its edges moved sideways
            (left, _, width, _), (own_left, _, own_width, _) = difference.boxes
            return _by_shift(max(abs(own_left - left), abs(own_left + own_width - left - width)))
        case "gap" | "height":
            heights = sorted(max(1, int(value)) for value in (difference.expected, difference.actual))
            ratio = heights[1] / heights[0]
            if difference.property == "gap":
                return "serious" if ratio >= _RATIOS[1] else "moderate"
            return "critical" if ratio >= _HEIGHTS[1] else "serious" if ratio >= _HEIGHTS[0] else "minor"
        case "size":  # If wider, people have to scroll sideways.
            is_wider = difference.boxes[1][2] >= difference.boxes[0][2] + _SHIFTS[0]
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
            side = difference.design
            is_only = _is_name(difference)
            if share >= _PART:
                return "critical"
            is_named = side.get("name") == "picture" and side.get("label")
            if difference.kind == "missing" and (is_only or is_named):
                return "serious"  # It is the only content of a button or link, or has a name
            return "serious" if share >= _DETAIL or len(difference.members) >= _MANY else "moderate"
        case "control":
            side = difference.facts
            has_words = difference.kind == "missing" and (side.get("texts") or side.get("label"))
            return "serious" if _is_active(difference) or has_words else "moderate"
    return "serious"


def _moved(difference: Difference) -> Severity:
    if difference.property in _REARRANGED:
        return "serious"
    if difference.property == "gap":
        apart = abs(int(difference.actual))
        return "moderate" if apart >= _SHIFTS[0] or apart * len(difference.members) >= _SHIFTS[1] else "minor"
    if difference.property == "alignment":
        aside = [abs(least_shift(*text.boxes)[0]) for text in difference.members]
        return "serious" if max(aside) >= _SHIFTS[1] else "moderate"
    across, down = map(abs, _told_shift(difference))
    severity = _by_shift(across)
    is_single = not difference.members and difference.what in {"text", "control", "picture"}
    if severity == "serious" and is_single and not difference.made.get("leaves"):
        return "moderate"
    if severity == "minor" or (severity == "serious" and difference.design.get("name") == "icon"):
        return "moderate" if max(across, down) >= _SHIFTS[1] else "minor"
    return severity


def _told_shift(difference: Difference) -> Sequence[float]:
    """Return how far something moved by itself, px to the right and down."""
    least = least_shift(*difference.boxes)
    told = difference.made.get("shift") or least
    if difference.members:
        return [float(shift) for shift in told]
    return [shift if own else 0.0 for shift, own in zip(least, told, strict=True)]


def _is_elsewhere(difference: Difference, width: float) -> bool:
    """Return whether a large part of what differs is a thing that stands in another part of the page."""
    is_small = difference.what == "line" or (
        not difference.members and (difference.what == "text" or difference.design.get("name") == "icon")
    )
    is_moved = difference.kind == "moved" and difference.property == "place" and not is_small
    is_much = (difference.share or 0.0) >= _LARGE
    if not is_moved or (not is_much and len(difference.members) < _MANY):
        return False
    shifts = [
        _told_shift(difference) if is_much else shift_of(one) for one in difference.members or [difference]
    ]
    return min(max(abs(across), abs(down) / 2) for across, down in shifts) >= _ELSEWHERE * width


def _own_way_down(difference: Difference) -> float:
    """Return how far down most of the page, or what is below an empty band, moved by itself, px; else 0."""
    if difference.kind != "moved" or difference.what == "page":
        return 0.0
    if difference.property == "gap":
        return 0.0 if difference.members else float(difference.actual or 0)
    is_most = difference.property == "place" and (difference.share or 0.0) >= _MOST
    return _told_shift(difference)[1] if is_most and "name" in difference.design else 0.0


def _by_shift(across: float) -> Severity:
    """Return the severity of a sideways shift."""
    return "serious" if across >= _SHIFTS[1] else "moderate" if across >= _SHIFTS[0] else "minor"


def _resized(difference: Difference, share: float) -> Severity:
    reference, candidate = difference.boxes
    ratios = [
        max(reference[at], candidate[at], 1.0) / max(min(reference[at], candidate[at]), 1.0) for at in (2, 3)
    ]
    own = difference.made.get("axes") or (0, 1)
    ratios = [ratio if at in own else 1.0 for at, ratio in enumerate(ratios)]
    if difference.what == "line":
        return "minor"
    values = [float(side.get("gauge", 0.0)) for side in (difference.design, difference.made)]
    if all(values) and abs(values[0] - values[1]) >= _OTHER_VALUE:
        return "serious"
    is_image = str(difference.design.get("tag")) in {"img", "svg", "canvas", "video", "picture"}
    if share >= _AREA and max(ratios) >= _LARGE_RATIO:
        return "serious"
    if difference.what in {"picture", "control"} or share >= _PART or _is_active(difference):
        least = _RATIOS[1] if share >= _PART else _LARGE_RATIO
        is_large = ratios[0] >= least or (is_image and ratios[1] >= least)
        return "serious" if is_large else "moderate" if max(ratios) >= _RATIOS[0] else "minor"
    return "moderate" if max(ratios) >= _RATIOS[1] else "minor"


def _recolored(difference: Difference, share: float) -> Severity:
    apart = _color_difference(difference)
    if difference.property == "picture":
        return _by_share(share)
    if len(difference.members) >= _MANY and apart >= _COLORS[1] and difference.what != "text":
        return "serious"
    if difference.what == "text":
        sides = difference.design, difference.made
        design, made = (side.get("contrast", 21.0) for side in sides)
        if made < min(LEAST_CONTRAST, _LESS * design) and design >= LEAST_CONTRAST:
            return "serious"
        is_said = _is_status(difference) or len(difference.members) >= _SEVERAL
        is_other = apart >= _COLORS[2] and all(_hues(difference)) and is_said
        return "serious" if is_other else "moderate" if apart >= _COLORS[1] else "minor"
    if apart >= _COLORS[2] and all(_hues(difference)) and _is_status(difference):
        return "serious"
    if share >= _AREA and apart >= _COLORS[1] and not _lost_gradient(difference):
        return "serious"
    return "moderate" if apart >= _COLORS[0] else "minor"


def _font(difference: Difference) -> Severity:
    is_all = bool(difference.design.get("is_all"))
    match difference.property:
        case "font_size" | "scale":
            sizes = float(difference.expected or 1), float(difference.actual or 1)
            ratio = max(sizes) / min(sizes)
            is_loud = len(difference.members) >= _MANY and sizes[1] >= _LOUD * sizes[0]
            is_tiny = sizes[1] < _TINY <= sizes[0] and ratio >= _RATIOS[1]
            if is_loud or is_tiny or (is_all and ratio >= _RATIOS[0]):
                return "serious"
            return "moderate" if ratio >= _RATIOS[0] else "minor"
        case "line_height":
            lines = float(difference.actual or 1) / float(difference.expected or 1)
            return "moderate" if max(lines, 1 / lines) >= _RATIOS[0] else "minor"
        case "style" if "struck through" in (difference.expected, difference.actual):
            return "serious"  # Struck-through text is not valid
        case "direction":
            return "serious"
        case "indent" | "lines":
            return "serious" if len(difference.members) >= _MANY else "moderate"
        case "family" | "typeface":
            return "serious" if is_all else "moderate"
    return "moderate" if is_all or difference.property == "weight" else "minor"


def _color_difference(difference: Difference) -> float:
    """Return how different its colors are (CIEDE2000); of gradients, those of their ends."""
    ends = [
        side.get("fills") or [value, value]
        for side, value in zip(
            (difference.design, difference.made), (difference.expected, difference.actual), strict=True
        )
    ]
    colors = [[color_of_hex(str(end)) for end in (side[0], side[-1])] for side in ends]
    pairs = [(old, new) for old, new in zip(*colors, strict=True) if old and new]
    return max((color_difference(*pair) for pair in pairs), default=0.0)


def _hues(difference: Difference) -> list[bool]:
    """Return whether the old color, and the new one, are hues, which people read: green for red."""
    return [_range(value) >= HUE for value in (difference.expected, difference.actual)]


def _is_status(difference: Difference) -> bool:
    """Return whether a color says something of one thing: of a few words, or of a dot."""
    if difference.members:
        return False
    side = difference.design
    words = str(side.get("label") or side.get("text") or "").split()
    return 0 < len(words) <= _FEW_WORDS or max(difference.boxes[0][2:]) <= _DOT


def _is_active(difference: Difference) -> bool:
    """Return whether people act on it."""
    side = difference.facts
    return is_active(str(side.get("tag", "")), str(side.get("role", "")))
