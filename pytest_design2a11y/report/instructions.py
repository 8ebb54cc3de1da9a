"""Differences as instructions: what to do where, with the values of the design.

A text's colour is never told without what it lies on, and no value is advised by which the contrast of a text
falls below what WCAG asks of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import Color, color_of_hex, contrast, hex_color, readable_color
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import Block, Difference, Match
from pytest_design2a11y.report.differences import DifferenceGroup
from pytest_design2a11y.wording import listed

#: What WCAG 2 asks of text that is not large.
LEAST_CONTRAST = 4.5

_LONGEST_TEXT = 120
_LONGEST = 300
_CONTEXT = 24
#: Colours of text that are told with a background.
_MOST_COLORS = 4

_ENDS_IN_PLACE = re.compile(r"at -?\d+, -?\d+\Z")

_ADVICE = {
    "missing": "Add {}, as the design has {}.",
    "extra": "Remove {}: the design does not have {}.",
    "moved": "Move {} to where the design has {}.",
    "resized": "Give {} the design's size.",
    "restyled": "Style {} as the design does: fill, border and shadow.",
    "reworded": "Use the design's wording.",
    "font": "Set {} in the design's font.",
    "ground": "Give the page the design's background, and the texts on it colours that can be read there.",
}


def advice_for(group: DifferenceGroup) -> str:
    """Return what to do about likes, one sentence."""
    if group.kind == "recolored":
        if group.what == "text":
            return "Give these texts the design's colour on the design's background, both together."
        if group.what == "picture":
            return "Show the design's pictures here, or pictures in its colours."
    is_one = len(group.members) == 1
    these = f"this {group.what}" if is_one else f"these {group.what}s"
    advice = _ADVICE.get(group.kind, "Give {} the design's fill.")
    return advice.format(these, "it" if is_one else "them")


def instruction(difference: Difference, evaluation: Evaluation) -> str | None:
    """Return what to do about one difference, with values of the design; None where none is safe."""
    has_values = difference.reference or difference.candidate
    told = _instruction(difference, evaluation) if has_values else difference.message
    return None if told is None else sanitize(told, limit=_LONGEST)


def _instruction(difference: Difference, evaluation: Evaluation) -> str | None:
    design, made = difference.reference or {}, difference.candidate or {}
    match difference.kind:
        case "missing":
            return _missing(difference, evaluation)
        case "extra":
            return (
                f"{_named(difference)} at {_place(made)}" if difference.what == "text" else _named(difference)
            )
        case "moved":
            return _moved(difference)
        case "resized":
            return f"{_named(difference)}: make it {_size(design)} (it is {_size(made)})"
        case "reworded":
            return '"{}" should read "{}"'.format(*_trimmed(made["text"], design["text"]))
        case "ground":
            new, old = design["fill"], made["fill"]
            fills = zip(design.get("fills", ()), made.get("fills", ()), strict=True)
            panels = [f"{wanted} (they are {own})" for wanted, own in fills]
            told = f"; panels and controls {listed(panels, most=_MOST_COLORS)}" if panels else ""
            return f"background of the page: {new} (it is {old}){told}{_texts_on(difference, evaluation)}"
        case "recolored" if difference.what == "text":
            color = _readable(design)
            if color is None:
                return None
            own = f"{made['color']} on {made['ground']}"
            low = f"; the design's {design['color']} has too little contrast"
            told = f"it is {own}{'' if color == design['color'] else low}"
            return f"{_named(difference)}: {color} on {design['ground']} ({told})"
        case "recolored":
            told = f"{_named(difference)}: fill {design['fill']} (it is {made['fill']})"
            return told if difference.what == "picture" else told + _texts_on(difference, evaluation)
        case "restyled":
            if "fill" not in difference.message:
                return difference.message
            return f"{difference.message}; {_style(design)}{_texts_on(difference, evaluation)}"
        case _:
            font = [f"{design['font_size']:g} px"] if "font_size" in design else []
            font += [design["family"]] if design.get("family") else []
            font += [f"weight {design['weight']}"] if "weight" in design else []
            return difference.message + (f": {', '.join(font)}" if font else "")


def _missing(difference: Difference, evaluation: Evaluation) -> str:
    design = difference.reference or {}
    if difference.what == "text":
        text = sanitize(str(design["text"]), limit=_LONGEST_TEXT)
        color = f"{_readable(design) or design['color']} on {design['ground']}"
        return f'"{text}" at {_place(design)}, {_size(design)}, {color}'
    name = difference.message.removesuffix(" is missing")
    if difference.what in ("picture", "line"):
        return name
    where = "" if _ENDS_IN_PLACE.search(name) else f" {_size(design)} at {_place(design)}"
    return f"{name}{where}: {_style(design)}{_texts_on(difference, evaluation)}"


def _moved(difference: Difference) -> str:
    """Say which way to go, which is back, and where to."""
    design, made = difference.reference or {}, difference.candidate or {}
    if not {"text", "tag"} & design.keys():
        return f"{difference.message}: move all of it back"
    across, down = (
        round(
            made["box"][axis] + made["box"][axis + 2] / 2 - design["box"][axis] - design["box"][axis + 2] / 2
        )
        for axis in (0, 1)
    )
    words = [
        f"{abs(across)} px {'left' if across > 0 else 'right'}" if across else "",
        f"{abs(down)} px {'up' if down > 0 else 'down'}" if down else "",
    ]
    way = " and ".join(filter(None, words)) or "a little"
    return f"{_named(difference)}: move {way}, to {_place(design)}"


def _readable(side: Mapping[str, Any]) -> str | None:
    """Return the colour of a text, or the nearest that can be read on its ground; None without a ground."""
    color, ground = (color_of_hex(str(side.get(name, ""))) for name in ("color", "ground"))
    if color is None or ground is None:
        return None
    safe = readable_color(color, ground, LEAST_CONTRAST)
    return None if safe is None else hex_color(safe)


def _texts_on(difference: Difference, evaluation: Evaluation) -> str:
    """Say which colours the texts on a new fill need, where they could not be read on it any more."""
    fill = color_of_hex(str((difference.reference or {}).get("fill", "")))
    if fill is None or evaluation.visual is None:
        return ""
    pairs: dict[str, str] = {}
    for match in _within(difference, evaluation):
        own, wanted = match.candidate.color, match.reference.color
        # What cannot be read on it in the design either lies on something else.
        if contrast(own, fill) < LEAST_CONTRAST <= contrast(wanted, fill):
            pairs.setdefault(hex_color(own), hex_color(wanted))
    told = [f"{new} (it is {old})" for old, new in pairs.items()]
    return f"; and with it the text {listed(told, most=_MOST_COLORS)}" if told else ""


def distance(first: Color, second: Color) -> int:
    """Return the sum of the differences of the parts of two colours, 0..765."""
    return sum(abs(one - other) for one, other in zip(first, second, strict=True))


def _within(difference: Difference, evaluation: Evaluation) -> Iterable[Match]:
    """Return the matched texts that lie where a fill changes: of the ground, all."""
    assert evaluation.visual is not None
    if difference.kind == "ground":
        return evaluation.visual.matches
    sides = (("candidate", difference.candidate), ("reference", difference.reference))
    role, side = next((role, side) for role, side in sides if side)
    size = evaluation.page_sizes.get(role, (1, 1))
    left, top, width, height = side["box"]

    def lies_in(block: Block) -> bool:
        x = (block.box[0] + block.box[2] / 2) * size[0]
        y = (block.box[1] + block.box[3] / 2) * size[1]
        return bool(left <= x <= left + width and top <= y <= top + height)

    return [one for one in evaluation.visual.matches if lies_in(getattr(one, role))]


def explained_by_others(difference: Difference, others: Sequence[Difference]) -> bool:
    """Return whether a panel has another fill only because what lies in it has the same one."""
    return any(
        other is not difference
        and _fills(other) == _fills(difference)
        and _contains((difference.candidate or {})["box"], (other.candidate or {})["box"])
        for other in others
    )


def _fills(difference: Difference) -> tuple[Any, Any]:
    return (difference.reference or {}).get("fill"), (difference.candidate or {}).get("fill")


def _contains(outer: Sequence[float], inner: Sequence[float]) -> bool:
    return (
        outer[0] <= inner[0]
        and outer[1] <= inner[1]
        and outer[0] + outer[2] >= inner[0] + inner[2]
        and outer[1] + outer[3] >= inner[1] + inner[3]
        and outer[2] * outer[3] > inner[2] * inner[3]
    )


def _named(difference: Difference) -> str:
    """Name what differs: a text by its words, anything else by what it is and where."""
    side = difference.candidate or difference.reference or {}
    if difference.what == "text" and "text" in side:
        return f'"{sanitize(str((difference.reference or side)["text"]), limit=_LONGEST_TEXT)}"'
    box = side.get("box")
    return f"{difference.what}" + (f" {_size(side)} at {_place(side)}" if box else "")


def _style(design: Mapping[str, Any]) -> str:
    has = ("border", "shadow")
    marks = [f"fill {design['fill']}"] if design.get("has_fill") else ["no fill of its own"]
    marks += [f"{'a' if design.get(f'has_{mark}') else 'no'} {mark}" for mark in has]
    return f"in the design {', '.join(marks)}"


def _place(side: Mapping[str, Any]) -> str:
    x, y, *_ = side["box"]
    return f"{round(x)},{round(y)}"


def _size(side: Mapping[str, Any]) -> str:
    *_, width, height = side["box"]
    return f"{round(width)}x{round(height)} px"


def _trimmed(first: str, second: str) -> Iterator[str]:
    """Shorten two texts to where they differ, with a little of what surrounds it."""
    shortest = min(len(first), len(second))
    start = next((place for place in range(shortest) if first[place] != second[place]), shortest)
    most = shortest - start
    end = next((place for place in range(most) if first[-1 - place] != second[-1 - place]), most)
    for text in (first, second):
        left, right = max(0, start - _CONTEXT), min(len(text), len(text) - end + _CONTEXT)
        part = sanitize(text[left:right], limit=_LONGEST_TEXT)
        yield ("…" if left else "") + part + ("…" if right < len(text) else "")
