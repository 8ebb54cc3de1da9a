"""Fixtures used together with Playwright's own pytest plugins, whose browsers need a Chromium too."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_design2a11y.settings import Settings


def is_loaded(config: pytest.Config) -> bool:
    """Return whether a run uses pytest-playwright or pytest-playwright-asyncio."""
    return hasattr(config.option, "browser_channel")


@pytest.fixture(scope="session")
def launch_browser(
    launch_browser: Callable[..., Any],
    browser_type: Any,
    browser_type_launch_args: dict[str, Any],
    design2a11y_settings: "Settings",
) -> Callable[..., Any]:
    """Let Playwright's plugin launch the machine's Chromium if Playwright's own is not installed."""
    from pytest_design2a11y.capture.renderer import machines_own

    def launch(**options: Any) -> Any:
        chosen = {**browser_type_launch_args, **options}
        found = machines_own(browser_type, chosen, named=design2a11y_settings.chromium)
        return launch_browser(**{**options, **found})

    return launch
