"""What Playwright's own pytest plugins say of a run, where none of them is part of it."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def browser_name() -> str:
    """The browser that pages are rendered in."""
    return "chromium"
