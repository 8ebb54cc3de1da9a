"""Probes: open a page, act on it, and report what cannot be done or seen."""

from __future__ import annotations

from pytest_design2a11y.extending import Probe


def pytest_design2a11y_probes() -> list[Probe]:
    """Return the built-in probes."""
    from pytest_design2a11y.probes import (
        hover,
        keyboard,
        layout,
        motion,
        names,
        responds,
        scheme,
        targets,
        text_loss,
    )

    return [
        Probe("keyboard", keyboard.CHECKS, keyboard.probe_keyboard),
        Probe("reflow", text_loss.REFLOW_CHECKS, text_loss.probe_reflow),
        Probe("zoom", text_loss.ZOOM_CHECKS, text_loss.probe_zoom),
        Probe("spacing", text_loss.SPACING_CHECKS, text_loss.probe_spacing),
        Probe("names", names.CHECKS, names.probe_names, only_looks=True),
        Probe("motion", motion.CHECKS, motion.probe_motion),
        Probe("scheme", scheme.CHECKS, scheme.probe_scheme, only_looks=True),
        Probe("hover", hover.CHECKS, hover.probe_hover),
        Probe("targets", targets.CHECKS, targets.probe_targets, only_looks=True),
        Probe("layout", layout.CHECKS, layout.probe_layout, only_looks=True, needs_screenshot=True),
        Probe("responds", responds.CHECKS, responds.probe_responds, compares=True),
    ]
