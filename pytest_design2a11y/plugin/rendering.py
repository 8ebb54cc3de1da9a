"""Functions that tests call to render pages, for one test or for many."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.models.page import Answer, Capture, Role
from pytest_design2a11y.models.verdicts import Subject, along
from pytest_design2a11y.plugin.marker import (
    NAMING,
    case_in,
    marker_values,
    settings_in,
    source_label,
    subject_from,
)
from pytest_design2a11y.plugin.running_test import current_ledger, ledger_of, shared_pages
from pytest_design2a11y.settings import CALL_FIELDS
from pytest_design2a11y.settings.variants import rendering_axes

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.viewport import Step
    from pytest_design2a11y.plugin.ledger import Ledger
    from pytest_design2a11y.settings import Settings


class Render(Protocol):
    """Renders a page once, for one side of a comparison."""

    def __call__(
        self, source: Any = None, *, html: str | None = None, role: Role = "candidate", **choice: Any
    ) -> Capture:
        """Render a path, an http(s) URL, HTML text or a live page of Playwright's sync API.

        A relative path is looked up beside the test's file (for `design2a11y_render`, beside the file that
        calls it), then in pytest's root directory.

        Args:
            source: What to render.
            html: HTML text or a model's raw answer, in place of `source`: never taken for a path or a URL.
            role: "reference" for the design, "candidate" for the generated page.
            **choice: Steps: functions of Playwright's page, such as `steps=lambda page: page.click("#open")`,
                which act on the page before it is read; the page settles after each. Its place in a run,
                unless markers and parameters set it: case, sample, prompt, model. Its viewport, masks, site
                and accessibility rules: viewport, scheme, locale, timezone,
                wait_for, mask, root, clean_urls, single_page, axe_script, axe_tags, rules_on,
                rules_off, include, exclude, minimum_impact, as in the options of the same names.

        Raises:
            SourceError: The source is not a page.
            CaptureError: The page could not be rendered.
            ConfigurationError: The role or the choice is not valid.
        """


@dataclass(frozen=True)
class Order:
    """A request to render a page."""

    source: Any  # A path, a URL, HTML text or a live page
    role: Role  # Which side of a comparison it is on
    settings: "Settings"  # How it is rendered
    folders: tuple[Path, ...]  # Where a relative path is looked up; the last folder is pytest's root
    subject: Subject  # Its case and sample, and the axes that it is rendered along
    references: tuple[Any, ...] = ()  # What it is compared with; if those are files, it may not read them
    beside: Capture | None = None  # The design that it is compared with, if it has been rendered
    steps: "Step | Sequence[Step]" = ()  # Run on the page before it is read

    def submit(self, browser: "BrowserThread") -> "Future[Capture]":
        """Return the future of its capture; the page must not be open."""
        return browser.capture(
            self.source,
            role=self.role,
            settings=self.settings,
            folders=self.folders,
            references=self.references,
            beside=self.beside,
            steps=self.steps,
        )

    def capture(self, browser: "BrowserThread") -> Capture:
        """Return its capture; an open page is read immediately, in this thread."""
        __tracebackhide__ = True
        if isinstance(self.source, str | os.PathLike):
            with browser.waiting(self.submit(browser)) as future:
                return future.result()
        from pytest_design2a11y.measuring.sources import capture_live

        return capture_live(self.source, role=self.role, settings=self.settings, beside=self.beside)


class TestRendering:
    """Renders the pages of one test and records them in its ledger."""

    def __init__(self, item: pytest.Item, browser: "BrowserThread") -> None:
        self._browser = browser
        self._ledger = ledger_of(item)
        rendering_axes(self._ledger.settings)  # Refuse several variants before rendering anything.
        self._item, self._config = item, item.config
        self._folders = (item.path.parent, item.config.rootpath)
        values = marker_values(item)
        self._references = [values["reference"]] if "reference" in values else []

    def render(self, source: Any = None, **choice: Any) -> Capture:
        """See `Render`."""
        __tracebackhide__ = True
        return _render(self._order(source, choice), self._browser, self._ledger)

    def _order(self, source: Any, choice: dict[str, Any]) -> Order:
        order = _make_order(source, choice, self._settings_for(source, choice), self._config, self._folders)
        if order.role == "reference":
            self._references.append(order.source)
            return order
        return replace(order, references=tuple(self._references), beside=self._ledger.last_reference)

    def _settings_for(self, source: Any, choice: Mapping[str, Any]) -> "Settings":
        """Return the test's settings for a page, with what the configuration says of its case."""
        if not self._ledger.settings.cases:
            return self._ledger.settings
        from pytest_design2a11y.measuring.records import case_of

        last = self._ledger.last_reference
        if choice.get("role") == "reference" or last is None:
            label = source_label(source, self._config.rootpath)
        else:
            label = last.label
        return settings_in(self._item, str(choice.get("case") or case_in(self._item) or case_of(label)))


@dataclass(frozen=True)
class SharedRendering:
    """Renders pages for the test in whose set-up they are rendered, and all that receive or measure them."""

    config: pytest.Config
    browser: "BrowserThread"
    settings: "Settings"

    def __call__(self, source: Any = None, *, reference: Capture | None = None, **choice: Any) -> Capture:
        """See `Render`; a candidate cannot read its `reference`, and has its width if that is a picture."""
        __tracebackhide__ = True
        shared = shared_pages(self.config)
        folders = (Path(sys._getframe(1).f_globals.get("__file__", "")).parent, self.config.rootpath)
        order = _make_order(source, choice, self.settings, self.config, folders)
        if reference is not None:
            order = replace(
                order, references=(shared[reference][0] if reference in shared else None,), beside=reference
            )
        capture = _render(order, self.browser, current_ledger())
        shared[capture] = order.source, order.subject
        return capture


def _render(order: Order, browser: "BrowserThread", ledger: "Ledger | None") -> Capture:
    __tracebackhide__ = True
    with _noting_error(order, ledger):
        capture = order.capture(browser)
    if ledger is not None:
        ledger.note_capture(capture, order.subject)
    return capture


@contextmanager
def _noting_error(order: Order, ledger: "Ledger | None") -> Iterator[None]:
    __tracebackhide__ = True
    try:
        yield
    except Design2a11yError as error:
        if ledger is not None:
            ledger.note_error(source_label(order.source, order.folders[-1]), order.role, error, order.subject)
        raise


def _make_order(
    source: Any,
    choice: dict[str, Any],
    settings: "Settings",
    config: pytest.Config,
    folders: tuple[Path, ...],
) -> Order:
    """Return the order for a call of `render`; `choice` includes `html` and `role`."""
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
    subject = subject_from({name: choice.pop(name) for name in NAMING if name in choice}, config, sample="")
    chosen = settings.with_choices(choice)
    if role == "reference" and "wait_for" not in choice:  # The awaited element belongs to candidates.
        chosen = replace(chosen, wait_for=None)
    return Order(
        source if html is None else Answer(html),
        role,
        chosen,
        folders,
        subject=along(subject, rendering_axes(chosen)),
        steps=steps,
    )
