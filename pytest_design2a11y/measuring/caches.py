"""What is kept between measurements: the blocks of a page that is held, and the CLIP backend."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pytest_design2a11y.blocks import find_blocks
from pytest_design2a11y.models.page import (
    Capture,
)
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.visual.clip import (
    ClipBackend,
    parse_appearance,
    require_clip,
)

if TYPE_CHECKING:
    pass

_blocks: WeakKeyDictionary[Capture, tuple[Block, ...]] = WeakKeyDictionary()


def blocks_of(capture: Capture, time_limit: TimeLimit) -> tuple[Block, ...]:
    """Find a page's blocks, once for as long as the page is held."""
    if capture not in _blocks:
        _blocks[capture] = find_blocks(
            text_runs=capture.text_runs, screenshot=capture.screenshot, time_limit=time_limit
        )
    return _blocks[capture]


@cache
def clip_backend(appearance: str, batch_size: int, cache_folder: Path | None) -> ClipBackend:
    """Make the CLIP backend ready, once a process.

    Raises:
        ConfigurationError: There is no such backend.
        AppearanceUnavailable: Its packages or weights are not on this machine.
    """
    folder = None if cache_folder is None else cache_folder / "clip"
    choice = parse_appearance(appearance)
    return require_clip(choice, batch_size=batch_size, cache_folder=folder, should_load=False)
