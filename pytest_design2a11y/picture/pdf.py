"""A page of a PDF file becomes pixels, at the width that it was laid out at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.exceptions import OcrUnavailable, PictureUnreadable
from pytest_design2a11y.picture.decode import refuse_large
from pytest_design2a11y.picture.layout import PX_IN_POINT, Layout, layout_of_pdf

#: A PDF file has these bytes near its start.
SIGNATURE = b"%PDF-"
_HEAD = 1024

# PDFium's own numbers of what went wrong (FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY).
_LOCKED = (4, 5)
# PDFium may be used by one thread at a time.
_lock = Lock()


def is_pdf(content: bytes) -> bool:
    """Tell whether a file is a PDF, whatever its name says."""
    return SIGNATURE in content[:_HEAD]


def render_pdf(
    content: bytes, *, label: str, page: int = 1, scale: float | None = None, width: int | None = None
) -> tuple[NDArray[np.uint8], Layout]:
    """Render one page (from 1) of a PDF file, one pixel a CSS pixel; its layout may be said, px."""
    with _lock, _opened(content, label) as document, _told(label):
        if page > (num_pages := len(document)):
            has = f"{num_pages} pages" if num_pages > 1 else "one page" if num_pages else "no pages"
            raise PictureUnreadable(
                f"The PDF {label} has {has}, and no page {page}.",
                advice="Name a page that it has, as in design.pdf#page=2.",
            )
        if document.get_formtype():
            document.init_forms()
        sheet = document[page - 1]
        across, down = sheet.get_size()
        if min(across, down) <= 0:
            raise _damaged(label, f"page {page} has no size")
        layout = layout_of_pdf(across, name=label, scale=across * PX_IN_POINT / width if width else scale)
        factor = layout.width / across
        refuse_large((layout.width, round(down * factor)), label)
        # Sides are rounded up, and a product a hair above a whole number would add a row.
        bitmap = sheet.render(scale=factor * (1 - 1e-9), rev_byteorder=True)
        return bitmap.to_numpy().copy(), layout


@contextmanager
def _opened(content: bytes, label: str) -> Iterator[Any]:
    try:
        from pypdfium2 import PdfDocument, PdfiumError
    except ImportError:
        raise OcrUnavailable(
            "A PDF as reference needs the package pypdfium2, which is not installed.",
            stage="source",
            advice='Install the extra: pip install "pytest-design2a11y[picture]"',
        ) from None
    try:
        document = PdfDocument(content)
    except PdfiumError as error:
        if getattr(error, "err_code", None) in _LOCKED:
            raise PictureUnreadable(
                f"The PDF {label} is locked with a password.", advice="Save it without one."
            ) from None
        raise _damaged(label, error) from None
    try:
        yield document
    finally:
        document.close()


@contextmanager
def _told(label: str) -> Iterator[None]:
    from pypdfium2 import PdfiumError

    try:
        yield
    except PdfiumError as error:
        raise _damaged(label, error) from None


def _damaged(label: str, why: object) -> PictureUnreadable:
    return PictureUnreadable(
        f"The PDF {label} is damaged: {str(why).rstrip('.')}.", advice="Export it again, or as PNG."
    )
