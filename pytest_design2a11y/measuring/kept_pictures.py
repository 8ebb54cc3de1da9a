"""Pictures of rendered pages, kept for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.files import write_whole
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.run import Evaluation


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
        return {}, (_not_kept(error),)


def with_files(evaluation: Evaluation, files: Mapping[str, bytes], folder: Path) -> Evaluation:
    """Write the files of an evaluation's pictures, by name, as they came from another machine."""
    try:
        for name, content in files.items():
            write_whole(folder / name, content)
    except OSError as error:
        return replace(evaluation, pictures={}, warnings=(*evaluation.warnings, _not_kept(error)))
    return evaluation


def _not_kept(error: OSError) -> CaptureWarning:
    message = f"The report shows no pictures of the page: they could not be written ({error})."
    return CaptureWarning("pictures_not_kept", message)
