"""What became of a text's color and typography, in words: the predicates of such differences."""

from __future__ import annotations

from itertools import chain

from pytest_design2a11y.models.thing_words import Facts, listed_all, num_more, quoted
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import counted

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
