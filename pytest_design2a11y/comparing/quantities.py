"""What runs are compared in: the metrics, and how many samples could not be measured at all."""

from __future__ import annotations

from pytest_design2a11y.models.metrics import METRICS, Metric

#: Share of a case's samples that lack a measurement: the figure to gate on for pages that have no other.
ERRORS = Metric("errors", "share of pages that were not measured", False, 1.0, "visual", ())

COMPARED: dict[str, Metric] = {**METRICS, ERRORS.id: ERRORS}
