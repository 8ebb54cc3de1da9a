"""A candidate that failed by its own fault, counted as published code counts it: as a white page."""

from __future__ import annotations

from dataclasses import replace

from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.screenshot import Screenshot
from pytest_design2a11y.settings.values import Settings


def count_as_published(evaluation: Evaluation, reference: Capture | None, settings: Settings) -> Evaluation:
    """Score a candidate that failed by its own fault as the published code does: as a white page."""
    from pytest_design2a11y.models.page_fault import is_page_fault

    if settings.published is None or reference is None or not is_page_fault(evaluation):
        return evaluation
    import numpy

    from pytest_design2a11y.measuring.measures import measure_visual

    viewport = reference.viewport
    width, height = size = reference.page_size if viewport is None else viewport.size
    white = Capture(
        label=evaluation.candidate,
        role="candidate",
        image=Screenshot.of_pixels(numpy.full((height, width, 3), 255, numpy.uint8)),
        page_size=size,
        text_runs=(),
        warnings=(),
        environment=reference.environment,
        viewport=viewport,
    )
    visual = measure_visual(reference, white, settings=settings)
    warning = CaptureWarning(
        "counted_as_white",
        f"The page could not be measured; its visual score is that of a white page, as {settings.published} "
        "counts such pages.",
    )
    return replace(evaluation, visual=visual, warnings=(*evaluation.warnings, warning))
