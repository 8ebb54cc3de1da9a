"""The viewports, schemes, locales and time zones that settings have pages rendered in.

Imported in every pytest run of every user: keep module-level imports cheap.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import product
from typing import TYPE_CHECKING

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.readers import is_device, scheme_fields, window_fields
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.models.viewport import Viewport

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


def viewport_of(settings: Settings) -> "Viewport":
    """Return the viewport of settings with one variant; the standard one if they name none."""
    from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT

    variant = only_variant(settings)
    viewport = _window(variant["viewport"]) if "viewport" in variant else STANDARD_VIEWPORT
    return replace(
        viewport,
        **(scheme_fields(variant["scheme"]) if "scheme" in variant else {}),
        locale=variant.get("locale", viewport.locale),
        timezone=variant.get("timezone", viewport.timezone),
    )


def require_devices(settings: Settings) -> None:
    """Refuse, at the start of a run, devices that do not exist."""
    for window in settings.viewport:
        _window(window)


def require_as_asked(capture: "Capture", settings: Settings) -> None:
    """Refuse a page that a test opened under other conditions than the settings ask for."""
    from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT

    asked, opened = viewport_of(settings), capture.viewport
    if asked == STANDARD_VIEWPORT or opened is None:
        return
    standard, wanted, given = asdict(STANDARD_VIEWPORT), asdict(asked), asdict(opened)
    names = {name for name in wanted if wanted[name] != standard[name]} - _UNKNOWN
    names |= {"width", "height", "scale"} if settings.viewport else set()
    if any(wanted[name] != given[name] for name in names):
        raise ConfigurationError(
            f"The run asks for {variant_name(only_variant(settings))}, and {capture.label} was opened in "
            f"{opened.width}x{opened.height} at scale {opened.scale:g}, {opened.scheme}.",
            advice="Open the page in a context made for it: the fixture design2a11y_context_options has the "
            "arguments of new_context.",
        )


#: Fields of the window that an open page does not reveal.
_UNKNOWN = {"mobile", "device", "user_agent"}


def _window(window: str) -> "Viewport":
    if is_device(window):
        from pytest_design2a11y.capture.driver import viewport_of_device

        return viewport_of_device(window)
    from pytest_design2a11y.models.viewport import Viewport

    return Viewport(**window_fields(window))
