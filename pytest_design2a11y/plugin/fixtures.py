"""What tests ask for: render, reference, candidate, design2a11y."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.models.paths import label_of_path
from pytest_design2a11y.plugin.marker import (
    marker_limits,
    marker_values,
    subject_of,
)
from pytest_design2a11y.plugin.run_settings import settings_of
from pytest_design2a11y.plugin.unjudged import require_chromium
from pytest_design2a11y.plugin.viewports import settings_in
from pytest_design2a11y.settings.values import CALL_FIELDS

if TYPE_CHECKING:
    from playwright.sync_api import BrowserType

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture, Role
    from pytest_design2a11y.plugin.ledger import Ledger
    from pytest_design2a11y.settings.values import Settings

ledger_key: pytest.StashKey[Ledger] = pytest.StashKey()


class Render(Protocol):
    """Renders a page once, for one side of a comparison."""

    def __call__(
        self, source: Any = None, *, html: str | None = None, role: Role = "candidate", **choice: Any
    ) -> Capture:
        """Render a path, an http(s) URL, HTML text or a live Playwright page.

        A relative path is looked for beside the test's file, then from pytest's root directory.

        Args:
            source: What to render.
            html: HTML text or a model's raw answer, in place of `source`: never taken for a path or a URL.
            role: "reference" for the design, "candidate" for what was generated.
            **choice: What the page is laid out for, its site, and which accessibility rules run on it:
                viewport, device, scheme, locale, timezone, root, clean_urls, single_page, accept_status,
                axe_script, axe_tags, rules_on, rules_off, include, exclude, minimum_impact, as in the options
                of these names.

        Raises:
            SourceError: The source is not a page.
            CaptureError: The page could not be rendered.
            ConfigurationError: The role or the choice is not valid.
        """


@pytest.fixture(scope="session")
def design2a11y_settings(pytestconfig: pytest.Config) -> Settings:
    """The options of this run."""
    return settings_of(pytestconfig)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType, design2a11y_settings: Settings
) -> dict[str, Any]:
    """Let pytest-playwright start the machine's Chromium where Playwright's own is not installed."""
    from pytest_design2a11y.capture.browser.launch import has_own, installed_chromium, named_chromium

    is_chosen = {"executable_path", "channel"} & set(browser_type_launch_args)
    if is_chosen or browser_type.name != "chromium" or has_own(browser_type):
        return browser_type_launch_args
    is_headless = browser_type_launch_args.get("headless") is not False
    executable = named_chromium(design2a11y_settings.chromium) or installed_chromium(headless=is_headless)
    return {**browser_type_launch_args, "executable_path": executable}


@pytest.fixture(scope="session")
def design2a11y(
    launch_browser: Callable[..., Any],
    browser_type_launch_args: dict[str, Any],
    design2a11y_settings: Settings,
) -> Iterator[Renderer]:
    """The renderer of this run: one browser, launched by pytest-playwright, one fresh context a page."""
    from pytest_design2a11y.measuring.sources import make_renderer

    renderer = make_renderer(launch_browser, browser_type_launch_args, design2a11y_settings)
    yield renderer
    renderer.close()


@pytest.fixture
def render(
    request: pytest.FixtureRequest,
    browser_name: str,
    design2a11y: Renderer,
    design2a11y_variant: Mapping[str, str],
) -> Iterator[Render]:
    """Render pages: `render("designs/login.html", role="reference")`, `render("generated/login.html")`."""
    require_chromium(request.node, browser_name)
    from pytest_design2a11y.measuring.sources import capture_source
    from pytest_design2a11y.models.run import along
    from pytest_design2a11y.plugin.ledger import Ledger, current_ledger
    from pytest_design2a11y.settings.variants import rendering_axes

    settings = settings_in(request.node, design2a11y_variant)
    ledger = Ledger(
        along(subject_of(request.node), rendering_axes(settings)),
        settings,
        limits=marker_limits(request.node),
        is_sample=marker_values(request.node).get("sample") is not None,
        expected=_expected(request),
    )
    request.node.stash[ledger_key] = ledger
    token = current_ledger.set(ledger)
    folders = (request.path.parent, request.config.rootpath)
    references = [value for name, value in marker_values(request.node).items() if name == "reference"]

    def render_source(
        source: Any = None, *, html: str | None = None, role: Role = "candidate", **choice: Any
    ) -> Capture:
        if role not in ("reference", "candidate"):
            raise ConfigurationError(
                f"There is no role {role!r}.", advice="Use role='reference' or role='candidate'."
            )
        if unknown := sorted(set(choice) - set(CALL_FIELDS)):
            raise ConfigurationError(
                f"render does not take {', '.join(unknown)}.", advice=f"It takes: {', '.join(CALL_FIELDS)}."
            )
        source = _one_source(source, html)
        if role == "reference":
            references.append(source)
        __tracebackhide__ = True
        chosen = settings.with_choices(choice)
        axes = rendering_axes(chosen)
        try:
            capture = capture_source(
                source,
                role=role,
                renderer=design2a11y,
                settings=chosen,
                folders=folders,
                references=references if role == "candidate" else (),
                beside=ledger.last_reference if role == "candidate" else None,
            )
        except Design2a11yError as error:
            ledger.note_error(source_label(source, request.config.rootpath), role, error, axes)
            raise
        ledger.note_capture(capture, axes)
        return capture

    yield render_source
    current_ledger.reset(token)


@pytest.fixture
def reference(request: pytest.FixtureRequest, render: Render) -> Capture:
    """The design, rendered from the marker's `reference=`, or from an indirect parameter."""
    return render(_source_of("reference", request), role="reference")


@pytest.fixture
def candidate(request: pytest.FixtureRequest, reference: Capture, render: Render) -> Capture:
    """The generated page, rendered from the marker's `candidate=`, or from an indirect parameter."""
    return render(_source_of("candidate", request), role="candidate")


def _one_source(source: Any, html: str | None) -> Any:
    if (source is None) == (html is None):
        raise ConfigurationError(
            "render takes one page.", advice="Give a source, or html= for HTML text and answers."
        )
    if html is None:
        return source
    from pytest_design2a11y.models.page import Answer

    return Answer(html)


def _source_of(name: str, request: pytest.FixtureRequest) -> Any:
    if hasattr(request, "param"):
        return request.param
    values = marker_values(request.node)
    if name not in values:
        raise ConfigurationError(
            f"The fixture {name!r} does not know what to render.",
            advice=f'Mark the test: @pytest.mark.design2a11y({name}="page.html").',
        )
    return values[name]


def _expected(request: pytest.FixtureRequest) -> str:
    """Name the candidate that a marker or a parameter says; "" where none does."""
    parameters = getattr(getattr(request.node, "callspec", None), "params", {})
    source = parameters.get("candidate", marker_values(request.node).get("candidate"))
    return "" if source is None else source_label(source, request.config.rootpath)


def source_label(source: Any, root: Path) -> str:
    """Name a source in a report; a file below pytest's root by its path from there."""
    if isinstance(source, Path):
        return label_of_path(source.relative_to(root) if source.is_relative_to(root) else source)
    if type(source) is str:
        return source if len(source) < 500 and "<" not in source else "<html>"
    if isinstance(source, str):
        return "<html>"
    return str(getattr(source, "url", type(source).__name__))
