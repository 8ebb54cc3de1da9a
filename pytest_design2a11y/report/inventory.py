"""What a design consists of: its page, colors and fonts, and its texts and elements in reading order.

Its words are complete enough to build them from the words alone. Colors that would break WCAG's contrast
minimum for text are never given. Positions are of top left corners.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import color_of_hex, contrast, hex_color, readable_colors
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.records import to_json
from pytest_design2a11y.models.thing_words import Facts, place
from pytest_design2a11y.visual.scene.element_facts import details_of
from pytest_design2a11y.visual.scene.sight import color_behind, colors_of
from pytest_design2a11y.visual.scene.text_facts import text_facts
from pytest_design2a11y.visual.scene.units import read_as_words, units_of

#: Contrast that WCAG 2 requires of text, and of large text (`_LARGE` px, or `_LARGE_BOLD` px if bold).
LEAST_CONTRAST, LEAST_OF_LARGE = 4.5, 3.0
#: Contrast it requires between a link and the text around it, if nothing else distinguishes them.
LEAST_OF_LINK = 3.0
_LARGE, _LARGE_BOLD, _BOLD = 24.0, 18.67, 700

#: How font properties are written, and the other marks of letters.
_FONT = {
    "font_size": "{:g} px",
    "family": "{}",
    "weight": "weight {}",
    "letter_spacing": "letter-spacing {:g} px",
}
_MARKS = {"is_italic": "italic", "is_link": "a link", "is_underlined": "underlined"}

#: Texts are given in full; no real text of a page is longer.
LONGEST_TEXT = 4000


def whole_text(thing: Facts) -> str:
    """Return a text of the design in words: its content, position and typography."""
    # A line end is written where a line ends before it is full.
    lines = (sanitize(line, limit=LONGEST_TEXT) for line in thing.get("lines") or [str(thing["text"])])
    text = '"{}"'.format("\\n".join(lines))
    starts = ", ".join(f"{quoted(part)} at {left}" for part, left in thing.get("starts", ()))
    return f"{text} {place(thing)}, {size(thing)}{f' ({starts})' if starts else ''}: {written(thing)}"


def written(thing: Facts) -> str:
    """Return a text's typography: size, lines, family, weight, color and ground; then that of its parts."""
    lines = [f"lines {thing['line_height']:g} px apart"] if thing.get("line_height") else []
    lines += [str(thing["align"])] if thing.get("align") else []
    font = _font_words(thing)
    color, ground = readable(thing)
    colors = f"{color or thing.get('color')} on {ground or thing.get('ground')}"
    parts = Counter(
        (quoted(part["text"]), " ".join(_part_words(part, thing)) or "as its own element")
        for part in thing.get("parts", ())
    )
    others = [
        f"{text}{f' ({number} times)' if number > 1 else ''} {look}" for (text, look), number in parts.items()
    ]
    drawn = sanitize(str(thing.get("marker", "")), limit=LONGEST_TEXT)
    marker = [f"after the marker of a list item ({drawn})"] if drawn else []
    return ", ".join([*font[:1], *lines, *font[1:], colors, *others, *marker])


def _font_words(thing: Facts) -> list[str]:
    values = [form.format(thing[name]) for name, form in _FONT.items() if thing.get(name)]
    return values + [name for mark, name in _MARKS.items() if thing.get(mark)]


def _part_words(part: Facts, thing: Facts) -> list[str]:
    words = [*_font_words(part), *(f"not {name}" for mark, name in _MARKS.items() if part.get(mark) is False)]
    color, around = readable({**thing, **part})[0], readable(thing)[0]
    link, text = color_of_hex(str(color)), color_of_hex(str(around))
    if words == ["a link"] and link and text and contrast(link, text) < LEAST_OF_LINK:
        words.append("underlined (its color alone does not distinguish it)")
    return words + ([color] if color and "color" in part else [])


def style_of(thing: Facts) -> str:
    """Return the fill, border, radius and shadow of an element, its state and its content."""
    if thing.get("name") in {"picture", "icon"}:
        parts = [f"mostly {thing['fill']}"] if thing.get("fill") else []
        parts += [f"drawn as {'/'.join(thing['rows'])} on {thing['ground']}"] if thing.get("rows") else []
    elif thing.get("name") == "line":
        parts = [str(thing.get("fill"))]
    else:
        parts = [f"fill {fill(thing)}"] if thing.get("has_fill") else ["no fill of its own"]
        has_border = thing.get("has_border") and thing.get("border") and not thing.get("is_outlined")
        parts += [f"border {thing['border']}"] if has_border else []
        parts += [f"outline {thing['ring']}"] if thing.get("ring") else []
    parts += [f"corners of {thing['radius']:g} px"] if thing.get("radius") else []
    parts += ["a shadow"] if thing.get("has_shadow") else []
    if thing.get("name") != "button":  # A button's text is listed by itself.
        parts += [f"{name} {quoted(thing[name])}" for name in ("value", "placeholder") if thing.get(name)]
    parts += [str(state) for state in thing.get("states", ())]
    return ", ".join(parts)


def fill(thing: Facts) -> str:
    """Return the color of an element, or the colors of its gradient."""
    return f"gradient {' to '.join(thing['fills'])}" if thing.get("fills") else str(thing.get("fill"))


def size(thing: Facts) -> str:
    """Return width and height."""
    *_, width, height = thing["box"]
    return f"{round(width)} x {round(height)} px"


def required_contrast(font_size: float, weight: float) -> float:
    """Return the contrast that WCAG 2 requires of text of a size, px, and weight."""
    is_large = font_size >= _LARGE or (font_size >= _LARGE_BOLD and weight >= _BOLD)
    return LEAST_OF_LARGE if is_large else LEAST_CONTRAST


def readable(thing: Facts) -> tuple[str | None, str | None]:
    """Return the colors of a text and its ground, or the nearest readable ones; None without a ground."""
    color, ground = (color_of_hex(str(thing.get(name, ""))) for name in ("color", "ground"))
    if color is None or ground is None:
        return None, None
    ratio = required_contrast(thing.get("font_size") or 0.0, thing.get("weight") or 0)
    text, below = readable_colors(color, ground, ratio)
    return hex_color(text), hex_color(below)


def quoted(text: object) -> str:
    """Return a text of a page in quotation marks, in full."""
    return f'"{sanitize(str(text), limit=LONGEST_TEXT)}"'


#: Colors and fonts with a smaller share, of the page or of its text, are not listed.
_LEAST_SHARE = 0.002
_MOST_FONTS = 20
#: px; tops that differ by less are in one row.
_ROW = 4


@dataclass(frozen=True, slots=True)
class Inventory:
    """What one page shows."""

    page: str  # Its name
    size: tuple[int, int]  # Width and height, px
    ground: str  # The color behind everything, "#rrggbb"
    # The colors of its pixels, with the share of the page, 0..1, the most frequent first
    colors: tuple[tuple[str, float], ...]
    # The fonts of its text with their shares of the letters, the largest first
    fonts: tuple[tuple[Mapping[str, Any], float], ...]
    # Each with "box" (left, top, width, height, px), "text", font, color and ground
    texts: tuple[Mapping[str, Any], ...]
    # Everything else that shows: pictures, controls, panels and lines; None if unknown
    elements: tuple[Mapping[str, Any], ...] | None
    warnings: tuple[str, ...] = ()  # What did not stop the page from being captured, a sentence each

    def lines(self) -> Iterator[str]:
        """Yield the page, colors, fonts, texts and elements in words, line by line."""
        width, height = self.size
        yield f"{sanitize(self.page, limit=200)}: {width} x {height} px, background {self.ground}"
        yield "Places are px from the left and top of the page to the top left corner."
        yield f"colors: {', '.join(f'{color} {share:.1%}' for color, share in self.colors)}"
        for font, share in self.fonts:
            look = f"{font['family'] or 'another family'} {font['font_size']:g} px, weight {font['weight']}"
            yield f"font: {look}: {share:.0%} of the letters"
        yield f"texts ({len(self.texts)}), in reading order:"
        for text in self.texts:
            yield f"  {sanitize(whole_text(text), limit=2 * LONGEST_TEXT)}"
        if self.elements is None:
            yield "elements: not known of a picture"
            return
        yield f"elements ({len(self.elements)}), in reading order:"
        for element in self.elements:
            label = f" {quoted(element['label'])}" if element.get("label") else ""
            look = f": {style}" if (style := style_of(element)) else ""
            line = f"{element['name']}{label} {place(element)}, {size(element)}{look}"
            yield f"  {sanitize(line, limit=LONGEST_TEXT)}"

    def to_dict(self) -> dict[str, Any]:
        """Return what `design2a11y describe --json` prints, as Python values."""
        colors = [{"color": color, "share": share} for color, share in self.colors]
        fonts = [{**font, "share": share} for font, share in self.fonts]
        return {**to_json(self), "colors": colors, "fonts": fonts}


def inventory_of(page: Capture) -> Inventory:
    """Return what a page shows, texts and elements in reading order."""
    texts = [text_facts(unit, page) for unit in units_of(read_as_words(page.text_runs, page))]
    elements = None if page.elements is None else [details_of(element, page) for element in page.elements]
    shares = [(hex_color(color), round(share, 4)) for color, share in colors_of(page.screenshot.pixels)]
    return Inventory(
        page=page.label,
        size=page.page_size,
        ground=hex_color(color_behind(page)),
        colors=tuple((color, share) for color, share in shares if share >= _LEAST_SHARE),
        fonts=tuple(_fonts(texts)),
        texts=tuple(sorted(texts, key=_reading_order)),
        elements=None if elements is None else tuple(sorted(elements, key=_reading_order)),
        warnings=tuple(warning.message for warning in page.warnings),
    )


def _reading_order(thing: Facts) -> tuple[float, float]:
    left, top, *_ = thing["box"]
    return top // _ROW, left


def _fonts(texts: Sequence[Facts]) -> Iterator[tuple[Facts, float]]:
    letters: Counter[tuple[Any, ...]] = Counter()
    names = ("family", "font_size", "weight")
    for text in texts:
        if "font_size" in text:
            letters[tuple(text.get(name, "") for name in names)] += len(text["text"])
    total = max(1, sum(letters.values()))
    for font, count in letters.most_common(_MOST_FONTS):
        if count >= _LEAST_SHARE * total:
            yield dict(zip(names, font, strict=True)), round(count / total, 4)
