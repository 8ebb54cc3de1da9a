"""`design.blocks.json` beside `design.png`: the design's own texts, checked where they come in.

`blocks.schema.json` beside this module describes the format in full.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import BlocksFileInvalid
from pytest_design2a11y.models.elements import DesignBlocks, DesignShape, DesignText, Font
from pytest_design2a11y.models.from_json import refuse_constant
from pytest_design2a11y.models.geometry import Box, Color, clipped, hex_color
from pytest_design2a11y.models.page import SCALE_IN_NAME

SUFFIX = ".blocks.json"
SCHEMA = 1

_ADVICE = "The format is described in docs/pictures.md; `design2a11y import-figma` writes it."
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_FILE_KEYS = {"schema", "size", "blocks"}
_BLOCK_KEYS = {"text", "boxes", "color"}
_SHAPE_NUMBERS = ("inside", "line", "shadow", "radius")


def blocks_file_beside(picture: Path, *, page: int = 1) -> Path | None:
    """Find the blocks file of a picture: `design.blocks.json`, of page 2 `design.page2.blocks.json`.

    It may have the scale that ends the picture's name, such as `@2x`, in its own or not.
    """
    end = f".page{page}{SUFFIX}" if page > 1 else SUFFIX
    stems = (picture.stem, SCALE_IN_NAME.sub("", picture.stem))
    return next((file for stem in stems if (file := picture.with_name(stem + end)).is_file()), None)


def parse_blocks(content: bytes, *, label: str) -> DesignBlocks:
    """Read a blocks file."""
    try:
        record = json.loads(content, parse_constant=refuse_constant)
        return DesignBlocks(digest=hashlib.sha256(content).hexdigest(), **_fields(record))
    except RecursionError:
        problem = "it is nested too deep"
    except ValueError as error:
        problem = str(error)
    raise BlocksFileInvalid(f"The blocks file {label} is not valid: {problem}.", advice=_ADVICE) from None


def write_blocks(blocks: DesignBlocks) -> str:
    """Return the text of a blocks file, a line a block."""
    lines = ",\n".join(f"  {json.dumps(_record(text), ensure_ascii=False)}" for text in blocks.texts)
    head = {"schema": SCHEMA, "source": blocks.source, "size": list(blocks.size)}
    if blocks.shapes is not None:
        records = (
            {"kind": shape.kind, "name": shape.name, "box": [_short(side) for side in shape.box]}
            | {key: value for key in _SHAPE_NUMBERS if (value := getattr(shape, key))}
            for shape in blocks.shapes
        )
        shapes = ",\n".join(f"  {json.dumps(record, ensure_ascii=False)}" for record in records)
        lines += f'\n ],\n "elements": [\n{shapes}'
    told = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items() if value)
    return f'{{\n{told},\n "blocks": [\n{lines}\n ]\n}}\n'


def _record(text: DesignText) -> dict[str, Any]:
    color = text.color and hex_color(text.color)
    record: dict[str, Any] = {
        "text": text.text,
        "boxes": [[_short(side) for side in box] for box in text.boxes],
        "color": color,
    }
    if text.font is not None:
        record["font"] = {"size": text.font.size, "weight": text.font.weight, "italic": text.font.is_italic}
    return record if text.opacity == 1.0 else record | {"opacity": text.opacity}


def _short(side: float) -> float:
    rounded = round(side, 2)
    return int(rounded) if rounded == int(rounded) else rounded


def _fields(record: Any) -> dict[str, Any]:
    _check_keys("the file", record, _FILE_KEYS, {"source", "elements"})
    if record["schema"] != SCHEMA:
        raise ValueError(f"schema is {record['schema']!r:.80}; this version reads {SCHEMA}")
    size = _numbers("size", record["size"], 2)
    if not all(side == int(side) and side > 0 for side in size):
        raise ValueError(f"size is {record['size']!r:.80}, not two whole numbers above 0")
    source, blocks = record.get("source", ""), record["blocks"]
    if not isinstance(source, str):
        raise ValueError(f"source is {source!r:.80}, not a text")
    if not isinstance(blocks, list):
        raise ValueError(f"blocks is {blocks!r:.80}, not a list")
    page = (0.0, 0.0, size[0], size[1])
    texts = tuple(_text(f"blocks[{place}]", block, page) for place, block in enumerate(blocks))
    shapes = record.get("elements")
    if shapes is not None and not isinstance(shapes, list):
        raise ValueError(f"elements is {shapes!r:.80}, not a list")
    return {
        "size": (int(size[0]), int(size[1])),
        "texts": texts,
        "source": source,
        "shapes": None
        if shapes is None
        else tuple(_shape(f"elements[{place}]", shape, page) for place, shape in enumerate(shapes)),
    }


def _text(where: str, block: Any, page: Box) -> DesignText:
    _check_keys(where, block, _BLOCK_KEYS, {"opacity", "font"})
    text, boxes, opacity = block["text"], block["boxes"], block.get("opacity", 1.0)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{where}.text is {text!r:.80}, not a text that anybody could see")
    if not isinstance(boxes, list) or not boxes:
        raise ValueError(f"{where}.boxes is {boxes!r:.80}, not a list of boxes")
    if not _is_number(opacity) or not 0 < opacity <= 1:
        raise ValueError(f"{where}.opacity is {opacity!r:.80}, not a number above 0 and up to 1")
    return DesignText(
        " ".join(text.split()),
        tuple(_box(f"{where}.boxes[{place}]", box, page) for place, box in enumerate(boxes)),
        _color(f"{where}.color", block["color"]),
        float(opacity),
        None if block.get("font") is None else _font(f"{where}.font", block["font"]),
    )


def _font(where: str, value: Any) -> Font:
    _check_keys(where, value, {"size"}, {"weight", "italic"})
    size, weight, is_italic = value["size"], value.get("weight", 400), value.get("italic", False)
    if not _is_number(size) or not size > 0:
        raise ValueError(f"{where}.size is {size!r:.80}, not a number above 0")
    if not _is_number(weight) or not 1 <= weight <= 1000:
        raise ValueError(f"{where}.weight is {weight!r:.80}, not a number from 1 to 1000")
    if not isinstance(is_italic, bool):
        raise ValueError(f"{where}.italic is {is_italic!r:.80}, neither true nor false")
    return Font(float(size), round(weight), is_italic, ())


def _shape(where: str, value: Any, page: Box) -> DesignShape:
    _check_keys(where, value, {"kind", "name", "box"}, set(_SHAPE_NUMBERS))
    if value["kind"] not in ("picture", "box") or not isinstance(value["name"], str):
        raise ValueError(f"{where} needs a name, and as its kind picture or box")
    numbers = {key: value.get(key, 0) for key in _SHAPE_NUMBERS}
    if wrong := [key for key, number in numbers.items() if not _is_number(number) or number < 0]:
        raise ValueError(f"{where}.{wrong[0]} is {numbers[wrong[0]]!r:.80}, not a number from 0 on")
    numbers["inside"] = int(numbers["inside"])
    return DesignShape(value["kind"], value["name"], _box(f"{where}.box", value["box"], page), **numbers)


def _box(where: str, value: Any, page: Box) -> Box:
    left, top, width, height = _numbers(where, value, 4)
    box = clipped((left, top, width, height), page)
    if box is None:
        raise ValueError(
            f"{where} is {value!r:.80}, which shows nothing of a page {page[2]:g}x{page[3]:g} px"
        )
    return box


def _color(where: str, value: Any) -> Color | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _COLOR.fullmatch(value):
        raise ValueError(f'{where} is {value!r:.80}, not a colour such as "#1c2333", or null for several')
    red, green, blue = bytes.fromhex(value[1:])
    return red, green, blue


def _numbers(where: str, value: Any, count: int) -> list[float]:
    if not isinstance(value, list) or len(value) != count or not all(map(_is_number, value)):
        raise ValueError(f"{where} is {value!r:.80}, not a list of {count} numbers")
    return [float(number) for number in value]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e9 and isfinite(value)


def _check_keys(where: str, value: Any, required: set[str], optional: set[str]) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} is {value!r:.80}, not an object")
    missing, unknown = sorted(required - value.keys()), sorted(value.keys() - required - optional)
    if missing:
        raise ValueError(f"{where} lacks {missing[0]!r}")
    if unknown:
        raise ValueError(f"{where} has {unknown[0]!r:.80}, which the format does not know")
