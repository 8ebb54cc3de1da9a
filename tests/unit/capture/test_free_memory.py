"""Memory that was freed goes back to the system, now and then."""

from __future__ import annotations

import ctypes
import platform
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture import renderer
from pytest_design2a11y.capture.browser.processes import return_free_memory
from pytest_design2a11y.capture.renderer import PAGES_A_RETURN, Renderer
from pytest_design2a11y.exceptions import BrowserLost
from pytest_design2a11y.models.page import Document

PAGE_BYTES = 4096


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries return it by themselves")
def test_what_was_freed_below_something_in_use_goes_back() -> None:
    pieces = [b"x" * (100_000 + number) for number in range(1000)]
    held = resident_bytes()
    del pieces[:-1]

    return_free_memory()

    assert held - resident_bytes() > 80_000_000
    assert pieces


def test_a_library_that_cannot_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def open_library(name: object) -> object:
        asked.append(name)
        return object()

    monkeypatch.setattr(ctypes, "CDLL", open_library)
    return_free_memory()

    assert asked == [None]


def test_it_goes_back_after_every_few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    returned: list[int] = []
    monkeypatch.setattr(renderer, "return_free_memory", lambda: returned.append(1))

    def start(**_: Any) -> Any:
        raise BrowserLost("x", stage="launch")

    pages = Renderer(start)
    for _ in range(2 * PAGES_A_RETURN):
        with pytest.raises(BrowserLost):
            pages.capture(Document("x", b"<p>x"), role="candidate", audit=None)

    assert len(returned) == 2
