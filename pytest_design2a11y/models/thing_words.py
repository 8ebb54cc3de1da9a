"""Things on pages in words: what they, and parts of drawings, are called, where they are, how many."""

from collections import Counter
from collections.abc import Mapping, Sequence
from colorsys import rgb_to_hls
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import Color, color_of_hex
from pytest_design2a11y.models.visual import Difference, DifferenceSubject
from pytest_design2a11y.wording import counted

#: Texts of pages are cut to this length in sentences.
LONGEST_TEXT = 40
Facts = Mapping[str, Any]
"""What is known of a thing on one of the pages, as `Difference.reference` and `candidate` have it."""

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


def thing_name(thing: Facts, what: DifferenceSubject = "panel") -> str:
    """Return the name of a text or element, from its facts."""
    if "within" in thing:
        return part_name(thing)
    if what == "text" and "text" in thing:
        return f"text {quoted(thing['text'])}"
    name = thing.get("name", what) + (f" in {thing['field']}" if "field" in thing else "")
    width, height = thing["box"][2:] if "box" in thing else (0, 0)
    if what == "line":
        return f"line of {max(width, height)} px {place(thing)}"
    if label := thing.get("label"):
        around = " around" if thing.get("is_around") else ""
        return f"{name}{around} {quoted(label)}" + (f" {place(thing)}" if thing.get("is_repeated") else "")
    return f"{name} {width} x {height} {place(thing)}" if "box" in thing else str(name)


def quoted(text: str) -> str:
    """Return a text of a page in quotation marks, shortened."""
    return f'"{sanitize(text, limit=LONGEST_TEXT)}"'


def around_change(text: str, other: str) -> str:
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


def last_words(text: str) -> str:
    """Return the end of a text, starting at a word."""
    return text if len(text) < LONGEST_TEXT else _from_word(text, len(text) - 30)


def _from_word(text: str, start: int) -> str:
    """Return a text from the first start of a word after a position, or from the position without one."""
    rest = text[max(0, start) :]
    return "…" + (rest.partition(" ")[2] or rest)


def place(thing: Facts) -> str:
    """Return the position of a thing's top left corner, in words; "" if it does not matter."""
    if thing.get("is_anywhere"):
        return ""
    left, top, *_ = thing.get("box", (0, 0))
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


def marks_of(thing: Facts | None) -> list[str]:
    """Return which of fill, border, or an outline in its place, and shadow a thing has."""
    facts = thing or {}
    edge = f"outline of {facts.get('ring')}" if facts.get("is_outlined") else "border"
    names = {"fill": "fill", "border": edge, "shadow": "shadow"}
    return [name for mark, name in names.items() if facts.get(f"has_{mark}")]


def num_more(difference: Difference) -> int:
    """Return how many more things than the one that it names a difference is about."""
    if is_of_one(difference):
        return 0
    has_cause = "files" in difference.design
    things = [one for one in difference.members if not has_cause or one.kind == difference.kind]
    return max(0, len(things) - 1)


def is_of_one(difference: Difference) -> bool:
    """Return whether its members are several differences of one thing."""
    members = difference.members
    kinds = {(member.kind, member.property) for member in members}
    return len({member.boxes for member in members}) == 1 < len(members) == len(kinds)


def shift_of(difference: Difference) -> tuple[int, int]:
    """Return the offset of the top left corner from its correct position, px to the right and down."""
    if shift := difference.made.get("shift"):
        return shift[0], shift[1]
    return _offset(difference.design, difference.made)


def _offset(wanted: Mapping[str, Any], made: Mapping[str, Any]) -> tuple[int, int]:
    start, end = (thing.get("box", (0, 0)) for thing in (wanted, made))
    return end[0] - start[0], end[1] - start[1]


def shifts_of(differences: Sequence[Difference]) -> list[tuple[int, int]]:
    """Return how far each of several things moved by itself; if that differs, but all moved alike, so far."""
    shifts = [*map(shift_of, differences)]
    seen = [_offset(one.design, one.made) for one in differences]
    axes = [
        told if _spread(told) <= _SAME_SHIFT < _spread(by_itself) else by_itself
        for by_itself, told in zip(zip(*shifts, strict=True), zip(*seen, strict=True), strict=True)
    ]
    return [*zip(*axes, strict=True)]


def _spread(values: Sequence[int]) -> int:
    return max(values) - min(values)


def way(*shifts: tuple[float, float]) -> str:
    """Return how far things moved, in words: as a range if they moved differently."""
    moves = []
    for axis, (forth, back) in zip(zip(*shifts, strict=True), _WAYS, strict=True):
        least, most = sorted((round(min(axis)), round(max(axis))), key=abs)
        if abs(most - least) <= _SAME_SHIFT:
            least = most = round(median(axis))
        elif least * most <= 0:
            continue  # Some moved forth, others back, or not by themselves
        if most:
            extent = f"{abs(least)} to {abs(most)}" if least != most else f"{abs(most)}"
            moves.append(f"{extent} px {forth if most > 0 else back}")
    if not moves and any(max(map(abs, shift)) >= 1 for shift in shifts):
        return "by different distances"
    return " and ".join(moves) or "by less than 1 px"


#: px; sides whose lengths differ by less are the same.
_LEAST_RESIZE = 4


def way_of_size(difference: Difference) -> str:
    """Return whether something is "wider" or "narrower", "higher" or "lower", or "larger" or "smaller"."""
    axes, (old, new) = _axes_of_size(difference), _sizes(difference)
    if len(axes) == 1:
        return ("wider", "higher")[axes[0]] if new[axes[0]] > old[axes[0]] else ("narrower", "lower")[axes[0]]
    return "larger" if new[0] * new[1] > old[0] * old[1] else "smaller"


def _axes_of_size(difference: Difference) -> Sequence[int]:
    """Return which sides have another length: one if the other is nearly the same, or follows from others."""
    old, new = _sizes(difference)
    return difference.made.get("axes") or [at for at in (0, 1) if abs(new[at] - old[at]) >= _LEAST_RESIZE]


def _sizes(difference: Difference) -> tuple[list[int], list[int]]:
    old, new = ([*map(int, str(size).split(" x "))] for size in (difference.expected, difference.actual))
    return old, new


def other_size(difference: Difference) -> str:
    """Return the predicate of a thing of another size."""
    axes, (old, new) = _axes_of_size(difference), _sizes(difference)
    alike = [difference, *(one for one in difference.members if one.property == "size")]
    is_same = len({(one.expected, one.actual) for one in alike}) == 1
    ways = {*map(way_of_size, alike)}
    together = "larger" if ways & {"larger", "wider", "higher"} else "smaller"
    start = "is" if is_same else f"is {ways.pop() if len(ways) == 1 else together}, such as"
    if len(axes) == 1:
        at = axes[0]
        return f"{start} {new[at]} px {('wide', 'high')[at]} instead of {old[at]} px"
    return f"{start} {difference.actual} instead of {difference.expected}"


#: Chroma up to which a color is a gray; lightness up to which it is black, dark; from which light, white.
_GRAY, _BLACK, _DARK, _LIGHT, _WHITE = 0.08, 0.12, 0.3, 0.7, 0.96
#: The names of hues, by the degree at which each ends.
_HUES = (
    *((15, "red"), (42, "orange"), (66, "yellow"), (165, "green"), (200, "teal")),
    *((258, "blue"), (295, "violet"), (340, "pink"), (360, "red")),
)
#: px up to which a circle is a dot.
_DOT = 16


def color_name(color: Color) -> str:
    """Return a color as people call it: "red", "light blue", "dark gray"."""
    hue, lightness, _ = rgb_to_hls(*(level / 255 for level in color))
    chroma = (max(color) - min(color)) / 255
    if lightness <= _BLACK or lightness >= _WHITE:
        return "black" if lightness <= _BLACK else "white"
    shade = "dark " if lightness <= _DARK else "light " if lightness >= _LIGHT else ""
    if chroma <= _GRAY:
        return f"{shade}gray"
    return shade + next(name for end, name in _HUES if hue * 360 <= end)


def part_name(thing: Facts) -> str:
    """Return the name of a part of a drawing, from its facts: 'red line of 420 px in picture "Route"'."""
    within = f"in {thing['within']}"
    if number := thing.get("number"):
        return f"{thing['name']} {number[0]} of {number[1]} {within}"
    left, top, width, height = thing["box"]
    if several := thing.get("several"):
        return f"{several} shapes at {left}, {top} {within}"
    color = color_of_hex(str(thing.get("fill", "")))
    hue = f"{color_name(color)} " if color else ""
    if label := thing.get("label"):
        return f'{hue}{thing["name"]} "{label}" {within}'
    size = f"{width} x {height}" if thing["name"] in {"box", "shape", "picture"} else f"{max(width, height)}"
    return f"{hue}{thing['name']} of {size} px {within}"


def angle(degrees: float) -> str:
    """Return an angle, degrees clockwise, in words: "9° to the left"."""
    return f"{abs(degrees):g}° to the {'right' if degrees > 0 else 'left'}"


def exchanged_colors(part: Facts, number: int) -> str:
    """Return in words that two parts of a drawing, and maybe more pairs, have each other's color."""
    more = f", and {counted(number - 1, 'more pair')}" if number > 1 else ""
    names = f"{_short_name(part)} and {_short_name(part['other'])}"
    return f"{names} in {part['within']} have each other's color{more}"


def _short_name(thing: Facts) -> str:
    if number := thing.get("number"):
        return f"{thing['name']} {number[0]} of {number[1]}"
    if label := thing.get("label"):
        return f'{thing["name"]} "{label}"'
    return "{name} at {box[0]}, {box[1]}".format(**thing)


def name_of_part(kind: str, size: tuple[float, float]) -> str:
    """Return the common word for a part of a drawing of a size, px."""
    if kind == "circle":
        return "dot" if max(size) <= _DOT else "circle"
    return "mark" if kind == "symbol" else kind


def file_name(name: str) -> str:
    """Return a file's host and last part."""
    try:
        address = urlsplit(name)
    except ValueError:
        return sanitize(name, limit=50)
    last = address.path.rstrip("/").rpartition("/")[2]
    between = "…/" if address.path.count("/") > 1 else ""
    host = f"{address.netloc}/{between}{last}" if last else address.netloc
    return sanitize(host if address.netloc else name, limit=50)
