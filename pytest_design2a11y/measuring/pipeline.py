"""The stages in order: the map of the product.

::

    source ─▶ capture ─▶ Capture ─▶ blocks ─▶ matching ─▶ visual ─────┐
                            └─────▶ accessibility ────────────────────┴─▶ Evaluation
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TypeVar

from pytest_design2a11y.accessibility import count_failures
from pytest_design2a11y.measuring.conditions import conditions_of
from pytest_design2a11y.measuring.measures import (
    measure_accessibility,
    measure_merged,
    measure_probes,
    measure_visual,
    require_further_audits,
    require_probes,
)
from pytest_design2a11y.measuring.pictures import as_compared, design_warnings
from pytest_design2a11y.measuring.records import failure_of, named
from pytest_design2a11y.measuring.viewports import has_window
from pytest_design2a11y.measuring.whole_page import measure_delivered, whole_page_warnings
from pytest_design2a11y.models.choices import QUICK_PROBES
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.report.pictures import kept_pictures
from pytest_design2a11y.settings.values import Settings

T = TypeVar("T")


def evaluate(
    subject: Subject,
    *,
    reference: Capture | None,
    candidate: Capture,
    settings: Settings,
    visual: VisualScore | None = None,
) -> Evaluation:
    """Measure everything about a candidate; what could not be measured is an error in the record.

    `visual` is the pair's score where it has been measured already.
    """
    errors: list[Exception] = []

    def attempt(measure: Callable[[], T]) -> T | None:
        try:
            return measure()
        except Exception as error:
            errors.append(error)
            return None

    if visual is None and reference is not None:
        visual = attempt(lambda: measure_visual(reference, candidate, settings=settings))
    is_audited = candidate.is_audited or (reference is None and "accessibility" in candidate.lacks)
    accessibility = attempt(lambda: measure_accessibility(candidate)) if is_audited else None
    attempt(lambda: require_further_audits(candidate))
    if settings.probes != QUICK_PROBES:
        attempt(lambda: require_probes(candidate))
    compared = (reference, candidate)
    if visual is not None:
        compared = as_compared(reference, candidate, crop=settings.picture_crop)
    captures = [capture for capture in compared if capture is not None]
    pictures, picture_warnings = kept_pictures(captures, settings.picture_folder)
    audited = reference if reference is not None and reference.is_audited else None
    delivered, unmeasured = measure_delivered(candidate, reference, visual)
    return Evaluation(
        **asdict(named(subject, (reference or candidate).label)),
        reference=None if reference is None else reference.label,
        candidate=candidate.label,
        candidate_digest=candidate.digest,
        visual=visual,
        accessibility=accessibility,
        delivered=None if delivered is None else delivered.value,
        delivered_parts={} if delivered is None else delivered.parts,
        audit=candidate.audit,
        further_audits=candidate.further_audits,
        merged=attempt(lambda: measure_merged(candidate, settings=settings)) if accessibility else None,
        engines={name: count_failures(audit) for name, audit in candidate.audits.items()},
        probes=measure_probes(candidate),
        probe_findings={name: result.findings for name, result in candidate.probes.items()},
        reference_accessibility=None if audited is None else attempt(lambda: measure_accessibility(audited)),
        warnings=(
            *(replace(told, role=capture.role) for capture in captures for told in capture.warnings),
            *design_warnings(
                reference,
                candidate,
                crop=settings.picture_crop,
                is_scored=visual is not None,
                has_window=has_window(settings),
            ),
            *whole_page_warnings(*compared, visual),
            *picture_warnings,
            *unmeasured,
        ),
        error=failure_of(errors[0]) if errors else None,
        environment=candidate.environment,
        settings=conditions_of(*compared),
        pictures=pictures,
        page_sizes={capture.role: capture.page_size for capture in captures},
    )
