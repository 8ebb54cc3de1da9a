"""A text of the design as markup: its parts with their own look, links and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise

from pytest_design2a11y.fixing.draft import Draft
from pytest_design2a11y.fixing.looks import font_css, line_css, px, style_of
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.scene.units import Unit

#: em; letters are as wide as each other up to this.
_SAME_WIDTH = 0.005
#: px; a line that ends this much before the text does was ended on purpose.
_SPARE = 2.0


def markup_of_runs(unit: Unit, base: Mapping[str, str], draft: Draft, links: Mapping[str, str] | None) -> str:
    """Return what an element is to hold to show a text.

    Args:
        unit: The text of the design.
        base: The look of the element.
        draft: What knows the design's fonts.
        links: Addresses by the words of a link; None within a link.
    """
    pairs = [*pairwise(unit.runs)]
    lines = line_css(unit, draft.claims.reference)
    pitch = float(lines.get("line-height", "0px")[:-2])
    is_set = any(_ends_early(*pair, unit) or _num_breaks(*pair, pitch) > 1 for pair in pairs)
    left = unit.box[0] if is_set and lines.get("text-align") == "left" else None
    parts, is_new = [], is_set
    for run, before, following in zip(unit.runs, _spaces(unit), (*unit.runs[1:], None), strict=True):
        parts += [before, _part(run, base, draft, links, left if is_new else None)]
        breaks = _num_breaks(run, following, pitch) if is_set and following is not None else 0
        is_new = breaks > 0
        parts += ["<br>"] * breaks
    return "".join(parts).replace("<br> ", "<br>")


def _spaces(unit: Unit) -> Iterator[str]:
    """Yield what stands between each run and the one before it."""
    at = 0
    for run in unit.runs:
        words = " ".join(run.text.split())
        found = unit.text.find(words, at)
        yield unit.text[at:found] if found >= 0 and at else " " if at else ""
        at = (found if found >= 0 else at) + len(words)


def _is_below(run: TextRun, following: TextRun) -> bool:
    """Return whether a run begins a line."""
    last, first = run.boxes[-1], following.boxes[0]
    return first[1] >= last[1] + last[3] / 2


def _num_breaks(run: TextRun, following: TextRun, pitch: float) -> int:
    """Return how many lines further a run begins, where lines are `pitch` px apart; one if that is 0."""
    step = following.boxes[0][1] - run.boxes[-1][1]
    return max(1, round(step / pitch) if pitch else 1) if _is_below(run, following) else 0


def _ends_early(run: TextRun, following: TextRun, unit: Unit) -> bool:
    """Return whether a line was ended between two runs, though a word of the second would have had room."""
    last, words = run.boxes[-1], following.text.split()
    width = following.boxes[0][2] * len(words[0] if words else "") / max(len(following.text), 1)
    return _is_below(run, following) and last[0] + last[2] + width + _SPARE < unit.box[0] + unit.box[2]


def _part(
    run: TextRun, base: Mapping[str, str], draft: Draft, links: Mapping[str, str] | None, left: float | None
) -> str:
    """Return a run as markup; one that begins a line of a text whose left side is known gets its indent."""
    css = font_css(run, draft.claims.reference, draft.families)
    own = {key: value for key, value in css.items() if base.get(key) != value}
    if run.is_underlined or run.is_link:
        own["text-decoration-line"] = "underline" if run.is_underlined else "none"
    if run.is_link:
        own.setdefault("color", base.get("color", "inherit"))
    words = run.text.strip()
    if left is not None and run.boxes[0][0] - left > _SPARE:
        own["margin-left"] = px(run.boxes[0][0] - left)
    if left is not None and (number := _number_of_blanks(run)) > 0:
        own["white-space"], words = "pre", " " * number + words
    if not own:
        return escape(words)
    if not run.is_link or links is None:
        return f'<span style="{style_of(own)}">{escape(words)}</span>'
    address = escape(links.get(words.strip(), "#"), quote=True)
    return f'<a href="{address}" style="{style_of(own)}">{escape(words)}</a>'


def _number_of_blanks(run: TextRun) -> int:
    """Return how many spaces a line of letters of one width has room for before its words."""
    font = run.font
    if font is None or len(run.boxes) != 1 or not any(font.advances):
        return 0
    if max(font.advances) - min(font.advances) > _SAME_WIDTH:
        return 0
    room = run.boxes[0][2] / (font.advances[0] * font.size + font.letter_spacing)
    return round(room) - len(run.text.strip())
