"""Facts of elements, as stored in differences: what one is, is called, and shows."""

from dataclasses import replace

import numpy as np

from pytest_design2a11y.models.colors import color_difference
from pytest_design2a11y.models.elements import Element, Ring
from pytest_design2a11y.models.geometry import area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.models.thing_words import listed_all
from pytest_design2a11y.models.visual import DifferenceSubject
from pytest_design2a11y.visual.scene.page_index import index_of
from pytest_design2a11y.visual.scene.places import Details, pixels, widened
from pytest_design2a11y.visual.scene.sight import STRIKING, is_near, shown_in
from pytest_design2a11y.visual.scene.units import is_glyph, read_as_words

#: Boxes up to this width and height (px) are small: controls, buttons, badges. Others are panels.
SMALL = (480, 72)
_CONTROLS = {
    "button": "button",
    "input[type=submit]": "button",
    "input[type=button]": "button",
    "input[type=reset]": "button",
    "input[type=checkbox]": "checkbox",
    "input[type=radio]": "radio button",
    "input[type=range]": "slider",
    "input[type=color]": "color field",
    "input[type=file]": "file field",
    "select": "menu",
    "textarea": "text field",
    "progress": "progress bar",
    "meter": "meter",
    "a": "link",
}

#: Names of controls by role, if the tag is not a control's.
_ROLES = {
    "cell": "table cell",
    "columnheader": "table cell",
    "rowheader": "table cell",
    "gridcell": "table cell",
    "row": "table row",
    "tab": "tab",
    "switch": "switch",
    "checkbox": "checkbox",
    "radio": "radio button",
    "slider": "slider",
    "progressbar": "progress bar",
    "dialog": "dialog",
    "alertdialog": "dialog",
}
#: Roles that people act on, besides HTML's own controls.
_ACTING = {
    *("button", "link", "checkbox", "radio", "textbox", "searchbox", "combobox", "tab", "switch", "slider"),
    *("menuitem", "spinbutton", "listbox", "option"),
}
#: HTML elements that are pictures, even in one color.
PICTURES = {"img", "svg", "canvas", "video"}
_FIELDS = {"input", "select", "textarea"}
_TAGS = {*_FIELDS, "button", "a"}
#: Number of rows in the description of an icon; levels of luma that differ by less are the same.
_ROWS, _FAINT = 8, 8.0
#: An edge has a border if more than this share of it has its color, within this many levels.
_MOST_OF_EDGE, _SAME_LEVEL = 0.5, 16
#: px; words this near to an icon label it.
_BESIDE = 40.0
#: px; a gauge is at most this high, and its bar this near to the edges of its track.
_GAUGE, _OFF_TRACK = 32.0, 2.0
#: Levels that differ by less are the same color.
_FLAT = 6.0
#: px; a photograph's file has a longer side than this, however small it is shown.
_LARGEST_ICON = 48
#: Controls that an icon may name.
_NAMED_BY_ICONS = {"button", "link", "tab"}
#: So may any box with a fill that is at most this many times as large, such as a round one.
_MOST_AROUND = 4.0
#: A panel with more texts is not known by the first of them.
_MOST_NAMED = 12
#: CIEDE2000; a panel is visible as one if its color differs from the surrounding panel's by this much.
_OTHER_PANEL = 10.0


def is_small(element: Element) -> bool:
    """Return whether a box has the size of a control, button or badge."""
    return element.box[2] <= SMALL[0] and element.box[3] <= SMALL[1]


def subject_of(element: Element) -> DifferenceSubject:
    """Return the subject that an element has in differences."""
    if element.kind == "icon" or element.tag in PICTURES:
        return "picture"
    if element.kind != "box":
        return element.kind
    return "control" if is_control(element) else "panel"


def is_control(element: Element) -> bool:
    """Return whether a box counts as a control: small and not part of a table, or one of HTML's own."""
    if _ROLES.get(element.role, "").startswith("table"):
        return False
    is_native = element.tag in _CONTROLS and element.tag != "a"
    return is_small(element) or is_native or element.tag.startswith("input")


def is_acted_on(element: Element) -> bool:
    """Return whether people act on it, by its tag or its role."""
    return is_active(element.tag, element.role)


def without_its_line(element: Element) -> Element:
    """Return a field that is drawn as a mere line as the field that people see in it."""
    is_field = element.kind == "line" and element.tag.partition("[")[0] in _FIELDS
    return replace(element, kind="box", has_border=True) if is_field else element


def is_active(tag: str, role: str) -> bool:
    """Return whether people act on elements with such a tag and role."""
    return tag.partition("[")[0] in _TAGS or role in _ACTING


def details_of(element: Element, page: Capture) -> Details:
    """Return the facts of an element."""
    label = _known_label(element, page)
    facts = {
        "box": pixels(element.box),
        "name": name_of(element),
        "label": label,
        "is_repeated": bool(label) and _is_repeated(element, label, page),
        "is_around": name_of(element) == "panel" and len(runs_in(element, page)) > _MOST_NAMED,
        "field": _field_of(element),
        "tag": element.tag,
        "role": element.role,
        "fill": hex_color(element.fill),
        "has_fill": element.has_fill,
        "has_border": element.has_border,
        "has_shadow": element.has_shadow,
        "border": _border(element, page),
        "border_width": element.border_width if element.has_border else "",
        "ring": (ring := element.ring) and look_of_ring(ring),
        "is_outlined": bool(ring and ring.is_instead),
        "radius": element.radius or "",
        "fills": [hex_color(color) for color in element.fills] or "",
        "states": list(element.states) or "",
        "value": element.value,
        "placeholder": element.placeholder,
        "region": element.region,
        "covers": element.covers,
        **_drawing(element),
        "is_lone": element.kind == "icon" and not _has_words_beside(element, page),
        "is_name": element.kind == "icon" and _is_name(element, page),
        "gauge": _gauge(element, page),
    }
    return {
        name: value
        for name, value in facts.items()
        if value not in ("", False, None) or name.startswith("has_")
    }


def _field_of(element: Element) -> str:
    """Return what an icon is drawn in, such as a menu for its arrow; "" if that is no field."""
    is_in_field = element.kind == "icon" and element.tag.partition("[")[0] in _FIELDS
    return _CONTROLS.get(element.tag, "text field") if is_in_field else ""


def look_of_ring(ring: Ring) -> str:
    """Return width and color of a line around an element."""
    return f"{ring.width:g} px {hex_color(ring.color)}"


def _border(element: Element, page: Capture) -> str:
    """Return width and color of a border, and its edges unless it has all four; "" if none is visible.

    Of edges of another color, that color.
    """
    if element.border is None or not element.has_border:
        return ""
    if element.has_fill and np.abs(np.subtract(element.border, element.fill)).max() <= _SAME_LEVEL:
        return ""
    shown = shown_in(page, element.box)
    reach = max(1, round(element.border_width)) + 1
    edges = {
        "top": shown[:reach],
        "right": shown[:, -reach:].swapaxes(0, 1),
        "bottom": shown[-reach:],
        "left": shown[:, :reach].swapaxes(0, 1),
    }
    corner, lines = round(element.radius), dict(zip(edges, element.lines, strict=False))
    border = f"{element.border_width:g} px {hex_color(element.border)}"
    sides: dict[str, list[str]] = {border: []}
    for name, edge in edges.items():
        straight = edge[:, corner : edge.shape[1] - corner]  # Round corners belong to no edge.
        is_like = is_near(straight, element.border, _SAME_LEVEL).any(axis=0)
        is_drawn = not straight.shape[1] or np.mean(is_like) > _MOST_OF_EDGE
        color = lines.get(name) or element.border
        apart = min(np.abs(np.subtract(color, one)).max() for one in (element.border, element.fill))
        # A line within a ring of the border's color is the edge that people see.
        if apart > (STRIKING if is_drawn else _SAME_LEVEL):
            sides.setdefault(hex_color(color), []).append(name)
        elif is_drawn:
            sides[border].append(name)
    if len(sides[border]) == len(edges):
        return border
    return listed_all([f"{line} at the {listed_all(names)}" for line, names in sides.items() if names])


def _is_name(icon: Element, page: Capture) -> bool:
    """Return whether an icon is all that a button, link, tab, or small box with a fill shows."""
    most = _MOST_AROUND * max(icon.box[2:])
    around = (
        one
        for one in index_of(page).elements_at(icon.box, "box")
        if name_of(one) in _NAMED_BY_ICONS or (one.has_fill and max(one.box[2:]) <= most)
    )
    return any(is_inside(icon.box, one.box) and not runs_in(one, page) for one in around)


def _has_words_beside(icon: Element, page: Capture) -> bool:
    """Return whether an icon's label can be read on the page near it."""
    near, words = widened(icon.box, _BESIDE), icon.label.lower()
    return any(
        run.text.strip().lower() in words and any(clipped(box, near) for box in run.boxes)
        for run in page.text_runs
        if run.text.strip()
    )


def _gauge(bar: Element, page: Capture) -> float | str:
    """Return how much of another box of its height a box fills from the left, as a gauge does; "" if none."""
    left, top, width, height = bar.box
    if bar.kind != "box" or not bar.has_fill or not 0 < height <= _GAUGE or width < height:
        return ""
    tracks = (other.box for other in index_of(page).elements_at(bar.box, "box") if other is not bar)
    edges = np.array([(x, y, high, wide) for x, y, wide, high in tracks if wide > width]).reshape(-1, 4)
    is_track = (np.abs(edges[:, :3] - (left, top, height)) <= _OFF_TRACK).all(axis=1)
    return round(width / float(edges[is_track, 3].min()), 3) if is_track.any() else ""


def _drawing(element: Element) -> dict[str, object]:
    """Return a drawing of an icon: rows of "#" and ".", and the colors of both; empty for anything else."""
    if element.kind != "icon" or not element.texture or not element.thumbnail:
        return {}
    side = round(len(element.texture) ** 0.5) // _ROWS
    levels = np.array(element.texture, dtype=float).reshape(_ROWS, side, _ROWS, side).mean(axis=(1, 3))
    edge = np.concatenate([levels[0], levels[-1], levels[:, 0], levels[:, -1]])
    apart = np.abs(levels - np.median(edge))
    if apart.max() < _FAINT:
        return {}
    rows = ["".join("#" if is_drawn else "." for is_drawn in row) for row in apart > apart.max() / 2]
    return {"rows": rows, "ground": hex_color(max(element.thumbnail, key=element.thumbnail.count))}


def label_of(element: Element, page: Capture) -> str:
    """Return an element's label on its page: its own or, for a control, the text inside it."""
    if element.kind == "line":
        return ""
    if element.kind == "icon" and not any(letter.isalpha() for letter in element.label):
        return ""  # The number beside an icon may change.
    if any(letter.isalnum() for letter in element.label):
        # Names of icons are left out.
        label = element.label
        for words in (run.text.strip() for run in runs_in(element, page) if is_glyph(run, page)):
            if label != words:
                label = " ".join(label.replace(words, "", 1).split())
        return label
    if element.placeholder:
        return element.placeholder
    if element.kind != "box" or not is_control(element):
        return ""
    return " ".join(run.text for run in read_as_words(runs_in(element, page), page))


def runs_in(element: Element, page: Capture) -> list[TextRun]:
    """Return the text of a page that begins in an element."""
    return index_of(page).runs_in(element.box)


def _known_label(element: Element, page: Capture) -> str:
    """Return an element's label if people can know it.

    They cannot see the heading of a closed menu in a panel, and an inner panel's heading belongs to that one.
    A link with hidden words does not visibly read so.
    """
    label = label_of(element, page)
    if element.kind == "box" and name_of(element) == "link":
        worded = index_of(page).worded.get(label.lower(), ())
        same = [run.boxes[0] for run in worded if run.text.strip() == label]
        return label if not same or any(is_inside(box, element.box) for box in same) else ""
    if element.kind != "box" or element.tag in PICTURES or is_control(element):
        return label
    named = index_of(page).named.get(element.label.lower(), ())
    boxes = (other for other in named if other.kind == "box" and other.label == element.label)
    inner = (box for box in boxes if area(box.box) < area(element.box) and is_inside(box.box, element.box))
    if any(color_difference(box.fill, element.fill) >= _OTHER_PANEL for box in inner):
        return ""
    inside = "".join(run.text for run in runs_in(element, page))
    words, name = ("".join(text.lower().split()) for text in (inside, label))
    return label if name in words else ""


def _is_repeated(element: Element, label: str, page: Capture) -> bool:
    """Return whether a page has another element of the same kind and name; for links, another text."""
    name, what = label.lower(), name_of(element)
    boxes = [other.box for other in index_of(page).named.get(name, ()) if name_of(other) == what]
    if what in {"link", "button"}:
        boxes += [run.boxes[0] for run in index_of(page).worded.get(name, ())]
    return not all(is_inside(box, element.box) or is_inside(element.box, box) for box in boxes)


def name_of(element: Element) -> str:
    """Return the common word for an element."""
    is_photo = element.kind == "icon" and max(element.natural_size or (0,)) > _LARGEST_ICON
    if is_photo or (element.kind == "box" and element.tag in PICTURES):  # Such a box has one color.
        return "picture"
    if element.kind != "box":
        return element.kind
    if element.role in _ROLES:
        return _ROLES[element.role]
    if not is_control(element):
        return "panel"
    return _CONTROLS.get(element.tag, "text field" if element.tag.startswith("input") else "box")


def is_flat(element: Element) -> bool:
    """Return whether all of an element has one color."""
    if element.thumbnail is None:
        return not element.fills
    if element.texture is not None and max(element.texture) - min(element.texture) >= 4 * _FLAT:
        return False
    cells = np.array(element.thumbnail, dtype=np.int64)
    return bool(np.abs(cells - np.median(cells, axis=0)).max() < _FLAT)


def is_plain(element: Element) -> bool:
    """Return whether a picture shows only one color, whatever its edges and corners."""
    if element.texture is None:
        return is_flat(element)
    side = round(len(element.texture) ** 0.5)
    lumas = np.array(element.texture, dtype=np.int64).reshape(side, side)
    margin = side // 6
    return bool(np.ptp(lumas[margin : side - margin, margin : side - margin]) < _FLAT)
