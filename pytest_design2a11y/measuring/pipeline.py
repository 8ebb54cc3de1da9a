"""The stages in order: the map of the product.

::

    source ─▶ capture ─▶ Capture ─▶ blocks ─▶ matching ─▶ visual ─────┐
                            └─────▶ accessibility ────────────────────┴─▶ Evaluation
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from pytest_design2a11y.accessibility import count_failures
from pytest_design2a11y.accessibility.delivered import Delivered
from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.exceptions import ProbeError
from pytest_design2a11y.extending import Engine
from pytest_design2a11y.measuring.accepted import with_accepted
from pytest_design2a11y.measuring.checks import (
    delivered_text,
    measure_probes,
    page_rates,
)
from pytest_design2a11y.measuring.conditions import conditions_of
from pytest_design2a11y.measuring.extensions import measure_own
from pytest_design2a11y.measuring.measures import Work, visual_score
from pytest_design2a11y.measuring.pictures import as_compared, design_warnings
from pytest_design2a11y.measuring.records import failure_of, named
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import Measured, Metric, Pages
from pytest_design2a11y.models.metrics import OURS
from pytest_design2a11y.models.option import AXE, QUICK_PROBES
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.registry import available
from pytest_design2a11y.runs.pictures import kept_pictures
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import ended

#: Below this share of the text's area, matched text says little about the page.
LITTLE_MATCHED = 0.3
_NO_DESIGN = "there is no design to compare with"


def evaluate(
    subject: Subject,
    *,
    reference: Capture | None,
    candidate: Capture,
    settings: Settings,
    visual: VisualScore | None = None,
) -> Evaluation:
    """Measure everything about a candidate, `visual` if it is not given; failures are recorded as errors."""
    work = Work(candidate, reference, settings, {} if visual is None else {visual_score: visual})
    metrics = (*OURS, *settings.own_metrics)
    results, errors = measure_all(metrics, work)
    visual, accessibility = work.given(visual_score), work.given(page_rates)
    whole = named(subject, (reference or candidate).label)
    if visual is not None:
        visual = with_accepted(visual, candidate, whole, settings)
    delivered = work.given(delivered_text)
    errors += [error for name, error in candidate.audit_errors.items() if name != AXE]
    if settings.probes != QUICK_PROBES:
        for name, error in candidate.probe_errors.items():
            what = f"{type(error).__name__}: {error}"
            errors.append(ProbeError(f"The probe {name} did not finish: {what}", stage=""))
    captures = _compared(work, is_scored=visual is not None)
    further = {metric.name: results[metric.name] for metric in metrics if metric.part == "metrics"}
    versions = {metric.name: metric.saved for metric in metrics if metric.part == "metrics"}
    labels = {name: engine.label for name, engine in available(Engine, settings.metrics).items()}
    warnings = [warning.of(capture.role) for capture in captures for warning in capture.warnings]
    return Evaluation(
        **asdict(whole),
        reference=None if reference is None else reference.label,
        candidate=candidate.label,
        candidate_digest=candidate.digest,
        visual=visual,
        accessibility=accessibility,
        delivered=results["delivered"].value,
        delivered_parts=delivered.parts if isinstance(delivered, Delivered) else None,
        audit=candidate.audit,
        further_audits=candidate.further_audits,
        engines={name: count_failures(audit, labels.get(name)) for name, audit in candidate.audits.items()},
        probes=measure_probes(candidate),
        probe_findings={name: result.findings for name, result in candidate.probes.items()},
        warnings=(
            *warnings,
            *design_warnings(reference, candidate, settings, is_scored=visual is not None),
            *_warnings(results, visual, {warning.code for warning in warnings}),
        ),
        error=failure_of(errors[0]) if errors else None,
        environment=candidate.environment,
        settings={
            **conditions_of(captures[0] if reference else None, captures[-1]),
            **({"metrics": versions} if versions else {}),
        },
        metrics={name: result.value for name, result in further.items()},
        metric_reasons={name: result.reason for name, result in further.items() if result.reason},
        metric_findings={name: tuple(result.findings) for name, result in further.items() if result.findings},
        page_sizes={capture.role: capture.page_size for capture in captures},
    )


def measure_all(metrics: Iterable[Metric], work: Work) -> tuple[dict[str, Measured], list[Exception]]:
    """Measure pages by built-in and other metrics; steps that several need are done once.

    Returns the results by name, and the errors of metrics that are fields of the records; for other metrics,
    an error is the reason why they have no value.
    """
    results: dict[str, Measured] = {}
    errors: list[Exception] = []
    for metric in metrics:
        if metric.needs_design and work.reference is None:
            results[metric.name] = Measured(None, _NO_DESIGN)
        elif metric.is_own:
            pages = Pages(work.candidate, work.reference)
            results[metric.name] = measure_own(metric, pages, work.settings.cache_folder)
        else:
            assert metric.measure is not None
            try:
                given: Any = metric.measure(work)  # type: ignore[arg-type]
            except Exception as error:
                is_reason = metric.part == "metrics"
                given = Measured(None, terminal_line(str(error)) if is_reason else "")
                errors += [] if is_reason else [error]
            results[metric.name] = given if isinstance(given, Measured) else Measured(given)
    return results, errors


def _compared(work: Work, *, is_scored: bool) -> list[Capture]:
    """Return the pages as compared, the design first if there is one."""
    pages = work.reference, work.candidate
    if is_scored:
        pages = as_compared(*pages, crop=work.settings.picture_crop)
    return [capture for capture in pages if capture is not None]


def _warnings(
    results: Mapping[str, Measured], visual: VisualScore | None, given: Container[str]
) -> Iterator[CaptureWarning]:
    """Yield warnings about unmeasured metrics not yet `given`, and the metrics' own warnings."""
    for name, result in results.items():
        for text in result.warnings:
            yield CaptureWarning(f"{name}_warning", f"{name}: {text}")
        code = f"{name}_unmeasured"
        if result.value is None and result.reason not in ("", _NO_DESIGN) and code not in given:
            yield CaptureWarning(code, f"{name} was not measured: {ended(result.reason)}")
    if visual is not None and visual.block_match < LITTLE_MATCHED:
        message = f"only {100 * visual.block_match:.0f} % of the text matched; "
        message += "text, position and color cover that part alone."
        yield CaptureWarning("little_matched", message)


def with_pictures(
    evaluation: Evaluation, *, reference: Capture | None, candidate: Capture, settings: Settings
) -> Evaluation:
    """Keep the pictures of evaluated pages if a report needs them."""
    if settings.picture_folder is None:
        return evaluation
    captures = _compared(Work(candidate, reference, settings), is_scored=evaluation.visual is not None)
    pictures, warnings = kept_pictures(captures, settings.picture_folder)
    return replace(evaluation, pictures=pictures, warnings=(*evaluation.warnings, *warnings))
