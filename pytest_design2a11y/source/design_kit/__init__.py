"""A design tool's data on a design: its texts, their positions and colors, in a file beside the picture."""

from __future__ import annotations

from pytest_design2a11y.extending import Reader
from pytest_design2a11y.models.page import PICTURE_SUFFIXES


def pytest_design2a11y_readers() -> list[Reader]:
    """Return the readers of pictures and PDF files, and of drawings."""
    from pytest_design2a11y.source.design_kit.picture import page_of_svg

    return [
        Reader("picture", sorted(PICTURE_SUFFIXES), lambda path, content: content),
        Reader("svg", [".svg"], page_of_svg),
    ]
