"""What a test hands over as a page that it has open."""

from __future__ import annotations

from playwright.sync_api import Page

from pytest_design2a11y.exceptions import ConfigurationError

_ADVICE = {
    "Locator": "Render its page, and name a part of it: render(locator.page, include='main').",
    "Frame": "Render its page: render(frame.page).",
    "BrowserContext": "Render one of its pages.",
    "bytes": "Write render(html=data.decode()), or name the file.",
}


def require_page(source: object) -> Page:
    """Give a page back.

    Raises:
        ConfigurationError: It is something else.
    """
    if isinstance(source, Page):
        return source
    name = type(source).__name__
    raise ConfigurationError(
        f"render takes a path, a URL, HTML text or a live page of Playwright's sync API, not {name}.",
        advice=_ADVICE.get(name, "Name a file or a URL, or give HTML text."),
    )
