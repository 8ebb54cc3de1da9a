"""The viewports, schemes, locales and time zones that settings have pages rendered in.

Imported in every pytest run of every user: keep module-level imports cheap.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.settings.values import Settings

RenderingVariant = Mapping[str, str]
"""One value of each setting that may have several: setting -> value, as `with_choices` takes them."""

#: Settings that are axes along which pages are rendered, among `models.evaluation.RENDERING_AXES`.
AXES = ("viewport", "scheme", "locale", "timezone")


def variants(settings: Settings) -> tuple[RenderingVariant, ...]:
    """Return every combination of viewports, schemes, locales and time zones; at least an empty one."""
    choices = [[(name, value) for value in dict.fromkeys(getattr(settings, name))] for name in AXES]
    return tuple(map(dict, product(*filter(None, choices))))


def rendering_axes(settings: Settings) -> dict[str, str]:
    """Return the axes of the single variant, by name; empty without such settings."""
    return {**only_variant(settings), **({"part": settings.part} if settings.part else {})}


def only_variant(settings: Settings) -> RenderingVariant:
    """Return the one variant of the settings; ConfigurationError if there are several."""
    found = variants(settings)
    if len(found) > 1:
        raise ConfigurationError(
            f"A page is rendered once here, and there are {len(found)} ways to do it, such as "
            f"{variant_name(found[0])} and {variant_name(found[1])}.",
            advice="Give one viewport, one scheme, one locale and one time zone.",
        )
    return found[0]


def variant_name(variant: RenderingVariant) -> str:
    """Return the name of a variant, as in test ids: "375x812@3-dark"."""
    return "-".join(variant.values())
