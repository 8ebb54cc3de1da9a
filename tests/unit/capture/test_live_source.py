"""What is taken for a page that a test has open, and which call it belongs to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.async_api import Page as AsyncPage
from playwright.sync_api import Page

from pytest_design2a11y.capture.live_page import require_page
from pytest_design2a11y.exceptions import ConfigurationError

SYNC = Page.__new__(Page)
ASYNC = AsyncPage.__new__(AsyncPage)


def test_a_page_of_the_right_kind_is_given_back() -> None:
    assert require_page(SYNC) is SYNC


@pytest.mark.parametrize(
    ("require", "source", "advice"),
    [
        (require_page, ASYNC, r"async API. Give its address, or"),
        (require_page, b"<h1>", r"not bytes. Write render\(html=data.decode\(\)\)"),
        (require_page, 3, "not int. Name a file or a URL"),
    ],
)
def test_anything_else_is_named(require: Callable[[object], object], source: object, advice: str) -> None:
    with pytest.raises(ConfigurationError, match=advice):
        require(source)
