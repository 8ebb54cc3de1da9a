"""From what a user hands over to a `Capture`: the browser is started, the source read and rendered."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import ProbeError
from pytest_design2a11y.measuring.pictures import as_wide_as, is_read_picture
from pytest_design2a11y.measuring.viewports import has_window, require_as_asked, viewport_of
from pytest_design2a11y.models.page import Capture, Document, Role
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.source import choose_site, read_source

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.audit.engine import AuditEngine
    from pytest_design2a11y.capture.cache import Entries
    from pytest_design2a11y.capture.renderer import Renderer


def make_renderer(
    launch_browser: Callable[..., Browser], launch_options: Mapping[str, Any], settings: Settings
) -> Renderer:
    """Make what renders pages, in browsers that pytest-playwright launches; close it in the end."""
    from pytest_design2a11y.capture.renderer import Renderer

    return Renderer(launch_browser, launch_options=launch_options, **_renderer_arguments(settings))


def open_renderer(
    settings: Settings, *, references: Entries | None = None
) -> AbstractContextManager[Renderer]:
    """Start Playwright and a browser of our own, for use outside pytest.

    Args:
        settings: How pages are rendered.
        references: Where captures of references are kept, unless settings say nowhere; None: in a folder.
    """
    from pytest_design2a11y.capture import renderer

    return renderer.open_renderer(**_renderer_arguments(settings, references))


def _renderer_arguments(settings: Settings, references: Entries | None = None) -> dict[str, Any]:
    from pytest_design2a11y.capture.cache import FolderEntries

    if settings.cache_folder is None:
        references = None
    elif references is None:
        references = FolderEntries(settings.cache_folder / "captures")
    return {"chromium": settings.chromium, "references": references, "limits": settings.capture}


def capture_source(
    source: Any,
    *,
    role: Role,
    renderer: Renderer,
    settings: Settings,
    folders: Sequence[Path] = (),
    references: Sequence[Any] = (),
    has_image: bool = True,
    beside: Capture | None = None,
) -> Capture:
    """Render a path, URL, HTML text or live Playwright page, or read a picture of one.

    Args:
        source: What to render.
        role: Which side of a comparison it is on; references are audited on request only.
        renderer: Renders.
        settings: How; they name one viewport at most.
        folders: Where a relative path is looked for, in order; the last is what labels are relative to, and
            the folder above which no site's root is looked for.
        references: What the page is compared with: it may not read those that are files.
        has_image: Whether to take a screenshot of a document, without which only its audit is of use.
        beside: The design that a candidate is compared with. Where it is a picture, a document is laid out as
            wide, and the text in the candidate's own pictures is read, as it was in the design's.

    Raises:
        SourceError: The source is not a page.
        CaptureError: The page could not be rendered.
    """
    __tracebackhide__ = True
    is_audited = settings.audit and (role == "candidate" or settings.audit_reference)
    audit = settings.audit_choice if is_audited else None
    how: dict[str, Any] = {"role": role, "audit": audit, "engines": _engines(settings)}
    is_read = beside is not None and is_read_picture(beside)
    if not isinstance(source, str | os.PathLike):
        capture = renderer.capture_page(source, **how, finds_pictures=is_read)
        require_as_asked(capture, settings)
        if role == "candidate":
            capture = _not_probed(
                capture, settings, "A page that a test has open cannot be opened a second time."
            )
        return _with_pictured_text(capture, settings) if is_read else capture
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
        capture = _captured_picture(document, role, settings)
        return (
            capture
            if role == "reference"
            else _not_probed(capture, settings, "A picture cannot be tried out.")
        )
    document = replace(document, accept_status=settings.accept_status)
    viewport = viewport_of(settings)
    if not has_window(settings):
        viewport = as_wide_as(beside, viewport)
    probes = _probes(settings) if role == "candidate" else ()
    capture = renderer.capture(
        document, **how, probes=probes, has_image=has_image, viewport=viewport, finds_pictures=is_read
    )
    return _with_pictured_text(capture, settings) if is_read else capture


def _probes(settings: Settings) -> tuple[str, ...]:
    return tuple(filter(None, settings.probes.split(",")))


def _not_probed(capture: Capture, settings: Settings, why: str) -> Capture:
    """Tell of every probe that it could not be run."""
    advice = "Hand over its path, address or HTML, or give probes='none' for it."
    errors = {name: ProbeError(why, stage=f"probe {name}", advice=advice) for name in _probes(settings)}
    return replace(capture, probe_errors=errors) if errors else capture


def _engines(settings: Settings) -> tuple[AuditEngine, ...]:
    from pytest_design2a11y.capture.audit.axe import Axe
    from pytest_design2a11y.capture.audit.htmlcs.engine import Htmlcs

    engines: tuple[AuditEngine, ...] = (Axe(settings.axe_script), Htmlcs(settings.htmlcs_script))
    return tuple(engine for engine in engines if engine.name in settings.engines.split(","))


def _captured_picture(document: Document, role: Role, settings: Settings) -> Capture:
    from pytest_design2a11y.capture.picture.capture_picture import capture_picture

    return capture_picture(
        document, role=role, scale=settings.picture_scale, cache_folder=settings.cache_folder
    )


def _with_pictured_text(capture: Capture, settings: Settings) -> Capture:
    from pytest_design2a11y.capture.picture.pictured_text import with_pictured_text

    folder = settings.cache_folder and settings.cache_folder / "lines"
    return with_pictured_text(capture, cache_folder=folder)
