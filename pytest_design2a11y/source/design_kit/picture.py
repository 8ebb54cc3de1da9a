"""A picture or a drawing as a document: which page of it is meant, and the blocks file beside it."""

from __future__ import annotations

import re

from pytest_design2a11y.exceptions import SourceNotFound
from pytest_design2a11y.extending import Drawn
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.design_kit.blocks_file import blocks_file_beside, parse_blocks
from pytest_design2a11y.source.files import SitePage, read_file

_PAGE = re.compile(r"#page=([1-9]\d{0,5})")
_ROOT = re.compile(rb"<svg\b[^>]*>", re.IGNORECASE)
_LENGTH = re.compile(rb"\s(width|height)\s*=\s*[\"']\s*(\d+(?:\.\d+)?)(?:px)?\s*[\"']")
_VIEW_BOX = re.compile(rb"\sviewBox\s*=\s*[\"']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)")
_SHOWN = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Design</title>'
    "<style>body {{ margin: 0; background: #fff }} body > svg {{ display: block{size} }}</style>"
)


def document_of_picture(found: SitePage, content: bytes, *, label: str, max_bytes: int) -> Document:
    """Describe a picture file."""
    page = _page(found, label)
    file = blocks_file_beside(found.file, page=page)
    return Document(
        label=label,
        html=None,
        file=str(found.file.resolve()),
        picture=content,
        picture_page=page,
        blocks=(None if file is None else parse_blocks(read_file(file, max_bytes), label=str(file))),
    )


def _page(found: SitePage, label: str) -> int:
    if not found.suffix:
        return 1
    number = _PAGE.fullmatch(found.suffix)
    if number is None or found.file.suffix.lower() != ".pdf":
        raise SourceNotFound(
            f"{label} is a picture: {found.suffix} behind its path names nothing in it.",
            advice="Only a PDF file has pages, named as in design.pdf#page=2.",
        )
    return int(number.group(1))


def page_of_svg(svg: bytes) -> Drawn:
    """Return a page that holds a drawing, with the drawing's size where it says one."""
    root = _ROOT.search(svg)
    size = None if root is None else _size(root.group())
    shown = "" if size is None else f"; width: {size[0]}px; height: {size[1]}px"
    return Drawn(_SHOWN.format(size=shown).encode() + svg[root.start() if root else 0 :], size)


def _size(root: bytes) -> tuple[int, int] | None:
    said = {name: float(value) for name, value in _LENGTH.findall(root)}
    if len(said) < 2 and (box := _VIEW_BOX.search(root)):
        said = {b"width": float(box[1]), b"height": float(box[2])}
    size = tuple(round(said.get(name, 0)) for name in (b"width", b"height"))
    return (size[0], size[1]) if all(1 <= length <= 10_000 for length in size) else None
