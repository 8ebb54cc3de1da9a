"""Fixtures for tests: pages, their viewports, and the run's browser; folders of pages as parameters."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.plugin import beside_playwright
from pytest_design2a11y.plugin.marker import VARIANT, marker_values, settings_in, settings_of
from pytest_design2a11y.plugin.running_test import require_chromium
from pytest_design2a11y.settings.variants import variant_name, variants

if TYPE_CHECKING:
    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.viewport import Step, Viewport
    from pytest_design2a11y.plugin.rendering import Render, TestRendering
    from pytest_design2a11y.settings import Settings


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
def design2a11y_viewport(
    request: pytest.FixtureRequest, design2a11y_variant: Mapping[str, str]
) -> "Viewport":
    """The viewport of the running test, such as `design2a11y_viewport.width`."""
    from pytest_design2a11y.settings.variants import viewport_of

    return viewport_of(settings_in(request.node))


@pytest.fixture
def design2a11y_context_options(design2a11y_viewport: "Viewport") -> dict[str, Any]:
    """Arguments for Playwright's `new_context`, so that pages a test opens have its viewport."""
    from pytest_design2a11y.models.viewport import context_options

    return context_options(design2a11y_viewport)


@pytest.fixture(scope="session")
def design2a11y_settings(pytestconfig: pytest.Config) -> "Settings":
    """The options of this run."""
    return settings_of(pytestconfig)


@pytest.fixture(scope="session")
def design2a11y(
    request: pytest.FixtureRequest, design2a11y_settings: "Settings"
) -> "Iterator[BrowserThread]":
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
    design2a11y: "BrowserThread",
    design2a11y_settings: "Settings",
    design2a11y_variant: Mapping[str, str],
) -> "Render":
    """Like `render`, for fixtures of any scope: render pages once for many tests."""
    from pytest_design2a11y.plugin.rendering import SharedRendering

    require_chromium(request.node, browser_name)
    settings = design2a11y_settings.with_choices(design2a11y_variant)
    return SharedRendering(request.config, design2a11y, settings)


@pytest.fixture
def _design2a11y_test(
    request: pytest.FixtureRequest,
    browser_name: str,
    design2a11y: "BrowserThread",
    design2a11y_variant: Mapping[str, str],
) -> "TestRendering":
    from pytest_design2a11y.plugin.rendering import TestRendering

    require_chromium(request.node, browser_name)
    return TestRendering(request.node, design2a11y)


@pytest.fixture
def render(_design2a11y_test: "TestRendering") -> "Render":
    """Render pages: `render("designs/login.html", role="reference")`, `render("generated/login.html")`."""
    return _design2a11y_test.render


@pytest.fixture
def reference(request: pytest.FixtureRequest, render: "Render") -> "Capture":
    """The design, rendered from the marker's `reference=`, or from an indirect parameter."""
    return render(_source_of("reference", request), role="reference")


@pytest.fixture
def candidate(request: pytest.FixtureRequest, reference: "Capture", render: "Render") -> "Capture":
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


def page_pairs(
    reference_dir: str | Path,
    candidates: str | Path,
    *,
    states: "Mapping[str, Step | Sequence[Step]] | None" = None,
) -> list[Any]:
    """Pair every design with the pages generated for it, for `pytest.mark.parametrize`.

    ::

        pairs = page_pairs("designs", "generated")

        @pytest.mark.parametrize(("reference", "candidate"), pairs, indirect=True)
        def test_page(reference, candidate):
            assert_fidelity(reference, candidate) > 0.4

    With `indirect=True` the test gets both pages rendered, otherwise their paths. Relative paths are relative
    to the calling file's folder if both exist there, else to the working directory. A missing page fails only
    its own test, as a page that could not be measured.

    Args:
        reference_dir: Folder with one page per case.
        candidates: A folder with `<case>.html` or, for several samples, `<case>/<sample>.html`; or a pattern
            with {case} and optionally {sample}, {prompt} and {model}.
        states: Steps by state: a design such as `signup~error.html` is compared with `signup.html` after the
            steps of "error". For states without steps, candidates are files of the same name.

    Returns:
        A `pytest.param(reference, candidate)` for each pair, marked with its case: the design's path from
        pytest's root, without its suffix. If it is one of several samples of a case, it is marked as such,
        and judged with its case at the end of the run.

    Raises:
        ConfigurationError: A folder is missing, there are no designs, or a page has no design; the message
            names it.
    """
    __tracebackhide__ = True
    from pytest_design2a11y.runs.cases import file_pairs

    beside = Path(sys._getframe(1).f_globals.get("__file__", "")).parent
    # Only the first part of a pattern is sure to be a folder's name.
    are_beside = all((beside / Path(path).parts[0]).exists() for path in (reference_dir, candidates))
    base = beside if are_beside else Path.cwd()
    try:
        pairs = file_pairs(base / reference_dir, base / candidates, states=states or ())
    except ConfigurationError as error:
        raise error.with_traceback(None) from None
    num_samples = Counter(pair.case_key for pair in pairs)
    parameters = []
    for pair in pairs:
        sample = pair.sample if num_samples[pair.case_key] > 1 else None
        steps = {"steps": (states or {})[pair.axes["state"]]} if pair.is_reached else {}
        marker = pytest.mark.design2a11y(case=pair.reference, sample=sample, axes=dict(pair.axes), **steps)
        name = "-".join(part for part in (*pair.axes.values(), pair.case, sample) if part)
        parameters.append(pytest.param(pair.reference, pair.candidate, id=name, marks=marker))
    return parameters
