"""Turn a document into a `Capture`: the stage's front. Imports `as` themselves are for other rooms."""

import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Playwright

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture import cache
from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.axe_script import check_choice as check_choice
from pytest_design2a11y.capture.bench import Bench
from pytest_design2a11y.capture.browser.launch import LaunchedBrowser, starting
from pytest_design2a11y.capture.browser.launch import machines_own as machines_own
from pytest_design2a11y.capture.browser.machine import fonts_digest
from pytest_design2a11y.capture.browser.pair import BrowserPair
from pytest_design2a11y.capture.browser.processes import return_free_memory
from pytest_design2a11y.capture.driver import open_driver
from pytest_design2a11y.capture.elements import elements_of_shapes as elements_of_shapes
from pytest_design2a11y.capture.isolation import HostClient, Hosts
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.isolation.remote import FETCH_SHARE, Remote
from pytest_design2a11y.capture.kept import KeptCaptures, checked, is_cut_short, is_repeatable
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page import frozen, visiting
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.read_page import PageContents, PageReader, empty_capture, installed_version
from pytest_design2a11y.capture.running import run_probes, seconds_for, with_probes
from pytest_design2a11y.capture.warning_log import UNCLOSED, UNWATCHED, retried
from pytest_design2a11y.extending import AuditEngine, Probe
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.models.audit import AuditChoice, ProbeResult
from pytest_design2a11y.models.page import Capture, Document, Role, TextRun
from pytest_design2a11y.models.viewport import AS_LOADED, STANDARD_VIEWPORT, PageState, Viewport
from pytest_design2a11y.wording import flag

STANDARD_ENGINES = (Axe(),)


# Seconds that a page may take beyond its own time, second attempt included, before its browser is killed.
GRACE = 6.0
# Least seconds for a page's second attempt after its browser ended.
LEAST_SECONDS = 5.0

#: Seconds for which a page may stay open while edits are tried on it.
BENCH_SECONDS = 120.0
#: Number of pages between two returns of free memory, which take some milliseconds.
PAGES_A_RETURN = 25


class Renderer:
    """Captures pages, one after the other, in a browser of its own that it replaces when it breaks."""

    def __init__(
        self,
        launch_browser: Callable[..., Browser],
        *,
        launch_options: Mapping[str, Any] | None = None,
        chromium: str | None = None,
        limits: CaptureLimits | None = None,
        references: CacheFolder | None = None,
        hosts: Hosts | None = None,
    ) -> None:
        """Prepare; the browser starts with the first capture, as `starting` says.

        Without a store for captures of references, every page is rendered, even one equal to another.
        `hosts` answer for other hosts, instead of those that `limits` allow.
        """
        self._browsers = BrowserPair(
            launch_browser, chromium=chromium, options=launch_options or {}, patience=GRACE
        )
        limits = limits or CaptureLimits()
        #: The recorded assets for pages, if there is a folder of them.
        self.recordings: Recordings | None = None if limits.assets is None else Recordings(limits.assets)
        hosts, seconds = hosts or HostClient(limits.allow_host), FETCH_SHARE * limits.timeout
        remote = Remote(hosts, self.recordings, limits.record_assets, limits.placeholders == "draw", seconds)
        self._settings = VisitSettings(remote=remote, limits=limits)
        self._kept = KeptCaptures(references, self.recordings, self.conditions)
        self._num_rendered = 0
        self._has_warned_unwatched = False

    def capture(
        self,
        document: Document,
        *,
        role: Role,
        audit: AuditChoice | None,
        engines: Sequence[AuditEngine] = STANDARD_ENGINES,
        viewport: Viewport = STANDARD_VIEWPORT,
        has_image: bool = True,
        finds_pictures: bool = False,
        finds_elements: bool = True,
        probes: Sequence[Probe] = (),
        design: Capture | None = None,
        state: PageState = AS_LOADED,
    ) -> Capture:
        """Render a document once, read everything from that rendering, and let probes act on it anew.

        With a cache, a reference unchanged since an earlier run is not rendered again, nor is a page equal to
        one of this session, unless it has steps. If a browser ends meanwhile, it is replaced and the page is
        tried once more, with a warning. A `PageReader` reads it; `design` is for probes that compare.

        Raises:
            CaptureError: The page cannot be rendered, or not within its limits of time and memory.
            SourceError: What the browser makes of the document is empty, or not a page.
            ConfigurationError: The choice of rules is not valid.
            AxeError: The axe-core script cannot be read.
        """
        settings = replace(self._settings, viewport=viewport, state=state)
        reader = PageReader(audit, engines, has_image, finds_pictures, state.mask, state.part, finds_elements)
        slot = self._kept.slot_of(document, role, reader, settings, probes)
        if slot is not None and (found := slot[0].find(document, slot[1])) is not None:
            return found
        self._num_rendered += 1
        if self._num_rendered % PAGES_A_RETURN == 0:
            return_free_memory()
        warnings = document.warnings
        launched = self._browsers.get(is_hermetic=document.html is not None)
        began = time.monotonic()
        end = began + settings.limits.timeout + GRACE
        try:
            contents = self._read(launched, document, role, reader, settings, end)
        except exceptions.BrowserLost as error:
            self._browsers.drop(launched)
            launched = self._browsers.get(is_hermetic=document.html is not None)
            contents = self._read(launched, document, role, reader, _what_is_left(settings, began), end)
            warnings = (*warnings, retried(error.what))
        if launched.process_id is None and not self._has_warned_unwatched:
            self._has_warned_unwatched = True
            warnings = (*warnings, UNWATCHED)
        if document.html is not None and is_cut_short(contents.capture):
            self._check_cut_short(document, contents.capture, settings, began)
        taken, files = checked(contents, document, settings, warnings)
        taken = replace(taken, seconds=time.monotonic() - began)
        run = partial(self._probe, document=document, settings=settings, capture=taken, design=design)
        capture = with_probes(taken, probes, run) if probes else taken
        if slot is not None and files is not None and is_repeatable(capture):
            slot[0].keep(document, slot[1], capture, files)
        return capture

    def _probe(
        self,
        probes: Sequence[Probe],
        document: Document,
        settings: VisitSettings,
        capture: Capture,
        design: Capture | None,
    ) -> dict[str, ProbeResult]:
        launched = self._browsers.get(is_hermetic=document.html is not None)
        seconds = seconds_for(probes, settings) + GRACE
        try:
            with self._browsers.watching(launched, settings.limits.max_memory, seconds) as watchdog:
                return run_probes(probes, launched.pages, document, settings, watchdog, capture, design)
        except exceptions.BrowserLost:
            self._browsers.drop(launched)
            raise

    @contextmanager
    def bench(
        self,
        document: Document,
        *,
        role: Role,
        audit: AuditChoice | None,
        engines: Sequence[AuditEngine] = STANDARD_ENGINES,
        viewport: Viewport = STANDARD_VIEWPORT,
        finds_pictures: bool = False,
        state: PageState = AS_LOADED,
    ) -> Iterator[tuple[Capture, Bench]]:
        """Render a document as `capture` does, and keep it open while edits are tried on it."""
        settings = replace(self._settings, viewport=viewport, state=state)
        reader = PageReader(audit, engines, True, finds_pictures, state.mask, state.part)
        launched, began = self._browsers.get(is_hermetic=document.html is not None), time.monotonic()
        empty = empty_capture(document.label, role, build=launched.build, has_sandbox=launched.has_sandbox)
        with (
            self._browsers.watching(launched, settings.limits.max_memory, BENCH_SECONDS) as watchdog,
            visiting(launched.pages, document, settings, watchdog) as (visit, blank),
        ):
            page = frozen(visit, blank, document, settings)
            contents = reader.read_open(visit, page, empty)
            if document.html is not None and is_cut_short(contents.capture):
                self._check_cut_short(document, contents.capture, settings, began)
            capture, _ = checked(contents, document, settings, document.warnings)
            reader = PageReader(None, STANDARD_ENGINES, mask=state.mask, part=state.part)
            yield capture, Bench(visit, page, settings, reader, empty)

    def conditions(self) -> dict[str, Any]:
        """Return the conditions of every capture on this machine: browser, code, platform and fonts."""
        return {
            "chromium": self._browsers.get(is_hermetic=True).build,
            "package": installed_version("pytest-design2a11y"),
            "code": cache.code_digest(),
            "platform": platform.platform(),
            "fonts": fonts_digest(),
        }

    def _check_cut_short(
        self, document: Document, capture: Capture, settings: VisitSettings, began: float
    ) -> None:
        """Load a page that was stopped while busy once more, for half as long."""
        has_image, finds_elements = capture.image is not None, capture.elements is not None
        mask = settings.state.mask
        reader = PageReader(None, (), has_image=has_image, mask=mask, finds_elements=finds_elements)
        hasty = replace(_what_is_left(settings, began), load_share=settings.load_share / 2)
        end = began + settings.limits.timeout + GRACE
        with suppress(exceptions.RenderTimeout):
            launched = self._browsers.get(is_hermetic=document.html is not None)
            again = self._read(launched, document, capture.role, reader, hasty, end).capture
            if _visible(again) == _visible(capture):
                return
        raise exceptions.Unstable(
            "The page was still busy when its time was over; what it shows depends on when it ends.",
            stage="screenshot",
            advice=f"Look for a script that does not end, or allow more time with {flag('timeout')}.",
        )

    def browser_process_id(self) -> int | None:
        """Return the id of the browser process for documents, starting it if needed; None if not ours."""
        return self._browsers.get(is_hermetic=True).process_id

    def close(self) -> None:
        """End the browsers."""
        self._browsers.close()

    def kill_browsers(self) -> None:
        """End the browsers at once, from any thread; a capture under way fails, and so does any other."""
        self._browsers.kill()

    def allow_browsers(self) -> None:
        """Let the next page have a browser, even if the last one was killed."""
        self._browsers.is_killed = False

    def _read(
        self,
        launched: LaunchedBrowser,
        document: Document,
        role: Role,
        reader: PageReader,
        settings: VisitSettings,
        end: float,
    ) -> PageContents:
        """Read a page; at `end`, by `time.monotonic`, its browser is killed."""
        empty = empty_capture(document.label, role, build=launched.build, has_sandbox=launched.has_sandbox)
        with ThreadPoolExecutor(1) as beside:
            seconds = end - time.monotonic()
            with (
                self._browsers.watching(launched, settings.limits.max_memory, seconds) as watchdog,
                visiting(launched.pages, document, settings, watchdog, may_share=True) as (visit, blank),
            ):
                page = frozen(visit, blank, document, settings)
                ahead = launched.pages.open_ahead
                contents, seen = reader.read_frozen(visit, page, empty, beside=beside, after_screenshot=ahead)
            contents = contents.with_seen(seen.result())
        if watchdog.has_ended_browser:
            warnings = (*contents.capture.warnings, UNCLOSED)
            contents = replace(contents, capture=replace(contents.capture, warnings=warnings))
        return contents


def _visible(capture: Capture) -> tuple[bytes | None, tuple[TextRun, ...]]:
    return None if capture.image is None else capture.image.png, capture.text_runs


def _what_is_left(settings: VisitSettings, began: float) -> VisitSettings:
    """Give a page that is tried once more its unused time, but at least a little."""
    seconds = settings.limits.timeout - (time.monotonic() - began)
    return replace(settings, limits=replace(settings.limits, timeout=max(seconds, LEAST_SECONDS)))


@contextmanager
def open_renderer(
    *,
    launch_options: Mapping[str, Any] | None = None,
    connect_options: Mapping[str, Any] | None = None,
    driver: Callable[[], Playwright] | None = None,
    **settings: Any,
) -> Iterator[Renderer]:
    """Open a `Renderer`; Playwright starts with its first page. For `driver`, see `open_driver`."""
    options = launch_options or {}
    with ExitStack() as stack:
        opened = driver or stack.enter_context(open_driver())

        def start(**more: Any) -> Browser:
            return starting(opened().chromium, options=options, connect_options=connect_options)(**more)

        renderer = Renderer(start, launch_options=options, **settings)
        try:
            yield renderer
        finally:
            renderer.close()
