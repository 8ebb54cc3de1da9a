"""Edits as the claims of two pages suggest them, each for one element of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.looks import (
    FAMILIES,
    family_key,
    font_css,
    line_css,
    look_css,
    px,
    readable_ground,
    size_css,
    style_of,
)
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, Color, hex_color, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.differences.sides import PICTURES, name_of
from pytest_design2a11y.visual.differences.units import Unit

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench.bench import Bench

_NAMED_FAMILY = re.compile(r"font-family\s*:\s*([^;}\"']*(?:\"[^\"]*\"|'[^']*')?[^;}\"']*)[;}\"]", re.I)
_QUOTED = re.compile(r'.*"([^"]*)".*')
_LONGEST_NAME = 60
#: Colors look the same up to this difference in each channel.
_SAME_GROUND = 6
_DRAWN = {"picture", "icon"}
_HIDDEN = {"visibility": "hidden"}
_PLAIN = {
    "background": "none",
    "border-color": "transparent",
    "box-shadow": "none",
    "outline": "none",
}


@dataclass(frozen=True)
class Place:
    """Where something is to be, once everything else is applied."""

    selector: str
    box: Box  # px of the design
    isText: bool  # noqa: N815  # As the script names it


@dataclass(frozen=True)
class Ground:
    """A part of the design in one color that is no element of it."""

    box: Box  # px of the design
    fill: Color


@dataclass
class Draft:
    """Edits by selector, and where the edited things are to be."""

    edits: dict[str, Edit] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    size: tuple[int, int] = (0, 0)  # Of the design, px
    grounds: list[Ground] = field(default_factory=list)  # Those that no edit makes yet
    main: str = "body"  # The element that gets what is added

    def add(self, edit: Edit, place: Box | None = None, *, is_text: bool = False) -> None:
        """Add an edit, to the one of its element if there is one."""
        known = self.edits.get(edit.selector)
        self.edits[edit.selector] = edit if known is None else known.joined(edit)
        if place is not None and edit.selector not in self.places:
            self.places[edit.selector] = Place(edit.selector, place, is_text)


def names_of(draft: Draft) -> dict[str, str]:
    """Return what the edited elements are called, by selector."""
    return {selector: _QUOTED.sub(r"\1", edit.name) for selector, edit in draft.edits.items() if edit.name}


def draft_of(claims: Claims, bench: Bench) -> Draft:
    """Return the edits that the claims suggest, found on the open page."""
    draft = Draft(size=claims.reference.page_size)
    design = claims.reference
    bench.apply([])
    if not bench.main_part():
        draft.add(Edit("body", wrap="main", name="page", reasons=("no main landmark",)))
        bench.apply(as_given(draft.edits.values()))
    draft.main = bench.main_part()
    if design.ground is not None:
        ground = {"background-color": hex_color(design.ground), "background-image": "none"}
        draft.add(Edit("html", ground, name="page", reasons=("background of the page",)))
        draft.add(Edit("body", {"background": "transparent none"}, name="page"))
    draft.grounds = _grounds(claims)
    families = _families(claims, bench)
    located = _located(claims, bench)
    extra = _edit_elements(claims, located, draft)
    _edit_texts(claims, located, families, bench, draft)
    _remove_elements(extra, claims, located, bench, draft)
    lines = {id(made) for _, made in claims.elements if located.get(id(made), {}).get("side")}
    lost = [design for design, made in claims.elements if design and (made is None or id(made) in lines)]
    for at, element in enumerate(lost):
        _add_element(element, at, claims, draft, located, families)
    for at, ground in enumerate(draft.grounds):
        css = {**size_css(ground.box), "background-color": hex_color(ground.fill), "z-index": "-2"}
        _insert(f"design-ground-{at + 1}", "div", css, "", ground.box, "ground", draft)
    lacking = [unit for unit, made in claims.texts if unit and made is None]
    for at, unit in enumerate(unit for unit in lacking if not _is_of_added_field(unit, lost)):
        _add_text(unit, at, claims, families, draft)
    return draft


_Located = Mapping[int, dict[str, Any]]
"""What was found on the open page, by the id of the element or run."""


def _located(claims: Claims, bench: Bench) -> _Located:
    elements = [made for _, made in claims.elements if made is not None]
    runs = [run for _, unit in claims.texts if unit is not None for run in unit.runs]
    things = [
        *(
            {"kind": "line" if made.kind == "line" else "element", "tag": made.tag, "text": "", "box": made.box}
            for made in elements
        ),
        *({"kind": "text", "tag": "", "text": run.text, "box": _around(run)} for run in runs),
    ]
    found = bench.locate(things)
    return {
        id(thing): place for thing, place in zip([*elements, *runs], found, strict=True) if place is not None
    }


def _around(run: TextRun) -> Box:
    left, top = (min(box[at] for box in run.boxes) for at in (0, 1))
    right, bottom = (max(box[at] + box[at + 2] for box in run.boxes) for at in (0, 1))
    return left, top, right - left, bottom - top


def _families(claims: Claims, bench: Bench) -> dict[Any, str]:
    """Return the CSS name of every font of the design that one can be found for."""
    fonts = {
        family_key(run.font): run.font
        for unit, _ in claims.texts
        if unit is not None
        for run in unit.runs
        if run.font is not None and any(run.font.advances)
    }
    own = dict.fromkeys(name.strip() for name in _NAMED_FAMILY.findall(claims.reference.html or ""))
    names = [*(name for name in own if name), *FAMILIES]
    asked = [
        {"advances": font.advances, "weight": font.weight, "isItalic": font.is_italic}
        for font in fonts.values()
    ]
    found = bench.families(asked, names)
    return {key: name for key, name in zip(fonts, found, strict=True) if name}


def _edit_elements(claims: Claims, located: _Located, draft: Draft) -> list[tuple[Element, str]]:
    """Give paired elements the design's size, look and place; return those of the page alone."""
    extra = []
    for design, made in claims.elements:
        found = located.get(id(made))
        if made is None or found is None or "::" in made.tag:
            continue
        if found["side"]:
            css = {f"border-{found['side']}-color": "transparent"}
            draft.add(Edit(found["selector"], css, name=_named(made), page_box=made.box))
        elif design is None:
            extra.append((made, found["selector"]))
        else:
            _edit_element(design, made, found, draft)
    return extra


def _edit_element(design: Element, made: Element, found: Mapping[str, Any], draft: Draft) -> None:
    css = {**size_css(design.box)}
    if found["isInline"]:
        css["display"] = "inline-block"
    if made.kind not in _DRAWN and design.kind not in _DRAWN:
        css |= look_css(design)
    elif made.tag in PICTURES:
        css |= {"border-radius": px(design.radius), "object-fit": "fill"}
    edit = Edit(found["selector"], css, name=_named(made), design_box=design.box, page_box=made.box)
    draft.add(edit, design.box)


def _remove_elements(
    extra: Sequence[tuple[Element, str]], claims: Claims, located: _Located, bench: Bench, draft: Draft
) -> None:
    """Hide what the design does not have, or only its look if it holds something that stays."""
    grounds = {
        located[id(run)]["selector"]: readable_ground(own, claims.reference)
        for design, made in claims.texts
        if design and made
        for own, run in _runs_of(design, made)
        if id(run) in located
    }
    extra = [(made, selector) for made, selector in extra if selector not in draft.places]
    holding = {*bench.holders([selector for _, selector in extra], [*draft.places, *grounds]), *grounds}
    for made, selector in extra:
        ground_at = _ground_of(made, claims, draft)
        if selector in holding and selector not in grounds and ground_at is not None:
            draft.grounds.remove(ground_at)
            look = {**size_css(ground_at.box), "background": hex_color(ground_at.fill)}
            draft.add(Edit(selector, look, name=_named(made), page_box=made.box), ground_at.box)
            continue
        css = dict(_PLAIN if selector in holding else _HIDDEN)
        if (ground := grounds.get(selector)) and ground != claims.reference.ground:
            css["background"] = hex_color(ground)
        what = f"{name_of(made)} that the design does not have"
        draft.add(Edit(selector, css, name=_named(made), reasons=(what,), page_box=made.box))


def _ground_of(made: Element, claims: Claims, draft: Draft) -> Ground | None:
    """Return the part of the design's ground on which the texts in an element of the page stand there."""
    inside = [
        design for design, own in claims.texts if design and own and is_inside(own.box, made.box)
    ]
    counts = [sum(is_inside(unit.box, ground.box) for unit in inside) for ground in draft.grounds]
    return draft.grounds[counts.index(max(counts))] if any(counts) else None


def _named(element: Element) -> str:
    label = element.label[:_LONGEST_NAME]
    return f'{name_of(element)} "{label}"' if label else name_of(element)


def _edit_texts(
    claims: Claims, located: _Located, families: Mapping[Any, str], bench: Bench, draft: Draft
) -> None:
    pairs = [(design, made) for design, made in claims.texts if design and made]
    groups = [
        {
            "selectors": [located[id(run)]["selector"] for run in made.runs if id(run) in located],
            "text": "".join(run.text for run in made.runs),
        }
        for _, made in pairs
    ]
    around = bench.common(groups)
    for (design, made), whole in zip(pairs, around, strict=True):
        _edit_text(claims.reference, (design, made), whole, located, families, draft)
    kept = {located[id(run)]["selector"] for _, made in pairs for run in made.runs if id(run) in located}
    for _, made in ((design, made) for design, made in claims.texts if design is None and made):
        for run in made.runs:
            found = located.get(id(run))
            if found is not None and found["selector"] not in kept:
                change: dict[str, Any] = {"css": _HIDDEN} if not found["numElements"] else {"texts": (" ",)}
                why = (f'text "{run.text[:_LONGEST_NAME]}" that the design does not have',)
                draft.add(
                    Edit(found["selector"], name=_text_name(made), reasons=why, page_box=made.box, **change)
                )


def _text_name(unit: Unit) -> str:
    return f'text "{unit.text[:_LONGEST_NAME]}"'


def _edit_text(
    page: Capture,
    pair: tuple[Unit, Unit],
    whole: dict[str, Any] | None,
    located: _Located,
    families: Mapping[Any, str],
    draft: Draft,
) -> None:
    design, made = pair
    runs = _runs_of(design, made)
    groups: dict[str, list[tuple[TextRun, TextRun]]] = {}
    for own, run in runs:
        if id(run) in located:
            groups.setdefault(located[id(run)]["selector"], []).append((own, run))
    for at, (selector, parts) in enumerate(groups.items()):
        own, run = parts[0]
        css = font_css(own, page, families)
        if own.is_underlined != run.is_underlined or own.is_link != run.is_link:
            css["text-decoration-line"] = "underline" if own.is_underlined else "none"
        edit = Edit(selector, css, name=_text_name(design), design_box=design.box, page_box=made.box)
        draft.add(replace(edit, **_words(design, made, parts, located[id(run)], is_first=not at)))
    if whole is None:
        return
    if whole["isAll"] and not any(located[id(run)]["isField"] for _, run in runs if id(run) in located):
        _lay_out(page, design, made, whole, draft)
    elif len(design.runs) == len(made.runs):
        for own, run in runs:
            if (found := located.get(id(run))) and found["selector"] not in draft.places:
                draft.places[found["selector"]] = Place(found["selector"], _around(own), True)


def _words(
    design: Unit,
    made: Unit,
    parts: Sequence[tuple[TextRun, TextRun]],
    found: Mapping[str, Any],
    *,
    is_first: bool,
) -> dict[str, Any]:
    """Return what makes an element read as the design does, as fields of an edit; empty if it does."""
    if _read(design) == _read(made):
        return {}
    if found["isField"]:
        return {"attributes": {"placeholder": parts[0][0].text}}
    if len(design.runs) == len(made.runs):
        is_other = any(own.text.strip() != run.text.strip() for own, run in parts)
        return {"texts": tuple(own.text for own, _ in parts)} if is_other else {}
    if is_first:
        return {"texts": (design.text,)}
    return {"texts": (" ",)} if found["numElements"] else {"css": dict(_HIDDEN)}


def _read(unit: Unit) -> str:
    return " ".join(unit.text.split()).lower()


def _runs_of(design: Unit, made: Unit) -> list[tuple[TextRun, TextRun]]:
    """Return each run of the page's text with the design's run whose look it is to have."""
    if len(design.runs) == len(made.runs):
        return [*zip(design.runs, made.runs, strict=True)]
    by_text = {run.text.strip().lower(): run for run in design.runs}
    longest = max(design.runs, key=lambda run: len(run.text))
    return [(by_text.get(run.text.strip().lower(), longest), run) for run in made.runs]


def _lay_out(page: Capture, design: Unit, made: Unit, whole: Mapping[str, Any], draft: Draft) -> None:
    """Give a text its lines; in a box that has an edit of its own, its place by padding."""
    selector = whole["selector"]
    css = line_css(design, page)
    box = draft.places.get(selector)
    if box is None or box.isText:
        if whole["isInline"] and "width" in css:
            css["display"] = "inline-block"
        draft.add(Edit(selector, css, name=_text_name(design)), design.box, is_text=True)
        return
    known = draft.edits[selector].css
    left, top = design.box[0] - box.box[0], design.box[1] - box.box[1]
    if left < 0 or top < 0 or "width" not in known:
        return
    lines = {side: _width_of(known.get(f"border-{side}", "0")) for side in ("top", "right", "bottom", "left")}
    high = float(css["line-height"][:-2]) if "line-height" in css else design.line_height
    spare = (high - design.line_height) / 2
    top -= spare
    bottom = box.box[3] - top - design.box[3] - 2 * spare
    is_one_line = "width" not in css
    right = 0.0 if is_one_line else box.box[2] - left - design.box[2] - 2
    css = {name: value for name, value in css.items() if name not in ("width", "max-width")}
    css |= {"line-height": px(high), "text-align": css.get("text-align", "left")}
    css |= {
        "padding-top": px(max(0, top - lines["top"])),
        "padding-left": px(max(0, left - lines["left"])),
        "padding-bottom": px(max(0, bottom - lines["bottom"])),
        "padding-right": px(max(0, right - lines["right"])),
        "align-items": "flex-start",
        "justify-content": "flex-start",
        "text-indent": "0px",
    }
    draft.add(Edit(selector, css, name=_text_name(design)))


def _width_of(border: str) -> float:
    number = border.partition("px")[0]
    return float(number) if number.replace(".", "").isdigit() else 0.0


def _add_text(unit: Unit, at: int, claims: Claims, families: Mapping[Any, str], draft: Draft) -> None:
    """Add a text that the page lacks, where the design has it."""
    page, name = claims.reference, f"design-text-{at + 1}"
    base = font_css(max(unit.runs, key=lambda run: len(run.text)), page, families)
    css = {**base, **line_css(unit, page), "margin": "0px", "padding": "0px"}
    css.setdefault("line-height", "normal")
    parts = "".join(_part(run, base, page, families) for run in unit.runs)
    _insert(name, "p", css, parts, unit.box, _text_name(unit), draft)


def _part(run: TextRun, base: Mapping[str, str], page: Capture, families: Mapping[Any, str]) -> str:
    own = {key: value for key, value in font_css(run, page, families).items() if base.get(key) != value}
    tag = "a" if run.is_link else "span"
    if not own and tag == "span":
        return escape(run.text) + " "
    if tag == "a":
        own = {**own, "color": base.get("color", "inherit"), **own}
    own["text-decoration-line"] = "underline" if run.is_underlined else "none"
    link = ' href="#"' if tag == "a" else ""
    return f'<{tag}{link} style="{style_of(own)}">{escape(run.text)}</{tag}> '


def _add_element(
    element: Element, at: int, claims: Claims, draft: Draft, located: _Located, families: Mapping[Any, str]
) -> None:
    """Add an element that the page lacks, where the design has it."""
    name = f"design-{element.kind}-{at + 1}"
    css = {**size_css(element.box), **look_css(element)}
    css = {key: value for key, value in css.items() if not key.startswith(("min-", "max-"))}
    label = escape(element.label, quote=True)
    content, tag, attributes = "", "div", ""
    if element.kind in _DRAWN:
        css["background-color"] = hex_color(element.fill)
        if source := _like_picture(element, claims, located):
            content = f'<img src="{escape(source, quote=True)}" alt="{label}" style="width: 100%; height: 100%">'
            css["background-color"] = "transparent"
    elif element.kind == "line":
        css["background-color"] = hex_color(element.fill)
    elif element.tag.startswith("input"):
        tag, attributes = "input", _field_attributes(element, label)
        inside = [unit for unit, _ in claims.texts if unit and is_inside(unit.box, element.box)]
        if inside:
            css |= font_css(inside[0].runs[0], claims.reference, families)
            css |= {"padding": f"0 0 0 {px(max(inside[0].box[0] - element.box[0] - element.border_width, 0))}"}
    below = {"z-index": "-1"} if element.kind == "box" and tag == "div" and element.tag not in PICTURES else {}
    _insert(name, tag, {**css, **below}, content, element.box, _named(element), draft, attributes)


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


def _grounds(claims: Claims) -> list[Ground]:
    """Return what lies behind texts of the design where it shows neither its ground nor an element of its own."""
    page, found, labels = claims.reference, list[Ground](), dict[Color, Any]()
    elements = [design for design, _ in claims.elements if design is not None]
    for unit, _ in claims.texts:
        ground = None if unit is None else readable_ground(unit.runs[0], page)
        if unit is None or ground is None or (page.ground and is_close(ground, page.ground)):
            continue
        around = (element for element in elements if is_inside(unit.box, element.box))
        is_known = any(is_close(element.fill, ground) or element.fills for element in around)
        is_known |= any(is_inside(unit.box, known.box) for known in found)
        if not is_known and (box := _part_around(unit.box, ground, page, labels)):
            found.append(Ground(box, ground))
    return found


def _part_around(box: Box, color: Color, page: Capture, labels: dict[Color, Any]) -> Box | None:
    """Return the extent of the part of a page in one color that a text lies on."""
    from scipy import ndimage

    if color not in labels:
        is_near = (abs(page.screenshot.pixels.astype("int16") - color) <= _SAME_GROUND).all(axis=2)
        parts, _ = ndimage.label(is_near)
        labels[color] = parts, ndimage.find_objects(parts)
    parts, extents = labels[color]
    left, top = max(int(box[0]) - 1, 0), max(int(box[1]) - 1, 0)
    inside = parts[top : top + int(box[3]) + 2, left : left + int(box[2]) + 2]
    numbers = [int(number) for number in inside[inside > 0]]
    if not numbers:
        return None
    rows, columns = extents[max(set(numbers), key=numbers.count) - 1]
    width, height = columns.stop - columns.start, rows.stop - rows.start
    return float(columns.start), float(rows.start), float(width), float(height)


def is_close(first: Color, second: Color) -> bool:
    """Return whether two colors look the same."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) <= _SAME_GROUND


def _like_picture(element: Element, claims: Claims, located: _Located) -> str:
    """Return the source of a picture on the page whose counterpart in the design looks like this one."""
    for design, made in claims.elements:
        found = located.get(id(made))
        if design and made and found and found["source"] and design.tag == element.tag and design.thumbnail:
            same = zip(design.thumbnail, element.thumbnail or (), strict=False)
            if all(max(abs(a - b) for a, b in zip(*pair, strict=True)) < 24 for pair in same):
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
) -> None:
    style = {"position": "absolute", "left": px(box[0]), "top": px(box[1]), **css}
    end = "" if tag == "input" else f"</{tag}>"
    html = f'<{tag} id="{name}"{attributes} style="{style_of(style)}">{content}{end}'
    draft.edits[f"#{name}"] = Edit(
        draft.main, html=html, name=what, reasons=(f"{what} is missing",), design_box=box
    )
    draft.places[f"#{name}"] = Place(f"#{name}", box, tag == "p")


def as_given(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return edits as the script in the page reads them."""
    names = ("selector", "css", "texts", "attributes", "html", "wrap")
    return [{name: getattr(edit, name) for name in names} for edit in edits]


def places_of(draft: Draft) -> list[dict[str, Any]]:
    """Return the places of a draft as the script in the page reads them."""
    return [asdict(place) for place in draft.places.values()]


def settled(draft: Draft, bench: Bench) -> list[Edit]:
    """Return the edits of a draft that change something, with what brings each thing to its place."""
    keys = [*draft.edits]
    bench.apply(as_given(draft.edits.values()))
    bench.settle(places_of(draft))
    moves = bench.settle(places_of(draft))
    edits = []
    for key in keys:
        edit, move = draft.edits[key], moves.pop(key, {})
        if move and edit.html:
            edit = replace(edit, html=_moved(edit.html, move))
        elif move:
            edit = replace(edit, css={**edit.css, **move})
        edits.append(edit)
    edits += [Edit(selector, move) for selector, move in moves.items()]
    bench.apply(as_given(edits))
    edits += [Edit(name, {"overflow": "visible"}, name="box") for name in bench.clippers([*draft.places])]
    edits += _extent(draft, bench)
    edits = [*by_selector(edits)]
    kept = bench.pruned(as_given(edits), ("position", "left", "top"))
    found = (replace(edit, css=css) for edit, css in zip(edits, kept, strict=True))
    return [edit for edit in found if not edit.is_empty]


def _extent(draft: Draft, bench: Bench) -> Iterator[Edit]:
    """Yield the edits that give the page the size that the design has."""
    if bench.size() != draft.size:
        css = {"height": px(draft.size[1]), "min-height": "0px", "contain": "paint"}
        yield Edit("html", css, name="page", reasons=("size of the page",))


def by_selector(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield one edit for each element; what is added stays apart."""
    found: dict[str, Edit] = {}
    for edit in edits:
        key = edit.html or edit.selector
        found[key] = found[key].joined(edit) if key in found else edit
    yield from found.values()


def _moved(html: str, move: Mapping[str, str]) -> str:
    for name in ("left", "top"):
        html = re.sub(rf"(?<=[; \"]){name}: [-\d.]+px", f"{name}: {move[name]}", html, count=1)
    return html
