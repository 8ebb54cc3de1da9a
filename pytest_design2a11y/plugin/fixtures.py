"""Fixtures for tests: render, render_async, design2a11y_render, reference, candidate, and viewports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.plugin import beside_playwright
from pytest_design2a11y.plugin.marker import VARIANT, marker_values, settings_in, settings_of
from pytest_design2a11y.plugin.unjudged import require_chromium
from pytest_design2a11y.settings.variants import variant_name, variants

if TYPE_CHECKING:
    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.viewport import Viewport
    from pytest_design2a11y.plugin.rendering import Render, RenderAsync, TestRendering
    from pytest_design2a11y.settings.values import Settings


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test that renders with the variants, if there are several."""
    if VARIANT not in metafunc.fixturenames:
        return
    try:
        found = variants(settings_in(metafunc.definition))
    except ConfigurationError:
        return  # The test itself reports the problem.
    if len(found) > 1:
        metafunc.parametrize(VARIANT, found, ids=map(variant_name, found), indirect=True)


@pytest.fixture(scope="session")
def design2a11y_variant(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """The viewport, scheme, locale and time zone of the running test, if there are several."""
    variant: Mapping[str, str] = getattr(request, "param", {})
    return variant


@pytest.fixture
def design2a11y_viewport(request: pytest.FixtureRequest, design2a11y_variant: Mapping[str, str]) -> Viewport:
    """The viewport of the running test, such as `design2a11y_viewport.width`."""
    from pytest_design2a11y.measuring.viewports import viewport_of

    return viewport_of(settings_in(request.node))


@pytest.fixture
def design2a11y_context_options(design2a11y_viewport: Viewport) -> dict[str, Any]:
    """Arguments for Playwright's `new_context`, so that pages a test opens have its viewport."""
    from pytest_design2a11y.models.viewport import context_options

    return context_options(design2a11y_viewport)


@pytest.fixture(scope="session")
def design2a11y_settings(pytestconfig: pytest.Config) -> Settings:
    """The options of this run."""
    return settings_of(pytestconfig)


@pytest.fixture(scope="session")
def design2a11y(request: pytest.FixtureRequest, design2a11y_settings: Settings) -> Iterator[BrowserThread]:
    """The browser of this run, in its own thread, started with the first page; pages are isolated."""
    from pytest_design2a11y.measuring.browser_thread import BrowserThread

    options = {}
    if beside_playwright.is_loaded(request.config):
        options["launch_options"] = request.getfixturevalue("browser_type_launch_args")
        options["connect_options"] = request.getfixturevalue("connect_options")
    thread = BrowserThread(design2a11y_settings, **options)
    yield thread
    thread.close()


@pytest.fixture(scope="session")
def design2a11y_render(
    request: pytest.FixtureRequest,
    browser_name: str,
    design2a11y: BrowserThread,
    design2a11y_settings: Settings,
    design2a11y_variant: Mapping[str, str],
) -> Render:
    """Like `render`, for fixtures of any scope: render pages once for many tests."""
    from pytest_design2a11y.plugin.rendering import SharedRendering

    require_chromium(request.node, browser_name)
    settings = design2a11y_settings.with_choices(design2a11y_variant)
    return SharedRendering(request.config, design2a11y, settings)


@pytest.fixture
def _design2a11y_test(
    request: pytest.FixtureRequest,
    browser_name: str,
    design2a11y: BrowserThread,
    design2a11y_variant: Mapping[str, str],
) -> TestRendering:
    from pytest_design2a11y.plugin.rendering import TestRendering

    require_chromium(request.node, browser_name)
    return TestRendering(request.node, design2a11y)


@pytest.fixture
def render(_design2a11y_test: TestRendering) -> Render:
    """Render pages: `render("designs/login.html", role="reference")`, `render("generated/login.html")`."""
    return _design2a11y_test.render


@pytest.fixture
def render_async(_design2a11y_test: TestRendering) -> RenderAsync:
    """Like `render`, to be awaited: the event loop keeps running."""
    return _design2a11y_test.render_async


@pytest.fixture
def reference(request: pytest.FixtureRequest, render: Render) -> Capture:
    """The design, rendered from the marker's `reference=`, or from an indirect parameter."""
    return render(_source_of("reference", request), role="reference")


@pytest.fixture
def candidate(request: pytest.FixtureRequest, reference: Capture, render: Render) -> Capture:
    """The generated page, rendered from the marker's `candidate=` and `steps=`, or an indirect parameter."""
    steps = marker_values(request.node).get("steps", ())
    return render(_source_of("candidate", request), role="candidate", steps=steps)


def _source_of(name: str, request: pytest.FixtureRequest) -> Any:
    if hasattr(request, "param"):
        return request.param
    values = marker_values(request.node)
    if name not in values:
        raise ConfigurationError(
            f"The fixture {name!r} has nothing to render.",
            advice=f'Mark the test: @pytest.mark.design2a11y({name}="page.html").',
        )
    return values[name]
