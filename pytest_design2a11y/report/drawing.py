"""Plain drawings as SVG: lines, boxes, dots and words, without a plotting library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from PIL import ImageFont

from pytest_design2a11y.escaping import markup, sanitize

Anchor = Literal["start", "middle", "end"]

#: Colours by purpose; in our own pages the style sheet decides.
COLORS = {
    "ink": "#1a1f27", "muted": "#556070", "line": "#d5dae1", "bar": "#9db4dc", "interval": "#1d3f8f",
    "better": "#116329", "worse": "#a40e26",
    "series-0": "#1d4ed8", "series-1": "#c2570c", "series-2": "#0b8577", "series-3": "#b8177e",
    "series-4": "#6d3fd1", "series-5": "#7a6a00", "series-6": "#9b1c14", "series-7": "#4a5462",
}  # fmt: skip
NUM_SERIES = 8

_FONT_SIZE = 12.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A line, box or dot, or words."""

    kind: Literal["line", "box", "dot", "words"]
    # Line: x1, y1, x2, y2; box: x, y, width, height; dot: x, y, radius; words: x, y
    numbers: tuple[float, ...]
    color: str  # Key of `COLORS`
    text: str = ""
    anchor: Anchor = "start"  # Which end of the words is at their position

    def to_svg(self, name: str) -> str:
        """Return the shape as an SVG element whose attribute `name`, "class" or "fill", sets its colour."""
        color = self.color if name == "class" else COLORS[self.color]
        if self.kind == "words":
            x, y = self.numbers
            return (
                f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{self.anchor}" {name}="{color}">'
                f"{markup(self.text)}</text>"
            )
        if self.kind == "dot":
            x, y, radius = self.numbers
            return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" {name}="{color}"/>'
        x, y, width, height = self.numbers
        if self.kind == "line":  # Horizontal or vertical: a box one unit wide
            (x, right), (y, bottom) = sorted((x, width)), sorted((y, height))
            x, y, width, height = x - 0.5, y - 0.5, right - x + 1, bottom - y + 1
        return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" {name}="{color}"/>'


@dataclass
class Drawing:
    """Shapes on a white ground, in pixels, y downwards."""

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list)  # Bottom to top

    def line(self, x1: float, y1: float, x2: float, y2: float, color: str) -> None:
        """Add a line."""
        self.shapes.append(Shape("line", (x1, y1, x2, y2), color))

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """Add a filled box."""
        self.shapes.append(Shape("box", (x, y, width, height), color))

    def dot(self, x: float, y: float, radius: float, color: str) -> None:
        """Add a filled dot."""
        self.shapes.append(Shape("dot", (x, y, radius), color))

    def words(self, x: float, y: float, text: str, color: str = "ink", anchor: Anchor = "start") -> None:
        """Add words on a baseline."""
        self.shapes.append(Shape("words", (x, y), color, sanitize(text, limit=60), anchor))


def to_svg(drawing: Drawing, *, is_of_page: bool = False) -> str:
    """Return a drawing as an SVG element."""
    name = "class" if is_of_page else "fill"
    parts = [shape.to_svg(name) for shape in drawing.shapes]
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    if not is_of_page:
        size += ' xmlns="http://www.w3.org/2000/svg"'
        size += f' width="{drawing.width:g}" height="{drawing.height:g}"'
        parts.insert(0, '<rect width="100%" height="100%" fill="#ffffff"/>')
    return (
        f'<svg {size} role="img" aria-label="{markup(drawing.title)}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="{_FONT_SIZE:g}">{"".join(parts)}</svg>'
    )


def text_width(text: str) -> float:
    """Return the approximate width of words in pixels, in a font like the one that shows them."""
    return ImageFont.load_default(_FONT_SIZE).getlength(text)
