"""How texts, elements, places and ways are named in differences."""

from __future__ import annotations

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import DifferenceSubject
from pytest_design2a11y.visual.differences.fault import Details
from pytest_design2a11y.visual.elements import is_small

_LONGEST_TEXT = 40

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


def pixels(box: Box) -> list[int]:
    """Return a box in whole px."""
    return [round(side) for side in box]


def subject_of(element: Element) -> DifferenceSubject:
    """Return what an element is called in differences."""
    if element.kind != "box":
        return element.kind
    return "control" if is_control(element) else "panel"


def is_control(element: Element) -> bool:
    """Return whether a box is told as a control: it is small, or one of HTML's own whatever its size."""
    is_native = element.tag in _CONTROLS and element.tag != "a"
    return is_small(element) or is_native or element.tag.startswith("input")


def name_of(element: Element, page: Capture) -> str:
    """Return a name for an element: what it is, with the text inside a small box, or with its size."""
    x, y, width, height = pixels(element.box)
    if element.kind == "line":
        return f"line of {max(width, height)} px at {x}, {y}"
    word = "picture"
    if element.kind == "box":
        word = _word_for(element)
        text = text_inside(element, page) if is_control(element) else ""
        if text:
            return f'{word} "{text}"'
    return f"{word} {width} x {height} at {x}, {y}"


def _word_for(element: Element) -> str:
    if not is_control(element):
        return "panel"
    if element.tag in _CONTROLS:
        return _CONTROLS[element.tag]
    return "text field" if element.tag.startswith("input") else "box"


def text_inside(element: Element, page: Capture) -> str:
    """Return the text whose lines have their centre inside an element, shortened."""
    found = [run.text for run in page.text_runs if run.boxes and is_inside(run.boxes[0], element.box)]
    return sanitize(" ".join(found), limit=_LONGEST_TEXT)


def quoted(text: str) -> str:
    """Return a text of a page in quotation marks, shortened."""
    return f'"{sanitize(text, limit=_LONGEST_TEXT)}"'


def place(box: Box) -> str:
    """Return where something is."""
    x, y, *_ = pixels(box)
    return f"at {x}, {y}"


def way(shift: tuple[float, float]) -> str:
    """Return how far something moved, in words."""
    across, down = round(shift[0]), round(shift[1])
    moves = []
    if across:
        moves.append(f"{abs(across)} px {'right' if across > 0 else 'left'}")
    if down:
        moves.append(f"{abs(down)} px {'down' if down > 0 else 'up'}")
    return " and ".join(moves) or "by less than 1 px"


def details_of(element: Element) -> Details:
    """Return an element as values for a difference."""
    return {
        "box": pixels(element.box),
        "tag": sanitize(element.tag),
        "fill": hex_color(element.fill),
        "has_fill": element.has_fill,
        "has_border": element.has_border,
        "has_shadow": element.has_shadow,
    }
