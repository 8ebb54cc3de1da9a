"""Differences in words: the only module that turns the facts of a difference into a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from statistics import median
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.part_words import angle, changed_shape, exchanged_colors, part_name
from pytest_design2a11y.models.visual import Difference, DifferenceSubject
from pytest_design2a11y.wording import counted

#: Texts of pages are cut to this length in sentences.
LONGEST_TEXT = 40
#: Contrast, WCAG's minimum for text, below which a sentence mentions it.
_LEAST_CONTRAST = 4.5
#: The same for large text, below which no text is easy to read.
_LEAST_LEGIBLE = 3.0

Side = Mapping[str, Any]

_OF_PAGE = {
    "style": "the page is unstyled: {0.expected}, and the text is in the browser's own font; look at its "
    "style sheets",
    "appearance": "without its text the page looks different as a whole (appearance {0.actual:.2f}){where}",
    "content": "{what}: {missing} of {0.expected} texts of the design are missing",
    "height": "the page is {0.actual} px high instead of {0.expected} px",
    "size": "the page is {0.actual} px instead of {0.expected} px",
    "width": "the content is about {0.actual} px wide instead of {0.expected} px, and what is in it moved",
    "room": "the content is about {0.actual} px wide instead of {0.expected} px, where other things are "
    "missing",
    "cut": "the content is {0.actual:.1f} times as wide as in the design, and cut off at the right",
    "fill": "ground of the page (background) is {0.actual} instead of {0.expected}",
}
#: A page with fewer texts counts as nearly empty.
_MANY = 3
#: What happened to things, by kind of difference.
IN_WORDS = {
    "extra": "not in the design",
    "font": "in another font",
    "ground": "in another color",
    "state": "in another state",
    "figure": "with another figure",
    "unreadable": "hard to read",
    "unexplained": "looking different",
    "exchanged": "in each other's place",
}
#: px; sides whose lengths differ by less are the same.
_LEAST_RESIZE = 4
#: Number of kinds that a sentence on many small differences names.
_MOST_KINDS = 4
#: Kinds whose similar differences are joined into one.
_JOINED = {"recolored", "restyled", "missing", "icon", "overflowing", "reworded"}
_PLURALS = {"is": "are ", "has": "have ", "shows": "show ", "reads": "read "}
#: Things that show a number as a length.
_SCALES = {"slider", "progress bar", "meter"}
#: Directions along each axis; shifts that differ by no more than this (px) count as equal.
_WAYS, _SAME_SHIFT = (("right", "left"), ("down", "up")), 2
#: Number of things named of those that moved below or beside each other.
_MOST_NAMES = 2
_TOGETHER = {
    "columns": "columns: {} moved below each other",
    "rows": "rows: {} moved beside each other",
    "mirrored": "left and right are swapped: {} mirrored",
}


def in_words(difference: Difference) -> str:
    """Return a difference as one sentence without a full stop."""
    if difference.what == "page":
        return _of_page(difference)
    if difference.property in _TOGETHER:
        members = difference.members[:_MOST_NAMES]
        names = [side_name(member.reference or {}, member.what) for member in members]
        more = len(difference.members) - len(names)
        with_more = f", with {counted(more, 'other')}" if more else ""
        return _TOGETHER[difference.property].format(listed_all(names)) + with_more
    if difference.kind == "exchanged":
        if "within" in difference.design:
            return exchanged_colors(difference.design, len(difference.members) // 2)
        return _exchanged(difference)
    if difference.property in _GROUPS:
        return _together_lost(difference)
    if difference.kind == "covered" and difference.members:
        by = (difference.candidate or {}).get("by", {})
        return (
            f"{side_name(by, 'text' if 'text' in by else 'panel')} lies over {len(difference.members)} things"
        )
    if difference.kind == "missing" and (sentence := _of_alike(difference)):
        return sentence
    verb = predicate(difference)
    is_several = "several" in (difference.reference or difference.candidate or {})
    if is_several or (_is_joined(difference) and _more(difference)):
        verb = re.sub(r"\A(is|has|shows|reads) ", lambda verb: _PLURALS[verb[1]], verb)
    return f"{subject(difference)} {verb}".replace(" ,", ",")


def in_words_anywhere(difference: Difference) -> str:
    """Return a difference as a sentence without places, equal to that of the same thing elsewhere."""
    sides = [side and {**side, "is_anywhere": True} for side in (difference.reference, difference.candidate)]
    return in_words(replace(difference, reference=sides[0], candidate=sides[1])).replace("  ", " ")


#: Several things that are missing, or extra, together.
_GROUPS = {"column", "row", "section", "whole"}


def _together_lost(difference: Difference) -> str:
    side = difference.reference or difference.candidate or {}
    named = f" {quoted(str(side['text']))}" if side.get("text") else ""
    verb = "is missing" if difference.kind == "missing" else "is not in the design"
    if difference.property == "whole":
        return f"{side_name(side, difference.what)} {verb}, with {counts(difference.members[1:])}"
    if more := side.get("num_alike"):
        verb = re.sub(r"\Ais", f"and {more} more like it are", verb)
    return f"{difference.property}{named} {place(side)} {verb}: {counts(difference.members)}"


_EXCHANGED = {
    "places": "{} and {} stand in each other's place",
    "picture": "{} and {} show each other's picture",
    "color": "{} and {} have each other's color",
    "look": "{} and {} have each other's look",
}


def _exchanged(difference: Difference) -> str:
    first = difference.reference or {}
    names = [side_name(side, difference.what) for side in (first, first.get("other", {}))]
    if difference.property == "state":
        expected, actual = str(difference.expected), str(difference.actual)
        lost, gained = names if actual.startswith("not ") else names[::-1]
        return f"{gained} is {expected.removeprefix('not ')} instead of {lost}"
    if difference.property == "places" and first.get("is_whole") and len(difference.members) > 2:
        names = [f"what stands with {name}" for name in names]
    return _EXCHANGED[difference.property or "look"].format(*names)


def _is_joined(difference: Difference) -> bool:
    """Return whether its members are more things like the one that it names."""
    return (
        difference.kind in _JOINED
        or difference.property == "encoding"
        or "within" in (difference.reference or difference.candidate or {})
    )


def _of_alike(difference: Difference) -> str:
    """Return how many of several similar things are missing, if it is unknown which; else ""."""
    side = difference.reference or {}
    others = (member.reference or {} for member in difference.members)
    if "of" not in side or any(other.get("of") != side["of"] for other in others):
        return ""
    (number, of), name = side["of"], side.get("name", "text")
    words = side.get("text") or side.get("label")
    which = f" {quoted(words)}" if words else " {} x {}".format(*side["box"][2:])
    several = f"{name}{'es' if name.endswith('x') else 's'}{'' if side.get('is_any') else which}"
    return f"{number} of {of} {several} {'is' if number == 1 else 'are'} missing"


def subject(difference: Difference) -> str:
    """Return the name of what differs: 'text "Sign in"', 'button "Buy"', "picture 400 x 200 at 32, 180"."""
    if difference.property == "alignment":
        first = side_name(difference.members[0].reference or {}, "text")
        return f"{first} and {_more(difference)} more are"
    is_alone = "name" in difference.design or difference.made.get("num_covered")
    if difference.members and difference.kind == "moved" and not is_alone:
        _, top, _, height = (difference.reference or difference.candidate or {}).get("box", (0, 0, 0, 0))
        return f"{counts(difference.members)} between {top} and {top + height} px down the page"
    name = side_name(difference.reference or difference.candidate or {}, difference.what)
    if difference.kind == "font":
        if difference.reference and difference.reference.get("is_all"):
            return all_text(difference.reference)
        return name + (f" and {counted(more, 'more paragraph')}" if (more := _more(difference)) else "")
    if _is_joined(difference) and (more := _more(difference)):
        return f"{name} and {more} more"
    if difference.what == "text" and difference.kind in {"missing", "extra"}:
        name += f" {place(difference.reference or difference.candidate or {})}"
    return name


def side_name(side: Side, what: DifferenceSubject = "panel") -> str:
    """Return the name of a text or element, from its facts."""
    if "within" in side:
        return part_name(side)
    if what == "text" and "text" in side:
        return f"text {quoted(side['text'])}"
    name = side.get("name", what)
    width, height = side["box"][2:] if "box" in side else (0, 0)
    if what == "line":
        return f"line of {max(width, height)} px {place(side)}"
    if label := side.get("label"):
        return f"{name} {quoted(label)}" + (f" {place(side)}" if side.get("is_repeated") else "")
    return f"{name} {width} x {height} {place(side)}" if "box" in side else str(name)


def quoted(text: str) -> str:
    """Return a text of a page in quotation marks, shortened."""
    return f'"{sanitize(text, limit=LONGEST_TEXT)}"'


def all_text(side: Side) -> str:
    """Return in words how much text a change of all fonts affects."""
    return "all text" if side.get("is_whole", True) else "most text"


def place(side: Side) -> str:
    """Return the position of a thing's top left corner, in words; "" if it does not matter."""
    if side.get("is_anywhere"):
        return ""
    left, top, *_ = side.get("box", (0, 0))
    return f"at {left}, {top}"


def predicate(difference: Difference) -> str:
    """Return the predicate of the sentence."""
    if over := (difference.candidate or {}).get("num_covered"):
        alone = replace(difference, candidate={**(difference.candidate or {}), "num_covered": 0}, members=())
        verb = "collides with" if (difference.candidate or {}).get("is_under") else "covers"
        return f"{predicate(alone)}, and {verb} {counted(over, 'thing')}"
    expected, actual = difference.expected, difference.actual
    design, made = difference.reference or {}, difference.candidate or {}
    match difference.kind, difference.property:
        case "missing", "box":
            marks = ", ".join(f"no {mark}" for mark in marks_of(design))
            return f"is plain text: {marks or 'nothing around it'}"
        case "missing", _:
            return "is missing"
        case "resized", "size":
            return _other_size(difference)
        case "resized", "height" | "width":
            measure = "high" if difference.property == "height" else "wide"
            return f"is {actual} px {measure} instead of {expected} px"
        case "turned", "angle":
            wanted, own = ("turned " + angle(value) if value else "straight" for value in (expected, actual))
            return f"is {own} instead of {wanted}"
        case "restyled", "letters":
            return f"is {actual} instead of {expected}"
        case "restyled", "opacity":
            return f"is at {actual:.0%} instead of {expected:.0%} (opacity)"
        case "turned" | "mirrored", _:
            return "is mirrored" if difference.kind == "mirrored" else f"is {actual}"
        case "restyled", "shape" | "dashes" | "length":
            return changed_shape(difference.property, expected, actual)
        case "extra" | "resized", _:
            return "is not in the design" if expected is None else f"is {actual} instead of {expected}"
        case "moved", "gap":
            verb = "has" if not _more(difference) else "have"
            return f"{verb} {abs(actual)} px {'more' if actual > 0 else 'less'} space above"
        case "moved", "alignment":
            return f"{actual} instead of {expected}"
        case "moved", _:
            # A thing with a name moved itself, together with its content.
            is_group = difference.property == "place" and "name" not in design
            members = difference.members if is_group else ()
            return f"moved {way(*map(shift_of, members or (difference,)))}"
        case "reworded", "encoding":
            return f"shows {quoted(str(actual))} instead of {quoted(str(expected))} (character set)"
        case "reworded", "case":
            return f"reads {quoted(str(actual))}, in other letters"
        case "reworded", _:
            if len(str(actual)) > LONGEST_TEXT and str(expected).startswith(str(actual)):
                return f"reads up to {quoted(_last_words(str(actual)))} only"
            return f"reads {quoted(_around_change(str(actual), str(expected)))}"
        case "recolored", "picture" if "changed" in made:
            return f"looks different {made['changed']}"
        case "recolored", "picture":
            same = ", or the same in other colors" if made.get("has_same_edges") else ""
            mostly = f", mostly {actual} instead of {expected}" if expected != actual else ""
            return f"shows something else{same}{mostly}"
        case "recolored", "color":
            return _recolored_text(difference)
        case "recolored", _:
            is_exchanged = any(
                (member.expected, member.actual) == (actual, expected) for member in difference.members
            )
            reverse = ", or the reverse" if is_exchanged else ""
            return f"is {_fill(made, actual)} instead of {_fill(design, expected)}{reverse}"
        case "figure", _:
            wanted = "" if design.get("text") == expected else f" instead of {quoted(str(expected))}"
            return f"reads {quoted(str(actual))}{wanted}"
        case "distorted", _:
            size = f"is {actual} instead of {expected}: it " if actual != expected else ""
            return f"{size}is stretched"
        case "blank", "file":
            return f"was not loaded ({'blocked' if actual == 'blocked' else 'its file is missing'})"
        case "blank", _:
            return f"is a plain {actual} area, or nearly: it is blank"
        case "unreadable", _:
            verb = "is hard to read on what is behind it"
            if expected is None:
                return verb
            return f"{verb}, at a contrast of {actual:.1f}:1 instead of {expected:.1f}:1"
        case "covered", _:
            return f"is covered{_by(made)}"
        case "overflowing", "cut":
            if isinstance(actual, str):
                return f"is cut off (overflow) after {quoted(_last_words(actual))}"
            return f"is cut off (overflow): {actual:.0%} of the {made.get('cut', 'length')} does not show"
        case "overflowing", _:
            return "is too large for its box, and runs out of it (overflow)"
        case "icon", _:
            return "shows something else"
        case "state", "value" | "placeholder":
            return _value(difference)
        case "state", state:
            return f"lost its {state} state" if expected == state else f"is {state}, unlike in the design"
        case "unexplained", _:
            return "looks different"
        case "restyled", "border":
            wanted, own = (side.get("border", color) for side, color in ((design, expected), (made, actual)))
            if own is None or wanted is None:
                return f"lost its border of {wanted}" if own is None else f"has a border of {own} that is new"
            return f"has a border of {own} instead of {wanted}"
        case "restyled", "edge":
            where = "around its edges" if actual == "around" else f"at its {actual} edge (border)"
            return f"looks different {where}"
        case "restyled", "corner":
            if expected is None:
                return "looks different at its corners"
            short, long = sorted((design.get("box") or [0] * 4)[2:])
            if actual == 0 and expected >= 0.4 * short and long <= 1.2 * short:
                return "is square instead of round"
            return f"has a corner radius of {actual:g} px instead of {expected:g} px"
        case "restyled", "kind":
            return f"is {actual}"
        case "restyled", _:
            old, new = marks_of(design), marks_of(made)
            lost = [mark for mark in old if mark not in new]
            gained = [mark for mark in new if mark not in old]
            parts = [f"lost its {listed_all(lost)}"] if lost else []
            parts += [f"has a {' and a '.join(gained)} that the design does not have"] if gained else []
            return " and ".join(parts)
        case "font", _:
            return _font(difference)
    return f"differs: {actual} instead of {expected}"


def _by(side: Side) -> str:
    """Return what covers something, in words; "" if that is not known."""
    if by := side.get("by"):
        return f" by {side_name(by, 'text' if 'text' in by else 'panel')}"
    return f" by what lies {place({'box': side['by_box']})}" if "by_box" in side else ""


def _other_size(difference: Difference) -> str:
    """Return a new size in words: of one side if the other is nearly the same, or follows from others."""
    sizes = [[*map(int, str(value).split(" x "))] for value in (difference.expected, difference.actual)]
    made = difference.candidate or {}
    axes = made.get("axes") or [at for at in (0, 1) if abs(sizes[1][at] - sizes[0][at]) >= _LEAST_RESIZE]
    if len(axes) == 1:
        at = axes[0]
        return f"is {sizes[1][at]} px {('wide', 'high')[at]} instead of {sizes[0][at]} px"
    return f"is {difference.actual} instead of {difference.expected}"


def _fill(side: Side, color: object) -> str:
    """Return the color of a thing, or both end colors of its gradient."""
    fills = side.get("fills")
    return f"a gradient from {fills[0]} to {fills[-1]}" if fills else str(color)


def _value(difference: Difference) -> str:
    name = "placeholder" if difference.property == "placeholder" else "text in it"
    expected, actual = difference.expected, difference.actual
    control = (difference.reference or {}).get("name")
    if control in _SCALES:
        return f"stands at {actual or 'nothing'} instead of {expected or 'nothing'}"
    if control == "color field":
        return f"shows {actual} instead of {expected}"
    if actual is None:
        return f"has no {name}: {quoted(str(expected))} is missing"
    wanted = (
        f" instead of {quoted(str(expected))}" if expected is not None else ", which the design does not have"
    )
    return f"has the {name} {quoted(str(actual))}{wanted}"


def _around_change(text: str, other: str) -> str:
    """Return a long text from shortly before the first difference from another one."""
    start = min(len(text), len(other))
    for counts_as in (str.isalnum, bool):  # Dashes before list items may be drawn or be text.
        kept = (at for at, letter in enumerate(text) if counts_as(letter))
        pairs = zip(kept, filter(counts_as, other), strict=False)
        if (changed := next((at for at, letter in pairs if text[at] != letter), None)) is not None:
            start = changed
            break
    if start < LONGEST_TEXT - 8 or len(text) <= LONGEST_TEXT:
        return text
    return _from_word(text, min(start - 12, len(text) - LONGEST_TEXT))


def _last_words(text: str) -> str:
    """Return the end of a text, starting at a word."""
    return text if len(text) < LONGEST_TEXT else _from_word(text, len(text) - 30)


def _from_word(text: str, start: int) -> str:
    """Return a text from the first start of a word after a position, or from the position without one."""
    rest = text[max(0, start) :]
    return "…" + (rest.partition(" ")[2] or rest)


def shift_of(difference: Difference) -> tuple[int, int]:
    """Return the offset of the top left corner from its correct position, px to the right and down."""
    sides = difference.reference or {}, difference.candidate or {}
    if shift := sides[1].get("shift"):
        return shift[0], shift[1]
    first, second = (side.get("box", (0, 0)) for side in sides)
    return second[0] - first[0], second[1] - first[1]


def way(*shifts: tuple[float, float]) -> str:
    """Return how far things moved, in words: as a range if they moved differently."""
    moves = []
    for axis, (forth, back) in zip(zip(*shifts, strict=True), _WAYS, strict=True):
        least, most = sorted((round(min(axis)), round(max(axis))), key=abs)
        if abs(most - least) <= _SAME_SHIFT or least * most < 0:
            least = most = round(median(axis))
        if most:
            extent = f"{abs(least)} to {abs(most)}" if least != most else f"{abs(most)}"
            moves.append(f"{extent} px {forth if most > 0 else back}")
    return " and ".join(moves) or "by less than 1 px"


def counts(members: Sequence[Difference]) -> str:
    """Return how many there are of each kind: "2 boxes and 1 text"; for filled cards, only the cards."""
    numbers = Counter(
        "panel" if (member.reference or {}).get("name") == "box" else member.what for member in members
    )
    order: tuple[DifferenceSubject, ...] = ("panel", "picture", "control", "text", "line")
    parts = [f"{numbers[what]} {things(what, numbers[what])}" for what in order if numbers[what]]
    return listed_all(parts)


def listed_all(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _of_page(difference: Difference) -> str:
    known = difference.property or ""
    if difference.kind == "unexplained":
        side = difference.candidate or {"box": (0, 0, 0, 0)}
        size = "{} x {} px".format(*side["box"][2:])
        return f"something looks different {place(side)}, in {size} ({difference.actual:.0%} of it)"
    if known == "theme":
        fills = [(side or {}).get("fill") for side in (difference.reference, difference.candidate)]
        texts = sum(member.what == "text" for member in difference.members)
        boxes = sum(
            member.what in {"panel", "control"} and member.kind == "recolored"
            for member in difference.members
        )
        others = f" and {counted(boxes, 'panel or control', 'panels and controls')}" if boxes else ""
        return (
            f"the theme is {difference.actual} instead of {difference.expected}: ground of the page "
            f"(background) is {fills[1]} instead of {fills[0]}, and {counted(texts, 'text')}{others} have "
            "the colors of that theme"
        )
    if known == "small":
        return _others(difference)
    if known == "mirrored":
        return _TOGETHER[known].format(counted(len(difference.members), "thing is", "things are"))
    missing = int(difference.expected or 0) - int(difference.actual or 0) if known == "content" else 0
    own = (difference.candidate or {}).get("texts", _MANY)
    what = f"the page is nearly empty ({counted(own, 'text')})" if own < _MANY else "the page has other texts"
    where = f", most of all in {difference.expected}" if difference.expected else ""
    return _OF_PAGE[known].format(difference, missing=missing, what=what, where=where)


def _others(difference: Difference) -> str:
    """Return the number, kinds and extent of the differences that are not listed one by one."""
    side = difference.reference or {}
    if not (kinds := side.get("counts")):
        return "small differences of place, size, color or font"
    phrases = []
    for name, number in kinds.items():
        what, kind = name.split(" ")
        phrases.append(f"{number} {things(what, number)} {IN_WORDS.get(kind, kind)}".strip())
    shown = [*phrases[:_MOST_KINDS], *(["other things"] if len(phrases) > _MOST_KINDS else [])]
    first, last = side.get("extent", (0, 0))
    where = f", from {first} to {last} px down the page" if first < last else ""
    number = counted(difference.actual, "smaller difference")
    return f"{number}: {listed_all(shown)}{where}"


def things(what: str, number: int = 1) -> str:
    """Return the usual name of a kind of thing: designers say "box", not "panel"."""
    name = "box" if what == "panel" else what
    return name if number == 1 else f"{name}{'es' if name == 'box' else 's'}"


def _recolored_text(difference: Difference) -> str:
    design, made = difference.reference or {}, difference.candidate or {}
    part = _in_part(difference)
    sides = chain.from_iterable((member.reference, member.candidate) for member in difference.members)
    grounds = {(side or {}).get("ground") for side in sides}
    if (design.get("on_picture") and made.get("on_picture")) or len(grounds) > 2:
        is_faint = len(difference.members) > 1 and made.get("contrast", 21) < _LEAST_LEGIBLE
        faint = (
            f": hard to read, such as at a contrast of {made.get('contrast', 0):.1f}:1" if is_faint else ""
        )
        return f"{part} is {made.get('color')} instead of {design.get('color')}{faint}".lstrip()
    sentence = f"{part} is {_in_colors(made)} instead of {_in_colors(design)}".lstrip()
    if design.get("contrast", 21) < _LEAST_CONTRAST and not design.get("on_picture"):
        is_enough = made.get("contrast", 0) >= _LEAST_CONTRAST
        advice = "" if is_enough else f": give the text at least {_LEAST_CONTRAST}:1"
        return f"{sentence}; the design's own contrast is low{advice}"
    if made.get("contrast_of_design", 21) < _LEAST_CONTRAST:
        return f"{sentence}; change the ground with it, on which the design's text color is not legible"
    return sentence


def _in_part(difference: Difference) -> str:
    """Return which part of a text is meant, between commas; "" if all of it is."""
    if not (part := (difference.reference or {}).get("part")):
        return ""
    return f", in {'parts such as' if _more(difference) else 'its part'} {quoted(str(part))},"


def _in_colors(side: Side) -> str:
    if side.get("on_picture"):
        return f"{side.get('color')} on a picture"
    return f"{side.get('color')} on {side.get('ground')} (contrast {side.get('contrast', 0):.1f}:1)"


def marks_of(side: Side | None) -> list[str]:
    """Return which of fill, border and shadow a thing has."""
    return [mark for mark in ("fill", "border", "shadow") if (side or {}).get(f"has_{mark}")]


def _font(difference: Difference) -> str:
    expected, actual = difference.expected, difference.actual
    reference = difference.reference or {}
    verb = "are" if _more(difference) and not reference.get("is_all") else "is"
    verb = f"{_in_part(difference)} {verb}".lstrip()
    match difference.property:
        case "font_size":
            return f"{verb} {actual:.3g} px instead of {expected:.3g} px"
        case "scale":
            sizes = [float((side or {}).get("font_size", 0)) for side in (difference.candidate, reference)]
            more = f"{abs(actual - 1):.0%} {'larger' if actual > 1 else 'smaller'}"
            return f"{verb} {more}, such as {{:.4g}} px instead of {{:.4g}} px".format(*sizes)
        case "line_height":
            return f"{verb} set with a line height of {actual:.3g} instead of {expected:.3g}"
        case "direction":
            return f"{verb} {actual} instead of {expected}"
        case "lines":
            return f"stands in {counted(actual, 'line')} instead of {expected}"
        case "indent":
            return f"has line {reference.get('line')} indented by {actual} letters instead of {expected}"
        case "letter_spacing":
            return f"{verb} set {actual} (letter spacing)"
        case "style":
            return f"{verb} {actual or f'not {expected}'}"
        case "weight":
            return f"{verb} {'' if (actual or 0) > (expected or 0) else 'not '}bold"
        case "family":
            return f"{verb} {actual} instead of {expected}"
    return f"{verb} in another typeface" + (f", whose letters are {actual}" if actual else "")


def _more(difference: Difference) -> int:
    return max(0, len(difference.members) - 1)
