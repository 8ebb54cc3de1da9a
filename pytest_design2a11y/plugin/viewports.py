"""Tests that run once in each of several viewports, schemes, locales and time zones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.plugin.marker import MARKER, choices_of
from pytest_design2a11y.plugin.run_settings import settings_of
from pytest_design2a11y.settings.variants import AXES

if TYPE_CHECKING:
    from pytest_design2a11y.models.viewport import Viewport
    from pytest_design2a11y.settings.values import Settings

#: The fixture that has the variant which a test is running for.
VARIANT = "design2a11y_variant"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have a test that renders run once for each variant, where there are several."""
    if VARIANT not in metafunc.fixturenames:
        return
    from pytest_design2a11y.settings.variants import variant_name, variants

    try:
        chosen = choices_of(metafunc.definition.iter_markers(MARKER))
        found = variants(settings_of(metafunc.config).with_choices(chosen))
    except ConfigurationError:
        return  # The test itself says what is wrong.
    if len(found) > 1:
        metafunc.parametrize(VARIANT, found, ids=map(variant_name, found), indirect=True)


@pytest.fixture(scope="session")
def design2a11y_variant(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """What the running test renders pages in, of several viewports, schemes, locales and time zones."""
    variant: Mapping[str, str] = getattr(request, "param", {})
    return variant


@pytest.fixture
def design2a11y_viewport(request: pytest.FixtureRequest, design2a11y_variant: Mapping[str, str]) -> Viewport:
    """The viewport that the running test renders pages in: `design2a11y_viewport.width`."""
    from pytest_design2a11y.measuring.viewports import viewport_of

    return viewport_of(settings_in(request.node, design2a11y_variant))


@pytest.fixture
def design2a11y_context_options(design2a11y_viewport: Viewport) -> dict[str, Any]:
    """Arguments of Playwright's `new_context` for the test's viewport, for pages that a test opens itself."""
    from pytest_design2a11y.capture.browser.devices import context_options

    return context_options(design2a11y_viewport)


def settings_in(item: pytest.Item, variant: Mapping[str, str]) -> Settings:
    """Return a test's settings: the run's, with what its markers choose, in one variant.

    Which variants there are, a test's own markers tell, those of its parameters do not.
    """
    chosen = choices_of(item.iter_markers(MARKER))
    marks = getattr(getattr(item, "callspec", None), "marks", ())
    parameter = choices_of(mark for mark in marks if mark.name == MARKER)
    if variant and parameter.keys() & {name for names in AXES.values() for name in names}:
        raise ConfigurationError(
            "A parameter's marker cannot choose the viewport of a test that runs once in each of several.",
            advice="Mark the test itself, or give render the choice.",
        )
    return settings_of(item.config).with_choices(chosen).with_choices(variant)
