"""What became of a thing, in words: the predicate of the sentence about a difference."""

from dataclasses import replace
from itertools import chain

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.thing_words import (
    LONGEST_TEXT,
    Facts,
    angle,
    around_change,
    last_words,
    listed_all,
    marks_of,
    num_more,
    other_size,
    place,
    quoted,
    shifts_of,
    thing_name,
    way,
)
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import counted, with_article

#: Contrast, WCAG's minimum for text, below which a sentence mentions it.
_LEAST_CONTRAST = 4.5
#: The same for large text, below which no text is easy to read.
_LEAST_LEGIBLE = 3.0
#: Number of parts of a text that are named besides the one whose colors are.
_MOST_PARTS = 3


def recolored_text(difference: Difference) -> str:
    """Return the predicate of a text in another color."""
    design, made = difference.design, difference.made
    part = _in_part(difference)
    sides = chain.from_iterable((member.reference, member.candidate) for member in difference.members)
    grounds = {(thing or {}).get("ground") for thing in sides}
    if (design.get("on_picture") and made.get("on_picture")) or len(grounds) > 2:
        is_faint = len(difference.members) > 1 and made.get("contrast", 21) < _LEAST_LEGIBLE
        faint = (
            f": hard to read, such as at a contrast of {made.get('contrast', 0):.1f}:1" if is_faint else ""
        )
        return f"{part} is {made.get('color')} instead of {design.get('color')}{faint}".lstrip()
    sentence = f"{part} is {_in_colors(made)} instead of {_in_colors(design)}".lstrip()
    if others := made.get("other_parts"):
        named = [*map(quoted, others[:_MOST_PARTS])]
        named += [f"{len(others) - _MOST_PARTS} more"] if len(others) > _MOST_PARTS else []
        sentence += f"; other parts changed their color, too: {listed_all(named)}"
    if design.get("contrast", 21) < _LEAST_CONTRAST and not design.get("on_picture"):
        is_enough = made.get("contrast", 0) >= _LEAST_CONTRAST
        advice = "" if is_enough else f": give the text at least {_LEAST_CONTRAST}:1"
        return f"{sentence}; the design's own contrast is low{advice}"
    if made.get("contrast_of_design", 21) < _LEAST_CONTRAST:
        return f"{sentence}; change the ground with it, on which the design's text color is not legible"
    return sentence


def _in_part(difference: Difference) -> str:
    """Return which part of a text is meant, between commas; "" if all of it is."""
    if not (part := difference.design.get("part")):
        return ""
    return f", in {'parts such as' if num_more(difference) else 'its part'} {quoted(str(part))},"


def _in_colors(thing: Facts) -> str:
    if thing.get("on_picture"):
        return f"{thing.get('color')} on a picture"
    return f"{thing.get('color')} on {thing.get('ground')} (contrast {thing.get('contrast', 0):.1f}:1)"


def retyped_text(difference: Difference) -> str:
    """Return the predicate of a text in another typography."""
    expected, actual = difference.expected, difference.actual
    reference = difference.design
    verb = "are" if num_more(difference) and not reference.get("is_all") else "is"
    verb = f"{_in_part(difference)} {verb}".lstrip()
    match difference.property:
        case "font_size":
            return f"{verb} {actual:.3g} px instead of {expected:.3g} px"
        case "scale":
            sizes = [float((thing or {}).get("font_size", 0)) for thing in (difference.candidate, reference)]
            more = f"{abs(actual - 1):.0%} {'larger' if actual > 1 else 'smaller'}"
            return f"{verb} {more}, such as {{:.4g}} px instead of {{:.4g}} px".format(*sizes)
        case "line_height":
            return f"{verb} set with a line height of {actual:.3g} instead of {expected:.3g}"
        case "direction":
            return f"{verb} {actual} instead of {expected}"
        case "lines":
            return f"stands in {counted(actual, 'line')} instead of {expected}"
        case "indent":
            start = f"has line {line}" if (line := reference.get("line", 1)) > 1 else verb
            return f"{start} indented by {actual} letters instead of {expected}"
        case "letter_spacing":
            return f"{verb} set {actual} (letter spacing)"
        case "style":
            return f"{verb} {actual or f'not {expected}'}"
        case "weight":
            return f"{verb} {'' if (actual or 0) > (expected or 0) else 'not '}bold"
        case "family":
            return f"{verb} {actual} instead of {expected}"
    return f"{verb} in another typeface" + (f", whose letters are {actual}" if actual else "")


#: Things that show a number as a length.
_SCALES = {"slider", "progress bar", "meter"}


def predicate(difference: Difference) -> str:
    """Return the predicate of the sentence."""
    if over := difference.made.get("num_covered"):
        alone = replace(difference, candidate={**difference.made, "num_covered": 0}, members=())
        verb = "collides with" if difference.made.get("is_under") else "covers"
        return f"{predicate(alone)}, and {verb} {counted(over, 'thing')}"
    expected, actual = difference.expected, difference.actual
    design, made = difference.design, difference.made
    match difference.kind, difference.property:
        case "missing", "box":
            marks = ", ".join(f"no {mark}" for mark in marks_of(design))
            return f"is plain text: {marks or 'nothing around it'}"
        case "missing", _:
            return "is missing"
        case "resized", "size":
            return other_size(difference)
        case "resized", "height" | "width":
            measure = "high" if difference.property == "height" else "wide"
            return f"is {actual} px {measure} instead of {expected} px"
        case "turned", "angle":
            wanted, now = ("turned " + angle(value) if value else "straight" for value in (expected, actual))
            return f"is {now} instead of {wanted}"
        case "restyled", "letters" | "dashes" | "line":
            return f"is {actual} instead of {expected}"
        case "restyled", "marker":
            where = f"before {'them' if num_more(difference) else 'it'}"
            wanted, now = (sanitize(str(name), limit=LONGEST_TEXT) for name in (expected, actual))
            if actual is None:
                return f"lost the {wanted} {where}"
            return f"has {with_article(now)} " + (
                f"instead of {with_article(wanted)}" if expected else f"{where} that the design does not have"
            )
        case "restyled", "marker_color":
            return f"has a marker of {actual} instead of {expected}"
        case "restyled", "number":
            where = "them, such as" if num_more(difference) else "it,"
            numbers = f"{quoted(str(actual))} instead of {quoted(str(expected))}"
            return f"has another number before {where} {numbers}"
        case "restyled", "ring":
            if actual is None:
                return f"lost its outline of {expected}"
            beside = "that the design does not have" if expected is None else f"instead of {expected}"
            return f"has an outline of {actual} {beside}"
        case "restyled", "offset":
            now, wanted = (f"{abs(gap):g} px {'off' if gap >= 0 else 'inside'}" for gap in (actual, expected))
            return f"has its outline {now} instead of {wanted}"
        case "restyled", "strength":
            return f"is paler: {actual:.0%} as strong as in the design"
        case "restyled", "opacity":
            return f"is at {actual:.0%} instead of {expected:.0%} (opacity)"
        case "turned" | "mirrored", _:
            return "is mirrored" if difference.kind == "mirrored" else f"is {actual}"
        case "restyled", "shape" | "length" as property:
            is_share = property == "length" and isinstance(actual, float)
            return f"is {actual:.0%} as long as in the design" if is_share else "has another shape"
        case "restyled", "stroke":
            return f"is {actual} than in the design"
        case "extra", _ if over := made.get("over"):
            where = "the page" if over == "page" else counted(over, "thing")
            return f"lies over {where}, and is not in the design"
        case "extra" | "resized", _:
            return "is not in the design" if expected is None else f"is {actual} instead of {expected}"
        case "moved", "gap":
            verb = "has" if not num_more(difference) else "have"
            return f"{verb} {abs(actual)} px {'more' if actual > 0 else 'less'} space above"
        case "moved", "alignment":
            return f"{actual} instead of {expected}"
        case "moved", _:
            # A thing with a name moved itself, together with its content.
            is_group = difference.property == "place" and "name" not in design
            members = difference.members if is_group else ()
            return f"moved {way(*shifts_of(members or (difference,)))}"
        case "reworded", "encoding":
            shown = f"{quoted(str(actual))} instead of {quoted(str(expected))} (character set)"
            return f"show broken characters, such as {shown}" if difference.members else f"shows {shown}"
        case "reworded", "case":
            return f"reads {quoted(str(actual))}, in other letters"
        case "reworded", _:
            if len(str(actual)) > LONGEST_TEXT and str(expected).startswith(str(actual)):
                return f"reads up to {quoted(last_words(str(actual)))} only"
            return f"reads {quoted(around_change(str(actual), str(expected)))}"
        case "recolored", "picture" if "changed" in made:
            return f"looks different {made['changed']}"
        case "recolored", "picture":
            same = ", or the same in other colors" if made.get("has_same_edges") else ""
            mostly = f", mostly {actual} instead of {expected}" if expected != actual else ""
            return f"shows something else{same}{mostly}"
        case "recolored", "color":
            return recolored_text(difference)
        case "recolored", _:
            is_exchanged = any(
                (member.expected, member.actual) == (actual, expected) for member in difference.members
            )
            reverse = ", or the reverse" if is_exchanged else ""
            return f"is {fill_words(made, actual)} instead of {fill_words(design, expected)}{reverse}"
        case "figure", "notation" if difference.members:
            return f"shows numbers as in another language, such as {quoted(str(actual))}"
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
            verb = f"is hard to read on what is behind {'them' if num_more(difference) else 'it'}"
            if expected is None:
                return verb
            such = " such as" if len({one.actual for one in difference.members}) > 1 else ""
            return f"{verb},{such} at a contrast of {actual:.1f}:1 instead of {expected:.1f}:1"
        case "covered", _:
            if by := made.get("by"):
                return f"is covered by {thing_name(by, 'text' if 'text' in by else 'panel')}"
            where = f" by what lies {place({'box': made['by_box']})}" if "by_box" in made else ""
            return f"is covered{where}"
        case "overflowing", "cut":
            if isinstance(actual, str):
                return f"is cut off (overflow) at {quoted(last_words(actual))}"
            most = f"{'up to ' if num_more(difference) else ''}{actual:.0%}"
            return f"is cut off (overflow): {most} of the {made.get('cut', 'length')} does not show"
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
            wanted, now = (
                thing.get("border", color) for thing, color in ((design, expected), (made, actual))
            )
            if now is None or wanted is None:
                return f"lost its border of {wanted}" if now is None else f"has a border of {now} that is new"
            if now == wanted:
                return f"has its border of {now} at another side"
            return f"has a border of {now} instead of {wanted}"
        case "restyled", "edge":
            return "looks different around its edges"
        case "restyled", "corner":
            if expected is None:
                return "looks different at its corners"
            short, long = sorted((design.get("box") or [0] * 4)[2:])
            if not min(actual, expected) and max(actual, expected) >= 0.4 * short and long <= 1.2 * short:
                return "is square instead of round" if expected else "is round instead of square"
            if difference.what == "picture" and not expected:  # What it shows may have round corners itself.
                return f"is cut to a corner radius of {actual:g} px"
            return f"has a corner radius of {actual:g} px instead of {expected:g} px"
        case "restyled", "kind":
            is_several = difference.members and str(actual).startswith(("a ", "an "))
            return f"are each {actual}" if is_several else f"is {actual}"
        case "restyled", _:
            old, new = marks_of(design), marks_of(made)
            lost = [mark for mark in old if mark not in new]
            gained = [mark for mark in new if mark not in old]
            parts = [f"lost its {listed_all(lost)}"] if lost else []
            parts += (
                [f"has {' and '.join(map(with_article, gained))} that the design does not have"]
                if gained
                else []
            )
            return " and ".join(parts)
        case "font", _:
            return retyped_text(difference)
    return f"differs: {actual} instead of {expected}"


def fill_words(thing: Facts, color: object) -> str:
    """Return the color of a fill, or both ends of its gradient."""
    fills = thing.get("fills")
    return f"a gradient from {fills[0]} to {fills[-1]}" if fills else str(color)


def _value(difference: Difference) -> str:
    name = "placeholder" if difference.property == "placeholder" else "text in it"
    expected, actual = difference.expected, difference.actual
    control = difference.design.get("name")
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
