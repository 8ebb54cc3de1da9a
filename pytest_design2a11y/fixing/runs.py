"""A text of the design as markup: its parts with their own look, links and lines."""

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from itertools import pairwise

from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.draft import Draft, box_of
from pytest_design2a11y.fixing.looks import font_css, line_css, look_css, px, style_of
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import area, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.scene.units import Unit

#: em; letters are as wide as each other up to this.
_SAME_WIDTH = 0.005
#: em; about as wide is a space.
_SPACE = 0.25
#: px; a line that ends this much before the text does was ended on purpose.
_SPARE = 2.0


def markup_of_runs(
    unit: Unit,
    base: Mapping[str, str],
    draft: Draft,
    links: Mapping[str, str] | None,
    read: str = "",
    *,
    is_set: bool = False,
) -> str:
    """Return what an element is to hold to show a text.

    Args:
        unit: The text of the design.
        base: The look of the element.
        draft: What knows the design's fonts.
        links: Addresses by the words of a link; None within a link.
        read: The same text as the page has it, whose signs and spaces stand between the parts.
        is_set: Whether its lines end where the design's do, whatever room there is.
    """
    pairs = [*pairwise(unit.runs)]
    lines = line_css(unit, draft.claims.reference)
    pitch = float(lines.get("line-height", "0px")[:-2])
    is_set |= any(_ends_early(*pair, unit) or _num_breaks(*pair, pitch) > 1 for pair in pairs)
    left = unit.box[0] if is_set and lines.get("text-align") == "left" else None
    parts, is_new = [], is_set
    for at, (run, *spaces) in enumerate(
        zip(unit.runs, spaces_of(unit, read), spaces_of(unit, unit.text), strict=True)
    ):
        before = next((space for space in spaces if space is not None), " ")
        following = unit.runs[at + 1] if at + 1 < len(unit.runs) else None
        if is_new:
            parts.append(part_of(run, base, draft, links, left, before.lstrip()))
        else:
            gap = _gap(unit.runs[at - 1], run) if at else 0.0
            parts += [
                escape(" " if gap else before),  # What stands apart has no sign of the page between.
                part_of(run, base, draft, links, run.boxes[0][0] - gap if gap else None),
            ]
        breaks = _num_breaks(run, following, pitch) if is_set and following is not None else 0
        is_new = breaks > 0
        parts += ["<br>"] * breaks
    return "".join(parts)


def spaces_of(unit: Unit, text: str) -> Iterator[str | None]:
    """Yield what stands in a text between each run and the one before it; None where it reads otherwise."""
    at, is_known = 0, True
    for number, run in enumerate(unit.runs):
        words = " ".join(run.text.split())
        start = text.find(words, at)
        between = text[at:start] if start >= 0 and is_known else None
        yield "" if not number else None if between and any(map(str.isalnum, between)) else between
        at, is_known = (at if start < 0 else start + len(words)), start >= 0


def _is_below(run: TextRun, following: TextRun) -> bool:
    """Return whether a run begins a line."""
    last, first = run.boxes[-1], following.boxes[0]
    return first[1] >= last[1] + last[3] / 2


def _gap(run: TextRun, following: TextRun) -> float:
    """Return by how much a run stands further from the one before it in its line than words do, px."""
    size = following.font.size if following.font else 0.0
    gap = following.boxes[0][0] - run.boxes[-1][0] - run.boxes[-1][2]
    return gap - size * _SPACE if gap > size and not _is_below(run, following) else 0.0


def _num_breaks(run: TextRun, following: TextRun, pitch: float) -> int:
    """Return how many lines further a run begins, where lines are `pitch` px apart; one if that is 0."""
    step = following.boxes[0][1] - run.boxes[-1][1]
    return max(1, round(step / pitch) if pitch else 1) if _is_below(run, following) else 0


def _ends_early(run: TextRun, following: TextRun, unit: Unit) -> bool:
    """Return whether a line was ended between two runs, though a word of the second would have had room."""
    last, words = run.boxes[-1], following.text.split()
    width = following.boxes[0][2] * len(words[0] if words else "") / max(len(following.text), 1)
    return _is_below(run, following) and last[0] + last[2] + width + _SPARE < unit.box[0] + unit.box[2]


def part_of(
    run: TextRun,
    base: Mapping[str, str],
    draft: Draft,
    links: Mapping[str, str] | None,
    left: float | None = None,
    sign: str = "",
) -> str:
    """Return a run as markup; one that begins a line of a text whose left side is known gets its indent."""
    css = font_css(run, draft.looks)
    own = {key: value for key, value in css.items() if base.get(key) != value}
    if run.is_underlined or run.is_link:
        own["text-decoration-line"] = "underline" if run.is_underlined else "none"
    if run.is_link:
        own.setdefault("color", base.get("color", "inherit"))
    if (box := draft.boxes.get(run)) is not None:
        own |= _boxed(run, box, draft)
    words, letter = run.text.strip(), _width_of_letters(run)
    if left is not None:
        indent = run.boxes[0][0] - left
        if sign and letter and indent > letter * len(sign):
            indent, words = indent - letter * len(sign), sign + words
        elif letter and len(run.boxes) == 1:
            words = " " * (round(run.boxes[0][2] / letter) - len(words)) + words
        if indent > _SPARE:
            own["margin-left"] = px(indent)
        if words.startswith(" "):
            own["white-space"] = "pre"
    lines = set_lines(run, draft.claims.reference)
    if lines:
        own["white-space"] = "pre"
    # In a list's text form several spaces would be one.
    content = "<br>".join(escape(line).replace("  ", "&#32;&#32;") for line in lines or [words])
    if not own:
        return content
    if not run.is_link or links is None:
        return f'<span style="{style_of(own)}">{content}</span>'
    address = escape(links.get(words.strip(), "#"), quote=True)
    # The page may set its links apart.
    return f'<a href="{address}" style="{style_of({"margin": "0px", "padding": "0px", **own})}">{content}</a>'


def set_lines(run: TextRun, page: Capture) -> list[str]:
    """Return the lines of a text as its source sets them, if letters are equally wide; else no lines."""
    letter = _width_of_letters(run)
    if len(run.boxes) < 2 or not letter or not page.html:
        return []
    source = re.search(r"\s+".join(map(re.escape, run.text.split())), unescape(page.html))
    lines = [line.rstrip() for line in source[0].split("\n")] if source else []
    lengths = [round(box[2] / letter) for box in run.boxes]
    return lines if [len(line) for line in lines if line] == lengths else []


def boxed_runs(claims: Claims) -> dict[TextRun, Element]:
    """Return the boxes that the page lacks around parts of its texts, each with one part alone in it."""
    lost = [design for design, made in claims.elements if design and made is None and design.kind == "box"]
    paired = [unit for unit, made in claims.texts if unit and made and len(unit.runs) > 1]
    pairs = ((box, unit) for box in lost for unit in paired if area(box.box) < area(unit.box))
    inside = ((box, [run for run in unit.runs if is_inside(box_of(run), box.box)]) for box, unit in pairs)
    return {runs[0]: box for box, runs in inside if len(runs) == 1}


def _boxed(run: TextRun, box: Element, draft: Draft) -> dict[str, str]:
    """Return the look of a part of a text with a box around it, which is not added then."""
    draft.given.append(box)
    (left, top, width, height), own = box.box, box_of(run)
    sides = (own[1] - top, left + width - own[0] - own[2], top + height - own[1] - own[3], own[0] - left)
    line = box.border_width if box.has_border else 0.0
    padding = " ".join(px(max(side - line, 0.0)) for side in sides)
    return {**look_css(box, draft.looks.fills), "padding": padding}


def _width_of_letters(run: TextRun) -> float:
    """Return the width of one letter, px, if all are equally wide; else 0."""
    font = run.font
    if font is None or not any(font.advances) or max(font.advances) - min(font.advances) > _SAME_WIDTH:
        return 0.0
    return font.advances[0] * font.size + font.letter_spacing
