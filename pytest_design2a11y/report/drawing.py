"""Plain drawings, written as SVG, PDF or PNG: lines, boxes, dots and words need no plotting library."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from pytest_design2a11y.escaping import markup, sanitize

Anchor = Literal["start", "middle", "end"]

#: Colours by what they are for; in a page of ours its style decides.
COLORS = {
    "ink": "#1a1f27", "muted": "#556070", "line": "#d5dae1", "bar": "#9db4dc", "interval": "#1d3f8f",
    "series-0": "#1d4ed8", "series-1": "#c2570c", "series-2": "#0b8577", "series-3": "#b8177e",
    "series-4": "#6d3fd1", "series-5": "#7a6a00", "series-6": "#9b1c14", "series-7": "#4a5462",
}  # fmt: skip
NUM_SERIES = 8

# Pixels of a PNG per unit.
_PNG_SCALE = 3
_FONT_SIZE = 12.0
# Widths of Helvetica's characters from " " to "~", in thousandths of its size.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278,
    584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667,
    778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556,
    278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500,
    334, 260, 334, 584,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """A line, box or dot, or words.

    Attributes:
        numbers: Of a line x1, y1, x2, y2; of a box x, y, width, height; of a dot x, y, radius; of words x, y.
        color: Key of `COLORS`.
        anchor: Which end of the words stands at their place.
    """

    kind: Literal["line", "box", "dot", "words"]
    numbers: tuple[float, ...]
    color: str
    text: str = ""
    anchor: Anchor = "start"


@dataclass
class Drawing:
    """Shapes on white, in units of a pixel, y downwards.

    Attributes:
        shapes: The first at the bottom.
    """

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list)

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
        """Add words on a base line."""
        self.shapes.append(Shape("words", (x, y), color, sanitize(text, limit=60), anchor))


def to_svg(drawing: Drawing, *, is_of_page: bool = False) -> str:
    """Return a drawing as an SVG element."""
    name = "class" if is_of_page else "fill"
    parts = [_svg_shape(shape, name) for shape in drawing.shapes]
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}"'
    if not is_of_page:
        size += ' xmlns="http://www.w3.org/2000/svg"'
        size += f' width="{drawing.width:g}" height="{drawing.height:g}"'
        parts.insert(0, '<rect width="100%" height="100%" fill="#ffffff"/>')
    return (
        f'<svg {size} role="img" aria-label="{markup(drawing.title)}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="{_FONT_SIZE:g}">{"".join(parts)}</svg>'
    )


def _svg_shape(shape: Shape, name: str) -> str:
    color = shape.color if name == "class" else COLORS[shape.color]
    if shape.kind == "words":
        x, y = shape.numbers
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{shape.anchor}" {name}="{color}">'
            f"{markup(shape.text)}</text>"
        )
    if shape.kind == "dot":
        x, y, radius = shape.numbers
        return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" {name}="{color}"/>'
    x, y, width, height = _outline(shape)
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" {name}="{color}"/>'


def _outline(shape: Shape) -> tuple[float, float, float, float]:
    """Return the place of a box, or of a level or upright line, which is a box one unit wide."""
    x, y, right, bottom = shape.numbers
    if shape.kind == "box":
        return x, y, right, bottom
    return min(x, right) - 0.5, min(y, bottom) - 0.5, abs(right - x) + 1, abs(bottom - y) + 1


def to_png(drawing: Drawing) -> bytes:
    """Return a drawing as a PNG file, three pixels a unit."""
    size = (round(drawing.width * _PNG_SCALE), round(drawing.height * _PNG_SCALE))
    image = Image.new("RGB", size, "white")
    canvas = ImageDraw.Draw(image)
    font = ImageFont.load_default(_FONT_SIZE * _PNG_SCALE)
    for shape in drawing.shapes:
        color, numbers = COLORS[shape.color], [number * _PNG_SCALE for number in shape.numbers]
        if shape.kind == "words":
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
            canvas.text((numbers[0], numbers[1]), shape.text, fill=color, font=font, anchor=anchor)
        elif shape.kind == "dot":
            canvas.circle((numbers[0], numbers[1]), numbers[2], fill=color)
        else:
            x, y, width, height = (side * _PNG_SCALE for side in _outline(shape))
            canvas.rectangle((x, y, x + width, y + height), fill=color)
    file = io.BytesIO()
    image.save(file, "PNG", dpi=(72 * _PNG_SCALE, 72 * _PNG_SCALE))
    return file.getvalue()


def to_pdf(drawing: Drawing) -> bytes:
    """Return a drawing as a PDF file of one page: vectors, and words in Helvetica."""
    content = zlib.compress("\n".join(_pdf_operators(drawing)).encode("cp1252", "replace"))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
        % (round(drawing.width), round(drawing.height)),
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        places.append(b"%010d 00000 n \n" % len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, written)
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, b"".join(places))
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(file))
    return file + table + end


def _pdf_operators(drawing: Drawing) -> Iterator[str]:
    for shape in drawing.shapes:
        red, green, blue = (int(COLORS[shape.color][place : place + 2], 16) / 255 for place in (1, 3, 5))
        yield f"{red:.3f} {green:.3f} {blue:.3f} rg"
        if shape.kind == "words":
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            x = shape.numbers[0] - text_width(shape.text) * before
            text = shape.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            y = drawing.height - shape.numbers[1]
            yield f"BT /F {_FONT_SIZE:g} Tf {x:.2f} {y:.2f} Td ({text}) Tj ET"
        elif shape.kind == "dot":
            yield _pdf_dot(shape.numbers[0], drawing.height - shape.numbers[1], shape.numbers[2])
        else:
            x, y, width, height = _outline(shape)
            yield f"{x:.2f} {drawing.height - y - height:.2f} {width:.2f} {height:.2f} re f"


def _pdf_dot(x: float, y: float, radius: float) -> str:
    """Draw a circle by four curves, off by less than a thousandth of its radius."""
    bend = 0.5523 * radius
    return (
        f"{x + radius:.2f} {y:.2f} m "
        f"{x + radius:.2f} {y + bend:.2f} {x + bend:.2f} {y + radius:.2f} {x:.2f} {y + radius:.2f} c "
        f"{x - bend:.2f} {y + radius:.2f} {x - radius:.2f} {y + bend:.2f} {x - radius:.2f} {y:.2f} c "
        f"{x - radius:.2f} {y - bend:.2f} {x - bend:.2f} {y - radius:.2f} {x:.2f} {y - radius:.2f} c "
        f"{x + bend:.2f} {y - radius:.2f} {x + radius:.2f} {y - bend:.2f} {x + radius:.2f} {y:.2f} c f"
    )


def text_width(text: str) -> float:
    """Return how wide words are, in units."""
    known = (ord(character) - 32 for character in text)
    return sum(_WIDTHS[place] if 0 <= place < len(_WIDTHS) else 556 for place in known) * _FONT_SIZE / 1000
