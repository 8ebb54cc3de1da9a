"""What tests call to have pages rendered: for one test, and for many."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.models.page import Answer, Capture, Role
from pytest_design2a11y.models.run import Subject, along
from pytest_design2a11y.plugin.marker import NAMING, marker_values, subject_from
from pytest_design2a11y.plugin.running_test import current_ledger, ledger_of, shared_pages, source_label
from pytest_design2a11y.settings.values import CALL_FIELDS, rendering_axes

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.viewport import Step
    from pytest_design2a11y.plugin.ledger import Ledger
    from pytest_design2a11y.settings.values import Settings


class Render(Protocol):
    """Renders a page once, for one side of a comparison."""

    def __call__(
        self, source: Any = None, *, html: str | None = None, role: Role = "candidate", **choice: Any
    ) -> Capture:
        """Render a path, an http(s) URL, HTML text or a live page of Playwright's sync API.

        A relative path is looked for beside the test's file (by `design2a11y_render` beside the file that
        calls it), then from pytest's root directory.

        Args:
            source: What to render.
            html: HTML text or a model's raw answer, in place of `source`: never taken for a path or a URL.
            role: "reference" for the design, "candidate" for what was generated.
            **choice: Steps, a function of Playwright's page or several, such as
                `steps=lambda page: page.click("#open")`: they act on the page before it is read, which comes
                to rest after each. The page's place in a run, where markers and parameters do not set it:
                case, sample, prompt, model. What it is laid out for, what must show and what does not count,
                its site, and which accessibility rules run on it: viewport, device, scheme, locale, timezone,
                wait_for, mask, root, clean_urls, single_page, accept_status, axe_script, axe_tags, rules_on,
                rules_off, include, exclude, minimum_impact, as in the options of these names.

        Raises:
            SourceError: The source is not a page.
            CaptureError: The page could not be rendered.
            ConfigurationError: The role or the choice is not valid.
        """


class RenderAsync(Protocol):
    """`Render` for a running event loop, which goes on meanwhile."""

    def __call__(
        self, source: Any = None, *, html: str | None = None, role: Role = "candidate", **choice: Any
    ) -> Awaitable[Capture]:
        """Render what `Render` does, or a live page of Playwright's async API."""


@dataclass(frozen=True)
class Order:
    """A page to be rendered."""

    source: Any  # A path, a URL, HTML text or a live page
    role: Role  # Which side of a comparison it is on
    settings: Settings  # How it is rendered
    folders: tuple[Path, ...]  # Where a relative path is looked for; the last is pytest's root
    own: Subject  # Its case and sample, and the axes that it is rendered along
    references: tuple[Any, ...] = ()  # What it is compared with: it may not read those that are files
    beside: Capture | None = None  # The design that it is compared with, where there is one yet
    steps: Step | Sequence[Step] = ()  # What is done to it before it is read

    @property
    def is_open(self) -> bool:
        """Whether it is a page that the test has open."""
        return not isinstance(self.source, str | os.PathLike)

    def submit(self, browser: BrowserThread) -> Future[Capture]:
        """Return the future of its capture; it is not open yet."""
        return browser.capture(
            self.source,
            role=self.role,
            settings=self.settings,
            folders=self.folders,
            references=self.references,
            beside=self.beside,
            steps=self.steps,
        )

    def capture(self, browser: BrowserThread) -> Capture:
        """Return its capture; an open page is read at once, in this thread."""
        __tracebackhide__ = True
        if not self.is_open:
            return self.submit(browser).result()
        from pytest_design2a11y.measuring.sources import capture_live

        return capture_live(self.source, role=self.role, settings=self.settings, beside=self.beside)

    async def capture_async(self, browser: BrowserThread) -> Capture:
        """Return its capture, while the event loop goes on."""
        __tracebackhide__ = True
        if self.is_open:
            from pytest_design2a11y.measuring.sources import capture_live_async

            return await capture_live_async(
                self.source, role=self.role, settings=self.settings, beside=self.beside
            )
        import asyncio

        future = self.submit(browser)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            import trio

            capture: Capture = await trio.to_thread.run_sync(future.result, abandon_on_cancel=True)
            return capture
        return await asyncio.wrap_future(future)


class TestRendering:
    """Renders the pages of one test, and notes them in its ledger."""

    def __init__(self, item: pytest.Item, browser: BrowserThread) -> None:
        self._browser = browser
        self._ledger = ledger_of(item)
        rendering_axes(self._ledger.settings)  # Several at once are refused before a page is rendered.
        self._config = item.config
        self._folders = (item.path.parent, item.config.rootpath)
        values = marker_values(item)
        self._references = [values["reference"]] if "reference" in values else []

    def render(self, source: Any = None, **choice: Any) -> Capture:
        """See `Render`."""
        __tracebackhide__ = True
        return _render(self._order(source, choice), self._browser, self._ledger)

    async def render_async(self, source: Any = None, **choice: Any) -> Capture:
        """See `RenderAsync`."""
        __tracebackhide__ = True
        order = self._order(source, choice)
        with _noting_error(order, self._ledger):
            capture = await order.capture_async(self._browser)
        self._ledger.note_capture(capture, order.own)
        return capture

    def _order(self, source: Any, choice: dict[str, Any]) -> Order:
        order = _make_order(source, choice, self._ledger.settings, self._config, self._folders)
        if order.role == "reference":
            self._references.append(order.source)
            return order
        return replace(order, references=tuple(self._references), beside=self._ledger.last_reference)


@dataclass(frozen=True)
class SharedRendering:
    """Renders pages that several tests use.

    A page belongs to the test in whose set-up it is rendered, and to all that are given it or measure it.
    """

    config: pytest.Config
    browser: BrowserThread
    settings: Settings

    def __call__(self, source: Any = None, *, reference: Capture | None = None, **choice: Any) -> Capture:
        """See `Render`.

        Args:
            source: What to render.
            reference: The design that a candidate is compared with, as this rendered it: a page may not read
                it, and is laid out as wide where it is a picture.
            **choice: See `Render`.
        """
        __tracebackhide__ = True
        shared = shared_pages(self.config)
        folders = (Path(sys._getframe(1).f_globals.get("__file__", "")).parent, self.config.rootpath)
        order = _make_order(source, choice, self.settings, self.config, folders)
        if reference is not None:
            order = replace(
                order, references=(shared[reference][0] if reference in shared else None,), beside=reference
            )
        capture = _render(order, self.browser, current_ledger())
        shared[capture] = order.source, order.own
        return capture


def _render(order: Order, browser: BrowserThread, ledger: Ledger | None) -> Capture:
    """Return a page's capture, and note it in a test's ledger."""
    __tracebackhide__ = True
    with _noting_error(order, ledger):
        capture = order.capture(browser)
    if ledger is not None:
        ledger.note_capture(capture, order.own)
    return capture


@contextmanager
def _noting_error(order: Order, ledger: Ledger | None) -> Iterator[None]:
    """Note in a test's ledger that a page could not be rendered."""
    __tracebackhide__ = True
    try:
        yield
    except Design2a11yError as error:
        if ledger is not None:
            ledger.note_error(source_label(order.source, order.folders[-1]), order.role, error, order.own)
        raise


def _make_order(
    source: Any,
    choice: dict[str, Any],
    settings: Settings,
    config: pytest.Config,
    folders: tuple[Path, ...],
) -> Order:
    """Return the order for a call of `render`; the choice includes `html` and `role`."""
    __tracebackhide__ = True
    html, role = choice.pop("html", None), choice.pop("role", "candidate")
    if role not in ("reference", "candidate"):
        raise ConfigurationError(
            f"There is no role {role!r}.", advice="Use role='reference' or role='candidate'."
        )
    known = ("steps", *NAMING, *CALL_FIELDS)
    if unknown := sorted(set(choice) - set(known)):
        raise ConfigurationError(
            f"render does not take {', '.join(unknown)}.", advice=f"It takes: {', '.join(known)}."
        )
    if (source is None) == (html is None):
        raise ConfigurationError(
            "render takes one page.", advice="Give a source, or html= for HTML text and answers."
        )
    steps = choice.pop("steps", ())
    if steps and not isinstance(source if html is None else html, str | os.PathLike):
        raise ConfigurationError(
            "Steps are taken on pages that render opens.",
            advice="The test has this page open: act on it there, then render it.",
        )
    own = subject_from({name: choice.pop(name) for name in NAMING if name in choice}, config, sample="")
    chosen = settings.with_choices(choice)
    if role == "reference" and "wait_for" not in choice:  # What is to be waited for shows on candidates.
        chosen = replace(chosen, wait_for=None)
    return Order(
        source if html is None else Answer(html),
        role,
        chosen,
        folders,
        own=along(own, rendering_axes(chosen)),
        steps=steps,
    )
