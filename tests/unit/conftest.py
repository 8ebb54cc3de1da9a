"""What is here is pure: `make test-unit` runs it without a browser and without torch."""

from __future__ import annotations

from typing import NoReturn

import pytest


@pytest.fixture(scope="session")
def playwright() -> NoReturn:
    """Refuse what every browser of the tests comes from."""
    pytest.fail("tests/unit has no browser: put the test into tests/browser")


@pytest.fixture(scope="session")
def make_tiny_clip() -> NoReturn:
    """Refuse what every CLIP model of the tests comes from."""
    pytest.fail("tests/unit has no torch: put the test into tests/clip")
