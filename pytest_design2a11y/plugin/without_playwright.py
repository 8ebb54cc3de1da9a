"""Stand-ins for Playwright's pytest plugins in runs without them."""

import pytest


@pytest.fixture(scope="session")
def browser_name() -> str:
    """The browser that pages are rendered in."""
    return "chromium"
