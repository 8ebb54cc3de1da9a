"""What a page lacks of its design, as markup to add where the design has it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.draft import Draft, box_of, field_name, named, text_name
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.elements import DRAWN
from pytest_design2a11y.fixing.looks import (
    base_css,
    font_css,
    line_css,
    look_css,
    picture_of,
    plain_size_css,
    px,
    style_of,
)
from pytest_design2a11y.fixing.runs import markup_of_runs, part_of, spaces_of
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, clipped, is_inside
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.scene.units import Unit, joined_unit

#: What may hold what is added.
_HOLDING = {"div", "main", "section", "article", "aside", "header", "footer", "nav", "form"}

#: A thing in a line, after the boxes that it takes.
Placed = tuple[tuple[Box, ...], TextRun | Element]


def tell_flows(draft: Draft) -> None:
    """Note the paragraphs with fields that are told anew, as one each, and take them out of the claims.

    The page lacks their words, or has them in several elements, beside fields, where none has a place.
    """
    claims = draft.claims
    for flow in _flows_of(claims):
        own = [made for design, made in claims.texts if design and design.runs[0] in flow[0].runs]
        nodes = [node for made in own if made for run in made.runs if (node := draft.node_of(run))]
        is_whole = own and all(own) and len({node["selector"] for node in nodes}) == 1
        if not is_whole and (not any(own) or any(node["numElements"] for node in nodes)):
            draft.flows.append(flow)
    words = {run for whole, _ in draft.flows for run in whole.runs}
    fields = {field for _, inside in draft.flows for field in inside}
    lost = [design for design, made in claims.elements if design and made is None and _is_field(design)]
    texts = [
        (None if design and design.runs[0] in words else design and _beside(design, lost), made)
        for design, made in claims.texts
    ]
    elements = [(None if design in fields else design, made) for design, made in claims.elements]
    draft.claims = replace(
        claims,
        texts=[pair for pair in texts if any(pair)],
        elements=[pair for pair in elements if any(pair)],
    )


def _beside(unit: Unit, fields: Iterable[Element]) -> Unit:
    """Return a text without what fields hold that are added, unless that is all of it."""
    runs = [run for run in unit.runs if not any(is_inside(box_of(run), field.box) for field in fields)]
    return joined_unit(runs) if 0 < len(runs) < len(unit.runs) else unit


def _flows_of(claims: Claims) -> list[tuple[Unit, list[Element]]]:
    """Return the design's paragraphs with fields between their words, each as one text with its fields."""
    fields = [design for design, _ in claims.elements if design and _is_field(design)]
    groups = dict[int, list[TextRun]]()
    for run in claims.reference.text_runs:
        if run.paragraph is not None:
            groups.setdefault(run.paragraph, []).append(run)
    wholes = [joined_unit(runs) for runs in groups.values() if len(runs) > 1]
    found = [(whole, [field for field in fields if is_inside(field.box, whole.box)]) for whole in wholes]
    return [(whole, inside) for whole, inside in found if inside]


def add_missing(draft: Draft) -> None:
    """Add the elements and texts that the page lacks."""
    lost = [
        design
        for design, made in draft.claims.elements
        if design
        and (made is None or (draft.node_of(made) or {}).get("side"))
        and not any(design is element for element in draft.given)
    ]
    lacking = [unit for unit, made in draft.claims.texts if unit and made is None]
    for at, (whole, fields) in enumerate(draft.flows, 1):
        _add_text(whole, f"{draft.prefix}form-{at}", draft, fields)
    for at, element in enumerate(lost, 1):
        _add_element(element, at, draft)
    for at, unit in enumerate((unit for unit in lacking if not _is_of_added_field(unit, lost)), 1):
        _add_text(unit, f"{draft.prefix}text-{at}", draft)


def _add_text(unit: Unit, name: str, draft: Draft, fields: Sequence[Element] = ()) -> None:
    """Add a text that the page lacks, with the fields in its lines, where the design has it."""
    page = draft.claims.reference
    base = base_css(unit, draft.looks)
    css = {**base, **line_css(unit, page), "margin": "0px", "padding": "0px"}
    css.setdefault("line-height", "normal")
    parts = _flow(unit, fields, base, draft) if fields else markup_of_runs(unit, base, draft, {})
    _insert(name, "p", css, parts, unit.box, text_name(unit), draft)


def _flow(unit: Unit, fields: Iterable[Element], base: Mapping[str, str], draft: Draft) -> str:
    """Return the lines of a text with fields in them as markup; the boxes of words hold the spaces around."""
    spaces = dict(zip(unit.runs, spaces_of(unit, unit.text), strict=True))
    things = in_rows([*((run.boxes, run) for run in unit.runs), *(((field.box,), field) for field in fields)])
    parts = []
    for before, (boxes, thing), following in zip([None, *things], things, [*things[1:], None], strict=False):
        left = _gap(before[0][-1], boxes[0]) if before else 0.0
        if (
            before
            and left < 0
            and before[0][-1][0] + before[0][-1][2] + boxes[0][2] < unit.box[0] + unit.box[2]
        ):
            parts.append("<br>")
        if isinstance(thing, TextRun):
            parts.append((spaces[thing] or "") + part_of(thing, base, draft, {}))
            continue
        right = _gap(boxes[0], following[0][0]) if following else 0.0
        margin = f"0 {px(_whole(right))} 0 {px(_whole(left))}"
        look = {"display": "inline-block", "margin": margin, **_look_of_new(thing, draft)}
        tag, attributes, content = _field(thing, draft)
        parts.append(f' <{tag}{attributes} style="{style_of(look)}">{content}')
    return "".join(parts)


def _whole(gap: float) -> float:
    """Return a gap, 0 if it is none but for the rounding of an element's box."""
    return gap if gap >= 1 else 0.0


def in_rows(things: Iterable[Placed]) -> list[Placed]:
    """Return things in the order in which they are read, by the place where each begins."""
    rows: list[list[Placed]] = []
    for thing in sorted(things, key=lambda thing: _middle(thing[0][0])):
        if not rows or _middle(thing[0][0]) - _middle(rows[-1][0][0][0]) > thing[0][0][3] / 2:
            rows.append([])
        rows[-1].append(thing)
    return [thing for row in rows for thing in sorted(row, key=lambda thing: thing[0][0][0])]


def _middle(box: Box) -> float:
    return box[1] + box[3] / 2


def _gap(before: Box, box: Box) -> float:
    """Return how far a box is right of another one, px; -1 if it is not on its line."""
    is_beside = (
        before[1] <= _middle(box) <= before[1] + before[3] or box[1] <= _middle(before) <= box[1] + box[3]
    )
    return max(box[0] - before[0] - before[2], 0.0) if is_beside else -1.0


def _add_element(element: Element, at: int, draft: Draft) -> None:
    """Add an element that the page lacks, where the design has it."""
    name = f"{draft.prefix}{element.kind}-{at}"
    css = _look_of_new(element, draft)
    label = escape(element.label, quote=True)
    content, tag, attributes = "", "div", ""
    if element.kind in DRAWN:
        source = picture_of(element, draft.claims.reference)
        content = f'<img src="{escape(source, quote=True)}" alt="{label}" style="width: 100%; height: 100%">'
        css["background-color"] = "transparent"
    elif _is_field(element):
        tag, attributes, content = _field(element, draft)
        inside = [unit for unit, _ in draft.claims.texts if unit and is_inside(unit.box, element.box)]
        if inside:
            css |= font_css(inside[0].runs[0], draft.looks)
            css |= {
                "padding": f"0 0 0 {px(max(inside[0].box[0] - element.box[0] - element.border_width, 0))}"
            }
    claims = draft.claims
    things = [design.box for design, made in claims.elements if design and made]
    words = [box_of(run) for design, made in claims.texts if design and made for run in design.runs]
    is_below = tag == "div" and (
        any(is_inside(box, element.box) for box in things)
        or any(clipped(box, element.box) is not None for box in words)
    )
    what = named(element)
    level = draft.levels[element]
    _insert(name, tag, css, content, element.box, what, draft, attributes, is_below=is_below, level=level)


def _look_of_new(element: Element, draft: Draft) -> dict[str, str]:
    """Return size and look of an element that is added."""
    return {**plain_size_css(element.box), **look_css(element, draft.looks.fills)}


def _is_field(element: Element) -> bool:
    return element.tag.startswith(("input", "select"))


def _field(element: Element, draft: Draft) -> tuple[str, str, str]:
    """Return tag, attributes and content of a field, with the end of its element."""
    tag, _, kind = element.tag.partition("[type=")
    own = {"type": kind.rstrip("]") or "text", "value": element.value, "placeholder": element.placeholder}
    values = {**(own if tag == "input" else {}), "aria-label": field_name(element, draft.claims.reference)}
    attributes = "".join(f' {name}="{escape(value, quote=True)}"' for name, value in values.items() if value)
    return tag, attributes, "" if tag == "input" else f"<option>{escape(element.value)}</option></select>"


def _is_of_added_field(unit: Unit, lost: Sequence[Element]) -> bool:
    """Return whether a text comes with a field that is added."""
    return any(
        _is_field(element)
        and is_inside(unit.box, element.box)
        and unit.text.strip() in (element.value, element.placeholder)
        for element in lost
    )


def _insert(
    name: str,
    tag: str,
    css: Mapping[str, str],
    content: str,
    box: Box,
    what: str,
    draft: Draft,
    attributes: str = "",
    *,
    is_below: bool = False,
    level: int | None = None,
) -> None:
    """Add a thing, once: what lies below others in what holds them, above the fill of that alone."""
    if any(edit.html and (edit.name, edit.design_box) == (what, box) for edit in draft.edits.values()):
        return
    style, home = {"position": "absolute", "left": px(box[0]), "top": px(box[1]), **css}, draft.main
    if is_below:
        style["z-index"] = "-1"
        holder = _holder_of(box, draft)
        home = holder or home
        draft.add(Edit(holder or "body", {"isolation": "isolate"}, name="page"))
    end = "" if tag in ("input", "select") else f"</{tag}>"
    html = f'<{tag} id="{name}"{attributes}>{content}{end}'
    edit = Edit(f"#{name}", style, html=html, into=home, name=what, design_box=box)
    draft.add(replace(edit, reasons=(f"{what} is missing",)), box, is_text=tag == "p", level=level)


def _holder_of(box: Box, draft: Draft) -> str:
    """Return the selector of the smallest box that is to lie around a part of the page; "" without one."""
    around = [
        (area(design.box), selector)
        for design, made in draft.claims.elements
        if design and made and design.kind == made.kind == "box" and made.tag in _HOLDING
        if is_inside(box, design.box) and area(box) < area(design.box)
        if (selector := draft.selector_of(made)) and not draft.is_added(selector)
    ]
    return min(around, default=(0.0, ""))[1]
