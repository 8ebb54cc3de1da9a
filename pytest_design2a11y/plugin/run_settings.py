"""What options, markers and variants set: for a whole run, and for one test."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.plugin.marker import MARKER, choices_of, marker_values, parameters

if TYPE_CHECKING:
    from pytest_design2a11y.limits.thresholds import Limit
    from pytest_design2a11y.settings.values import Settings

#: The fixture that has the variant which a test is running for.
VARIANT = "design2a11y_variant"

settings_key: pytest.StashKey[Settings] = pytest.StashKey()


def take_given(config: pytest.Config, kind: str, given: object) -> None:
    """Take what a hook gives, of a conftest.py that pytest comes to later too."""
    from pytest_design2a11y import extending, registry

    registry.take(getattr(extending, kind), given)
    settings = config.stash.get(settings_key, None)
    if settings is not None:
        own_metrics = registry.use_metrics(files=settings.metrics)
        config.stash[settings_key] = replace(settings, own_metrics=own_metrics)


def forget_given() -> None:
    """Let go of what the hooks of a run gave, at its end."""
    if registry := sys.modules.get("pytest_design2a11y.registry"):
        registry.forget_taken()


def settings_of(config: pytest.Config) -> Settings:
    """Return the options of a run, read when they are first asked for."""
    if settings_key not in config.stash:
        from pytest_design2a11y.settings.options import settings_from_pytest

        config.stash[settings_key] = settings_from_pytest(config)
    return config.stash[settings_key]


def settings_in(item: pytest.Item) -> Settings:
    """Return a test's settings: the run's, with what its markers choose, in the variant that it runs for.

    Which variants there are, a test's own markers tell, those of its parameters do not.
    """
    chosen, variant = choices_of(item.iter_markers(MARKER)), parameters(item).get(VARIANT, {})
    marks = getattr(getattr(item, "callspec", None), "marks", ())
    parameter = choices_of(mark for mark in marks if mark.name == MARKER)
    if variant and parameter:
        from pytest_design2a11y.settings.variants import AXES

        if parameter.keys() & {name for names in AXES.values() for name in names}:
            raise ConfigurationError(
                "A parameter's marker cannot choose the viewport of a test that runs in each of several.",
                advice="Mark the test itself, or give render the choice.",
            )
    return settings_of(item.config).with_choices(chosen).with_choices(variant)


def marker_limits(item: pytest.Item | pytest.Session) -> tuple[Limit, ...]:
    """Return the limits that a test's markers set."""
    values = marker_values(item)
    if not values:
        return ()
    from pytest_design2a11y.limits.thresholds import named_limits, refuse_unaudited

    limits = named_limits(values, origin="marker")
    if not settings_of(item.config).audit:
        refuse_unaudited(limits)
    return limits


def limits_on(item: pytest.Item | pytest.Session) -> tuple[Limit, ...]:
    """Return the limits that hold for what a test renders, of its markers and of the run."""
    return (*marker_limits(item), *settings_of(item.config).limits)
