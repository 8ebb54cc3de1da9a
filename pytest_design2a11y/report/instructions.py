"""One difference as an instruction: what to change, with all values of the design.

The colour of a text is always given together with its background.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import color_of_hex, contrast, hex_color, readable_colors
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import Block, Difference
from pytest_design2a11y.models.words import all_text, counts, in_words, place, way
from pytest_design2a11y.report.design_words import (
    LEAST_CONTRAST,
    LEAST_OF_LARGE,
    Side,
    in_lines,
    quoted,
    readable,
    size,
    style_of,
    texts_of,
    whole_text,
    written,
)
from pytest_design2a11y.report.differences import differences_of
from pytest_design2a11y.report.edits import letters_of
from pytest_design2a11y.wording import listed, with_article

#: Number of characters by which a text of the generated page is recognized.
_LONGEST_NAME = 80
#: Colours look the same up to this difference in each channel.
_NEAR = 3
#: Smaller relative differences in the width of a text are not reported.
_LEAST_WIDTH = 0.01
#: Kinds of text that a new text replaces as a whole; kinds of change to the shape of an element.
_REWRITTEN, _SHAPED = {"reworded", "figure"}, {"moved", "resized", "recolored", "restyled"}
_DRAWN = {"picture", "icon"}
_WRITE = "write it in "
_FIELD_TEXTS = ("value", "placeholder")
#: Maximum number of text colours given with a background.
_MOST_COLORS = 4


def added(difference: Difference, evaluation: Evaluation) -> str:
    """Return what to add."""
    side = difference.design
    if difference.what == "text" and "text" in side:
        return whole_text(side)
    at = f" {place(side)}, {size(side)}" if "box" in side else ""
    texts = "".join(f"; {_text_in(text, side, evaluation)}" for text in side.get("texts", ()))
    # Its words are its name; the texts in it give them in full.
    named = str(side.get("name") or difference.what) if texts else _thing(side, difference)
    is_nameless = named in {"link", "button"} and not texts
    name = "; the design gives it no name: say in an aria-label what it does" if is_nameless else ""
    if texts:
        side = {key: value for key, value in side.items() if key not in _FIELD_TEXTS}
    style = f": {known}" if (known := _legible(side, evaluation)) else ""
    return f"{named}{at}{style}{texts}{name}{_texts_on(difference, evaluation)}"


def _text_in(text: Side, control: Side, evaluation: Evaluation) -> str:
    """Return a text of a control, and its role there: value or placeholder of a field, or its own text.

    The text is on the fill that the control should have, which may be the mean of what is behind it.
    """
    role, words = "in it", letters_of(str(text["text"]))
    if "field" in str(control.get("name")):
        role = next((name for name in _FIELD_TEXTS if letters_of(str(control.get(name, ""))) == words), role)
    fill = _legible_fill(str(control.get("fill")), evaluation)
    is_on_fill = control.get("has_fill") and not control.get("fills") and is_near(text.get("ground"), fill)
    if is_on_fill and "legible_ground" not in text:
        text = {**text, "ground": fill}
    return f"{role} {whole_text(text)}"


def removed(difference: Difference) -> str:
    """Return what to remove."""
    return _named(difference.made, difference)


def changed(differences: Sequence[Difference], evaluation: Evaluation) -> str | None:
    """Return how to change one thing of the generated page; None if nothing is left to do."""
    first = differences[0]
    if first.candidate is None:
        return in_words(first)
    rewritten = [item for item in differences if item.kind in _REWRITTEN and "ground" in item.design]
    changes = dict.fromkeys(text for item in rewritten or differences for text in _changes(item, evaluation))
    if any(text.startswith(_WRITE) for text in changes):  # It includes the colour.
        changes = dict.fromkeys(text for text in changes if not text.startswith("color #"))
    changes |= dict.fromkeys(_look_of(differences, evaluation))
    if not changes:
        return None
    name = all_text(first.design) if first.design.get("is_all") else _named(first.candidate, first)
    return f"{name}: {'; '.join(changes)}"


def _look_of(differences: Sequence[Difference], evaluation: Evaluation) -> Iterator[str]:
    """Yield the target look of an element, whatever changed: a box that grows shows more of its fill."""
    first = differences[0]
    design, made = first.design, first.made
    is_picture = design.get("name") in _DRAWN
    is_changed = any(item.kind in _SHAPED or item.property == "kind" for item in differences)
    is_line_drawn = design.get("name") == "line" and is_near(design.get("fill"), made.get("fill"))
    if first.what == "text" or not is_changed or is_picture or is_line_drawn:
        return
    if is_for_contrast(first, evaluation):
        design = {**design, "fill": made.get("fill")}
    if style_of(design) != style_of(made) != _legible(design, evaluation):
        is_plain = made.get("name") in _DRAWN and first.kind != "restyled"
        plain = f"it is to be a plain {_thing(design, first)}" if is_plain else "style it so"
        yield f"{plain}: {_legible(design, evaluation)}{_texts_on(first, evaluation)}"


def moved_together(difference: Difference) -> str:
    """Return how far to move back what moved as a whole."""
    design, made = difference.design, difference.made
    (_, top, _, height), (left, *_) = made["box"], design["box"]
    back = way((left - made["box"][0], design["box"][1] - top))
    what = f" ({counts(difference.members)})" if difference.members else ""
    return (
        f"everything from {top} to {top + height} px down your page{what}: move {back}, to begin at "
        f"{left}, {design['box'][1]}"
    )


def looked_at(difference: Difference, evaluation: Evaluation) -> str | None:
    """Return what the design shows where a page looks different; None if it does so for contrast's sake."""
    if is_for_contrast(difference, evaluation):
        return None
    design, made = difference.design, difference.made
    if difference.what != "page" or "fill" not in design or is_near(design["fill"], made.get("fill")):
        return in_words(difference)
    own = f", your page {made['fill']}" if "fill" in made else ""
    return f"{place(design)}, {size(design)}: what differs is mostly {design['fill']} in the design{own}"


def of_page(difference: Difference, evaluation: Evaluation) -> str | None:
    """Return how to change the background of the page; None if the difference has no value for it."""
    sides = difference.design, difference.made
    new, old = (side.get("behind", side.get("fill")) for side in sides)
    if new is None or new == old:
        return None
    ground = _legible_fill(new, evaluation)
    most = f", most of it under panels of {sides[0]['fill']}" if new != sides[0]["fill"] else ""
    return f"background of the page: {ground} (it is {old}){most}{_texts_on(difference, evaluation)}"


def _changes(difference: Difference, evaluation: Evaluation) -> Iterator[str]:
    design, made = difference.design, difference.made
    match difference.kind, difference.property:
        case "moved" | "resized" | "distorted", _:
            shift = design["box"][0] - made["box"][0], design["box"][1] - made["box"][1]
            if any(shift):
                yield f"move {way(shift)}, {place(design).replace('at', 'to')}"
            if difference.what != "text" and size(design) != size(made):
                yield f"make it {size(design)} (it is {size(made)})"
        case "reworded" | "figure" | "overflowing", _ if "text" in design:
            whole = whole_text(design) if "ground" in design else f"{in_lines(design)}, {size(design)}"
            yield f"it is to read {whole}"
        case "overflowing", _:
            yield "let it end within its box, whole"
        case "recolored" | "unreadable", _ if difference.what == "text" and "ground" in design:
            if advice := _color(design, made):
                yield advice
        case "unreadable", _:
            yield f"give it a contrast of at least {LEAST_CONTRAST}:1 with what is behind it"
        case "recolored" | "icon", "picture":
            yield f"show the design's picture, {style_of(design)}"
        case "blank", "file":
            yield f"it has no file: it is to show what the design has here, {style_of(design)}"
        case "blank", _:
            yield f"it shows one color: it is to show what the design has here, {style_of(design)}"
        case "restyled", "kind":
            yield f"it is to be {with_article(_thing(design, difference))}: {size(design)}, {place(design)}"
            if design.get("name") in _DRAWN:
                yield f"show the design's picture, {style_of(design)}"
        case "font", name:
            if advice := _font(difference, name):
                yield advice
        case "covered", _:
            by = f" {place({'box': made['by_box']})}" if "by_box" in made else ""
            yield f"uncover it: something{by} lies over it"
        case "state", "value" | "placeholder" as name:
            shown = letters_of(str(difference.actual)), letters_of(str(made.get("label")))
            if letters_of(str(difference.expected)) in shown:
                return
            wanted = quoted(difference.expected) if difference.expected is not None else "nothing"
            yield f"its {'text' if name == 'value' else name} is to be {wanted}"
        case "state", _:
            yield f"it is to be {difference.expected or f'not {difference.actual}'}"
        case _ if difference.what == "text":
            yield in_words(difference)


def _color(design: Side, made: Side) -> str | None:
    color, ground = readable(design)
    own = {"color": made.get("color"), "ground": made.get("ground")}
    if color is None or (is_near(color, own["color"]) and is_near(ground, own["ground"])):
        return None
    is_low = (color, ground) != (design["color"], design["ground"])
    pair = design["color"] if ground == design["ground"] else f"{design['color']} on {design['ground']}"
    low = f"; the design's {pair} has too little contrast" if is_low else ""
    return f"color{_of_part(design)} {color} on {ground} (it is {own['color']} on {own['ground']}{low})"


def _of_part(design: Side) -> str:
    return f" of {quoted(design['part'])}" if design.get("part") else ""


def is_near(first: object, second: object) -> bool:
    """Return whether two colours look the same."""
    colors = color_of_hex(str(first)), color_of_hex(str(second))
    return None not in colors and max(abs(part - other) for part, other in zip(*colors, strict=True)) <= _NEAR  # type: ignore[arg-type]


def _font(difference: Difference, name: str | None) -> str | None:
    design, made = difference.design, difference.made
    expected, actual = difference.expected, difference.actual
    if not design.get("is_all") and "ground" in design and "part" not in design:
        if name == "letter_spacing":
            spacings = [side.get("letter_spacing", 0) for side in (design, made)]
            if spacings[0] != spacings[1]:
                return "set letter-spacing {:g} px (it is {:g} px)".format(*spacings)
            widths = [side["box"][2] for side in (design, made)]
            return "set its letters so that it is {} px wide (it is {} px)".format(*widths)
        if "ground" not in made or written(design) != written(made):
            return f"{_WRITE}{written(design)}"
    match name:
        case None:
            return None
        case "font_size":
            return f"font size{_of_part(design)} {expected:g} px (it is {actual:g} px)"
        case "scale":
            sizes = f"{design['font_size']:g} px (it is {made['font_size']:g} px)"
            return f"divide its font sizes by {actual:g}: {sizes}"
        case "weight" | "family":
            return f"font {name}{_of_part(design)} {expected} (it is {actual})"
        case "contrast":
            return _color(design, made) if "ground" in design else None
        case "style":
            return f"text{_of_part(design)} {expected or f'not {actual}'}"
        case "letter_spacing":
            return f"letter spacing: yours is {actual}"
        case "line_height":
            return f"line height {expected:g} (it is {actual:g})"
        case "direction":
            return f"its lines are to be {expected}"
        case "indent":
            return f"indent line {design.get('line')} by {expected} letters (it is by {actual})"
    return f"another typeface, {design.get('family') or 'the design’s'}" + (
        f": yours is {actual}{_by_how_much(difference)}" if actual else ""
    )


def _by_how_much(difference: Difference) -> str:
    """Return how much narrower or wider the texts of a line are; "" if that is not known."""
    texts = ((text.design, text.made) for text in difference.members or (difference,))
    widths = [
        (design["box"][2], made["box"][2])
        for design, made in texts
        if "box" in made and 0 < design.get("box", (0,) * 4)[3] < 2 * design.get("font_size", 0)
    ]
    design, made = (sum(pair[side] for pair in widths) for side in (0, 1))
    share = made / design - 1 if design else 0.0
    is_confirmed = difference.actual == ("wider" if share > 0 else "narrower")
    return f" by {abs(share):.0%}" if is_confirmed and abs(share) >= _LEAST_WIDTH else ""


def _thing(side: Side, difference: Difference) -> str:
    """Return what an element of the design is, in words, with its label."""
    name = str(side.get("name") or difference.what)
    label = side.get("label")
    return f"{name} {quoted(label)}" if label and difference.what != "text" else name


def _named(side: Side, difference: Difference) -> str:
    """Return how the author of the generated page recognizes a thing."""
    if difference.what == "text" and "text" in side:
        return f"your text {quoted(side['text'], limit=_LONGEST_NAME)} {place(side)}"
    tag = f"<{sanitize(str(side['tag']))}>" if side.get("tag") else str(side.get("name") or difference.what)
    label = f" {quoted(side['label'], limit=_LONGEST_NAME)}" if side.get("label") else ""
    at = f" {place(side)} ({size(side)})" if "box" in side else ""
    return f"your {tag}{label}{at}"


def _legible_fill(fill: str, evaluation: Evaluation) -> str:
    """Return a fill of the design, or the nearest on which the texts over it are readable."""
    grounds = (
        readable({**side, "ground": fill})[1]
        for side in texts_of(differences_of(evaluation))
        if is_near(side.get("ground"), fill)
    )
    return next((ground for ground in grounds if ground not in {None, fill}), None) or fill


def _legible(side: Side, evaluation: Evaluation) -> str:
    """Return the look of an element of the design, with a fill on which texts are readable."""
    if side.get("fills") or not side.get("has_fill"):
        return style_of(side)
    return style_of({**side, "fill": _legible_fill(str(side.get("fill")), evaluation)})


def _texts_on(difference: Difference, evaluation: Evaluation) -> str:
    """Return the new colours of texts that would become unreadable on a new fill."""
    design = difference.design
    filled = color_of_hex(str(design.get("behind", design.get("fill", ""))))
    if filled is None or evaluation.visual is None or difference.what == "picture":
        return ""
    pairs: dict[str, str] = {}
    for made, wanted in _within(difference, evaluation):
        # A text that is unreadable on it even in the design is on something else there.
        if contrast(made.color, filled) < LEAST_CONTRAST <= contrast(wanted.color, filled):
            pairs.setdefault(hex_color(made.color), hex_color(wanted.color))
    colors = [f"{new} (it is {old})" for old, new in pairs.items()]
    return f"; and with it the text {listed(colors, most=_MOST_COLORS)}" if colors else ""


def is_for_contrast(difference: Difference, evaluation: Evaluation) -> bool:
    """Return whether a fill differs from the design's only to make a text on it readable."""
    fills = [side.get("fill") for side in (difference.design, difference.made)]
    wanted, own = (color_of_hex(str(fill)) for fill in fills)
    if wanted is None or own is None or wanted == own or evaluation.visual is None:
        return False
    return any(
        is_near(hex_color(readable_colors(design.color, wanted, ratio)[1]), fills[1])
        for _, design in _within(difference, evaluation)
        for ratio in (LEAST_CONTRAST, LEAST_OF_LARGE)
        if contrast(design.color, wanted) < ratio
    )


def _within(difference: Difference, evaluation: Evaluation) -> Iterable[tuple[Block, Block]]:
    """Yield matched texts, generated and designed, whose fill changes: for the page's ground, all of them."""
    assert evaluation.visual is not None
    role = "candidate" if difference.candidate else "reference"
    width, height = evaluation.page_sizes.get(role, (1, 1))
    box = (difference.made or difference.design).get("box") or (0, 0, 0, 0)
    for match in evaluation.visual.matches:
        x, y, across, down = getattr(match, role).box
        centre = (x + across / 2) * width, (y + down / 2) * height
        is_in = all(box[axis] <= centre[axis] <= box[axis] + box[axis + 2] for axis in (0, 1))
        if is_in or difference.what == "page":
            yield match.candidate, match.reference
