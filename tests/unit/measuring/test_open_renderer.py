"""What is imported ahead is there before anything else imports it."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import Any

import pytest

from pytest_design2a11y.capture import driver, renderer
from pytest_design2a11y.measuring import sources
from pytest_design2a11y.settings import Settings


def test_pages_wait_for_what_is_imported_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that import SciPy at the same time got half of it, on a busy machine."""
    imported: list[str] = []
    known: list[str] = []

    def import_slowly(name: str) -> None:
        time.sleep(0.05)
        imported.append(name)

    def open_renderer(**_options: Any) -> Any:
        known.extend(imported)
        return nullcontext()

    monkeypatch.setattr(sources, "import_module", import_slowly)
    monkeypatch.setattr(driver, "open_driver", lambda: nullcontext(lambda: None))
    monkeypatch.setattr(renderer, "open_renderer", open_renderer)

    with sources.open_renderer(Settings()):
        assert known == [*sources._AHEAD]
