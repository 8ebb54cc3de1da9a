"""A picture or a drawing as a document, and the `design.blocks.json` beside it.

The blocks file has the design's own texts, which are checked on reading.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from pytest_design2a11y.exceptions import EmptyDocument, SourceError, SourceNotFound
from pytest_design2a11y.extending import Drawn
from pytest_design2a11y.models.elements import DesignBlocks, DesignShape, DesignText, Font
from pytest_design2a11y.models.geometry import Box, clipped, color_of_hex, hex_color
from pytest_design2a11y.models.page import SCALE_IN_NAME, Document
from pytest_design2a11y.source.files import SitePage, read_file

_ROOT = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)
_DRAWN = re.compile(
    rb"<(?:path|rect|circle|ellipse|line|polyline|polygon|text|image|use|foreignObject)\b", re.IGNORECASE
)
_LENGTH = re.compile(rb"\s(width|height)\s*=\s*[\"']\s*(\d+(?:\.\d+)?)(?:px)?\s*[\"']")
_VIEW_BOX = re.compile(rb"\sviewBox\s*=\s*[\"']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)")
_SHOWN = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Design</title>'
    "<style>body {{ margin: 0; background: #fff }} body > svg {{ display: block{size} }}</style>"
)


def document_of_picture(found: SitePage, content: bytes, *, label: str, max_bytes: int) -> Document:
    """Return a picture file as a document."""
    if found.suffix:
        raise SourceNotFound(
            f"{label} is a picture: {found.suffix} behind its path names nothing in it.",
            advice="Name the file alone.",
        )
    file = blocks_file_beside(found.file)
    return Document(
        label=label,
        html=None,
        file=str(found.file.resolve()),
        picture=content,
        blocks=None if file is None else parse_blocks(read_file(file, max_bytes), label=str(file)),
    )


def page_of_svg(path: Path, svg: bytes) -> Drawn:
    """Return a page that contains a drawing, in the drawing's size if it has one."""
    if not _DRAWN.search(svg):
        raise EmptyDocument(
            f"{path.name} shows nothing: it has no shape, text or picture.",
            advice="Look whether its export ended early.",
        )
    root = _ROOT.search(svg)
    start, tag = (root.start(), root.group()) if root else (0, b"")
    lengths = {name: float(value) for name, value in _LENGTH.findall(tag)}
    if len(lengths) < 2 and (box := _VIEW_BOX.search(tag)):
        lengths = {b"width": float(box[1]), b"height": float(box[2])}
    width, height = (round(lengths.get(name, 0)) for name in (b"width", b"height"))
    is_known = 1 <= width <= 10_000 and 1 <= height <= 10_000
    shown = f"; width: {width}px; height: {height}px" if is_known else ""
    return Drawn(_SHOWN.format(size=shown).encode() + svg[start:], (width, height) if is_known else None)


SUFFIX = ".blocks.json"
SCHEMA = 1

_ADVICE = "The format is described in docs/sources.md; `design2a11y assets figma` writes it."
_SHAPE_NUMBERS = ("inside", "line", "shadow", "radius")


_Side = Annotated[int, Meta(gt=0, le=1_000_000)]
_Size = Annotated[float, Meta(gt=0)]
_Weight = Annotated[float, Meta(ge=1, le=1000)]
_Opacity = Annotated[float, Meta(gt=0, le=1)]
_Color = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]
_Shown = Annotated[str, Meta(pattern=r"\S")]


class _Font(Struct, forbid_unknown_fields=True):
    size: _Size
    weight: _Weight = 400
    italic: bool = False


class _DrawnText(Struct, forbid_unknown_fields=True):
    text: _Shown
    boxes: Annotated[tuple[Box, ...], Meta(min_length=1)]
    color: _Color | None
    opacity: _Opacity = 1.0
    font: _Font | None = None


class _File(Struct, forbid_unknown_fields=True):
    schema: int
    size: tuple[_Side, _Side]
    blocks: tuple[_DrawnText, ...]
    source: str = ""
    elements: tuple[DesignShape, ...] | None = None


def blocks_file_beside(picture: Path) -> Path | None:
    """Find the blocks file of a picture: `design.blocks.json`.

    A scale at the end of the picture's name, such as `@2x`, may be part of the file's name or not.
    """
    stems = (picture.stem, SCALE_IN_NAME.sub("", picture.stem))
    return next((file for stem in stems if (file := picture.with_name(stem + SUFFIX)).is_file()), None)


def parse_blocks(content: bytes, *, label: str) -> DesignBlocks:
    """Read a blocks file."""
    try:
        file = msgspec.json.decode(content, type=_File)
        if file.schema != SCHEMA:
            raise ValueError(f"schema is {file.schema}; this version reads {SCHEMA}")
        width, height = map(int, file.size)
        page = (0.0, 0.0, float(width), float(height))
        texts = (_text(f"blocks[{index}]", text, page) for index, text in enumerate(file.blocks))
        shapes = file.elements and tuple(
            structs.replace(shape, box=_box(f"elements[{index}].box", shape.box, page))
            for index, shape in enumerate(file.elements)
        )
        digest = hashlib.sha256(content).hexdigest()
        return DesignBlocks((width, height), tuple(texts), file.source, shapes, digest)
    except (ValueError, RecursionError) as error:
        problem = str(error)
    raise SourceError(f"The blocks file {label} is not valid: {problem}.", advice=_ADVICE) from None


def write_blocks(blocks: DesignBlocks) -> str:
    """Return the text of a blocks file, one line per block."""
    texts = []
    for text in blocks.texts:
        record: dict[str, Any] = {"text": text.text, "boxes": [_short_box(box) for box in text.boxes]}
        record["color"] = text.color and hex_color(text.color)
        if (font := text.font) is not None:
            record["font"] = {"size": font.size, "weight": font.weight, "italic": font.is_italic}
        if text.opacity != 1.0:
            record["opacity"] = text.opacity
        texts.append(record)
    lines = _lines(texts)
    head = {"schema": SCHEMA, "source": blocks.source, "size": list(blocks.size)}
    if blocks.shapes is not None:
        shapes = (
            {"kind": shape.kind, "name": shape.name, "box": _short_box(shape.box)}
            | {key: value for key in _SHAPE_NUMBERS if (value := getattr(shape, key))}
            for shape in blocks.shapes
        )
        lines += f'\n ],\n "elements": [\n{_lines(shapes)}'
    facts = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items() if value)
    return f'{{\n{facts},\n "blocks": [\n{lines}\n ]\n}}\n'


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(f"  {json.dumps(record, ensure_ascii=False)}" for record in records)


def _short_box(box: Box) -> list[float]:
    sides = [round(side, 2) for side in box]
    return [int(side) if side == int(side) else side for side in sides]


def _text(where: str, text: _DrawnText, page: Box) -> DesignText:
    boxes = (_box(f"{where}.boxes[{index}]", box, page) for index, box in enumerate(text.boxes))
    color = None if text.color is None else color_of_hex(text.color)
    own = text.font
    font = None if own is None else Font(float(own.size), round(own.weight), own.italic, ())
    return DesignText(" ".join(text.text.split()), tuple(boxes), color, float(text.opacity), font)


def _box(where: str, sides: Box, page: Box) -> Box:
    left, top, width, height = map(float, sides)
    if (box := clipped((left, top, width, height), page)) is None:
        values = ", ".join(f"{side:g}" for side in sides)
        raise ValueError(f"{where} is [{values}], which shows nothing of a page {page[2]:g}x{page[3]:g} px")
    return box
