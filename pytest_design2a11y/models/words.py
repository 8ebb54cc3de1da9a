"""Differences in words: the modules named *_words alone turn the facts of a difference into a sentence."""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_design2a11y.models.change_words import predicate
from pytest_design2a11y.models.page_words import TOGETHER, of_page
from pytest_design2a11y.models.part_words import exchanged_colors
from pytest_design2a11y.models.thing_words import (
    all_text,
    counts,
    listed_all,
    num_more,
    place,
    quoted,
    side_name,
)
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import counted

#: Kinds whose similar differences are joined into one.
_JOINED = {"recolored", "restyled", "missing", "icon", "overflowing", "reworded", "unreadable"}
_PLURALS = {"is": "are ", "has": "have ", "shows": "show ", "reads": "read "}
#: Number of things named of those that moved below or beside each other.
_MOST_NAMES = 2


def in_words(difference: Difference) -> str:
    """Return a difference as one sentence without a full stop."""
    if difference.what == "page":
        return of_page(difference)
    if difference.property in TOGETHER:
        members = difference.members[:_MOST_NAMES]
        names = [side_name(member.design, member.what) for member in members]
        more = len(difference.members) - len(names)
        with_more = f", with {counted(more, 'other')}" if more else ""
        return TOGETHER[difference.property].format(listed_all(names)) + with_more
    if difference.kind == "exchanged":
        if "within" in difference.design:
            return exchanged_colors(difference.design, len(difference.members) // 2)
        return _exchanged(difference)
    if difference.property in _GROUPS:
        return _together_lost(difference)
    if difference.kind == "covered" and difference.members:
        by = difference.made.get("by", {})
        return (
            f"{side_name(by, 'text' if 'text' in by else 'panel')} lies over {len(difference.members)} things"
        )
    if difference.kind == "missing" and (sentence := _of_alike(difference)):
        return sentence
    verb = predicate(difference)
    is_several = "several" in (difference.design or difference.made)
    if is_several or (_is_joined(difference) and num_more(difference)):
        verb = re.sub(r"\A(is|has|shows|reads) ", lambda verb: _PLURALS[verb[1]], verb)
    return f"{subject(difference)} {verb}".replace(" ,", ",")


def in_words_anywhere(difference: Difference) -> str:
    """Return a difference as a sentence without places, equal to that of the same thing elsewhere."""
    sides = [side and {**side, "is_anywhere": True} for side in (difference.reference, difference.candidate)]
    return in_words(replace(difference, reference=sides[0], candidate=sides[1])).replace("  ", " ")


#: Several things that are missing, or extra, together.
_GROUPS = {"column", "row", "section", "whole"}


def _together_lost(difference: Difference) -> str:
    side = difference.design or difference.made
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
    first = difference.design
    names = [side_name(side, difference.what) for side in (first, first.get("other", {}))]
    if difference.property == "state":
        expected, actual = str(difference.expected), str(difference.actual)
        lost, gained = names if actual.startswith("not ") else names[::-1]
        return f"{gained} is {expected.removeprefix('not ')} instead of {lost}"
    if difference.property == "order":
        return f"{names[0]} stands {difference.actual} in its row instead of {difference.expected}"
    if difference.property == "places" and first.get("is_whole") and len(difference.members) > 2:
        names = [f"what stands with {name}" for name in names]
    return _EXCHANGED[difference.property or "look"].format(*names)


def _is_joined(difference: Difference) -> bool:
    """Return whether its members are more things like the one that it names."""
    return (
        difference.kind in _JOINED
        or difference.property == "encoding"
        or "within" in (difference.design or difference.made)
    )


def _of_alike(difference: Difference) -> str:
    """Return how many of several similar things are missing, if it is unknown which; else ""."""
    side = difference.design
    others = (member.design for member in difference.members)
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
        return f"{first} and {num_more(difference)} more are"
    is_alone = "name" in difference.design or difference.made.get("num_covered")
    if difference.members and difference.kind == "moved" and not is_alone:
        _, top, _, height = (difference.design or difference.made).get("box", (0, 0, 0, 0))
        return f"{counts(difference.members)} between {top} and {top + height} px down the page"
    name = side_name(difference.design or difference.made, difference.what)
    if difference.kind == "font":
        if difference.reference and difference.reference.get("is_all"):
            return all_text(difference.reference)
        return name + (f" and {counted(more, 'more paragraph')}" if (more := num_more(difference)) else "")
    if _is_joined(difference) and (more := num_more(difference)):
        return f"{name} and {more} more"
    if difference.what == "text" and difference.kind in {"missing", "extra"}:
        name += f" {place(difference.design or difference.made)}"
    return name
