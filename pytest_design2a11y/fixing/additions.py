"""What a page lacks of its design, as markup to add where the design has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from pytest_design2a11y.fixing.draft import Draft, Place, box_of, named, text_name
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.elements import DRAWN
from pytest_design2a11y.fixing.looks import font_css, line_css, look_css, picture_of, px, size_css, style_of
from pytest_design2a11y.fixing.runs import markup_of_runs
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, area, hex_color, is_inside
from pytest_design2a11y.visual.scene.units import Unit

#: Pictures whose means differ by less than this in every channel look the same.
_LIKE = 24
#: What may hold what is added.
_HOLDING = {"div", "main", "section", "article", "aside", "header", "footer", "nav", "form"}


def add_missing(draft: Draft) -> None:
    """Add the elements, grounds and texts that the page lacks."""
    lost = [
        design
        for design, made in draft.claims.elements
        if design
        and (made is None or (draft.found(made) or {}).get("side"))
        and not any(design is element for element in draft.given)
    ]
    for at, element in enumerate(lost, 1):
        _add_element(element, at, draft)
    for at, ground in enumerate(draft.grounds, 1):
        css = {**size_css(ground.box), "background-color": hex_color(ground.fill)}
        _insert(f"{draft.prefix}ground-{at}", "div", css, "", ground.box, "ground", draft, depth=2)
    lacking = [unit for unit, made in draft.claims.texts if unit and made is None]
    for at, unit in enumerate((unit for unit in lacking if not _is_of_added_field(unit, lost)), 1):
        _add_text(unit, at, draft)


def _add_text(unit: Unit, at: int, draft: Draft) -> None:
    """Add a text that the page lacks, where the design has it."""
    page = draft.claims.reference
    base = font_css(max(unit.runs, key=lambda run: len(run.text)), page, draft.families)
    css = {**base, **line_css(unit, page), "margin": "0px", "padding": "0px"}
    css.setdefault("line-height", "normal")
    parts = markup_of_runs(unit, base, draft, {})
    _insert(f"{draft.prefix}text-{at}", "p", css, parts, unit.box, text_name(unit), draft)


def _add_element(element: Element, at: int, draft: Draft) -> None:
    """Add an element that the page lacks, where the design has it."""
    name = f"{draft.prefix}{element.kind}-{at}"
    css = {**size_css(element.box), **look_css(element)}
    css = {key: value for key, value in css.items() if not key.startswith(("min-", "max-"))}
    label = escape(element.label, quote=True)
    content, tag, attributes = "", "div", ""
    if element.kind in DRAWN:
        source = _like_picture(element, draft) or picture_of(element, draft.claims.reference)
        content = f'<img src="{escape(source, quote=True)}" alt="{label}" style="width: 100%; height: 100%">'
        css["background-color"] = "transparent"
    elif element.kind == "line":
        css["background-color"] = hex_color(element.fill)
    elif element.tag.startswith("input"):
        tag, attributes = "input", _field_attributes(element, label)
        inside = [unit for unit, _ in draft.claims.texts if unit and is_inside(unit.box, element.box)]
        if inside:
            css |= font_css(inside[0].runs[0], draft.claims.reference, draft.families)
            css |= {
                "padding": f"0 0 0 {px(max(inside[0].box[0] - element.box[0] - element.border_width, 0))}"
            }
    claims = draft.claims
    kept = [design.box for design, made in claims.elements if design and made]
    kept += [box_of(run) for design, made in claims.texts if design and made for run in design.runs]
    is_below = tag == "div" and any(is_inside(box, element.box) for box in kept)
    what, depth = named(element), 1 if is_below else 0
    _insert(name, tag, css, content, element.box, what, draft, attributes, depth=depth)


def _field_attributes(element: Element, label: str) -> str:
    kind = element.tag.partition("=")[2].rstrip("]") or "text"
    values = (("type", kind), ("value", element.value), ("placeholder", element.placeholder))
    given = "".join(f' {name}="{escape(value, quote=True)}"' for name, value in values if value)
    return f'{given} aria-label="{label or escape(element.placeholder, quote=True) or kind}"'


def _is_of_added_field(unit: Unit, lost: Sequence[Element]) -> bool:
    """Return whether a text comes with a field that is added."""
    return any(
        element.tag.startswith("input")
        and is_inside(unit.box, element.box)
        and unit.text.strip() in (element.value, element.placeholder)
        for element in lost
    )


def _like_picture(element: Element, draft: Draft) -> str:
    """Return the source of a picture on the page whose counterpart in the design looks like this one."""
    for design, made in draft.claims.elements:
        found = draft.found(made)
        if design and made and found and found["source"] and design.tag == element.tag and design.thumbnail:
            same = zip(design.thumbnail, element.thumbnail or (), strict=False)
            if all(max(abs(a - b) for a, b in zip(*pair, strict=True)) < _LIKE for pair in same):
                return str(found["source"])
    return ""


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
    depth: int = 0,
) -> None:
    """Add a thing, once: what lies below others in what holds them, above the fill of that alone."""
    if any(edit.html and (edit.name, edit.design_box) == (what, box) for edit in draft.edits.values()):
        return
    style, home = {"position": "absolute", "left": px(box[0]), "top": px(box[1]), **css}, draft.main
    if depth:
        style["z-index"] = f"-{depth}"
        holder = _holder_of(box, draft)
        home = holder or home
        draft.add(Edit(holder or "body", {"isolation": "isolate"}, name="page"))
    end = "" if tag == "input" else f"</{tag}>"
    html = f'<{tag} id="{name}"{attributes} style="{style_of(style)}">{content}{end}'
    draft.edits[f"+#{name}"] = Edit(
        home, html=html, name=what, reasons=(f"{what} is missing",), design_box=box
    )
    draft.places[f"#{name}"] = Place(f"#{name}", box, tag == "p")


def _holder_of(box: Box, draft: Draft) -> str:
    """Return the selector of the smallest box that is to lie around a part of the page; "" without one."""
    around = [
        (area(design.box), selector)
        for design, made in draft.claims.elements
        if design and made and design.kind == made.kind == "box" and made.tag in _HOLDING
        if is_inside(box, design.box) and area(box) < area(design.box)
        if (selector := draft.selector_of(made)) and f"+{selector}" not in draft.edits
    ]
    return min(around, default=(0.0, ""))[1]
