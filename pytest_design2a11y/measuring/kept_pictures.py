"""Pictures of rendered pages, kept for the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
)

if TYPE_CHECKING:
    pass


def kept_pictures(
    captures: Sequence[Capture], folder: Path | None
) -> tuple[dict[str, str], tuple[CaptureWarning, ...]]:
    """Keep the pictures of pages; give file names by role, or the warning that they could not be written."""
    if folder is None:
        return {}, ()
    from pytest_design2a11y.report.pictures import store_evidence, store_pictures

    pictured = [capture for capture in captures if capture.image is not None]
    try:
        for capture in captures:
            for result in capture.probes.values():
                store_evidence(result.pictures, folder)
        return store_pictures(pictured, folder), ()
    except OSError as error:
        message = f"The report shows no pictures of the page: they could not be written ({error})."
        return {}, (CaptureWarning("pictures_not_kept", message),)
