"""The stages in order: the map of the product.

::

    source ─▶ capture ─▶ Capture ─▶ blocks ─▶ matching ─▶ visual ─────┐
                            └─────▶ accessibility ────────────────────┴─▶ Evaluation
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.blocks import find_blocks
from pytest_design2a11y.exceptions import (
    ConfigurationError,
    NoVisibleText,
)
from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.measuring.conditions import conditions_of
from pytest_design2a11y.measuring.pictures import comparable_part, crop_warnings
from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.metrics import TextRatio
from pytest_design2a11y.models.page import (
    STANDARD_VIEWPORT,
    Capture,
    CaptureWarning,
    Document,
    Role,
    Viewport,
)
from pytest_design2a11y.models.run import Evaluation, Failure, Run, Subject
from pytest_design2a11y.models.time_limit import TimeLimit
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.source import choose_site, read_source
from pytest_design2a11y.visual import embedded_appearance, score_matching
from pytest_design2a11y.visual.clip import (
    ClipBackend,
    Picture,
    clip_appearance,
    parse_appearance,
    require_clip,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer

T = TypeVar("T")

#: Comparing two rendered pages has a third of the time of a page, and so many seconds at least.
LEAST_MEASURING_SECONDS = 10.0


def make_renderer(
    launch_browser: Callable[..., Browser], launch_options: Mapping[str, Any], settings: Settings
) -> Renderer:
    """Make what renders pages, in browsers that pytest-playwright launches; close it in the end."""
    from pytest_design2a11y.capture.renderer import Renderer

    return Renderer(launch_browser, launch_options=launch_options, **_renderer_arguments(settings))


def open_renderer(settings: Settings) -> AbstractContextManager[Renderer]:
    """Start Playwright and a browser of our own, for use outside pytest."""
    from pytest_design2a11y.capture import renderer

    return renderer.open_renderer(**_renderer_arguments(settings))


def _renderer_arguments(settings: Settings) -> dict[str, Any]:
    return {
        "chromium": settings.chromium,
        "cache_folder": settings.cache_folder and settings.cache_folder / "captures",
        "limits": settings.capture,
    }


def capture_source(
    source: Any,
    *,
    role: Role,
    renderer: Renderer,
    settings: Settings,
    folders: Sequence[Path] = (),
    references: Sequence[Any] = (),
    has_image: bool = True,
    viewport: Viewport = STANDARD_VIEWPORT,
) -> Capture:
    """Render a path, URL, HTML text or live Playwright page, or read a picture of one.

    Args:
        source: What to render.
        role: Which side of a comparison it is on; references are audited on request only.
        renderer: Renders.
        settings: How.
        folders: Where a relative path is looked for, in order; the last is what labels are relative to, and
            the folder above which no site's root is looked for.
        references: What the page is compared with: it may not read those that are files.
        has_image: Whether to take a screenshot of a document, without which only its audit is of use.
        viewport: The window that a page is laid out in.

    Raises:
        SourceError: The source is not a page.
        CaptureError: The page could not be rendered.
    """
    from pytest_design2a11y.capture.audit.axe import Axe

    __tracebackhide__ = True
    is_audited = settings.audit and (role == "candidate" or settings.audit_reference)
    audit = settings.audit_choice if is_audited else None
    how: dict[str, Any] = {"role": role, "audit": audit, "engines": (Axe(settings.axe_script),)}
    if not isinstance(source, str | os.PathLike):
        return renderer.capture_page(source, **how)
    document = read_source(
        source,
        max_bytes=settings.max_bytes,
        folders=folders,
        site=choose_site(
            settings.root, folders, clean_urls=settings.clean_urls, single_page=settings.single_page
        ),
        references=references,
    )
    if document.picture is not None:
        return _captured_picture(document, role, settings)
    document = replace(document, accept_status=settings.accept_status)
    return renderer.capture(document, **how, has_image=has_image, viewport=viewport)


def _captured_picture(document: Document, role: Role, settings: Settings) -> Capture:
    from pytest_design2a11y.capture.picture.capture_picture import capture_picture

    folder = settings.cache_folder and settings.cache_folder / "lines"
    return capture_picture(document, role=role, scale=settings.picture_scale, cache_folder=folder)


def score_blocks(
    reference_blocks: Sequence[Block], candidate_blocks: Sequence[Block], *, text_ratio: TextRatio = "indel"
) -> VisualScore:
    """Score how alike two pages are by their text blocks alone, without the fifth component.

    Args:
        reference_blocks: Text blocks of the design, in document order.
        candidate_blocks: Text blocks of the generated page, in document order.
        text_ratio: "indel", or "difflib" for comparison with published tables.

    Returns:
        The four components and their mean; all 0 where either side has no blocks.

    References:
        Si et al., "Design2Code", NAACL 2025, arXiv 2403.03163.
    """
    return score_matching(match_blocks(reference_blocks, candidate_blocks, text_ratio=text_ratio))


def measure_visual(reference: Capture, candidate: Capture, *, settings: Settings) -> VisualScore:
    """Score how alike two rendered pages are, all five components.

    Raises:
        NoVisibleText: The reference shows no text, so that there is nothing to match.
        TooMuchText: The pages have more text than can be matched.
        MeasurementTimeout: It did not end within its time.
    """
    time_limit = _time(settings)
    candidate = comparable_part(candidate, reference, crop=settings.picture_crop)
    reference_blocks = _blocks_of(reference, time_limit)
    candidate_blocks = _blocks_of(candidate, time_limit)
    if not reference_blocks:
        raise _no_text(reference)
    matching = match_blocks(
        reference_blocks, candidate_blocks, text_ratio=settings.text_ratio, time_limit=time_limit
    )
    pictures: dict[str, Any] = {
        "reference": reference.screenshot,
        "candidate": candidate.screenshot,
        "reference_boxes": [block.box for block in reference_blocks],
        "candidate_boxes": [block.box for block in candidate_blocks],
    }
    if settings.appearance == "embedded":
        appearance, backend = embedded_appearance(**pictures, time_limit=time_limit), "embedded"
    else:
        clip = clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder)
        appearance, backend = clip_appearance(**pictures, backend=clip), clip.identity
    return score_matching(matching, appearance=appearance, appearance_backend=backend)


def _no_text(reference: Capture) -> NoVisibleText:
    explained = [warning.message for warning in reference.warnings if warning.code == "nothing_shown"]
    return NoVisibleText(
        f"The reference {reference.label} shows no text.",
        stage="blocks",
        advice=" ".join(explained) or "Visual similarity matches text; compare pages that show some.",
    )


def embed_together(captures: Sequence[Capture], *, settings: Settings) -> None:
    """Embed the pictures of pages that are scored next, so that scoring them finds their embeddings.

    Where a picture cannot be embedded, scoring its page says so.
    """
    if settings.appearance == "embedded":
        return
    with suppress(Exception):
        pictures = [
            Picture(capture.screenshot, tuple(block.box for block in _blocks_of(capture, _time(settings))))
            for capture in captures
        ]
        clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder).embed(pictures)


def _blocks_of(capture: Capture, time_limit: TimeLimit) -> tuple[Block, ...]:
    """Find a page's blocks, once for as long as the page is held."""
    if capture not in _blocks:
        _blocks[capture] = find_blocks(
            text_runs=capture.text_runs, screenshot=capture.screenshot, time_limit=time_limit
        )
    return _blocks[capture]


def _time(settings: Settings) -> TimeLimit:
    return TimeLimit(max(LEAST_MEASURING_SECONDS, settings.capture.timeout / 3))


_blocks: WeakKeyDictionary[Capture, tuple[Block, ...]] = WeakKeyDictionary()


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


_AUDITED = {
    "reference": "Give --design2a11y-audit-reference, or render it with role='candidate'.",
    "candidate": "Leave out --design2a11y-no-audit.",
}


def measure_accessibility(capture: Capture) -> AccessibilityRates:
    """Rate how inaccessible a rendered page is.

    Raises:
        ConfigurationError: The page was rendered without an audit.
        MeasurementError: The audit failed, or no rule applied to anything on the page.
    """
    if capture.audit_error is not None:
        raise capture.audit_error
    if capture.audit is None:
        raise ConfigurationError(
            f"{capture.label} was rendered as a {capture.role}, which is not audited here.",
            advice=_AUDITED[capture.role],
        )
    return rates(capture.audit)


def evaluate(
    subject: Subject,
    *,
    reference: Capture | None,
    candidate: Capture,
    settings: Settings,
    visual: VisualScore | None = None,
) -> Evaluation:
    """Measure everything about a candidate; what could not be measured is an error in the record.

    Args:
        subject: What the evaluation is about.
        reference: The design, where there is one.
        candidate: The generated page.
        settings: How to measure.
        visual: The pair's visual score, where it has been measured already.
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
    captures = [capture for capture in (reference, candidate) if capture is not None]
    pictures, picture_warnings = _kept_pictures(captures, settings.picture_folder)
    is_audited = candidate.audit is not None or candidate.audit_error is not None
    audited = reference if reference is not None and (reference.audit or reference.audit_error) else None
    return Evaluation(
        **asdict(subject) | {"case": subject.case or case_of((reference or candidate).label)},
        reference=None if reference is None else reference.label,
        candidate=candidate.label,
        visual=visual,
        accessibility=attempt(lambda: measure_accessibility(candidate)) if is_audited else None,
        audit=candidate.audit,
        reference_accessibility=None if audited is None else attempt(lambda: measure_accessibility(audited)),
        warnings=(
            *(warning for capture in captures for warning in capture.warnings),
            *crop_warnings(candidate, reference, crop=settings.picture_crop),
            *picture_warnings,
        ),
        error=failure_of(errors[0]) if errors else None,
        environment=candidate.environment,
        settings=conditions_of(reference, candidate),
        pictures=pictures,
        page_sizes={capture.role: capture.page_size for capture in captures},
    )


def _kept_pictures(
    captures: Sequence[Capture], folder: Path | None
) -> tuple[dict[str, str], tuple[CaptureWarning, ...]]:
    if folder is None:
        return {}, ()
    from pytest_design2a11y.report.pictures import store_pictures

    pictured = [capture for capture in captures if capture.image is not None]
    try:
        return store_pictures(pictured, folder), ()
    except OSError as error:
        message = f"The report shows no pictures of the page: they could not be written ({error})."
        return {}, (CaptureWarning("pictures_not_kept", message),)


def case_of(label: str) -> str:
    """Name the case that a page stands for: its path without the suffix."""
    return label.removesuffix(".html").removesuffix(".htm")


def failed_evaluation(
    subject: Subject,
    label: str,
    error: Exception,
    *,
    role: Role = "candidate",
    reference: str | None = None,
) -> Evaluation:
    """Record that a page could not be rendered.

    Args:
        subject: What the evaluation is about.
        label: How reports name the page.
        error: Why.
        role: Which side of a comparison the page is on.
        reference: How reports name the design that a candidate was to be compared with; it gives the case
            its name, as for pages that could be measured.
    """
    fields = asdict(subject) | {"case": subject.case or case_of(reference or label)}
    failure = replace(failure_of(error), role=role)
    return Evaluation(**fields, reference=reference, candidate=label, error=failure)


def failure_of(error: Exception) -> Failure:
    """Give an error as data, one that nobody foresaw too: its type says what it was."""
    return Failure(type(error).__name__, str(error) or "Nothing more is known.")


def make_run(name: str, evaluations: Sequence[Evaluation], *, is_complete: bool = True) -> Run:
    """Make the run that ends now."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(name, created, is_complete, tuple(evaluations))
