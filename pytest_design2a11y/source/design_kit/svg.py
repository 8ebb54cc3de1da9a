"""An SVG file as a design: the page that shows it, in a window of its size."""

from __future__ import annotations

import re

_ROOT = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)
_LENGTH = re.compile(rb"\s(width|height)\s*=\s*[\"']\s*(\d+(?:\.\d+)?)(?:px)?\s*[\"']")
_VIEW_BOX = re.compile(rb"\sviewBox\s*=\s*[\"']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)")
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Design</title>'
    "<style>body {{ margin: 0; background: #fff }} body > svg {{ display: block{size} }}</style>"
)


def page_of_svg(svg: bytes) -> tuple[bytes, tuple[int, int] | None]:
    """Return a page that holds a drawing, and the drawing's size in px; None where it says none."""
    root = _ROOT.search(svg)
    size = None if root is None else _size(root.group())
    shown = "" if size is None else f"; width: {size[0]}px; height: {size[1]}px"
    return _PAGE.format(size=shown).encode() + svg[root.start() if root else 0 :], size


def _size(root: bytes) -> tuple[int, int] | None:
    said = {name: float(value) for name, value in _LENGTH.findall(root)}
    if len(said) < 2 and (box := _VIEW_BOX.search(root)):
        said = {b"width": float(box[1]), b"height": float(box[2])}
    size = tuple(round(said.get(name, 0)) for name in (b"width", b"height"))
    return (size[0], size[1]) if all(1 <= length <= 10_000 for length in size) else None
