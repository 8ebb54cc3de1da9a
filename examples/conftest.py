"""Let pytest-playwright's `page` use the machine's Chromium where Playwright's own is not installed.

`render` looks for a browser by itself; `page` belongs to pytest-playwright, which starts its own only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserType

PLACES = ("/usr/lib/chromium/chromium", "chromium", "google-chrome", "microsoft-edge")


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType
) -> dict[str, Any]:
    if Path(browser_type.executable_path).exists():
        return browser_type_launch_args
    named = os.environ.get("DESIGN2A11Y_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, PLACES)), None)
    return {**browser_type_launch_args, "executable_path": found} if found else browser_type_launch_args
