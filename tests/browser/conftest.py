"""One browser for all tests that need a real one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    """A renderer with the default settings, through which every browser test goes."""
    from pytest_design2a11y.capture.renderer import open_renderer

    with open_renderer() as opened:
        yield opened
