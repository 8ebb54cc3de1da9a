"""A picture file as a document: which page of it is meant, and the blocks file beside it."""

from __future__ import annotations

import re

from pytest_design2a11y.exceptions import SourceNotFound
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.source.design_kit.blocks_file import blocks_file_beside, parse_blocks
from pytest_design2a11y.source.files import read_file
from pytest_design2a11y.source.site_pages import SitePage

_PAGE = re.compile(r"#page=([1-9]\d{0,5})")


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
            stage="source",
            advice="Only a PDF file has pages, named as in design.pdf#page=2.",
        )
    return int(number.group(1))
