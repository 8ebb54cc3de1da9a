"""Read an open page: its screenshot, text and accessibility, all from the same moment."""

import platform
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from importlib.metadata import version

from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.browser.bounded import PendingCall
from pytest_design2a11y.capture.isolation.request_router import ORIGIN
from pytest_design2a11y.capture.mask import mask_boxes, part_box
from pytest_design2a11y.capture.page.frames import FRAME, FrozenPage
from pytest_design2a11y.capture.page.freeze import Stillness, stop_resumed
from pytest_design2a11y.capture.page.screenshot import take_live, take_stable
from pytest_design2a11y.capture.page.snapshot import picture_boxes, read_fonts
from pytest_design2a11y.capture.page.visit import CHECKING, IMAGE_SHARE, Visit
from pytest_design2a11y.capture.see_page import PageRead, Seen, see
from pytest_design2a11y.capture.text import read_text
from pytest_design2a11y.capture.text.painted import HiddenText, hide_text
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.extending import AuditEngine
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import Capture, CaptureWarning, Environment, Role

ATTEMPTS = 3
#: Files that draw what a page shows, as the browser calls them.
_DRAWING = {"script", "stylesheet", "font"}

#: Returns a package's version; looking it up takes milliseconds.
installed_version = cache(version)


def empty_capture(label: str, role: Role, *, build: str, has_sandbox: bool) -> Capture:
    """Return a capture without anything read from its page; `build` is the browser's version."""
    environment = Environment(
        chromium=build,
        axe=None,
        package=installed_version("pytest-design2a11y"),
        playwright=installed_version("playwright"),
        platform=f"{platform.system()} {platform.machine()}",
        sandbox=has_sandbox,
    )
    return Capture(label, role, None, (0, 0), (), (), environment)


@dataclass(frozen=True)
class PageContents:
    """What was read from a page."""

    capture: Capture  # Of the whole page
    # The only part to capture, whole px, with what of it lies beyond the captured page; None: all of the page
    part_box: Box | None
    is_repeatable: bool  # Whether the capture's files are everything that the page loaded

    def with_seen(self, seen: Seen) -> "PageContents":
        """Add what a person sees on the page."""
        return replace(self, capture=seen.added_to(self.capture))


@dataclass(frozen=True)
class PageReader:
    """Reads open pages."""

    audit: AuditChoice | None  # Which accessibility rules to run; None: no audit
    engines: Sequence[AuditEngine]  # The engines that run them
    has_image: bool = True  # Whether a screenshot is taken; without it, only the audit is useful
    finds_pictures: bool = False  # Whether to find the page's pictures
    mask: tuple[str, ...] = ()  # CSS selectors of parts that do not count
    part: str | None = None  # CSS selector of the only part to capture; None: all of the page
    # Whether to look for fonts, and for elements in the screenshot
    finds_elements: bool = True

    def read_frozen(
        self,
        visit: Visit,
        page: FrozenPage,
        empty: Capture,
        *,
        beside: Executor,
        after_screenshot: Callable[[], None],
    ) -> tuple[PageContents, Future[Seen]]:
        """Read a frozen page; if its screenshot fails, its text and audit remain.

        What is seen is found in another thread, while the browser audits the page or closes it.
        """
        self._prepare_engines(None if visit.has_scripts else page)
        if visit.has_scripts:
            return self._read_watched(visit, page, empty, beside, after_screenshot)
        image, error = self._image(visit, page, None)
        after_screenshot()
        read = self._read(page, replace(empty, image=image, image_error=error), beside)
        # The page is idle while it is painted without its text.
        fonts = PendingCall(partial(read_fonts, page), delay=FRAME)
        hidden, _ = self._hidden(visit, page, read, None)
        seen = beside.submit(see, read, hidden, visit.deadline.beside("screenshot"))
        return self._audited(visit, page, read, page.channel.awaited(fonts)), seen

    def read_open(self, visit: Visit, page: FrozenPage, empty: Capture) -> PageContents:
        """Read a frozen page that stays open."""
        with ThreadPoolExecutor(1) as beside:
            contents, seen = self.read_frozen(
                visit, page, empty, beside=beside, after_screenshot=lambda: None
            )
            return contents.with_seen(seen.result())

    def _read_watched(
        self,
        visit: Visit,
        page: FrozenPage,
        empty: Capture,
        beside: Executor,
        after_screenshot: Callable[[], None],
    ) -> tuple[PageContents, Future[Seen]]:
        """Read a frozen page that has scripts, and again if they changed it meanwhile."""
        still = Stillness(page)
        for _ in range(ATTEMPTS):
            still.start()
            image, error = self._image(visit, page, still)
            after_screenshot()
            if error is not None:
                still.start()
            read = self._read(page, replace(empty, image=image, image_error=error), beside)
            contents = self._audited(visit, page, read, read_fonts(page))
            _leave_time(visit)
            with page.stage("screenshot"):
                has_held = still.has_held()
            if has_held:
                hidden, has_held = self._hidden(visit, page, read, still)
                if has_held:
                    seen = beside.submit(see, read, hidden, visit.deadline.beside("screenshot"))
                    return contents, seen
            stop_resumed(visit)
        raise exceptions.Unstable(
            "Scripts of the page went on after they were stopped, and changed it while it was read.",
            stage="screenshot",
            advice="Let the page finish within a second of its own clock, or render it without scripts.",
        )

    def _prepare_engines(self, page: FrozenPage | None) -> None:
        for engine in () if self.audit is None else self.engines:
            engine.prepare(page)

    def _image(
        self, visit: Visit, page: FrozenPage, still: Stillness | None
    ) -> tuple[Screenshot | None, exceptions.CaptureError | None]:
        """Return the screenshot, or the error if the audit can do without it."""
        if not self.has_image:
            return None, None
        # If painting does not end, the audit must have enough time left.
        share = 1.0 if self.audit is None else IMAGE_SHARE
        take = partial(take_stable, page, seconds=share * visit.deadline.remaining())
        try:
            with page.stage("screenshot"):
                return Screenshot(take() if still is None else still.screenshot(take)), None
        except exceptions.CaptureError as error:
            is_lost = isinstance(error, exceptions.BrowserLost) or visit.explain() is not None
            if self.audit is None or is_lost:
                raise
            return None, error

    @staticmethod
    def _hidden(
        visit: Visit, page: FrozenPage, read: PageRead, still: Stillness | None
    ) -> tuple[HiddenText | None, bool]:
        """Return screenshots without text, and whether the page held still meanwhile."""
        if read.taken.image is None:
            return None, True
        have_held: list[bool] = []

        def take(area: Box) -> bytes:
            shot = partial(take_stable, page, seconds=visit.deadline.remaining(), area=area)
            if still is None:
                return shot()
            taken, has_held = still.glance(shot)
            have_held.append(has_held)
            return taken

        with page.stage("screenshot"):
            return hide_text(page, read.text.texts, take), all(have_held)

    def read_live(self, visit: Visit, page: FrozenPage, empty: Capture) -> PageContents:
        """Read a page whose scripts still run; it must look the same before and after."""
        self._prepare_engines(None)
        before = self._live_image(visit, page)
        take = partial(self._live_image, visit, page)
        for _ in range(ATTEMPTS):
            with ThreadPoolExecutor(1) as beside:
                read = self._read(page, replace(empty, image=Screenshot(before)), beside)
                contents = self._audited(visit, page, read, read_fonts(page))
            errors = contents.capture.audit_errors
            if errors and visit.deadline.is_over():
                # No time is left to check whether the page held still.
                raise next(iter(errors.values()))
            hidden = hide_text(page, read.text.texts, take)
            after = self._live_image(visit, page)
            if after == before:
                return contents.with_seen(see(read, hidden, visit.deadline))
            before = after
        raise exceptions.Unstable(
            "The page kept changing while it was read.",
            stage="screenshot",
            advice="Wait in the test until the page is at rest, then capture it.",
        )

    @staticmethod
    def _live_image(visit: Visit, page: FrozenPage, area: Box | None = None) -> bytes:
        with page.stage("screenshot"):
            shown = page.in_scroll_area(area or page.area)
            return take_live(visit.page, shown, visit.deadline.remaining() * 1000)

    def _read(self, page: FrozenPage, taken: Capture, beside: Executor) -> PageRead:
        # Decoded while the browser reads, when this process is idle.
        beside.submit(lambda: taken.image and taken.image.pixels)
        text = read_text(page, finds_elements=self.finds_elements and taken.image is not None)
        pictures = picture_boxes(page) if self.finds_pictures else ()
        masked, warnings = mask_boxes(page, self.mask)
        taken = replace(taken, picture_boxes=pictures, mask_boxes=masked)
        return PageRead(taken, text, (*text.warnings, *warnings))

    def _audited(self, visit: Visit, page: FrozenPage, read: PageRead, families: list[str]) -> PageContents:
        part, chosen = None, self.audit
        part_warnings: tuple[CaptureWarning, ...] = ()
        if self.part is not None:
            part, selector, part_warnings = part_box(page, self.part)
            # Of several elements that match the part's selector, only the captured one.
            if chosen is not None and chosen.include == (self.part,):
                chosen = replace(chosen, include=(selector,))
        audits: dict[str, Audit] = {}
        errors: dict[str, exceptions.MeasurementError] = {}
        audit_warnings: tuple[CaptureWarning, ...] = ()
        for engine in self.engines:
            if chosen is None:
                break
            try:
                audits[engine.name], more = engine.audit(page, chosen)
                audit_warnings += more
            # The screenshot and the text have been read, and can be scored without the audit.
            except exceptions.MeasurementError as error:
                errors[engine.name] = error
            except (exceptions.Design2a11yError, PlaywrightError):
                raise
            except Exception as error:
                what = f"The engine {engine.name} failed: {type(error).__name__}: {error}"
                errors[engine.name] = exceptions.MeasurementError(what, stage=engine.name)
        choice = {"audit": asdict(self.audit)} if self.audit and audits else {}
        further = {name: audit.version for name, audit in audits.items() if name != AXE}
        fonts = {"fonts": families} if families else {}
        axe = audits[AXE].version if AXE in audits else None
        capture = replace(
            read.taken,
            page_size=page.page_size,
            audits=audits,
            audit_errors=errors,
            warnings=(*visit.log.warnings(), *read.warnings, *part_warnings, *audit_warnings),
            environment=replace(read.taken.environment, axe=axe),
            viewport=page.viewport,
            conditions={**page.conditions, **fonts, **choice, **({"engines": further} if further else {})},
            files=dict(visit.log.files),
            lost_files=_lost_files(visit.log),
        )
        return PageContents(capture, part, visit.log.is_repeatable)


def _lost_files(log: WarningLog) -> dict[str, str]:
    """Return files that draw what a page shows, and were not answered: what each is, by address."""
    lost = {url: log.asked[url] for url in sorted(log.asked.keys() - log.served)}
    return {url.removeprefix(f"{ORIGIN}/"): kind for url, kind in lost.items() if kind in _DRAWING}


def _leave_time(visit: Visit) -> None:
    """Leave some time for checking the page; an audit that took all of it may still be running."""
    if visit.deadline.is_over():
        visit.channel.post("Runtime.terminateExecution")
    visit.deadline.extend(max(visit.deadline.remaining(), CHECKING))
