"""Turn what a user hands over into a `Capture`: start the browser, read the source and render it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError, ProbeError
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.measuring.extensions import engines_of
from pytest_design2a11y.measuring.pictures import (
    captured_picture,
    in_window_of,
    is_read_picture,
    with_given_elements,
)
from pytest_design2a11y.models.masking import masked
from pytest_design2a11y.models.option import ALL_PROBES, QUICK_PROBES
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Role
from pytest_design2a11y.models.viewport import PageState, Step, Viewport, as_steps
from pytest_design2a11y.registry import available
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.variants import require_as_asked, viewport_of
from pytest_design2a11y.source.read_document import read_document, require_file
from pytest_design2a11y.source.site import SiteChoice, choose_site

if TYPE_CHECKING:
    from pytest_design2a11y.capture.assets import Hosts
    from pytest_design2a11y.capture.bench import Bench
    from pytest_design2a11y.capture.renderer import Renderer

_DRAWN = CaptureWarning(
    "elements_unmeasured",
    "elements was not measured: the design is an SVG, whose shapes are not elements of a page.",
)


#: Modules that a first pair also needs, in order: they are imported while the browser starts.
_AHEAD = ("pytest_design2a11y.capture.renderer", "pytest_design2a11y.measuring.pipeline", "scipy.optimize")


@contextmanager
def open_renderer(
    settings: Settings,
    *,
    launch_options: Mapping[str, Any] | None = None,
    connect_options: Mapping[str, Any] | None = None,
    hosts: "Hosts | None" = None,
) -> "Iterator[Renderer]":
    """Start Playwright and the renderer of pages in browsers of our own; captures of references are cached.

    Launch options are the user's own; `connect_options`, of Playwright's `connect`, mean that the browser
    runs elsewhere.
    """
    from pytest_design2a11y.capture.driver import open_driver

    cache = settings.cache_folder
    with open_driver() as driver, ThreadPoolExecutor(1) as beside:
        ahead = beside.submit(lambda: [*map(import_module, _AHEAD)])
        with suppress(Exception):  # It is tried again for the page, which reports why it does not start.
            driver()
        ahead.result()  # Two threads that import SciPy at the same time get half of it.
        from pytest_design2a11y.capture import renderer

        with renderer.open_renderer(
            launch_options=launch_options,
            connect_options=connect_options,
            driver=driver,
            chromium=settings.chromium,
            references=None if cache is None else CacheFolder(cache / "captures"),
            limits=settings.capture,
            hosts=hosts,
        ) as opened:
            yield opened


def require_source(source: Any, settings: Settings, folders: Sequence[Path]) -> None:
    """Refuse a path that leads to no file, before a browser is started for it."""
    require_file(source, folders=folders, site=_site_of(settings, folders))


def _site_of(settings: Settings, folders: Sequence[Path]) -> SiteChoice:
    return choose_site(
        settings.root, folders, clean_urls=settings.clean_urls, single_page=settings.single_page
    )


def capture_source(
    source: Any,
    *,
    role: Role,
    renderer: "Renderer",
    settings: Settings,
    folders: Sequence[Path] = (),
    references: Sequence[Any] = (),
    has_image: bool = True,
    is_compared: bool = True,
    beside: Capture | None = None,
    steps: Step | Sequence[Step] = (),
) -> Capture:
    """Render a path, URL or HTML text for one side of a comparison, or read a picture of a page.

    A relative path is looked for in the folders; labels are relative to the last one, above which no site's
    root is looked for. The page may not read `references`, what it is compared with. Without an image, only
    its audit is useful; if `is_compared`, elements besides text are looked for. `beside` is the design: if it
    is a picture, a document is laid out in its window, and the text in the candidate's own pictures is read,
    as in the design.
    """
    __tracebackhide__ = True
    document = _document_of(source, role, settings, folders, references)
    state = PageState(as_steps(steps), settings.wait_for, settings.mask, settings.part)
    if document.picture is not None:
        capture = _captured_picture(document, role, settings, state)
        return replace(capture, document=replace(document, picture=None))
    probes = [probe for probe in _probes(settings) if role == "candidate" or probe.compares]
    if state.steps:
        probes = []
    is_looked_at = any(probe.needs_screenshot for probe in probes)
    capture = renderer.capture(
        document,
        **_how(role, settings, beside, state),
        probes=probes,
        design=beside,
        viewport=_viewport_of(settings, beside, document),
        has_image=has_image or is_looked_at,
        finds_elements=(has_image and is_compared) or is_looked_at,
    )
    # Probes requested by the audit are meant for pages that can be tried out.
    if state.steps and role == "candidate" and settings.probes != QUICK_PROBES:
        capture = _not_probed(capture, settings, "Steps are not taken on pages that are tried out.")
    if role == "reference" and Path(document.file or "").suffix.lower() == ".svg":
        capture = replace(capture, elements=None, warnings=(*capture.warnings, _DRAWN))
    return replace(_with_pictured_text(capture, settings, beside), document=document)


@contextmanager
def benched(
    source: Any,
    *,
    renderer: "Renderer",
    settings: Settings,
    folders: Sequence[Path],
    references: Sequence[Any] = (),
    beside: Capture | None = None,
) -> "Iterator[tuple[Capture, Bench]]":
    """Render a candidate as `capture_source` does, without probes, and keep it open for edits.

    Raises:
        MeasurementError: It is a picture.
        SourceError, CaptureError: It cannot be opened.
    """
    document = _document_of(source, "candidate", settings, folders, references)
    if document.picture is not None:
        raise MeasurementError(
            f"{document.label} is a picture, on which no edit can be tried.", stage="fixing"
        )
    state = PageState((), settings.wait_for, settings.mask, settings.part)
    how = _how("candidate", settings, beside, state)
    viewport = _viewport_of(settings, beside, document)
    with renderer.bench(document, viewport=viewport, **how) as (capture, bench):
        yield replace(_with_pictured_text(capture, settings, beside), document=document), bench


def _document_of(
    source: Any, role: Role, settings: Settings, folders: Sequence[Path], references: Sequence[Any]
) -> Document:
    return read_document(
        source,
        max_bytes=settings.max_bytes,
        folders=folders,
        site=_site_of(settings, folders),
        references=references,
        is_design=role == "reference",
        readers=settings.metrics,
    )


def _viewport_of(settings: Settings, beside: Capture | None, document: Document) -> Viewport:
    viewport = viewport_of(settings)
    design = None if settings.part else beside
    return viewport if settings.viewport else in_window_of(design, document, viewport)


def capture_live(page: Any, *, role: Role, settings: Settings, beside: Capture | None = None) -> Capture:
    """Read a page of Playwright's sync API that a test has open, in the thread that owns it."""
    __tracebackhide__ = True
    from pytest_design2a11y.capture.live_page import capture_page, is_locator, path_of, require_page

    if is_locator(page):
        page, settings = page.page, replace(settings, part=path_of(page))
    return _read_live(partial(capture_page, require_page(page)), role, settings, beside)


def _read_live(
    capture_page: Callable[..., Capture], role: Role, settings: Settings, beside: Capture | None
) -> Capture:
    state = PageState((), settings.wait_for, settings.mask, settings.part)
    capture = capture_page(**_how(role, settings, beside, state), limits=settings.capture)
    require_as_asked(capture, settings)
    if role == "candidate":
        why = "A page that a test has open cannot be opened a second time."
        capture = _not_probed(capture, settings, why)
    return _with_pictured_text(capture, settings, beside)


def _how(role: Role, settings: Settings, beside: Capture | None, state: PageState) -> dict[str, Any]:
    is_audited = settings.audit and role == "candidate"
    return {
        "role": role,
        "audit": settings.audit_choice if is_audited else None,
        "engines": engines_of(settings),
        "finds_pictures": beside is not None and is_read_picture(beside),
        "state": state,
    }


def _probes(settings: Settings) -> tuple[Probe, ...]:
    if not settings.probes:
        return ()
    names, known = settings.probes.split(","), available(Probe, settings.metrics).values()
    if settings.probes == QUICK_PROBES:
        return tuple(probe for probe in known if probe.only_looks)
    return tuple(probe for probe in known if probe.name in names or names == [ALL_PROBES])


def _not_probed(capture: Capture, settings: Settings, why: str) -> Capture:
    """Record for every probe that it could not be run."""
    advice = "Hand over its path, address or HTML, or give probes='none' for it."
    names = (probe.name for probe in _probes(settings))
    errors = {name: ProbeError(why, stage=f"probe {name}", advice=advice) for name in names}
    return replace(capture, probe_errors=errors) if errors else capture


def _captured_picture(document: Document, role: Role, settings: Settings, state: PageState) -> Capture:
    is_page = role != "reference"
    if state.steps or (is_page and settings.mask):
        raise ConfigurationError(
            f"{document.label} is a picture: it has no elements to {'act on' if state.steps else 'mask'}.",
            advice=f"Give the page itself{', or a picture of that state' if state.steps else ''}.",
        )
    capture = captured_picture(
        document, role=role, scale=settings.picture_scale, cache_folder=settings.cache_folder
    )
    capture = masked(capture, settings.mask)
    if is_page:
        return _not_probed(capture, settings, "A picture cannot be tried out.")
    return with_given_elements(capture, document.blocks)


def _with_pictured_text(capture: Capture, settings: Settings, beside: Capture | None) -> Capture:
    if beside is None or not is_read_picture(beside):
        return capture
    from pytest_design2a11y.picture.capture_picture import with_pictured_text

    folder = settings.cache_folder and settings.cache_folder / "lines"
    return with_pictured_text(capture, cache_folder=folder)
