"""Browsers for all tests that need a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

    from pytest_design2a11y.capture.renderer import Renderer


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A browser like those of the renderers, for pages that a test opens itself."""
    from pytest_design2a11y.capture.browser import launch, starting

    browser = launch(starting(playwright.chromium), chromium=None, options={}).browser
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def make_renderer(playwright: Playwright) -> Iterator[Callable[..., Renderer]]:
    """Makes renderers with settings of their own, and closes them in the end."""
    from pytest_design2a11y.capture.browser import starting
    from pytest_design2a11y.capture.renderer import Renderer

    made: list[Renderer] = []

    def make(**settings: Any) -> Renderer:
        made.append(Renderer(starting(playwright.chromium), **settings))
        return made[-1]

    yield make
    for renderer in made:
        renderer.close()


@pytest.fixture(scope="session")
def renderer(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer with the default settings, through which every browser test goes."""
    return make_renderer()
