"""Pages that could not be measured, as published tables count them."""

from __future__ import annotations

import io
from dataclasses import replace

from pytest_design2a11y.comparing.failed_pages import is_page_fault
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture, CaptureWarning, Screenshot
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.settings.values import Settings


def count_as_published(evaluation: Evaluation, reference: Capture | None, settings: Settings) -> Evaluation:
    """Score a candidate that failed by its own fault as the published code does: as a white page."""
    if settings.published is None or reference is None or not is_page_fault(evaluation):
        return evaluation
    white = _white_page(evaluation.candidate, reference)
    visual = measure_visual(reference, white, settings=settings)
    warning = CaptureWarning(
        "counted_as_white",
        f"The page could not be measured; its visual score is that of a white page, as {settings.published} "
        "counts such pages.",
    )
    return replace(evaluation, visual=visual, warnings=(*evaluation.warnings, warning))


def _white_page(label: str, reference: Capture) -> Capture:
    from PIL import Image

    viewport = reference.viewport
    size = reference.page_size if viewport is None else viewport.size
    png = io.BytesIO()
    Image.new("RGB", size, "white").save(png, "png")
    return Capture(
        label=label,
        role="candidate",
        image=Screenshot(png.getvalue()),
        page_size=size,
        text_runs=(),
        warnings=(),
        environment=reference.environment,
        viewport=viewport,
    )
