"""Differences in words: the modules named *_words alone turn the facts of a difference into a sentence."""

import re
from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.change_words import fill_words, predicate
from pytest_design2a11y.models.records import to_json
from pytest_design2a11y.models.thing_words import (
    IN_WORDS,
    counts,
    exchanged_colors,
    file_name,
    is_of_one,
    listed_all,
    num_more,
    place,
    quoted,
    thing_name,
    things,
)
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import counted

#: Kinds whose similar differences are joined into one.
_JOINED = {"recolored", "restyled", "missing", "icon", "overflowing", "reworded", "unreadable"}
_PLURALS = {"is": "are", "has": "have", "shows": "show", "reads": "read", "lost its": "lost their"}
#: What the browser calls files that draw, in words.
_FILES = {"stylesheet": "style sheet", "script": "script", "font": "font"}
#: Several things that are missing, or extra, together.
GROUPS = {"column", "row", "section"}
#: Number of things named of those that moved below or beside each other.
_MOST_NAMES = 2


def in_words(difference: Difference) -> str:
    """Return a difference as one sentence without a full stop."""
    files = difference.design.get("files", ())
    names = [f"{_FILES[kind]} {file_name(address)}" for kind, address in files[:_MOST_NAMES]]
    names += [f"{more} more"] if (more := len(files) - len(names)) > 0 else []
    if not names:
        is_unstyled = difference.what == "page" and difference.property == "style"
        return _sentence(difference) + ("; look at its style sheets" if is_unstyled else "")
    verb = "was" if len(files) == 1 else "were"
    why = "blocked" if "://" in files[0][1] else "its file is missing"
    return f"{_sentence(difference)}: {listed_all(names)} {verb} not loaded ({why})"


def _sentence(difference: Difference) -> str:
    if difference.what == "page":
        return of_page(difference)
    if difference.property in TOGETHER:
        members = difference.members[:_MOST_NAMES]
        names = [thing_name(member.design, member.what) for member in members]
        more = len(difference.members) - len(names)
        with_more = f", with {counted(more, 'other')}" if more else ""
        return TOGETHER[difference.property].format(listed_all(names)) + with_more
    if difference.kind == "exchanged":
        if "within" in difference.design:
            return exchanged_colors(difference.design, len(difference.members) // 2)
        return _exchanged(difference)
    if difference.property in GROUPS or difference.property == "whole":
        return _together_lost(difference)
    if is_of_one(difference):
        *first, last = map(predicate, difference.members)
        return f"{subject(replace(difference, members=()))} {', '.join(first)}, and {last}"
    if difference.kind == "covered" and difference.members:
        by = difference.made.get("by", {})
        name = thing_name(by, "text" if "text" in by else "panel")
        return f"{name} lies over {len(difference.members)} things"
    if difference.kind == "missing" and (sentence := _of_alike(difference)):
        return sentence
    verb = predicate(difference)
    is_several = "several" in (difference.design or difference.made)
    if is_several or (_is_joined(difference) and num_more(difference)):
        verb = re.sub(
            r"(\A(?:, in parts such as .*, )?| and )(is|has|shows|reads|lost its)(?= )",
            lambda found: found[1] + _PLURALS[found[2]],
            verb,
        )
    return f"{subject(difference)} {verb}".replace(" ,", ",")


def difference_to_json(difference: Difference) -> dict[str, Any]:
    """Return a difference as JSON values, with its sentence."""
    record: dict[str, Any] = to_json(difference, without={"members"})
    record["message"] = in_words(difference)
    return {**record, "members": list(map(difference_to_json, difference.members))}


def in_words_anywhere(difference: Difference) -> str:
    """Return a difference as a sentence without places, equal to that of the same thing elsewhere."""
    sides = [
        thing and {**thing, "is_anywhere": True} for thing in (difference.reference, difference.candidate)
    ]
    return in_words(replace(difference, reference=sides[0], candidate=sides[1])).replace("  ", " ")


def _together_lost(difference: Difference) -> str:
    thing = difference.design or difference.made
    verb = "is missing" if difference.kind == "missing" else "is not in the design"
    if difference.property == "whole":
        verb = predicate(replace(difference, property=None, members=()))
        return f"{thing_name(thing, difference.what)} {verb}, with {counts(difference.members[1:])}"
    if more := thing.get("num_alike"):
        verb = re.sub(r"\Ais", f"and {more} more like it are", verb)
    return f"{subject(difference)} {verb}: {counts(difference.members)}"


_EXCHANGED = {
    "places": "{} and {} stand in each other's place",
    "picture": "{} and {} show each other's picture",
    "color": "{} and {} have each other's color",
    "border": "{} and {} have each other's border",
    "outline": "{} and {} have each other's outline",
    "look": "{} and {} have each other's look",
}


def _exchanged_lines(difference: Difference) -> str:
    """Return "columns" or "rows" if what was exchanged stands below or beside one another; else ""."""
    box, other = (side["box"] for side in (difference.design, difference.design["other"]))
    along = int(abs(other[0] - box[0]) > abs(other[1] - box[1]))
    boxes = [member.design["box"] for member in difference.members]
    is_line = max(box[along] for box in boxes) >= min(box[along] + box[along + 2] for box in boxes)
    return ("rows", "columns")[along] if is_line else ""


def _exchanged(difference: Difference) -> str:
    design = difference.design
    sides = design, design.get("other", {})
    if difference.property == "sides":
        names = [thing_name(column, "text" if "text" in column else "panel") for column in sides]
        return f"the columns with {listed_all(names)} stand in each other's place"
    names = [thing_name(thing, difference.what) for thing in sides]
    if difference.property == "state":
        expected, actual = str(difference.expected), str(difference.actual)
        lost, gained = names if actual.startswith("not ") else names[::-1]
        return f"{gained} is {expected.removeprefix('not ')} instead of {lost}"
    if difference.property == "order":
        return f"{names[0]} stands {difference.actual} in its row instead of {difference.expected}"
    if difference.property == "places" and design.get("is_whole") and len(difference.members) > 2:
        if lines := _exchanged_lines(difference):
            return f"the {lines} with {listed_all(names)} stand in each other's place"
        names = [f"what stands with {name}" for name in names]
    return _EXCHANGED[difference.property or "look"].format(*names)


def _is_joined(difference: Difference) -> bool:
    """Return whether its members are more things like the one that it names."""
    are_alike = all(member.kind == difference.kind for member in difference.members)
    return (
        difference.kind in _JOINED
        or (difference.kind in {"resized", "extra"} and are_alike)
        or difference.property in {"encoding", "notation"}
        or "within" in (difference.design or difference.made)
    )


def _of_alike(difference: Difference) -> str:
    """Return how many of several similar things are missing, if it is unknown which; else ""."""
    thing = difference.design
    others = (member.design for member in difference.members)
    if "of" not in thing or any(other.get("of") != thing["of"] for other in others):
        return ""
    (number, of), name = thing["of"], thing.get("name", "text")
    words = thing.get("text") or thing.get("label")
    which = f" {quoted(words)}" if words else " {} x {}".format(*thing["box"][2:])
    several = f"{name}{'es' if name.endswith('x') else 's'}{'' if thing.get('is_any') else which}"
    return f"{number} of {of} {several} {'is' if number == 1 else 'are'} missing"


def subject(difference: Difference) -> str:
    """Return the name of what differs: 'text "Sign in"', 'button "Buy"', "picture 400 x 200 at 32, 180"."""
    if difference.property == "alignment":
        first = thing_name(difference.members[0].reference or {}, "text")
        return f"{first} and {num_more(difference)} more are"
    is_alone = "name" in difference.design or difference.made.get("num_covered")
    if difference.members and difference.kind == "moved" and not is_alone:
        _, top, _, height = (difference.design or difference.made).get("box", (0, 0, 0, 0))
        return f"{counts(difference.members)} between {top} and {top + height} px down the page"
    thing = difference.design or difference.made
    if difference.property in GROUPS:
        named = f" {quoted(str(thing['text']))}" if thing.get("text") else ""
        return f"{difference.property}{named} {place(thing)}"
    name = thing_name(thing, difference.what)
    if difference.kind == "font":
        if difference.reference and difference.reference.get("is_all"):
            return "all text" if difference.reference.get("is_whole", True) else "most text"
        return name + (f" and {counted(more, 'more paragraph')}" if (more := num_more(difference)) else "")
    if _is_joined(difference) and (more := num_more(difference)):
        return f"{name} and {more} more"
    if difference.what == "text" and difference.kind in {"missing", "extra"}:
        name += f" {place(thing)}"
    return name


_OF_PAGE = {
    "style": "the page is unstyled: {0.expected}, and the text is in the browser's own font",
    "appearance": "without its text the page looks different as a whole (appearance {0.actual:.2f}){where}",
    "content": "{what}: {missing} of {0.expected} texts of the design are missing",
    "height": "the page is {0.actual} px high instead of {0.expected} px",
    "size": "the page is {0.actual} px instead of {0.expected} px",
    "width": "the content is about {0.actual} px wide instead of {0.expected} px, and what is in it moved",
    "room": "the content is about {0.actual} px wide instead of {0.expected} px, where other things are "
    "missing",
    "cut": "the content is {0.actual:.1f} times as wide as in the design, and cut off at the right",
    "fill": "ground of the page (background) is {fills[1]} instead of {fills[0]}",
}
#: A page with fewer texts counts as nearly empty.
_MANY = 3
#: Number of kinds that a sentence on many small differences names.
_MOST_KINDS = 4
#: px; a line is at most this thick; an area has the color of this share of it.
_LINE, _WHOLE = 3, 0.7
TOGETHER = {
    "columns": "columns: {} moved below each other",
    "rows": "rows: {} moved beside each other",
    "mirrored": "left and right are swapped: {} mirrored",
}


def of_page(difference: Difference) -> str:
    """Return a difference of the page as a whole as a sentence."""
    known = difference.property or ""
    if difference.kind == "unexplained":
        thing = difference.candidate or {"box": (0, 0, 0, 0)}
        width, height = thing["box"][2:]
        fills = [(side or {}).get("fill") for side in (difference.candidate, difference.reference)]
        colors = "mostly {} instead of {}".format(*fills) if all(fills) and len({*fills}) > 1 else ""
        more = num_more(difference)
        if colors and float(difference.actual or 0) >= _WHOLE:
            is_line = min(width, height) <= _LINE
            name = f"line of {max(width, height)} px" if is_line else f"area of {width} x {height} px"
            return f"{name} {place(thing)} {f'and {more} more are' if more else 'is'} {colors}"
        where = f"{place(thing)}, in {width} x {height} px ({difference.actual:.0%} of it)"
        where += f", and at {counted(more, 'more place')}" if more else ""
        return f"something looks different {where}" + (f": {colors}" if colors else "")
    if known == "theme":
        fills = [(thing or {}).get("fill") for thing in (difference.reference, difference.candidate)]
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
    if known == "veil":
        verb = "lies over the page" if difference.expected is None else "of the design is missing"
        return f"a veil of {difference.expected or difference.actual} {verb}"
    if known == "gap":
        is_higher = int(difference.actual) > int(difference.expected)
        apart = "farther apart" if is_higher else "closer together"
        heights = f"{difference.actual} px high instead of {difference.expected} px"
        return f"things stand {apart}: the page is {heights}"
    if known == "small":
        return _others(difference)
    if known == "mirrored":
        return TOGETHER[known].format(counted(len(difference.members), "thing is", "things are"))
    missing = int(difference.expected or 0) - int(difference.actual or 0) if known == "content" else 0
    num = difference.made.get("texts", _MANY)
    what = f"the page is nearly empty ({counted(num, 'text')})" if num < _MANY else "the page has other texts"
    where = f", most of all in {difference.expected}" if difference.expected else ""
    sides = (difference.design, difference.expected), (difference.made, difference.actual)
    fills = [fill_words(side, color) for side, color in sides]
    return _OF_PAGE[known].format(difference, missing=missing, what=what, where=where, fills=fills)


def _others(difference: Difference) -> str:
    """Return the number, kinds and extent of the differences that are not listed one by one."""
    thing = difference.design
    if not (kinds := thing.get("counts")):
        return "small differences of place, size, color or font"
    phrases = []
    for name, number in kinds.items():
        what, kind = name.split(" ")
        phrases.append(f"{number} {things(what, number)} {IN_WORDS.get(kind, kind)}".strip())
    shown = [*phrases[:_MOST_KINDS], *(["other things"] if len(phrases) > _MOST_KINDS else [])]
    first, last = thing.get("extent", (0, 0))
    where = f", from {first} to {last} px down the page" if first < last else ""
    number = counted(difference.actual, "smaller difference")
    return f"{number}: {listed_all(shown)}{where}"
