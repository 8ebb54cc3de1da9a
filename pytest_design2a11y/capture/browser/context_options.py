"""A viewport as arguments of Playwright's `new_context`."""

from __future__ import annotations

from typing import Any

from pytest_design2a11y.models.viewport import Viewport


def context_options(viewport: Viewport) -> dict[str, Any]:
    """Return the arguments by which a browser context has this viewport; print is a page's own matter."""
    named = {"user_agent": viewport.user_agent} if viewport.user_agent else {}
    return {
        "viewport": {"width": viewport.width, "height": viewport.height},
        "device_scale_factor": viewport.scale,
        "has_touch": viewport.touch,
        "is_mobile": viewport.mobile,
        "reduced_motion": viewport.motion,
        "color_scheme": viewport.scheme,
        "forced_colors": viewport.forced_colors,
        "locale": viewport.locale,
        "timezone_id": viewport.timezone,
        **named,
    }
