"""Edits of the elements of a page: size, look and place as the design has them, or away."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.fixing.draft import HIDDEN, PLAIN, Draft, named
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.looks import (
    PageLooks,
    background_of,
    is_like,
    look_css,
    picture_of,
    px,
    size_css,
)
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import is_inside
from pytest_design2a11y.visual.likeness import is_on_another_ground
from pytest_design2a11y.visual.poses import pose_of
from pytest_design2a11y.visual.scene.element_facts import PICTURES, name_of
from pytest_design2a11y.visual.scene.sight import shown_in

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench

DRAWN = {"picture", "icon"}
#: What draws by itself, whatever its background.
DRAWING = {"svg", "canvas", "i", "video", "iframe", "object"}
_WITH_VALUES = {"input", "progress", "meter"}
_CONTROLS, _STATES = {"input", "select", "textarea", "button"}, {"checked", "disabled"}
#: px; lengths are the same up to this.
_SAME_LENGTH = 1.0
#: What turns a picture, by the pose in which the design has it.
_POSES = {
    "mirrored": {"scale": "-1 1"},
    "upside down": {"scale": "1 -1"},
    "turned around": {"rotate": "180deg"},
    "turned right": {"rotate": "90deg"},
    "turned left": {"rotate": "-90deg"},
}


def edit_elements(draft: Draft) -> list[tuple[Element, str]]:
    """Give paired elements the design's size, look and place; return those of the page alone."""
    extra = []
    for design, made in draft.claims.elements:
        node = draft.node_of(made)
        if made is None or node is None:
            continue
        if design is not None and node["control"]:
            _set_state(design, made, node, draft)
        if "::" in made.tag:
            continue
        if node["side"] and design is not None:
            draft.lines[node["selector"]] = design.box, made.box
        if node["side"] and design is not None and _is_as_designed(design, made, draft):
            draft.given.append(design)
        elif node["side"]:
            css = {f"border-{node['side']}-color": "transparent"}
            draft.add(Edit(node["selector"], css, name=named(made), page_box=made.box))
        elif design is None:
            if not draft.is_added(node["selector"]):
                extra.append((made, str(node["selector"])))
        else:
            _edit_element(design, made, node, draft)
    for design, made in draft.claims.elements:
        if design is not None and made is None and design.kind == "box" and design.tag not in PICTURES:
            _edit_holder(design, draft)
    return extra


def _edit_holder(design: Element, draft: Draft) -> None:
    """Give the page's element of a text the box that the design has around that text alone."""
    inside = [pair for pair in draft.claims.texts if pair[0] and is_inside(pair[0].box, design.box)]
    made = inside[0][1] if len(inside) == 1 else None
    node = draft.node_of(made.runs[0]) if made else None
    if made is None or node is None or node["numElements"] or node["selector"] in draft.places:
        return
    draft.given.append(design)
    css = _css_of(design, node, draft.looks)
    edit = Edit(node["selector"], css, name=named(design), page_box=made.box, design_box=design.box)
    draft.add(edit, design.box)


def _set_state(design: Element, made: Element, node: Mapping[str, Any], draft: Draft) -> None:
    """Give the control that a label draws the state that it has in the design, which draws its mark, too."""
    if states := _states_of(design, made):
        edit = Edit(node["control"], attributes=states, name=named(made))
        draft.add(replace(edit, design_box=design.box, page_box=made.box))
        marks = (mark for mark, own in draft.claims.elements if mark and own is None)
        draft.given += [mark for mark in marks if is_inside(mark.box, design.box)]


def _edit_element(design: Element, made: Element, node: Mapping[str, Any], draft: Draft) -> None:
    is_as_designed = _is_as_designed(design, made, draft)
    values = _values_of(design, made)
    # What a value or state draws follows it: a later draft finds what is left.
    is_drawn = bool({*_STATES, "value"} & {*values})
    css = {} if is_as_designed or is_drawn else _css_of(design, node, draft.looks)
    is_picture = node["tag"] in PICTURES | DRAWING
    is_placed = all(abs(own - other) < _SAME_LENGTH for own, other in zip(design.box, made.box, strict=True))
    is_placed &= is_as_designed or is_picture
    pose = _pose_of(design, made, draft) if is_picture and _is_as_large(design, made) else {}
    if pose:
        css, is_placed = pose, True  # Its drawing, of which the box is, is turned in the element.
    elif is_picture and _is_as_large(design, made) and not _shows_same(design, made, draft):
        # What stands in for a picture has other proportions.
        css["content"] = f"url({picture_of(design, draft.claims.reference)})"
    elif is_placed:
        css = {name: value for name, value in css.items() if name not in size_css(design.box)}
    if design.angle != made.angle:  # Size and look of a turned box are not known.
        css = {"transform": f"rotate({design.angle:g}deg)"}
    edit = Edit(
        node["selector"],
        css,
        attributes=values,
        name=named(made),
        design_box=design.box,
        page_box=made.box,
    )
    draft.add(edit, None if is_placed else design.box, level=draft.levels[design])
    for behind in node["behind"] if "border-radius" in css else ():  # Its corners would be seen.
        draft.add(Edit(behind, {"border-radius": css["border-radius"]}, name="page"))


def _pose_of(design: Element, made: Element, draft: Draft) -> dict[str, str]:
    """Return what turns a picture as in the design; empty if that makes it no other."""
    page, own = draft.claims.reference, draft.claims.candidate
    pose = pose_of(shown_in(own, made.box), shown_in(page, design.box))
    return dict(_POSES[pose]) if pose else {}


def _values_of(design: Element, made: Element) -> dict[str, str | None]:
    """Return the attributes that a control has in the design with another value, or alone."""
    tag = made.tag.partition("[")[0]
    states = _states_of(design, made) if tag in _CONTROLS else {}
    if tag not in _WITH_VALUES or name_of(made) == "button":  # Its value is its text.
        return states
    pairs = {name: (getattr(design, name), getattr(made, name)) for name in ("value", "placeholder")}
    return states | {name: wanted for name, (wanted, own) in pairs.items() if wanted != own}


def _states_of(design: Element, made: Element) -> dict[str, str | None]:
    """Return the attributes of the states that a control has in the design alone, or on the page alone."""
    wanted, own = _STATES & {*design.states}, _STATES & {*made.states}
    return {**dict.fromkeys(wanted - own, ""), **dict.fromkeys(own - wanted)}


def _is_as_large(design: Element, made: Element) -> bool:
    return all(
        abs(own - other) < _SAME_LENGTH for own, other in zip(design.box[2:], made.box[2:], strict=True)
    )


def _is_as_designed(design: Element, made: Element, draft: Draft) -> bool:
    """Return whether an element needs no edit but, perhaps, another place."""
    is_alike = (
        design.radius == made.radius and _shows_same(design, made, draft)
        if design.kind in DRAWN
        else look_css(design, draft.looks.fills) == look_css(made)
    )
    return _is_as_large(design, made) and design.angle == made.angle and is_alike


def _shows_same(design: Element, made: Element, draft: Draft) -> bool:
    """Return whether two pictures look the same, whatever is behind them."""
    sides = (draft.claims.reference, design), (draft.claims.candidate, made)
    around = (
        ((x - 1, y - 1, wide + 2, high + 2), page) for page, one in sides for x, y, wide, high in [one.box]
    )
    return is_like(design, made) or is_on_another_ground(*(shown_in(page, box) for box, page in around))


def _css_of(design: Element, node: Mapping[str, Any], looks: PageLooks) -> dict[str, str]:
    """Return size and look of an element of the design."""
    css = {**size_css(design.box)}
    if node["isInline"]:
        css["display"] = "inline-block"
    if node["tag"] in PICTURES:
        css |= {"border-radius": px(design.radius), "object-fit": "fill"}
    elif design.kind not in DRAWN:
        css |= look_css(design, looks.fills)
    elif node["tag"] not in DRAWING:
        css["border-radius"] = px(design.radius)
        if not node["numElements"]:
            css |= {"background": background_of(design, looks.page), "image-rendering": "pixelated"}
    return css


def remove_elements(extra: Iterable[tuple[Element, str]], bench: "Bench", draft: Draft) -> None:
    """Hide what the design does not have, or only its look if it holds something that stays."""
    runs = [run for design, made in draft.claims.texts if design and made for run in made.runs]
    texts = {selector for run in runs if (selector := draft.selector_of(run))}
    placed = {selector for selector, place in draft.places.items() if not place.isText}
    left = [(made, selector) for made, selector in extra if selector not in placed]
    holding = {*bench.call("holders", [selector for _, selector in left], [*draft.places, *texts]), *texts}
    hidden, kept = [selector for _, selector in left if selector not in holding], draft.kept()
    for one in bench.call("touching", hidden):
        if one["selector"] not in kept:
            draft.add(Edit(one["selector"], HIDDEN, name="picture", page_box=tuple(one["box"])))
    for made, selector in left:
        css = dict(PLAIN if selector in holding else HIDDEN)
        what = f"{name_of(made)} that the design does not have"
        draft.add(Edit(selector, css, name=named(made), reasons=(what,), page_box=made.box))
