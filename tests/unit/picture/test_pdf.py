"""A page of a PDF file becomes pixels at the width of its layout; what cannot be read is said."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.exceptions import OcrUnavailable, PictureTooLarge, PictureUnreadable
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.picture import decode
from pytest_design2a11y.picture.capture_picture import ShownPicture, shown_picture
from pytest_design2a11y.picture.layout import PictureLayout, layout_of_pdf

pytest.importorskip("pypdfium2", reason="needs the extra `picture`")

#: Locked in a way that no password opens, which is what a reader without one sees.
LOCKED = b"""%%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 100]>> endobj
4 0 obj <</Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b>>> endobj
trailer <</Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>]>>
%%%%EOF""" % (b"11" * 32, b"22" * 32)


def pdf_of(*sizes: tuple[int, int], color: str = "white") -> bytes:
    """Make a PDF with a page for each size, in points; each is of one colour."""
    pages = [Image.new("RGB", size, color) for size in sizes]
    file = io.BytesIO()
    pages[0].save(file, "PDF", resolution=72, save_all=True, append_images=pages[1:])
    return file.getvalue()


def shown(content: bytes, page: int = 1, scale: float | None = None) -> ShownPicture:
    document = Document("design.pdf", html=None, picture=content, picture_page=page)
    return shown_picture(document, scale=scale)


def told(layout: PictureLayout) -> tuple[int, float, list[str]]:
    return layout.width, round(layout.scale, 4), [warning.code for warning in layout.warnings]


def test_a_page_as_a_browser_prints_it_has_96_pixels_an_inch() -> None:
    picture = shown(pdf_of((960, 540), color="#1c2333"))

    assert picture.size == (1280, 720)
    assert picture.warnings == ()
    assert np.abs(picture.pixels[300, 600].astype(int) - (28, 35, 51)).max() <= 2


def test_the_second_page_is_shown_where_it_is_named() -> None:
    content = pdf_of((960, 540), (480, 90))

    assert shown(content, page=2).size == (640, 120)


def test_a_width_in_points_that_is_common_only_as_px_is_one_px_a_point() -> None:
    layout = layout_of_pdf(390)

    assert told(layout) == (390, 1.3333, ["picture_rescaled"])
    assert "390 points wide: it was taken as 390 px. If it is 520 px wide, give `picture_scale` 1." in (
        layout.warnings[0].message
    )


def test_a_width_that_is_common_both_ways_is_taken_as_printed_and_said() -> None:
    layout = layout_of_pdf(1440)

    assert told(layout) == (1920, 1.0, ["picture_rescaled"])
    assert "If it is 1440 px wide, give `picture_scale` 1.3333." in layout.warnings[0].message
    assert told(layout_of_pdf(1440, scale=1.3333)) == (1440, 1.3333, [])


def test_a_sheet_of_paper_is_as_wide_as_it_is() -> None:
    assert told(layout_of_pdf(595.28)) == (794, 1.0, ["picture_width_unknown"])


@pytest.mark.parametrize(("pages", "page", "has"), [(1, 2, "one page"), (3, 7, "3 pages")])
def test_a_page_that_is_not_there_is_said(pages: int, page: int, has: str) -> None:
    with pytest.raises(PictureUnreadable, match=rf"design\.pdf has {has}, and no page {page}\."):
        shown(pdf_of(*[(20, 10)] * pages), page=page)


def test_a_locked_file_says_what_to_do() -> None:
    with pytest.raises(PictureUnreadable, match=r"design\.pdf is locked with a password\..*Save it without"):
        shown(LOCKED)


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.4 garbage" * 9, pdf_of((20, 10))[:60]])
def test_a_damaged_file_is_said(content: bytes) -> None:
    with pytest.raises(PictureUnreadable, match=r"The PDF design\.pdf is damaged: .*Export it again"):
        shown(content)


def test_a_huge_page_is_refused_before_it_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MAX_PIXELS", 10_000)

    with pytest.raises(PictureTooLarge, match="1280x720 pixels; at most 10,000 "):
        shown(pdf_of((960, 540)))


def test_without_the_extra_one_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pypdfium2", None)

    with pytest.raises(OcrUnavailable, match=r'pypdfium2.*pip install "pytest-design2a11y\[picture\]"'):
        shown(pdf_of((20, 10)))
