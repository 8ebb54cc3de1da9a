"""What only some systems have: a test that needs it is skipped where it is missing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def make_pipe(path: Path) -> None:
    """Make a named pipe."""
    if sys.platform == "win32":
        pytest.skip("Windows has no pipes among its files.")
    os.mkfifo(path)
