"""Variants of rendering in settings: one, or several that a test runs once for each.

Imported in every pytest run of every user: nothing at the top that costs time.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.settings.values import Settings

Variant = Mapping[str, str]
"""One value of each setting that may have several: setting -> value, as `with_choices` takes them."""

#: Axes that pages are rendered along, `models.run.RENDERING_AXES`, and the settings that give their values.
AXES: Mapping[str, tuple[str, ...]] = {
    "viewport": ("viewport", "device"),
    "scheme": ("scheme",),
    "locale": ("locale",),
    "timezone": ("timezone",),
}


def variants(settings: Settings) -> tuple[Variant, ...]:
    """Return every combination of the viewports and devices, schemes, locales and time zones.

    There is at least one, which is empty without such settings.
    """
    choices = [
        [(name, value) for name in names for value in dict.fromkeys(getattr(settings, name))]
        for names in AXES.values()
    ]
    return tuple(dict(values) for values in product(*(one for one in choices if one)))


def rendering_axes(settings: Settings) -> dict[str, str]:
    """Return the axes of the settings' one variant, by name; empty without such settings."""
    variant = only_variant(settings)
    axes = {axis: variant[name] for axis, names in AXES.items() for name in names if name in variant}
    return axes | ({"part": settings.part} if settings.part else {})


def only_variant(settings: Settings) -> Variant:
    """Return the one variant of the settings; ConfigurationError if there are several."""
    found = variants(settings)
    if len(found) > 1:
        names = " and ".join(variant_name(one) for one in found[:2])
        raise ConfigurationError(
            f"A page is rendered once here, and there are {len(found)} ways to do it, such as {names}.",
            advice="Give one viewport or device, one scheme, one locale and one time zone.",
        )
    return found[0]


def variant_name(variant: Variant) -> str:
    """Name a variant, as in the ids of tests: "375x812@3-dark"."""
    return "-".join(variant.values())
