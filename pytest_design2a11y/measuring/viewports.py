"""The viewport that the settings ask for."""

from __future__ import annotations

from dataclasses import asdict, replace

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.readers import is_device, scheme_fields, window_fields
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT, Viewport
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.settings.variants import only_variant, variant_name


def viewport_of(settings: Settings) -> Viewport:
    """Return the viewport of settings with one variant; the standard one if they name none."""
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


def require_as_asked(capture: Capture, settings: Settings) -> None:
    """Refuse a page that a test opened under other conditions than the settings ask for."""
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


def _window(window: str) -> Viewport:
    if is_device(window):
        from pytest_design2a11y.capture.driver import viewport_of_device

        return viewport_of_device(window)
    return Viewport(**window_fields(window))
