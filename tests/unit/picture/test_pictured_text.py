"""Text in a page's own pictures is added to its text, once, where a person reads it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, Environment, TextRun
from pytest_design2a11y.picture import capture_picture
from pytest_design2a11y.picture.capture_picture import with_pictured_text
from pytest_design2a11y.picture.ink import TextLine

ABOVE = TextRun("above", ((10.0, 5.0, 60.0, 14.0),), (0, 0, 0), owner=0)
BELOW = TextRun("below", ((10.0, 150.0, 60.0, 14.0),), (0, 0, 0), owner=1)
LOGO = (20.0, 40.0, 200.0, 60.0)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Read one line, wherever something is shown, and give the shapes that were read."""
    shapes: list[tuple[int, ...]] = []

    def read_lines(pixels: np.ndarray, _: object) -> tuple[TextLine, ...]:
        shapes.append(pixels.shape)
        return (TextLine("logo", (8.0, 8.0, 50.0, 24.0), 0.99, (14.0, 26.0, 38.0, 50.0)),)

    monkeypatch.setattr(capture_picture, "lines_of", read_lines)
    return shapes


def page(*boxes: Box, runs: tuple[TextRun, ...] = (ABOVE, BELOW)) -> Capture:
    pixels = np.full((200, 300, 3), 255, dtype=np.uint8)
    for left in range(30, 80, 12):
        pixels[52:68, left : left + 8] = (20, 40, 160)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return Capture(
        label="page",
        role="candidate",
        image=Screenshot(file.getvalue()),
        page_size=(300, 200),
        text_runs=runs,
        warnings=(),
        environment=Environment(None, None, "0"),
        picture_boxes=boxes,
    )


def test_it_is_placed_where_it_is_read(read: list[tuple[int, ...]]) -> None:
    added = with_pictured_text(page(LOGO), cache_folder=None)

    assert [(run.text, run.owner) for run in added.text_runs] == [("above", 0), ("logo", 2), ("below", 1)]
    assert added.text_runs[1].color == (20, 40, 160)
    assert added.text_runs[1].confidence == 0.99
    assert added.text_runs[1].boxes[0][:2] == (30.0, 52.0)
    assert read == [(60, 200, 3)]


def test_a_picture_in_a_picture_is_read_once(read: list[tuple[int, ...]]) -> None:
    added = with_pictured_text(
        page(LOGO, (20.0, 40.0, 200.0, 60.0), (30.0, 45.0, 80.0, 40.0)), cache_folder=None
    )

    assert [run.text for run in added.text_runs] == ["above", "logo", "below"]
    assert len(read) == 1


def test_what_the_document_says_itself_is_not_added(read: list[tuple[int, ...]]) -> None:
    own = TextRun("logo", ((28.0, 48.0, 56.0, 24.0),), (20, 40, 160), owner=0)
    capture = page(LOGO, runs=(own,))

    assert with_pictured_text(capture, cache_folder=None) is capture


@pytest.mark.parametrize(
    "box", [(100.0, 110.0, 80.0, 30.0), (30.0, 52.0, 12.0, 16.0)], ids=["plain", "small"]
)
def test_what_can_show_no_text_is_not_read(read: list[tuple[int, ...]], box: Box) -> None:
    capture = page(box)

    assert with_pictured_text(capture, cache_folder=Path("unused")) is capture
    assert read == []
