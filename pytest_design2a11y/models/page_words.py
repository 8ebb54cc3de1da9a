"""Differences of a page as a whole, in words."""

from __future__ import annotations

from pytest_design2a11y.models.thing_words import IN_WORDS, listed_all, place, things
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import counted

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
#: Number of kinds that a sentence on many small differences names.
_MOST_KINDS = 4
TOGETHER = {
    "columns": "columns: {} moved below each other",
    "rows": "rows: {} moved beside each other",
    "mirrored": "left and right are swapped: {} mirrored",
}


def of_page(difference: Difference) -> str:
    """Return a difference of the page as a whole as a sentence."""
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
    if known == "gap":
        apart = "farther apart" if int(difference.actual) > int(difference.expected) else "closer together"
        return f"things stand {apart}: the page is {difference.actual} px high instead of {difference.expected} px"
    if known == "small":
        return _others(difference)
    if known == "mirrored":
        return TOGETHER[known].format(counted(len(difference.members), "thing is", "things are"))
    missing = int(difference.expected or 0) - int(difference.actual or 0) if known == "content" else 0
    own = difference.made.get("texts", _MANY)
    what = f"the page is nearly empty ({counted(own, 'text')})" if own < _MANY else "the page has other texts"
    where = f", most of all in {difference.expected}" if difference.expected else ""
    return _OF_PAGE[known].format(difference, missing=missing, what=what, where=where)


def _others(difference: Difference) -> str:
    """Return the number, kinds and extent of the differences that are not listed one by one."""
    side = difference.design
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
