"""Things on pages in words: what they are called, where they are, how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.part_words import part_name
from pytest_design2a11y.models.visual import Difference, DifferenceSubject

#: Texts of pages are cut to this length in sentences.
LONGEST_TEXT = 40
Side = Mapping[str, Any]
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
#: Directions along each axis; shifts that differ by no more than this (px) count as equal.
_WAYS, _SAME_SHIFT = (("right", "left"), ("down", "up")), 2


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


def things(what: str, number: int = 1) -> str:
    """Return the usual name of a kind of thing: designers say "box", not "panel"."""
    name = "box" if what == "panel" else what
    return name if number == 1 else f"{name}{'es' if name == 'box' else 's'}"


def counts(members: Sequence[Difference]) -> str:
    """Return how many there are of each kind: "2 boxes and 1 text"; for filled cards, only the cards."""
    numbers = Counter("panel" if member.design.get("name") == "box" else member.what for member in members)
    order: tuple[DifferenceSubject, ...] = ("panel", "picture", "control", "text", "line")
    parts = [f"{numbers[what]} {things(what, numbers[what])}" for what in order if numbers[what]]
    return listed_all(parts)


def listed_all(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def marks_of(side: Side | None) -> list[str]:
    """Return which of fill, border and shadow a thing has."""
    return [mark for mark in ("fill", "border", "shadow") if (side or {}).get(f"has_{mark}")]


def num_more(difference: Difference) -> int:
    """Return how many more things than the one that it names a difference is about."""
    return max(0, len(difference.members) - 1)


def shift_of(difference: Difference) -> tuple[int, int]:
    """Return the offset of the top left corner from its correct position, px to the right and down."""
    sides = difference.design, difference.made
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
